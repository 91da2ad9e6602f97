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

    pub(crate) fn readers(&self) -> Arc<[Arc<TableReader>]> {
        Arc::clone(&self.readers)
    }

    /// Whether it is the table of calls, and no part of it.
    pub(crate) fn has_all_calls(&self) -> bool {
        let is_by_call = matches!(self.table.source, RowSource::OneForEachCall);
        is_by_call && self.within.nodes.is_everything()
    }

    /// What each thread reads.
    fn partitions(&self, state: &dyn Session, selection: &Selection) -> Result<Vec<Vec<Share>>> {
        let mut partitions: Vec<Vec<Share>> = Vec::new();
        let readers = self.readers.iter();
        for reader in readers.filter(|reader| selection.runs.contains(reader.number)) {
            let parts = match self.table.source {
                RowSource::Pages(_) => vec![Share::whole(reader)],
                _ => self.parts(state, selection, reader)?,
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

impl TraceTable {
    /// What is left of a run, divided among threads.
    fn parts(
        &self,
        state: &dyn Session,
        selection: &Selection,
        reader: &Arc<TableReader>,
    ) -> Result<Vec<Share>> {
        /// The events of so few calls are read sooner than the index is asked.
        const FEW_CALLS: u64 = 1 << 10;
        let stretches = walk::stretches(&reader.run, selection)?;
        let calls: u64 = stretches.iter().map(|it| u64::from(it.count)).sum();
        let can_ask_index = matches!(self.table.source, RowSource::CallsOrWrites(..));
        if can_ask_index
            && calls > FEW_CALLS
            && let Some(writes) = selection.writes(state, reader)?
        {
            return Ok(vec![Share {
                writes: Some(writes),
                ..Share::whole(reader)
            }]);
        }
        let methods: Option<Arc<[bool]>> = selection.methods(state, reader)?.map(Arc::from);
        let divided = walk::divided(stretches, state.config().target_partitions());
        let share = |stretches| Share {
            stretches,
            methods: methods.clone(),
            ..Share::whole(reader)
        };
        Ok(divided.into_iter().map(share).collect())
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
