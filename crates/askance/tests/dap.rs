//! `askance dap`, driven over its streams as an editor does it, on real recordings.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::support::recorded::Recorded;
use crate::support::served::Serving;
use crate::support::{askance, source};
use serde_json::{Value, json};
use test_support::{Example, ExampleVersion};

/// Long enough for anything that is meant to come.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor.
struct Client {
    output: Box<dyn Write>,
    messages: Receiver<Value>,
    /// Events that nobody has waited for yet.
    events: Vec<Value>,
    last: u64,
    child: Option<Child>,
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Client {
    fn start(folder: &Path) -> Client {
        let mut command = askance(folder);
        command.args(["dap", "--strategy", "ranges"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let stdin: ChildStdin = child.stdin.take().unwrap();
        let stdout = child.stdout.take().unwrap();
        Client::new(stdin, stdout, Some(child))
    }

    fn new(
        output: impl Write + 'static,
        input: impl Read + Send + 'static,
        child: Option<Child>,
    ) -> Client {
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            let mut input = BufReader::new(input);
            while let Some(message) = read(&mut input) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Client {
            output: Box::new(output),
            messages,
            events: Vec::new(),
            last: 0,
            child,
        }
    }

    fn response(&mut self, command: &str, arguments: Value) -> Value {
        self.last += 1;
        let request = json!({"seq": self.last, "type": "request", "command": command, "arguments": arguments});
        let body = request.to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.output.flush().unwrap();
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap();
            if message["type"] == "event" {
                self.events.push(message);
            } else {
                assert_eq!(message["request_seq"], self.last, "{message}");
                return message;
            }
        }
    }

    #[track_caller]
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.response(command, arguments);
        assert_eq!(response["success"], true, "{command}: {response}");
        response["body"].clone()
    }

    #[track_caller]
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let response = self.response(command, arguments);
        assert_eq!(response["success"], false, "{command}: {response}");
        response["message"].as_str().unwrap().to_owned()
    }

    fn event(&mut self, name: &str) -> Value {
        if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
            return self.events.remove(at)["body"].clone();
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap();
            assert_eq!(message["type"], "event", "{message}");
            if message["event"] == name {
                return message["body"].clone();
            }
            self.events.push(message);
        }
    }

    /// From the beginning to the first stop.
    fn begin(&mut self, command: &str, arguments: Value) -> Value {
        let capabilities = self.ask("initialize", json!({"adapterID": "askance"}));
        assert_eq!(capabilities["supportsStepBack"], true);
        assert_eq!(capabilities["supportsDataBreakpoints"], true);
        self.ask(command, arguments);
        self.event("initialized");
        self.ask("configurationDone", json!({}));
        self.event("stopped")
    }

    /// Goes somewhere; the reason of the stop, and the line.
    #[track_caller]
    fn go(&mut self, command: &str) -> (String, u64) {
        let thread = self.thread();
        self.ask(command, json!({"threadId": thread}));
        let stopped = self.event("stopped");
        (stopped["reason"].as_str().unwrap().to_owned(), self.line())
    }

    fn thread(&mut self) -> u64 {
        let threads = self.ask("threads", json!({}));
        threads["threads"][0]["id"].as_u64().unwrap()
    }

    fn frames(&mut self) -> Vec<Value> {
        let thread = self.thread();
        let stack = self.ask("stackTrace", json!({"threadId": thread}));
        let frames = stack["stackFrames"].as_array().unwrap().clone();
        assert_eq!(stack["totalFrames"], frames.len());
        frames
    }

    fn line(&mut self) -> u64 {
        self.frames()[0]["line"].as_u64().unwrap()
    }

    fn scope(&mut self, name: &str) -> Option<u64> {
        let frame = self.frames()[0]["id"].clone();
        let scopes = self.ask("scopes", json!({"frameId": frame}));
        let scopes = scopes["scopes"].as_array().unwrap();
        let found = scopes.iter().find(|scope| scope["name"] == name)?;
        found["variablesReference"].as_u64()
    }

    fn variables(&mut self, reference: u64) -> Vec<Value> {
        let body = self.ask("variables", json!({"variablesReference": reference}));
        body["variables"].as_array().unwrap().clone()
    }

    /// `a = 1, b = …` of a scope of the innermost frame.
    fn shown(&mut self, scope: &str) -> String {
        let reference = self.scope(scope).unwrap();
        let text = |variable: &Value| {
            let part = |name: &str| variable[name].as_str().unwrap().to_owned();
            format!("{} = {}", part("name"), part("value"))
        };
        self.variables(reference)
            .iter()
            .map(text)
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn console(&mut self, text: &str) -> String {
        let body = self.ask("evaluate", json!({"expression": text, "context": "repl"}));
        body["result"].as_str().unwrap().to_owned()
    }

    fn hover(&mut self, text: &str) -> String {
        let frame = self.frames()[0]["id"].clone();
        let wanted = json!({"expression": text, "context": "hover", "frameId": frame});
        let response = self.response("evaluate", wanted);
        match response["success"].as_bool() {
            Some(true) => response["body"]["result"].as_str().unwrap().to_owned(),
            _ => format!("! {}", response["message"].as_str().unwrap()),
        }
    }

    fn set_lines(&mut self, path: &str, breakpoints: Value) -> Vec<Value> {
        let source = json!({"path": path});
        let set = self.ask(
            "setBreakpoints",
            json!({"source": source, "breakpoints": breakpoints}),
        );
        set["breakpoints"].as_array().unwrap().clone()
    }
}

fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        length = line.trim().strip_prefix("Content-Length: ")?.parse().ok()?;
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn main_file(example: &str) -> String {
    let example = Example::named(example).unwrap();
    example
        .main_file(ExampleVersion::Buggy)
        .display()
        .to_string()
}

#[test]
fn a_recorded_run_is_stepped_through_forwards_and_backwards() {
    let recorded = Recorded::new("merge-sort");
    let mut client = Client::start(recorded.folder.path());
    let stopped = client.begin("attach", json!({"trace": "trace", "stopOnEntry": true}));
    assert_eq!(stopped["reason"], "entry");
    assert_eq!(client.line(), 6);
    let file = main_file("merge-sort");
    assert_eq!(client.frames()[0]["source"]["path"], file.as_str());

    // Line 7 calls sort; over it, back over it, into it.
    assert_eq!(client.go("next"), ("step".into(), 7));
    assert_eq!(client.go("next"), ("step".into(), 8));
    assert_eq!(client.go("stepBack"), ("step".into(), 7));
    assert_eq!(client.hover("values[1] + values.length"), "13");
    assert_eq!(client.hover("sorted"), "! sorted has no value here");
    assert_eq!(client.go("stepIn"), ("step".into(), 13));
    assert_eq!(client.frames().len(), 2);
    assert_eq!(client.shown("Arguments"), "values = [4, 9, 1, 7]");
    assert_eq!(client.go("stepOut"), ("step".into(), 7));
    assert_eq!(client.go("stepBack"), ("step".into(), 7));

    // Every execution of a line is known beforehand.
    let set = client.set_lines(
        &file,
        json!([
            {"line": 41},
            {"line": 46, "condition": "a.length == 2 && k > 0"},
            {"line": 3},
            {"line": 999},
        ]),
    );
    assert_eq!(set[0]["message"], "hit once in the whole run");
    assert_eq!(set[1]["verified"], true);
    assert_eq!(set[2]["verified"], true);
    assert_eq!(set[3]["verified"], false);
    let file_lines = |client: &mut Client, lines: Value| client.set_lines(&file, lines);
    let set = file_lines(&mut client, json!([{"line": 39, "hitCondition": "2"}]));
    assert!(
        set[0]["message"].as_str().unwrap().contains("hit"),
        "{set:?}"
    );
    let (reason, line) = client.go("continue");
    assert_eq!(reason, "breakpoint");
    assert!(line == 39, "{line}");
    assert_eq!(client.go("continue"), ("step".into(), 9));
    let end = client.go("reverseContinue");
    assert_eq!(end, ("breakpoint".into(), 39));

    // The last frame that the protocol can go back to: the beginning of the call.
    let frames = client.frames();
    assert!(
        frames[0]["name"].as_str().unwrap().contains("merge"),
        "{frames:?}"
    );
    let frame = frames[0]["id"].clone();
    client.ask("restartFrame", json!({"frameId": frame}));
    assert_eq!(client.event("stopped")["reason"], "restart");
    assert_eq!(client.line(), 35);
    assert_eq!(client.console("end"), "");
    client.event("stopped");
    let changed = client.shown("Changed by this call");
    assert_eq!(changed, "c = [0, 0, 0, 0] → [1, 4, 9, 7]");
}

