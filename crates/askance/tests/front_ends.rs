//! The same is said to a session at the terminal, on the full screen, to the page and by an agent: the answers kept
//! and what was found are the same, because all of them drive one interpreter.
//!
//! A machine without tmux passes the full screen over with a message; `cargo xtask setup` installs it.

#![allow(clippy::print_stderr, reason = "says what was passed over, and why")]

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::served::Serving;
use crate::support::{answers_file, askance, run};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::TokioChildProcess;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(60);

/// What is said, in the words of no front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// One of [`ANSWERS`].
    Answer(usize),
    Undo,
    TakeBack(usize),
    TakeBackTrust(u32),
    AskAbout(u32),
    Revise,
    /// One of [`STRATEGIES`].
    Strategy(usize),
    /// One of [`TRANSFORMATIONS`].
    Transform(usize),
    LookInside,
}

const STRATEGIES: [&str; 4] = ["top-down", "dq-hirunkitti", "dq-optimal", "no-such"];
const TRANSFORMATIONS: [&str; 4] = ["balance", "-balance", "loops,-balance", "no-such"];

/// How an answer is typed, and how programs say it.
const ANSWERS: [(&str, &str); 7] = [
    ("y", "yes"),
    ("n", "no"),
    ("d", "unknown"),
    ("i", "inadmissible"),
    ("t", "trust"),
    ("t class", "trust-class"),
    ("t package", "trust-package"),
];

impl Word {
    fn line(self) -> String {
        match self {
            Word::Answer(which) => ANSWERS[which].0.to_owned(),
            Word::Undo => "u".to_owned(),
            Word::TakeBack(place) => format!("u {}", place + 1),
            Word::TakeBackTrust(node) => format!("t back {node}"),
            Word::AskAbout(node) => format!("g {node}"),
            Word::Revise => "r".to_owned(),
            Word::Strategy(which) => format!("c {}", STRATEGIES[which]),
            Word::Transform(which) => format!("x {}", TRANSFORMATIONS[which]),
            Word::LookInside => "z".to_owned(),
        }
    }

    /// The path of the page's interface, and what is posted there.
    fn posted(self, revision: &Value) -> (&'static str, Value) {
        match self {
            Word::Answer(which) => {
                let answer = ANSWERS[which].1;
                ("answer", json!({"revision": revision, "answer": answer}))
            }
            Word::Undo => ("undo", json!({"revision": revision})),
            Word::TakeBack(place) => ("undo", json!({"revision": revision, "place": place})),
            Word::TakeBackTrust(node) => ("undo", json!({"revision": revision, "trust": node})),
            Word::AskAbout(node) => ("ask", json!({"node": node})),
            Word::Revise => ("revise", json!({"revision": revision})),
            Word::Strategy(which) => ("strategy", json!({"name": STRATEGIES[which]})),
            Word::Transform(which) => ("transform", json!({"list": TRANSFORMATIONS[which]})),
            Word::LookInside => ("inside", json!({"revision": revision, "said": "begin"})),
        }
    }

    /// The tool that an agent uses, and what it gives it beside the session.
    fn called(self, revision: &Value) -> (&'static str, Value) {
        match self {
            Word::Strategy(which) => ("search_by", json!({"strategy": STRATEGIES[which]})),
            Word::Transform(which) => ("search_by", json!({"transform": TRANSFORMATIONS[which]})),
            other => match other.posted(revision) {
                ("ask", about) => ("ask_about", about),
                ("inside", said) => ("look_inside", said),
                same => same,
            },
        }
    }
}

fn words() -> impl Strategy<Value = Word> {
    prop_oneof![
        12 => (0..4usize).prop_map(Word::Answer),
        3 => (4..7usize).prop_map(Word::Answer),
        2 => Just(Word::Undo),
        2 => (0..8usize).prop_map(Word::TakeBack),
        2 => (0..12u32).prop_map(Word::TakeBackTrust),
        2 => (0..14u32).prop_map(Word::AskAbout),
        2 => Just(Word::Revise),
        1 => (0..4usize).prop_map(Word::Strategy),
        1 => (0..4usize).prop_map(Word::Transform),
        1 => Just(Word::LookInside),
    ]
}

/// A call tree: each call picks one of the last calls that are open, and one of six methods in two packages.
fn trees() -> impl Strategy<Value = String> {
    prop::collection::vec((any::<u8>(), 0..6usize), 2..12).prop_map(|calls| {
        const METHODS: [&str; 6] = ["a.A.f", "a.A.g", "a.B.h", "b.C.f", "b.C.g", "b.D.h"];
        let mut open: Vec<usize> = Vec::new();
        let mut lines = String::new();
        for (id, (choice, method)) in calls.into_iter().enumerate() {
            let keep = if id == 0 {
                0
            } else {
                1 + usize::from(choice) % open.len()
            };
            open.truncate(keep);
            let parent = open.last().copied();
            // No call is like another, so that no answer stands for two.
            let call = json!({
                "id": id, "parent": parent, "name": METHODS[method],
                "before": {"n": id}, "returns": 100 + id,
            });
            lines.push_str(&format!("{call}\n"));
            open.push(id);
        }
        lines
    })
}

