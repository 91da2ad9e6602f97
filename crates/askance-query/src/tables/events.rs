//! What happened in calls: writes, exceptions, lines, output.

use datafusion::error::Result;
use frame_replay::CodeCoverage;
use java_model::output::SourceLines;
use java_model::run::JavaRun;
use java_model::shown;
use java_names::names;
use trace_format::event::{Event, Write, WriteTarget};
use trace_format::{
    EventPosition, FieldId, ObjectId, StandardStream, ThreadNumber, TraceTime, Value,
};
use trace_store::{IndexedWrite, ObjectSlot};

use super::call::class_of;
use super::values::common;
use super::{RowSource, Table};
use crate::column::{integer, number, text, truth};
use crate::failure::unreadable;
use crate::reader::TableReader;
use crate::rows::{Cell, Rows};
use crate::value;
use crate::walk::ChosenCall;

pub(super) const WRITE: Table = Table {
    name: "write",
    about: "a write to a field, a static or an element of an array",
    columns: &[
        integer("run", "number of the run"),
        integer("time", "when: a number that orders what happened"),
        integer("node", "the call that wrote, or in which library code did"),
        integer("thread", "its thread"),
        text("class", "class of that call's method"),
        text("method", "name of that call's method"),
        integer("object", "number of the object; null for a static"),
        text("owner", "class of the object, or that of the static"),
        text("field", "name of the field; null for an element"),
        integer("index", "index of the element; null for a field"),
        text("old", "what it held before, as text"),
        number("old_number", "if that was a number"),
        text("new", "what was written, as text"),
        number("new_number", "if that is a number"),
        integer("new_object", "number of the object that was written"),
        truth("by_library", "library code wrote, during the call"),
    ],
    source: RowSource::CallsOrWrites(writes, indexed_write),
};

pub(super) const THROW: Table = Table {
    name: "throw",
    about: "an exception that left a call, or was caught in one",
    columns: &[
        integer("run", "number of the run"),
        integer("time", "when"),
        integer("node", "the call"),
        integer("thread", "its thread"),
        text("class", "class of that call's method"),
        text("method", "name of that call's method"),
        text("event", "left or caught"),
        integer("exception_object", "number of the exception"),
        text("exception", "its class"),
        text("message", "its message"),
    ],
    source: RowSource::ManyForEachCall(throws),
};

pub(super) const LINE: Table = Table {
    name: "line",
    about: "a line that a call executed, each time; calls are executed again for it",
    columns: &[
        integer("run", "number of the run"),
        integer("node", "the call"),
        integer("thread", "its thread"),
        text("class", "class of that call's method"),
        text("method", "name of that call's method"),
        integer("step", "how many instructions the call had executed"),
        integer("executed", "the line"),
    ],
    source: RowSource::ManyForEachCall(lines),
};

pub(super) const OUTPUT: Table = Table {
    name: "output",
    about: "a piece of what the program printed",
    columns: &[
        integer("run", "number of the run"),
        integer("piece", "its number, in the order of printing"),
        text("stream", "out or err"),
        text("text", "what was printed; null if it is no text"),
        integer("node", "the call that printed it"),
        integer("thread", "its thread"),
        integer("line", "line of that call's source"),
    ],
    source: RowSource::Pages(output),
};

/// A variable that was written.
#[derive(Clone, Copy)]
struct Written {
    object: Option<ObjectId>,
    slot: ObjectSlot,
    new: Option<Value>,
    at: TraceTime,
    by_library: bool,
}

fn writes(reader: &TableReader, chosen: ChosenCall, rows: &mut Rows) -> Result<()> {
    let trace = reader.run.trace();
    let events = trace.own_events(chosen.call).map_err(unreadable)?;
    for own in events {
        if let Some(Event::Write(write)) = own.event {
            let at = time(&reader.run, chosen.call.thread, own.position)?;
            add_write(reader, chosen, at, write, &|_| true, rows);
        }
    }
    Ok(())
}

fn indexed_write(reader: &TableReader, indexed: &IndexedWrite, rows: &mut Rows) -> Result<()> {
    let run = &*reader.run;
    let trace = run.trace();
    let Some((thread, position, write)) = trace.event_of(indexed).map_err(unreadable)? else {
        return Ok(());
    };
    let call = trace.call_of(thread, position).map_err(unreadable)?;
    let Some((call, node)) = call.and_then(|call| Some((call, run.node(call)?))) else {
        return Ok(());
    };
    let chosen = ChosenCall { node, call };
    let is_wanted = |index| indexed.is_of_element(index);
    add_write(reader, chosen, indexed.time, write, &is_wanted, rows);
    Ok(())
}

/// Adds what a write wrote, of elements those that are wanted.
fn add_write(
    reader: &TableReader,
    chosen: ChosenCall,
    at: TraceTime,
    write: Write<'_>,
    is_wanted: &dyn Fn(u32) -> bool,
    rows: &mut Rows,
) {
    let run = &*reader.run;
    let by_library = write.by_library;
    let mut add = |object, slot, new| {
        let written = Written {
            object,
            slot,
            new,
            at,
            by_library,
        };
        rows.push(|column| {
            cell_of_write(run, written, column).unwrap_or_else(|| common(reader, chosen, column))
        });
    };
    match write.target {
        WriteTarget::Field {
            field,
            object,
            value,
        } => add(Some(object), ObjectSlot::Field(field), Some(value)),
        WriteTarget::Static { field, value } => {
            add(None, ObjectSlot::Field(field), Some(value));
        }
        WriteTarget::Element {
            array,
            index,
            value,
        } => {
            let value = shown::element(run, array, value);
            add(Some(array), ObjectSlot::Element(index), Some(value));
        }
        WriteTarget::Range(range) => {
            for index in range.indices().filter(|&index| is_wanted(index)) {
                let slot = ObjectSlot::Element(index);
                let new = held(run, Some(range.array), slot, TraceTime(at.0 + 1));
                add(Some(range.array), slot, new);
            }
        }
    }
}

