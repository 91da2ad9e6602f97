//! Functions that look into a run: what a path of a call led to, what an object held at a time, the calls below one.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{
    Array as _, ArrayRef, AsArray as _, BooleanArray, StringViewBuilder,
};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{ScalarValue, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::prelude::SessionContext;
use debug_engine::view::render;
use debug_engine::{ExecutionTree as _, NodeId};
use java_analysis::variable;
use java_model::run::JavaRun;
use java_model::shown::{self, BRIEF};
use trace_format::{TraceTime, Value};

use crate::provider::TraceTable;
use crate::reader::TableReader;
use crate::rows::Cell;
use crate::selection::{Selection, Spans};
use crate::tables::Table;
use crate::value;

/// A function as it is documented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Function {
    pub form: &'static str,
    pub about: &'static str,
}

/// All functions that are ours.
pub const FUNCTIONS: &[Function] = &[
    Function {
        form: "at(node, path)",
        about: "what a path (`this.items.size`, `return`, a parameter) led to at the end of a call, as text",
    },
    Function {
        form: "state(object, time)",
        about: "what an object held at a time, in one line",
    },
    Function {
        form: "same_state(object, time, other_time)",
        about: "whether an object looked the same at two times, as far as `state` shows it",
    },
    Function {
        form: "below(node)",
        about: "a table like `call`: a call and all calls below it",
    },
];

pub(crate) fn register(context: &SessionContext, readers: &Arc<[Arc<TableReader>]>) {
    for kind in [Kind::At, Kind::State, Kind::SameState] {
        let function = RunFunction::new(kind, Arc::clone(readers));
        context.register_udf(ScalarUDF::from(function));
    }
}

/// The name of the table function that gives the calls below one.
pub(crate) const BELOW: &str = "below";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    At,
    State,
    SameState,
}

#[derive(Debug)]
struct RunFunction {
    kind: Kind,
    readers: Arc<[Arc<TableReader>]>,
    signature: Signature,
}

impl RunFunction {
    fn new(kind: Kind, readers: Arc<[Arc<TableReader>]>) -> Self {
        let arguments = match kind {
            Kind::At => vec![DataType::Int64, DataType::Utf8View],
            Kind::State => vec![DataType::Int64, DataType::Int64],
            Kind::SameState => vec![DataType::Int64, DataType::Int64, DataType::Int64],
        };
        RunFunction {
            kind,
            readers,
            signature: Signature::exact(arguments, Volatility::Immutable),
        }
    }

    /// Nodes and objects are numbered by run.
    fn only_run(&self) -> Result<&JavaRun> {
        match &*self.readers {
            [reader] => Ok(&reader.run),
            _ => plan_err!("{}() works on a single trace: name only one", self.name()),
        }
    }
}

impl PartialEq for RunFunction {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && Arc::ptr_eq(&self.readers, &other.readers)
    }
}

impl Eq for RunFunction {}

impl Hash for RunFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl ScalarUDFImpl for RunFunction {
    fn name(&self) -> &str {
        match self.kind {
            Kind::At => "at",
            Kind::State => "state",
            Kind::SameState => "same_state",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        if self.readers.is_empty() {
            let name = self.name();
            return plan_err!(
                "{name}() looks into a trace, and an export has only tables: name the trace"
            );
        }
        Ok(match self.kind {
            Kind::At | Kind::State => DataType::Utf8View,
            Kind::SameState => DataType::Boolean,
        })
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let run = self.only_run()?;
        let count = arguments.number_rows;
        let arrays = arguments.args.into_iter();
        let arrays: Vec<ArrayRef> = arrays
            .map(|argument| argument.into_array(count))
            .collect::<Result<_>>()?;
        let [first, second, rest @ ..] = arrays.as_slice() else {
            return plan_err!("{}() needs more arguments", self.name());
        };
        let numbers = |array: &ArrayRef, at: usize| {
            let array = array.as_primitive::<Int64Type>();
            array.is_valid(at).then(|| array.value(at))
        };
        let answer: ArrayRef = match self.kind {
            Kind::At => {
                let paths = second.as_string_view();
                texts(count, |at| {
                    let path = paths.is_valid(at).then(|| paths.value(at))?;
                    at_path(run, numbers(first, at)?, path)
                })
            }
            Kind::State => texts(count, |at| {
                state(run, numbers(first, at)?, numbers(second, at)?)
            }),
            Kind::SameState => {
                let Some(third) = rest.first() else {
                    return plan_err!("same_state() needs an object and two times");
                };
                let same = (0..count).map(|at| {
                    let object = numbers(first, at)?;
                    let one = state(run, object, numbers(second, at)?)?;
                    Some(one == state(run, object, numbers(third, at)?)?)
                });
                Arc::new(same.collect::<BooleanArray>())
            }
        };
        Ok(ColumnarValue::Array(answer))
    }
}

fn texts(count: usize, mut text: impl FnMut(usize) -> Option<String>) -> ArrayRef {
    let mut builder = StringViewBuilder::with_capacity(count);
    (0..count).for_each(|at| builder.append_option(text(at)));
    Arc::new(builder.finish())
}

/// What a path led to; `None` where it leads nowhere in this call.
fn at_path(run: &JavaRun, node: i64, path: &str) -> Option<String> {
    let node = NodeId(u32::try_from(node).ok()?);
    run.call_id(node)?;
    let found = variable::find(run, run.program(), path, Some(node), None).ok()?;
    match value::text(run, found.value?) {
        Cell::Text(text) => Some(text.into_owned()),
        _ => None,
    }
}

fn state(run: &JavaRun, object: i64, time: i64) -> Option<String> {
    let object = variable::object_numbered(run, u64::try_from(object).ok()?).ok()?;
    let time = TraceTime(u64::try_from(time).ok()?);
    let view = shown::value(run, Value::Ref(object), time, BRIEF);
    Some(render::value(&view, BRIEF))
}

/// The table function `below(node)` over traces.
#[derive(Debug)]
pub(crate) struct Below(pub(crate) Arc<[Arc<TableReader>]>);

/// The number that `below` was given.
pub(crate) fn number_of_call(arguments: &TableFunctionArgs<'_, '_>) -> Result<i64> {
    match arguments.exprs() {
        [Expr::Literal(ScalarValue::Int64(Some(number)), _)] => Ok(*number),
        _ => plan_err!("below() takes the number of a call, as in below(12)"),
    }
}

impl TableFunctionImpl for Below {
    fn call_with_args(
        &self,
        arguments: TableFunctionArgs<'_, '_>,
    ) -> Result<Arc<dyn TableProvider>> {
        let [reader] = &*self.0 else {
            return plan_err!("below() works on a single trace: name only one");
        };
        let number = number_of_call(&arguments)?;
        let node = u32::try_from(number).ok().map(NodeId);
        let Some(node) = node.filter(|node| node.0 < reader.run.len()) else {
            let last = reader.run.len().saturating_sub(1);
            return plan_err!("there is no call {number}: calls are numbered from 0 to {last}");
        };
        let first = i64::from(node.0);
        let last = first + i64::from(reader.run.subtree_size(node)) - 1;
        let table = Table::named("call");
        let table = table.ok_or_else(|| DataFusionError::Internal("no table call".to_owned()))?;
        let within = Selection::of_nodes(Spans::one(first, last));
        Ok(Arc::new(TraceTable::within(
            table,
            Arc::clone(&self.0),
            within,
        )))
    }
}
