//! Where somebody stands in a run, and what comes before what.
//!
//! Within a call events are numbered. Between calls of a thread, and between threads, the trace orders: each moment has
//! a place in its thread's events. Many moments share one, because most instructions leave nothing in the trace; then
//! the calls tell, see [`Stop::is_before`].

use std::cmp::Ordering;

use debug_engine::NodeId;
use java_analysis::happening::{Happening, Moment};
use java_model::run::JavaRun;
use java_model::shown;
use trace_format::{EventPosition, ThreadNumber, TraceTime};
use trace_store::CallId;

/// Right after an event of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub node: NodeId,
    /// Counted from the call's entry, which is 0.
    pub event: u64,
}

/// Which way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forwards,
    Backwards,
}

/// A position with what the run has there.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    pub position: Position,
    pub call: CallId,
    /// What objects held is the state at this time.
    pub time: TraceTime,
    pub moment: Moment,
}

impl Stop {
    pub(crate) fn new(run: &JavaRun, node: NodeId, call: CallId, moment: Moment) -> Stop {
        Stop {
            position: Position {
                node,
                event: moment.event,
            },
            call,
            time: shown::time(run, call.thread, moment.position),
            moment,
        }
    }

    #[must_use]
    pub fn thread(&self) -> ThreadNumber {
        self.call.thread
    }

    /// Whether this is where its call ended, however it did.
    #[must_use]
    pub fn is_end(&self) -> bool {
        matches!(self.moment.what, Happening::Ended(_))
    }

    pub(crate) fn key(&self) -> Key {
        Key {
            time: self.time,
            call: self.call,
            at: self.moment.position,
            position: self.position,
        }
    }

    /// Whether it comes before another in the order of the run.
    #[must_use]
    pub fn is_before(&self, run: &JavaRun, other: &Stop) -> bool {
        self.key().compare(run, &other.key()) == Ordering::Less
    }
}

/// What orders positions, without what happened there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) time: TraceTime,
    pub(crate) call: CallId,
    pub(crate) at: EventPosition,
    pub(crate) position: Position,
}

impl Key {
    /// The order of the run.
    pub(crate) fn compare(&self, run: &JavaRun, other: &Key) -> Ordering {
        if self.call == other.call {
            return self.position.event.cmp(&other.position.event);
        }
        self.time.cmp(&other.time).then_with(|| {
            if self.call.thread != other.call.thread {
                return self.call.cmp(&other.call);
            }
            let (first, second) = (self.call.index, other.call.index);
            let Some(calls) = run.read(run.trace().calls(self.call.thread)) else {
                return first.cmp(&second);
            };
            // Of a call and one below it: whether the upper one stands before or after what it called. Before,
            // nothing of that has happened; after, all of it has.
            if calls.subtree_range(first).contains(&second) {
                return match self.at <= calls.entry(second) {
                    true => Ordering::Less,
                    false => Ordering::Greater,
                };
            }
            if calls.subtree_range(second).contains(&first) {
                return match other.at <= calls.entry(first) {
                    true => Ordering::Greater,
                    false => Ordering::Less,
                };
            }
            first.cmp(&second)
        })
    }

    pub(crate) fn is_before(&self, run: &JavaRun, other: &Key) -> bool {
        self.compare(run, other) == Ordering::Less
    }
}
