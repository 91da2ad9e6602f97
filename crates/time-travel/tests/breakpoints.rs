//! Breakpoints are where a walk over all events finds them, forwards and backwards, listed or searched for.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::time::Instant;

use java_analysis::happening::{Happening, WrittenVariable};
use java_analysis::variable::Variable;
use java_model::heap::Heap as _;
use time_travel::frames::{self, Frame};
use time_travel::{
    Breakpoint, BreakpointKind, Direction, Expression, HitCondition, JavaValue, Position, Step,
    Stop, Traveller, line_methods, methods_writing,
};

use crate::common::{self, Timeline};

/// Compares every stop from places all over the thread with the hits that are expected.
fn check(
    what: &str,
    traveller: &Traveller<'_>,
    timeline: &Timeline,
    breakpoint: Breakpoint,
    expected: &[usize],
) {
    let breakpoints = [breakpoint];
    let stride = timeline.events.len() / 40 + 1;
    let places = (0..timeline.events.len()).step_by(stride);
    for place in places.chain(expected.iter().copied().take(20)) {
        let from = traveller.stop(timeline.at(place)).unwrap();
        for direction in [Direction::Forwards, Direction::Backwards] {
            let met = traveller.run_to_breakpoint(&from, direction, &breakpoints);
            let met = met.map(|arrival| arrival.stop.position);
            let hit = match direction {
                Direction::Forwards => expected.iter().find(|&&hit| hit > place),
                Direction::Backwards => expected.iter().rfind(|&&hit| hit < place),
            };
            let hit = hit.map(|&hit| timeline.at(hit));
            assert_eq!(met, hit, "{what}: {direction:?} from {:?}", from.position);
        }
    }
}

/// Both ways of finding: looked up at once, and searched for because the time was over before it began.
fn check_both(
    what: &str,
    traveller: &Traveller<'_>,
    timeline: &Timeline,
    kind: &BreakpointKind,
    expected: &[usize],
) {
    let listed = Breakpoint::new(traveller, kind.clone(), None, None, None);
    assert!(listed.hits().are_complete());
    assert_eq!(listed.hits().len(), expected.len(), "{what}");
    check(what, traveller, timeline, listed, expected);
    let over = Some(Instant::now());
    let searched = Breakpoint::new(traveller, kind.clone(), None, None, over);
    check(what, traveller, timeline, searched, expected);
}

#[test]
fn line_breakpoints_are_met_at_every_execution() {
    let mut lines_tried = 0;
    for (name, recorded) in common::examples() {
        let (run, traveller) = (&recorded.run, Traveller::new(&recorded.run));
        let threads = common::threads(run);
        if threads.len() != 1 {
            continue;
        }
        let timeline = Timeline::of(run, threads[0]);
        for line in (1..80).step_by(3) {
            let of_main = |_: &str, file: Option<&str>| file == Some("Main.java");
            let Some((line, methods)) = line_methods(run, of_main, line) else {
                continue;
            };
            let is_hit = |position: &Position, what: &Happening, at: Option<u32>| {
                *what == Happening::Line
                    && at == Some(line)
                    && methods.contains(&run.method(position.node))
            };
            let events = timeline.events.iter().enumerate();
            let hits = events.filter(|(_, (position, m))| is_hit(position, &m.what, m.line));
            let hits: Vec<usize> = hits.map(|(place, _)| place).collect();
            let what = format!("{name}, line {line}");
            let kind = BreakpointKind::Line { methods, line };
            check_both(&what, &traveller, &timeline, &kind, &hits);
            lines_tried += 1;
        }
    }
    assert!(lines_tried > 30, "only {lines_tried} lines");
}

