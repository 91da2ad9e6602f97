//! Programs are not alone in their JVM: class loaders, other agents, hidden classes, modules, and
//! more threads than one would think.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{
    Recorded, assert_whole, calls_of, java_source, jdks, newest_compiler, record, render,
};
use test_support::{Classes, Fixture, Jdk, Run};
use trace_format::{EndReason, Value};
use trace_store::{CallOutcome, Trace};

fn folder(name: &str) -> PathBuf {
    java_source(name).with_extension("")
}

fn compile(name: &str, jdk: &Jdk) -> Classes {
    Fixture::new().path(folder(name)).compile_for(jdk).unwrap()
}

/// The trace of a program that prints the same with and without recording.
fn unnoticed(run: &Run, options: &str) -> (Trace, Recorded) {
    let plain = run.run().unwrap();
    assert_eq!(plain.exit_code(), Some(0), "{}", plain.stderr_text());
    let recorded = record(run, options).like(&plain);
    let trace = recorded.trace();
    assert_whole(&trace, |_| false);
    assert_eq!(trace.end().unwrap().reason, EndReason::Exit);
    assert_eq!(trace.info().unwrap().completeness.open_calls, 0);
    (trace, recorded)
}

fn returned(trace: &Trace, class: &str, method: &str) -> Vec<String> {
    let outcome = |call| match trace.outcome(call).unwrap() {
        CallOutcome::Returned(Some(value)) => render(trace, value),
        other => panic!("{other:?}"),
    };
    calls_of(trace, class, method)
        .into_iter()
        .map(outcome)
        .collect()
}

#[test]
fn one_class_in_several_loaders() {
    for jdk in jdks() {
        let (trace, _recorded) = unnoticed(&compile("loaders", jdk).run(jdk), "detail=full");
        assert_eq!(trace.symbols().classes_named("Main$Plugin").len(), 3);
        assert_eq!(trace.class_objects_named("Main$Plugin").unwrap().len(), 3);
        let mut results = returned(&trace, "Main$Plugin", "applyAsInt");
        results.sort();
        assert_eq!(results, ["41", "41", "41", "42"]);
    }
}

/// A jar with the classes of a folder and a manifest for `-javaagent`.
fn agent_jar(jdk: &Jdk, classes: &Path, to: &Path) -> PathBuf {
    let manifest = to.join("manifest");
    let attributes =
        "Premain-Class: Agent\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n";
    std::fs::write(&manifest, attributes).unwrap();
    let jar = to.join("agent.jar");
    let made = Command::new(jdk.tool("jar").unwrap())
        .arg("cfm")
        .args([&jar, &manifest])
        .arg("-C")
        .arg(classes)
        .arg("Agent.class")
        .status();
    assert!(made.unwrap().success());
    jar
}

#[test]
fn another_agent_that_replaces_classes() {
    let jdk = Jdk::default();
    let here = tempfile::tempdir().unwrap();
    let classes = compile("agent", &jdk);
    let jar = agent_jar(&jdk, &classes.dir(), here.path());
    let replacement = compile("redefined", &jdk).dir().join("Target.class");
    let run = classes
        .run(&jdk)
        .jvm_arg(format!("-javaagent:{}", jar.display()))
        .arg(replacement);
    for detail in ["detail=full", "detail=calls"] {
        let (trace, recorded) = unnoticed(&run, detail);
        let mut results = returned(&trace, "Target", "answer");
        let printed = recorded.finished.stdout_text();
        let mut expected: Vec<&str> = printed.lines().take(4).collect();
        results.sort();
        expected.sort_unstable();
        assert_eq!(results, expected);
        assert!(
            results.contains(&"19".to_owned()),
            "the class was not replaced"
        );
        assert_eq!(returned(&trace, "Main", "fill"), ["10"]);
        let fill = calls_of(&trace, "Main", "fill")[0];
        let arguments = trace.call(fill).unwrap().arguments;
        let arguments: Vec<String> = arguments.into_iter().map(|a| render(&trace, a)).collect();
        assert_eq!(
            arguments,
            ["5", "java.util.ArrayList", "java.util.TreeMap"],
            "{detail}"
        );
    }
}

#[test]
fn classes_without_debug_information() {
    let jdk = Jdk::default();
    let classes = Fixture::new()
        .path(folder("dynamic"))
        .without_debug_information()
        .compile()
        .unwrap();
    let (trace, _recorded) = unnoticed(&classes.run(&jdk), "detail=full");
    assert_eq!(returned(&trace, "Main", "add").len(), 24);
}