/// What a front end left behind: the answers that the trace keeps, and what is left of the search.
#[derive(Debug, PartialEq)]
struct Left {
    answers: Vec<Value>,
    suspects: u64,
}

impl Left {
    fn of(trace: &Path, suspects: u64) -> Left {
        let kept = std::fs::read(answers_file(trace));
        let kept: Value = kept.map_or(Value::Null, |text| serde_json::from_slice(&text).unwrap());
        let answers = kept["session"]["answers"].as_array().cloned();
        let mut answers = answers.unwrap_or_default();
        for answer in &mut answers {
            // An agent's word is kept as such.
            if answer["source"] == "agent" {
                answer["source"] = json!("person");
            }
        }
        Left { answers, suspects }
    }
}

/// At the page. Gives the words that made sense there, one after the other, for the others to say: with nothing
/// asked, an answer means something else at a prompt.
fn at_the_page(folder: &Path, strategy: &str, words: &[Word]) -> (Left, Vec<Word>, Value) {
    let serving = Serving::start(folder, &["page", "--strategy", strategy]);
    let mut said = Vec::new();
    let mut session = serving.settled();
    for &word in words {
        let is_over = session["step"].get("done").is_some();
        if is_over && matches!(word, Word::Answer(_)) {
            continue;
        }
        let (path, body) = word.posted(&session["revision"]);
        serving.post(&format!("api/runs/0/session/{path}"), &body);
        said.push(word);
        session = serving.settled();
    }
    let suspects = session["suspects"].as_u64().unwrap();
    (
        Left::of(&folder.join("page"), suspects),
        said,
        session["step"].clone(),
    )
}

/// As an agent.
fn as_an_agent(folder: &Path, strategy: &str, words: &[Word]) -> (Left, Value) {
    let work = async {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_askance"));
        command.args(["mcp", "agent"]).current_dir(folder);
        command.envs(crate::support::environment());
        let transport = TokioChildProcess::builder(command).stderr(Stdio::null());
        let (transport, _) = transport.spawn().unwrap();
        let client = ().serve(transport).await.unwrap();
        let call = async |tool: &'static str, arguments: Value| {
            let arguments = arguments.as_object().unwrap().clone();
            let request = CallToolRequestParams::new(tool).with_arguments(arguments);
            let result = client.call_tool(request).await.unwrap();
            (result.is_error != Some(true)).then(|| result.structured_content.unwrap())
        };
        let open = json!({"trace": "agent", "strategy": strategy});
        let mut step = call("open_trace", open).await.unwrap();
        for &word in words {
            let (tool, mut arguments) = word.called(&step["revision"]);
            arguments["session"] = step["session"].clone();
            if let Some(next) = call(tool, arguments).await {
                step = next;
            }
        }
        client.cancel().await.unwrap();
        step
    };
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let step = runtime.enable_all().build().unwrap().block_on(work);
    let suspects = step["suspects"].as_u64().unwrap();
    (Left::of(&folder.join("agent"), suspects), step)
}

/// What is left of the search in a trace that somebody has left.
fn resumed(folder: &Path, trace: &str, strategy: &str) -> (Left, Value) {
    let ask = [
        "ask",
        trace,
        "--strategy",
        strategy,
        "--json",
        "--non-interactive",
    ];
    let verdict = run(folder, ask).json();
    let suspects = verdict["suspects_left"].as_u64().unwrap();
    (Left::of(&folder.join(trace), suspects), verdict)
}

/// At the prompt of a pseudo-terminal.
fn at_the_prompt(folder: &Path, strategy: &str, words: &[Word]) -> (Left, Value) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
    let mut options = OpenOptions::new();
    let terminal = options.read(true).write(true).open(name).unwrap();
    let mut child = askance(folder)
        .args(["ask", "prompt", "--strategy", strategy])
        .stdin(terminal)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut person = File::from(person);
    for word in words {
        person
            .write_all(format!("{}\n", word.line()).as_bytes())
            .unwrap();
    }
    person.write_all(b"q\n").unwrap();
    let mut talk = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut talk)
        .unwrap();
    let ended = child.wait().unwrap();
    assert!(matches!(ended.code(), Some(0 | 1)), "{ended:?}: {talk}");
    resumed(folder, "prompt", strategy)
}

/// On the full screen, if there is a tmux to hold it.
fn on_the_screen(folder: &Path, strategy: &str, words: &[Word]) -> Option<(Left, Value)> {
    let screen = Tmux::start(folder, strategy)?;
    screen.see("Question");
    for word in words {
        screen.tmux(&["send-keys", "-t", "t", "-l", &format!(":{}", word.line())]);
        screen.tmux(&["send-keys", "-t", "t", "Enter"]);
    }
    screen.tmux(&["send-keys", "-t", "t", "q"]);
    screen.see("exit code");
    drop(screen);
    Some(resumed(folder, "screen", strategy))
}

