//! `askance show`: one call in full.

use std::fmt::Write as _;

use clap::Args;
use debug_engine::view::NodeView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{ExecutionTree, NodeId};
use serde::Serialize;

use super::ask_options::node_named;
use super::events::no_event;
use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::output;
use inquiry::words::count;
use java_analysis::moment::Moments;
use java_analysis::moment_view;
use java_analysis::recording::Recording;
use java_model::node_view::with_statics_as_inputs;
use java_model::run::JavaRun;

/// Show one call: what it was given, how it ended, what it changed, its code
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance show run.askance 17\n         askance show run.askance MergeSort.merge --depth 6 --width 100 --length 5000\n         askance show run.askance 17 --at 24"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// The call: a node number, or a method (its first call)
    #[arg(value_name = "NODE")]
    node: String,

    /// The call right after one of its events, by the number that `askance events` shows
    #[arg(long, value_name = "EVENT")]
    at: Option<u64>,

    /// How deep values are followed
    #[arg(long, value_name = "N", default_value_t = Bounds::default().depth)]
    depth: usize,

    /// How many elements or fields of one value
    #[arg(long, value_name = "N", default_value_t = Bounds::default().width)]
    width: usize,

    /// How many characters of one value, what the call changed or used first
    #[arg(long, value_name = "N", default_value_t = 2 * Bounds::default().length)]
    length: usize,

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
    /// The number that it had in the file that it was imported from.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
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
    if let Some(event) = arguments.at {
        let run = arguments.trace.open()?;
        run.set_hurried(true);
        let node = node_named(&run, &arguments.node)?;
        moment(&run, node, event, bounds(arguments), arguments.json)?;
        output::say_caveat(run.caveat());
        return Ok(Exit::Done);
    }
    let run = arguments.trace.open_with_sources(&arguments.source_path)?;
    run.set_hurried(true);
    let node = node_named(&*run, &arguments.node)?;
    let bounds = bounds(arguments);
    if arguments.json {
        output::json(&shown(&*run, node, bounds))?;
    } else {
        output::data(&describe(&*run, node, bounds))?;
    }
    output::say_caveat(run.caveat());
    Ok(Exit::Done)
}

fn bounds(arguments: &Arguments) -> Bounds {
    Bounds {
        depth: arguments.depth,
        width: arguments.width,
        length: arguments.length,
        // Whoever looks at a call looks at all of it.
        rows: usize::MAX,
        ..Bounds::default()
    }
}

/// Shows the call as it was right after one of its events.
fn moment(
    run: &JavaRun,
    node: NodeId,
    event: u64,
    bounds: Bounds,
    json: bool,
) -> Result<(), Failure> {
    let mut moments = Moments::of(run, run.program(), node)
        .ok_or_else(|| Failure::mistake(format!("call {node} cannot be read")))?;
    let Some(found) = moments.at(event) else {
        return Err(no_event(&mut moments, event));
    };
    let view = moment_view::moment_view(&mut moments, &found, bounds);
    if json {
        return Ok(output::first_version(&view)?);
    }
    Ok(output::data(&moment_view::text(run, &view, bounds))?)
}

fn callers(run: &dyn Recording, node: NodeId) -> Vec<NodeId> {
    std::iter::successors(run.parent(node), |&node| run.parent(node)).collect()
}

fn shown(run: &dyn Recording, node: NodeId, bounds: Bounds) -> Shown {
    let tree: &dyn ExecutionTree = run;
    let code = run.code_of(node);
    Shown {
        version: 1,
        call: run.exact_view(node, bounds),
        id: run.foreign_id(node),
        descriptor: code.descriptor,
        callers: callers(run, node).iter().map(|node| node.0).collect(),
        children: tree
            .children(node)
            .take(MOST_CHILDREN)
            .map(|node| node.0)
            .collect(),
        has_names: code.has_names,
        lines: code.lines,
        source: run.source(node, &[]),
    }
}

