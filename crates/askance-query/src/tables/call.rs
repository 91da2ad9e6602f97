//! The table `call`: what the mapped columns say, a batch of calls at a time.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, Int64Array, StringViewArray, StringViewBuilder, UInt32Array, new_null_array,
};
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use debug_engine::{ExecutionTree as _, NodeId};
use java_model::run::JavaRun;
use java_model::shown;
use trace_format::{ObjectId, Value};
use trace_store::{CallId, CallOutcome, ThreadCalls};

use super::{RowSource, Table};
use crate::column::{ColumnKind, integer, number, text};
use crate::failure::unreadable;
use crate::reader::TableReader;
use crate::rows::Cell;
use crate::value;
use crate::walk::ChosenCall;

pub(super) const CALL: Table = Table {
    name: "call",
    about: "a call of a recorded method, with the number that `askance show` takes",
    columns: &[
        integer("run", "number of the run, see the table run"),
        integer(
            "node",
            "number of the call, in the order in which calls began",
        ),
        integer(
            "parent",
            "the call that made it, or handed it over to another thread",
        ),
        integer("thread", "number of the thread that ran it"),
        integer("depth", "calls around it, itself included"),
        text("class", "class of the method, with its package"),
        text("method", "name of the method"),
        integer("line", "first line of the method's code"),
        integer(
            "begin",
            "time at which it began: a number that orders what happened",
        ),
        integer(
            "end",
            "time at which it ended; of an open call the end of its thread",
        ),
        integer("size", "calls below it, itself included"),
        text(
            "outcome",
            "returned, threw, lost (left by an exception unseen) or open",
        ),
        text(
            "result",
            "what it returned, as text; null if it returned nothing",
        ),
        number("result_number", "what it returned, if that is a number"),
        integer("result_object", "number of the object that it returned"),
        text("thrown", "class of the exception that left it"),
        integer("thrown_object", "number of that exception"),
        number(
            "suspicion",
            "0 to 1, by which tests ran its method and failed",
        ),
    ],
    source: RowSource::OneForEachCall,
};

/// Makes the columns of calls that come in the order of their nodes.
#[derive(Debug, Default)]
pub(crate) struct CallColumns {
    depths: Depths,
}

impl CallColumns {
    pub(crate) fn array(
        &mut self,
        reader: &TableReader,
        calls: &[ChosenCall],
        column: &str,
    ) -> Result<ArrayRef> {
        let run = &*reader.run;
        let integers = |of: &mut dyn FnMut(&ChosenCall) -> Option<i64>| -> ArrayRef {
            Arc::new(calls.iter().map(of).collect::<Int64Array>())
        };
        Ok(match column {
            "run" => integers(&mut |_| Some(reader.number)),
            "node" => integers(&mut |it| Some(it.node.0.into())),
            "parent" => integers(&mut |it| run.parent(it.node).map(|parent| parent.0.into())),
            "thread" => integers(&mut |it| Some(it.call.thread.0.into())),
            "depth" => integers(&mut |it| Some(self.depths.of(run, it.node))),
            "size" => integers(&mut |it| Some(run.subtree_size(it.node).into())),
            "begin" => times(run, calls, Edge::Begin)?,
            "end" => times(run, calls, Edge::End)?,
            "outcome" => outcomes(run, calls)?,
            "class" | "method" | "line" => {
                let methods = methods(run, calls)?;
                match reader.methods().of_calls(run, column, &methods) {
                    Some(column) => column?,
                    None => new_null_array(&DataType::Utf8View, calls.len()),
                }
            }
            _ => by_cells(run, calls, column)?,
        })
    }
}

/// The columns of a thread, looked up again only where the next call is of another one.
#[derive(Default)]
struct ThreadColumns<'run>(Option<ThreadCalls<'run>>);

