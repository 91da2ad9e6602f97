//! What a question costs whoever has to read it, as a weight for any strategy.
//!
//! Two questions that split the suspects about equally well need not be equally long: one shows two
//! numbers, the other a hundred objects. Near the strategy's choice, the question is asked that tells
//! most for what has to be read: the information of its answer (Shannon's, in bits, if each suspect is as
//! likely as the next) divided by its length. Only shorter questions are considered: where all are equally long,
//! the strategy decides alone. Nor is a question that tells less than half of what the strategy's own choice would,
//! so the search gets longer by a factor of two at most.

use std::sync::Arc;

use super::Session;
use crate::strategy::SearchSpace;
use crate::tree::Target;

/// How long questions are.
pub trait QuestionCost: Send + Sync {
    /// What has to be read to answer, in signs.
    fn signs(&self, target: Target) -> u64;
}

/// Reading, thinking and answering take this much at least, in signs.
const LEAST: u64 = 80;
/// How many callers, and how many calls of a call, are looked at.
const CALLERS: usize = 2;
const CALLS: usize = 4;

impl Session {
    /// Says how long questions are; `None` takes it back.
    pub fn set_question_cost(&mut self, cost: Option<Arc<dyn QuestionCost>>) {
        self.cost = cost;
        self.current = None;
    }

    /// The question near this one that tells most for what has to be read.
    pub(super) fn most_told(&self, chosen: Target) -> Target {
        let Some(cost) = self.cost.as_deref().filter(|_| !chosen.is_piece()) else {
            return chosen;
        };
        let space = &self.space;
        let enough = information(space, chosen) / 2.0;
        let value =
            |target: Target, signs: u64| information(space, target) / (LEAST + signs) as f64;
        let longest = cost.signs(chosen);
        let mut best = (chosen, value(chosen, longest));
        // What holds something unknown is left for later, however short it is.
        let near = match space.has_unknown_suspects() {
            true => space.holding_back(|| near(space, chosen)),
            false => near(space, chosen),
        };
        for target in near {
            if information(space, target) < enough {
                continue;
            }
            let signs = cost.signs(target);
            let value = value(target, signs);
            if signs < longest && value > best.1 {
                best = (target, value);
            }
        }
        best.0
    }
}

/// Questions that split the suspects somewhat like this one: about its callers, its siblings, its calls.
fn near(space: &SearchSpace, chosen: Target) -> Vec<Target> {
    let tree = space.tree();
    let callers = || {
        std::iter::successors(tree.parent(chosen.first()), |&node| tree.parent(node)).take(CALLERS)
    };
    let mut nodes: Vec<_> = callers().collect();
    for node in chosen.node().into_iter().chain(callers().take(1)) {
        let heavy = space.children_by_weight(node).take(CALLS);
        nodes.extend(heavy.map(|(child, _)| child));
    }
    let targets = nodes.into_iter().map(Target::Node);
    targets
        .filter(|&target| target != chosen && space.can_ask(target))
        .collect()
}

/// What the answer tells, in bits.
fn information(space: &SearchSpace, target: Target) -> f64 {
    let (all, inside) = (space.suspects() as f64, space.weight_of(target) as f64);
    let part = |share: f64| {
        if share > 0.0 {
            -share * share.log2()
        } else {
            0.0
        }
    };
    part(inside / all) + part(1.0 - inside / all)
}