/// Most calls are passed over because their slots alone tell that a condition does not hold: what is found must be what
/// looking at each execution of the line finds.
#[test]
fn a_condition_chooses_what_it_holds_for_at_each_execution() {
    let (mut tried, mut chosen) = (0, 0);
    for (name, recorded) in common::examples() {
        let (run, traveller) = (&recorded.run, Traveller::new(&recorded.run));
        for line in (1..80).step_by(4) {
            let of_main = |_: &str, file: Option<&str>| file == Some("Main.java");
            let Some((line, methods)) = line_methods(run, of_main, line) else {
                continue;
            };
            let kind = BreakpointKind::Line { methods, line };
            let all = Breakpoint::new(&traveller, kind.clone(), None, None, None);
            let stops = all.positions(&traveller).take(2000);
            let stops: Vec<_> = stops.filter_map(|it| traveller.stop(it)).collect();
            let Some(middle) = stops.get(stops.len() / 2) else {
                continue;
            };
            for condition in conditions(&traveller, middle) {
                let expression = Expression::parse(&condition).unwrap();
                let holds = |stop: &&Stop| {
                    let value = expression.evaluate(&traveller, &Frame::of(stop));
                    let truth = JavaValue::Known(trace_format::Value::Boolean(true));
                    // What cannot be evaluated keeps nobody from stopping.
                    value.map_or(true, |found| found.value == truth)
                };
                let expected: Vec<Position> = stops
                    .iter()
                    .filter(holds)
                    .map(|stop| stop.position)
                    .collect();
                let text = expression.clone();
                let found = Breakpoint::new(&traveller, kind.clone(), Some(text), None, None);
                let found = found.positions(&traveller);
                let found: Vec<Position> = match all.hits().len() > 2000 {
                    true => found.take(expected.len()).collect(),
                    false => found.collect(),
                };
                assert_eq!(found, expected, "{name}, line {line}: {condition}");
                let text = Some(expression.clone());
                let counted = Breakpoint::to_go_to(&traveller, kind.clone(), text, None, None);
                if all.hits().len() <= 2000 {
                    assert_eq!(counted.hits().len(), expected.len(), "{name}: {condition}");
                }
                tried += 1;
                chosen += usize::from(!expected.is_empty() && expected.len() < stops.len());
            }
        }
    }
    assert!(tried > 100 && chosen > 15, "{chosen} of {tried}");
}

/// Conditions on what has a name at a stop.
fn conditions(traveller: &Traveller<'_>, stop: &Stop) -> Vec<String> {
    let mut conditions = vec!["this != null".to_owned()];
    let variables = frames::variables(traveller, &Frame::of(stop));
    let this = variables.iter().find(|variable| variable.name == "this");
    if let Some(Ok(JavaValue::Known(trace_format::Value::Ref(this)))) =
        this.map(|this| this.value.clone())
    {
        for field in traveller.run().fields(this, stop.time).iter() {
            conditions.push(match field.value {
                trace_format::Value::Int(held) => format!("this.{} > {held}", field.name),
                trace_format::Value::Ref(_) => format!("{} == null", field.name),
                _ => continue,
            });
        }
    }
    for variable in variables {
        let name = variable.name;
        match variable.value {
            Ok(JavaValue::Known(trace_format::Value::Int(held))) => conditions.extend([
                format!("{name} == {held}"),
                format!("{name} % 2 == 0 || {name} * 3L > 100"),
                format!("-{name} >= 0 ? true : {name} > {held} && {name} / 2 < 50"),
                format!("10 / {name} > 0"),
            ]),
            Ok(JavaValue::Known(trace_format::Value::Ref(_))) => {
                conditions.push(format!("{name} == null"));
                conditions.push(format!("{name}.length > 2"));
            }
            Ok(JavaValue::Known(trace_format::Value::Boolean(_))) => {
                conditions.push(format!("!{name}"));
            }
            _ => {}
        }
    }
    conditions.truncate(9);
    conditions
}

