//! The calls of a run as Trace Event JSON, which Perfetto and speedscope open.
//!
//! A trace orders what happened and does not measure how long it took: a microsecond there is a step of that order,
//! so a bar is as wide as much was recorded in its call.

use std::io::{self, Write};

use serde::Serialize;
use trace_store::StoreError;

use crate::failure::QueryFailure;
use crate::reader::TableReader;

#[derive(Debug, Serialize)]
struct TimelineEvent<'a> {
    name: &'a str,
    ph: &'a str,
    pid: u32,
    tid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    args: EventArguments<'a>,
}

#[derive(Debug, Default, Serialize)]
struct EventArguments<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<u32>,
}

/// Writes all calls.
///
/// # Errors
/// If the trace cannot be read or the file not be written.
pub fn write(reader: &TableReader, out: &mut impl Write) -> Result<u64, QueryFailure> {
    let run = &*reader.run;
    let trace = run.trace();
    let pid = trace.meta().pid;
    out.write_all(b"{\"traceEvents\":[\n")?;
    let mut is_first = true;
    let mut add = |out: &mut dyn Write, event: &TimelineEvent<'_>| -> io::Result<()> {
        if !std::mem::take(&mut is_first) {
            out.write_all(b",\n")?;
        }
        Ok(serde_json::to_writer(out, event)?)
    };
    for thread in trace.threads() {
        let name = run.thread_name(thread);
        let event = TimelineEvent {
            name: "thread_name",
            ph: "M",
            pid,
            tid: thread.0,
            ts: None,
            dur: None,
            args: EventArguments {
                name: Some(&name),
                node: None,
            },
        };
        add(out, &event)?;
    }
    let end = trace.end_time().map_err(unread)?;
    let names = names(reader);
    let mut count = 0;
    for (node, first, calls) in run.stretches() {
        let columns = trace.calls(first.thread).map_err(unread)?;
        for offset in 0..calls {
            let index = first.index + offset;
            let time = |position| trace.time(first.thread, position).map_err(unread);
            let begin = time(columns.entry(index))?;
            let until = columns.exit(index).map_or(Ok(end), time)?;
            let method = columns.method(index).0 as usize;
            let event = TimelineEvent {
                name: names.get(method).map_or("?", String::as_str),
                ph: "X",
                pid,
                tid: first.thread.0,
                ts: Some(begin.0),
                dur: Some(until.0.saturating_sub(begin.0)),
                args: EventArguments {
                    name: None,
                    node: Some(node.0 + offset),
                },
            };
            add(out, &event)?;
            count += 1;
        }
    }
    out.write_all(b"\n]}\n")?;
    out.flush()?;
    Ok(count)
}

/// `Class.method` by the numbers of methods.
pub(super) fn names(reader: &TableReader) -> Vec<String> {
    let methods = reader.run.methods();
    let end = methods.map(|method| method.0 + 1).max().unwrap_or(0);
    let each = (0..end).map(trace_format::MethodId).map(|method| {
        let table = reader.methods();
        let class = table.class(method).unwrap_or("?");
        format!("{class}.{}", table.method(method).unwrap_or("?"))
    });
    each.collect()
}

pub(super) fn unread(error: StoreError) -> QueryFailure {
    QueryFailure::new(format!("the trace cannot be read: {error}"))
}
