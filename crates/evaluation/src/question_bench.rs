//! How long the next question takes, on synthetic trees of any size, and how long it takes to balance a
//! tree and to plan the best order of questions.

mod shapes;
mod table;

use std::sync::Arc;
use std::time::Duration;

use debug_engine::evaluate::Experiment;
use debug_engine::strategy::Optimum;
use debug_engine::transform::{Overlay, Transformations};
use debug_engine::{
    Answer, ExecutionTree, NodeId, RoutineId, Session, SessionOptions, SessionStep,
};

use crate::cpu_time;
use shapes::{Columns, Dice};
pub use shapes::{SHAPES, Shape};
pub use table::to_markdown;

/// The command that makes the table.
pub const COMMAND: &str = "cargo xtask bench questions";

/// The strategies that claim to be fast on trees of any size.
pub const STRATEGIES: [&str; 10] = [
    "ranges",
    "dq-hirunkitti",
    "dq-optimal",
    "dq-shapiro",
    "divide-by-rules",
    "biased-weighting",
    "value-tracking",
    "heaviest-first",
    "top-down",
    "top-down-zooming",
];

/// No more questions than this are asked in one session: top-down on a star would ask millions.
const MOST_QUESTIONS: usize = 300;
const SESSIONS: u64 = 2;
const BALANCED_NODES: u32 = 1_000_000;
const PLANNED_NODES: u32 = 300;

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub nodes: u32,
    pub bytes_per_node: f64,
    pub questions: Vec<QuestionRow>,
    /// Time to balance a million nodes, by shape.
    pub balancing: Vec<(&'static str, Duration)>,
    /// Time to find the optimum for 300 nodes, by shape.
    pub optima: Vec<(&'static str, Duration, Optimum)>,
}

/// One strategy on one shape.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionRow {
    pub shape: &'static str,
    pub strategy: &'static str,
    /// Whether a fifth of the calls is trusted.
    pub trusted: bool,
    pub questions: u64,
    pub total: Duration,
    pub worst: Duration,
}

impl QuestionRow {
    pub fn mean(&self) -> Duration {
        let count = u32::try_from(self.questions.max(1)).unwrap_or(u32::MAX);
        self.total / count
    }
}

/// Measures on trees of this many nodes; `progress` is told what is being done, a line at a time.
pub fn run(nodes: u32, mut progress: impl FnMut(&str)) -> Report {
    let mut report = Report {
        nodes,
        bytes_per_node: 0.0,
        questions: Vec::new(),
        balancing: Vec::new(),
        optima: Vec::new(),
    };
    for shape in SHAPES {
        progress(&format!("{} of {nodes} nodes", shape.name));
        let columns = Columns::new((shape.parents)(nodes));
        report.bytes_per_node = report.bytes_per_node.max(columns.bytes_per_node());
        let tree: Arc<dyn ExecutionTree> = Arc::new(columns);
        for strategy in STRATEGIES {
            for trusted in [false, true] {
                let row = ask(shape.name, &tree, strategy, trusted);
                progress(&format!(
                    "  {strategy}: mean {:?}, worst {:?}",
                    row.mean(),
                    row.worst
                ));
                report.questions.push(row);
            }
        }
    }
    for shape in SHAPES {
        progress(&format!("balancing, planning: {}", shape.name));
        let tree: Arc<dyn ExecutionTree> = Arc::new(Columns::new((shape.parents)(BALANCED_NODES)));
        let balanced = Transformations::balanced();
        let ((), took) = timed(|| drop(Overlay::of_tree(&tree, &balanced)));
        report.balancing.push((shape.name, took));
        let tree: Arc<dyn ExecutionTree> = Arc::new(Columns::new((shape.parents)(PLANNED_NODES)));
        let known = SessionOptions {
            root_is_wrong: true,
            ..SessionOptions::default()
        };
        let experiment = Experiment::new(tree, &known);
        let (optimum, took) = timed(|| experiment.optimum());
        report.optima.push((shape.name, took, optimum));
    }
    report
}

/// The time on this thread's processor: others may want it too.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let now = || cpu_time::of_this_thread().unwrap_or_default();
    let started = now();
    let result = work();
    (result, now().saturating_sub(started))
}

fn ask(
    shape: &'static str,
    tree: &Arc<dyn ExecutionTree>,
    strategy: &'static str,
    trusted: bool,
) -> QuestionRow {
    let mut row = QuestionRow {
        shape,
        strategy,
        trusted,
        questions: 0,
        total: Duration::ZERO,
        worst: Duration::ZERO,
    };
    let mut dice = Dice(7);
    for _ in 0..SESSIONS {
        // A routine that is never trusted.
        let bug = NodeId(dice.roll(u64::from(tree.len())) as u32 / 97 * 97);
        let options = SessionOptions {
            root_is_wrong: true,
            strategy: strategy.to_owned(),
            trusted: if trusted {
                (1..20).map(RoutineId).collect()
            } else {
                Default::default()
            },
            ..SessionOptions::default()
        };
        let Ok(mut session) = Session::new(Arc::clone(tree), options) else {
            continue;
        };
        for _ in 0..MOST_QUESTIONS {
            let (step, took) = timed(|| session.poll());
            let SessionStep::Ask(question) = step else {
                break;
            };
            row.questions += 1;
            row.total += took;
            row.worst = row.worst.max(took);
            let is_wrong = question.target.contains(&**tree, bug);
            let answer = if is_wrong { Answer::No } else { Answer::Yes };
            let ((), took) = timed(|| {
                // The question is open, so it takes the answer.
                let _ = session.answer(answer);
            });
            row.total += took;
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_measurement_has_a_row_for_everything() {
        let report = run(2_000, |_| {});
        assert_eq!(report.questions.len(), SHAPES.len() * STRATEGIES.len() * 2);
        assert!(report.questions.iter().all(|row| row.questions > 0));
        assert!(report.bytes_per_node < 16.0);
        let table = to_markdown(&report);
        assert!(table.contains("| star | ranges |"), "{table}");
    }
}
