//! Calls are counted by method in the column that has their methods: no row is made of a call.
//!
//! Whatever is asked of nothing but run, thread and method is the same for all calls of a method in a thread. So a
//! count over the table `call` is a sum over a table with a row for each of these, and a rule of the optimizer puts the
//! one into the place of the other.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, TableReference};
use datafusion::datasource::{provider_as_source, source_as_provider};
use datafusion::error::Result;
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::functions_aggregate::expr_fn::sum;
use datafusion::logical_expr::expr::{AggregateFunction, AggregateFunctionParams};
use datafusion::logical_expr::{Aggregate, Expr, LogicalPlan, LogicalPlanBuilder, TableScan, lit};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use trace_format::MethodId;

use crate::column::{integer, text};
use crate::failure::unreadable;
use crate::provider::TraceTable;
use crate::reader::TableReader;
use crate::rows::{Cell, Rows};
use crate::tables::{RowSource, Table, calls_by_method};

/// The column that says how many calls a row stands for.
const CALLS: &str = "calls";

static COUNTED: Table = Table {
    name: "call by method",
    about: "calls of a method in a thread",
    columns: &[
        integer("run", "number of the run"),
        integer("thread", "number of the thread"),
        text("class", "class of the method"),
        text("method", "name of the method"),
        integer("line", "first line of the method's code"),
        integer(CALLS, "how many calls these are"),
    ],
    source: RowSource::Pages(counted),
};

fn counted(reader: &TableReader, _: u64, rows: &mut Rows) -> Result<Option<u64>> {
    let run = &*reader.run;
    let methods = reader.methods();
    for calls in run.trace().all_calls().map_err(unreadable)? {
        let thread = calls.thread();
        for (method, count) in calls_by_method(&calls) {
            rows.push(|column| match column {
                "run" => Cell::Integer(reader.number),
                "thread" => Cell::Integer(thread.0.into()),
                "class" => Cell::or_null(methods.class(method), Cell::text),
                "method" => Cell::or_null(methods.method(method), Cell::text),
                "line" => Cell::or_null(first_line(reader, method), Cell::Integer),
                CALLS => Cell::Integer(count),
                _ => Cell::Null,
            });
        }
    }
    Ok(None)
}

fn first_line(reader: &TableReader, method: MethodId) -> Option<i64> {
    reader.methods().class(method)?;
    let code = reader.run.code(method);
    code.lines.first().map(|&line| line.into())
}

/// See the module's header.
#[derive(Debug)]
pub(crate) struct CountByMethod;

impl OptimizerRule for CountByMethod {
    fn name(&self) -> &'static str {
        "count_by_method"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::BottomUp)
    }

    fn rewrite(
        &self,
        plan: LogicalPlan,
        _: &dyn OptimizerConfig,
    ) -> Result<Transformed<LogicalPlan>> {
        let rewritten = match &plan {
            LogicalPlan::Aggregate(aggregate) => Counting::of(aggregate),
            _ => None,
        };
        match rewritten {
            Some(counting) => counting.plan().map(Transformed::yes),
            None => Ok(Transformed::no(plan)),
        }
    }
}

/// A count of calls.
struct Counting<'a> {
    aggregate: &'a Aggregate,
    scan: &'a TableScan,
    /// What is applied to the rows, from the scan on.
    steps: Vec<&'a LogicalPlan>,
    /// Under which name the table's columns are known behind the steps.
    qualifier: TableReference,
}

