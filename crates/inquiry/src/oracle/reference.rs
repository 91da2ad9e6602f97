//! Answers from a reference version: the same program, fixed or older, run with the same command.
//!
//! A call of the reference with the same method and the same state before must have given the same
//! state after. State before: receiver, arguments, everything they reach, and the statics that the
//! method or anything below it names. State after: the same again, with the result or the
//! exception. The answer is
//!
//! * right, if some such call of the reference ended in the same state, and gave the same to code
//!   that is not recorded;
//! * wrong, if such calls exist and all ended in one other state;
//! * right as well, if the method and everything that ran below it has the same code in both
//!   versions: whatever the input, the reference would have done the same;
//! * none, if no call matches, or the trace does not tell enough: an object whose inside is not
//!   recorded, a clock.
//!
//! Which call matches is told by its place first: both runs are followed side by side as far as they
//! do the same ([`lockstep`](super::lockstep)). Where they part, one call has gone another way from
//! the same state; if it ended differently, that is the wrong one. Only calls behind that are looked
//! for by their state.
//!
//! Methods whose own code is the same cannot be to blame ([`versions`](super::versions)): they are
//! looked through, like trusted ones.
//!
//! A call that had not ended when the program was stopped is wrong if the reference's call with
//! the same state before did end.

mod exactness;
mod suspects;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use classfile::pairing::Difference;
use debug_engine::oracle::Oracle;
use debug_engine::session::{Answer, AnswerSource};
use debug_engine::{ExecutionTree as _, NodeId, RoutineId, Target};
use serde::Serialize;
use trace_format::MethodId;
use trace_store::{Call, CallId};

use super::changed_lines::changed_lines;
use super::comparison::{Comparison, Matched};
use super::lockstep::{self, Course, Ended};
use super::patience::Stopwatch;
pub use super::versions::declarations::{DeclarationChange, Declared};
use java_model::run::JavaRun;
pub use suspects::Suspect;

/// Walking large states again and again takes time; when this much is spent, no more is answered.
const PATIENCE: Duration = Duration::from_secs(60);

/// How the reference's call was found that one of ours is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchedBy {
    /// Both runs came to it by the same events.
    Place,
    /// It began in the same state.
    State,
    /// Both runs came to it by the same events, and both have the same code: what it read from outside differs.
    Input,
}

/// Answers from another run.
pub struct Reference {
    ours: Arc<JavaRun>,
    theirs: Arc<JavaRun>,
    comparison: Comparison,
    /// How far the runs went together.
    course: Course,
    /// Calls that ended otherwise than a call of the reference with the same state before, with that.
    differing: HashMap<NodeId, CallId>,
    /// The calls in which something else was read from outside, if that alone differs.
    input: Option<(CallId, CallId)>,
    /// The methods that differ, ran, and are not cleared by what their calls did; found when first needed.
    uncleared: Option<BTreeSet<MethodId>>,
    /// Whether it fails in the same way: what both do is then no sign that it is right.
    fails_alike: bool,
    /// Questions for which a call with the same state before was found.
    matched: usize,
    spent: Duration,
}

impl Reference {
    #[must_use]
    pub fn new(ours: Arc<JavaRun>, theirs: Arc<JavaRun>) -> Reference {
        let mut comparison = Comparison::new(Arc::clone(&ours), Arc::clone(&theirs));
        let versions = Arc::clone(&comparison.versions);
        let course = lockstep::follow(&ours, &theirs, &versions, &mut comparison);
        tracing::debug!(?course, "the runs were followed");
        let mut reference = Reference {
            ours,
            theirs,
            comparison,
            course,
            input: None,
            differing: HashMap::new(),
            uncleared: None,
            fails_alike: false,
            matched: 0,
            spent: Duration::ZERO,
        };
        reference.input = reference.find_input();
        reference
    }

    /// Says that it fails in the same way, so that it cannot tell what is right.
    pub fn fails_alike(&mut self) {
        self.fails_alike = true;
    }

    /// How many questions had a matching call.
    #[must_use]
    pub fn matched(&self) -> usize {
        self.matched
    }

    /// The innermost call that was open where our run first differs from the reference; `None` if
    /// they do not differ, or that cannot be told.
    #[must_use]
    pub fn first_difference(&self) -> Option<NodeId> {
        self.path_to_difference().last().copied()
    }

    /// Whether both runs did the same, event by event, from beginning to end.
    #[must_use]
    pub fn is_the_same(&self) -> bool {
        self.course.is_the_same()
    }

    /// The run that is compared with it.
    #[must_use]
    pub fn ours(&self) -> &JavaRun {
        &self.ours
    }

    /// The reference's run.
    #[must_use]
    pub fn theirs(&self) -> &JavaRun {
        &self.theirs
    }

