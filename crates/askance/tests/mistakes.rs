//! Mistakes of the user, and of the machine: one sentence, the right exit code, nothing left behind.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::support::{HELLO, askance, names, run, source};
use trace_format::EndReason;
use trace_store::sketch::Sketch;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A trace of one call, without a JVM.
fn sketch(path: &Path, pid: u32) {
    let mut sketch = Sketch::new();
    sketch.meta().pid = pid;
    let main = sketch.thread("main");
    let class = sketch.class("Main");
    let method = sketch.method(class, 8, "main", "()V");
    sketch.enter(main, method, &[]).exit(main, None);
    sketch.end(EndReason::Exit);
    sketch.write_run(path).unwrap();
}

#[test]
fn a_source_file_that_is_not_there() {
    let folder = folder();
    for command in ["debug", "record"] {
        run(folder.path(), [command, "Nope.java"]).refused(2, "there is no file Nope.java");
    }
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_source_file_that_does_not_compile() {
    let folder = folder();
    source(folder.path(), "Bad.java", "class Bad { int x = ; }");
    let said = run(folder.path(), ["record", "Bad.java"]);
    said.refused(2, "Bad.java does not compile");
    assert!(
        said.err.contains("illegal start of expression"),
        "{}",
        said.err
    );
    assert_eq!(names(folder.path()), ["Bad.java"]);
}

#[test]
fn a_source_file_without_a_main() {
    let folder = folder();
    source(folder.path(), "Idle.java", "class Idle { }");
    run(folder.path(), ["record", "Idle.java"]).refused(2, "no class with a main method");
    assert_eq!(names(folder.path()), ["Idle.java"]);
}

#[test]
fn a_machine_without_a_jdk() {
    let folder = folder();
    source(folder.path(), "Hello.java", HELLO);
    let said = askance(folder.path())
        .args(["record", "Hello.java"])
        .env("PATH", folder.path())
        .env("ASKANCE_JDKS", folder.path())
        .env_remove("JAVA_HOME")
        .output()
        .unwrap();
    let said = crate::support::Said::from(said);
    said.refused(3, "there is no JDK");
    assert!(said.err.contains("apt-get install"), "{}", said.err);
    assert_eq!(names(folder.path()), ["Hello.java"]);
}

#[test]
fn a_program_that_cannot_be_started() {
    let folder = folder();
    run(folder.path(), ["record", "--", "no-such-program"]).refused(3, "could not be started");
    run(folder.path(), ["record", "--", "./java"]).refused(3, "could not be started");
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_class_that_does_not_exist() {
    let folder = folder();
    let said = run(folder.path(), ["record", "--", "java", "-cp", ".", "Nope"]);
    said.refused(3, "nothing was recorded");
    assert!(
        said.err.contains("Nope"),
        "java's own words are shown: {}",
        said.err
    );
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_command_that_starts_no_jvm() {
    let folder = folder();
    run(folder.path(), ["record", "--", "true"]).refused(2, "started no JVM");
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_pattern_that_matches_nothing() {
    let folder = folder();
    source(folder.path(), "Hello.java", HELLO);
    let said = run(
        folder.path(),
        ["record", "--include", "nowhere.*", "Hello.java"],
    );
    said.refused(2, "nothing was recorded");
    assert!(said.err.contains("--include"), "{}", said.err);
    assert_eq!(names(folder.path()), ["Hello.java"]);
}

#[test]
fn a_library_of_the_recorder_that_is_not_there() {
    let folder = folder();
    source(folder.path(), "Hello.java", HELLO);
    let said = askance(folder.path())
        .args(["record", "Hello.java"])
        .env("ASKANCE_AGENT", "/no/such/library")
        .output()
        .unwrap();
    crate::support::Said::from(said).refused(3, "ASKANCE_AGENT");
    assert_eq!(names(folder.path()), ["Hello.java"]);
}

#[test]
fn nothing_to_run() {
    let folder = folder();
    run(folder.path(), ["record"]).refused(2, "nothing to run");
    run(folder.path(), ["record", "main.py"]).refused(2, "main.py is not a .java file");
    run(folder.path(), ["frobnicate"]).refused(2, "frobnicate");
}

#[test]
fn options_that_make_no_sense() {
    let folder = folder();
    let check = |option: &str, value: &str, words: &str| {
        run(folder.path(), ["debug", option, value, "Hello.java"]).refused(2, words);
    };
    check("--strategy", "guess", "dq-hirunkitti");
    check("--strategy", "guess", "top-down");
    check("--max-trace", "huge", "500M");
    check("--when-full", "wrap", "ring");
    check("--when-full", "ring", "--max-trace 500M --when-full ring");
    let ring = ["--when-full", "ring", "--max-trace"];
    let with_ring = |rest: &[&str], words: &str| {
        let arguments = ["debug"].iter().chain(&ring).chain(rest);
        run(folder.path(), arguments.copied()).refused(2, words);
    };
    with_ring(&["1M", "Hello.java"], "at least 4M");
    with_ring(
        &["8M", "--live", "Hello.java"],
        "--live and --when-full ring do not go together",
    );
    check("--time-limit", "0", "seconds");
    check("--include", "a;b", "pattern");
    check("--trust", "a b", "pattern");
    check("--detail", "some", "full");
    check(
        "--reference",
        "nowhere/Main.java",
        "no reference at nowhere/Main.java",
    );
    check("--answers", "nowhere.txt", "nowhere.txt");
}

#[test]
fn answers_that_make_no_sense() {
    let folder = folder();
    source(folder.path(), "answers.txt", "yes\nperhaps\n");
    sketch(&folder.path().join("trace"), 7);
    run(folder.path(), ["ask", "trace", "--answers", "answers.txt"])
        .refused(2, "line 2 of answers.txt is no answer: perhaps");
}

#[test]
fn an_output_folder_that_cannot_be_written() {
    let folder = folder();
    source(folder.path(), "Hello.java", HELLO);
    run(
        folder.path(),
        ["record", "-o", "no/such/folder", "Hello.java"],
    )
    .refused(2, "cannot be written");
    run(folder.path(), ["record", "-o", "Hello.java", "Hello.java"])
        .refused(2, "not an Askance trace");
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    source(folder.path(), "mine/diary.txt", "dear diary");
    run(folder.path(), ["record", "-o", "mine", "Hello.java"]).refused(2, "not an Askance trace");
    assert_eq!(names(folder.path()), ["Hello.java", "mine"]);
    assert_eq!(names(&folder.path().join("mine")), ["diary.txt"]);
}

#[test]
fn a_trace_that_is_missing_or_is_none() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    source(folder.path(), "other/file.txt", "");
    for command in ["ask", "tree", "info"] {
        run(folder.path(), [command, "nowhere"]).refused(2, "there is no trace at nowhere");
        run(folder.path(), [command, "empty"]).refused(2, "empty");
        run(folder.path(), [command, "other"]).refused(2, "not a trace");
    }
    run(folder.path(), ["show", "nowhere", "1"]).refused(2, "there is no trace at nowhere");
}

#[test]
fn a_trace_of_a_newer_version() {
    let folder = folder();
    let trace = folder.path().join("trace");
    sketch(&trace, 7);
    let meta = trace.join("jvm-7/meta.json");
    let text = std::fs::read_to_string(&meta).unwrap();
    let mut newer: serde_json::Value = serde_json::from_str(&text).unwrap();
    newer["format"]["major"] = 99.into();
    std::fs::write(&meta, newer.to_string()).unwrap();
    for command in ["ask", "tree", "info"] {
        run(folder.path(), [command, "trace"]).refused(2, "too new");
    }
}

#[test]
fn a_trace_that_is_cut_off_anywhere() {
    let folder = folder();
    let whole = folder.path().join("whole");
    sketch(&whole, 7);
    for file in ["chunks", "symbols", "meta.json", "end.json"] {
        let bytes = std::fs::read(whole.join("jvm-7").join(file)).unwrap();
        for length in [0, 1, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
            let trace = folder.path().join("cut");
            let _ = std::fs::remove_dir_all(&trace);
            sketch(&trace, 7);
            std::fs::write(trace.join("jvm-7").join(file), &bytes[..length]).unwrap();
            for arguments in [
                vec!["tree", "cut"],
                vec!["info", "cut"],
                vec!["show", "cut", "0"],
                vec!["ask", "cut"],
            ] {
                let said = run(folder.path(), &arguments);
                let code = said.code.unwrap_or(-1);
                assert!(
                    (0..=2).contains(&code),
                    "{file} {length} {arguments:?}: {}",
                    said.err
                );
                assert!(
                    !said.err.contains("panicked"),
                    "{file} {length}: {}",
                    said.err
                );
            }
        }
    }
}

#[test]
fn a_node_that_does_not_exist() {
    let folder = folder();
    sketch(&folder.path().join("trace"), 7);
    run(folder.path(), ["show", "trace", "9"]).refused(2, "there is no node 9");
    run(folder.path(), ["tree", "trace", "--node", "sort"]).refused(2, "no call of \"sort\"");
    run(folder.path(), ["ask", "trace", "--root", "sort"]).refused(2, "no call of \"sort\"");
}

#[test]
fn several_jvms_are_listed_and_one_can_be_chosen() {
    let folder = folder();
    let trace = folder.path().join("trace");
    sketch(&trace, 7);
    sketch(&trace, 8);
    let said = run(folder.path(), ["tree", "trace"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(
        said.err.contains("2 JVMs were recorded") && said.err.contains("--jvm"),
        "{}",
        said.err
    );
    let said = run(folder.path(), ["tree", "trace", "--jvm", "8"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    run(folder.path(), ["tree", "trace", "--jvm", "9"]).refused(2, "no JVM 9");
}

#[test]
fn arguments_that_are_no_text() {
    let folder = folder();
    let odd = OsStr::from_bytes(b"tr\xffce");
    run(folder.path(), [OsStr::new("tree"), odd]).refused(2, "there is no trace at");
    run(
        folder.path(),
        [OsStr::new("record"), OsStr::from_bytes(b"\xff.java")],
    )
    .refused(2, "there is no file");
    source(folder.path(), "Hello.java", HELLO);
    let words = ["record", "-o", "trace", "Hello.java", "--"].map(OsStr::new);
    let said = run(folder.path(), words.into_iter().chain([odd]));
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(said.out, "2\n");
    let said = run(folder.path(), ["info", "trace"]);
    assert!(
        said.code == Some(0) && said.out.contains("tr\u{fffd}ce"),
        "{}{}",
        said.out,
        said.err
    );
}

#[test]
fn help_with_an_example_for_every_command() {
    let folder = folder();
    for command in ["debug", "record", "ask", "tree", "show", "info", "doctor"] {
        let said = run(folder.path(), [command, "--help"]);
        assert_eq!(said.code, Some(0), "{command}");
        assert!(
            said.out.contains("Example: askance"),
            "{command}: {}",
            said.out
        );
    }
}