#[test]
fn who_wrote_a_value_is_found_backwards_and_log_points_print_all_executions() {
    let recorded = Recorded::new("bank");
    let mut client = Client::start(recorded.folder.path());
    client.begin("attach", json!({"trace": "trace", "stopOnEntry": true}));
    let file = main_file("bank").replace("Main.java", "Account.java");
    let logged = json!([{"line": 11, "logMessage": "{name} has {balance}"}]);
    client.set_lines(&file, logged.clone());
    let first = client.event("output");
    let text = first["output"].as_str().unwrap().to_owned();
    assert!(text.contains("has"), "{first}");
    assert_eq!(first["source"]["path"], file.as_str());
    // Set again with others, nothing is printed twice.
    client.thread();
    client.events.clear();
    client.set_lines(&file, logged);
    client.thread();
    assert!(!client.events.iter().any(|event| event["event"] == "output"));

    // Backwards from a withdrawal to the write of what it began with.
    let set = client.set_lines(&file, json!([{"line": 20, "condition": "balance != 0"}]));
    assert_ne!(set[0]["message"], "never hit in the whole run");
    let (reason, line) = client.go("continue");
    assert_eq!((reason.as_str(), line), ("breakpoint", 21));
    let this = client.scope("this").unwrap();
    let before = client.hover("balance");
    let info = client.ask(
        "dataBreakpointInfo",
        json!({"variablesReference": this, "name": "balance"}),
    );
    let id = info["dataId"].as_str().unwrap().to_owned();
    client.set_lines(&file, json!([]));
    let set = client.ask(
        "setDataBreakpoints",
        json!({"breakpoints": [{"dataId": id}]}),
    );
    assert!(
        set["breakpoints"][0]["message"]
            .as_str()
            .unwrap()
            .contains("hit"),
        "{set}"
    );
    let (reason, line) = client.go("reverseContinue");
    assert_eq!(reason, "data breakpoint");
    assert!([8, 16, 21].contains(&line), "{line}");
    assert_eq!(client.hover("this.balance"), before);
    let history = client.console("history this.balance");
    assert!(history.contains("Account"), "{history}");

    // The line that wrote a value is told by its reference.
    let this = client.scope("this").unwrap();
    let fields = client.variables(this);
    let balance = fields
        .iter()
        .find(|field| field["name"] == "balance")
        .unwrap();
    let place = client.ask(
        "locations",
        json!({"locationReference": balance["valueLocationReference"]}),
    );
    assert!(place["line"].as_u64().is_some(), "{place}");

    // Where exceptions were thrown, caught ones included.
    client.ask("setDataBreakpoints", json!({"breakpoints": []}));
    let set = client.ask("setExceptionBreakpoints", json!({"filters": ["caught"]}));
    assert_ne!(
        set["breakpoints"][0]["message"],
        "never hit in the whole run"
    );
    let (reason, _) = client.go("continue");
    assert_eq!(reason, "exception");
    client.ask("setExceptionBreakpoints", json!({"filters": []}));
    let targets = client.ask("gotoTargets", json!({"source": {"path": file}, "line": 7}));
    let targets = targets["targets"].as_array().unwrap().clone();
    assert!(targets.len() > 1, "{targets:?}");
    let last = targets.last().unwrap()["id"].clone();
    let thread = client.thread();
    client.ask("goto", json!({"threadId": thread, "targetId": last}));
    assert_eq!(client.event("stopped")["reason"], "goto");
    assert_eq!(client.line(), 7);
}

