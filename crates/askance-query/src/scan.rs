//! A scan of one table, as a part of a plan: batches are made as they are asked for.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Statistics;
use datafusion::common::stats::Precision;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
};

use trace_store::{IndexedWrite, IndexedWrites};

use crate::failure::unreadable;
use crate::reader::TableReader;
use crate::rows::{self, Rows};
use crate::tables::{CallColumns, RowSource, Table};
use crate::walk::{ChosenCall, Stretch, Walk};

/// What one thread reads of one run.
#[derive(Debug, Clone)]
pub(crate) struct Share {
    pub(crate) reader: Arc<TableReader>,
    /// Of a table that is read call by call: which calls.
    pub(crate) stretches: Vec<Stretch>,
    /// The methods whose calls are wanted, by their numbers.
    pub(crate) methods: Option<Arc<[bool]>>,
    /// Writes that the index finds, in the place of calls.
    pub(crate) writes: Option<Vec<IndexedWrites>>,
}

impl Share {
    /// A table that is not read call by call.
    pub(crate) fn whole(reader: &Arc<TableReader>) -> Share {
        Share {
            reader: Arc::clone(reader),
            stretches: Vec::new(),
            methods: None,
            writes: None,
        }
    }
}

/// See the module's header.
#[derive(Debug)]
pub(crate) struct TableScan {
    table: &'static Table,
    wanted: Vec<usize>,
    partitions: Vec<Vec<Share>>,
    limit: Option<usize>,
    properties: Arc<PlanProperties>,
}

impl TableScan {
    pub(crate) fn new(
        table: &'static Table,
        schema: SchemaRef,
        wanted: Vec<usize>,
        partitions: Vec<Vec<Share>>,
        limit: Option<usize>,
    ) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(partitions.len()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        TableScan {
            table,
            wanted,
            partitions,
            limit,
            properties: Arc::new(properties),
        }
    }

    /// How many rows a part has, if that is known without reading.
    fn rows_of(&self, partition: &[Share]) -> Option<usize> {
        let is_by_call = matches!(self.table.source, RowSource::OneForEachCall);
        let all_methods = partition.iter().all(|share| share.methods.is_none());
        let stretches = partition.iter().flat_map(|share| &share.stretches);
        let count: u64 = stretches.map(|stretch| u64::from(stretch.count)).sum();
        let known = is_by_call && all_methods && self.limit.is_none();
        known.then(|| usize::try_from(count).ok()).flatten()
    }
}

impl DisplayAs for TableScan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares = self.partitions.iter().flatten();
        let stretches = shares.clone().flat_map(|share| &share.stretches);
        let calls: u64 = stretches.map(|stretch| u64::from(stretch.count)).sum();
        let is_by_method = shares.clone().any(|share| share.methods.is_some());
        write!(f, "TraceScan: table={}", self.table.name)?;
        if shares.clone().any(|share| share.writes.is_some()) {
            return f.write_str(", by_index=true");
        }
        if !matches!(self.table.source, RowSource::Pages(_)) {
            write!(f, ", calls={calls}, by_method={is_by_method}")?;
        }
        Ok(())
    }
}

impl ExecutionPlan for TableScan {
    fn name(&self) -> &'static str {
        "TraceScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let schema = self.schema();
        let shares = self.partitions.get(partition).cloned().unwrap_or_default();
        let batches = Batches {
            table: self.table,
            schema: Arc::clone(&schema),
            wanted: self.wanted.clone(),
            left: shares.into_iter(),
            now: None,
            most: context.session_config().batch_size(),
            room: self.limit.unwrap_or(usize::MAX),
            has_failed: false,
        };
        let stream = futures::stream::iter(batches);
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, stream)))
    }

    fn partition_statistics(&self, partition: Option<usize>) -> Result<Arc<Statistics>> {
        let mut statistics = Statistics::new_unknown(&self.schema());
        let count = match partition {
            Some(at) => self.partitions.get(at).and_then(|it| self.rows_of(it)),
            None => self.partitions.iter().map(|it| self.rows_of(it)).sum(),
        };
        if let Some(count) = count {
            statistics.num_rows = Precision::Exact(count);
        }
        Ok(Arc::new(statistics))
    }
}