struct Tmux {
    socket: String,
}

impl Tmux {
    fn start(folder: &Path, strategy: &str) -> Option<Tmux> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("passed over: tmux is not installed; `cargo xtask setup` installs it");
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "there is no tmux"
            );
            return None;
        }
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let screen = Tmux {
            socket: format!("askance-front-ends-{name}"),
        };
        let line = format!(
            "ASKANCE_MEMORY=off '{}' ask screen --tui --strategy {strategy}; echo \"exit code $?\"; sleep 600",
            env!("CARGO_BIN_EXE_askance")
        );
        let new = [
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-s",
            "t",
            "-x",
            "100",
            "-y",
            "30",
        ];
        let mut command = screen.command(&new);
        command.args(["-c", folder.to_str().unwrap(), "sh", "-c", &line]);
        let started = command.output().unwrap();
        assert!(started.status.success(), "{started:?}");
        Some(screen)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]).args(arguments);
        command.env("LC_ALL", "C.UTF-8");
        command
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let said = self.command(arguments).output().unwrap();
        String::from_utf8_lossy(&said.stdout).into_owned()
    }

    fn see(&self, words: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            let text = self.tmux(&["capture-pane", "-p", "-t", "t"]);
            if text.contains(words) {
                return;
            }
            assert!(
                Instant::now() < end,
                "{words:?} is not on the screen:\n{text}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// Imports a tree once for each front end.
fn import(tree: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("calls.jsonl"), tree).unwrap();
    for trace in ["page", "agent", "prompt", "screen"] {
        let said = run(folder.path(), ["import", "calls.jsonl", "-o", trace]);
        assert_eq!(said.code, Some(0), "{}", said.err);
    }
    folder
}

#[test]
fn every_front_end_makes_the_same_of_what_is_said() {
    // `ASKANCE_SCRIPTS=200` says so many scripts.
    let scripts = std::env::var("ASKANCE_SCRIPTS").ok();
    let config = Config {
        cases: scripts.and_then(|number| number.parse().ok()).unwrap_or(16),
        max_shrink_iters: 24,
        failure_persistence: None,
        ..Config::default()
    };
    let strategies = prop::sample::select(vec!["top-down", "dq-hirunkitti", "ranges"]);
    let scripts = prop::collection::vec(words(), 4..24);
    let mut runner = TestRunner::new(config);
    let law = |(tree, strategy, script): (String, &str, Vec<Word>)| {
        let folder = import(&tree);
        let folder = folder.path();
        let (page, said, step) = at_the_page(folder, strategy, &script);
        let (agent, told) = as_an_agent(folder, strategy, &said);
        prop_assert_eq!(&agent, &page, "an agent, {:?}", said);
        let state = match (step.get("ask"), step.get("done")) {
            (Some(ask), _) => (json!("question"), ask["node"].clone()),
            (_, Some(done)) => (done["outcome"].clone(), Value::Null),
            _ => (Value::Null, Value::Null),
        };
        prop_assert_eq!(&told["state"], &state.0, "{:?}", said);
        if state.0 == "question" {
            prop_assert_eq!(&told["question"]["node"], &state.1, "{:?}", said);
        }
        let (prompt, verdict) = at_the_prompt(folder, strategy, &said);
        prop_assert_eq!(&prompt, &page, "at the prompt, {:?}", said);
        if state.0 != "question" {
            prop_assert_eq!(&verdict["outcome"], &state.0, "{:?}", said);
        }
        if let Some((screen, on_screen)) = on_the_screen(folder, strategy, &said) {
            prop_assert_eq!(&screen, &page, "on the screen, {:?}", said);
            prop_assert_eq!(&on_screen["outcome"], &verdict["outcome"]);
        }
        Ok(())
    };
    runner.run(&(trees(), strategies, scripts), law).unwrap();
}

/// Trust is taken back at the prompt, in the page's interface and by an agent.
#[test]
fn trust_can_be_taken_back_everywhere() {
    let tree = "{\"id\":0,\"parent\":null,\"name\":\"a.A.f\"}\n\
        {\"id\":1,\"parent\":0,\"name\":\"b.C.g\",\"returns\":1}\n\
        {\"id\":2,\"parent\":0,\"name\":\"b.D.h\",\"returns\":2}\n";
    let words = [Word::AskAbout(1), Word::Answer(6), Word::TakeBackTrust(2)];
    let folder = import(tree);
    let folder = folder.path();
    let (trusted, ..) = at_the_page(folder, "top-down", &words[..2]);
    assert_eq!(trusted.suspects, 1, "{trusted:?}");
    let folder = import(tree);
    let folder = folder.path();
    let (page, said, _) = at_the_page(folder, "top-down", &words);
    assert_eq!(page.suspects, 3, "{page:?}");
    assert_eq!(as_an_agent(folder, "top-down", &said).0, page);
    assert_eq!(at_the_prompt(folder, "top-down", &said).0, page);
}
