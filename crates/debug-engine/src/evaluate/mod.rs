//! How many questions a strategy needs: every suspect in turn is taken as the one buggy node.
//!
//! The measure is that of Definition 2.2 of *Hacia una estrategia óptima*: the sum over all bug
//! positions of the questions asked until it is found. A strategy that looks only at the search
//! space makes one decision tree, so the sum is found by walking that tree once instead of running
//! one session per bug.

use std::sync::Arc;

use serde::Serialize;

use crate::judgement::Judgement;
use crate::session::SessionOptions;
use crate::strategy::{SearchSpace, Strategy, next_question};
use crate::tree::ExecutionTree;

/// The questions that a strategy asks over all bug positions.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Evaluation {
    /// Bug positions.
    pub candidates: u64,
    /// Questions over all of them.
    pub total: u64,
    /// Questions for the position that needs most.
    pub worst: u64,
    /// How often the strategy had to choose (the inner nodes of its decision tree).
    pub choices: u64,
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
        self.candidates += candidates;
        self.total += questions * candidates;
        self.worst = self.worst.max(questions);
    }
}

/// Evaluates a strategy on a tree. Of the options, the root, whether it is known to be wrong, trust
/// and non-termination count. A root that is not known is asked last, as in a session.
pub fn evaluate(
    tree: Arc<dyn ExecutionTree>,
    options: &SessionOptions,
    strategy: &mut dyn Strategy,
) -> Evaluation {
    evaluate_space(SearchSpace::at_start(tree, options), strategy)
}

/// The same from any point of a session on.
pub fn evaluate_space(space: SearchSpace, strategy: &mut dyn Strategy) -> Evaluation {
    let mut evaluation = Evaluation::default();
    let mut open = vec![(space, 0)];
    while let Some((mut space, mut questions)) = open.pop() {
        while let Some((target, _)) = next_question(&space, strategy) {
            evaluation.choices += 1;
            questions += 1;
            open.push((space.fork_into(target), questions));
            space.judge(target, Judgement::Correct);
        }
        evaluation.found(questions, space.suspects());
    }
    evaluation
}