/// The batches of one part of a scan.
struct Batches {
    table: &'static Table,
    schema: SchemaRef,
    wanted: Vec<usize>,
    left: std::vec::IntoIter<Share>,
    now: Option<Reading>,
    most: usize,
    /// Rows that are still wanted.
    room: usize,
    has_failed: bool,
}

/// Where the reading of a share stands.
struct Reading {
    share: Share,
    walk: Walk,
    calls: Vec<ChosenCall>,
    writes: Vec<IndexedWrite>,
    columns: CallColumns,
    /// The page that comes next.
    page: Option<u64>,
}

impl Reading {
    fn new(mut share: Share) -> Self {
        Reading {
            walk: Walk::new(std::mem::take(&mut share.stretches)),
            share,
            calls: Vec::new(),
            writes: Vec::new(),
            columns: CallColumns::default(),
            page: Some(0),
        }
    }

    /// The next rows; `None` if there are no more. A table may have more rows of a call than a batch should.
    fn next(
        &mut self,
        table: &'static Table,
        schema: &SchemaRef,
        wanted: &[usize],
        most: usize,
    ) -> Result<Option<RecordBatch>> {
        let reader = Arc::clone(&self.share.reader);
        let methods = self.share.methods.clone();
        match table.source {
            RowSource::OneForEachCall => {
                self.walk
                    .next(&reader.run, methods.as_deref(), most, &mut self.calls)?;
                if self.calls.is_empty() {
                    return Ok(None);
                }
                let columns = wanted.iter().filter_map(|&at| table.columns.get(at));
                let arrays =
                    columns.map(|column| self.columns.array(&reader, &self.calls, column.name));
                let arrays = arrays.collect::<Result<_>>()?;
                rows::batch(schema, arrays, self.calls.len()).map(Some)
            }
            RowSource::CallsOrWrites(_, rows_of) if self.share.writes.is_some() => {
                let mut rows = Rows::new(table.columns, wanted);
                while rows.len() < most && self.next_writes(most - rows.len())? {
                    for write in &self.writes {
                        rows_of(&reader, write, &mut rows)?;
                    }
                }
                match rows.len() {
                    0 => Ok(None),
                    _ => rows.finish(schema).map(Some),
                }
            }
            RowSource::ManyForEachCall(rows_of) | RowSource::CallsOrWrites(rows_of, _) => {
                let mut rows = Rows::new(table.columns, wanted);
                loop {
                    // A few calls at a time, because nobody knows how many rows they have.
                    let some = (most / 16).max(1);
                    self.walk
                        .next(&reader.run, methods.as_deref(), some, &mut self.calls)?;
                    if self.calls.is_empty() {
                        break;
                    }
                    for call in &self.calls {
                        rows_of(&reader, *call, &mut rows)?;
                    }
                    if rows.len() >= most {
                        break;
                    }
                }
                match rows.len() {
                    0 => Ok(None),
                    _ => rows.finish(schema).map(Some),
                }
            }
            RowSource::Pages(page_of) => {
                let mut rows = Rows::new(table.columns, wanted);
                while let Some(page) = self.page.filter(|_| rows.len() < most) {
                    self.page = page_of(&reader, page, &mut rows)?;
                }
                match rows.len() {
                    0 => Ok(None),
                    _ => rows.finish(schema).map(Some),
                }
            }
        }
    }
}

impl Reading {
    /// Looks up the next writes; whether there are any.
    fn next_writes(&mut self, most: usize) -> Result<bool> {
        self.writes.clear();
        let walks = self.share.writes.get_or_insert_default();
        while let Some(walk) = walks.last_mut() {
            let trace = self.share.reader.run.trace();
            let next = walk.next(trace, most, &mut self.writes);
            next.map_err(unreadable)?;
            if !self.writes.is_empty() {
                return Ok(true);
            }
            walks.pop();
        }
        Ok(false)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        if self.room == 0 || self.has_failed {
            return None;
        }
        loop {
            let reading = match &mut self.now {
                Some(reading) => reading,
                none => none.insert(Reading::new(self.left.next()?)),
            };
            let most = self.most.min(self.room);
            match reading.next(self.table, &self.schema, &self.wanted, most) {
                Ok(Some(batch)) => {
                    let batch = match batch.num_rows() > self.room {
                        true => batch.slice(0, self.room),
                        false => batch,
                    };
                    self.room -= batch.num_rows();
                    return Some(Ok(batch));
                }
                Ok(None) => self.now = None,
                Err(error) => {
                    self.has_failed = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