    /// For a call that was found wrong: the reference's call that it was compared with, and how that
    /// was found.
    #[must_use]
    pub fn decided_by(&self, node: NodeId) -> Option<(NodeId, MatchedBy)> {
        let other = self.counterpart(node)?;
        let call = self.ours.call_id(node)?;
        let by = match self.course.stray(call) {
            _ if self.input.is_some_and(|(ours, _)| ours == call) => MatchedBy::Input,
            Some(stray) if stray.began_alike => MatchedBy::Place,
            _ => MatchedBy::State,
        };
        Some((other, by))
    }

    /// For a call that was found wrong: the reference's call with the same state before.
    #[must_use]
    pub fn counterpart(&self, node: NodeId) -> Option<NodeId> {
        self.theirs.node(*self.differing.get(&node)?)
    }

    /// Whether it gave up because comparing took too long.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.spent > PATIENCE
    }

    /// Whether no recorded code that ran differs, nor how a class is declared: what differs is elsewhere.
    #[must_use]
    pub fn is_of_same_code(&self) -> bool {
        let versions = &self.comparison.versions;
        versions.changed_and_called(&self.ours).is_empty() && self.declared().is_empty()
    }

    /// The methods that cannot be to blame because their own code is the same.
    #[must_use]
    pub fn blameless(&self) -> BTreeSet<RoutineId> {
        if self.fails_alike {
            return BTreeSet::new();
        }
        self.comparison.versions.blameless(&self.ours)
    }

    /// The same where it is verified what is to blame: all others.
    #[must_use]
    pub fn blameless_beside(
        &self,
        experimented: &crate::experimented::Experimented,
    ) -> BTreeSet<RoutineId> {
        let verified = experimented.verified();
        let named = || {
            let all = verified.into_iter();
            all.flat_map(|one| one.changes.iter().chain(&one.new))
        };
        let ours = &self.ours;
        let others = ours.methods().filter(|&method| {
            let names = ours.method_names(method);
            let class = java_names::names::class(names.class);
            !named().any(|one| {
                one.class == class
                    && one.method.as_deref() == Some(names.name)
                    && one.descriptor.as_deref() == Some(names.descriptor)
            })
        });
        let mut blameless = self.blameless();
        blameless.extend(others.map(java_model::run::routine));
        blameless
    }

    /// Where to look first: the call that went another way, or else the calls that were open where
    /// the runs first differ, the outermost first.
    #[must_use]
    pub fn where_to_look(&self) -> Vec<NodeId> {
        let culprit = self.course.culprit();
        match culprit.and_then(|stray| self.ours.node(stray.ours)) {
            Some(node) => vec![node],
            None => self.path_to_difference(),
        }
    }

    fn path_to_difference(&self) -> Vec<NodeId> {
        let Some((thread, position)) = self.course.first_difference() else {
            return Vec::new();
        };
        let innermost = self
            .ours
            .read(self.ours.trace().call_of(thread, position))
            .flatten();
        let innermost = innermost.and_then(|call| self.ours.node(call));
        let mut path: Vec<NodeId> =
            std::iter::successors(innermost, |&node| self.ours.parent(node)).collect();
        path.reverse();
        path
    }

    /// The answer about a call, if the reference has one. *Wrong* is said only of what is sure to be to blame, or to
    /// have a call below it that is.
    pub fn answer(&mut self, node: NodeId) -> Option<Answer> {
        match self.difference(node) {
            Some(Answer::No) if !self.is_exact(node) => None,
            Some(Answer::Inadmissible) => {
                let culprit = self.course.culprit()?;
                let node = self.ours.node(culprit.ours)?;
                self.is_exact(node).then_some(Answer::Inadmissible)
            }
            other => other,
        }
    }

    /// Whether a call did the same as a call of the reference with the same state before, whatever came of it.
    pub fn difference(&mut self, node: NodeId) -> Option<Answer> {
        if self.gave_up() {
            return None;
        }
        let watch = Stopwatch::start();
        let answer = self.compare(node);
        self.spent += watch.spent();
        answer
    }

    /// Whether no call of the reference began in the same state as this one, so far as is recorded.
    pub fn never_began_so(&mut self, node: NodeId) -> bool {
        let Some(call) = self.ours.call(node).filter(|_| !self.gave_up()) else {
            return false;
        };
        let watch = Stopwatch::start();
        let went_together = self.course.agreed(&call) || self.course.stray(call.id).is_some();
        let never = !went_together && matches!(self.comparison.matched(&call), Matched::Never);
        self.spent += watch.spent();
        never
    }

    /// The answer about siblings taken together: right if all of them are, wrong if one of them is.
    pub fn answer_together(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        const MOST: usize = 1000;
        let ours = Arc::clone(&self.ours);
        let mut members = Target::between(first, last).members(&*ours);
        let mut all_right = true;
        for node in members.by_ref().take(MOST) {
            match self.answer(node) {
                Some(Answer::Yes) => {}
                Some(Answer::No | Answer::WrongPart(_)) => return Some(Answer::No),
                _ => all_right = false,
            }
        }
        (all_right && members.next().is_none()).then_some(Answer::Yes)
    }

    /// The lines of a call's method that differ from the reference's; empty if that cannot be told.
    #[must_use]
    pub fn changed_lines(&mut self, node: NodeId) -> BTreeSet<u32> {
        let method = self.ours.method(node);
        self.lines_of(&[method]).pop().unwrap_or_default()
    }

    /// The same for methods.
    fn lines_of(&self, methods: &[MethodId]) -> Vec<BTreeSet<u32>> {
        let versions = &self.comparison.versions;
        let codes = versions.codes(&self.ours, &self.theirs, methods);
        let lines = codes.into_iter().map(|codes| match codes {
            Some((mine, others)) => changed_lines(&mine, &others),
            None => BTreeSet::new(),
        });
        lines.collect()
    }

    fn compare(&mut self, node: NodeId) -> Option<Answer> {
        if self.fails_alike {
            return None;
        }
        let call = self.ours.call(node)?;
        if let Some((ours, theirs)) = self.input.filter(|(ours, _)| *ours == call.id) {
            tracing::debug!(?ours, ?theirs, "something else was read from outside");
            self.matched += 1;
            self.differing.insert(node, theirs);
            return Some(Answer::No);
        }
        let versions = &self.comparison.versions;
        if versions.difference(call.method) == Some(Difference::Synchronized) {
            // What another order of threads does is nothing that a state shows.
            return None;
        }
        let pair = self.comparison.method(call.method);
        // What was read from outside may have been another thing.
        let same_code = pair.same_code && call.exit.is_some() && !pair.has_input;
        if same_code || self.course.agreed(&call) {
            self.matched += 1;
            return Some(Answer::Yes);
        }
        if let Some(stray) = self.course.stray(call.id) {
            self.matched += 1;
            match stray.ended {
                Ended::Alike => return Some(Answer::Yes),
                Ended::AlikeInCommon => return None,
                Ended::Differently => {
                    self.differing.insert(node, stray.theirs);
                    return Some(Answer::No);
                }
                Ended::Unknown => return None,
            }
        }
        let matched = self.comparison.matched(&call);
        self.matched += usize::from(!matches!(matched, Matched::Never));
        match matched {
            Matched::Alike => Some(Answer::Yes),
            Matched::Differently(other) => {
                self.differing.insert(node, other);
                Some(Answer::No)
            }
            Matched::PerhapsAlike | Matched::Unclear => None,
            Matched::Never => self
                .follows_from_culprit(&call)
                .then_some(Answer::Inadmissible),
        }
    }

    /// Whether a call was made by the one that went another way, after it did, and only runs code of
    /// the same method that differs. The reference never made it from there.
    fn follows_from_culprit(&mut self, call: &Call) -> bool {
        let Some(culprit) = self.course.culprit() else {
            return false;
        };
        let (Some(outer), Some(node)) = (self.ours.node(culprit.ours), self.ours.node(call.id))
        else {
            return false;
        };
        let below = outer.0..outer.0 + self.ours.subtree_size(outer);
        if !below.contains(&node.0) || call.entry < culprit.at {
            return false;
        }
        let method = self.ours.method(outer);
        let reach = self.ours.statics_below().reach(&self.ours, call.method);
        let versions = &self.comparison.versions;
        let mut methods = reach.methods.iter();
        methods.all(|&other| other == method || versions.is_same(other))
    }
}

