//! What balancing saves (Table 1 of *Balanced Execution Trees*): every call of a recorded program in
//! turn is the buggy one, in the tree as it was recorded and in the balanced one.
//!
//! As in the paper, a tree is balanced once, and a collapsed node that proves wrong ends the search: its
//! calls are all of one routine, which is then known. Large trees are tried on a sample of their calls.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use debug_engine::evaluate::Experiment;
use debug_engine::strategy;
use debug_engine::transform::{NodeKind, Overlay, OverlayCounts, Transformations};
use debug_engine::{ExecutionTree, NodeId, SessionOptions};
use test_support::{Example, ExampleVersion};

use super::optimum::{self, AgainstOptimum};
use super::{Recorded, Recorder};
use crate::cpu_time;
use crate::record_bench::{BenchError, check_library};
use test_support::workloads::Workload;

/// The strategies of the table.
pub const STRATEGIES: [&str; 3] = ["top-down", "heaviest-first", "dq-hirunkitti"];

/// The command that makes the table.
pub const COMMAND: &str = "cargo xtask bench balancing";

/// With more bug positions than this, as many are tried.
const TRIED: u64 = 2_000;

/// A program of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub program: String,
    /// Calls that can be the buggy one.
    pub candidates: u64,
    /// How many were tried, if not all.
    pub sample: Option<usize>,
    pub counts: OverlayCounts,
    pub balancing: Duration,
    /// Average questions before and after balancing, by strategy.
    pub questions: [(f64, f64); 3],
    pub ranges: Ranges,
    /// The default strategy against the optimum, on parts of the tree.
    pub against_optimum: AgainstOptimum,
}

/// Ranges on the collapsed tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranges {
    /// Nodes that can be to blame there: calls and collapsed chains.
    pub groups: u64,
    /// Average questions until the group is found.
    pub average: f64,
    /// The same with loops and iterations as nodes, where neighbours need not be chained.
    pub with_loops: f64,
}

impl Ranges {
    /// No strategy can be below this.
    pub fn limit(&self) -> f64 {
        (self.groups as f64).log2()
    }
}

/// Records the programs and measures; `progress` is told what is being done, a line at a time.
pub fn run(
    recorder: &Recorder,
    only: &[String],
    mut progress: impl FnMut(&str),
) -> Result<Vec<Row>, BenchError> {
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|wanted| wanted == name);
    let mut rows = Vec::new();
    for workload in Workload::usual().filter(|one| is_wanted(one.name)) {
        check_library(workload)?;
        progress(workload.name);
        let run = workload.run(&recorder.jdk, workload.test_scale)?;
        rows.push(measure(
            workload.name,
            &recorder.record(workload.name, &run)?,
        ));
    }
    for example in Example::all()? {
        if !is_wanted(&example.name) || example.fixed_exit != 0 {
            continue;
        }
        progress(&example.name);
        let classes = example.compile(ExampleVersion::Fixed)?;
        let run = classes.run(&recorder.jdk).main_class("Main");
        rows.push(measure(
            &example.name,
            &recorder.record(&example.name, &run)?,
        ));
    }
    Ok(rows)
}

fn measure(program: &str, recorded: &Recorded) -> Row {
    let plain = SessionOptions {
        trusted: recorded.trusted.clone(),
        ..SessionOptions::default()
    };
    let mut before = Experiment::new(Arc::clone(&recorded.tree), &plain);
    before.sample(TRIED);
    let now = || cpu_time::of_this_thread().unwrap_or_default();
    let started = now();
    let overlay = Arc::new(overlay(recorded, &Transformations::balanced()));
    let balancing = now().saturating_sub(started);
    let after = same_positions(&before, &overlay, &plain);
    let questions = STRATEGIES.map(|name| (average(&before, name), average(&after, name)));
    Row {
        program: program.to_owned(),
        candidates: before.candidates(),
        sample: before.sample_size(),
        counts: overlay.counts(),
        balancing,
        questions,
        ranges: ranges(recorded, &plain),
        against_optimum: AgainstOptimum::of(recorded),
    }
}

/// The same bugs in a transformed tree: a collapsed chain is the place of each of its calls.
fn same_positions(
    before: &Experiment,
    overlay: &Arc<Overlay>,
    plain: &SessionOptions,
) -> Experiment {
    let tree: Arc<dyn ExecutionTree> = Arc::<Overlay>::clone(overlay);
    let mut after = Experiment::new(tree, plain);
    let positions = before.positions().into_iter();
    after.only_each(positions.filter_map(|node| overlay.holding(node)));
    after
}

fn average(experiment: &Experiment, name: &str) -> f64 {
    strategy::by_name(name).map_or(f64::NAN, |mut strategy| {
        experiment.run(&mut *strategy).average()
    })
}

