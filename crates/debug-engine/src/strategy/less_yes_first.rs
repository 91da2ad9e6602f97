//! Less YES first (Silva): top-down, into the subtree whose routines are least cleared by the answers
//! so far. Each routine in a subtree counts once, and the more often it was found correct, the less
//! it counts; a subtree with many different routines that nobody has cleared is the best place to
//! look.

use std::collections::BTreeSet;

use super::{LISTABLE, SearchSpace, Strategy, StrategyInfo, heaviest_first};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "less-yes-first",
    explanation: "top-down, into the callee whose methods were found correct least often",
    create: || Box::new(LessYesFirst),
};

struct LessYesFirst;

impl Strategy for LessYesFirst {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        if space.suspects() > LISTABLE {
            return heaviest_first::choose(space);
        }
        let mut suspects = space.suspects_in_order().peekable();
        let mut best: Option<(f64, NodeId)> = None;
        for node in space.topmost_askable() {
            let end = space.tree().range(node).end;
            let mut routines = BTreeSet::new();
            let mut suspicion = 0.0;
            while let Some(suspect) = suspects.next_if(|suspect| suspect.0 < end) {
                let is_inside = suspect >= node;
                if is_inside && routines.insert(space.tree().routine(suspect)) {
                    suspicion += 1.0 / f64::from(1 + space.evidence(suspect).correct);
                }
            }
            if best.is_none_or(|(most, _)| suspicion > most) {
                best = Some((suspicion, node));
            }
        }
        best.map(|(_, node)| node)
    }
}
