//! A method in both runs: what its calls depend on, and the reference's calls of it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use trace_format::MethodId;
use trace_store::{Call, CallId};

use super::behaviour::{States, states};
use super::versions::{Dialect, Versions};
use java_model::heap::{Heap as _, ThingKind};
use java_model::method_code::FieldName;
use java_model::run::JavaRun;
use java_names::names;

/// No more calls of one method of the reference than this are looked at.
const MOST_CALLS: usize = 2_000_000;

/// See the module's header.
pub(super) struct MethodPair {
    /// Statics that matter in either run.
    pub(super) statics: Vec<FieldName>,
    /// It and everything below it has the same code in both versions.
    pub(super) same_code: bool,
    /// Equal states after do not make it right: it may have written something else.
    pub(super) has_output: bool,
    /// Different states after do not make it wrong: a clock or the input was read.
    pub(super) has_input: bool,
    /// Not even if both began at the same point of the run: a clock was read.
    pub(super) has_chance: bool,
    /// A static that it or something below it names is there in one of the versions only.
    pub(super) left_out: bool,
    /// The same method in the reference.
    pub(super) same: Vec<MethodId>,
    /// The reference's calls by what is cheap to compare; found when first needed.
    calls: Option<HashMap<u64, Vec<CallId>>>,
    /// Their states, as far as they were needed.
    states: HashMap<CallId, Option<States>>,
}

impl MethodPair {
    pub(super) fn new(
        ours: &JavaRun,
        theirs: &JavaRun,
        versions: &Versions,
        method: MethodId,
    ) -> MethodPair {
        let same = versions.partners(method).to_vec();
        let reach = ours.statics_below().reach(ours, method);
        let mut below = reach.methods.iter();
        let mut pair = MethodPair {
            statics: Vec::new(),
            same_code: versions.same_calls() && below.all(|&method| versions.is_same(method)),
            has_output: reach.has_output || reach.gives_outside,
            has_input: reach.has_input,
            has_chance: reach.has_chance,
            left_out: false,
            same,
            calls: None,
            states: HashMap::new(),
        };
        let mut statics = reach.statics.clone();
        for &other in &pair.same {
            let reach = theirs.statics_below().reach(theirs, other);
            statics.extend(reach.statics.iter().cloned());
            pair.has_output |= reach.has_output || reach.gives_outside;
            pair.has_chance |= reach.has_chance;
        }
        let [here, there] = versions.dialects();
        let in_both = |name: &FieldName| {
            let owner = names::class(&name.owner);
            !here.is_only_here(&owner, &name.name) && !there.is_only_here(&owner, &name.name)
        };
        let known = statics.len();
        let statics = statics.iter().map(|name| FieldName::clone(name));
        pair.statics = statics.filter(in_both).collect();
        pair.left_out = pair.statics.len() < known;
        pair
    }

    /// The reference's calls that may have begun in the same state as one of ours.
    pub(super) fn candidates(
        &mut self,
        ours: &JavaRun,
        call: &Call,
        theirs: &JavaRun,
    ) -> Vec<CallId> {
        let same = &self.same;
        let calls = self.calls.get_or_insert_with(|| {
            let mut calls: HashMap<u64, Vec<CallId>> = HashMap::new();
            for &other in same {
                let ids = theirs.trace().calls_of_method(other).into_iter().flatten();
                for id in ids.take(MOST_CALLS) {
                    if let Ok(call) = theirs.trace().call(id) {
                        let key = shallow_key(theirs, &call);
                        calls.entry(key).or_default().push(id);
                    }
                }
            }
            calls
        });
        let found = calls.get(&shallow_key(ours, call));
        found.cloned().unwrap_or_default()
    }

    /// The states of a call of the reference.
    pub(super) fn states_of(
        &mut self,
        theirs: &JavaRun,
        id: CallId,
        dialect: &Dialect,
    ) -> Option<States> {
        let statics = &self.statics;
        let states_now = || {
            states(
                theirs,
                &theirs.read(theirs.trace().call(id))?,
                statics,
                dialect,
            )
        };
        *self.states.entry(id).or_insert_with(states_now)
    }
}

/// What of a call's input is cheap to compare: plain values, texts, lengths of arrays.
fn shallow_key(run: &JavaRun, call: &Call) -> u64 {
    let mut hash = DefaultHasher::new();
    for argument in &call.arguments {
        match argument.object() {
            None => (argument.kind().code(), argument.bits()).hash(&mut hash),
            Some(object) => match run.thing(object).map(|thing| thing.kind) {
                Some(ThingKind::Text { text, .. }) => text.hash(&mut hash),
                Some(ThingKind::Boxed(value)) => value.bits().hash(&mut hash),
                Some(ThingKind::Constant { name }) => name.hash(&mut hash),
                Some(ThingKind::Array) => run
                    .elements(object, call.entry_time, 0, 0)
                    .length
                    .hash(&mut hash),
                _ => 1u8.hash(&mut hash),
            },
        }
    }
    hash.finish()
}
