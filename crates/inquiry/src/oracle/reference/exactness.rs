//! When a difference is enough to name a call.
//!
//! Two releases differ in hundreds of methods, and many of those end in another state without any harm: a new
//! constant, a table with one more row. That a call began as the reference's did and ended differently shows that
//! it is *different*; that it is to *blame* follows in these cases only:
//!
//! * everything else that differs and ran is cleared, because its calls ended as the reference's did;
//! * an exception that left it, where the reference's call returned, is the one that ended the thread or the test:
//!   the difference is the symptom;
//! * no code that ran differs, and what it read from outside does.
//!
//! In all other cases it is a suspect.

use std::collections::BTreeSet;
use std::time::Duration;

use debug_engine::session::Answer;
use debug_engine::{ExecutionTree as _, NodeId};
use trace_format::{MethodId, ObjectId};
use trace_store::{CallId, CallOutcome};

use super::super::lockstep::{Ended, Stray};
use super::super::patience::Stopwatch;
use super::{DeclarationChange, Reference};

/// No more calls than this are compared to clear a method.
const MOST_CALLS: usize = 300;
/// Longer than this nothing is cleared.
const PATIENCE: Duration = Duration::from_secs(15);

impl Reference {
    /// Whether a call that ended differently is sure to be to blame, or to have one below it that is.
    pub(super) fn is_exact(&mut self, node: NodeId) -> bool {
        let call = self.ours.call_id(node);
        if call.is_some() && self.input.map(|(ours, _)| ours) == call {
            return true;
        }
        self.is_the_symptom(node) || self.is_left_over(node)
    }

    /// Whether nothing else that differs and ran can be to blame.
    fn is_left_over(&mut self, node: NodeId) -> bool {
        if !self.comparison.versions.same_calls() {
            return false;
        }
        let method = self.ours.method(node);
        self.uncleared().iter().all(|&other| other == method)
    }

    /// The methods that differ and ran, but for those whose calls all did what the reference's did.
    pub(super) fn uncleared(&mut self) -> BTreeSet<MethodId> {
        if let Some(known) = &self.uncleared {
            return known.clone();
        }
        let versions = &self.comparison.versions;
        let mut changed = versions.changed_and_called(&self.ours);
        let blameless = versions.blameless(&self.ours);
        changed.retain(|method| !blameless.contains(&java_model::run::routine(*method)));
        let watch = Stopwatch::start();
        let is_alone = changed.len() == 1;
        let uncleared = changed
            .into_iter()
            .filter(|&method| is_alone || watch.spent() > PATIENCE || !self.is_cleared(method));
        let uncleared: BTreeSet<MethodId> = uncleared.collect();
        self.uncleared = Some(uncleared.clone());
        uncleared
    }

    fn is_cleared(&mut self, method: MethodId) -> bool {
        let calls = self.ours.trace().calls_of_method(method);
        let calls: Vec<CallId> = calls.into_iter().flatten().take(MOST_CALLS + 1).collect();
        calls.len() <= MOST_CALLS
            && calls.into_iter().all(|call| {
                let node = self.ours.node(call);
                node.is_some_and(|node| self.difference(node) == Some(Answer::Yes))
            })
    }

    /// Whether the call ended the thread, or the failed test, by an exception where the reference's call, with which
    /// it went together up to where it strayed, returned.
    fn is_the_symptom(&self, node: NodeId) -> bool {
        let Some(call) = self.ours.call(node) else {
            return false;
        };
        let Some(stray) = self.course.stray(call.id) else {
            return false;
        };
        let is_sure = stray.began_alike && stray.is_changed && stray.ended == Ended::Differently;
        let returned = self
            .theirs
            .trace()
            .call(stray.theirs)
            .is_ok_and(|other| matches!(other.outcome, CallOutcome::Returned(_)));
        let CallOutcome::Threw(exception) = call.outcome else {
            return false;
        };
        is_sure
            && returned
            && self.nothing_was_left_out_before(&stray)
            && self.left_everything(node, exception)
            && !self.may_be_declared(&stray)
    }

    /// Whether every call before one did the same in all of its state, not only in what both versions have.
    fn nothing_was_left_out_before(&self, stray: &Stray) -> bool {
        let mut before = self
            .course
            .strays()
            .take_while(|one| one.ours != stray.ours);
        before.all(|one| one.ended == Ended::Alike || is_around(one, stray, self))
    }

    /// Whether an exception left all callers, or all up to a test.
    fn left_everything(&self, node: NodeId, exception: ObjectId) -> bool {
        let tests = self.ours.tests();
        let is_test = |node: NodeId| tests.iter().any(|test| test.node == node);
        let mut at = node;
        loop {
            match self.ours.outcome(at) {
                Some(CallOutcome::Threw(one)) if one == exception => {}
                _ => return false,
            }
            if is_test(at) {
                return true;
            }
            match self.ours.parent(at) {
                Some(parent) => at = parent,
                None => return true,
            }
        }
    }

    /// Whether the call may have strayed because of how a class is declared.
    fn may_be_declared(&self, stray: &Stray) -> bool {
        let versions = &self.comparison.versions;
        let method = |run: &java_model::run::JavaRun, call: CallId| {
            let calls = run.read(run.trace().calls(call.thread))?;
            Some(calls.method(call.index))
        };
        let (Some(mine), Some(other)) = (
            method(&self.ours, stray.ours),
            method(&self.theirs, stray.theirs),
        ) else {
            return true;
        };
        let codes = versions.codes(&self.ours, &self.theirs, &[mine]).pop();
        let Some(Some((code, _))) = codes else {
            return true;
        };
        let names = |class: &str| {
            let internal = class.replace('.', "/");
            code.words.iter().any(|word| word.text.contains(&internal))
        };
        let reach = self.theirs.statics_below().reach(&self.theirs, other);
        versions.declared().iter().any(|one| match &one.what {
            DeclarationChange::LacksAncestor(other) | DeclarationChange::NewAncestor(other) => {
                other.starts_with("java.") || names(other) || names(&one.class)
            }
            DeclarationChange::LacksMethod(name) => reach.methods.iter().any(|&method| {
                let names = self.theirs.method_names(method);
                names.name == name
                    && versions.dialects()[1].class(&names.class.replace('/', ".")) == one.class
            }),
            DeclarationChange::Volatile(_) => false,
        })
    }

    /// If no code that ran differs: the first calls, ours and the reference's, in which there was another value, if
    /// their code reads from outside.
    pub(super) fn find_input(&self) -> Option<(CallId, CallId)> {
        let (ours, theirs) = self.course.other_value()?;
        let versions = &self.comparison.versions;
        if !versions.same_calls() || !versions.changed_and_called(&self.ours).is_empty() {
            return None;
        }
        let calls = self.ours.read(self.ours.trace().calls(ours.thread))?;
        let code = self.ours.code(calls.method(ours.index));
        (code.has_input && !code.has_chance).then_some((ours, theirs))
    }
}

/// Whether a call that strayed earlier is a caller of another.
fn is_around(one: &Stray, other: &Stray, reference: &Reference) -> bool {
    let run = &reference.ours;
    let (Some(outer), Some(inner)) = (run.node(one.ours), run.node(other.ours)) else {
        return false;
    };
    (outer.0..outer.0 + run.subtree_size(outer)).contains(&inner.0)
}
