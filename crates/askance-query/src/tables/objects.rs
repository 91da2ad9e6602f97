//! The objects that a run has seen.

use datafusion::error::Result;
use trace_format::{ObjectId, Value};
use trace_store::CallId;

use super::{RowSource, Table};
use crate::column::{integer, text};
use crate::failure::unreadable;
use crate::reader::TableReader;
use crate::rows::{Cell, Rows};
use crate::value;

pub(super) const OBJECT: Table = Table {
    name: "object",
    about: "an object that recorded code has seen",
    columns: &[
        integer("run", "number of the run"),
        integer("object", "its number, as views print it"),
        text("class", "its class, as Class.getName gives it"),
        integer("time", "when it was first seen"),
        integer("thread", "the thread that saw it first"),
        integer(
            "node",
            "the call that saw it first, mostly the one that made it",
        ),
        integer("length", "of an array"),
        text(
            "text",
            "of a string, a boxed value or an enum constant its content",
        ),
    ],
    source: RowSource::Pages(objects),
};

/// The number of a page is the id of its first object.
fn objects(reader: &TableReader, page: u64, rows: &mut Rows) -> Result<Option<u64>> {
    /// Objects of a page.
    const PAGE: usize = 4096;
    let run = &*reader.run;
    let trace = run.trace();
    let first = ObjectId(u32::try_from(page).unwrap_or(u32::MAX));
    let mut objects = trace.objects_from(first).map_err(unreadable)?;
    for object in objects.by_ref().take(PAGE) {
        let Some(described) = trace.object(object).map_err(unreadable)? else {
            continue;
        };
        let node = || {
            let (thread, position) = (described.thread, described.position);
            let call = run.read(trace.call_of(thread, position))??;
            let calls = run.read(trace.calls(thread))?;
            // An object is described right before an event: before a call begins its caller is at work.
            match calls.entry(call.index) == position {
                true => run.node(CallId::new(thread, calls.parent(call.index)?)),
                false => run.node(call),
            }
        };
        rows.push(|column| match column {
            "run" => Cell::Integer(reader.number),
            "object" => Cell::count(run.object_number(object)),
            "class" => Cell::or_null(described.class_name.clone(), Cell::text),
            "time" => {
                let time = run.read(trace.time_of_description(&described));
                Cell::or_null(time, |time| Cell::count(time.0))
            }
            "thread" => Cell::Integer(described.thread.0.into()),
            "node" => Cell::or_null(node(), |node| Cell::Integer(node.0.into())),
            "length" => Cell::or_null(described.array_length(), |length| {
                Cell::Integer(length.into())
            }),
            "text" => value::text(run, Value::Ref(object)),
            _ => Cell::Null,
        });
    }
    Ok(objects.next().map(|next| next.0.into()))
}
