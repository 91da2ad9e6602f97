//! Ranges: divide & query over nodes *and* over stretches of chained siblings.
//!
//! Wide nodes are what costs questions: if a loop made a thousand calls, asking about one of them
//! rules out one of them. Balancing answers that with projected nodes that are put into the tree in
//! advance (*Balanced Execution Trees*). Here every stretch of a chain is a projected node that is made
//! when it is the best question, which needs no change to the tree and splits better. How it is found
//! is in [`stretches`].
//!
//! With few suspects left the most even split is not always the best question. There the exact plan for
//! questions about single nodes (see [`plan`]) takes over wherever it needs fewer questions than going on
//! with stretches would. With more left, the exact plan takes too long: the most even splits are tried out
//! in advance, as [`rollout`] does, and a plan that is only nearly exact replaces them where it is better.

use std::collections::HashMap;

use super::call_ranges::{self, CallRanges};
use super::{SearchSpace, Strategy, StrategyInfo, balance, evaluate_space, plan, rollout};
use crate::tree::{NodeId, Target};

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "ranges",
    explanation: "divide & query that may also ask about several consecutive calls together",
    create: || Box::<Ranges>::default(),
};

/// With more suspects than this, the exact plan is not worth its time.
const FEW_SUSPECTS: u64 = 40;

/// With more suspects than this, a plan that is nearly exact is not either.
const SOME_SUSPECTS: u64 = 100;

/// With more suspects than this, neither is trying questions out.
const MANY_SUSPECTS: u64 = 200;

/// How many situations are remembered.
const MOST_KEPT: usize = 4096;

#[derive(Default)]
pub(super) struct Ranges {
    /// What was planned in the last situations; `None` where no plan is better than halving.
    planned: HashMap<(u64, bool), Option<Target>>,
}

impl Ranges {
    /// The next question of a plan, where that is the better one. It depends on what is left and on
    /// nothing else, so that a session that is resumed asks the same.
    fn planned(&mut self, space: &SearchSpace) -> Option<Target> {
        let is_plain = !space.has_unknown_suspects() && !space.has_projections();
        if space.suspects() > MANY_SUSPECTS || !is_plain {
            return None;
        }
        let here = (plan::situation(space), space.is_known_wrong());
        if self.planned.len() > MOST_KEPT {
            self.planned.clear();
        }
        *self.planned.entry(here).or_insert_with(|| {
            if space.suspects() <= FEW_SUSPECTS {
                exactly_planned(space).map(Target::Node)
            } else {
                tried_out(space)
            }
        })
    }
}

impl Strategy for Ranges {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        balance::most_balanced(space, space.suspects())
    }

    fn choose_target(&mut self, space: &SearchSpace) -> Option<Target> {
        self.planned(space)
            .or_else(|| call_ranges::most_balanced(space))
    }
}

/// The first question of the best order of questions about single nodes, if that needs fewer than halving.
fn exactly_planned(space: &SearchSpace) -> Option<NodeId> {
    let going_on = evaluate_space(space.fork(), &mut CallRanges).total;
    let most_even = balance::most_balanced(space, space.suspects())?;
    if fewest_after(space, most_even.into()) >= going_on {
        return None;
    }
    let order = plan::order_below(space, going_on)?;
    plan::first_of(space, &order)
}

/// The best of the most even splits, if halving from there on is played to the end, or the first question of
/// an order that is better still.
fn tried_out(space: &SearchSpace) -> Option<Target> {
    let most_even = call_ranges::most_balanced(space)?;
    let total = |target| space.suspects() + rollout::total_after(space, target, &mut CallRanges);
    let mut best = (total(most_even), most_even);
    if best.0 <= plan::fewest_questions(space.suspects()) {
        return None;
    }
    let candidates = rollout::candidates(space).into_iter().map(Target::Node);
    let mut is_hopeless = true;
    for target in candidates {
        if fewest_after(space, target) >= best.0 {
            // Those after it split less evenly, so they are no better.
            break;
        }
        is_hopeless = false;
        if target == most_even {
            continue;
        }
        let total = total(target);
        if total < best.0 {
            best = (total, target);
        }
    }
    let is_soon_planned = space.suspects() <= SOME_SUSPECTS && !is_hopeless;
    let order = is_soon_planned.then(|| plan::good_order_below(space, best.0));
    let planned = order
        .flatten()
        .and_then(|order| plan::first_of(space, &order));
    Some(planned.map_or(best.1, Target::Node))
}

/// Whatever is asked afterwards, with `target` as the first question the total is no smaller than this. The
/// more evenly a question splits, the smaller it is.
fn fewest_after(space: &SearchSpace, target: Target) -> u64 {
    let (all, inside) = (space.suspects(), space.weight_of(target));
    all + plan::fewest_questions(inside) + plan::fewest_questions(all - inside)
}
