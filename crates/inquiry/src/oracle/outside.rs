//! What a call gave to code that is not recorded: to a stream, a file, a logger, or an object of the
//! JDK's whose inside nobody sees.
//!
//! The trace has only what came back. What went there follows from the caller's code, so the caller is
//! replayed up to each such call and its operands are looked at, up to the names of objects.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use frame_replay::{Datum, InvokeSite, Replay, Slot};
use trace_format::{TraceTime, Value};
use trace_store::CallId;

use super::canonical::{Numbers, Walk};
use java_model::heap::Heap as _;
use java_model::method_code::takes_what_nobody_sees;
use java_model::run::JavaRun;

/// More steps than this are not replayed for one comparison.
const MOST_STEPS: u64 = 3_000_000;

/// A fingerprint of what a call's own code gave to the outside, in order; `None` if that cannot be told.
pub(super) fn given_by(run: &JavaRun, call: CallId) -> Option<u64> {
    let mut given = Given::new(run);
    given.add(call)?;
    Some(given.hash.finish())
}

/// The same for a call and everything below it.
pub(super) fn given_below(run: &JavaRun, call: CallId) -> Option<u64> {
    let mut given = Given::new(run);
    let calls = run.read(run.trace().calls(call.thread))?;
    let mut index = call.index;
    let end = calls.subtree_range(call.index).end;
    while index < end {
        let reach = run.statics_below().reach(run, calls.method(index));
        if reach.gives_outside {
            if run.code(calls.method(index)).gives_outside {
                given.add(CallId::new(call.thread, index))?;
            }
            index += 1;
        } else {
            index = calls.subtree_range(index).end;
        }
    }
    Some(given.hash.finish())
}

struct Given<'run> {
    run: &'run JavaRun,
    hash: DefaultHasher,
    steps_left: u64,
}

impl<'run> Given<'run> {
    fn new(run: &'run JavaRun) -> Self {
        Given {
            run,
            hash: DefaultHasher::new(),
            steps_left: MOST_STEPS,
        }
    }

    fn add(&mut self, call: CallId) -> Option<()> {
        let run = self.run;
        let mut replay = run.executed(Replay::new(run.trace(), run.program(), call))?;
        let code = replay.code();
        let mut operands: Vec<Slot> = Vec::new();
        while let Some(instruction) = replay.instruction() {
            self.steps_left = self.steps_left.checked_sub(1)?;
            let site = code.invoked_by(instruction);
            let Some(site) = site.filter(|site| takes_what_nobody_sees(&site.owner)) else {
                run.executed(replay.step())?;
                continue;
            };
            operands.clear();
            operands.extend(replay.operands());
            let position = replay.position();
            run.executed(replay.step())?;
            // What went on in recorded code is seen there.
            if replay.children().next().is_none() {
                let at = run.read(run.trace().time(call.thread, position))?;
                self.give(&replay, site, &operands, at);
            }
        }
        Some(())
    }

    fn give(&mut self, replay: &Replay<'_>, site: &InvokeSite, operands: &[Slot], at: TraceTime) {
        (&site.name, &site.descriptor).hash(&mut self.hash);
        let mut slots = operands.iter();
        if site.has_receiver {
            let receiver = slots.next().and_then(|slot| slot.object());
            let thing = receiver.and_then(|object| self.run.thing(object));
            thing.map(|thing| thing.class).hash(&mut self.hash);
        }
        for kind in &site.parameters {
            let Some(slot) = slots.next() else { break };
            if kind.size() == 8 {
                slots.next();
            }
            match slot.datum() {
                Datum::Value(Value::Ref(object)) => {
                    let mut walk = Walk::new(self.run, at, Numbers::new());
                    walk.value(Value::Ref(object));
                    walk.finish().0.hash(&mut self.hash);
                }
                Datum::Value(value) => value.bits().hash(&mut self.hash),
                Datum::Constant(_) => replay.constant_text(*slot).hash(&mut self.hash),
                _ => {}
            }
        }
    }
}
