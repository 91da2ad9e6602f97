//! How many questions a strategy asks from a point of a search on, over all places where the bug may be.

use std::time::Duration;

use super::{Choice, SearchSpace, Strategy, next_question};
use crate::judgement::Judgement;

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

    pub(crate) fn found(&mut self, questions: u64, candidates: u64) {
        if candidates > 0 {
            self.candidates += candidates;
            self.total += questions * candidates;
            self.worst = self.worst.max(questions);
        }
    }
}

/// Evaluates a strategy from any point of a session on, in the tree of the space.
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
