//! `askance report`: what was found, and the calls round it, as one page that needs no server.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::ask_options::SearchArguments;
use super::failure::{Exit, Failure};
use super::output;
use super::record::bytes;
use super::served;
use crate::web;
use askance_api::saved::{SavedAnswers, answers_about};
use askance_api::suspects::{SuspectTold, SuspectsRequest, of_session};
use askance_api::{LiveRun, RunSnapshot, tree};
use inquiry::finding::NO_CALL_LEFT;
use inquiry::words::count;
use launch::user_folders;

/// What a file may take besides the page itself, which has half a megabyte.
const MOST_BYTES: usize = 4 << 20;
/// Of so many calls everything is told.
const MOST_CALLS: usize = 5;

/// Write what was found, and the calls round it, into one page that needs no server
///
/// The page has the finding (or, while nothing is found, what is suspected and why), the calls round it with their
/// values, events, source and histories, and what the program printed, as far as five megabytes take it.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance report run.askance -o report.html\n         askance report run.askance -o report.html --verdict verdict.json"
)]
pub(crate) struct Arguments {
    /// The trace's folder, as `askance record` made it
    #[arg(value_name = "TRACE")]
    trace: PathBuf,

    /// Where the page goes
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,

    /// What `debug --json` or `ask --json` has said of this trace; its last line is read
    #[arg(long, value_name = "FILE")]
    verdict: Option<PathBuf>,

    /// The JVM, by its process id, if several were recorded
    #[arg(long, value_name = "PID")]
    jvm: Option<u32>,

    #[command(flatten)]
    search: SearchArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let Arguments {
        trace,
        output,
        verdict,
        jvm,
        search,
    } = arguments;
    search.check()?;
    let verdict = verdict.as_deref().map(read_verdict).transpose()?;
    let (snapshot, _reference) = served::open(trace, *jvm, search)?;
    let live = LiveRun::complete(snapshot);
    let page = page(&live, verdict.as_ref())?;
    let size = page.len() as u64;
    // The page has the program's values in it: nobody else is to read them.
    user_folders::write_private(output, &page).map_err(|error| {
        Failure::mistake(format!("{} cannot be written: {error}", output.display()))
            .hint("name another file with -o")
    })?;
    output::say(&format!(
        "the report is in {} ({})",
        output.display(),
        bytes(size)
    ));
    Ok(Exit::Done)
}

/// The last line of what another command has said.
fn read_verdict(path: &Path) -> Result<Value, Failure> {
    let said = std::fs::read_to_string(path)
        .map_err(|error| Failure::mistake(format!("{} cannot be read: {error}", path.display())))?;
    let line = said.lines().last().unwrap_or_default();
    let verdict = serde_json::from_str(line).ok();
    verdict
        .filter(|verdict: &Value| verdict["outcome"].is_string())
        .ok_or_else(|| {
            Failure::mistake(format!("{} has no verdict", path.display()))
                .hint("give it what `askance debug --json` printed")
        })
}

/// What stands in the page.
#[derive(Debug, Serialize)]
struct Saved {
    finding: Finding,
    #[serde(flatten)]
    answers: SavedAnswers,
}

/// What was found, in words.
#[derive(Debug, Serialize)]
struct Finding {
    title: String,
    sentences: Vec<String>,
    calls: Vec<Blamed>,
}

/// A call that is or may be to blame.
#[derive(Debug, Serialize)]
struct Blamed {
    node: Option<u32>,
    name: String,
    place: String,
    /// What it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    reasons: Vec<String>,
}

fn page(live: &LiveRun, verdict: Option<&Value>) -> Result<String, Failure> {
    let known = live.known().map_err(untold)?;
    let session = askance_api::session::standing(&known).map_err(untold)?;
    let session: Value = serde_json::from_str(session.get()).unwrap_or_default();
    let finding = match verdict {
        Some(verdict) => of_verdict(&known, verdict),
        None => of_session_now(&known, &session),
    };
    let mut calls: Vec<u32> = finding.calls.iter().filter_map(|call| call.node).collect();
    if calls.is_empty() {
        let step = &session["step"];
        let asked = [&step["done"]["node"], &step["ask"]["node"]];
        calls.extend(asked.into_iter().find_map(number));
    }
    calls.truncate(MOST_CALLS);
    let answers = answers_about(live, &calls, MOST_BYTES).map_err(untold)?;
    let title = finding.title.clone();
    Ok(web::in_one_file(&title, &Saved { finding, answers })?)
}

fn untold(error: askance_api::ApiError) -> Failure {
    Failure::mistake(error.text())
}