fn describe(run: &dyn Recording, node: NodeId, bounds: Bounds) -> String {
    let tree: &dyn ExecutionTree = run;
    let view = with_statics_as_inputs(run.view(node, bounds));
    let mut text = render::multi_line(&view, bounds);
    text.push('\n');
    if !run.knows_state() {
        text.push_str("  (recorded with --detail calls: what objects held is not known)\n");
    }
    if !run.code_of(node).has_names {
        text.push_str("  (compiled without debug information: parameters are numbered; compile with -g for their names)\n");
    }
    let callers: Vec<String> = callers(run, node)
        .iter()
        .map(|&caller| format!("#{caller} {}", run.code_of(caller).routine))
        .collect();
    if !callers.is_empty() {
        let how = match view.submitted {
            Some(_) => "submitted",
            None => "called",
        };
        let _ = writeln!(text, "  {how} by {}", callers.join(" ← "));
    }
    let children = tree.children(node).count() as u64;
    let below = u64::from(run.subtree_size(node)) - 1;
    let _ = writeln!(
        text,
        "  made {}, {below} in all below it",
        count(children, "call", "calls")
    );
    if let Some(source) = run.source(node, &[]) {
        let _ = writeln!(text, "\n{source}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use java_model::sketches::till;

    #[test]
    fn a_call_that_changed_something() {
        let sketched = till();
        insta::assert_snapshot!(describe(&sketched.run, NodeId(2), Bounds::default()), @r#"
        #2 Till.add (Till.java:19)
          this = Till#7{coins=[0, 0], next=↑Till#7, name="north"}
          more = [5, 2]
          → true
          this.coins: [0, 0] → [5, 2]
          Till.sales: 0 → 1
          called by #0 Till.main
          made 1 call, 1 in all below it

          18 |     boolean add(int[] more) {
          19 |         for (int i = 0; i < more.length; i++) coins[i] += more[i];
          20 |         sales++;
          21 |         return sum(coins) > 0;
          22 |     }
        "#);
    }

    #[test]
    fn a_constructor_and_a_call_that_threw() {
        let sketched = till();
        insta::assert_snapshot!(describe(&sketched.run, NodeId(1), Bounds::default()), @r#"
        #1 new Till (Till.java:7)
          name = "north"
          size = 2
          → Till#7{coins=[0, 0], next=null, name="north"}
          called by #0 Till.main
          made 0 calls, 0 in all below it

           7 |     Till(String name, int size) {
           8 |         this.name = name;
           9 |         coins = new int[size];
          10 |     }
        "#);
        insta::assert_snapshot!(describe(&sketched.run, NodeId(4), Bounds::default()), @r#"
        #4 Till.pay (Till.java:25)
          this = Till#7{coins=[5, 2], next=↑Till#7, name="north"}
          amount = 100
          → throws java.lang.IllegalStateException("empty")
          nothing changed
          called by #0 Till.main
          made 1 call, 1 in all below it

          24 |     void pay(int amount) {
          25 |         if (sum(coins) < amount) throw new IllegalStateException("empty");
          26 |     }
        "#);
    }

    #[test]
    fn the_same_for_programs() {
        let sketched = till();
        insta::assert_json_snapshot!(shown(&sketched.run, NodeId(3), Bounds::default()), @r#"
        {
          "version": 1,
          "node": 3,
          "routine": "Till.sum",
          "class": "Till",
          "method": "sum",
          "file": "Till.java",
          "line": 13,
          "this": null,
          "arguments": [
            {
              "name": "values",
              "before": {
                "text": "",
                "kind": "array",
                "id": 9,
                "class": "int[]",
                "children": [
                  {
                    "label": {
                      "index": 0
                    },
                    "value": {
                      "text": "5",
                      "kind": "primitive"
                    }
                  },
                  {
                    "label": {
                      "index": 1
                    },
                    "value": {
                      "text": "2",
                      "kind": "primitive"
                    }
                  }
                ]
              },
              "after": {
                "text": "",
                "kind": "array",
                "id": 9,
                "class": "int[]",
                "children": [
                  {
                    "label": {
                      "index": 0
                    },
                    "value": {
                      "text": "5",
                      "kind": "primitive"
                    }
                  },
                  {
                    "label": {
                      "index": 1
                    },
                    "value": {
                      "text": "2",
                      "kind": "primitive"
                    }
                  }
                ]
              }
            }
          ],
          "outcome": {
            "returned": {
              "text": "7",
              "kind": "primitive"
            }
          },
          "statics": [],
          "judgement": "undefined",
          "judged_by": null,
          "descriptor": "([I)I",
          "callers": [
            2,
            0
          ],
          "children": [],
          "has_names": true,
          "lines": [
            13,
            14,
            15
          ],
          "source": "  12 |     static int sum(int[] values) {\n  13 |         int sum = 0;\n  14 |         for (int value : values) sum += value;\n  15 |         return sum;\n  16 |     }"
        }
        "#);
    }
}
