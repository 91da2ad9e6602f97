//! A run that is recorded at this moment, as a series of traces, each with its indexes made.
//!
//! Indexing goes on where it stopped, a step at a time, so that a trace with a little more in it takes a little time
//! however much there is. A trace that was handed out does not change: what comes later is added behind what it
//! sees of the files.
//!
//! A step takes what came first, as the order of chunks in their file has it. Where several threads ran, one of them
//! may have seen what another did in a part that is left out; it has then taken a stamp after that part was begun,
//! and is cut off before it.

use std::path::Path;
use std::sync::Arc;

use trace_format::ThreadNumber;

use crate::call_index::{CallIndexBuilder, EVERYTHING};
use crate::error::Result;
use crate::indexes::Indexes;
use crate::objects::ObjectIndexBuilder;
use crate::recorded::Recorded;
use crate::trace::Trace;
use crate::writes::WriteIndexBuilder;

/// A trace that grows.
#[derive(Debug)]
pub struct Growing {
    /// All that is recorded.
    recorded: Recorded,
    calls: CallIndexBuilder,
    objects: ObjectIndexBuilder,
    writes: WriteIndexBuilder,
    /// How far in the file of chunks the indexes go.
    offset: u64,
    /// What is indexed.
    indexed: Option<Indexed>,
}

#[derive(Debug)]
struct Indexed {
    recorded: Recorded,
    indexes: Indexes,
}

impl Growing {
    /// The folder of a JVM that may still be running.
    pub fn open(folder: &Path) -> Result<Self> {
        let recorded = Recorded::open(folder)?;
        let folder = &recorded.folder;
        Ok(Self {
            calls: CallIndexBuilder::new(folder)?,
            objects: ObjectIndexBuilder::new(folder)?,
            writes: WriteIndexBuilder::new(folder)?,
            recorded,
            offset: 0,
            indexed: None,
        })
    }

    /// Looks what has been recorded since, and indexes about so many bytes more. Whether there is anything new.
    pub fn advance(&mut self, bytes: u64) -> Result<bool> {
        let _indexing = tracing::debug_span!("index", of = "what was recorded since").entered();
        self.recorded.look()?;
        loop {
            let stepped = self.step(bytes.max(1))?;
            if stepped.is_new || stepped.is_all {
                return Ok(stepped.is_new);
            }
        }
    }

    /// How much of the file of chunks is indexed.
    pub fn indexed_bytes(&self) -> u64 {
        self.offset
    }

    /// Whether everything is indexed that was recorded when [`Growing::advance`] last looked.
    pub fn is_up_to_date(&self) -> bool {
        let indexed = self.indexed.as_ref();
        indexed.is_some_and(|indexed| !indexed.recorded.is_beginning)
    }

    /// Whether everything is indexed that will ever be recorded.
    pub fn is_complete(&self) -> bool {
        let indexed = self.indexed.as_ref();
        indexed.is_some_and(|indexed| indexed.recorded.is_finished())
    }

    /// What is indexed, as a trace of its own; `None` before the first step.
    pub fn trace(&self) -> Option<Trace> {
        let Indexed { recorded, indexes } = self.indexed.as_ref()?;
        Some(Trace::with_indexes(recorded.clone(), indexes.clone()))
    }

    fn step(&mut self, bytes: u64) -> Result<Stepped> {
        self.offset = (self.offset + bytes).min(self.recorded.streams.reached());
        let mut recorded = self.recorded.clone();
        let mut last = match recorded.clock.checked_sub(1) {
            // Threads were looked at one after the other while they went on.
            Some(last) if !recorded.has_ended() => last,
            _ => EVERYTHING,
        };
        if let Some(beginning) = self.recorded.streams.beginning(self.offset) {
            recorded.streams = beginning.streams;
            recorded.is_beginning = true;
            last = beginning.last;
        }
        let calls = self
            .calls
            .advance(&recorded.source(), last, &mut |_, _| {})?;
        let objects = self.objects.advance(&recorded.source(), &calls)?;
        let writes = self.writes.advance(&recorded.source(), &calls)?;
        let end = |thread: ThreadNumber| calls.summary(thread).map_or(0, |summary| summary.end);
        recorded.streams.end_at(end);
        let before = self.indexed.as_ref().map(|indexed| &indexed.indexes.calls);
        let stepped = Stepped {
            is_new: before.is_none_or(|before| before.differs(&calls)),
            is_all: !recorded.is_beginning,
        };
        self.indexed = Some(Indexed {
            recorded,
            indexes: Indexes {
                calls: Arc::new(calls),
                objects: Arc::new(objects),
                writes: Arc::new(writes),
            },
        });
        Ok(stepped)
    }
}

struct Stepped {
    /// Events have come.
    is_new: bool,
    /// There are no more.
    is_all: bool,
}