fn number(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

/// What another command has said of the trace.
fn of_verdict(run: &RunSnapshot, verdict: &Value) -> Finding {
    let outcome = verdict["outcome"].as_str().unwrap_or_default();
    let is_found = matches!(outcome, "found" | "found_method");
    let listed = |name: &str| {
        let list = verdict[name].as_array().into_iter().flatten();
        let list = list.filter_map(|one| blamed(run, one));
        list.take(MOST_CALLS).collect::<Vec<Blamed>>()
    };
    let mut calls = listed("changes");
    if calls.is_empty() {
        calls.extend(blamed(run, verdict).filter(|_| is_found));
    }
    let mut sentences = Vec::new();
    if verdict["verified"] == true {
        let runs = verdict["experiments"].as_u64().unwrap_or_default();
        sentences.push(format!(
            "Verified by {}: with the reference's code of it, the program does what the reference does.",
            count(runs, "run", "runs")
        ));
    }
    let resources = verdict["resources"].as_array().into_iter().flatten();
    for path in resources.filter_map(Value::as_str) {
        sentences.push(format!("{path} is to blame, and is no code."));
    }
    if !verdict["settings"].is_null() {
        sentences.push("What the command gives the program is to blame, and no code.".to_owned());
    }
    let title = match (is_found, calls.first()) {
        (true, Some(first)) => format!("The bug is in {}", first.name),
        (true, None) => "The bug was found".to_owned(),
        (false, _) if outcome == "none" => {
            format!("No bug found: {NO_CALL_LEFT}")
        }
        (false, _) => {
            calls = listed("methods");
            for one in &mut calls {
                one.reasons = vec!["it is not the same in the reference".to_owned()];
            }
            if calls.is_empty() {
                calls = suspected(run);
            }
            undecided(&calls)
        }
    };
    Finding {
        title,
        sentences,
        calls,
    }
}

/// How far the answers that are kept in the trace have come.
fn of_session_now(run: &RunSnapshot, session: &Value) -> Finding {
    let done = &session["step"]["done"];
    let report = askance_api::diagnosis::report_on(run).ok();
    let report = report.and_then(|report| serde_json::to_value(report).ok());
    let culprit = report.map(|report| report["culprit"].clone());
    let answers = session["answers"].as_array().map_or(0, Vec::len) as u64;
    let because = format!("By {}.", count(answers, "answer", "answers"));
    match (done["outcome"].as_str(), culprit) {
        (Some("found" | "found_method"), Some(culprit)) if culprit.is_object() => {
            let name = culprit["routine"].as_str().unwrap_or_default().to_owned();
            let node = number(&culprit["node"]);
            Finding {
                title: format!("The bug is in {name}"),
                sentences: vec![because],
                calls: vec![Blamed {
                    node: node.or_else(|| number(&done["node"])),
                    name,
                    place: place(&culprit),
                    call: culprit["line"].as_str().map(str::to_owned),
                    reasons: Vec::new(),
                }],
            }
        }
        (Some("none"), _) => Finding {
            title: format!("No bug found: {NO_CALL_LEFT}"),
            sentences: vec![because],
            calls: Vec::new(),
        },
        _ => {
            let calls = suspected(run);
            Finding {
                title: undecided(&calls),
                sentences: vec![because],
                calls,
            }
        }
    }
}

fn undecided(calls: &[Blamed]) -> String {
    match calls.is_empty() {
        true => "What is to blame is not decided".to_owned(),
        false => "What is to blame is not decided; the likeliest".to_owned(),
    }
}

/// The likeliest as the answers stand.
fn suspected(run: &RunSnapshot) -> Vec<Blamed> {
    let request = SuspectsRequest { most: MOST_CALLS };
    let list = of_session(run, &request).map(|list| list.suspects);
    let told = |one: SuspectTold| Blamed {
        node: Some(one.node),
        name: name(&one.class, Some(&one.method)),
        place: serde_json::to_value(&one).map_or_else(|_| String::new(), |one| place(&one)),
        call: Some(one.call),
        reasons: one.reasons,
    };
    list.unwrap_or_default().into_iter().map(told).collect()
}

/// What a verdict tells of a method.
fn blamed(run: &RunSnapshot, told: &Value) -> Option<Blamed> {
    // A verdict may be of another trace.
    let node = number(&told["node"]).and_then(|node| run.node(node).ok());
    Some(Blamed {
        name: name(told["class"].as_str()?, told["method"].as_str()),
        place: place(told),
        call: node.map(|node| tree::line(run, node).to_string()),
        node: node.map(|node| node.0),
        reasons: Vec::new(),
    })
}

/// `Cart.total`; a class alone if it is how that is declared.
fn name(class: &str, method: Option<&str>) -> String {
    let simple = class.rsplit(['.', '/']).next().unwrap_or(class);
    match method {
        Some(method) => format!("{simple}.{method}"),
        None => simple.to_owned(),
    }
}

/// `Cart.java, lines 12, 13`.
fn place(told: &Value) -> String {
    let lines = told["lines"].as_array().into_iter().flatten();
    let lines: Vec<String> = lines.map(Value::to_string).collect();
    let file = told["file"].as_str().unwrap_or_default();
    match (file, lines.as_slice()) {
        ("", _) => String::new(),
        (file, []) => file.to_owned(),
        (file, [line]) => format!("{file}, line {line}"),
        (file, lines) => format!("{file}, lines {}", lines.join(", ")),
    }
}
