//! Many calls in many threads: nothing is lost, and every thread's tree is whole. Each of the eight threads makes ten
//! million calls, which takes some seconds and 3 GB of disk for a while; `ASKANCE_LOAD_CALLS` says how many on a
//! machine that has less.

use crate::support::{run, source};
use serde_json::Value;

/// A thread's calls: `run`, and `level` below it, in recursions of ten.
const PROGRAM: &str = r#"
public class Load implements Runnable {
    final int recursions;
    long sum;

    Load(int recursions) { this.recursions = recursions; }

    @Override public void run() {
        for (int n = 0; n < recursions; n++) {
            sum += level(9, n);
        }
    }

    static long level(int depth, int n) {
        return depth == 0 ? n : level(depth - 1, n) + 1;
    }

    public static void main(String[] args) throws InterruptedException {
        int count = Integer.parseInt(args[0]), at_once = Integer.parseInt(args[1]);
        int recursions = Integer.parseInt(args[2]);
        long sum = 0;
        for (int first = 0; first < count; first += at_once) {
            Load[] loads = new Load[at_once];
            Thread[] threads = new Thread[at_once];
            for (int n = 0; n < at_once; n++) {
                loads[n] = new Load(recursions);
                threads[n] = new Thread(loads[n], "load-" + (first + n));
                threads[n].start();
            }
            for (int n = 0; n < at_once; n++) {
                threads[n].join();
                sum += loads[n].sum;
            }
        }
        System.out.println(sum);
    }
}
"#;

fn check(threads: u64, at_once: u64, calls: u64) {
    let recursions = calls / 10;
    // On the disk of the build: the system's temporary folder may be in memory.
    let folder = tempfile::tempdir_in(test_support::target_dir()).unwrap();
    source(folder.path(), "Load.java", PROGRAM);
    let [threads_text, at_once, recursions_text] =
        [threads, at_once, recursions].map(|number| number.to_string());
    let arguments = [
        "record",
        "-o",
        "trace",
        "Load.java",
        "--",
        &threads_text,
        &at_once,
        &recursions_text,
    ];
    let said = run(folder.path(), arguments);
    let sum = threads * (recursions * (recursions - 1) / 2 + 9 * recursions);
    assert_eq!(said.out.trim(), sum.to_string(), "{}", said.err);

    let info = run(folder.path(), ["info", "trace", "--json"]).json();
    let jvm = &info["jvms"][0];
    assert_eq!(jvm["complete"], true, "{jvm}");
    // A constructor and a run for each thread, and main.
    let all = threads * (recursions * 10 + 2) + 1;
    assert_eq!(jvm["calls"], all);
    let loads: Vec<&Value> = jvm["threads"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|thread| thread["name"].as_str().unwrap().starts_with("load-"))
        .collect();
    assert_eq!(loads.len() as u64, threads);
    for thread in loads {
        assert_eq!(thread["calls"], recursions * 10 + 1, "{thread}");
        assert_eq!(thread["open_calls"], 0, "{thread}");
        assert_eq!(thread["damage"], Value::Null, "{thread}");
    }
}

#[test]
fn eight_threads_lose_nothing() {
    let calls = std::env::var("ASKANCE_LOAD_CALLS");
    let calls = calls.map_or(10_000_000, |text| text.parse().unwrap());
    check(8, 8, calls);
}

#[test]
fn a_thousand_short_threads_lose_nothing() {
    check(1000, 50, 20);
}
