//! A disk that fills up while a program is recorded: the program does not notice, and the trace opens up to
//! its last whole event.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

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
        for (int i = 0; i < 300_000; i++) {
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

#[test]
fn a_full_disk_ends_the_recording_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mount = "mount -t tmpfs -o size=4m none \"$0\"";
    let try_out = in_namespace(mount).arg(folder.path()).output();
    if !try_out.is_ok_and(|output| output.status.success()) {
        return; // no such rights here
    }
    let jdk = Jdk::default();
    let classes = Fixture::new()
        .source("Main.java", SOURCE)
        .compile()
        .unwrap();
    let run = classes.run(&jdk);
    let plain = run.run().unwrap();
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
    let text = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(text.starts_with(&plain.stdout_text()), "{text}{told}");
    for expected in ["exit 0", "complete  no: the disk was full", "Main.main"] {
        assert!(text.contains(expected), "{expected}: {text}{told}");
    }
    assert!(
        told.contains("recording stopped because the disk is full"),
        "{told}"
    );
}
