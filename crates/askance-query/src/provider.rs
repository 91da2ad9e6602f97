//! A table of the recorded runs, as DataFusion asks for it.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::error::Result;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;

use crate::reader::TableReader;
use crate::scan::{Share, TableScan};
use crate::selection::Selection;
use crate::tables::{RowSource, Table};
use crate::walk;

/// See the module's header.
#[derive(Debug)]
pub struct TraceTable {
    table: &'static Table,
    readers: Arc<[Arc<TableReader>]>,
    schema: SchemaRef,
    within: Selection,
}

impl TraceTable {
    #[must_use]
    pub fn new(table: &'static Table, readers: Arc<[Arc<TableReader>]>) -> Self {
        Self::within(table, readers, Selection::everything())
    }

    /// A part of a table.
    pub(crate) fn within(
        table: &'static Table,
        readers: Arc<[Arc<TableReader>]>,
        within: Selection,
    ) -> Self {
        TraceTable {
            table,
            readers,
            schema: table.schema(),
            within,
        }
    }

    /// What each thread reads.
    fn partitions(&self, state: &dyn Session, selection: &Selection) -> Result<Vec<Vec<Share>>> {
        let threads = state.config().target_partitions();
        let mut partitions: Vec<Vec<Share>> = Vec::new();
        let readers = self.readers.iter();
        for reader in readers.filter(|reader| selection.runs.contains(reader.number)) {
            let share = |stretches, methods| Share {
                reader: Arc::clone(reader),
                stretches,
                methods,
            };
            let parts = match self.table.source {
                RowSource::Pages(_) => vec![share(Vec::new(), None)],
                _ => {
                    let methods = selection.methods(state, reader)?.map(Arc::from);
                    let stretches = walk::stretches(&reader.run, selection)?;
                    let divided = walk::divided(stretches, threads);
                    let parts = divided.into_iter();
                    parts.map(|part| share(part, methods.clone())).collect()
                }
            };
            for (at, part) in parts.into_iter().enumerate() {
                match partitions.get_mut(at) {
                    Some(partition) => partition.push(part),
                    None => partitions.push(vec![part]),
                }
            }
        }
        if partitions.is_empty() {
            partitions.push(Vec::new());
        }
        Ok(partitions)
    }
}

#[async_trait]
impl TableProvider for TraceTable {
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
        let is_by_run = matches!(self.table.source, RowSource::Pages(_));
        let each = filters.iter().map(|filter| {
            // What is left is filtered again.
            match !is_by_run && Selection::understands(filter) {
                true => TableProviderFilterPushDown::Inexact,
                false => TableProviderFilterPushDown::Unsupported,
            }
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
        let wanted = match projection {
            Some(wanted) => wanted.clone(),
            None => (0..self.table.columns.len()).collect(),
        };
        let schema: SchemaRef = match projection {
            Some(wanted) => Arc::new(Schema::project(&self.schema, wanted)?),
            None => Arc::clone(&self.schema),
        };
        let mut selection = self.within.clone();
        filters.iter().for_each(|filter| selection.add(filter));
        let partitions = self.partitions(state, &selection)?;
        let scan = TableScan::new(self.table, schema, wanted, partitions, limit);
        Ok(Arc::new(scan))
    }
}
