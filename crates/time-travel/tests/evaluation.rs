//! Expressions have the values that Java would print.

#![allow(clippy::unwrap_used, reason = "tests")]

use debug_engine::view::render;
use java_model::shown::{self, BRIEF};
use time_travel::frames::{self, Frame};
use time_travel::{Breakpoint, BreakpointKind, Expression, JavaValue, Traveller, line_methods};

use crate::common;

const PROGRAM: &str = r#"
import java.util.ArrayList;
import java.util.List;
public class Main {
    interface Shape {}
    static class Circle implements Shape {
        double radius = 2.5; double radius() { return radius; } double twice() { return 2 * radius; }
        String name = "round";
    }
    static long count = 7;
    int size = 3; int getSize() { return size; }
    int[][] grid = {{1, 2}, {3, 4}};
    Circle circle = new Circle();
    Shape none;
    List<Integer> list = new ArrayList<>(List.of(5, 6));
    int look(int depth, char sign, String text) {
        boolean deep = depth > 1;
        String constant = "ab\n";
        Integer boxed = depth + 1000;
        if (depth < 2) {
            return look(depth + 1, sign, text + depth);
        }
        return depth;
    }
    public static void main(String[] args) {
        System.out.println(new Main().look(1, 'x', "text"));
    }
}
"#;

#[test]
fn expressions_are_evaluated_in_every_frame() {
    let recorded = common::program("Main.java", PROGRAM);
    let (run, traveller) = (&recorded.run, Traveller::new(&recorded.run));
    let (line, methods) = line_methods(run, |_, _| true, 23).unwrap();
    let kind = BreakpointKind::Line { methods, line };
    let found = Breakpoint::new(&traveller, kind, None, None, None);
    let stop = traveller
        .stop(found.positions(&traveller).next().unwrap())
        .unwrap();
    let stack = frames::stack(&traveller, &stop, 0, 10);
    let lines: Vec<Option<u32>> = stack.iter().map(|frame| frame.moment.line).collect();
    assert_eq!(lines, [Some(23), Some(21), Some(26)]);
    assert_eq!(frames::depth(&traveller, &stop), 3);
    assert_eq!(frames::stack(&traveller, &stop, 1, 1), stack[1..2]);
    let say = |frame: &Frame, text: &str| {
        let value = Expression::parse(text)
            .map_err(|error| error.to_string())
            .and_then(|expression| {
                let result = expression.evaluate(&traveller, frame);
                result.map_err(|error| error.to_string())
            });
        match value.map(|found| found.value) {
            Ok(JavaValue::Known(value)) => {
                render::value(&shown::value(run, value, frame.time, BRIEF), BRIEF)
            }
            Ok(JavaValue::Text(text) | JavaValue::Class(text)) => format!("{text:?}"),
            Err(sentence) => format!("! {sentence}"),
        }
    };
    for (text, expected) in [
        ("depth", "2"),
        ("deep", "true"),
        ("sign", "'x'"),
        ("sign + 1", "121"),
        ("text + '-' + depth", "\"text1-2\""),
        ("constant.length()", "3"),
        ("text.equals(\"text1\") && !text.isEmpty()", "true"),
        ("boxed / 3", "334"),
        (
            "boxed % 0",
            "! it would throw java.lang.ArithmeticException: / by zero",
        ),
        ("size", "3"),
        ("this.size << 2", "12"),
        ("grid[1][0] * grid.length", "6"),
        ("grid[1][size]", "! int[]#9[3]"),
        ("circle.radius / 2", "1.25"),
        ("circle.name", "\"round\""),
        ("circle.radius() > 2 && getSize() == 3", "true"),
        (
            "circle.twice()",
            "! a recorded run cannot call twice(); fields, elements and operators can be evaluated",
        ),
        ("circle instanceof Shape", "true"),
        ("circle instanceof Main", "false"),
        ("none == null", "true"),
        ("none.x", "! it is null, so it has no x"),
        ("list[1]", "6"),
        ("Main.count + 1", "8"),
        ("count", "7"),
        ("depth > 1 ? circle.radius : none.x", "2.5"),
        (
            "look(1)",
            "! a recorded run cannot call look(); fields, elements and operators can be evaluated",
        ),
        ("missing", "! there is no variable missing here"),
        ("text.substring(1, 3) + text.indexOf('t')", "\"ex0\""),
        ("Main", "! Main is a class and no value"),
        (
            "Main.nothing",
            "! no recorded code names a static Main.nothing",
        ),
    ] {
        let said = say(&stack[0], text);
        match text {
            "grid[1][size]" => assert!(said.contains("has no element 3"), "{said}"),
            _ => assert_eq!(said, expected, "{text}"),
        }
    }
    assert_eq!(say(&stack[1], "depth + text"), "\"1text\"");
    assert_eq!(say(&stack[2], "depth"), "! there is no variable depth here");
    assert_eq!(
        say(&stack[2], "this.size"),
        "! there is no object here: the method is static"
    );
    let names = |frame: &Frame| -> Vec<String> {
        let variables = frames::variables(&traveller, frame).into_iter();
        variables.map(|variable| variable.name).collect()
    };
    let expected = ["this", "depth", "sign", "text", "deep", "constant", "boxed"];
    assert_eq!(names(&stack[0]), expected);
}
