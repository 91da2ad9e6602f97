//! The beginning of a run, opened before the rest: what has ended in it looks as it does in the whole.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use askance::source::recording::Recording as _;
use askance::source::run::JavaRun;
use debug_engine::view::render::Bounds;
use debug_engine::{ExecutionTree as _, NodeId};
use support::{names, run, source};

const PROGRAM: &str = "
import java.util.*;

public class Shelf {
    final List<String> books = new ArrayList<>();
    int[] visits = new int[10];

    void put(int number) {
        visits[number % 10]++;
        if (books.size() == 20) { books.clear(); }
        books.add(title(number));
    }

    static String title(int number) { return \"book \" + number; }

    static int fill(Shelf shelf, int from, int to) {
        if (to - from == 1) { shelf.put(from); return 1; }
        int middle = (from + to) / 2;
        return fill(shelf, from, middle) + fill(shelf, middle, to);
    }

    public static void main(String[] args) {
        System.out.println(fill(new Shelf(), 0, 30_000));
    }
}
";

#[test]
fn what_has_ended_in_a_beginning_is_as_in_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Shelf.java", PROGRAM);
    let said = run(folder.path(), ["record", "-o", "trace", "Shelf.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let trace = folder.path().join("trace");
    let open = |bytes| JavaRun::open_up_to(&trace, None, bytes, &mut |_, _| {}).unwrap();
    let index = support::jvm_folder(&trace).join("index");

    let beginnings = [0, 1 << 20, 2 << 20].map(|bytes| open(Some(bytes)));
    // What was made for them is nobody else's.
    assert!(names(&index).iter().all(|name| name.contains('.')));
    let whole = open(None);
    assert!(!whole.trace().is_beginning());
    let mut before = 0;
    for beginning in beginnings {
        assert!(beginning.trace().is_beginning());
        assert!(before < beginning.len() && beginning.len() < whole.len());
        before = beginning.len();
        let main = whole.find_method("Shelf.main").unwrap();
        assert!(!beginning.is_complete(main));
        let nodes = || (0..beginning.len()).map(NodeId);
        let ended = |node: &NodeId| beginning.is_complete(*node);
        assert!(nodes().all(|node| beginning.method(node) == whole.method(node)));
        for node in nodes().filter(ended) {
            assert_eq!(beginning.subtree_size(node), whole.subtree_size(node));
        }
        let step = (beginning.len() / 200) as usize;
        for node in nodes().filter(ended).step_by(step) {
            let view = |run: &JavaRun| run.view(node, Bounds::default());
            assert_eq!(view(&beginning), view(&whole));
        }
    }
}

/// What one thread did may have been seen by another.
#[test]
fn of_several_threads_nothing_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let threads = PROGRAM.replace(
        "System.out.println(fill(new Shelf(), 0, 30_000));",
        "for (int t = 0; t < 2; t++) new Thread(() -> fill(new Shelf(), 0, 30_000)).start();",
    );
    source(folder.path(), "Shelf.java", &threads);
    run(folder.path(), ["record", "-o", "trace", "Shelf.java"]);
    let trace = folder.path().join("trace");
    let beginning = JavaRun::open_up_to(&trace, None, Some(1 << 20), &mut |_, _| {}).unwrap();
    assert!(!beginning.trace().is_beginning());
}
