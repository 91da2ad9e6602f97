//! The transformed tree that a session searches, made from the answers about the base tree.
//!
//! Which tree it is depends on the answers in force and on nothing else: the part is what is known to be
//! wrong, and a collapsed chain of which an answer speaks in part is left open. So taking an answer
//! back gives the same tree, and the same question, as before.

use std::ops::Range;
use std::sync::Arc;

use crate::strategy::{SearchSpace, may_follow};
use crate::transform::{Overlay, Transformations};
use crate::tree::Target;

/// Larger parts are searched as they are, until an answer makes them smaller: transforming must not
/// take longer than answering.
const LARGEST: u32 = 1_000_000;

/// A transformed tree and what the answers leave of it.
pub(crate) struct Searched {
    pub(crate) overlay: Arc<Overlay>,
    pub(crate) space: SearchSpace,
}

/// The last trees that were made: a YES keeps the part as it is.
#[derive(Default)]
pub(crate) struct OverlayCache {
    recent: Vec<(Range<u32>, Vec<Target>, Arc<Overlay>)>,
}

impl OverlayCache {
    pub(crate) fn clear(&mut self) {
        self.recent.clear();
    }

    /// The transformed tree over what is in play, unless there is nothing to transform or too much.
    pub(crate) fn search(
        &mut self,
        transformations: &Transformations,
        base: &SearchSpace,
    ) -> Option<Searched> {
        let part = base.range();
        if transformations.keep_the_tree() || part.is_empty() || part.len() > LARGEST as usize {
            return None;
        }
        let mut overlay = self.overlay(transformations, base, Vec::new());
        let mut cut: Vec<Target> = base
            .answered_bounds()
            .filter_map(|position| overlay.collapse_cut_at(position))
            .collect();
        if !cut.is_empty() {
            cut.sort_unstable();
            cut.dedup();
            overlay = self.overlay(transformations, base, cut);
        }
        let space = SearchSpace::over(&overlay, base, may_follow(base));
        Some(Searched { overlay, space })
    }

    fn overlay(
        &mut self,
        transformations: &Transformations,
        base: &SearchSpace,
        opened: Vec<Target>,
    ) -> Arc<Overlay> {
        let part = base.range();
        let known = self
            .recent
            .iter()
            .find(|(known, known_opened, _)| *known == part && *known_opened == opened);
        if let Some((_, _, overlay)) = known {
            return Arc::clone(overlay);
        }
        let weighs = |node| base.weighs(node);
        let overlay = Overlay::build(
            base.tree_arc(),
            part.clone(),
            transformations,
            &weighs,
            &opened,
        );
        let overlay = Arc::new(overlay);
        self.recent.truncate(1);
        self.recent.insert(0, (part, opened, Arc::clone(&overlay)));
        overlay
    }
}
