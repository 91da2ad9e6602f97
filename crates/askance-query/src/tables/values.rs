//! What calls were given, and what they gave.

use datafusion::error::Result;
use java_model::run::JavaRun;
use trace_format::Value;
use trace_store::CallOutcome;

use super::{RowSource, Table};
use crate::column::{integer, number, text};
use crate::failure::unreadable;
use crate::reader::TableReader;
use crate::rows::{Cell, Rows};
use crate::value;
use crate::walk::ChosenCall;

pub(super) const ARGUMENT: Table = Table {
    name: "argument",
    about: "an argument of a call, `this` among them",
    columns: &[
        integer("run", "number of the run"),
        integer("node", "number of the call"),
        integer("thread", "number of the thread that ran it"),
        text("class", "class of the method"),
        text("method", "name of the method"),
        integer("position", "0 for this, then from 1"),
        text(
            "name",
            "name of the parameter, or arg0, arg1 without debug information",
        ),
        text("value", "as text"),
        number("value_number", "if it is a number"),
        integer("value_object", "number of the object"),
    ],
    source: RowSource::ManyForEachCall(arguments),
};

pub(super) const RESULT: Table = Table {
    name: "result",
    about: "what a call returned, if it returned anything",
    columns: &[
        integer("run", "number of the run"),
        integer("node", "number of the call"),
        integer("thread", "number of the thread that ran it"),
        text("class", "class of the method"),
        text("method", "name of the method"),
        text("value", "as text"),
        number("value_number", "if it is a number"),
        integer("value_object", "number of the object"),
    ],
    source: RowSource::ManyForEachCall(results),
};

/// What all rows of a call have in common.
pub(super) fn common<'a>(reader: &'a TableReader, call: ChosenCall, column: &str) -> Cell<'a> {
    let method = || reader.run.method(call.node);
    match column {
        "run" => Cell::Integer(reader.number),
        "node" => Cell::Integer(call.node.0.into()),
        "thread" => Cell::Integer(call.call.thread.0.into()),
        "class" => Cell::or_null(reader.methods().class(method()), Cell::text),
        "method" => Cell::or_null(reader.methods().method(method()), Cell::text),
        _ => Cell::Null,
    }
}

fn of_value<'a>(run: &JavaRun, value: Value, column: &str) -> Option<Cell<'a>> {
    Some(match column {
        "value" => value::text(run, value),
        "value_number" => value::number(run, value),
        "value_object" => value::object(run, value),
        _ => return None,
    })
}

fn arguments(reader: &TableReader, chosen: ChosenCall, rows: &mut Rows) -> Result<()> {
    let run = &*reader.run;
    let call = run.trace().call(chosen.call).map_err(unreadable)?;
    let code = run.code(call.method);
    let this = call.this.map(|this| (0, "this", Value::Ref(this)));
    let named = call.arguments.iter().enumerate().map(|(at, &value)| {
        let name = code.parameters.get(at).map_or("?", String::as_str);
        (at as i64 + 1, name, value)
    });
    for (position, name, value) in this.into_iter().chain(named) {
        rows.push(|column| match column {
            "position" => Cell::Integer(position),
            "name" => Cell::text(name.to_owned()),
            _ => of_value(run, value, column).unwrap_or_else(|| common(reader, chosen, column)),
        });
    }
    Ok(())
}

fn results(reader: &TableReader, chosen: ChosenCall, rows: &mut Rows) -> Result<()> {
    let run = &*reader.run;
    let outcome = run.trace().outcome(chosen.call).map_err(unreadable)?;
    if let CallOutcome::Returned(Some(value)) = outcome {
        rows.push(|column| {
            of_value(run, value, column).unwrap_or_else(|| common(reader, chosen, column))
        });
    }
    Ok(())
}
