//! A disk that fills up while a program is recorded: the program does not notice, and the trace opens up to
//! its last whole event.

use std::process::Command;

use test_support::{Fixture, Jdk};

const SOURCE: &str = "public class Main {
    static int[] seen = new int[1000];

    static int step(int x) {
        seen[x % 1000] = x;
        return seen[(x * 7) % 1000] + 1;
    }

    public static void main(String[] arguments) {
        int total = 0;
        for (int i = 0; i < 2_000_000; i++) {
            total += step(i);
        }
        System.out.println(\"total \" + total);
    }
}
";

/// A small disk of its own takes a mount, which an unprivileged user may do in a namespace of his own, on machines
/// that allow it.
fn in_namespace(script: &str) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
    command
}

/// What is told of a run on a disk of this size: on standard output and on standard error.
fn told(size: &str) -> Option<(String, String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let mount = format!("mount -t tmpfs -o size={size} none \"$0\"");
    let try_out = in_namespace(&mount).arg(folder.path()).output();
    if !try_out.is_ok_and(|output| output.status.success()) {
        return None; // no such rights here
    }
    let jdk = Jdk::default();
    let fixture = Fixture::new().source("Main.java", SOURCE);
    let classes = fixture.compile().unwrap();
    let plain = classes.run(&jdk).run().unwrap();
    let script = format!(
        "{mount} && \"$1\" record -o \"$0/t\" -- \"$2\" -cp \"$3\" Main; echo exit $?
\"$1\" info \"$0/t\"; \"$1\" tree \"$0/t\" --depth 1"
    );
    let output = in_namespace(&script)
        .arg(folder.path())
        .arg(env!("CARGO_BIN_EXE_askance"))
        .arg(jdk.java())
        .arg(classes.dir())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((
        text(&output.stdout),
        text(&output.stderr),
        plain.stdout_text(),
    ))
}

#[test]
fn a_disk_that_is_nearly_full_is_named_as_the_reason() {
    for size in ["150k", "300k", "500k", "1m", "2m", "4m"] {
        let Some((text, told, plain)) = told(size) else {
            return;
        };
        assert!(text.starts_with(&plain), "{size}: {text}{told}");
        assert!(
            told.contains("because the disk is full")
                || told.contains("recorded: the disk is full"),
            "{size}: {text}{told}"
        );
        let is_wrong = text.contains("the JVM was killed");
        assert!(!is_wrong, "{size}: {text}{told}");
    }
}

#[test]
fn a_full_disk_ends_the_recording_and_nothing_else() {
    let Some((text, told, plain)) = told("4m") else {
        return;
    };
    assert!(text.starts_with(&plain), "{text}{told}");
    for expected in ["exit 0", "complete  no: the disk was full", "Main.main"] {
        assert!(text.contains(expected), "{expected}: {text}{told}");
    }
    assert!(
        told.contains("recording stopped because the disk is full"),
        "{told}"
    );
}
