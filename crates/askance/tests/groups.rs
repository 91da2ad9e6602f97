//! Calls that are taken together, as a question shows them, in recorded runs.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod support;

use debug_engine::transform::NodeKind;
use debug_engine::view::AskedView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{ExecutionTree, NodeId, Target};
use java_model::recording::Recording as _;
use java_model::run::JavaRun;
use support::{run, source};

const BANK: &str = "import java.util.*;
public class Main {
    static class Ledger {
        final List<String> lines = new ArrayList<>();
        void note(String line) { lines.add(line); }
    }
    static class Bank {
        final Ledger ledger = new Ledger();
        int n;
        void deposit(int amount) { n += amount; }
        void work() {
            deposit(5);
            ledger.note(\"first\");
            deposit(7);
            ledger.note(\"second\");
        }
    }
    public static void main(String[] args) {
        Bank bank = new Bank();
        bank.work();
    }
}
";

fn recorded(text: &str) -> (tempfile::TempDir, JavaRun) {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", text);
    let said = run(folder.path(), ["record", "-o", "t", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let run = JavaRun::open(&folder.path().join("t"), None, &mut |_, _| {}).unwrap();
    (folder, run)
}

/// The changes that calls of a caller show together.
fn changes(run: &JavaRun, caller: &str, first: usize, last: usize) -> Vec<String> {
    let caller = run.find(caller).unwrap();
    let calls: Vec<NodeId> = <dyn ExecutionTree>::children(run, caller).collect();
    let target = Target::between(calls[first], calls[last]);
    let view = run.stretch(target, NodeKind::Projection, Bounds::default());
    let changes = render::changes_asked(&AskedView::Stretch(view), Bounds::default(), 99);
    let side = |text: Option<String>| text.unwrap_or_default();
    let changes = changes.into_iter();
    changes
        .map(|change| {
            format!(
                "{}: {} → {}",
                change.path,
                side(change.before),
                side(change.after)
            )
        })
        .collect()
}

#[test]
fn an_object_below_another_is_shown_at_the_same_times() {
    let (_folder, run) = recorded(BANK);
    let lines = |changes: Vec<String>| -> String {
        let found = changes.into_iter().find(|change| change.contains("lines"));
        let found = found.unwrap_or_default();
        found.split_once(": ").unwrap_or_default().1.to_owned()
    };
    let all = changes(&run, "Bank.work", 0, 3);
    assert!(
        all.iter().any(|change| change.ends_with(".n: 0 → 12")),
        "{all:?}"
    );
    assert_eq!(lines(all), r#"[] → ["first", "second"]"#);
    let first = changes(&run, "Bank.work", 0, 1);
    assert!(
        first.iter().any(|change| change.ends_with(".n: 0 → 5")),
        "{first:?}"
    );
    assert_eq!(lines(first), r#"[] → ["first"]"#);
    let last = changes(&run, "Bank.work", 2, 3);
    assert_eq!(lines(last), r#"["first"] → ["first", "second"]"#);
}
