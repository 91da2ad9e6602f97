//! The dialogue at a real terminal: a pseudo-terminal stands in for the person's.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod support;

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use support::{askance, run, source};

const PROGRAM: &str = "
public class Steps {
    static int one(int n) { return two(n) + 1; }
    static int two(int n) { return three(n) * 3; }
    static int three(int n) { return n; }
    public static void main(String[] args) { System.out.println(one(4)); }
}
";

/// A dialogue that is going on.
struct Dialogue {
    person: File,
    child: Child,
}

impl Dialogue {
    fn start(folder: &Path, arguments: &[&str]) -> Dialogue {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
        let terminal = OpenOptions::new()
            .read(true)
            .write(true)
            .open(name)
            .unwrap();
        let child = askance(folder)
            .args(arguments)
            .stdin(terminal)
            .stdout(Stdio::piped())
            .stderr(Stdio::from(File::create(folder.join("talk")).unwrap()))
            .spawn()
            .unwrap();
        Dialogue {
            person: File::from(person),
            child,
        }
    }

    fn say(&mut self, line: &str) {
        self.person
            .write_all(format!("{line}\n").as_bytes())
            .unwrap();
    }

    /// Waits until the talk holds this; there is nothing else to wait for.
    fn hear(&self, folder: &Path, words: &str) {
        let patience = Instant::now() + Duration::from_secs(60);
        loop {
            let talk = std::fs::read_to_string(folder.join("talk")).unwrap();
            if talk.contains(words) {
                return;
            }
            assert!(Instant::now() < patience, "{words:?} was not said: {talk}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn end(mut self, folder: &Path) -> (Option<i32>, String, String) {
        let status = self.child.wait().unwrap();
        let mut out = String::new();
        self.child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut out)
            .unwrap();
        (
            status.code(),
            out,
            std::fs::read_to_string(folder.join("talk")).unwrap(),
        )
    }
}

fn traced() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Steps.java", PROGRAM);
    let said = run(folder.path(), ["record", "-o", "trace", "Steps.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    folder
}

#[test]
fn an_interrupted_dialogue_is_taken_up_again() {
    let folder = traced();
    let folder = folder.path();
    let arguments = ["ask", "trace", "--strategy", "top-down"];

    let mut dialogue = Dialogue::start(folder, &arguments);
    dialogue.hear(folder, "Steps.one");
    dialogue.say("n");
    dialogue.hear(folder, "Steps.two");
    let pid = Pid::from_raw(i32::try_from(dialogue.child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let (code, _, talk) = dialogue.end(folder);
    assert_eq!(code, Some(130), "{talk}");
    assert!(
        talk.contains("The answers are kept; go on with: askance ask trace"),
        "{talk}"
    );

    let mut dialogue = Dialogue::start(folder, &arguments);
    dialogue.hear(folder, "going on after 1 answer");
    dialogue.hear(folder, "Steps.two");
    dialogue.say("what?");
    dialogue.hear(folder, "That is no answer");
    dialogue.say("n");
    dialogue.hear(folder, "Steps.three");
    dialogue.say("y");
    let (code, out, talk) = dialogue.end(folder);
    assert_eq!(code, Some(0), "{talk}");
    assert!(out.starts_with("The bug is in Steps.two"), "{out}");
}

#[test]
fn leaving_keeps_the_answers_and_fresh_forgets_them() {
    let folder = traced();
    let folder = folder.path();
    let mut dialogue = Dialogue::start(folder, &["ask", "trace", "--strategy", "top-down"]);
    dialogue.hear(folder, "Steps.one");
    dialogue.say("n");
    dialogue.hear(folder, "Steps.two");
    dialogue.say("q");
    let (code, _, talk) = dialogue.end(folder);
    assert_eq!(code, Some(1), "{talk}");
    assert!(folder.join("trace/session.json").is_file());
    let said = run(folder, ["ask", "trace", "--fresh", "--json"]);
    assert_eq!(
        said.json()["suspects"].as_array().unwrap().len(),
        4,
        "{}",
        said.out
    );
    let said = run(folder, ["ask", "trace", "--json"]);
    assert_eq!(
        said.json()["suspects"].as_array().unwrap().len(),
        3,
        "{}",
        said.out
    );
}
