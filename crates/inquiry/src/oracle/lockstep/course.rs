//! What came of following two runs side by side.

use std::collections::BTreeSet;
use std::ops::Range;

use trace_format::{EventPosition, ThreadNumber};
use trace_store::{Call, CallId};

/// Whether a call ended in the same state as the reference's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Alike,
    /// In everything that both versions have; what only one of them has is not compared.
    AlikeInCommon,
    Differently,
    /// The traces do not tell enough.
    Unknown,
}

/// A call whose events did not go on as the reference's did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stray {
    pub(crate) ours: CallId,
    pub(crate) theirs: CallId,
    /// Where in our run.
    pub(crate) at: EventPosition,
    pub(crate) ended: Ended,
    /// Whether its own code is another one in the reference.
    pub(crate) is_changed: bool,
    /// Whether both runs had done the same up to it, so that it began in the same state for sure.
    pub(crate) began_alike: bool,
}

/// One thread of each run.
#[derive(Debug)]
pub(crate) struct Along {
    ours: ThreadNumber,
    /// Whether there is no other thread.
    pub(super) is_single: bool,
    /// Up to here of our run they went together.
    pub(super) end: EventPosition,
    /// Whether that was the end of both.
    pub(super) ended_together: bool,
    /// From here on they had other values, from a clock or by chance, say.
    pub(super) chance: Option<EventPosition>,
    /// The calls, ours and the reference's, in which that was.
    pub(super) other_value: Option<(CallId, CallId)>,
    pub(super) strays: Vec<Stray>,
    /// Calls that may have done something else where nobody sees it.
    pub(super) unseen: BTreeSet<u32>,
    /// What of our run was passed over, from where a call strayed to where it or a caller of it ended
    /// in the same state.
    pub(super) skipped: Vec<Range<EventPosition>>,
}

impl Along {
    pub(super) fn new(ours: ThreadNumber, is_single: bool) -> Along {
        Along {
            ours,
            is_single,
            end: EventPosition(0),
            ended_together: false,
            chance: None,
            other_value: None,
            strays: Vec::new(),
            unseen: BTreeSet::new(),
            skipped: Vec::new(),
        }
    }

    /// Whether a call was over while both runs did the same, or came to the same.
    fn agreed(&self, call: &Call) -> bool {
        let Some(exit) = call.exit else {
            return false;
        };
        let was_seen = |at: EventPosition| !self.skipped.iter().any(|range| range.contains(&at));
        let is_certain = self.is_single && self.chance.is_none_or(|chance| exit < chance);
        let below = call.id.index..call.id.index.saturating_add(call.subtree);
        let is_seen = self.unseen.range(below).next().is_none();
        is_certain && is_seen && exit < self.end && was_seen(call.entry) && was_seen(exit)
    }
}

/// See the module's header.
#[derive(Debug, Default)]
pub(crate) struct Course {
    threads: Vec<Along>,
}

impl Course {
    pub(super) fn add(&mut self, along: Along) {
        self.threads.push(along);
    }

    fn of(&self, thread: ThreadNumber) -> Option<&Along> {
        self.threads.iter().find(|along| along.ours == thread)
    }

    /// Whether a call ended while both runs did the same, so that it is right.
    pub(crate) fn agreed(&self, call: &Call) -> bool {
        self.of(call.id.thread)
            .is_some_and(|along| along.agreed(call))
    }

    /// What was found out about a call that strayed.
    pub(crate) fn stray(&self, call: CallId) -> Option<Stray> {
        let strays = &self.of(call.thread)?.strays;
        strays.iter().find(|stray| stray.ours == call).copied()
    }

    /// All calls that strayed, in the order of our run.
    pub(crate) fn strays(&self) -> impl Iterator<Item = &Stray> {
        self.threads.iter().flat_map(|along| &along.strays)
    }

    /// The first calls, ours and the reference's, whose code is the same and in which there was another value.
    pub(crate) fn other_value(&self) -> Option<(CallId, CallId)> {
        let mut threads = self.threads.iter();
        threads.find_map(|along| along.other_value)
    }

    /// The first call that strayed because its code is another one, and ended differently.
    pub(crate) fn culprit(&self) -> Option<Stray> {
        let culprit = self
            .strays()
            .find(|stray| stray.is_changed && stray.ended == Ended::Differently);
        culprit.copied()
    }

    /// Where our run first differs from the reference.
    pub(crate) fn first_difference(&self) -> Option<(ThreadNumber, EventPosition)> {
        let first = |along: &Along| {
            let stray = along.strays.first().map(|stray| stray.at);
            let end = (!along.ended_together).then_some(along.end);
            let all = [stray, along.chance, end].into_iter().flatten();
            all.min().map(|at| (along.ours, at))
        };
        self.threads.iter().find_map(first)
    }

    /// Whether both runs did the same from beginning to end.
    pub(crate) fn is_the_same(&self) -> bool {
        !self.threads.is_empty() && self.first_difference().is_none()
    }
}
