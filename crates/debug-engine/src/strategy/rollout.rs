//! Rollout: take the few most balanced questions, play divide & query to the end in both parts of
//! each, and ask the one with the smallest total. Looking one step ahead this way comes within about
//! a tenth of a percent of the optimum, where the balance alone is within one percent.

use std::cmp::Reverse;

use super::{SearchSpace, Strategy, StrategyInfo, balance, dq_hirunkitti, evaluate_space};
use crate::judgement::Judgement;
use crate::tree::{NodeId, Target};

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "rollout",
    explanation: "tries out the most balanced questions in advance and asks the best",
    create: || Box::new(Rollout),
};

/// How many questions are tried out.
const CANDIDATES: usize = 4;

/// Larger spaces are left to divide & query: the gain is small and the time is not.
const LARGEST: u64 = 10_000;

/// Where even the most balanced question leaves all but this share of the suspects (a wide node),
/// what follows is long to play and hardly depends on which of many equals comes first.
const SMALLEST_SHARE: u64 = 16;

pub(super) struct Rollout;

impl Strategy for Rollout {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        choose(space)
    }
}

pub(super) fn choose(space: &SearchSpace) -> Option<NodeId> {
    let all = space.suspects();
    if all > LARGEST {
        return balance::most_balanced(space, all);
    }
    let candidates = candidates(space);
    if let [only] = candidates[..] {
        return Some(only);
    }
    let mut halving = dq_hirunkitti::DivideAndQuery;
    candidates
        .into_iter()
        .min_by_key(|&node| total_after(space, node.into(), &mut halving))
}

/// The most balanced nodes, the best first; just that one where trying out would be in vain.
pub(super) fn candidates(space: &SearchSpace) -> Vec<NodeId> {
    let all = space.suspects();
    let mut candidates: Vec<_> = space
        .askable()
        .map(|node| ((2 * space.weight(node)).abs_diff(all), node))
        .collect();
    candidates.sort_by_cached_key(|&(distance, node)| {
        (
            distance,
            Reverse(balance::children_in_play(space, node)),
            node,
        )
    });
    let is_poor =
        |&(distance, _): &(u64, NodeId)| (all - distance.min(all)) * SMALLEST_SHARE < 2 * all;
    let kept = match candidates.first() {
        Some(best) if is_poor(best) => 1,
        _ => CANDIDATES,
    };
    candidates.truncate(kept);
    candidates.into_iter().map(|(_, node)| node).collect()
}

/// The questions over all bug positions after `target` was asked, if `strategy` goes on from there.
pub(super) fn total_after(space: &SearchSpace, target: Target, strategy: &mut dyn Strategy) -> u64 {
    let inside = evaluate_space(space.fork_into(target), strategy);
    let mut rest = space.fork();
    rest.judge(target, Judgement::Correct);
    let outside = evaluate_space(rest, strategy);
    inside.total + outside.total
}
