//! When something outside may have written last, before a read.
//!
//! While recorded code computes, nothing else does in its thread: what it finds changed, the last
//! library call before has changed, or an earlier one. Where a call made none before it read, its
//! caller may have, before it made the call, and so on.

use trace_format::EventPosition;
use trace_store::{CallId, Trace};

use crate::program::Program;
use crate::replay::Replay;
use crate::site::InvokeSite;

/// How far a call is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) enum Until {
    Step(u64),
    Child(u32),
}

/// When the last library call before a place in a call had ended; `None` if that is not known.
pub(super) fn last_library_call(
    trace: &Trace,
    program: &Program,
    call: CallId,
    until: Until,
) -> Option<EventPosition> {
    let calls = trace.calls(call.thread).ok()?;
    let (mut index, mut until) = (call.index, until);
    loop {
        let id = CallId::new(call.thread, index);
        if let Some(position) = in_call(trace, program, id, until) {
            return Some(position);
        }
        until = Until::Child(index);
        index = calls.parent(index)?;
    }
}

fn in_call(trace: &Trace, program: &Program, call: CallId, until: Until) -> Option<EventPosition> {
    let mut replay = Replay::new(trace, program, call).ok()?;
    let mut last = None;
    loop {
        if matches!(until, Until::Step(step) if replay.steps() >= step) {
            return last;
        }
        let Some(at) = replay.instruction() else {
            return last;
        };
        if replay.step().is_err() {
            return last;
        }
        let Some(site) = replay.code().invoked_by(at) else {
            continue;
        };
        let is_library = calls_library(trace, &replay, site);
        if let Until::Child(child) = until
            && replay.children().any(|made| made.index == child)
        {
            // It was library code that called back: then it may have written just before.
            let entry = trace.calls(call.thread).ok()?.entry(child);
            return if is_library { Some(entry) } else { last };
        }
        if is_library {
            last = Some(replay.position());
        }
    }
}

/// Whether the last step called library code, be it that this called back.
fn calls_library(trace: &Trace, replay: &Replay<'_>, site: &InvokeSite) -> bool {
    if site.owner == "java/lang/Object" {
        return false;
    }
    let Some(callee) = replay.children().last() else {
        return true;
    };
    let method = trace.call(callee).ok().map(|call| call.method);
    let method = method.and_then(|method| trace.symbols().method(method));
    method.is_none_or(|method| method.name != site.name || method.descriptor != site.descriptor)
}
