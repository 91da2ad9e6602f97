//! How far a pass over the threads' streams has come, so that it can stop where the calls' index ends and go on from
//! there.

use std::collections::BTreeMap;

use trace_format::ThreadNumber;

use crate::call_index::CallIndex;
use crate::error::Result;
use crate::streams::Streams;

/// What a pass keeps of each thread from one step to the next.
#[derive(Debug, Default)]
pub(crate) struct Walks<Walk> {
    threads: BTreeMap<ThreadNumber, Walk>,
}

impl<Walk: Default> Walks<Walk> {
    /// Takes every thread as far as the calls' index goes in its events; `step` gets that place.
    pub(crate) fn advance(
        &mut self,
        streams: &Streams,
        calls: &CallIndex,
        mut step: impl FnMut(&mut Walk, ThreadNumber, u64) -> Result<()>,
    ) -> Result<()> {
        for thread in streams.threads() {
            let end = calls.summary(thread).map_or(0, |summary| summary.end);
            step(self.threads.entry(thread).or_default(), thread, end)?;
        }
        Ok(())
    }
}
