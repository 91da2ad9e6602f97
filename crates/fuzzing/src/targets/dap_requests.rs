//! Requests of the Debug Adapter Protocol about a recorded run, without a stream to an editor.
//!
//! An input is one request a line, `evaluate {"expression":"n + 1"}`; a line without arguments that are JSON is passed
//! over, and the last line is sent as it is. Each input begins with a new session about the same run, so that it does
//! the same whenever it is run. Every request must get one answer with its number, in order, until one of them says
//! goodbye.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use anyhow::{Context, Result};
use askance_api::{LiveRun, RunSnapshot};
use askance_dap::{AttachArguments, EditorWorkplace, LaunchArguments, LaunchListener};
use debug_engine::oracle::Cascade;
use inquiry::Opening;
use java_model::run::JavaRun;
use serde_json::{Value, json};

use crate::recorded;

/// More requests than these are another input.
const MOST_REQUESTS: usize = 10;
const REQUESTS_OF_A_SEED: usize = 4;
const GOODBYE: &str = "disconnect";

pub(super) const WORDS: &[&[u8]] = &[
    b"\nnext {\"threadId\":1}",
    b"\nstepIn {\"threadId\":1}",
    b"\nstepBack {\"threadId\":1}",
    b"\nstepOut {\"threadId\":1}",
    b"\ncontinue {\"threadId\":1}",
    b"\nreverseContinue {\"threadId\":1}",
    b"\nstackTrace {\"threadId\":1}",
    b"\nscopes {\"frameId\":1}",
    b"\nvariables {\"variablesReference\":1}",
    b"\nevaluate {\"expression\":\"this\",\"frameId\":1}",
    b"\nevaluate {\"expression\":\"no\",\"context\":\"repl\"}",
    b"\ncompletions {\"text\":\"s\",\"column\":2}",
    b"\naskance/goTo {\"node\":1,\"event\":0}",
    b"\"condition\":\"n > 1\"",
    b"\"hitCondition\":\"% 2\"",
    b"\"logMessage\":\"{n} and {m}\"",
    b" instanceof ",
    b" ? 1 : 2",
    b"-2147483648",
    b"9223372036854775808L",
    b"1.0e308",
    b"'\\u0000'",
    b"\\\"",
    b"null",
    b"4294967295",
    "äβ𝛾".as_bytes(),
];

static RUN: LazyLock<Arc<JavaRun>> = LazyLock::new(|| match open() {
    Ok(run) => Arc::new(run),
    Err(error) => panic!("there is nothing to look at: {error:#}"),
});

fn open() -> Result<JavaRun> {
    let traces = recorded::traces()?;
    let trace = traces.first().context("nothing is recorded")?;
    Ok(JavaRun::open(trace, None, &mut |_, _| {})?)
}

/// Where only that one run can be looked at, whatever is asked for.
struct Workplace;

impl EditorWorkplace for Workplace {
    fn launch(&self, _: &LaunchArguments, _: &dyn LaunchListener) -> Result<Arc<LiveRun>, String> {
        Err("nothing is run here".to_owned())
    }

    fn attach(&self, _: &AttachArguments) -> Result<Arc<LiveRun>, String> {
        let run = Arc::clone(&RUN);
        let opened = RunSnapshot::recorded(run, &Opening::default(), Cascade::new(), None);
        let opened = opened.map_err(|error| error.to_string())?;
        Ok(Arc::new(LiveRun::complete(opened)))
    }
}

/// What the adapter said.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines: Vec<&str> = text.lines().take(MOST_REQUESTS).collect();
    let last = lines.pop().unwrap_or_default();
    let mut requests = vec![
        ("initialize", json!({"adapterID": "askance"})),
        ("attach", json!({"trace": "trace", "stopOnEntry": true})),
        ("configurationDone", Value::Null),
    ];
    requests.extend(lines.into_iter().filter_map(request));
    let mut input = Vec::new();
    for (number, (command, arguments)) in (1..).zip(&requests) {
        let message =
            json!({"seq": number, "type": "request", "command": command, "arguments": arguments});
        input.extend(framed(&message.to_string()));
    }
    input.extend(framed(last));
    let said = Said::default();
    // Whatever the last line is, what came before it is answered.
    let _ = askance_dap::serve(Cursor::new(input), said.clone(), &Workplace);
    let said = said.0.lock().unwrap_or_else(PoisonError::into_inner);
    let answered = answers(&said);
    let end = requests.iter().position(|request| request.0 == GOODBYE);
    let expected: Vec<u64> = (1..)
        .take(end.map_or(requests.len(), |end| end + 1))
        .collect();
    assert!(
        answered.starts_with(&expected),
        "{expected:?} were asked and {answered:?} answered"
    );
}

