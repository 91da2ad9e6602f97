//! How many questions a strategy needs: every suspect in turn is taken as the one buggy node.
//!
//! The measure is that of Definition 2.2 of *Hacia una estrategia óptima*: the sum over all bug
//! positions of the questions asked until it is found. A strategy that looks only at the search
//! space makes one decision tree, with the bug positions as its leaves, so the sum is found by walking
//! that tree once instead of running one session per bug.
//!
//! [`evaluate_space`] does just that. An [`Experiment`] measures what a user would experience: with
//! transformations, with coverage, on all bug positions or on a sample of them.

mod experiment;
mod position;

use std::sync::Arc;
use std::time::Duration;

use crate::judgement::Judgement;
use crate::session::SessionOptions;
use crate::strategy::{Choice, SearchSpace, Strategy, next_question};
use crate::tree::ExecutionTree;
pub use experiment::{Experiment, Interrupted};

/// The questions that a strategy asks over all bug positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Evaluation {
    /// Bug positions.
    pub candidates: u64,
    /// Questions over all of them.
    pub total: u64,
    /// Questions for the position that needs most.
    pub worst: u64,
    /// How often the strategy had to choose (the inner nodes of its decision tree).
    pub choices: u64,
    /// How long it took to choose, over all choices; not measured by [`evaluate_space`].
    pub choosing: Duration,
    /// The longest that one choice took.
    pub slowest: Duration,
}

impl Evaluation {
    /// Questions per bug position.
    pub fn average(&self) -> f64 {
        if self.candidates == 0 {
            0.0
        } else {
            self.total as f64 / self.candidates as f64
        }
    }

    fn found(&mut self, questions: u64, candidates: u64) {
        if candidates > 0 {
            self.candidates += candidates;
            self.total += questions * candidates;
            self.worst = self.worst.max(questions);
        }
    }
}

/// Evaluates a strategy on a tree. Of the options, the root, whether it is known to be wrong, trust,
/// non-termination and transformations count. A root that is not known is asked last, as in a session.
pub fn evaluate(
    tree: Arc<dyn ExecutionTree>,
    options: &SessionOptions,
    strategy: &mut dyn Strategy,
) -> Evaluation {
    Experiment::new(tree, options).run(strategy)
}

/// The same from any point of a session on, in the tree of the space.
pub fn evaluate_space(space: SearchSpace, strategy: &mut dyn Strategy) -> Evaluation {
    let mut evaluation = Evaluation::default();
    // What a NO leaves is looked at first, so that no more spaces are kept than there are NOs on a way.
    let mut open = vec![(space, 0)];
    while let Some((space, questions)) = open.last_mut() {
        let Some((Choice { target, .. }, _)) = next_question(space, strategy) else {
            evaluation.found(*questions, space.suspects());
            open.pop();
            continue;
        };
        evaluation.choices += 1;
        *questions += 1;
        let asked = *questions;
        if space.weight_of(target) == 1 && target.node().is_some() {
            evaluation.found(asked, 1);
            space.judge(target, Judgement::Correct);
        } else {
            let inside = space.fork_into(target);
            space.judge(target, Judgement::Correct);
            open.push((inside, asked));
        }
    }
    evaluation
}