fn overlay(recorded: &Recorded, transformations: &Transformations) -> Overlay {
    let tree = &recorded.tree;
    let incomplete = tree.incomplete_nodes();
    let weighs = |node| {
        !recorded.trusted.contains(&tree.routine(node)) && incomplete.binary_search(&node).is_err()
    };
    Overlay::build(tree, 0..tree.len(), transformations, &weighs, &[])
}

/// The tree with its chains of leaves collapsed is a tree like any other.
fn ranges(recorded: &Recorded, plain: &SessionOptions) -> Ranges {
    let mut collapse = Transformations::balanced();
    if let Some(balancing) = &mut collapse.balancing {
        balancing.project = false;
    }
    let collapsed: Arc<dyn ExecutionTree> = Arc::new(overlay(recorded, &collapse));
    let mut experiment = Experiment::new(collapsed, plain);
    experiment.sample(TRIED);
    Ranges {
        groups: experiment.candidates(),
        average: average(&experiment, "ranges"),
        with_loops: ranges_with_loops(recorded, plain, &collapse),
    }
}

fn ranges_with_loops(
    recorded: &Recorded,
    plain: &SessionOptions,
    collapse: &Transformations,
) -> f64 {
    let transformations = Transformations {
        loops: true,
        ..collapse.clone()
    };
    let expanded = Arc::new(overlay(recorded, &transformations));
    let is_call = |node: &NodeId| {
        let kind = expanded.kind(*node);
        matches!(kind, NodeKind::Routine | NodeKind::Collapse)
    };
    let calls: Vec<NodeId> = (0..expanded.len()).map(NodeId).filter(is_call).collect();
    let step = calls.len().div_ceil(TRIED as usize).max(1);
    let tree: Arc<dyn ExecutionTree> = Arc::<Overlay>::clone(&expanded);
    let mut experiment = Experiment::new(tree, plain);
    experiment.only_each(calls.into_iter().skip(step / 2).step_by(step));
    average(&experiment, "ranges")
}

/// The mean share of questions that balancing saves, by strategy.
pub fn savings(rows: &[Row]) -> [f64; 3] {
    std::array::from_fn(|strategy| {
        let saved = rows.iter().map(|row| saving(row.questions[strategy]));
        saved.sum::<f64>() / rows.len().max(1) as f64
    })
}

fn saving((before, after): (f64, f64)) -> f64 {
    if before > 0.0 {
        1.0 - after / before
    } else {
        0.0
    }
}

/// The table for `docs/strategies.md`.
pub fn to_markdown(rows: &[Row]) -> String {
    let mut text = format!(
        "Made by `{COMMAND}`. Each call in turn is the buggy one, the root is not known to be wrong, a \
         collapsed chain counts as found with its routine; of trees with more than {TRIED} calls as many \
         are tried, spread evenly. *New nodes* are projected / collapsed ones, *calls in them* those \
         that they hold; *balancing* takes this much of a processor's time. Each pair of numbers: questions on average in the tree as it was recorded → \
         balanced. *Ranges*: the strategy `ranges` on the tree with collapsed chains, then with the loops of \
         the 64 calls that have the most callees as nodes too, against log₂ of the number of nodes that \
         can be to blame there.\n\n"
    );
    text += "| program | calls | new nodes | calls in them | balancing | top-down | saved | heaviest first | saved | D&Q | saved | ranges | and loops | log₂ |\n";
    text += "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for row in rows {
        let counts = &row.counts;
        let _ = write!(
            text,
            "| {} | {} | {}/{} | {}/{} | {} |",
            row.program,
            row.candidates,
            counts.projections,
            counts.collapses,
            counts.projected_nodes,
            counts.collapsed_nodes,
            milliseconds(row.balancing),
        );
        for pair in row.questions {
            let (before, after) = pair;
            let _ = write!(
                text,
                " {before:.2} → {after:.2} | {} |",
                percent(saving(pair))
            );
        }
        let ranges = row.ranges;
        let _ = writeln!(
            text,
            " {:.2} | {:.2} | {:.2} |",
            ranges.average,
            ranges.with_loops,
            ranges.limit()
        );
    }
    let [top_down, heaviest, divide] = savings(rows).map(percent);
    let _ = writeln!(
        text,
        "| **mean** | | | | | | **{top_down}** | | **{heaviest}** | | **{divide}** | {} | {} | |",
        near_the_limit(rows, |ranges| ranges.average),
        near_the_limit(rows, |ranges| ranges.with_loops),
    );
    text += &optimum::sentence(rows.iter().map(|row| &row.against_optimum));
    text
}

/// How many programs are within five percent of the limit: elsewhere unchained calls stand in the way.
fn near_the_limit(rows: &[Row], average: impl Fn(&Ranges) -> f64) -> String {
    let is_near = |row: &&Row| average(&row.ranges) <= 1.05 * row.ranges.limit();
    let near = rows.iter().filter(is_near).count();
    format!("{near} of {} within 5 %", rows.len())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
