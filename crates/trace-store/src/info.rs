//! Numbers about a trace: how much was recorded, and how much of it can be read.

use trace_format::{EndReason, Stream, ThreadNumber};

use crate::columns::EventCounts;
use crate::error::Result;
use crate::evicted::Evicted;
use crate::seal;
use crate::trace::Trace;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info {
    pub calls: u64,
    /// Values are not among them: they have no tags, so counting them would mean to replay.
    pub events: EventCounts,
    /// What events, values and descriptions of objects take in the trace, packed as they are there.
    pub event_bytes: u64,
    pub value_bytes: u64,
    pub object_bytes: u64,
    /// Descriptions of objects.
    pub objects: u64,
    pub threads: Vec<ThreadInfo>,
    pub classes: u64,
    pub methods: u64,
    /// Classes and methods that could not be recorded.
    pub skipped: u64,
    pub completeness: Completeness,
    /// Size of `chunks` and `tails`.
    pub file_bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadInfo {
    pub thread: ThreadNumber,
    pub name: String,
    pub calls: u64,
    pub open_calls: u64,
    pub events: EventCounts,
    pub event_bytes: u64,
    /// Why its events can be read up to here only; a fragment.
    pub damage: Option<String>,
}

/// How the recording ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completeness {
    /// `None`: the JVM was killed, or is running still.
    pub reason: Option<EndReason>,
    pub open_calls: u64,
    /// The oldest part, if it was given up to keep the trace's size.
    pub given_up: Option<Evicted>,
    /// Records, streams or threads of which something could not be read.
    pub damaged: u64,
}

impl Completeness {
    /// Everything that the program did is there.
    pub fn is_complete(&self) -> bool {
        self.reason == Some(EndReason::Exit) && self.damaged == 0 && self.given_up.is_none()
    }
}

impl Trace {
    pub fn info(&self) -> Result<Info> {
        let mut threads = Vec::new();
        let mut events = EventCounts::default();
        let (mut value_bytes, mut object_bytes) = (0, 0);
        let index = self.call_index()?;
        for calls in index.threads() {
            let thread = calls.thread();
            let Some(summary) = index.summary(thread) else {
                continue;
            };
            events.add(&summary.counts);
            let bytes = |stream| self.stream(thread, stream).stored();
            value_bytes += bytes(Stream::Values);
            object_bytes += bytes(Stream::Objects);
            let name = self
                .symbols()
                .thread(thread)
                .map(|symbol| symbol.name.clone());
            threads.push(ThreadInfo {
                thread,
                name: name.unwrap_or_else(|| format!("thread {thread}")),
                calls: u64::from(calls.len()),
                open_calls: open_calls(calls),
                events: summary.counts,
                event_bytes: bytes(Stream::Events),
                damage: summary.damage.clone(),
            });
        }
        let damaged = self.symbols().damaged
            + self.streams().gaps() as u64
            + threads
                .iter()
                .filter(|thread| thread.damage.is_some())
                .count() as u64;
        Ok(Info {
            calls: events.enter,
            events,
            event_bytes: threads.iter().map(|thread| thread.event_bytes).sum(),
            value_bytes,
            object_bytes,
            objects: self.object_index()?.len() as u64,
            classes: self.symbols().classes().count() as u64,
            methods: self.symbols().methods().count() as u64,
            skipped: self.symbols().skipped().len() as u64,
            completeness: Completeness {
                reason: self.end().map(|end| end.reason),
                given_up: self.evicted(),
                open_calls: threads.iter().map(|thread| thread.open_calls).sum(),
                damaged,
            },
            threads,
            file_bytes: self.file_bytes(),
        })
    }

    /// What of the trace is damaged, as far as can be seen without reading all of it; the end of a sentence.
    pub fn damage(&self) -> Result<Option<String>> {
        if let Some(damage) = seal::damage(self.folder()) {
            return Ok(Some(damage.to_string()));
        }
        let index = self.call_index()?;
        let threads = index.threads().filter_map(|calls| {
            let damage = index.summary(calls.thread())?.damage.as_ref()?;
            Some((calls.thread(), damage))
        });
        let threads: Vec<_> = threads.collect();
        let gaps = self.streams().gaps() as u64;
        let parts = self.symbols().damaged + gaps + threads.len() as u64;
        let parts = match parts {
            0 => return Ok(None),
            1 => "1 part cannot be read".to_owned(),
            parts => format!("{parts} parts cannot be read"),
        };
        let Some((thread, damage)) = threads.first() else {
            return Ok(Some(parts));
        };
        let symbol = self.symbols().thread(*thread);
        let name = symbol.map_or_else(|| thread.to_string(), |symbol| symbol.name.clone());
        Ok(Some(format!("{parts} (thread {name}: {damage})")))
    }

    /// Rows of the write index: writes of fields, statics and elements.
    pub fn writes_indexed(&self) -> Result<u64> {
        Ok(self.write_index()?.len() as u64)
    }
}

/// Open calls lie on the path to the last call: each contains the end.
fn open_calls(calls: crate::calls::ThreadCalls<'_>) -> u64 {
    let Some(mut index) = calls.len().checked_sub(1) else {
        return 0;
    };
    let mut open = 0;
    loop {
        open += u64::from(calls.is_open(index));
        match calls.parent(index) {
            Some(parent) => index = parent,
            None => return open,
        }
    }
}
