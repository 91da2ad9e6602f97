//! `askance tree`: the calls as an outline.

use std::sync::Arc;

use clap::Args;
use debug_engine::view::NodeView;
use debug_engine::view::recursion::{self, Recursion};
use debug_engine::view::render::{self, Bounds, Purpose};
use debug_engine::{ExecutionTree, NodeId};
use serde::Serialize;

use super::ask_options::node_named;
use super::failure::{Exit, Failure};
use super::inspect::{Opened, TraceArguments};
use super::output;
use inquiry::imported::ImportedTree;
use inquiry::words::levels;
use java_analysis::library_calls::{LibraryCallsFrom, library_calls};
use java_analysis::recording::Recording;
use java_model::run::JavaRun;
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

    /// Show calls of libraries and the JDK too, which nobody is asked about: they are executed again for it
    #[arg(long)]
    library: bool,

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

/// A call of something that was not recorded.
#[derive(Debug, Serialize)]
struct LibraryRow {
    #[serde(skip)]
    depth: usize,
    /// The event of the caller that it is.
    event: u64,
    line: Option<u32>,
    library: String,
}

/// A line of the outline.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum OutlineRow {
    Call(Box<Row>),
    Library(LibraryRow),
}

#[derive(Debug, Serialize)]
struct Outline {
    version: u32,
    nodes: Vec<OutlineRow>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let (run, java): (Arc<dyn Recording>, _) = match arguments.trace.open_either()? {
        Opened::Java(run) => {
            let run = Arc::<JavaRun>::from(run);
            (Arc::clone(&run) as _, Some(run))
        }
        Opened::Imported(tree) => (Arc::<ImportedTree>::from(tree), None),
    };
    if arguments.library && java.is_none() {
        let sentence = "an imported call tree does not tell what its calls did in libraries";
        return Err(Failure::mistake(sentence).hint("leave --library out"));
    }
    run.set_hurried(true);
    let start = match &arguments.node {
        Some(text) => Some(node_named(&*run, text)?),
        None => None,
    };
    let window = Window {
        depth: arguments.depth,
        width: arguments.width,
        skip: arguments.skip,
        library: java.as_deref().filter(|_| arguments.library),
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
#[derive(Clone, Copy)]
struct Window<'run> {
    /// Levels below the first call.
    depth: usize,
    /// Calls of one call.
    width: usize,
    /// Calls of the first call that are left out.
    skip: usize,
    /// The run whose calls of libraries are shown, if they are.
    library: Option<&'run JavaRun>,
}

/// What is still to be written, the next of it last.
enum Open {
    Call(NodeId, usize),
    Library(LibraryRow),
}

fn rows(run: &dyn Recording, start: Option<NodeId>, window: Window<'_>) -> Vec<OutlineRow> {
    let Window {
        depth, width, skip, ..
    } = window;
    let tree: &dyn ExecutionTree = run;
    let mut rows = Vec::new();
    let mut open: Vec<Open> = match start {
        Some(node) => vec![Open::Call(node, 0)],
        None => {
            let roots = tree.roots().take(width);
            roots.map(|root| Open::Call(root, 0)).collect()
        }
    };
    open.reverse();
    while let Some(next) = open.pop() {
        let (node, level) = match next {
            Open::Call(node, level) => (node, level),
            Open::Library(row) => {
                rows.push(OutlineRow::Library(row));
                continue;
            }
        };
        let recursion = recursion::from(tree, node).filter(|_| level < depth && skip == 0);
        if let Some(recursion) = recursion {
            open.push(Open::Call(recursion.last, level + 1));
            let row = row(run, node, level, 0);
            rows.push(OutlineRow::Call(Box::new(Row {
                recursion: Some(recursion),
                ..row
            })));
            continue;
        }
        let skipped = if level == 0 { skip } else { 0 };
        let most = if level < depth { width } else { 0 };
        let mut children = tree.children(node);
        let mut passed = 0;
        let last_passed = children.by_ref().take(skipped).inspect(|_| passed += 1);
        let last_passed = last_passed.last();
        let shown: Vec<NodeId> = children.by_ref().take(most).collect();
        let hidden = passed + children.count();
        let below = match window.library.filter(|_| level < depth) {
            Some(java) => with_library(java, node, last_passed, &shown, width, level + 1),
            None => {
                let calls = shown.iter().map(|&child| Open::Call(child, level + 1));
                calls.collect()
            }
        };
        open.extend(below.into_iter().rev());
        rows.push(OutlineRow::Call(Box::new(row(run, node, level, hidden))));
    }
    rows
}

/// Calls of a call with the library calls between them, as many of each at most as are shown of one call.
fn with_library(
    run: &JavaRun,
    node: NodeId,
    after: Option<NodeId>,
    shown: &[NodeId],
    width: usize,
    level: usize,
) -> Vec<Open> {
    let from = LibraryCallsFrom {
        event: None,
        after,
        until: shown.last().copied().or(after),
    };
    let list = library_calls(run, node, from, |listed| listed < width);
    let mut calls = list.calls.into_iter().peekable();
    let mut rows = Vec::new();
    let mut last = after;
    for child in std::iter::once(None).chain(shown.iter().copied().map(Some)) {
        if let Some(child) = child {
            rows.push(Open::Call(child, level));
            last = Some(child);
        }
        while let Some(call) = calls.next_if(|call| call.after <= last) {
            rows.push(Open::Library(LibraryRow {
                depth: level,
                event: call.event,
                line: call.line,
                library: call.text,
            }));
        }
    }
    if let Some(event) = list.next {
        rows.push(Open::Library(LibraryRow {
            depth: level,
            event,
            line: None,
            library: "…".to_owned(),
        }));
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

fn outline(rows: &[OutlineRow]) -> String {
    let mut text = String::new();
    for row in rows {
        let row = match row {
            OutlineRow::Call(row) => row,
            OutlineRow::Library(row) => {
                let indent = "  ".repeat(row.depth);
                text.push_str(&format!("{indent}· {}\n", row.library));
                continue;
            }
        };
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

    fn window(depth: usize, width: usize) -> Window<'static> {
        Window {
            depth,
            width,
            skip: 0,
            library: None,
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
