//! The beginning of a run, looked at before the rest: what has ended in it looks as it does in the whole.

use std::path::{Path, PathBuf};

use crate::support::{names, run, source};
use debug_engine::view::render::Bounds;
use debug_engine::{ExecutionTree as _, NodeId};
use java_analysis::recording::Recording as _;
use java_model::growing::GrowingRun;
use java_model::run::JavaRun;
use tempfile::TempDir;

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

const TURNS: &str = "
import java.util.*;

public class Turns {
    int whose;
    int[] last = new int[3];

    synchronized int take(int me, int round) throws InterruptedException {
        while (whose != me) { wait(); }
        last[me] = last[(me + 1) % 3] + round;
        whose = (me + 1) % 3;
        notifyAll();
        return last[me];
    }

    static int think(int depth) { return depth == 0 ? 1 : think(depth - 1) + think(depth - 1); }

    public static void main(String[] args) throws Exception {
        Turns turns = new Turns();
        Thread[] threads = new Thread[3];
        for (int t = 0; t < 3; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int round = 0; round < 300; round++) { think(8); turns.take(me, round); }
                } catch (InterruptedException e) { throw new RuntimeException(e); }
            });
            threads[t].start();
        }
        for (Thread thread : threads) { thread.join(); }
        System.out.println(turns.last[0]);
    }
}
";

const MIRROR: &str = "
import java.lang.reflect.Field;

public class Mirror {
    int size;

    int read() { return size; }

    int grown(Field field, int round) throws Exception {
        int before = read();
        field.setInt(this, round / 3);
        return read() - before;
    }

    static int think(int depth) { return depth == 0 ? 1 : think(depth - 1) + think(depth - 1); }

    public static void main(String[] args) throws Exception {
        Mirror mirror = new Mirror();
        Field field = Mirror.class.getDeclaredField(\"size\");
        int sum = 0;
        for (int round = 0; round < 300; round++) {
            sum += mirror.grown(field, round) + think(8);
            if (round % 50 == 0) { mirror.size = -1; }
        }
        System.out.println(sum);
    }
}
";

/// Records a program in a folder that is removed with what is returned; the other is the trace.
fn recorded(file: &str, program: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), file, program);
    let said = run(folder.path(), ["record", "-o", "trace", file]);
    said.recorded();
    let trace = folder.path().join("trace");
    (folder, trace)
}

fn opened(trace: &Path) -> JavaRun {
    JavaRun::open(trace, None, &mut |_, _| {}).unwrap()
}

/// Reads a run step by step, until there are so many snapshots or it is all there.
fn beginnings(folder: &Path, step: u64, most: usize) -> Vec<JavaRun> {
    let mut growing = GrowingRun::open(folder, None).unwrap();
    let mut snapshots = Vec::new();
    while snapshots.len() < most && !growing.is_up_to_date() {
        if growing.advance(step).unwrap() {
            snapshots.push(growing.snapshot().unwrap());
        }
    }
    if growing.is_up_to_date() {
        snapshots.push(growing.snapshot().unwrap());
    }
    snapshots
}

/// Every node of the beginning that has ended is, and looks, as in the whole.
fn compare(beginning: &JavaRun, whole: &JavaRun) {
    let there = |node: NodeId| whole.node(beginning.call_id(node).unwrap()).unwrap();
    let nodes = || (0..beginning.len()).map(NodeId);
    let ended = |node: &NodeId| beginning.is_complete(*node);
    for node in nodes() {
        assert_eq!(beginning.method(node), whole.method(there(node)));
    }
    for node in nodes().filter(ended) {
        assert_eq!(
            beginning.subtree_size(node),
            whole.subtree_size(there(node))
        );
    }
    let step = (beginning.len() / 50).max(1) as usize;
    for node in nodes().filter(ended).step_by(step) {
        assert_eq!(shown(beginning, node), shown(whole, there(node)));
    }
}

/// What is shown of a call, but for the numbers of nodes: with several threads they are others in a longer run.
fn shown(run: &JavaRun, node: NodeId) -> String {
    let text = format!("{:?}", run.view(node, Bounds::default()));
    let mut parts = text.split("NodeId(");
    let first = parts.next().unwrap_or_default().to_owned();
    let after_number = |part: &str| part.trim_start_matches(char::is_numeric).to_owned();
    parts.map(after_number).fold(first, |all, part| all + &part)
}

#[test]
fn what_has_ended_in_a_beginning_is_as_in_the_whole() {
    let (_folder, trace) = recorded("Shelf.java", PROGRAM);
    let snapshots = beginnings(&trace, 1 << 19, 4);
    // What was made for them is nobody else's.
    let index = crate::support::jvm_folder(&trace).join("index");
    assert!(names(&index).iter().all(|name| name.contains('.')));
    let whole = opened(&trace);
    let main = whole.find_method("Shelf.main").unwrap();
    let mut before = 0;
    for beginning in snapshots {
        assert!(beginning.trace().is_beginning());
        assert!(before < beginning.len() && beginning.len() < whole.len());
        before = beginning.len();
        assert!(!beginning.is_complete(main));
        compare(&beginning, &whole);
    }
    drop(whole);
    // All of it, in small steps.
    let last = beginnings(&trace, 300_000, usize::MAX).pop().unwrap();
    assert!(!last.trace().is_beginning());
    compare(&last, &opened(&trace));
}

/// What one thread did may have been seen by another: every part is one that the program has been in.
#[test]
fn threads_that_hand_things_to_each_other_are_cut_at_one_time() {
    let (_folder, trace) = recorded("Turns.java", TURNS);
    let whole = opened(&trace);
    let snapshots = beginnings(&trace, 100_000, usize::MAX);
    assert!(snapshots.len() > 5, "{} snapshots", snapshots.len());
    for beginning in &snapshots {
        compare(beginning, &whole);
    }
    assert_eq!(snapshots.last().unwrap().len(), whole.len());
}

/// What nobody recorded is found step by step as it is in the whole.
#[test]
fn writes_from_outside_are_found_as_the_run_grows() {
    let (_folder, trace) = recorded("Mirror.java", MIRROR);
    let whole = opened(&trace);
    let mut snapshots = beginnings(&trace, 100_000, usize::MAX);
    assert!(snapshots.len() > 3, "{} snapshots", snapshots.len());
    let last = snapshots.pop().unwrap();
    let reads = (0..last.len()).map(NodeId).filter(|&node| {
        let name = last.method_names(last.method(node)).name;
        name == "read" || name == "grown"
    });
    for node in reads {
        assert_eq!(shown(&last, node), shown(&whole, node));
    }
}
