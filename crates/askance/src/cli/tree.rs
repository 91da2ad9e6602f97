//! `askance tree`: the calls as an outline.

use clap::Args;
use debug_engine::view::NodeView;
use debug_engine::view::recursion::{self, Recursion};
use debug_engine::view::render::{self, Bounds, Purpose};
use debug_engine::{ExecutionTree, NodeId};
use serde::Serialize;

use super::ask_options::node_named;
use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::output;
use inquiry::words::levels;
use java_analysis::recording::Recording;
use java_model::testing::Suspicion;
use java_names::names;

/// Show the calls of a recorded run as an outline
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance tree run.askance --depth 2\n         askance tree run.askance --node 17 --json\n         askance tree run.askance --node 17 --depth 1 --skip 50\n\nIf tests failed, [suspicion 0.71] says how much failing and passing tests speak against a method: Ochiai's measure, 1 if all\nfailing tests and no passing one ran it. `askance ask --spectrum` asks about suspicious methods first."
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

    /// How many calls of the first one are left out: for the next page of them
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,

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
    /// Its beginning was given up by `--when-full ring`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    began_before_kept: bool,
    /// Calls in its subtree, itself included.
    subtree: u32,
    /// Children that are not listed.
    hidden: u32,
    /// How suspicious failing and passing tests make its method.
    #[serde(skip_serializing_if = "Option::is_none")]
    suspicion: Option<Suspicion>,
    /// The recursion that begins here; of its calls only the innermost is listed below.
    #[serde(skip_serializing_if = "Option::is_none")]
    recursion: Option<Recursion>,
}

#[derive(Debug, Serialize)]
struct Outline {
    version: u32,
    nodes: Vec<Row>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let run = arguments.trace.open_any()?;
    run.set_hurried(true);
    let start = match &arguments.node {
        Some(text) => Some(node_named(&*run, text)?),
        None => None,
    };
    let window = Window {
        depth: arguments.depth,
        width: arguments.width,
        skip: arguments.skip,
    };
    let rows = rows(&*run, start, window);
    if arguments.json {
        output::json(&Outline {
            version: 1,
            nodes: rows,
        })?;
    } else {
        output::data(&outline(&rows))?;
    }
    output::say_caveat(run.caveat());
    Ok(Exit::Done)
}

/// The part of the tree that is presented.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// Levels below the first call.
    depth: usize,
    /// Calls of one call.
    width: usize,
    /// Calls of the first call that are left out.
    skip: usize,
}

fn rows(run: &dyn Recording, start: Option<NodeId>, window: Window) -> Vec<Row> {
    let Window { depth, width, skip } = window;
    let tree: &dyn ExecutionTree = run;
    let mut rows = Vec::new();
    let mut open: Vec<(NodeId, usize)> = match start {
        Some(node) => vec![(node, 0)],
        None => tree.roots().take(width).map(|root| (root, 0)).collect(),
    };
    open.reverse();
    while let Some((node, level)) = open.pop() {
        let recursion = recursion::from(tree, node).filter(|_| level < depth && skip == 0);
        if let Some(recursion) = recursion {
            open.push((recursion.last, level + 1));
            let row = row(run, node, level, 0);
            rows.push(Row {
                recursion: Some(recursion),
                ..row
            });
            continue;
        }
        let skipped = if level == 0 { skip } else { 0 };
        let most = if level < depth { width } else { 0 };
        let mut children = tree.children(node);
        let passed = children.by_ref().take(skipped).count();
        let shown: Vec<NodeId> = children.by_ref().take(most).collect();
        let hidden = passed + children.count();
        open.extend(shown.iter().rev().map(|&child| (child, level + 1)));
        rows.push(row(run, node, level, hidden));
    }
    rows
}

fn row(run: &dyn Recording, node: NodeId, depth: usize, hidden: usize) -> Row {
    let code = run.code_of(node);
    let bounds = Bounds {
        width: 8,
        depth: 2,
        string: 40,
        length: 60,
        changes: 3,
        calls: 3,
        rows: usize::MAX,
        purpose: Purpose::Line,
    };
    Row {
        node: node.0,
        parent: run.parent(node).map(|parent| parent.0),
        depth,
        class: code.class,
        method: code.method,
        descriptor: code.descriptor,
        call: one_line(&run.view(node, bounds), bounds),
        complete: run.is_complete(node),
        began_before_kept: run.began_before_kept(node),
        subtree: run.subtree_size(node),
        hidden: u32::try_from(hidden).unwrap_or(u32::MAX),
        suspicion: run.suspicion(node),
        recursion: None,
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
        let hidden = match (&row.recursion, row.hidden) {
            (Some(recursion), _) => format!("  ↻ {} levels", levels(recursion)),
            (None, 0) => String::new(),
            (None, _) => format!("  …{} below", row.subtree - 1),
        };
        let suspicion = match row.suspicion {
            Some(found) if found.score > 0.0 => format!("  [suspicion {:.2}]", found.score),
            _ => String::new(),
        };
        text.push_str(&format!(
            "{indent}#{} {}{suspicion}{hidden}\n",
            row.node, row.call
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use java_model::sketches::till;

    fn window(depth: usize, width: usize) -> Window {
        Window {
            depth,
            width,
            skip: 0,
        }
    }

    #[test]
    fn the_outline_of_a_run() {
        let sketched = till();
        insta::assert_snapshot!(outline(&rows(&sketched.run, None, window(9, 9))), @r#"
        #0 Till.main(args=[]) → throws java.lang.IllegalStateException("empty"); Till.sales: 0 → 1
          #1 new Till(name="north", size=2) → Till#7{coins=[0, 0], name="north", …+1}
          #2 Till#7.add(more=[5, 2]) → true; this.coins: [0, 0] → [5, 2]; Till.sales: 0 → 1
            #3 Till.sum(values=[5, 2]) → 7
          #4 Till#7.pay(amount=100) → throws java.lang.IllegalStateException("empty")
            #5 Till.sum(values=[5, 2]) → 7
        "#);
    }

    #[test]
    fn what_is_cut_says_so() {
        let sketched = till();
        insta::assert_snapshot!(outline(&rows(&sketched.run, None, window(1, 1))), @r#"
        #0 Till.main(args=[]) → throws java.lang.IllegalStateException("empty"); Till.sales: 0 → 1  …5 below
          #1 new Till(name="north", size=2) → Till#7{coins=[0, 0], name="north", …+1}
        "#);
        insta::assert_snapshot!(outline(&rows(&sketched.run, Some(NodeId(2)), window(0, 9))), @"#2 Till#7.add(more=[5, 2]) → true; this.coins: [0, 0] → [5, 2]; Till.sales: 0 → 1  …1 below");
    }

    #[test]
    fn the_same_for_programs() {
        let sketched = till();
        let outline = Outline {
            version: 1,
            nodes: rows(&sketched.run, Some(NodeId(4)), window(9, 9)),
        };
        insta::assert_json_snapshot!(outline, @r#"
        {
          "version": 1,
          "nodes": [
            {
              "node": 4,
              "parent": 0,
              "class": "Till",
              "method": "pay",
              "descriptor": "(I)V",
              "call": "Till#7.pay(amount=100) → throws java.lang.IllegalStateException(\"empty\")",
              "complete": true,
              "subtree": 2,
              "hidden": 0
            },
            {
              "node": 5,
              "parent": 4,
              "class": "Till",
              "method": "sum",
              "descriptor": "([I)I",
              "call": "Till.sum(values=[5, 2]) → 7",
              "complete": true,
              "subtree": 1,
              "hidden": 0
            }
          ]
        }
        "#);
    }
}