#[test]
fn the_questions_are_answered_in_the_debug_console() {
    let recorded = Recorded::new("merge-sort");
    let trace = recorded.copy("asked");
    let mut client = Client::start(recorded.folder.path());
    client.begin("attach", json!({"trace": trace}));
    let mut text = client.console("?");
    client.event("stopped");
    let mut found = None;
    for _ in 0..30 {
        if text.contains("The bug is in") {
            found = Some(text.clone());
            break;
        }
        // Somebody who knows what sorting is: merge lost or kept the order of what it was given.
        let answer = match text.contains("merge(") {
            true => "no",
            false => match text.contains("slice(") {
                true => "yes",
                false => "no",
            },
        };
        text = client.console(answer);
    }
    let found = found.unwrap_or_else(|| panic!("nothing was found: {text}"));
    assert!(found.contains("Main.merge"), "{found}");
    let told = loop {
        let told = client.event("output");
        if told["category"] == "important" {
            break told;
        }
    };
    assert_eq!(told["source"]["path"], main_file("merge-sort").as_str());
    let frames = client.frames();
    assert!(
        frames[0]["name"].as_str().unwrap().contains("merge"),
        "{frames:?}"
    );
    // What is said is kept, and can be listed and taken back.
    let answers = client.console("answers");
    assert!(answers.contains("wrong"), "{answers}");
    let is_own = |event: &Value| event["event"].as_str().unwrap().starts_with("askance/");
    assert!(!client.events.iter().any(is_own), "{:?}", client.events);
    let completions = client.ask("completions", json!({"text": "sus", "column": 4}));
    assert_eq!(completions["targets"][0]["label"], "suspects");
    // `i` is a variable of merge and an answer: nobody answers by looking at it.
    let ambiguous = client.refused("evaluate", json!({"expression": "i", "context": "repl"}));
    assert!(ambiguous.contains("`= i`"), "{ambiguous}");
    client.console("u");
}

/// What an extension's views ask for: the same as the page, by frames and with files.
#[test]
fn an_extension_asks_answers_and_looks_things_up() {
    let recorded = Recorded::new("merge-sort");
    let trace = recorded.copy("extended");
    let mut client = Client::start(recorded.folder.path());
    client.begin("attach", json!({"trace": trace, "stopOnEntry": true}));
    let file = main_file("merge-sort");

    let standing = client.ask("askance/question", json!({}));
    let question = &standing["step"]["ask"];
    assert_eq!(question["sourceFile"], file.as_str(), "{standing}");
    let node = question["node"].clone();
    client.ask("askance/goTo", json!({"node": node}));
    assert_eq!(client.event("stopped")["reason"], "goto");
    let frame = client.frames()[0]["id"].clone();

    // The frame's call is meant where nothing else is named.
    let coverage = client.ask("askance/coverage", json!({"frameId": frame}));
    assert_eq!(coverage["node"], node);
    assert!(
        !coverage["lines"].as_array().unwrap().is_empty(),
        "{coverage}"
    );
    let shown = client.ask("askance/node", json!({}));
    assert_eq!(shown["sourceFile"], file.as_str());
    let suspects = client.ask("askance/suspects", json!({"most": 3}));
    assert!(suspects["suspects"].as_array().unwrap().len() <= 3);

    client.ask("askance/goTo", json!({"node": 0, "event": 0}));
    client.event("stopped");
    assert_eq!(client.line(), 6);
    client.go("next");
    let history = client.ask("askance/history", json!({"variable": "values"}));
    assert_eq!(history["writes"][0]["line"], 6, "{history}");
    assert_eq!(history["writes"][0]["sourceFile"], file.as_str());
    let why = client.ask("askance/why", json!({"path": "values", "node": 0}));
    assert!(!why["steps"].as_array().unwrap().is_empty(), "{why}");
    client.ask("askance/backOut", json!({}));
    client.event("stopped");

    // Answers change the session, and say so; an old revision is refused.
    let revision = standing["revision"].as_u64().unwrap();
    let saying = json!({"revision": revision, "answer": "no"});
    let after = client.ask("askance/answer", saying.clone());
    assert_eq!(
        client.event("askance/changed")["revision"],
        after["revision"]
    );
    assert_eq!(after["answers"].as_array().unwrap().len(), 1, "{after}");
    let refused = client.refused("askance/answer", saying);
    assert!(refused.contains("gone on"), "{refused}");
    let undone = client.ask("askance/undo", json!({"revision": after["revision"]}));
    assert_eq!(undone["answers"], json!([]));
    client.refused("askance/diagnosis", json!({}));
    client.refused("askance/nonsense", json!({}));
    client.refused("askance/node", json!({"node": 99_999_999}));
    client.refused("askance/goTo", json!({"node": 0, "event": 99_999_999}));
}