#[test]
fn exceptions_are_met_where_they_were_thrown() {
    let (_, recorded) = common::examples()
        .iter()
        .find(|(name, _)| *name == "bank")
        .unwrap();
    let (run, traveller) = (&recorded.run, Traveller::new(&recorded.run));
    let caught = Breakpoint::new(&traveller, BreakpointKind::Caught, None, None, None);
    assert!(!caught.hits().is_empty());
    let timeline = Timeline::of(run, common::threads(run)[0]);
    let catches = timeline.events.iter();
    let catches = catches.filter(|(_, moment)| matches!(moment.what, Happening::Caught(_)));
    assert_eq!(caught.hits().len(), catches.count());
    for position in caught.positions(&traveller) {
        let stop = traveller.stop(position).unwrap();
        let line = stop.moment.line;
        assert!(line.is_some(), "{stop:?}");
    }
    // From wherever somebody stands, an exception that is on its way to its handler included.
    let hits: Vec<usize> = caught
        .positions(&traveller)
        .map(|position| timeline.place[&position])
        .collect();
    let from_everywhere = |breakpoint: &Breakpoint| {
        for place in 0..timeline.events.len() {
            let from = traveller.stop(timeline.at(place)).unwrap();
            let breakpoints = std::slice::from_ref(breakpoint);
            let met = traveller.run_to_breakpoint(&from, Direction::Backwards, breakpoints);
            let hit = hits.iter().rfind(|&&hit| hit < place);
            let hit = hit.map(|&hit| timeline.at(hit));
            let met = met.map(|arrival| arrival.stop.position);
            assert_eq!(met, hit, "from {:?}", from.position);
        }
    };
    from_everywhere(&caught);
    from_everywhere(&Breakpoint::unlisted(BreakpointKind::Caught));
    let uncaught = Breakpoint::new(&traveller, BreakpointKind::Uncaught, None, None, None);
    assert!(uncaught.hits().is_empty());
}

/// What the wire protocol asks for: instructions, ends of calls, writes of a field of any object.
#[test]
fn instructions_exits_and_writes_of_fields_are_met_everywhere() {
    for (name, recorded) in common::examples() {
        let (run, traveller) = (&recorded.run, Traveller::new(&recorded.run));
        let threads = common::threads(run);
        if threads.len() > 1 {
            continue;
        }
        let timeline = Timeline::of(run, threads[0]);
        let methods: Vec<_> = run.methods().collect();
        let at = |is_it: &dyn Fn(&Position, &java_analysis::happening::Moment) -> bool| {
            let events = timeline.events.iter().enumerate();
            let found = events.filter(|(_, (position, moment))| is_it(position, moment));
            found.map(|(place, _)| place).collect::<Vec<usize>>()
        };
        let exits = at(&|_, moment| {
            matches!(
                moment.what,
                Happening::Ended(trace_store::CallOutcome::Returned(_))
            )
        });
        let kind = BreakpointKind::Exit {
            methods: methods.clone(),
        };
        check_both(name, &traveller, &timeline, &kind, &exits);

        let lines = at(&|_, moment| moment.what == Happening::Line);
        let (position, moment) = &timeline.events[lines[lines.len() / 2]];
        let place = (run.method(position.node), moment.offset.unwrap());
        let hits = at(&|position, moment| {
            moment.what == Happening::Line
                && (run.method(position.node), moment.offset.unwrap()) == place
        });
        let kind = BreakpointKind::Instructions(vec![place]);
        check_both(name, &traveller, &timeline, &kind, &hits);

        let written = timeline
            .events
            .iter()
            .find_map(|(_, moment)| match &moment.what {
                Happening::Write(write) if !write.by_library => match write.place {
                    WrittenVariable::Field { field, .. } => Some(run.trace().resolve_field(field)),
                    _ => None,
                },
                _ => None,
            });
        let Some(field) = written else { continue };
        let writes = at(&|_, moment| match &moment.what {
            Happening::Write(write) => match write.place {
                WrittenVariable::Field { field: found, .. } => {
                    run.trace().resolve_field(found) == field
                }
                _ => false,
            },
            _ => false,
        });
        let kind = BreakpointKind::FieldWrite {
            methods: methods_writing(run, field),
            field,
            object: None,
        };
        check_both(name, &traveller, &timeline, &kind, &writes);
    }
}

