//! A point in a session: what the answers so far leave of the recorded tree, and of the transformed tree
//! in which questions are chosen. Moves as a [`Session`](crate::Session) does, without its log.

use crate::judgement::Judgement;
use crate::session::searched::{OverlayCache, Searched};
use crate::strategy::{Choice, SearchSpace, Strategy, next_question};
use crate::transform::Transformations;
use crate::tree::Target;

/// See the module's header.
pub(super) struct Position<'a> {
    base: SearchSpace,
    searched: Option<Searched>,
    transformations: &'a Transformations,
    pub(super) questions: u64,
}

/// A question, in terms of the recorded tree and of the transformed one, if it was chosen there.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub(super) target: Target,
    searched: Option<Target>,
}

impl<'a> Position<'a> {
    pub(super) fn new(
        base: SearchSpace,
        transformations: &'a Transformations,
        questions: u64,
    ) -> Self {
        let mut position = Position {
            base,
            searched: None,
            transformations,
            questions,
        };
        position.transform();
        position
    }

    pub(super) fn base(&self) -> &SearchSpace {
        &self.base
    }

    /// The next question: in the transformed tree, and when that has nothing left to tell apart, in
    /// the recorded one. So a collapsed node that proved wrong is opened.
    pub(super) fn next(&self, strategy: &mut dyn Strategy) -> Option<Asked> {
        if let Some(Searched { overlay, space }) = &self.searched
            && let Some((Choice { target, .. }, _)) = next_question(space, strategy)
        {
            return Some(Asked {
                target: overlay.to_base(target),
                searched: Some(target),
            });
        }
        if self.searched.is_some() && !self.transformations.open_again {
            return None;
        }
        let (Choice { target, .. }, _) = next_question(&self.base, strategy)?;
        Some(Asked {
            target,
            searched: None,
        })
    }

    /// Whether nothing is left to ask once this is known to be wrong.
    pub(super) fn is_last(&self, asked: Asked) -> bool {
        asked.target.node().is_some() && self.base.weight_of(asked.target) == 1
    }

    /// Where a NO leads.
    pub(super) fn after_no(&self, asked: Asked) -> Self {
        let inside = self.base.fork_into(asked.target);
        Position::new(inside, self.transformations, self.questions + 1)
    }

    /// Goes where a YES leads.
    pub(super) fn say_yes(&mut self, asked: Asked) {
        self.questions += 1;
        self.base.judge(asked.target, Judgement::Correct);
        match (&mut self.searched, asked.searched) {
            // The transformed tree stays the same.
            (Some(searched), Some(target)) => {
                searched.space.judge(target, Judgement::Correct);
                searched.space.learn_from(&self.base);
            }
            _ => self.transform(),
        }
    }

    fn transform(&mut self) {
        self.searched = OverlayCache::default().search(self.transformations, &self.base);
    }
}