const FAILING: &str = "public class Main {
    static int[] half(int[] all) {
        int[] part = new int[all.length / 2];
        for (int at = 0; at <= part.length; at++) {
            part[at] = all[at];
        }
        return part;
    }
    public static void main(String[] args) {
        System.out.println(\"begins\");
        System.out.println(half(new int[] {1, 2, 3, 4}).length);
    }
}
";

#[test]
fn a_program_is_launched_and_shown_where_it_failed() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", FAILING);
    let mut client = Client::start(folder.path());
    let stopped = client.begin("launch", json!({"program": "Main.java"}));
    assert_eq!(stopped["reason"], "exception");
    assert!(
        stopped["text"]
            .as_str()
            .unwrap()
            .contains("ArrayIndexOutOfBounds"),
        "{stopped}"
    );
    assert_eq!(client.line(), 5);
    assert_eq!(client.hover("at"), "2");
    assert_eq!(client.hover("part"), "[1, 2]");
    let printed = client.event("output");
    assert!(
        printed["output"].as_str().unwrap().contains("begins"),
        "{printed}"
    );
    let thread = client.thread();
    let info = client.ask("exceptionInfo", json!({"threadId": thread}));
    assert_eq!(
        info["exceptionId"],
        "java.lang.ArrayIndexOutOfBoundsException"
    );
    let sources = client.ask("loadedSources", json!({}));
    assert_eq!(sources["sources"].as_array().unwrap().len(), 1);
    // What a recording cannot do is refused, and the client lives on.
    let refused = client.refused(
        "setVariable",
        json!({"variablesReference": 1, "name": "at", "value": "1"}),
    );
    assert_eq!(refused, "a recorded run cannot be changed");
    client.refused("variables", json!({"variablesReference": 9999}));
    client.refused("scopes", json!({"frameId": 9999}));
    client.refused("nonsense", json!({}));
    client.refused("next", json!({"threadId": "one"}));
    assert_eq!(client.line(), 5);
    client.ask("disconnect", json!({}));
    let ended = client.child.as_mut().unwrap().wait().unwrap();
    assert_eq!(ended.code(), Some(0));
}

#[test]
fn what_cannot_be_launched_is_told_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path());
    client.ask("initialize", json!({}));
    for (command, arguments, words) in [
        ("launch", json!({}), "there is nothing to run"),
        ("launch", json!({"program": "None.java"}), "None.java"),
        (
            "launch",
            json!({"test": "CartTest"}),
            "a test needs a class path",
        ),
        ("attach", json!({}), "there is nothing to look at"),
        ("attach", json!({"trace": "none"}), "none"),
        ("launch", json!({"program": 7}), "cannot be understood"),
    ] {
        let sentence = client.refused(command, arguments);
        assert!(sentence.contains(words), "{sentence}");
        assert!(!sentence.contains('\n'), "{sentence}");
    }
    assert!(
        client
            .refused("stackTrace", json!({"threadId": 1}))
            .contains("not stopped anywhere yet")
    );
}

