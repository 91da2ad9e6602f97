//! Comparing calls of two runs.

use std::collections::HashMap;
use std::sync::Arc;

use trace_format::MethodId;
use trace_store::{Call, CallId, CallOutcome};

use super::behaviour::{States, states};
use super::canonical::Fingerprint;
use super::lockstep::{Ended, Judge};
use super::method_pair::MethodPair;
use super::outside;
use super::versions::Versions;
use java_model::run::JavaRun;

/// No more calls of the reference than this are compared for one of ours.
const MOST_CANDIDATES: usize = 2_000;
/// How many calls are replayed to see what they gave to the outside, in all.
const MOST_REPLAYED: usize = 20_000;

/// What two runs have in common.
pub(super) struct Comparison {
    pub(super) ours: Arc<JavaRun>,
    pub(super) theirs: Arc<JavaRun>,
    pub(super) versions: Arc<Versions>,
    methods: HashMap<MethodId, MethodPair>,
    replays_left: usize,
}

/// What the reference's calls with the same state before say of a call.
pub(super) enum Matched {
    /// One of them ended in the same state.
    Alike,
    /// One of them ended in the same state as far as can be seen.
    PerhapsAlike,
    /// All of them ended in one other state; this is one of them.
    Differently(CallId),
    /// There are such calls, and they tell nothing.
    Unclear,
    /// There is none.
    Never,
}

impl Comparison {
    pub(super) fn new(ours: Arc<JavaRun>, theirs: Arc<JavaRun>) -> Comparison {
        Comparison {
            versions: Arc::new(Versions::of(&ours, &theirs)),
            ours,
            theirs,
            methods: HashMap::new(),
            replays_left: MOST_REPLAYED,
        }
    }

    pub(super) fn method(&mut self, method: MethodId) -> &mut MethodPair {
        let (ours, theirs, versions) = (&self.ours, &self.theirs, &self.versions);
        self.methods
            .entry(method)
            .or_insert_with(|| MethodPair::new(ours, theirs, versions, method))
    }

    /// Looks for calls of the reference with the same state before.
    pub(super) fn matched(&mut self, call: &Call) -> Matched {
        let (ours, theirs) = (Arc::clone(&self.ours), Arc::clone(&self.theirs));
        let versions = Arc::clone(&self.versions);
        let [here, there] = versions.dialects();
        let pair = self.method(call.method);
        let mine = states(&ours, call, &pair.statics, here);
        let Some(mine) = mine.filter(|mine| mine.complete) else {
            return Matched::Never;
        };
        let mut others: Vec<(Fingerprint, CallId)> = Vec::new();
        let mut left_out = mine.left_out || pair.left_out;
        let candidates = pair.candidates(&ours, call, &theirs);
        for candidate in candidates.into_iter().take(MOST_CANDIDATES) {
            let Some(other) = pair.states_of(&theirs, candidate, there) else {
                continue;
            };
            if other.before != mine.before || !other.complete {
                continue;
            }
            left_out |= other.left_out;
            if other.after == mine.after && mine.after.is_some() {
                return match self.same_outside(call, candidate, &mine, &other) {
                    Some(true) if !left_out => Matched::Alike,
                    _ => Matched::PerhapsAlike,
                };
            }
            if let Some(after) = other.after
                && others.iter().all(|(known, _)| *known != after)
            {
                others.push((after, candidate));
            }
        }
        let is_open = mine.after.is_none();
        let is_certain = others.len() == 1 && !mine.opaque && !pair.has_input;
        match others.first() {
            None => Matched::Never,
            Some((_, other)) if is_certain || is_open => Matched::Differently(*other),
            Some(_) => Matched::Unclear,
        }
    }

    /// Whether calls that ended in the same visible state did the same where it is not visible; `None`
    /// if that cannot be told.
    fn same_outside(
        &mut self,
        call: &Call,
        other: CallId,
        mine: &States,
        theirs: &States,
    ) -> Option<bool> {
        let is_seen = !mine.unseen_changes && !theirs.unseen_changes;
        if is_seen && !self.method(call.method).has_output {
            return Some(true);
        }
        self.replays_left = self.replays_left.checked_sub(1)?;
        let given = outside::given_below(&self.ours, call.id)?;
        Some(given == outside::given_below(&self.theirs, other)?)
    }
}

impl Judge for Comparison {
    fn is_same_code(&self, method: MethodId) -> bool {
        self.versions.is_same(method)
    }

    fn ended(&mut self, ours: CallId, theirs: CallId, began_alike: bool) -> Ended {
        let (Ok(call), Ok(other)) = (
            self.ours.trace().call(ours),
            self.theirs.trace().call(theirs),
        ) else {
            return Ended::Unknown;
        };
        let pair = self.method(call.method);
        if pair.has_chance {
            return Ended::Unknown;
        }
        let was_certain = began_alike;
        if was_certain && ended_visibly_otherwise(&call, &other) {
            return Ended::Differently;
        }
        let mut left_out = pair.left_out;
        let statics = std::mem::take(&mut pair.statics);
        let [here, there] = self.versions.dialects();
        let mine = states(&self.ours, &call, &statics, here);
        let their = states(&self.theirs, &other, &statics, there);
        self.method(call.method).statics = statics;
        let (Some(mine), Some(their)) = (mine, their) else {
            return Ended::Unknown;
        };
        left_out |= mine.left_out || their.left_out;
        let is_complete = mine.complete && their.complete;
        let began_alike = began_alike || (is_complete && mine.before == their.before);
        if their.after.is_none() || !began_alike {
            return Ended::Unknown;
        }
        if mine.after != their.after {
            let is_certain = was_certain || !mine.opaque;
            return if is_certain {
                Ended::Differently
            } else {
                Ended::Unknown
            };
        }
        match self.same_outside(&call, theirs, &mine, &their) {
            Some(true) if is_complete && left_out => Ended::AlikeInCommon,
            Some(true) if is_complete => Ended::Alike,
            Some(true) => Ended::Unknown,
            Some(false) => Ended::Differently,
            None => Ended::Unknown,
        }
    }

    fn gave_the_same(&mut self, ours: CallId, theirs: CallId) -> Option<bool> {
        let gives = |run: &JavaRun, call: CallId| {
            let calls = run.read(run.trace().calls(call.thread))?;
            Some(run.code(calls.method(call.index)).gives_outside)
        };
        if !gives(&self.ours, ours)? && !gives(&self.theirs, theirs)? {
            return Some(true);
        }
        self.replays_left = self.replays_left.checked_sub(1)?;
        let given = outside::given_by(&self.ours, ours)?;
        Some(given == outside::given_by(&self.theirs, theirs)?)
    }
}

/// Whether the ways out alone show it: a plain result, an exception, no end.
fn ended_visibly_otherwise(call: &Call, other: &Call) -> bool {
    match (call.outcome, other.outcome) {
        (CallOutcome::Returned(Some(mine)), CallOutcome::Returned(Some(other))) => {
            let is_plain = mine.object().is_none() && other.object().is_none();
            is_plain && mine != other
        }
        (CallOutcome::Returned(_), CallOutcome::Threw(_))
        | (CallOutcome::Threw(_) | CallOutcome::Open, CallOutcome::Returned(_))
        | (CallOutcome::Open, CallOutcome::Threw(_)) => true,
        _ => false,
    }
}
