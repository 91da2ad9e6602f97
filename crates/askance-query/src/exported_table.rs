//! A table of exported runs, as DataFusion asks for it, and what can be asked of such tables beside them.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Column, JoinType, internal_err, plan_err};
use datafusion::datasource::{ViewTable, provider_as_source};
use datafusion::error::Result;
use datafusion::logical_expr::{
    Expr, LogicalPlanBuilder, TableProviderFilterPushDown, TableType, col, lit,
};
use datafusion::physical_plan::ExecutionPlan;

use crate::exported_runs::ExportedRun;
use crate::exported_scan::{ExportedScan, FileOfRun};
use crate::functions::number_of_call;
use crate::selection::Selection;
use crate::tables::Table;

/// See the module's header.
#[derive(Debug)]
pub struct ExportedTable {
    table: &'static Table,
    runs: Arc<[ExportedRun]>,
    schema: SchemaRef,
}

impl ExportedTable {
    #[must_use]
    pub fn new(table: &'static Table, runs: Arc<[ExportedRun]>) -> Self {
        ExportedTable {
            table,
            runs,
            schema: table.schema(),
        }
    }

    /// The files of the wanted runs.
    fn files(&self, selection: &Selection) -> Result<Vec<FileOfRun>> {
        let mut found = Vec::new();
        let runs = self.runs.iter();
        for run in runs.filter(|run| selection.runs.contains(run.number)) {
            let (name, export, number) = (self.table.name, &run.export, run.number);
            let Some(files) = run.files.get(name) else {
                return plan_err!(
                    "run {number} was exported to {export} without the table {name}; --tables {name} exports it"
                );
            };
            found.extend(files.iter().map(|file| FileOfRun {
                run: number,
                store: run.store.clone(),
                file: file.clone(),
            }));
        }
        Ok(found)
    }
}

#[async_trait]
impl TableProvider for ExportedTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        // What is left is filtered again.
        let each = filters.iter();
        let each = each.map(|filter| match Selection::understands(filter) {
            true => TableProviderFilterPushDown::Inexact,
            false => TableProviderFilterPushDown::Unsupported,
        });
        Ok(each.collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema: SchemaRef = match projection {
            Some(wanted) => Arc::new(Schema::project(&self.schema, wanted)?),
            None => Arc::clone(&self.schema),
        };
        let mut selection = Selection::everything();
        filters.iter().for_each(|filter| selection.add(filter));
        let files = self.files(&selection)?;
        let threads = state.config().target_partitions();
        let scan = ExportedScan::new(self.table.name, schema, files, threads, selection, limit);
        Ok(Arc::new(scan))
    }
}

/// The table function `below(node)` over exports.
#[derive(Debug)]
pub(crate) struct ExportedBelow(pub(crate) Arc<[ExportedRun]>);

impl TableFunctionImpl for ExportedBelow {
    fn call_with_args(
        &self,
        arguments: TableFunctionArgs<'_, '_>,
    ) -> Result<Arc<dyn TableProvider>> {
        let number = number_of_call(&arguments)?;
        if self.0.len() != 1 {
            return plan_err!("below() works on a single run: name only one");
        }
        let Some(table) = Table::named("call") else {
            return internal_err!("no table call");
        };
        let calls: Arc<dyn TableProvider> =
            Arc::new(ExportedTable::new(table, Arc::clone(&self.0)));
        let scan = |name: &str| {
            LogicalPlanBuilder::scan(name, provider_as_source(Arc::clone(&calls)), None)
        };
        // The calls below one have the numbers that follow its own.
        let top = scan("top")?.filter(col("top.node").eq(lit(number)))?;
        let end = col("top.node") + col("top.size");
        let is_below = col("call.node")
            .gt_eq(col("top.node"))
            .and(col("call.node").lt(end));
        let columns = table.columns.iter();
        let columns = columns.map(|column| Expr::Column(Column::new(Some("call"), column.name)));
        let plan = scan("call")?
            .filter(col("call.node").gt_eq(lit(number)))?
            .join_on(top.build()?, JoinType::Inner, [is_below])?
            .project(columns)?
            .build()?;
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}
