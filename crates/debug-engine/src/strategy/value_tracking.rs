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
    create: || Box::<ValueTracking>::default(),
};

#[derive(Default)]
struct ValueTracking {
    /// Divide & query as far as it was played, and the course of answers that it was played along.
    played: Option<((u64, usize), Shadow)>,
}

impl Strategy for ValueTracking {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let hinted = space.hint().and_then(|hint| {
            let mut way_up = space.ancestors_in_range(hint);
            way_up.find(|&node| space.is_askable(node))
        });
        let course = space.course();
        let kept = self.played.take().filter(|(along, _)| *along == course);
        let (_, shadow) = self
            .played
            .insert(kept.unwrap_or_else(|| (course, Shadow::new(space))));
        let undecided = shadow.play(space);
        if shadow.is_ahead_of(space) && hinted.is_some() {
            return hinted;
        }
        let undecided = undecided.filter(|&node| space.is_askable(node));
        undecided.or_else(|| balance::most_balanced(space, space.suspects()))
    }
}

/// Whether the value that was called wrong may be followed now.
pub(crate) fn may_follow(space: &SearchSpace) -> bool {
    space.hint().is_some() && {
        let mut shadow = Shadow::new(space);
        shadow.play(space);
        shadow.is_ahead_of(space)
    }
}

/// Divide & query, played as far as the answers decide its questions.
struct Shadow {
    space: SearchSpace,
    decided: u64,
}

impl Shadow {
    fn new(space: &SearchSpace) -> Self {
        Shadow {
            space: space.restarted(),
            decided: 0,
        }
    }

    fn is_ahead_of(&self, space: &SearchSpace) -> bool {
        space.answered() <= self.decided
    }

    /// Goes on to the first question that the answers do not decide.
    fn play(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let all = space.suspects();
        while let Some(node) = balance::most_balanced(&self.space, self.space.suspects()) {
            let judgement = match space.weight(node) {
                0 => Judgement::Correct,
                inside if inside == all => Judgement::Wrong,
                _ => return Some(node),
            };
            self.space.judge(node, judgement);
            self.decided += 1;
        }
        None
    }
}
