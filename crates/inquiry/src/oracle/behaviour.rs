//! What a call did, in a form that can be compared: the state before it and the state after it.
//!
//! State before: receiver, arguments, everything they reach, and the statics that matter. State after:
//! the same again, with the result or the exception.

use debug_engine::NodeId;
use trace_format::Value;
use trace_store::{Call, CallOutcome};

use super::canonical::{Fingerprint, Numbers, Walk};
use super::versions::Dialect;
use java_model::method_code::FieldName;
use java_model::run::JavaRun;

/// A call's states.
#[derive(Clone, Copy, Debug)]
pub(super) struct States {
    pub(super) before: Fingerprint,
    /// `None` if the call did not end.
    pub(super) after: Option<Fingerprint>,
    /// Something that it may depend on is not known.
    pub(super) opaque: bool,
    /// Something may have changed without a trace.
    pub(super) unseen_changes: bool,
    /// All of both states was compared.
    pub(super) complete: bool,
    /// Something was left out that only one of the versions has.
    pub(super) left_out: bool,
}

/// What a call did, up to the names of objects: the states before and after it. `None` if the trace does not tell all
/// that it depends on or changes.
pub(super) fn whole(run: &JavaRun, node: NodeId) -> Option<(Fingerprint, Fingerprint)> {
    let call = run.call(node)?;
    let reach = run.statics_below().reach(run, call.method);
    if reach.has_input {
        return None;
    }
    let statics = reach.statics.iter().map(|name| FieldName::clone(name));
    let statics: Vec<_> = statics.collect();
    match states(run, &call, &statics, &Dialect::default())? {
        States {
            before,
            after: Some(after),
            opaque: false,
            unseen_changes: false,
            complete: true,
            left_out: _,
        } => Some((before, after)),
        _ => None,
    }
}

/// The states before and after a call; `None` if they cannot be told.
pub(super) fn states(
    run: &JavaRun,
    call: &Call,
    statics: &[FieldName],
    dialect: &Dialect,
) -> Option<States> {
    let times = run.times_unreadable();
    let is_constructor = run.method_names(call.method).name == "<init>";
    let receiver = call.this.map(Value::Ref);
    let before_receiver = receiver.filter(|_| !is_constructor);

    let mut walk = Walk::new(run, call.entry_time, Numbers::new()).said_in(dialect);
    roots(&mut walk, before_receiver, &call.arguments);
    statics_at(&mut walk, run, call.entry_time, statics);
    let mut opaque = walk.opaque;
    let mut unseen_changes = walk.unseen_changes;
    let mut complete = walk.complete;
    let mut left_out = walk.left_out;
    let (before, numbers) = walk.finish();

    let end = run.whole_end(call);
    let mut walk = Walk::new(run, end, numbers).said_in(dialect);
    match call.outcome {
        CallOutcome::Open if run.ended_by_itself() => walk.word("ended with the program"),
        CallOutcome::Open => {
            return Some(States {
                before,
                after: None,
                opaque,
                unseen_changes,
                complete,
                left_out,
            });
        }
        CallOutcome::Lost => return None,
        CallOutcome::Returned(value) => {
            walk.word("returned");
            if let Some(value) = value {
                walk.value(value);
            }
        }
        CallOutcome::Threw(exception) => {
            walk.word("threw");
            walk.value(Value::Ref(exception));
        }
    }
    roots(&mut walk, receiver, &call.arguments);
    statics_at(&mut walk, run, end, statics);
    // What could not be read may be what two calls differ in.
    opaque |= walk.opaque || run.unreadable_since(times).is_some();
    unseen_changes |= walk.unseen_changes;
    complete &= walk.complete;
    left_out |= walk.left_out;
    let (after, _) = walk.finish();
    Some(States {
        before,
        after: Some(after),
        opaque,
        unseen_changes,
        complete,
        left_out,
    })
}

fn roots(walk: &mut Walk<'_, JavaRun>, receiver: Option<Value>, arguments: &[Value]) {
    if let Some(receiver) = receiver {
        walk.value(receiver);
    }
    for &argument in arguments {
        walk.value(argument);
    }
}

fn statics_at(
    walk: &mut Walk<'_, JavaRun>,
    run: &JavaRun,
    at: trace_format::TraceTime,
    statics: &[FieldName],
) {
    for name in statics {
        walk.word(&name.owner);
        walk.word(&name.name);
        match run.static_value(name, at) {
            Some(value) => walk.value(value),
            None => walk.word("unknown"),
        }
    }
}