impl Oracle for Reference {
    fn source(&self) -> AnswerSource {
        AnswerSource::Reference
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        self.answer(node)
    }

    fn judge_range(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        self.answer_together(first, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use java_model::sketches::{SOURCE, Sketched, till, till_that_sums};

    /// The answers about all six calls of our run.
    fn answers(theirs: Sketched) -> Vec<Option<Answer>> {
        let ours = till();
        let mut reference = Reference::new(Arc::new(ours.run), Arc::new(theirs.run));
        (0..6).map(|node| reference.answer(NodeId(node))).collect()
    }

    const YES: Option<Answer> = Some(Answer::Yes);
    const NO: Option<Answer> = Some(Answer::No);

    #[test]
    fn the_same_code_is_right_whatever_it_did() {
        assert_eq!(answers(till_that_sums(SOURCE, 9)), [YES; 6]);
    }

    #[test]
    fn other_code_that_did_the_same_is_right() {
        let source = SOURCE.replace("sum += value", "sum = value + sum");
        assert_eq!(answers(till_that_sums(&source, 7)), [YES; 6]);
    }

    #[test]
    fn the_same_state_before_and_another_after_is_wrong() {
        let source = SOURCE.replace("int sum = 0", "int sum = 2");
        // `add` and `pay` end in the same state although `sum` does not.
        assert_eq!(
            answers(till_that_sums(&source, 9)),
            [YES, YES, YES, NO, YES, NO]
        );
    }

    #[test]
    fn output_that_may_differ_leaves_a_call_open() {
        let source = SOURCE.replace("sales++;", "sales++; System.out.println(sales);");
        let answers = answers(till_that_sums(&source, 7));
        assert_eq!(answers, [None, YES, None, YES, YES, YES]);
    }
}
