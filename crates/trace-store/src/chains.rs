//! Chains of calls (Definition 7 of *Balanced Execution Trees*), found where the search goes.
//!
//! Calls of one caller that follow each other are a chain if the state in which one ends is the
//! state in which the next begins: nothing that any of them can see was written between them, be it
//! by the caller itself, by library code on its behalf, or by another thread. Taken together they
//! then are one piece of work: state before the first, state after the last.
//!
//! What a method can see is a question about its code, so it is asked of a [`Sight`]. Writes between
//! two calls that neither of them can see do not break a chain, but they are kept in mind as
//! long as it lasts: a later call that sees them begins a new one.
//!
//! The chains below a call are found by walking its own events, over its children, and kept for as
//! long as there is room: a search asks about the same callers again and again, and about few of all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use trace_format::event::{self, Skimmed, WriteTarget, skim};
use trace_format::{
    FieldId, FrameShape, Kind, MethodId, ObjectId, Signatures, Stream, ThreadNumber,
};

use crate::call_index::CallIndex;
use crate::calls::{CallId, ThreadCalls};
use crate::streams::Streams;
use crate::stroll::Stroll;
use crate::symbols::Symbols;

mod open_chain;

use open_chain::{Known, OpenChain};

/// Chains that are kept: eight bytes each.
const MOST_KEPT: usize = 2 << 20;

/// What kind of thing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// A field of some object, by the number that stands for all numbers of that field.
    Field(FieldId),
    Static(FieldId),
    /// Elements of an array.
    Elements(Kind),
}

/// What methods can see.
pub trait Observability {
    /// Whether a call of the method, or anything below it, could come across such a write: whether
    /// what was written may belong to what it can reach.
    fn sees(&self, method: MethodId, change: ChangeKind) -> bool;
}

impl<F: Fn(MethodId, ChangeKind) -> bool> Observability for F {
    fn sees(&self, method: MethodId, change: ChangeKind) -> bool {
        self(method, change)
    }
}

/// First and last call of each chain of two calls and more, in order.
type Runs = Arc<[(u32, u32)]>;

/// The chains that were found so far.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    /// By thread and caller.
    below: HashMap<(ThreadNumber, u32), Runs>,
    kept: usize,
    seen: Known,
}

/// Where chains are looked for, and what they are judged by.
pub(crate) struct Search<'a> {
    pub(crate) streams: &'a Streams,
    pub(crate) symbols: &'a Symbols,
    pub(crate) calls: &'a CallIndex,
    pub(crate) resolve: &'a dyn Fn(FieldId) -> FieldId,
    pub(crate) sight: &'a dyn Observability,
}

impl Chains {
    /// Forgets what was found: the trace has grown, or what its fields are called has changed.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The first and the last call of the chain that holds a call.
    pub(crate) fn around(&self, search: &Search<'_>, call: CallId) -> Option<(u32, u32)> {
        let calls = search.calls.thread(call.thread)?;
        let caller = calls.parent(call.index)?;
        let runs = self.below(search, calls, caller);
        let at = runs.partition_point(|&(_, last)| last < call.index);
        runs.get(at)
            .copied()
            .filter(|&(first, _)| first <= call.index)
    }

    fn below(&self, search: &Search<'_>, calls: ThreadCalls<'_>, caller: u32) -> Runs {
        let key = (calls.thread(), caller);
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(runs) = found.below.get(&key) {
            return Arc::clone(runs);
        }
        let runs: Runs = Walk::new(search, calls, caller)
            .runs(&mut found.seen)
            .into();
        if found.kept + runs.len() > MOST_KEPT {
            found.below.clear();
            found.kept = 0;
        }
        found.kept += runs.len() + 1;
        found.below.insert(key, Arc::clone(&runs));
        runs
    }
}

/// The walk over the events of one call and over its children.
struct Walk<'a> {
    search: &'a Search<'a>,
    calls: ThreadCalls<'a>,
    shape: Option<FrameShape>,
    next_child: u32,
    end_child: u32,
    position: u64,
    /// Where the latest child was over.
    own_since: u64,
    /// Where the call ends; the end of all events while it is open.
    end: u64,
    /// Where other threads may have run in between.
    segments: &'a [[u64; 2]],
    events: Stroll<'a>,
}

