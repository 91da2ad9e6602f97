//! Divide & query by coverage (*JHyde*, section 2.4): a call that ran much code is a likelier place for
//! the bug than one that ran little, and code that also ran in calls that were found correct is an
//! unlikelier one. Each covered key — an edge of the control-flow graph, or a definition-use chain —
//! weighs g(x) = pˣ after x calls that covered it were found correct; a node weighs what it covered; and
//! the question that halves the summed weight is asked.
//!
//! Answers are never inferred from coverage, as an earlier work did: only the order of the questions
//! changes, so the result stays right. A call found correct clears everything that it called, so the keys
//! of those count as well. Weights are worked out anew over what is in play after each answer. As long as
//! a suspect's coverage is not known, plain divide & query stands in.

use std::collections::HashMap;

use super::knowledge::{CoverageKey, CoverageMetric, CoverageSource};
use super::{SearchSpace, Strategy, StrategyInfo, balance};
use crate::tree::NodeId;

pub(super) const EDGES: StrategyInfo = StrategyInfo {
    name: "edge-coverage",
    explanation: "divide & query that weighs calls by the branches they took",
    create: || {
        Box::new(ByCoverage {
            name: EDGES.name,
            metric: CoverageMetric::Edges,
        })
    },
};

pub(super) const DEF_USE: StrategyInfo = StrategyInfo {
    name: "def-use-coverage",
    explanation: "divide & query that weighs calls by the definition-use chains they ran",
    create: || {
        Box::new(ByCoverage {
            name: DEF_USE.name,
            metric: CoverageMetric::DefUse,
        })
    },
};

/// Larger spaces are left to plain divide & query.
const LARGEST: u64 = 20_000;

/// Of the calls found correct, no more than this are looked at.
const MOST_VALID: usize = 50_000;

struct ByCoverage {
    name: &'static str,
    metric: CoverageMetric,
}

impl Strategy for ByCoverage {
    fn name(&self) -> &'static str {
        self.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let plain = || balance::most_balanced(space, space.suspects());
        if space.suspects() > LARGEST {
            return plain();
        }
        let weights = space
            .knowledge()
            .coverage(self.metric)
            .and_then(|source| summed_weights(space, source));
        let Some(sums) = weights else {
            return plain();
        };
        let all = sums[sums.len() - 1];
        if all <= 0.0 {
            return plain();
        }
        let suspects = space.suspects();
        let key = |node: NodeId| {
            let rank = space.suspects_before(node.0) as usize;
            let inside = space.weight(node);
            let weight = sums[rank + inside as usize] - sums[rank];
            ((2.0 * weight - all).abs(), (2 * inside).abs_diff(suspects))
        };
        space
            .askable()
            .map(|node| (key(node), node))
            .min_by(|((one, one_plain), _), ((other, other_plain), _)| {
                one.total_cmp(other).then(one_plain.cmp(other_plain))
            })
            .map(|(_, node)| node)
    }
}

/// The weights of the suspects, summed up from the left; `None` if the coverage of one is not known.
fn summed_weights(space: &SearchSpace, source: &CoverageSource) -> Option<Vec<f64>> {
    let valid = valid_counts(space, source);
    let mut sum = 0.0;
    let mut sums = vec![sum];
    for suspect in space.suspects_in_order() {
        let keys = source.searched.keys(suspect)?;
        for key in keys.iter() {
            let times = valid.get(key).copied().unwrap_or(0);
            sum += source.decay.powi(times);
        }
        sums.push(sum);
    }
    Some(sums)
}

/// How many calls found correct covered each key: v(e) of the paper.
fn valid_counts(space: &SearchSpace, source: &CoverageSource) -> HashMap<CoverageKey, i32> {
    let mut counts = HashMap::new();
    let valid = space.knowledge().valid.iter().cloned().flatten();
    for node in valid.take(MOST_VALID).map(NodeId) {
        for &key in source.base.keys(node).iter().flat_map(|keys| keys.iter()) {
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
}