#[test]
fn a_port_is_of_no_use_without_its_token() {
    let recorded = Recorded::new("odd-sum");
    let mut command = askance(recorded.folder.path());
    command
        .args(["dap", "--port", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let (address, token) = line.trim().split_once(' ').unwrap();
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    let connect = || {
        let stream = TcpStream::connect(address).unwrap();
        Client::new(stream.try_clone().unwrap(), stream, None)
    };
    let mut stranger = connect();
    stranger.ask("initialize", json!({}));
    let refused = stranger.refused("attach", json!({"trace": "trace"}));
    assert!(refused.contains("token"), "{refused}");
    let mut one = connect();
    one.child = Some(child);
    one.begin("attach", json!({"trace": "trace", "token": token}));
    // Two clients of one trace share its session.
    let mut other = connect();
    other.begin("attach", json!({"trace": "trace", "token": token}));
    let question = one.console("?");
    assert_eq!(other.console("?"), question);
    one.console("no");
    assert_ne!(other.console("?"), question);
}

/// The client that checks debug adapters for VS Code, where `cargo xtask setup` has installed it.
#[test]
fn the_client_that_checks_adapters_for_vs_code_is_content() {
    let modules = test_support::target_dir().join("dap-client/node_modules");
    if !modules.is_dir() {
        test_support::skip("the client of the Debug Adapter Protocol, by `cargo xtask setup`");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/javascript/dap_client.cjs");
    let folder = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new("node");
    crate::support::as_a_user(&mut command, folder.path());
    command.arg(script).arg(modules);
    command
        .arg(env!("CARGO_BIN_EXE_askance"))
        .arg(main_file("merge-sort"));
    let said = crate::support::Said::from(command.output().unwrap());
    assert_eq!(said.code, Some(0), "{}\n{}", said.out, said.err);
    assert_eq!(said.out.trim(), "done");
}

/// As clients in Emacs do, whose lists have no other word for nothing.
#[test]
fn null_is_sent_for_what_is_not_said() {
    let recorded = Recorded::new("merge-sort");
    let mut client = Client::start(recorded.folder.path());
    let about =
        json!({"adapterID": "askance", "linesStartAt1": null, "supportsProgressReporting": null});
    client.ask("initialize", about);
    let attach = json!({"trace": "trace", "jvm": null, "sourcePath": null, "stopOnEntry": true, "stopOnBreakpoint": null});
    client.ask("attach", attach);
    client.event("initialized");
    let set = client.set_lines(
        &main_file("merge-sort"),
        json!([{"line": 7, "name": null, "condition": null, "hitCondition": null, "logMessage": null}]),
    );
    assert_eq!(set[0]["verified"], true, "{set:?}");
    client.ask("configurationDone", Value::Null);
    client.event("stopped");
    assert_eq!(client.go("continue"), ("breakpoint".into(), 7));
    let thread = client.thread();
    let stack = json!({"threadId": thread, "startFrame": null, "levels": null});
    let stack = client.ask("stackTrace", stack);
    assert_eq!(stack["totalFrames"], 1, "{stack}");
}

#[test]
fn byte_code_and_an_environment_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let program = "public class Main {
    public static void main(String[] args) {
        String colour = System.getenv(\"COLOUR\");
        String home = System.getenv(\"HOME\");
        System.out.println(colour + home);
    }
}
";
    source(folder.path(), "Main.java", program);
    let mut client = Client::start(folder.path());
    let env = json!({"COLOUR": "green", "HOME": null});
    client.begin("launch", json!({"program": "Main.java", "env": env}));
    assert_eq!(client.hover("colour"), "\"green\"");
    assert_eq!(client.hover("home"), "null");
    let frame = client.frames()[0]["id"].clone();
    client.ask("restartFrame", json!({"frameId": frame}));
    client.event("stopped");
    let code = client.frames()[0]["instructionPointerReference"].clone();
    let wanted = json!({"memoryReference": code, "instructionOffset": -1, "instructionCount": 4});
    let told = client.ask("disassemble", wanted);
    let told = told["instructions"].as_array().unwrap().clone();
    assert_eq!(told.len(), 4);
    assert_eq!(told[0]["presentationHint"], "invalid");
    let texts: Vec<&str> = told
        .iter()
        .filter_map(|it| it["instruction"].as_str())
        .collect();
    assert!(
        texts[2].contains("invokestatic java.lang.System.getenv"),
        "{texts:?}"
    );
    assert_eq!(told[1]["line"], 3);
    client.refused(
        "disassemble",
        json!({"memoryReference": "0x1", "instructionCount": 4}),
    );
    client.refused(
        "disassemble",
        json!({"memoryReference": "here", "instructionCount": 4}),
    );
}

/// Goes on when a file is there, and waits for another one then.
const GOING_ON: &str = r#"import java.nio.file.*;
public class Main {
    static int early(int n) { return n + 1; }
    static int late(int n) {
        int twice = 2 * n;
        return twice;
    }
    static void await(String name) throws Exception {
        for (int n = 0; n < 6000 && !Files.exists(Paths.get(name)); n++) {
            Thread.sleep(10);
        }
    }
    public static void main(String[] args) throws Exception {
        System.out.println("early " + early(1));
        await("first");
        System.out.println("late " + late(4));
        await("second");
        System.out.println("last " + late(7));
    }
}
"#;

#[test]
fn a_program_is_looked_at_while_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", GOING_ON);
    let file = folder.path().join("Main.java").display().to_string();
    let go = |name: &str| std::fs::write(folder.path().join(name), "").unwrap();
    let mut client = Client::start(folder.path());
    client.ask("initialize", json!({}));
    client.ask("launch", json!({"program": "Main.java", "live": true}));
    client.event("initialized");
    let set = client.set_lines(&file, json!([{"line": 3}, {"line": 6}]));
    assert_eq!(set[0]["verified"], true, "{set:?}");
    client.ask("configurationDone", json!({}));
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "breakpoint");
    assert_eq!(client.line(), 3);
    assert_eq!(client.hover("n"), "1");
    let printed = client.event("output");
    assert_eq!(printed["output"], "early 2\n");

    // What comes later is gone on to when it comes.
    let logged = json!([{"line": 6, "logMessage": "twice is {twice}"}]);
    let set = client.set_lines(&file, logged);
    assert_eq!(set[0]["message"], "never hit so far");
    let thread = client.thread();
    client.ask("continue", json!({"threadId": thread}));
    go("first");
    let said = loop {
        let printed = client.event("output")["output"]
            .as_str()
            .unwrap()
            .to_owned();
        if printed.starts_with("twice") {
            break printed;
        }
    };
    assert_eq!(said, "twice is 8\n");
    client.ask("pause", json!({"threadId": thread}));
    assert_eq!(client.event("stopped")["reason"], "pause");
    let names: Vec<Value> = client
        .frames()
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    assert!(
        names.last().unwrap().as_str().unwrap().contains("main"),
        "{names:?}"
    );
    let set = client.set_lines(&file, json!([{"line": 6}]));
    assert_eq!(set[0]["message"], "hit once so far");
    assert_eq!(client.go("reverseContinue"), ("breakpoint".into(), 6));
    assert_eq!(client.hover("twice"), "8");
    assert_eq!(client.go("stepBack"), ("step".into(), 5));
    let thread = client.thread();
    client.ask("continue", json!({"threadId": thread}));
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    client.ask("continue", json!({"threadId": thread}));
    go("second");
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    assert_eq!(client.hover("twice"), "14");

    // At the end it is a run like any other.
    client.ask("continue", json!({"threadId": thread}));
    let stopped = client.event("stopped");
    assert_eq!(stopped["text"], "the recording of this thread ends here");
    let set = client.set_lines(&file, json!([{"line": 6}]));
    assert_eq!(set[0]["message"], "hit 2 times in the whole run");
    client.ask("disconnect", json!({}));
    let ended = client.child.as_mut().unwrap().wait().unwrap();
    assert_eq!(ended.code(), Some(0));
}

/// What is met after more was recorded than the session began with.
#[test]
fn the_first_breakpoint_may_be_met_late() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", GOING_ON);
    let file = folder.path().join("Main.java").display().to_string();
    let mut client = Client::start(folder.path());
    client.ask("initialize", json!({}));
    client.ask("launch", json!({"program": "Main.java", "live": true}));
    client.event("initialized");
    client.set_lines(&file, json!([{"line": 6}]));
    client.ask("configurationDone", json!({}));
    // By then the run is followed.
    assert_eq!(client.event("output")["output"], "early 2\n");
    for name in ["first", "second"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "breakpoint", "{stopped}");
    assert_eq!(client.hover("twice"), "8");
}

