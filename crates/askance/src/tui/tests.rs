//! The screens, from keys to what a person reads, without a terminal.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use debug_engine::oracle::Cascade;
use debug_engine::session::Diagnosis;
use debug_engine::transform::NodeKind;
use debug_engine::tree::SketchTree;
use debug_engine::view::render::Bounds;
use debug_engine::view::{
    AskedView, Changed, NamedState, NodeView, OutcomeView, StateView, ValueView,
};
use debug_engine::{Judgement, NodeId, RoutineId, Session, SessionOptions, Target};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use super::screen::Screen;
use super::{ScreenEnding, run};
use inquiry::Questioning;
use java_analysis::calls::{Calls, Scope};
use java_analysis::output_symptom::{OutputPointer, OutputSymptom, ShownLine};
use java_names::glob::Glob;
use trace_format::StandardStream;

/// `main` calls `read` and `total`; `total` calls `price` twice, and the second changes the cart.
struct Shop;

const PARENTS: [i64; 5] = [-1, 0, 0, 2, 2];
const METHODS: [&str; 5] = ["main", "read", "total", "price", "price"];

impl Calls for Shop {
    fn view(&self, target: Target, _kind: NodeKind, _bounds: Bounds) -> AskedView {
        let node = target.first();
        let mut cart = ValueView::array("int[]", 7, [ValueView::primitive("3")]);
        let before = cart.clone();
        let is_last = node == NodeId(4);
        if is_last {
            cart.children[0].value = ValueView::primitive("4");
            cart.children[0].value.changed = Changed::Changed;
            cart.changed = Changed::Inside;
        }
        AskedView::Call(Box::new(NodeView {
            node,
            routine: format!("Shop.{}", METHODS[node.index()]),
            class: "Shop".into(),
            method: METHODS[node.index()].into(),
            declared_by: None,
            file: Some("Shop.java".into()),
            line: Some(10 * node.0 + 1),
            this: None,
            arguments: vec![NamedState {
                name: "cart".into(),
                state: StateView {
                    before,
                    after: Some(cart),
                },
            }],
            outcome: OutcomeView::Returned(ValueView::primitive(node.0.to_string())),
            statics: Vec::new(),
            elsewhere: Vec::new(),
            submitted: None,
            outlived: false,
            began_before_kept: false,
            unreadable: None,
            doc: None,
            guidance: None,
            judgement: Judgement::Undefined,
            judged_by: None,
        }))
    }

    fn routines_beside(&self, _node: NodeId, _scope: Scope) -> BTreeSet<RoutineId> {
        [RoutineId(3), RoutineId(4)].into()
    }

    fn routines_named(&self, _pattern: &Glob) -> BTreeSet<RoutineId> {
        BTreeSet::new()
    }

    fn source(&self, node: NodeId) -> Option<String> {
        let method = METHODS[node.index()];
        Some(format!(
            "  {} | int {method}(int[] cart) {{",
            10 * node.0 + 1
        ))
    }

    fn history(&self, node: NodeId, path: &str) -> Result<String, String> {
        Ok(format!("every write of {path} in call {node}"))
    }

    fn last_printed(&self, _most: usize) -> (Vec<ShownLine>, bool) {
        let line = |number, text: &str| ShownLine {
            stream: StandardStream::Output,
            number,
            text: text.to_owned(),
        };
        (vec![line(1, "welcome"), line(2, "total 7")], false)
    }

    fn output_symptom(&self, at: &OutputPointer) -> Result<OutputSymptom, String> {
        Err(format!("nobody printed {at:?}"))
    }

    fn check_path(&self, _target: Target, path: &str) -> Result<(), String> {
        match path {
            "cart[0]" => Ok(()),
            _ => Err(format!("there is no {path} here")),
        }
    }
}