const WRITES: &str = r#"
public class Main {
    static int total;
    int[] seen = new int[3];
    int last;
    void note(int value) {
        last = value;
        seen[value % 3] = value;
        total += value;
    }
    public static void main(String[] args) {
        Main main = new Main();
        for (int i = 1; i <= 9; i++) {
            main.note(i);
        }
        System.out.println(total + " " + main.last + main.seen[0]);
        throw new IllegalStateException("over");
    }
}
"#;

#[test]
fn data_breakpoints_find_every_write_and_conditions_choose_among_hits() {
    let recorded = common::program("Main.java", WRITES);
    let (run, traveller) = (&recorded.run, Traveller::new(&recorded.run));
    let thread = common::threads(run)[0];
    let end = traveller.thread_end(thread).unwrap();
    let timeline = Timeline::of(run, thread);
    let variable = |text: &str| {
        java_analysis::variable::find(run, run.program(), text, None, None)
            .unwrap()
            .variable
    };
    let main = run.find_method("main").unwrap();
    let local = java_analysis::variable::find(run, run.program(), "main.last", Some(main), None);
    let element =
        java_analysis::variable::find(run, run.program(), "main.seen[2]", Some(main), None);
    let variables: [(Variable, usize); 4] = [
        (variable("Main.total"), 9),
        (local.unwrap().variable, 9),
        (element.unwrap().variable, 3),
        (
            Variable::Local {
                node: main,
                name: "i".to_owned(),
            },
            10,
        ),
    ];
    for (variable, writes) in variables {
        let hits = timeline
            .events
            .iter()
            .enumerate()
            .filter(|(_, (position, moment))| match (&moment.what, &variable) {
                (Happening::Write(write), variable) => variable.is_at(run, write.place),
                (Happening::Local(local), Variable::Local { node, name }) => {
                    *node == position.node && local.name == *name
                }
                _ => false,
            });
        let hits: Vec<usize> = hits.map(|(place, _)| place).collect();
        assert_eq!(hits.len(), writes, "{variable:?}");
        let kind = BreakpointKind::Data(variable.clone());
        check_both(
            &format!("{variable:?}"),
            &traveller,
            &timeline,
            &kind,
            &hits,
        );
    }
    let of_main = |_: &str, file: Option<&str>| file == Some("Main.java");
    let (line, methods) = line_methods(run, of_main, 7).unwrap();
    let kind = BreakpointKind::Line {
        methods: methods.clone(),
        line,
    };
    let condition = Expression::parse("value % 2 == 0 && last < value").unwrap();
    let even = Breakpoint::new(&traveller, kind.clone(), Some(condition), None, None);
    assert_eq!(even.hits().len(), 4);
    let third = HitCondition::parse(">= 8");
    let late = Breakpoint::new(&traveller, kind.clone(), None, third, None);
    assert_eq!(late.hits().len(), 2);
    // Over the loop's body, but not past a breakpoint in it.
    let stop = traveller
        .stop(late.positions(&traveller).next().unwrap())
        .unwrap();
    let out = traveller
        .step(&stop, Step::Out, Direction::Forwards)
        .unwrap();
    let line = |stop: &time_travel::Stop| stop.moment.line;
    assert_eq!(line(&out), Some(14));
    let back = traveller.step_to_breakpoint(&out, Step::Over, Direction::Backwards, &[late]);
    assert_eq!(back.unwrap().stop.position, stop.position);
    let uncaught = Breakpoint::new(&traveller, BreakpointKind::Uncaught, None, None, None);
    let thrown = traveller
        .stop(uncaught.positions(&traveller).next().unwrap())
        .unwrap();
    assert_eq!((thrown.position, line(&thrown)), (end.position, Some(17)));
    let function = BreakpointKind::Function { methods };
    let entries = timeline
        .events
        .iter()
        .enumerate()
        .filter(|(_, (position, moment))| {
            moment.event == 1 && run.method_names(run.method(position.node)).name == "note"
        });
    let entries: Vec<usize> = entries.map(|(place, _)| place).collect();
    check_both("note", &traveller, &timeline, &function, &entries);
}

