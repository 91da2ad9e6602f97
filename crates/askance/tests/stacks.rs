//! A recursion that fits into its stack fits into it when it is recorded, and one that does not end still overflows.

use std::path::Path;

use crate::support::askance;
use test_support::{Classes, Fixture, Jdk};

/// Goes down to a depth on the main thread, on one with a size of its own and on one of the usual size. Without a
/// depth it goes as deep as it can, and prints how deep that was.
const DEEP: &str = r#"public class Deep {
    static int deepest;

    static int plain(int n, int limit) {
        deepest = n;
        return n == limit ? 0 : plain(n + 1, limit) + 1;
    }

    static long wide(int n, int limit, long a, Object b, double c) {
        deepest = n;
        long x = a * 3;
        double z = c + x;
        return n == limit ? 0 : wide(n + 1, limit, x, b, z) + x;
    }

    static int guarded(int n, int limit, String[] words) {
        deepest = n;
        try {
            return n == limit ? 0 : guarded(n + 1, limit, words) + words.length;
        } catch (IllegalStateException e) {
            return words.length;
        }
    }

    static void go(String[] limits, int at) {
        for (int kind = 0; kind < 3; kind++) {
            int limit = limits.length == 0 ? -1 : Integer.parseInt(limits[at * 3 + kind]);
            try {
                switch (kind) {
                    case 0: plain(0, limit); break;
                    case 1: wide(0, limit, 1, "", 1); break;
                    default: guarded(0, limit, limits); break;
                }
            } catch (StackOverflowError e) {
                if (limits.length > 0) {
                    System.out.println("overflow at " + deepest + " before " + limit);
                }
            }
            System.out.println(deepest);
        }
    }

    public static void main(String[] limits) throws Exception {
        go(limits, 0);
        // The C library may give the stack of an ended thread to the next one that wants less: the small one comes
        // first.
        Thread[] threads = {new Thread(null, () -> go(limits, 1), "own", 256 * 1024), new Thread(() -> go(limits, 2))};
        for (Thread thread : threads) {
            thread.start();
            thread.join();
        }
    }
}
"#;

fn compiled(jdk: &Jdk) -> Classes {
    let fixture = Fixture::new().source("Deep.java", DEEP);
    fixture.compile_for(jdk).unwrap()
}

/// What it prints when it is recorded as this command.
fn recorded(folder: &Path, words: &[String]) -> String {
    let mut command = askance(folder);
    command.args(["record", "-o", "t", "--max-trace", "1G", "--"]);
    let output = command.args(words).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn words(jdk: &Jdk, classes: &Classes, options: &[&str], limits: &[&str]) -> Vec<String> {
    let classes = classes.dir().display().to_string();
    let java = jdk.java().display().to_string();
    let mut words = vec![java];
    words.extend(options.iter().map(|option| (*option).to_owned()));
    words.extend(["-cp".to_owned(), classes, "Deep".to_owned()]);
    words.extend(limits.iter().map(|limit| (*limit).to_owned()));
    words
}

fn check(
    jdk: &Jdk,
    classes: &Classes,
    options: &[&str],
    command: impl Fn(Vec<String>) -> Vec<String>,
) {
    let plain = options
        .iter()
        .fold(classes.run(jdk).main_class("Deep"), |run, option| {
            run.jvm_arg(*option)
        });
    let plain = plain.run().unwrap();
    assert_eq!(plain.exit_code(), Some(0), "{}", plain.stderr_text());
    let depths = plain.stdout_text();
    let limits: Vec<&str> = depths.lines().collect();
    let folder = tempfile::tempdir().unwrap();
    let printed = recorded(
        folder.path(),
        &command(words(jdk, classes, options, &limits)),
    );
    assert_eq!(printed, depths, "{} {options:?}", jdk.full_version());
}

/// Interpreted, so that it is the same in each run: when a method is compiled is a matter of luck.
const INTERPRETED: &str = "-Xint";

#[test]
fn what_fits_without_us_fits_with_us() {
    for jdk in Jdk::supported() {
        let classes = compiled(jdk);
        for size in [
            "-Xss180k",
            "-Xss256k",
            "-Xss1m",
            "-XX:ThreadStackSize=300",
            "-Xss8m",
        ] {
            // Java 8 refuses the smallest.
            if jdk.feature() == 8 && size == "-Xss180k" {
                continue;
            }
            check(jdk, &classes, &[INTERPRETED, size], |words| words);
        }
    }
}

#[test]
fn what_fits_fits_below_a_shell_too() {
    let classes = compiled(&Jdk::default());
    for jdk in [11, 17, 25].into_iter().filter_map(Jdk::version) {
        check(jdk, &classes, &[INTERPRETED], |words| {
            vec!["sh".to_owned(), "-c".to_owned(), words.join(" ")]
        });
    }
}

#[test]
fn compiled_frames_fit_as_well() {
    let limits = ["1500"; 9];
    for jdk in Jdk::supported() {
        let classes = compiled(jdk);
        let folder = tempfile::tempdir().unwrap();
        let printed = recorded(folder.path(), &words(jdk, &classes, &["-Xss256k"], &limits));
        assert_eq!(printed, "1500\n".repeat(9), "{}", jdk.full_version());
    }
}

#[test]
fn a_recursion_without_an_end_overflows() {
    let classes = compiled(&Jdk::default());
    let folder = tempfile::tempdir().unwrap();
    for size in ["-Xss256k", "-Xss1m"] {
        let words = words(&Jdk::default(), &classes, &[size], &[]);
        let printed = recorded(folder.path(), &words);
        assert_eq!(printed.lines().count(), 9, "{printed}");
    }
}
