//! Belief: ask what removes most uncertainty for the effort of reading it.
//!
//! A strategy that halves the tree is the best one for an oracle to whom all questions are alike. A person reads
//! slowly, and knows before any answer that some calls are likelier to be wrong than others: those that had a part in
//! the symptom, those of methods that only failing tests ran, those with much code. [`Belief`] says how likely; the
//! answers do the rest. What is asked is the call, or the handful of short calls, whose answer tells most for what
//! has to be read ([`choice`]).
//!
//! Belief decides about the order of questions and about nothing else: no call is ruled out by it, and what is found
//! is what the answers prove, as with every strategy. Where nothing is believed (an imported tree, a transformed one)
//! [`ranges`](super::ranges) chooses.

mod choice;
mod mass;

use std::sync::Arc;

use super::{Belief, Choice, SearchSpace, Strategy, StrategyInfo, balance, ranges};
use crate::tree::{NodeId, Target};
use mass::Listing;
pub(crate) use mass::Masses;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "belief",
    explanation: "what is likeliest to be wrong, and quick to read",
    create: || Box::<Believing>::default(),
};

/// See the module's header.
#[derive(Default)]
struct Believing {
    /// The suspects by likelihood, as they were when the course of answers began.
    listing: Option<Listing>,
    otherwise: ranges::Ranges,
}

impl Believing {
    fn masses(&mut self, space: &SearchSpace) -> Option<(Arc<dyn Belief>, Masses)> {
        let belief = space.knowledge().belief.clone()?;
        let kept = self.listing.take().filter(|kept| kept.is_for(space));
        let listing = match kept {
            Some(kept) => kept,
            None => Listing::new(space, &*belief)?,
        };
        let masses = Masses::of(space, &listing);
        self.listing = Some(listing);
        Some((belief, masses))
    }
}

impl Strategy for Believing {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn weighs_effort(&self) -> bool {
        true
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let chosen = self
            .choose_question(space)
            .and_then(|choice| choice.target.node());
        chosen.or_else(|| self.otherwise.choose(space))
    }

    fn choose_target(&mut self, space: &SearchSpace) -> Option<Target> {
        Some(self.choose_question(space)?.target)
    }

    fn choose_question(&mut self, space: &SearchSpace) -> Option<Choice> {
        let believed = self.masses(space);
        let is_read = believed.is_some();
        let chosen = believed.and_then(|(belief, masses)| choice::best(space, &*belief, &masses));
        chosen.or_else(|| {
            let halving = self.otherwise.choose_question(space)?;
            if !is_read || choice::can_be_looked_over(space, halving.target) {
                return Some(halving);
            }
            let one = balance::most_balanced(space, space.suspects());
            Some(one.map_or(halving, |node| Choice::one(Target::Node(node))))
        })
    }
}

/// The suspects that are likeliest to be wrong, with how likely each is, before and after whatever answers there
/// are. `None` if nothing is believed of them.
pub fn likeliest(space: &SearchSpace) -> Option<Vec<(NodeId, f64)>> {
    let belief = space.knowledge().belief.clone()?;
    let listing = Listing::new(space, &*belief)?;
    Some(Masses::of(space, &listing).likeliest())
}
