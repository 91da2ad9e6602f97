//! `askance show`: one call in full.

use std::fmt::Write as _;

use clap::Args;
use debug_engine::view::NodeView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{ExecutionTree, NodeId};
use serde::Serialize;

use super::ask_options::node_named;
use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::output;
use crate::dialogue::count;
use crate::source::node_view::{exact_view, node_view, with_statics_as_inputs};
use crate::source::run::JavaRun;
use crate::source::source_text;

/// Show one call: what it was given, how it ended, what it changed, its code
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance show run.askance 17\n         askance show run.askance MergeSort.merge --depth 6 --width 100"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// The call: a node number, or a method (its first call)
    #[arg(value_name = "NODE")]
    node: String,

    /// How deep values are followed
    #[arg(long, value_name = "N", default_value_t = Bounds::default().depth)]
    depth: usize,

    /// How many elements or fields of one value
    #[arg(long, value_name = "N", default_value_t = Bounds::default().width)]
    width: usize,

    /// Where the sources are (repeatable)
    #[arg(long, value_name = "FOLDER")]
    source_path: Vec<std::path::PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Shown {
    version: u32,
    #[serde(flatten)]
    call: NodeView,
    descriptor: String,
    /// The callers, nearest first.
    callers: Vec<u32>,
    children: Vec<u32>,
    /// Whether the parameters' names come from the source.
    has_names: bool,
    lines: Vec<u32>,
    source: Option<String>,
}

/// More children than this are not listed.
const MOST_CHILDREN: usize = 1000;

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut run = arguments.trace.open()?;
    run.add_source_path(&arguments.source_path);
    let node = node_named(&run, &arguments.node)?;
    let bounds = Bounds {
        depth: arguments.depth,
        width: arguments.width,
        ..Bounds::default()
    };
    if arguments.json {
        output::json(&shown(&run, node, bounds))?;
    } else {
        output::data(&describe(&run, node, bounds))?;
    }
    Ok(Exit::Done)
}

fn callers(run: &JavaRun, node: NodeId) -> Vec<NodeId> {
    std::iter::successors(run.parent(node), |&node| run.parent(node)).collect()
}

fn shown(run: &JavaRun, node: NodeId, bounds: Bounds) -> Shown {
    let tree: &dyn ExecutionTree = run;
    let method = run.method(node);
    let code = run.code(method);
    Shown {
        version: 1,
        call: exact_view(run, node, bounds),
        descriptor: run.method_names(method).descriptor.to_owned(),
        callers: callers(run, node).iter().map(|node| node.0).collect(),
        children: tree
            .children(node)
            .take(MOST_CHILDREN)
            .map(|node| node.0)
            .collect(),
        has_names: code.has_names,
        lines: code.lines.clone(),
        source: source_text::excerpt(run, method, &[]),
    }
}

fn describe(run: &JavaRun, node: NodeId, bounds: Bounds) -> String {
    let tree: &dyn ExecutionTree = run;
    let view = with_statics_as_inputs(node_view(run, node, bounds));
    let mut text = render::multi_line(&view, bounds);
    text.push('\n');
    let code = run.code(run.method(node));
    if !code.has_names {
        text.push_str("  (compiled without debug information: parameters are numbered; compile with -g for their names)\n");
    }
    let callers: Vec<String> = callers(run, node)
        .iter()
        .map(|&caller| {
            let symbol = run.method_names(run.method(caller));
            format!(
                "#{caller} {}",
                crate::source::names::routine(symbol.class, symbol.name)
            )
        })
        .collect();
    if !callers.is_empty() {
        let _ = writeln!(text, "  called by {}", callers.join(" ← "));
    }
    let children = tree.children(node).count() as u64;
    let below = u64::from(run.subtree_size(node)) - 1;
    let _ = writeln!(
        text,
        "  made {}, {below} in all below it",
        count(children, "call", "calls")
    );
    if let Some(source) = source_text::excerpt(run, run.method(node), &[]) {
        let _ = writeln!(text, "\n{source}");
    }
    text
}
