//! `askance diff`: where two runs first went apart.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use debug_engine::session::Answer;
use debug_engine::view::render::Bounds;
use debug_engine::{ExecutionTree as _, NodeId};
use serde::Serialize;

use super::decided::one_line;
use super::failure::{Exit, Failure};
use super::inspect;
use super::output;
use super::reference::check_beginning;
use inquiry::oracle::reference::Reference;
use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;

/// Show where two runs of a program, or of two versions of it, first went apart
///
/// Listed are calls that began in the same state in both runs and ended differently, the innermost
/// ones, in the order of the first run. The exit code is 0 if there are differences, 1 if the runs
/// are the same.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance diff old.askance new.askance\n         askance diff old.askance new.askance --most 3 --json"
)]
pub(crate) struct Arguments {
    /// The trace whose calls are listed
    #[arg(value_name = "TRACE")]
    one: PathBuf,

    /// The trace that it is compared with
    #[arg(value_name = "TRACE")]
    other: PathBuf,

    /// No more differences than this are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    most: usize,

    /// As JSON
    #[arg(long)]
    json: bool,
}

/// No more calls than this are compared.
const MOST_COMPARED: usize = 1_000_000;

#[derive(Debug, Serialize)]
struct Report {
    version: u32,
    /// Whether both runs did the same, event by event; `None` if that cannot be told.
    same: Option<bool>,
    /// The innermost call that was open where the runs first differ.
    first: Option<u32>,
    divergences: Vec<Divergence>,
    /// Whether everything was compared.
    complete: bool,
}

#[derive(Debug, Serialize)]
struct Divergence {
    node: u32,
    /// The other run's call that began in the same state.
    other_node: Option<u32>,
    class: String,
    method: String,
    file: Option<String>,
    ours: String,
    theirs: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let ours = Arc::new(inspect::open(&arguments.one, None)?);
    let theirs = Arc::new(inspect::open(&arguments.other, None)?);
    check_beginning(&ours)?;
    check_beginning(&theirs)?;
    let mut reference = Reference::new(Arc::clone(&ours), Arc::clone(&theirs));
    let (nodes, complete) = diverging(&ours, &mut reference, arguments.most);
    let divergences: Vec<Divergence> = nodes
        .into_iter()
        .map(|node| divergence(&ours, &theirs, node, reference.counterpart(node)))
        .collect();
    let first = reference.first_difference().map(|node| node.0);
    let is_the_same = reference.is_the_same();
    let report = Report {
        version: 1,
        same: (is_the_same || first.is_some()).then_some(is_the_same && divergences.is_empty()),
        first,
        divergences,
        complete,
    };
    if arguments.json {
        output::json(&report)?;
    } else {
        output::data(&describe(&ours, &report))?;
    }
    let nothing = report.divergences.is_empty() && report.first.is_none();
    Ok(if nothing { Exit::Nothing } else { Exit::Done })
}

/// The innermost calls that ended differently, and whether all calls were compared.
fn diverging(run: &JavaRun, reference: &mut Reference, most: usize) -> (Vec<NodeId>, bool) {
    let mut found: Vec<NodeId> = Vec::new();
    let mut node = 0;
    for _ in 0..MOST_COMPARED {
        if node >= run.len() {
            return (found, true);
        }
        match reference.difference(NodeId(node)) {
            Some(Answer::Yes) => node += run.subtree_size(NodeId(node)),
            Some(Answer::No) => {
                // One that differs below it says more.
                found.pop_if(|outer| node < outer.0 + run.subtree_size(*outer));
                if found.len() == most {
                    return (found, false);
                }
                found.push(NodeId(node));
                node += 1;
            }
            _ => node += 1,
        }
        if reference.gave_up() {
            break;
        }
    }
    (found, false)
}

fn divergence(ours: &JavaRun, theirs: &JavaRun, node: NodeId, other: Option<NodeId>) -> Divergence {
    let code = ours.code_of(node);
    Divergence {
        node: node.0,
        other_node: other.map(|other| other.0),
        class: code.class,
        method: code.method,
        file: code.file,
        ours: one_line(ours, node),
        theirs: other.map(|other| one_line(theirs, other)),
    }
}

fn describe(ours: &JavaRun, report: &Report) -> String {
    let mut text = String::new();
    if report.same == Some(true) {
        text.push_str("Both runs did the same.\n");
        return text;
    }
    if let Some(first) = report.first {
        let view = ours.view(NodeId(first), Bounds::default());
        let _ = writeln!(text, "The runs first differ in #{first} {}.", view.routine);
    }
    if report.divergences.is_empty() {
        text.push_str("No call began in the same state in both runs and ended differently.\n");
    } else {
        text.push_str("Calls that began in the same state and ended differently:\n");
    }
    for one in &report.divergences {
        let _ = writeln!(text, "  #{} {}.{}", one.node, one.class, one.method);
        let _ = writeln!(text, "    one:   {}", one.ours);
        if let (Some(theirs), Some(node)) = (&one.theirs, one.other_node) {
            let _ = writeln!(text, "    other: {theirs}  (#{node})");
        }
    }
    if !report.complete {
        text.push_str("Not everything was compared; --most N lists more.\n");
    }
    text
}
