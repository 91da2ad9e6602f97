//! The same question twice: calls of the same method that were given the same and did the same are right or
//! wrong together, so a person who has answered about one of them is not asked about the other.
//!
//! A recursion that makes no progress, and a loop that repeats itself for ever, are full of such
//! calls. Two calls are the same only if everything that they could see is shown and equal: one cut value,
//! or one object whose inside is not known, and the question is asked.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use debug_engine::session::{Answer, AnswerSource};
use debug_engine::transform::kind_of;
use debug_engine::view::render::{Bounds, Purpose};
use debug_engine::view::{AskedView, NodeView, OutcomeView, StateView, ValueKind, ValueView};
use debug_engine::{NodeId, RoutineId, Session, Target};

use java_analysis::calls::Calls;

/// How far values are followed to be compared.
const COMPARED: Bounds = Bounds {
    width: 500,
    depth: 6,
    string: 10_000,
    changes: 0,
    length: usize::MAX,
    calls: 3,
    rows: usize::MAX,
    purpose: Purpose::Comparison,
};

/// A first look: calls that differ here differ.
const GLANCE: Bounds = Bounds {
    width: 8,
    depth: 1,
    string: 200,
    changes: 0,
    length: 80,
    calls: 3,
    rows: usize::MAX,
    purpose: Purpose::Glance,
};

/// What questions were about, as far as it had to be compared.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    known: HashMap<Target, Option<u64>>,
    glanced: HashMap<Target, u64>,
}

impl Repeated {
    /// What the person said about calls that are the same as those in question.
    pub(super) fn answer(
        &mut self,
        session: &Session,
        calls: &dyn Calls,
        in_question: Target,
    ) -> Option<Answer> {
        let tree = session.tree();
        let routines = |target: Target| -> [RoutineId; 2] {
            [target.first(), target.last()].map(|node| tree.routine(node))
        };
        let wanted = routines(in_question);
        let mut said: Vec<(Target, Answer)> = Vec::new();
        for entry in session.log() {
            let Some(target) = entry.target() else {
                continue;
            };
            said.retain(|(earlier, _)| *earlier != target);
            let settles = matches!(
                entry.answer,
                Answer::Yes | Answer::No | Answer::Inadmissible
            );
            if settles && entry.source == AnswerSource::Person && routines(target) == wanted {
                said.push((target, entry.answer.clone()));
            }
        }
        if said.is_empty() {
            return None;
        }
        let asked = self.glance(calls, in_question);
        said.retain(|(target, _)| self.glance(calls, *target) == asked);
        if said.is_empty() {
            return None;
        }
        let asked = self.behaviour(calls, in_question)?;
        let same = said
            .into_iter()
            .rev()
            .find(|(target, _)| self.behaviour(calls, *target) == Some(asked));
        same.map(|(_, answer)| answer)
    }

    fn behaviour(&mut self, calls: &dyn Calls, target: Target) -> Option<u64> {
        let find = || {
            let (seen, is_all) = seen(calls.view(target, kind_of(target), COMPARED));
            is_all.then_some(seen)
        };
        *self.known.entry(target).or_insert_with(find)
    }

    fn glance(&mut self, calls: &dyn Calls, target: Target) -> u64 {
        let find = || seen(calls.view(target, kind_of(target), GLANCE)).0;
        *self.glanced.entry(target).or_insert_with(find)
    }
}

/// A number for what is seen in a view, and whether that is all there is.
fn seen(mut view: AskedView) -> (u64, bool) {
    let whole = match &mut view {
        AskedView::Call(call) => without_names(call),
        AskedView::Stretch(stretch) => {
            stretch.first = NodeId(0);
            stretch.last = NodeId(0);
            stretch.inside = None;
            stretch.calls_left_out == 0
                && stretch.calls.iter_mut().all(without_names)
                && stretch.state.iter().all(|named| is_whole(&named.state))
        }
    };
    let text = serde_json::to_string(&view);
    let is_told = text.is_ok();
    let mut hasher = DefaultHasher::new();
    text.unwrap_or_default().hash(&mut hasher);
    (hasher.finish(), whole && is_told)
}

/// Takes away what tells two calls apart that do the same. Whether everything in it is shown.
fn without_names(call: &mut NodeView) -> bool {
    call.node = NodeId(0);
    call.judgement = debug_engine::Judgement::Undefined;
    call.judged_by = None;
    let result = match &mut call.outcome {
        OutcomeView::Thrown(exception) => {
            // Each throw makes one anew; what it says is what counts.
            exception.id = None;
            true
        }
        OutcomeView::Returned(value) => is_shown(value),
        OutcomeView::Void | OutcomeView::Open | OutcomeView::ProgramEnded => true,
    };
    let states = call.this.iter().chain(
        call.arguments
            .iter()
            .chain(&call.statics)
            .chain(&call.elsewhere)
            .map(|named| &named.state),
    );
    result && states.into_iter().all(is_whole)
}

fn is_whole(state: &StateView) -> bool {
    is_shown(&state.before) && state.after.as_ref().is_none_or(is_shown)
}

fn is_shown(value: &ValueView) -> bool {
    value.truncated == 0
        && !matches!(
            value.kind,
            ValueKind::Opaque | ValueKind::Unknown | ValueKind::Unreadable
        )
        && value.children.iter().all(|child| is_shown(&child.value))
}
