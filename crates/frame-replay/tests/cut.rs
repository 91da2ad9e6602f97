//! A recording that stops before the program does: whatever it has replays, up to the last call.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use std::time::Duration;

use test_support::{Fixture, Jdk, Library};
use trace_format::EndReason;

/// Makes objects, calls, and reads what it wrote before, on some threads and the main one.
const MAIN: &str = r#"import java.util.ArrayList;
import java.util.List;
public class Main {
    static final class Point {
        final int x;
        final String name;
        Point(int x) { this.x = x; name = "p" + x; }
        int get() { return x; }
    }

    static int step(int x, int[] seen, List<Point> points) {
        seen[x % 1000] = x;
        Point point = new Point(x);
        points.add(point);
        if (points.size() > 50) {
            points.clear();
        }
        return seen[x * 7 % 1000] + point.get() + twice(x) + point.name.length() + array(x).length;
    }

    static int[] array(int x) { return new int[x % 5]; }

    static int twice(int x) { return 2 * x; }

    static void work(int rounds) {
        List<Point> points = new ArrayList<>();
        int[] seen = new int[1000];
        long total = 0;
        for (int i = 0; i < rounds; i++) {
            total += step(i, seen, points);
        }
        System.out.println(total);
    }

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[Integer.parseInt(arguments[0])];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> work(20_000));
            threads[i].start();
        }
        work(40_000);
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
"#;

#[test]
fn all_calls_before_the_end_agree() {
    let classes = Fixture::new().source("Main.java", MAIN).compile().unwrap();
    let jdk = Jdk::default();
    for threads in ["0", "1", "5"] {
        for size in [300_000, 700_000, 1_500_000, 2_345_678, 4_000_000] {
            let run = classes.run(&jdk).arg(threads);
            let run = run.time_limit(Duration::from_secs(60));
            let recorded = common::record_with(run, &format!("max-trace={size}"));
            let reason = recorded.trace.end().unwrap().reason;
            assert_eq!(reason, EndReason::MaxTrace);
            let what = format!("{threads} threads, {size} bytes");
            assert!(common::replay_all(&what, &recorded.trace) > 1000);
        }
    }
}

#[test]
fn all_calls_of_libraries_before_the_end_agree() {
    let jdk = Jdk::default();
    let libraries = ["kxml2", "htmlcleaner", "rhino", "javassist"];
    let installed = libraries.iter().filter_map(|name| Library::named(name));
    for library in installed {
        if !library.is_installed() {
            test_support::skip(library.remedy());
            continue;
        }
        let workloads = test_support::workspace_root().join("crates/test-support/workloads");
        let classes = Fixture::new()
            .path(workloads.join(library.name))
            .class_path(library.class_path())
            .compile()
            .unwrap();
        for size in [1_000_000, 3_000_000] {
            let run = classes.run(&jdk).class_path(library.class_path());
            let run = run.main_class("Workload").arg("1");
            let run = run.time_limit(Duration::from_secs(60));
            let recorded = common::record_with(run, &format!("max-trace={size}"));
            common::replay_all(
                &format!("{} in {size} bytes", library.name),
                &recorded.trace,
            );
        }
    }
}