fn cell_of_write(run: &JavaRun, written: Written, column: &str) -> Option<Cell<'static>> {
    let old = || held(run, written.object, written.slot, written.at);
    let field = match written.slot {
        ObjectSlot::Field(field) => Some(field),
        ObjectSlot::Element(_) => None,
    };
    Some(match column {
        "time" => Cell::count(written.at.0),
        "object" => Cell::or_null(written.object, |object| {
            value::object(run, Value::Ref(object))
        }),
        "owner" => match written.object {
            Some(object) => Cell::or_null(class_of(run, object), Cell::text),
            None => Cell::or_null(field.and_then(|field| owner(run, field)), Cell::text),
        },
        "field" => Cell::or_null(field, |field| Cell::text(shown::field_name(run, field))),
        "index" => match written.slot {
            ObjectSlot::Element(index) => Cell::Integer(index.into()),
            ObjectSlot::Field(_) => Cell::Null,
        },
        "old" => Cell::or_null(old(), |old| value::text(run, old)),
        "old_number" => Cell::or_null(old(), |old| value::number(run, old)),
        "new" => Cell::or_null(written.new, |new| value::text(run, new)),
        "new_number" => Cell::or_null(written.new, |new| value::number(run, new)),
        "new_object" => Cell::or_null(written.new, |new| value::object(run, new)),
        "by_library" => Cell::Truth(written.by_library),
        _ => return None,
    })
}

fn owner(run: &JavaRun, field: FieldId) -> Option<String> {
    let symbol = run.trace().symbols().field(field)?;
    Some(names::class(&symbol.owner))
}

/// What a variable held right before a time.
fn held(run: &JavaRun, object: Option<ObjectId>, slot: ObjectSlot, at: TraceTime) -> Option<Value> {
    let held = match (object, slot) {
        (Some(object), slot) => run.read(run.trace().slot_at(object, slot, at)),
        (None, ObjectSlot::Field(field)) => run.read(run.trace().static_at(field, at)),
        (None, ObjectSlot::Element(_)) => None,
    };
    let value = held.flatten()?.value;
    Some(match (object, slot) {
        (Some(array), ObjectSlot::Element(_)) => shown::element(run, array, value),
        _ => value,
    })
}

fn throws(reader: &TableReader, chosen: ChosenCall, rows: &mut Rows) -> Result<()> {
    let run = &*reader.run;
    let trace = run.trace();
    let events = trace.own_events(chosen.call).map_err(unreadable)?;
    for own in events {
        let (event, exception) = match own.event {
            Some(Event::Throw { exception, .. }) => ("left", exception),
            Some(Event::Catch { exception, .. }) => ("caught", exception),
            _ => continue,
        };
        let time = time(run, chosen.call.thread, own.position)?;
        rows.push(|column| match column {
            "time" => Cell::count(time.0),
            "event" => Cell::text(event),
            "exception_object" => value::object(run, Value::Ref(exception)),
            "exception" => Cell::or_null(class_of(run, exception), Cell::text),
            "message" => {
                let (_, message) = java_model::testing::verdict::thrown(run, exception);
                Cell::or_null(message, Cell::text)
            }
            _ => common(reader, chosen, column),
        });
    }
    Ok(())
}

fn time(run: &JavaRun, thread: ThreadNumber, position: EventPosition) -> Result<TraceTime> {
    run.trace().time(thread, position).map_err(unreadable)
}

/// A call that cannot be executed again has no lines here: which ones it executed is not known.
fn lines(reader: &TableReader, chosen: ChosenCall, rows: &mut Rows) -> Result<()> {
    /// No call is followed any further.
    const MOST: usize = 1 << 20;
    let run = &*reader.run;
    let lines = CodeCoverage::executed_lines(run.trace(), run.program(), chosen.call, MOST);
    for line in lines.unwrap_or_default() {
        rows.push(|column| match column {
            "step" => Cell::count(line.step),
            "executed" => Cell::Integer(line.line.into()),
            _ => common(reader, chosen, column),
        });
    }
    Ok(())
}

fn output(reader: &TableReader, page: u64, rows: &mut Rows) -> Result<Option<u64>> {
    /// Pieces of a page.
    const PAGE: u64 = 4096;
    let run = &*reader.run;
    let output = run.output().map_err(unreadable)?;
    let mut source_lines = SourceLines::of(run);
    let end = (page + PAGE).min(output.printed.len().into());
    for index in page..end {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let Some(piece) = output.piece(index) else {
            continue;
        };
        rows.push(|column| match column {
            "run" => Cell::Integer(reader.number),
            "piece" => Cell::Integer(piece.index.into()),
            "stream" => Cell::text(match piece.stream {
                StandardStream::Output => "out",
                StandardStream::Error => "err",
            }),
            "text" => Cell::or_null(piece.text, |text| {
                Cell::text(String::from_utf8_lossy(text).into_owned())
            }),
            "node" => {
                let node = piece.by.and_then(|by| by.node);
                Cell::or_null(node, |node| Cell::Integer(node.0.into()))
            }
            "thread" => Cell::or_null(piece.thread, |thread| Cell::Integer(thread.0.into())),
            "line" => {
                let line = piece.by.and_then(|by| source_lines.line(&by));
                Cell::or_null(line, |line| Cell::Integer(line.into()))
            }
            _ => Cell::Null,
        });
    }
    Ok((end < output.printed.len().into()).then_some(end))
}
