//! Makes the head of a trace while its oldest chunks are given up, one after the other.

use std::collections::BTreeMap;

use crate::{
    ChunkHeader, DecodeError, EventPosition, Head, OpenCalls, Signatures, Stream, ThreadHead,
    ThreadNumber, ValuePosition,
};

/// What was given up so far.
#[derive(Debug, Default)]
pub struct EvictionLog {
    threads: BTreeMap<ThreadNumber, OfThread>,
    /// Of threads of which nothing is left.
    lost_calls: u64,
    lost_until: u64,
}

#[derive(Debug, Default)]
struct OfThread {
    calls: OpenCalls,
    /// Position after the last of its values that were given up.
    values: u64,
    ended: Option<Ended>,
}

/// How a thread ended.
#[derive(Debug, Clone, Copy)]
struct Ended {
    events: u64,
    values: u64,
    stamp: u64,
}

impl OfThread {
    fn is_nothing(&self) -> bool {
        self.calls.position() == 0 && self.values == 0
    }

    /// When it ended, if it did and everything of it was given up.
    fn all_until(&self) -> Option<u64> {
        let ended = self.ended?;
        let is_all = self.calls.position() == ended.events && self.values == ended.values;
        (is_all && self.calls.is_empty()).then_some(ended.stamp)
    }
}

impl EvictionLog {
    /// Adds the next chunk of events or values. What objects are is given up later, by [`crate::OldObjects`].
    pub fn add(
        &mut self,
        header: &ChunkHeader,
        payload: &[u8],
        signatures: &impl Signatures,
    ) -> Result<(), DecodeError> {
        let thread = self.threads.entry(header.thread).or_default();
        match header.stream {
            Stream::Events => thread.calls.read(payload, header.stamp, signatures)?,
            Stream::Values => thread.values = header.base + u64::from(header.length),
            Stream::Objects => {}
        }
        Ok(())
    }

    /// There will be no more chunks of a thread whose events and values end there. `stamp` is one that was
    /// taken later.
    pub fn thread_ended(&mut self, thread: ThreadNumber, events: u64, values: u64, stamp: u64) {
        self.threads.entry(thread).or_default().ended = Some(Ended {
            events,
            values,
            stamp,
        });
    }

    /// What stands for all that was added. Threads of which nothing is left are forgotten: there may be many.
    pub fn head(&mut self, chunks_from: u64, objects_length: u64) -> Head {
        let (lost_calls, lost_until) = (&mut self.lost_calls, &mut self.lost_until);
        self.threads.retain(|_, given| match given.all_until() {
            Some(stamp) => {
                *lost_calls += given.calls.ended();
                *lost_until = stamp.max(*lost_until);
                false
            }
            None => true,
        });
        let ended: u64 = self.threads.values().map(|given| given.calls.ended()).sum();
        let left = self.threads.iter().filter(|(_, given)| !given.is_nothing());
        Head {
            chunks_from,
            objects_length,
            lost_calls: self.lost_calls + ended,
            lost_until: self.lost_until,
            threads: left
                .map(|(&thread, given)| ThreadHead {
                    thread,
                    events_from: EventPosition(given.calls.position()),
                    values_at: ValuePosition(given.calls.value_position()),
                    values_from: ValuePosition(given.values),
                    stamp: given.calls.stamp(),
                    events: given.calls.head(),
                })
                .collect(),
            ..Head::default()
        }
    }
}