impl<'a> Counting<'a> {
    /// `None` if something else is wanted than a count, or something that differs between calls.
    fn of(aggregate: &'a Aggregate) -> Option<Self> {
        let of_all = |expression: &Expr| {
            !matches!(expression, Expr::GroupingSet(_)) && !expression.is_volatile()
        };
        if !aggregate.group_expr.iter().all(of_all) || !aggregate.aggr_expr.iter().all(is_count) {
            return None;
        }
        let mut steps = Vec::new();
        let mut below = &*aggregate.input;
        let scan = loop {
            below = match below {
                LogicalPlan::TableScan(scan) => break scan,
                LogicalPlan::Filter(filter) if !filter.predicate.is_volatile() => {
                    steps.push(below);
                    filter.input.as_ref()
                }
                LogicalPlan::SubqueryAlias(alias) => {
                    steps.push(below);
                    alias.input.as_ref()
                }
                // What is left out here is left out by the aggregate as well.
                LogicalPlan::Projection(projection)
                    if projection
                        .expr
                        .iter()
                        .all(|it| matches!(it, Expr::Column(_))) =>
                {
                    projection.input.as_ref()
                }
                _ => return None,
            };
        };
        steps.reverse();
        // How many calls there are is known without counting.
        let counts_all = aggregate.group_expr.is_empty() && scan.filters.is_empty();
        if counts_all || scan.fetch.is_some() || !is_of_methods(scan) {
            return None;
        }
        let alias = steps.iter().rev().find_map(|step| match step {
            LogicalPlan::SubqueryAlias(alias) => Some(&alias.alias),
            _ => None,
        });
        Some(Counting {
            qualifier: alias.unwrap_or(&scan.table_name).clone(),
            aggregate,
            scan,
            steps,
        })
    }

    fn plan(&self) -> Result<LogicalPlan> {
        let mut plan = self.table()?;
        for step in &self.steps {
            plan = match step {
                LogicalPlan::Filter(filter) => plan.filter(filter.predicate.clone())?,
                LogicalPlan::SubqueryAlias(alias) => plan.alias(alias.alias.clone())?,
                _ => plan,
            };
        }
        let calls = Expr::Column(Column::new(Some(self.qualifier.clone()), CALLS));
        let groups = self.aggregate.group_expr.clone();
        let sums = match self.aggregate.aggr_expr.is_empty() {
            true => Vec::new(),
            false => vec![sum(calls).alias(CALLS)],
        };
        let plan = plan.aggregate(groups, sums)?;
        let fields = self.aggregate.schema.iter().enumerate();
        let columns = fields.map(|(at, (qualifier, field))| {
            match at < self.aggregate.group_expr.len() {
                true => Expr::Column(Column::new(qualifier.cloned(), field.name())),
                // None are none, where a sum would be unknown.
                false => {
                    let sum = Expr::Column(Column::new_unqualified(CALLS));
                    coalesce(vec![sum, lit(0i64)]).alias(field.name())
                }
            }
        });
        let columns: Vec<Expr> = columns.collect();
        plan.project(columns)?.build()
    }

    /// The table of counts, under the name of the table of calls.
    fn table(&self) -> Result<LogicalPlanBuilder> {
        let provider = source_as_provider(&self.scan.source)?;
        let readers = provider
            .downcast_ref::<TraceTable>()
            .map(TraceTable::readers);
        let counted = TraceTable::new(&COUNTED, readers.unwrap_or_default());
        let counted: Arc<dyn TableProvider> = Arc::new(counted);
        LogicalPlanBuilder::scan(
            self.scan.table_name.clone(),
            provider_as_source(counted),
            None,
        )
    }
}

/// Whether an aggregate is the number of rows.
fn is_count(expression: &Expr) -> bool {
    match expression {
        Expr::Alias(alias) => is_count(&alias.expr),
        Expr::AggregateFunction(AggregateFunction { func, params }) => {
            let AggregateFunctionParams {
                args,
                distinct,
                filter,
                order_by,
                ..
            } = params;
            let of_rows = matches!(&args[..], [Expr::Literal(value, _)] if !value.is_null());
            func.name() == "count"
                && of_rows
                && !distinct
                && filter.is_none()
                && order_by.is_empty()
        }
        _ => false,
    }
}

/// Whether a scan reads nothing of calls but what is the same for all of a method in a thread.
fn is_of_methods(scan: &TableScan) -> bool {
    let Ok(provider) = source_as_provider(&scan.source) else {
        return false;
    };
    let calls = provider.downcast_ref::<TraceTable>();
    let mut columns = scan.projected_schema.fields().iter();
    calls.is_some_and(TraceTable::has_all_calls)
        && columns.all(|column| {
            let mut known = COUNTED.columns.iter();
            known.any(|it| it.name == column.name() && it.name != CALLS)
        })
}