#[test]
fn a_program_that_runs_ends_with_its_debugger() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", GOING_ON);
    let mut client = Client::start(folder.path());
    let launch =
        json!({"program": "Main.java", "live": true, "stopOnEntry": true, "trace": "kept"});
    let stopped = client.begin("launch", launch);
    assert_eq!(stopped["reason"], "entry");
    assert_eq!(client.line(), 14);
    let begun = std::time::Instant::now();
    client.ask("disconnect", json!({}));
    let ended = client.child.as_mut().unwrap().wait().unwrap();
    assert_eq!(ended.code(), Some(0));
    // It would have waited for a minute.
    assert!(begun.elapsed() < Duration::from_secs(50));
    let said = crate::support::run(folder.path(), ["info", "kept"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
}

/// An agent, an editor and the page in one session.
#[test]
fn an_agent_lets_editors_and_the_page_into_its_session() {
    let recorded = Recorded::new("merge-sort");
    recorded.copy("shared");
    let mut command = askance(recorded.folder.path());
    command.args([
        "mcp",
        "shared",
        "--dap",
        "0",
        "--page",
        "--strategy",
        "ranges",
    ]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut last_words = |start: &str| {
        let mut lines = said.by_ref().map(Result::unwrap);
        lines.find(|line| line.contains(start)).unwrap()
    };
    let page = last_words("the page is at ");
    let editors = last_words("editors connect to ");
    let mut agent = (
        child.stdin.take().unwrap(),
        BufReader::new(child.stdout.take().unwrap()),
    );
    let page = Serving::at(page.rsplit(' ').next().unwrap(), child);

    let words: Vec<&str> = editors.split(' ').collect();
    let [.., address, "with", "the", "token", token] = words[..] else {
        panic!("{editors}");
    };
    let stream = TcpStream::connect(address).unwrap();
    let mut editor = Client::new(stream.try_clone().unwrap(), stream, None);
    editor.begin("attach", json!({"trace": "shared", "token": token}));
    let standing = editor.ask("askance/question", json!({}));

    // What is said on the page is heard in the editor.
    let answer = json!({"revision": standing["revision"], "answer": "no"});
    page.done("api/runs/0/session/answer", &answer);
    assert_ne!(
        editor.event("askance/changed")["revision"],
        standing["revision"]
    );
    let standing = editor.ask("askance/question", json!({}));
    assert_eq!(
        standing["answers"].as_array().unwrap().len(),
        1,
        "{standing}"
    );

    // So is what the agent says.
    let about = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    said_to(&mut agent, "initialize", Some(1), about);
    said_to(&mut agent, "notifications/initialized", None, json!({}));
    let open = json!({"name": "open_trace", "arguments": {"trace": "shared"}});
    let opened = said_to(&mut agent, "tools/call", Some(2), open);
    let opened = &opened["result"]["structuredContent"];
    assert_eq!(opened["revision"], standing["revision"], "{opened}");
    let answer = json!({"session": opened["session"], "revision": opened["revision"], "answer": "yes", "confidence": 0.9});
    let answer = json!({"name": "answer", "arguments": answer});
    said_to(&mut agent, "tools/call", Some(3), answer);
    editor.event("askance/changed");
    let standing = editor.ask("askance/question", json!({}));
    assert_eq!(
        standing["answers"].as_array().unwrap().len(),
        2,
        "{standing}"
    );
    let on_page = page.found("api/runs/0/session");
    assert_eq!(on_page["revision"], standing["revision"]);
}

/// Says a line to a server of the Model Context Protocol, and gives the answer to it.
fn said_to(
    (input, output): &mut (impl Write, impl BufRead),
    method: &str,
    id: Option<u64>,
    parameters: Value,
) -> Value {
    let mut request = json!({"jsonrpc": "2.0", "method": method, "params": parameters});
    if let Some(id) = id {
        request["id"] = id.into();
    }
    writeln!(input, "{request}").unwrap();
    input.flush().unwrap();
    let Some(id) = id else {
        return Value::Null;
    };
    for line in output.lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if message["id"] == id {
            return message;
        }
    }
    panic!("no answer to {method}");
}