const MANY: &str = r#"
public class Main {
    int calls;
    void note(int value) {
        calls++;
        if (value > 90) {
            try {
                throw new IllegalStateException("far");
            } catch (IllegalStateException e) {
                calls--;
            }
        }
    }
    public static void main(String[] args) {
        Main main = new Main();
        for (int i = 0; i < 100; i++) {
            main.note(i);
        }
    }
}
"#;

#[test]
fn many_hits_are_counted_and_met_one_after_the_other() {
    let recorded = common::program("Main.java", MANY);
    let (run, traveller) = (&recorded.run, Traveller::new(&recorded.run));
    let thread = common::threads(run)[0];
    let of_main = |_: &str, file: Option<&str>| file == Some("Main.java");
    let (line, methods) = line_methods(run, of_main, 5).unwrap();
    let line = BreakpointKind::Line { methods, line };
    for (kind, condition, count) in [
        (line.clone(), Some("value % 2 == 0"), 50),
        (line.clone(), Some("this.calls >= 10 && calls < 85"), 75),
        (line, None, 100),
        (BreakpointKind::Caught, None, 9),
    ] {
        let condition = condition.map(|text| Expression::parse(text).unwrap());
        let listed = Breakpoint::new(&traveller, kind.clone(), condition.clone(), None, None);
        let expected: Vec<Position> = listed.positions(&traveller).collect();
        assert_eq!(expected.len(), count, "{condition:?}");
        let always = HitCondition::parse(">= 1");
        let counted = Breakpoint::to_go_to(&traveller, kind, condition, always, None);
        assert!(counted.hits().are_complete());
        assert_eq!(counted.hits().len(), count);
        let breakpoints = [counted];
        let go = |direction, start: Stop| {
            let next = |from: &Stop| {
                let met = traveller.run_to_breakpoint(from, direction, &breakpoints);
                met.map(|met| met.stop)
            };
            let stops = std::iter::successors(next(&start), next);
            stops.map(|stop| stop.position).collect::<Vec<Position>>()
        };
        let start = traveller.thread_start(thread).unwrap();
        assert_eq!(go(Direction::Forwards, start), expected);
        let end = traveller.thread_end(thread).unwrap();
        let mut backwards = go(Direction::Backwards, end);
        backwards.reverse();
        assert_eq!(backwards, expected);
    }
}

#[test]
fn a_condition_without_a_value_says_why() {
    let recorded = common::program("Main.java", MANY);
    let (run, traveller) = (&recorded.run, Traveller::new(&recorded.run));
    let of_main = |_: &str, file: Option<&str>| file == Some("Main.java");
    let (line, methods) = line_methods(run, of_main, 5).unwrap();
    let kind = BreakpointKind::Line { methods, line };
    let condition = |text: &str| Some(Expression::parse(text).unwrap());
    let wrong = condition("nothing > 1 || value < 0");
    let wrong = Breakpoint::to_go_to(&traveller, kind.clone(), wrong, None, None);
    let told = wrong.hits().without_value().unwrap();
    assert_eq!((wrong.hits().len(), told.count), (100, 100));
    assert_eq!(told.why, "there is no variable nothing here");
    let sometimes = condition("10 / (value - 50) > 3");
    let sometimes = Breakpoint::new(&traveller, kind.clone(), sometimes, None, None);
    let told = sometimes.hits().without_value().unwrap();
    assert_eq!((sometimes.hits().len(), told.count), (3, 1), "{told:?}");
    let never = Breakpoint::new(&traveller, kind, condition("value < 0"), None, None);
    assert!(never.hits().is_empty() && never.hits().without_value().is_none());
}
