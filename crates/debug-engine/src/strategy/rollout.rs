//! Rollout: take the few most balanced questions, play divide & query to the end in both parts of
//! each, and ask the one with the smallest total. Looking one step ahead this way comes within about
//! a tenth of a percent of the optimum, where the balance alone is within one percent.

use std::cmp::Reverse;

use super::{SearchSpace, Strategy, StrategyInfo, balance, dq_hirunkitti};
use crate::evaluate::evaluate_space;
use crate::judgement::Judgement;
use crate::tree::NodeId;

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
    candidates.truncate(CANDIDATES);
    let &(distance, best) = candidates.first()?;
    if candidates.len() == 1 || (all - distance.min(all)) * SMALLEST_SHARE < 2 * all {
        return Some(best);
    }
    candidates
        .into_iter()
        .map(|(_, node)| node)
        .min_by_key(|&node| total_after(space, node))
}

/// The questions over all bug positions if `node` is asked and divide & query goes on from there.
fn total_after(space: &SearchSpace, node: NodeId) -> u64 {
    let mut divide_and_query = dq_hirunkitti::DivideAndQuery;
    let inside = evaluate_space(space.fork_into(node), &mut divide_and_query);
    let mut rest = space.fork();
    rest.judge(node, Judgement::Correct);
    let outside = evaluate_space(rest, &mut divide_and_query);
    inside.total + outside.total
}
