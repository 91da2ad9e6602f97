//! What is known from elsewhere about which routines are likely to be buggy: tests that passed and failed, code that
//! changed lately. It decides in which order questions come, never what is answered.

use std::collections::BTreeSet;

use super::{Reason, Session};
use crate::strategy::{self, SearchSpace, emphasised};
use crate::tree::{RoutineId, Target};

/// Routines that are at least this suspicious, relative to the most suspicious one, are searched first; then those
/// of the second level; then everything.
const LEVELS: [f64; 2] = [0.9, 0.5];

/// The levels of suspicion, and the spaces in which only they weigh.
#[derive(Default)]
pub(super) struct Suspicion {
    levels: Vec<BTreeSet<RoutineId>>,
    /// Made for a tree of this size, with these routines trusted.
    made_for: Option<(u32, BTreeSet<RoutineId>)>,
    spaces: Vec<SearchSpace>,
}

impl Suspicion {
    fn of(scores: &[(RoutineId, f64)]) -> Suspicion {
        let highest = scores.iter().map(|&(_, score)| score).fold(0.0, f64::max);
        let mut levels: Vec<BTreeSet<RoutineId>> = Vec::new();
        for share in LEVELS {
            let bound = highest * share;
            let is_in = |&&(_, score): &&(RoutineId, f64)| score > 0.0 && score >= bound;
            let level: BTreeSet<_> = scores
                .iter()
                .filter(is_in)
                .map(|&(routine, _)| routine)
                .collect();
            if !level.is_empty() && levels.last() != Some(&level) {
                levels.push(level);
            }
        }
        Suspicion {
            levels,
            ..Suspicion::default()
        }
    }

    /// The spaces, made anew if trust or growth has changed what weighs.
    fn spaces(&mut self, base: &SearchSpace) -> &[SearchSpace] {
        let made_for = (base.tree().len(), base.trusted_routines().clone());
        if self.made_for.as_ref() != Some(&made_for) {
            let levels = self.levels.iter();
            self.spaces = levels.filter_map(|level| emphasised(base, level)).collect();
            self.made_for = Some(made_for);
        }
        &self.spaces
    }
}

impl Session {
    /// Says how suspicious routines are, from 0 to 1; routines that are not named are not. An empty list takes it
    /// back.
    pub fn set_suspicion(&mut self, scores: &[(RoutineId, f64)]) {
        self.suspicion = Suspicion::of(scores);
        self.current = None;
    }

    /// The strategy's question about the most suspicious calls that are left, if one can tell them apart.
    pub(super) fn suspicious_question(&mut self) -> Option<Target> {
        let believes = self.strategy.weighs_effort() && self.space.has_belief();
        if believes || !self.options.transformations.keep_the_tree() {
            return None;
        }
        for level in self.suspicion.spaces(&self.space) {
            let space = self.space.weighed_like(level);
            let target = match space.suspects() {
                0 => None,
                1 => space.select(0).map(Target::Node),
                _ => match strategy::next_question(&space, &mut *self.strategy) {
                    Some((choice, Reason::Strategy)) => Some(choice.target),
                    _ => None,
                },
            };
            let askable = target.filter(|&target| self.space.can_ask(target));
            if askable.is_some() {
                return askable;
            }
        }
        None
    }
}
