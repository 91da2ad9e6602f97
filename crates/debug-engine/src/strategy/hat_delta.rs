//! Hat-Delta (Davie and Chitil): top-down, guided by what was said about the same routine before. A
//! routine that was wrong once is likely to be wrong again; one that was right many times is not. The
//! three variants differ in what they count, and go to the heavier subtree where it does not decide.

use std::cmp::Reverse;

use super::{Evidence, LISTABLE, SearchSpace, Strategy, StrategyInfo, heaviest_first};
use crate::tree::NodeId;

pub(super) const MORE_WRONG: StrategyInfo = StrategyInfo {
    name: "hat-delta-wrong",
    explanation: "top-down, the method that was wrong most often first",
    create: || {
        Box::new(HatDelta {
            name: MORE_WRONG.name,
            score: more_wrong,
        })
    },
};

pub(super) const FEWER_RIGHT: StrategyInfo = StrategyInfo {
    name: "hat-delta-right",
    explanation: "top-down, the method that was right least often first",
    create: || {
        Box::new(HatDelta {
            name: FEWER_RIGHT.name,
            score: fewer_right,
        })
    },
};

pub(super) const BEST_RATIO: StrategyInfo = StrategyInfo {
    name: "hat-delta-ratio",
    explanation: "top-down, the method with the largest share of wrong answers first",
    create: || {
        Box::new(HatDelta {
            name: BEST_RATIO.name,
            score: best_ratio,
        })
    },
};

struct HatDelta {
    name: &'static str,
    /// The larger, the sooner.
    score: fn(Evidence) -> u64,
}

fn more_wrong(evidence: Evidence) -> u64 {
    u64::from(evidence.wrong)
}

fn fewer_right(evidence: Evidence) -> u64 {
    u64::from(u32::MAX - evidence.correct)
}

/// The share of wrong answers in thousandths; half, where there are none.
fn best_ratio(evidence: Evidence) -> u64 {
    let answers = u64::from(evidence.wrong) + u64::from(evidence.correct);
    (u64::from(evidence.wrong) * 1000)
        .checked_div(answers)
        .unwrap_or(500)
}

impl Strategy for HatDelta {
    fn name(&self) -> &'static str {
        self.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        if space.suspects() > LISTABLE {
            return heaviest_first::choose(space);
        }
        space.topmost_askable().min_by_key(|&node| {
            (
                Reverse((self.score)(space.evidence(node))),
                Reverse(space.weight(node)),
                node,
            )
        })
    }
}