impl<'a> Walk<'a> {
    fn new(search: &'a Search<'a>, calls: ThreadCalls<'a>, caller: u32) -> Self {
        let symbols = search.symbols;
        let method = calls.method(caller);
        let shape = symbols.frame(method);
        let arguments = shape.map_or(0, |shape| u64::from(shape.arguments));
        let position = calls.entry(caller).0 + event::enter_size(method) as u64 + arguments;
        let end = calls
            .exit(caller)
            .map_or(calls.columns.summary.end, |exit| exit.0);
        let is_alone = search.calls.threads().nth(1).is_none();
        let segments = if is_alone {
            &[][..]
        } else {
            let all = calls.columns.segments();
            &all[all.partition_point(|[start, _]| *start < position)..]
        };
        Self {
            search,
            calls,
            shape,
            next_child: caller + 1,
            end_child: calls.subtree_range(caller).end,
            position,
            own_since: position,
            end,
            segments,
            events: Stroll::new(search.streams, calls.thread(), Stream::Events),
        }
    }

    fn runs(mut self, seen: &mut Known) -> Vec<(u32, u32)> {
        let mut runs = Vec::new();
        let mut chain: Option<OpenChain> = None;
        while self.position < self.end && self.next_child < self.end_child {
            self.pass_segments(&mut chain);
            let child = self.next_child;
            if self.calls.entry(child).0 <= self.position {
                let method = self.calls.method(child);
                let sees = &mut |method, change| {
                    seen.ask(method, change, || self.search.sight.sees(method, change))
                };
                if !chain
                    .as_mut()
                    .is_some_and(|chain| chain.take(child, method, sees))
                {
                    let ended = chain.replace(OpenChain::new(child, method));
                    runs.extend(ended.and_then(|chain| chain.ends()));
                }
                if self.step_over(child, method).is_none() {
                    break;
                }
            } else if self.own_event(&mut chain).is_none() {
                break;
            }
        }
        runs.extend(chain.and_then(|chain| chain.ends()));
        runs
    }

    /// Goes on behind a child; `None` if it is open.
    fn step_over(&mut self, child: u32, method: MethodId) -> Option<()> {
        self.next_child = child.saturating_add(self.calls.subtree(child));
        let exit = self.calls.exit(child)?.0;
        let symbols = self.search.symbols;
        let length = if self.calls.is_lost(child) {
            // The event there is not the child's.
            0
        } else {
            skim(self.events.at(exit)?, symbols, symbols.frame(method))
                .ok()??
                .1
        };
        let after = exit + length as u64;
        // A damaged index must not lead back.
        (after > self.position).then(|| {
            self.position = after;
            self.own_since = after;
        })
    }

    fn own_event(&mut self, chain: &mut Option<OpenChain>) -> Option<()> {
        let symbols = self.search.symbols;
        let rest = self.events.at(self.position)?;
        let (event, length) = skim(rest, symbols, self.shape).ok()??;
        if let Skimmed::Write { .. } = event
            && let Some(chain) = chain
            // What kind of thing is written counts, not whose it is.
            && let Ok(Some(write)) = event::decode_write(rest, symbols, ObjectId::NULL)
        {
            chain.note(change(write.target, self.search.resolve));
        }
        self.position += length as u64;
        Some(())
    }

    /// Other threads may have written anything where a segment begins.
    fn pass_segments(&mut self, chain: &mut Option<OpenChain>) {
        let passed = match self.segments {
            [[start, _], ..] if *start <= self.position => {
                let begun = |[start, _]: &[u64; 2]| *start <= self.position;
                self.segments.partition_point(begun)
            }
            _ => return,
        };
        let (passed, rest) = self.segments.split_at(passed);
        self.segments = rest;
        // Most segments begin inside a child.
        if passed
            .last()
            .is_some_and(|[start, _]| *start >= self.own_since)
            && let Some(chain) = chain
        {
            chain.interrupt();
        }
    }
}

fn change(target: WriteTarget<'_>, resolve: &dyn Fn(FieldId) -> FieldId) -> ChangeKind {
    match target {
        WriteTarget::Field { field, .. } => ChangeKind::Field(resolve(field)),
        WriteTarget::Static { field, .. } => ChangeKind::Static(resolve(field)),
        WriteTarget::Element { value, .. } => ChangeKind::Elements(value.kind()),
        WriteTarget::Range(range) => ChangeKind::Elements(range.elements.kind),
    }
}