impl<'run> ThreadColumns<'run> {
    fn of(&mut self, run: &'run JavaRun, call: CallId) -> Result<ThreadCalls<'run>> {
        match self.0 {
            Some(columns) if columns.thread() == call.thread => Ok(columns),
            _ => {
                let columns = run.trace().calls(call.thread).map_err(unreadable)?;
                self.0 = Some(columns);
                Ok(columns)
            }
        }
    }
}

/// The numbers of the calls' methods.
fn methods(run: &JavaRun, calls: &[ChosenCall]) -> Result<UInt32Array> {
    let mut columns = ThreadColumns::default();
    let mut methods = Vec::with_capacity(calls.len());
    for ChosenCall { call, .. } in calls {
        methods.push(columns.of(run, *call)?.method(call.index).0);
    }
    Ok(UInt32Array::from(methods))
}

/// Columns whose cells are made one by one.
fn by_cells(run: &JavaRun, calls: &[ChosenCall], column: &str) -> Result<ArrayRef> {
    let kind = CALL.columns.iter().find(|it| it.name == column);
    let kind = kind.map_or(ColumnKind::Text, |column| column.kind);
    let mut cells = Vec::with_capacity(calls.len());
    for call in calls {
        cells.push(cell(run, call, column)?);
    }
    let integer = |cell: &Cell<'_>| match cell {
        Cell::Integer(value) => Some(*value),
        _ => None,
    };
    let number = |cell: &Cell<'_>| match cell {
        Cell::Number(value) => Some(*value),
        _ => None,
    };
    let truth = |cell: &Cell<'_>| match cell {
        Cell::Truth(value) => Some(*value),
        _ => None,
    };
    Ok(match kind {
        ColumnKind::Integer => Arc::new(cells.iter().map(integer).collect::<Int64Array>()),
        ColumnKind::Number => {
            use datafusion::arrow::array::Float64Array;
            Arc::new(cells.iter().map(number).collect::<Float64Array>())
        }
        ColumnKind::Truth => {
            use datafusion::arrow::array::BooleanArray;
            Arc::new(cells.iter().map(truth).collect::<BooleanArray>())
        }
        ColumnKind::Text => {
            let mut builder = StringViewBuilder::new();
            for cell in cells {
                match cell {
                    Cell::Text(text) => builder.append_value(text),
                    _ => builder.append_null(),
                }
            }
            Arc::new(builder.finish())
        }
    })
}

fn cell(run: &JavaRun, call: &ChosenCall, column: &str) -> Result<Cell<'static>> {
    if column == "suspicion" {
        let suspicion = run.suspicion(call.node);
        return Ok(Cell::or_null(suspicion, |it| Cell::Number(it.score)));
    }
    let outcome = run.trace().outcome(call.call).map_err(unreadable)?;
    Ok(match outcome {
        CallOutcome::Returned(Some(returned)) => match column {
            "result" => value::text(run, returned),
            "result_number" => value::number(run, returned),
            "result_object" => value::object(run, returned),
            _ => Cell::Null,
        },
        CallOutcome::Threw(exception) => match column {
            "thrown" => Cell::or_null(class_of(run, exception), Cell::text),
            "thrown_object" => value::object(run, Value::Ref(exception)),
            _ => Cell::Null,
        },
        _ => Cell::Null,
    })
}

pub(super) fn class_of(run: &JavaRun, object: ObjectId) -> Option<String> {
    shown::class_of(run, object)
}

fn outcomes(run: &JavaRun, calls: &[ChosenCall]) -> Result<ArrayRef> {
    let mut words = Vec::with_capacity(calls.len());
    for call in calls {
        let outcome = run.trace().outcome(call.call).map_err(unreadable)?;
        words.push(match outcome {
            CallOutcome::Returned(_) => "returned",
            CallOutcome::Threw(_) => "threw",
            CallOutcome::Lost => "lost",
            CallOutcome::Open => "open",
        });
    }
    Ok(Arc::new(StringViewArray::from_iter_values(words)))
}

#[derive(Debug, Clone, Copy)]
enum Edge {
    Begin,
    End,
}

fn times(run: &JavaRun, calls: &[ChosenCall], edge: Edge) -> Result<ArrayRef> {
    let trace = run.trace();
    let mut times = Vec::with_capacity(calls.len());
    let mut of_thread = ThreadColumns::default();
    for call in calls {
        let thread = call.call.thread;
        let columns = of_thread.of(run, call.call)?;
        let position = match edge {
            Edge::Begin => Some(columns.entry(call.call.index)),
            Edge::End => columns.exit(call.call.index),
        };
        let time = match position {
            Some(position) => trace.time(thread, position).map_err(unreadable)?,
            // Few calls are open at the end of a run.
            None => trace.call(call.call).map_err(unreadable)?.exit_time,
        };
        times.push(i64::try_from(time.0).ok());
    }
    Ok(Arc::new(Int64Array::from(times)))
}

/// How deep calls are, of nodes that come in their order: the callers of the last one are kept, so that each caller is
/// looked up once, however deep the calls below it are.
#[derive(Debug, Default)]
struct Depths {
    /// The callers of the last node from the outermost on, itself included, each with the node after its subtree.
    open: Vec<(NodeId, u32)>,
}

impl Depths {
    fn of(&mut self, run: &JavaRun, node: NodeId) -> i64 {
        while self.open.last().is_some_and(|open| open.1 <= node.0) {
            self.open.pop();
        }
        let innermost = self.open.last().map(|open| open.0);
        let mut path = Vec::new();
        let mut at = Some(node);
        while at.is_some() && at != innermost {
            path.extend(at);
            at = at.and_then(|node| run.parent(node));
        }
        for &node in path.iter().rev() {
            self.open.push((node, node.0 + run.subtree_size(node)));
        }
        i64::try_from(self.open.len()).unwrap_or(i64::MAX)
    }
}