/// The request that a line stands for, if it is one at all.
fn request(line: &str) -> Option<(&str, Value)> {
    let (command, arguments) = line.split_once(' ').unwrap_or((line, "null"));
    let arguments = serde_json::from_str(arguments).ok()?;
    (!command.is_empty()).then_some((command, arguments))
}

fn framed(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// The numbers of the requests that were answered, in order; events are passed over.
fn answers(said: &[u8]) -> Vec<u64> {
    let mut found = Vec::new();
    let mut rest = said;
    while !rest.is_empty() {
        let (body, behind) = match message(rest) {
            Some(parts) => parts,
            None => panic!("no message: {}", String::from_utf8_lossy(rest)),
        };
        let Ok(body) = serde_json::from_slice::<Value>(body) else {
            panic!("no JSON: {}", String::from_utf8_lossy(body));
        };
        if body["type"] == "response" {
            found.extend(body["request_seq"].as_u64());
        }
        rest = behind;
    }
    found
}

/// The body of the first message, and what is behind it.
fn message(said: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = said.strip_prefix(b"Content-Length: ")?;
    let end = rest.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let length: usize = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
    rest[end + 4..].split_at_checked(length)
}

/// Sessions as they are held, and every request once.
pub(super) fn seeds() -> Result<Vec<Vec<u8>>> {
    let talks = [
        r#"threads
stackTrace {"threadId":1,"startFrame":0,"levels":20}
scopes {"frameId":1}
variables {"variablesReference":1,"start":0,"count":10}
next {"threadId":1}
stepIn {"threadId":1}
stackTrace {"threadId":1}
scopes {"frameId":2}
variables {"variablesReference":2}
stepBack {"threadId":1}
stepOut {"threadId":1}
askance/backIn
askance/backOut
restartFrame {"frameId":1}
{"seq":99,"type":"request","command":"threads"}"#,
        r#"loadedSources
setBreakpoints {"source":{"path":"Main.java"},"breakpoints":[{"line":5},{"line":7,"condition":"n > 2"}]}
setBreakpoints {"source":{"name":"Main.java"},"breakpoints":[{"line":9,"hitCondition":">= 2","logMessage":"{n} is n"}]}
setFunctionBreakpoints {"breakpoints":[{"name":"main"},{"name":"Main.sum","condition":"true"}]}
setExceptionBreakpoints {"filters":["caught","uncaught"]}
breakpointLocations {"source":{"path":"Main.java"},"line":1,"endLine":30}
continue {"threadId":1}
continue {"threadId":1}
dataBreakpointInfo {"name":"args","frameId":1}
setDataBreakpoints {"breakpoints":[{"dataId":"0 args"}]}
reverseContinue {"threadId":1}
gotoTargets {"source":{"path":"Main.java"},"line":5}
goto {"threadId":1,"targetId":0}
exceptionInfo {"threadId":1}
source {"sourceReference":1}
disassemble {"memoryReference":"0x0","instructionOffset":-2,"instructionCount":9}
locations {"locationReference":1}
disconnect {"terminateDebuggee":true}
"#,
        r#"evaluate {"expression":"?","context":"repl"}
evaluate {"expression":"no","context":"repl"}
evaluate {"expression":"suspects","context":"repl"}
evaluate {"expression":"history args","context":"repl"}
evaluate {"expression":"why args","context":"repl"}
evaluate {"expression":"back in","context":"repl"}
evaluate {"expression":"end","context":"repl"}
evaluate {"expression":"args.length + 1 == 3 ? \"a\" : 'b'","context":"hover","frameId":1}
evaluate {"expression":"(args instanceof String[]) && !(1.5 / 0 > 2L % 3)","context":"watch","frameId":1}
evaluate {"expression":"u","context":"repl"}
completions {"text":"args.","column":6,"frameId":1}
"#,
        r#"askance/question
askance/answer {"revision":0,"answer":"no"}
askance/undo {"revision":1}
askance/suspects {"most":3}
askance/history {"variable":"args","from":0,"most":10}
askance/why {"path":"return","node":1}
askance/coverage {"node":1,"event":3}
askance/node {"node":1}
askance/source {"node":1}
askance/events {"node":1}
askance/children {"node":0,"from":0,"most":50}
askance/path {"node":2}
askance/search {"text":"a","from":0,"most":20}
askance/goTo {"node":1,"event":0}
askance/diagnosis
askance/run
"#,
    ];
    // A long talk is slow, and a change in it is met by few of its requests.
    let pieces = talks.iter().flat_map(|talk| {
        let lines: Vec<&str> = talk.lines().collect();
        let pieces = lines.chunks(REQUESTS_OF_A_SEED);
        pieces
            .map(|piece| piece.join("\n").into_bytes())
            .collect::<Vec<_>>()
    });
    Ok(pieces.collect())
}
