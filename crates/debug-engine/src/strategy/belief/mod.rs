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

use super::{Choice, SearchSpace, Strategy, StrategyInfo, ranges};
use crate::session::ValuePath;
use crate::tree::{NodeId, RoutineId, Target};
use mass::Listing;
pub(crate) use mass::Masses;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "belief",
    explanation: "what is likeliest to be wrong, and quick to read",
    create: || Box::<Believing>::default(),
};

/// What is believed of the calls of a run before any answer, and what questions about them cost. The crate that
/// knows the language supplies it.
pub trait Belief: Send + Sync {
    /// How likely it is that the code of a routine is wrong, compared with other routines. Above zero.
    fn prior(&self, routine: RoutineId) -> f64;

    /// Which calls had a part in what is known to be wrong; in the given part of it, if one is given.
    fn relevance(&self, wrong: Target, part: Option<&ValuePath>) -> Arc<Relevance>;

    /// What speaks against a call, a sentence without its end each, for a person.
    fn reasons(&self, node: NodeId, wrong: Option<(Target, Option<&ValuePath>)>) -> Vec<String>;

    /// Whether several calls may be asked about side by side.
    fn takes_lists(&self) -> bool {
        true
    }

    /// How many signs a question has.
    fn signs(&self, target: Target) -> u64;

    /// How many signs a call has as one line of a list.
    fn signs_of_line(&self, node: NodeId) -> u64;
}

/// Calls that had a part in something, by how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Relevance {
    /// In preorder, each with its share of relevance: more than `elsewhere`, at most 1.
    pub calls: Vec<(NodeId, f64)>,
    /// Of every other call. Above zero: what left no trace in the symptom may have caused it all the same.
    pub elsewhere: f64,
}

impl Relevance {
    /// Nothing is known: every call is as relevant as the next.
    pub fn unknown() -> Self {
        Relevance {
            calls: Vec::new(),
            elsewhere: 1.0,
        }
    }

    /// How relevant a call is.
    pub fn of_call(&self, node: NodeId) -> f64 {
        let place = self.calls.binary_search_by_key(&node, |&(node, _)| node);
        place.map_or(self.elsewhere, |place| self.calls[place].1)
    }
}

/// What a session knows to be wrong, and in which part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownWrong {
    pub(crate) target: Target,
    pub(crate) part: Option<ValuePath>,
}

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
        let chosen = believed.and_then(|(belief, masses)| choice::best(space, &*belief, &masses));
        chosen.or_else(|| self.otherwise.choose_question(space))
    }
}

/// The suspects that are likeliest to be wrong, with how likely each is, before and after whatever answers there
/// are. `None` if nothing is believed of them.
pub fn likeliest(space: &SearchSpace) -> Option<Vec<(NodeId, f64)>> {
    let belief = space.knowledge().belief.clone()?;
    let listing = Listing::new(space, &*belief)?;
    Some(Masses::of(space, &listing).likeliest())
}
