//! The dialogue at a real terminal: a pseudo-terminal stands in for the person's.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{answers_file, askance, run, source};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

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
    dialogue.hear(folder, "Found: #2 two(n=4) → 12");
    dialogue.say("");
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
    assert!(answers_file(&folder.join("trace")).is_file());
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

#[test]
fn answers_that_cannot_be_gone_on_with_are_put_aside() {
    let folder = traced();
    let folder = folder.path();
    let file = answers_file(&folder.join("trace"));
    let cases = [
        ("{\"version\": 1, \"session\"", "are damaged: "),
        (
            "{\"version\": 7}",
            "were kept by another version of Askance",
        ),
    ];
    for (number, (kept, why)) in (1..).zip(cases) {
        std::fs::write(&file, kept).unwrap();
        // Nothing is kept where nobody is asked, so what is there stays where it is.
        let said = run(folder, ["ask", "trace", "--json", "--non-interactive"]);
        let sentence = format!("the answers kept in this trace {why}");
        assert!(said.err.contains(&sentence), "{}", said.err);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), kept);

        let mut dialogue = Dialogue::start(folder, &["ask", "trace"]);
        dialogue.hear(folder, &sentence);
        dialogue.hear(folder, "they are now in");
        dialogue.say("q");
        dialogue.end(folder);
        let aside = file.with_extension(format!("before-{number}.json"));
        assert_eq!(std::fs::read_to_string(aside).unwrap(), kept);
    }
}

/// Answers come one after the other; each is given when its question stands there.
fn converse(folder: &Path, arguments: &[&str], lines: &[(&str, &str)]) -> (String, String) {
    let mut dialogue = Dialogue::start(folder, arguments);
    for (expected, answer) in lines {
        dialogue.hear(folder, expected);
        dialogue.say(answer);
    }
    let (code, out, talk) = dialogue.end(folder);
    assert_eq!(code, Some(0), "{talk}");
    (out, talk)
}

#[test]
fn what_was_found_can_be_doubted() {
    let folder = traced();
    let folder = folder.path();
    let (out, talk) = converse(
        folder,
        &["ask", "trace", "--strategy", "top-down"],
        &[
            ("Steps.one", "n"),
            ("Steps.two", "n"),
            ("Steps.three", "y"),
            ("Found: #2", "r"),
            ("The least certain one, you, is asked again", "n"),
            ("Found: #2", "r"),
            ("Found: #2", "n"),
            ("Found: #3", ""),
        ],
    );
    assert!(
        out.starts_with("The bug is in Steps.three"),
        "{out}\n{talk}"
    );
}

#[test]
fn any_answer_can_be_listed_and_taken_back() {
    let folder = traced();
    let folder = folder.path();
    let (out, talk) = converse(
        folder,
        &["ask", "trace", "--strategy", "top-down"],
        &[
            ("Steps.one", "n"),
            ("Steps.two", "y"),
            ("Found: #1", "a"),
            ("   2  right (you): two(n=4) → 12", "u 2"),
            ("3 suspects", "g 3"),
            ("#3 Steps.three", "y"),
            ("#2 Steps.two", "n"),
            ("Found: #2", "q"),
        ],
    );
    assert!(out.starts_with("The bug is in Steps.two"), "{out}\n{talk}");
}

#[test]
fn transformations_and_strategies_are_switched_in_a_dialogue() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let program = "
        public class Sum {
            static int total;
            static void add(int n) { total += n == 6 ? 0 : n; }
            public static void main(String[] args) {
                for (int i = 0; i < 8; i++) add(i);
                System.out.println(total);
            }
        }";
    source(folder, "Sum.java", program);
    let said = run(folder, ["record", "-o", "trace", "Sum.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let (out, talk) = converse(
        folder,
        &["ask", "trace", "--strategy", "top-down"],
        &[
            ("#1 Sum.add", "x balance"),
            (
                "#1–#8 8 calls of Sum.add in Sum.main #0",
                "x -balance,simplify",
            ),
            ("2 suspects", "x"),
            ("Transformations that are on: simplify", "x balanse"),
            ("there is no transformation \"balanse\"", "c ranges"),
            ("Sum.total: 0 → 6", "y"),
            ("Sum.total: 6 → 15", "y"),
            ("#7 Sum.add(n=6", "n"),
            ("Found: #7 add(n=6", ""),
        ],
    );
    assert!(out.contains("Sum.add"), "{out}\n{talk}");
}

#[test]
fn a_wrong_value_leads_to_the_call_that_produced_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let program = "
        public class Box {
            int size;
            int weight;
            void setSize(int n) { size = n + 1; }
            void setWeight(int n) { weight = n; }
            void fill() { setSize(3); setWeight(5); setWeight(6); }
            public static void main(String[] args) { new Box().fill(); }
        }";
    source(folder, "Box.java", program);
    let said = run(folder, ["record", "-o", "trace", "Box.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let (out, talk) = converse(
        folder,
        &["ask", "trace", "--strategy", "top-down"],
        &[
            ("new Box", "y"),
            ("#2 Box#", "w this.sise"),
            ("has no field sise", "w size"),
            ("That value was produced by call #3.", "n"),
            ("Found: #3", ""),
        ],
    );
    assert!(
        out.starts_with("The bug is in Box.setSize"),
        "{out}\n{talk}"
    );
}

/// Waits until it is stopped, at most a minute.
const ENDLESS: &str = "
public class Endless {
    static int one(int n) { return two(n) + 1; }
    static int two(int n) { return n * 3; }
    public static void main(String[] args) throws Exception {
        System.out.println(one(4));
        Thread.sleep(60_000);
    }
}
";

#[test]
fn a_person_stops_the_program_when_the_bug_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    source(folder, "Endless.java", ENDLESS);
    let arguments = ["debug", "--live", "-o", "t", "Endless.java"];
    let mut dialogue = Dialogue::start(folder, &arguments);
    dialogue.hear(folder, "Is this right?");
    dialogue.say("n");
    dialogue.hear(folder, "Found: ");
    dialogue.say("y");
    dialogue.hear(folder, "Stop it?");
    dialogue.say("y");
    let (code, out, talk) = dialogue.end(folder);
    assert_eq!(code, Some(0), "{talk}");
    assert!(out.starts_with("The bug is in Endless.two"), "{out}");
    assert!(talk.contains("exit code 143"), "{talk}");
}

#[test]
fn a_jvm_that_is_killed_while_it_is_asked_about_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    source(folder, "Endless.java", ENDLESS);
    let arguments = ["debug", "--live", "-o", "t", "Endless.java"];
    let mut dialogue = Dialogue::start(folder, &arguments);
    dialogue.hear(folder, "Is this right?");
    crate::support::kill_jvm(&folder.join("t"));
    let patience = Instant::now() + Duration::from_secs(60);
    while !std::fs::read_to_string(folder.join("t/run.json"))
        .is_ok_and(|run| run.contains("signal"))
    {
        assert!(Instant::now() < patience, "the end is not noted");
        std::thread::sleep(Duration::from_millis(5));
    }
    dialogue.say("n");
    dialogue.hear(folder, "Found: ");
    dialogue.say("");
    let (code, out, talk) = dialogue.end(folder);
    assert_eq!(code, Some(0), "{talk}");
    assert!(out.starts_with("The bug is in Endless.two"), "{out}");
    assert!(talk.contains("killed by signal 9"), "{talk}");
}