/// Modules and variable handles came after Java 8.
fn since_java_11() -> impl Iterator<Item = &'static Jdk> {
    jdks().into_iter().filter(|jdk| jdk.feature() >= 11)
}

#[test]
fn calls_that_no_class_file_names() {
    for jdk in since_java_11() {
        let (trace, _recorded) = unnoticed(&compile("dynamic", jdk).run(jdk), "detail=full");
        assert_eq!(returned(&trace, "Main", "add").len(), 24);
        assert_eq!(returned(&trace, "Main", "greeting"), ["\"hello proxy\""]);
    }
}

#[test]
fn named_modules() {
    let classes = Fixture::new()
        .source("module-info.java", "module small { }")
        .source(
            "small/app/Main.java",
            "package small.app; class Main {
                static int half(int n) { return n / 2; }
                public static void main(String[] arguments) { System.out.println(half(8)); }
            }",
        )
        .compile()
        .unwrap();
    for jdk in since_java_11() {
        let run = Run::new(jdk)
            .jvm_arg("-p")
            .jvm_arg(classes.dir())
            .main_class("--module=small/small.app.Main");
        let (trace, _recorded) = unnoticed(&run, "detail=full");
        assert_eq!(returned(&trace, "small/app/Main", "half"), ["4"]);
    }
}

#[test]
fn virtual_threads() {
    let Some(compiler) = newest_compiler().filter(|jdk| jdk.feature() >= 21) else {
        test_support::skip(
            "virtual threads need a JDK 21 or later; `cargo xtask setup` installs one",
        );
        return;
    };
    let classes = Fixture::new()
        .path(folder("virtual"))
        .jdk(compiler)
        .release(Some(21))
        .compile()
        .unwrap();
    for jdk in jdks().into_iter().filter(|jdk| jdk.feature() >= 21) {
        let (trace, _recorded) = unnoticed(&classes.run(jdk).arg("500"), "detail=full");
        assert_eq!(calls_of(&trace, "Main", "live").len(), 500);
        assert_eq!(trace.threads().count(), 1001);
        assert_eq!(calls_of(&trace, "Main", "work").len(), 3 * 500 / 10 * 55);
    }
}

#[test]
fn thousands_of_threads_one_after_the_other() {
    for jdk in [Some(&Jdk::default()), jdks().last().copied()]
        .into_iter()
        .flatten()
    {
        let rounds = 300;
        let (trace, _recorded) = unnoticed(
            &compile("threads", jdk).run(jdk).arg(rounds.to_string()),
            "",
        );
        let work = calls_of(&trace, "Main", "work");
        assert_eq!(work.len(), rounds * (6 + 7 + 8 + 9));
        let roots = work
            .iter()
            .filter(|call| trace.call(**call).unwrap().arguments[0] == Value::Int(8));
        assert_eq!(roots.count(), rounds);
        assert_eq!(trace.threads().count(), 1 + 4 * rounds);
        // The buffers of threads that have ended are used again.
        assert!(trace.folder().join("tails").metadata().unwrap().len() <= 24 << 20);
    }
}

/// Since Java 24 a virtual thread that waits for a monitor gives way to the next one, so waiting inside the recorder
/// would give buffers to all of them at once.
#[test]
fn short_virtual_threads_share_their_buffers() {
    let Some(compiler) = newest_compiler().filter(|jdk| jdk.feature() >= 21) else {
        test_support::skip(
            "virtual threads need a JDK 21 or later; `cargo xtask setup` installs one",
        );
        return;
    };
    let classes = Fixture::new()
        .source(
            "Main.java",
            "class Main {
                static int twice(int n) { return 2 * n; }
                public static void main(String[] arguments) throws InterruptedException {
                    Thread[] threads = new Thread[20_000];
                    for (int i = 0; i < threads.length; i++) {
                        int number = i;
                        threads[i] = Thread.ofVirtual().start(() -> twice(number));
                    }
                    for (Thread thread : threads) { thread.join(); }
                }
            }",
        )
        .jdk(compiler)
        .release(Some(21))
        .compile()
        .unwrap();
    for jdk in jdks().into_iter().filter(|jdk| jdk.feature() >= 21) {
        let (trace, _recorded) = unnoticed(&classes.run(jdk), "detail=full");
        assert_eq!(calls_of(&trace, "Main", "twice").len(), 20_000);
        let tails = trace.folder().join("tails").metadata().unwrap().len();
        assert!(tails <= 32 << 20, "{tails} bytes of buffers");
    }
}
