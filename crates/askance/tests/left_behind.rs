//! Signals at every stage of a recording: what was begun is ended and put away, and one sentence says what is kept.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{HELLO, Said, askance, names, run, source, wait_for};
use rustix::process::{Pid, Signal, kill_process};

/// Says that it runs, and goes on for ever unless it is told how often to go round.
const ENDLESS: &str = "
import java.nio.file.*;

public class Endless {
    static int step(int n) { return n + 1; }

    public static void main(String[] arguments) throws Exception {
        String folder = System.getProperty(\"mark\");
        System.out.println(step(1));
        Files.createFile(Path.of(folder, \"runs\"));
        for (int n = 0; ; n = step(n)) { Thread.sleep(5); }
    }
}
";

/// A command of ours in a folder that has all places in it where something could be left.
struct Stage {
    folder: tempfile::TempDir,
    child: Option<Child>,
}

impl Stage {
    fn new() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        for name in ["tmp", "state"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        source(folder.path(), "Endless.java", ENDLESS);
        source(folder.path(), "Hello.java", HELLO);
        Stage {
            folder,
            child: None,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = askance(self.folder.path());
        command.env("TMPDIR", self.path("tmp"));
        command.env("XDG_STATE_HOME", self.path("state"));
        let mark = format!("-Dmark={}", self.folder.path().display());
        command.env("JDK_JAVA_OPTIONS", mark);
        command
    }

    /// Starts a command, until the endless program runs.
    fn begin(&mut self, words: &[&str]) {
        let mut command = self.command();
        command.args(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        self.child = Some(command.spawn().unwrap());
        wait_for("the program runs", || self.path("runs").exists());
    }

    fn send(&self, signal: Signal) {
        let process = Pid::from_child(self.child.as_ref().unwrap());
        kill_process(process, signal).unwrap();
    }

    fn end(&mut self) -> Said {
        self.child
            .take()
            .unwrap()
            .wait_with_output()
            .unwrap()
            .into()
    }

    /// The processes that have something of ours on their command line.
    fn processes(&self) -> Vec<(Pid, String)> {
        let mark = self.folder.path().to_string_lossy().into_owned();
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let processes = entries.filter_map(|entry| {
            let process = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
            let line = std::fs::read(entry.path().join("cmdline")).ok()?;
            Some((process, String::from_utf8_lossy(&line).into_owned()))
        });
        processes.filter(|(_, line)| line.contains(&mark)).collect()
    }

    #[track_caller]
    fn nothing_runs(&self) {
        wait_for("something still runs", || self.processes().is_empty());
    }

    /// JVMs have a file of their own there.
    fn temporary(&self) -> Vec<String> {
        let mut names = names(&self.path("tmp"));
        names.retain(|name| !name.starts_with("hsperfdata"));
        names
    }
}

fn kept(state: &Path) -> Vec<String> {
    let traces = state.join("askance/traces");
    match traces.is_dir() {
        true => names(&traces),
        false => Vec::new(),
    }
}

#[test]
fn who_ends_record_ends_the_program_and_has_the_trace() {
    let mut stage = Stage::new();
    let before = run(stage.folder.path(), ["record", "-o", "t", "Hello.java"]);
    before.recorded();
    stage.begin(&["record", "-o", "t", "Endless.java"]);
    stage.send(Signal::TERM);
    let said = stage.end();
    // What shells say of a program that this signal has ended.
    assert_eq!(said.code, Some(143), "{}", said.err);
    said.recorded();
    stage.nothing_runs();
    assert!(stage.temporary().is_empty(), "{:?}", stage.temporary());
    let left = names(stage.folder.path());
    assert!(!left.iter().any(|name| name.contains(".old")), "{left:?}");
    let info = run(stage.folder.path(), ["info", "t"]);
    assert!(info.out.contains("Endless"), "{}{}", info.out, info.err);
}

#[test]
fn a_program_ends_with_the_record_that_was_killed_and_the_next_tidies_up() {
    let mut stage = Stage::new();
    run(stage.folder.path(), ["record", "-o", "t", "Hello.java"]).recorded();
    stage.begin(&["record", "-o", "t", "Endless.java"]);
    stage.send(Signal::KILL);
    stage.child.as_mut().unwrap().wait().unwrap();
    stage.nothing_runs();
    let aside = |stage: &Stage| {
        let mut names = names(stage.folder.path()).into_iter();
        names.any(|name| name.starts_with("t.old-"))
    };
    assert!(aside(&stage));
    // What was recorded until then is a trace.
    let info = run(stage.folder.path(), ["info", "t"]);
    assert_eq!(info.code, Some(0), "{}", info.err);
    let mut next = stage.command();
    let said = Said::from(
        next.args(["record", "-o", "t", "Hello.java"])
            .output()
            .unwrap(),
    );
    said.recorded();
    assert!(!aside(&stage));
    assert!(stage.temporary().is_empty(), "{:?}", stage.temporary());
}

#[test]
fn who_ends_debug_while_the_program_runs_can_ask_later() {
    for signal in [Signal::TERM, Signal::HUP] {
        let mut stage = Stage::new();
        stage.begin(&["debug", "Endless.java"]);
        stage.send(signal);
        let said = stage.end();
        said.refused(130, "interrupted");
        stage.nothing_runs();
        assert!(stage.temporary().is_empty(), "{:?}", stage.temporary());
        let traces = kept(&stage.path("state"));
        assert_eq!(traces, ["Endless.askance"], "{}", said.err);
        assert!(said.err.contains("askance ask "), "{}", said.err);
    }
}

#[test]
fn who_ends_debug_while_it_asks_and_the_program_runs_ends_both() {
    for signal in [Signal::INT, Signal::TERM] {
        let mut stage = Stage::new();
        stage.begin(&[
            "debug",
            "--live",
            "--oracle-cmd",
            "sleep 20",
            "Endless.java",
        ]);
        // Somewhere between its first snapshot and its first question.
        std::thread::sleep(Duration::from_secs(1));
        stage.send(signal);
        if signal == Signal::INT {
            // The terminal sends it to all; whether a question is open, we do not know.
            std::thread::sleep(Duration::from_millis(300));
            stage.send(Signal::TERM);
        }
        let said = stage.end();
        assert_eq!(said.code, Some(130), "{}", said.err);
        stage.nothing_runs();
        assert!(stage.temporary().is_empty(), "{:?}", stage.temporary());
    }
}

#[test]
fn a_reference_that_was_interrupted_is_not_compared_with() {
    for signal in [Signal::TERM, Signal::INT, Signal::KILL] {
        let mut stage = Stage::new();
        let said = run(stage.folder.path(), ["record", "-o", "t", "Hello.java"]);
        said.recorded();
        stage.begin(&[
            "ask",
            "t",
            "--non-interactive",
            "--reference",
            "Endless.java",
        ]);
        stage.send(signal);
        if signal == Signal::INT {
            // The terminal would have sent it to the program as well.
            for (process, _) in stage.processes() {
                kill_process(process, signal).unwrap();
            }
        }
        let said = stage.end();
        if signal != Signal::KILL {
            assert_eq!(said.code, Some(130), "{}", said.err);
            assert!(said.err.contains("interrupted"), "{}", said.err);
            assert!(stage.temporary().is_empty(), "{:?}", stage.temporary());
        }
        stage.nothing_runs();
        // Recorded anew, and again without an end.
        std::fs::remove_file(stage.path("runs")).unwrap();
        stage.begin(&[
            "ask",
            "t",
            "--non-interactive",
            "--reference",
            "Endless.java",
        ]);
        stage.send(Signal::TERM);
        let said = stage.end();
        assert!(!said.err.contains("was recorded before"), "{}", said.err);
        stage.nothing_runs();
        assert!(stage.temporary().is_empty(), "{:?}", stage.temporary());
    }
}

fn git(folder: &Path, words: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b"]);
    let said = command.args(words).current_dir(folder).output().unwrap();
    assert!(said.status.success(), "{said:?}");
    String::from_utf8(said.stdout).unwrap()
}

#[test]
fn a_revision_that_was_checked_out_goes_whoever_ends_us() {
    for signal in [Signal::TERM, Signal::INT, Signal::KILL] {
        let mut stage = Stage::new();
        let folder = stage.folder.path().to_owned();
        git(&folder, &["init", "-q", "."]);
        git(&folder, &["add", "Hello.java"]);
        git(&folder, &["commit", "-q", "-m", "one"]);
        run(&folder, ["record", "-o", "t", "Hello.java"]).recorded();
        let build = format!("touch '{}/runs'; exec sleep 30", folder.display());
        let words = ["ask", "t", "--reference", "git:HEAD", "--build", &build];
        stage.begin(&words);
        stage.send(signal);
        let said = stage.end();
        let revisions = || git(&folder, &["worktree", "list"]).lines().count();
        if signal == Signal::KILL {
            assert_eq!(revisions(), 2);
            std::fs::remove_file(stage.path("runs")).unwrap();
            stage.begin(&words);
            stage.send(Signal::TERM);
            stage.end();
        } else {
            assert_eq!(said.code, Some(130), "{}", said.err);
        }
        assert_eq!(revisions(), 1, "{:?}", signal);
        assert!(stage.temporary().is_empty(), "{:?}", stage.temporary());
        stage.nothing_runs();
    }
}

#[test]
fn a_page_that_is_served_ends_with_a_farewell() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut stage = Stage::new();
        run(stage.folder.path(), ["record", "-o", "t", "Hello.java"]).recorded();
        let mut command = stage.command();
        command.args(["serve", "t", "--no-open"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let out = child.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line).unwrap();
        std::thread::sleep(Duration::from_millis(200));
        stage.child = Some(child);
        stage.send(signal);
        let said = stage.end();
        said.refused(130, "The answers are kept in the trace.");
        assert!(stage.temporary().is_empty(), "{:?}", stage.temporary());
    }
}