fn event(key: &str) -> Event {
    let code = match key {
        "Tab" => KeyCode::Tab,
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Home" => KeyCode::Home,
        "Ctrl-C" => {
            return Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
        }
        key => KeyCode::Char(key.chars().next().expect("a letter")),
    };
    Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

/// What is on a screen of this size after these keys, and how it ended if they led there.
fn after(size: (u16, u16), keys: &[&str]) -> (String, ScreenEnding, usize) {
    let tree = SketchTree::from_signed_parents(&PARENTS).expect("a tree in preorder");
    let options = SessionOptions {
        strategy: "top-down".into(),
        ..SessionOptions::default()
    };
    let session = Session::new(Arc::new(tree), options).expect("a session");
    let mut questioning = Questioning::of(session);
    let backend = TestBackend::new(size.0, size.1);
    let mut terminal = Terminal::new(backend).expect("a screen");
    let mut keys = keys.iter();
    let mut next = || -> io::Result<Option<Event>> { Ok(keys.next().map(|key| event(key))) };
    let ending = {
        let mut screen = Screen::new("shop".into(), &mut questioning, &Shop, Cascade::new())
            .expect("a first question");
        run(&mut screen, &mut terminal, &mut next)
            .expect("a screen")
            .0
    };
    let answers = questioning.session().log().len();
    (terminal.backend().to_string(), ending, answers)
}

#[test]
fn the_first_question() {
    insta::assert_snapshot!(after((80, 24), &[]).0);
}

#[test]
fn a_wide_screen_after_two_answers() {
    insta::assert_snapshot!(after((120, 30), &["y", "n"]).0);
}

#[test]
fn the_bug_is_found() {
    let (screen, _, answers) = after((80, 24), &["y", "n", "y", "n"]);
    assert_eq!(answers, 4);
    insta::assert_snapshot!(screen);
}

#[test]
fn a_small_screen_has_one_part_at_a_time() {
    insta::assert_snapshot!(after((40, 12), &["Tab"]).0);
}

#[test]
fn help_is_what_the_dialogue_says_and_how_to_move() {
    insta::assert_snapshot!(after((80, 40), &["?"]).0);
}

#[test]
fn the_answers_are_listed() {
    insta::assert_snapshot!(after((80, 24), &["y", "n", "a"]).0);
}

#[test]
fn a_mistake_is_told_and_nothing_changes() {
    let (screen, _, answers) = after((80, 24), &["w", "x", "y", "Enter"]);
    assert_eq!(answers, 0);
    assert!(screen.contains("there is no xy here."), "{screen}");
    let (screen, _, _) = after((80, 24), &["e"]);
    assert!(
        screen.contains("That is no answer; ? lists what can be said."),
        "{screen}"
    );
}

#[test]
fn a_wrong_value_is_an_answer() {
    let keys = ["w", "c", "a", "r", "t", "[", "0", "]", "Enter"];
    assert_eq!(after((80, 24), &keys).2, 1);
}

#[test]
fn a_value_of_the_question_is_pointed_at() {
    // The first value is the cart.
    let (screen, ..) = after((80, 24), &["Down", "w"]);
    assert!(screen.contains(":w cart"), "{screen}");
    let (screen, ..) = after((80, 24), &["Down", "Down", "w"]);
    assert!(screen.contains(":w return"), "{screen}");
    let (screen, ..) = after((80, 24), &["Down", "h"]);
    assert!(screen.contains("every write of cart in call 1"), "{screen}");
    // Nobody is pointed at anything in another part of the screen.
    let (screen, ..) = after((80, 24), &["Down", "Tab", "w"]);
    assert!(screen.contains(":w "), "{screen}");
    assert!(!screen.contains(":w cart"), "{screen}");
}

#[test]
fn the_output_stands_beside_the_question_and_a_line_of_it_can_be_wrong() {
    let (screen, ..) = after((80, 24), &[]);
    assert!(screen.contains("[Output]"), "{screen}");
    assert!(screen.contains("2  total 7"), "{screen}");
    let (screen, ..) = after((80, 24), &["o", "Down", "w"]);
    assert!(screen.contains(":w output:2"), "{screen}");
    let (screen, ..) = after((80, 24), &["o", "Down", "Enter"]);
    assert!(screen.contains("nobody printed"), "{screen}");
    let (screen, ..) = after((80, 24), &["o", "Right"]);
    assert!(screen.contains("[Call #1]"), "{screen}");
    // After an answer there are other things to look at.
    let (screen, ..) = after((80, 24), &["y", "l"]);
    assert!(screen.contains("no call is likelier"), "{screen}");
}

#[test]
fn what_is_out_of_sight_is_marked_and_every_key_is_there() {
    let (screen, ..) = after((80, 24), &["m", "?"]);
    assert!(!screen.contains("↓ "), "{screen}");
    let (screen, ..) = after((60, 19), &["y", "n"]);
    assert!(screen.contains('↓'), "{screen}");
    let (screen, ..) = after((80, 24), &[]);
    for key in [
        "y yes",
        "w wrong",
        "h history",
        "o output",
        "l suspects",
        "f full",
        ": type",
    ] {
        assert!(screen.contains(key), "{key}: {screen}");
    }
}

#[test]
fn undo_takes_back_and_a_number_takes_back_any() {
    assert_eq!(after((80, 24), &["y", "n", "u"]).2, 1);
    // Taking back another one than the last is an answer of its own.
    let (screen, _, answers) = after((80, 24), &["y", "n", ":", "u", " ", "1", "Enter"]);
    assert_eq!(answers, 3);
    assert!(!screen.contains("✓read"), "{screen}");
}

#[test]
fn the_tree_is_walked_and_asked_about() {
    let keys = ["Tab", "Home", "Down", "Down", "Right", "Down", "Enter"];
    let (screen, ..) = after((80, 24), &keys);
    assert!(screen.contains("#3 Shop.price"), "{screen}");
    assert!(screen.contains("» "), "{screen}");
    let closed = after((80, 24), &["Tab", "Home", "Left"]).0;
    assert!(!closed.contains("total(cart"), "{closed}");
}

#[test]
fn leaving_says_how_it_ended() {
    assert_eq!(after((80, 24), &["q"]).1, ScreenEnding::Left);
    assert_eq!(
        after((80, 24), &["y", "Ctrl-C"]).1,
        ScreenEnding::Interrupted
    );
    let found = Diagnosis::Found { node: NodeId(4) };
    let keys = ["y", "n", "y", "n", "Enter"];
    assert_eq!(after((80, 24), &keys).1, ScreenEnding::Done(found));
}

#[test]
fn no_size_is_too_small() {
    for size in [(1, 1), (5, 2), (20, 4), (59, 17), (200, 60)] {
        after(size, &["y", "?", "Esc", "Tab", "Tab", "f", "Down", "n"]);
    }
}
