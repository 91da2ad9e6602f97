//! `askance tree`: the calls as an outline.

use clap::Args;
use debug_engine::view::NodeView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{ExecutionTree, NodeId};
use serde::Serialize;

use super::ask_options::node_named;
use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::output;
use crate::source::names;
use crate::source::node_view::node_view;
use crate::source::run::JavaRun;

/// Show the calls of a recorded run as an outline
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance tree run.askance --depth 2\n         askance tree run.askance --node 17 --json"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// Begin at this call: a node number, or a method (its first call)
    #[arg(long, value_name = "NODE | METHOD")]
    node: Option<String>,

    /// How many levels of calls below the first
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: usize,

    /// How many calls of one call
    #[arg(long, value_name = "N", default_value_t = 50)]
    width: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A line of the outline, or of the JSON.
#[derive(Debug, Serialize)]
struct Row {
    node: u32,
    parent: Option<u32>,
    #[serde(skip)]
    depth: usize,
    class: String,
    method: String,
    descriptor: String,
    /// The call in one line.
    call: String,
    complete: bool,
    /// Calls in its subtree, itself included.
    subtree: u32,
    /// Children that are not listed.
    hidden: u32,
}

#[derive(Debug, Serialize)]
struct Outline {
    version: u32,
    nodes: Vec<Row>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let run = arguments.trace.open()?;
    let start = match &arguments.node {
        Some(text) => Some(node_named(&run, text)?),
        None => None,
    };
    let rows = rows(&run, start, arguments.depth, arguments.width);
    if arguments.json {
        output::json(&Outline {
            version: 1,
            nodes: rows,
        })?;
    } else {
        output::data(&outline(&rows))?;
    }
    Ok(Exit::Done)
}

fn rows(run: &JavaRun, start: Option<NodeId>, depth: usize, width: usize) -> Vec<Row> {
    let tree: &dyn ExecutionTree = run;
    let mut rows = Vec::new();
    let mut open: Vec<(NodeId, usize)> = match start {
        Some(node) => vec![(node, 0)],
        None => tree.roots().take(width).map(|root| (root, 0)).collect(),
    };
    open.reverse();
    while let Some((node, level)) = open.pop() {
        let children: Vec<NodeId> = tree.children(node).collect();
        let shown = if level < depth {
            children.len().min(width)
        } else {
            0
        };
        open.extend(
            children[..shown]
                .iter()
                .rev()
                .map(|&child| (child, level + 1)),
        );
        rows.push(row(run, node, level, children.len() - shown));
    }
    rows
}

fn row(run: &JavaRun, node: NodeId, depth: usize, hidden: usize) -> Row {
    let symbol = run.method_names(run.method(node));
    let bounds = Bounds {
        width: 8,
        depth: 2,
        string: 40,
        changes: 3,
    };
    Row {
        node: node.0,
        parent: run.parent(node).map(|parent| parent.0),
        depth,
        class: names::class(symbol.class),
        method: symbol.name.to_owned(),
        descriptor: symbol.descriptor.to_owned(),
        call: one_line(&node_view(run, node, bounds), bounds),
        complete: run.is_complete(node),
        subtree: run.subtree_size(node),
        hidden: u32::try_from(hidden).unwrap_or(u32::MAX),
    }
}

/// The class in front where the receiver does not tell it.
fn one_line(view: &NodeView, bounds: Bounds) -> String {
    let line = render::one_line(view, bounds);
    let is_static = view.this.is_none() && view.routine.ends_with(&format!(".{}", view.method));
    if is_static {
        format!("{}.{line}", names::simple_class(&view.class))
    } else {
        line
    }
}

fn outline(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let indent = "  ".repeat(row.depth);
        let hidden = match row.hidden {
            0 => String::new(),
            _ => format!("  …{} below", row.subtree - 1),
        };
        text.push_str(&format!("{indent}#{} {}{hidden}\n", row.node, row.call));
    }
    text
}
