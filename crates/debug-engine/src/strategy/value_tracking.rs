//! Value tracking (Pereira's rational debugging, MacLarty's subterm dependency tracking): whoever says
//! *this part is wrong* knows more than NO, and the next question is the call that produced that value.
//!
//! Alone, that can go wrong: a value may have come through a thousand calls. So it is fused with divide
//! & query, in such a way that **no bug needs more than one question more than with divide & query
//! alone**. Beside the session, divide & query is played from the start. Whatever the answers so far
//! decide of its questions costs nothing; its first undecided question is what this strategy asks when
//! it does not follow a value. A value is followed only as long as no more questions were asked than
//! divide & query would have needed to get here. So there is never more than one question in debt, and a
//! value that leads far pays for the next one.

use super::{SearchSpace, Strategy, StrategyInfo, balance};
use crate::judgement::Judgement;
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "value-tracking",
    explanation: "the call that produced the value you called wrong, else divide & query",
    create: || Box::new(ValueTracking),
};

struct ValueTracking;

impl Strategy for ValueTracking {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let hinted = space.hint().and_then(|hint| {
            let mut way_up = space.ancestors_in_range(hint);
            way_up.find(|&node| space.is_askable(node))
        });
        let plain = play(space);
        if plain.is_ahead(space) && hinted.is_some() {
            return hinted;
        }
        let undecided = plain.undecided.filter(|&node| space.is_askable(node));
        undecided.or_else(|| balance::most_balanced(space, space.suspects()))
    }
}

/// Whether the value that was called wrong may be followed now.
pub(super) fn may_follow(space: &SearchSpace) -> bool {
    space.hint().is_some() && play(space).is_ahead(space)
}

/// Divide & query, played as far as the answers decide its questions.
struct Played {
    decided: u64,
    undecided: Option<NodeId>,
}

impl Played {
    fn is_ahead(&self, space: &SearchSpace) -> bool {
        space.answered() <= self.decided
    }
}

fn play(space: &SearchSpace) -> Played {
    let all = space.suspects();
    let mut shadow = space.restarted();
    let mut decided = 0;
    while let Some(node) = balance::most_balanced(&shadow, shadow.suspects()) {
        let judgement = match space.weight(node) {
            0 => Judgement::Correct,
            inside if inside == all => Judgement::Wrong,
            _ => {
                return Played {
                    decided,
                    undecided: Some(node),
                };
            }
        };
        shadow.judge(node, judgement);
        decided += 1;
    }
    Played {
        decided,
        undecided: None,
    }
}
