//! A scan of a table of exported runs: Parquet files, of which only the wanted columns and those groups of rows are
//! read that may have what a filter wants.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, new_null_array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
};
use futures::StreamExt as _;
use object_store::ObjectMeta;
use parquet::arrow::ProjectionMask;
use parquet::arrow::async_reader::{
    ParquetObjectReader, ParquetRecordBatchStream, ParquetRecordBatchStreamBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::statistics::Statistics;

use crate::rows;
use crate::selection::Selection;

/// The column whose value is told by where a file lies.
const RUN: &str = "run";

/// A file, with the number of the run that it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct FileOfRun {
    pub(crate) run: i64,
    pub(crate) store: ObjectStoreUrl,
    pub(crate) file: ObjectMeta,
}

/// See the module's header.
#[derive(Debug)]
pub(crate) struct ExportedScan {
    table: &'static str,
    partitions: Vec<Vec<FileOfRun>>,
    selection: Arc<Selection>,
    limit: Option<usize>,
    properties: Arc<PlanProperties>,
}

impl ExportedScan {
    pub(crate) fn new(
        table: &'static str,
        schema: SchemaRef,
        files: Vec<FileOfRun>,
        threads: usize,
        selection: Selection,
        limit: Option<usize>,
    ) -> Self {
        let partitions = divided(files, threads);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(partitions.len()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        ExportedScan {
            table,
            partitions,
            selection: Arc::new(selection),
            limit,
            properties: Arc::new(properties),
        }
    }
}

/// Gives each thread about as many bytes to read, the largest files first.
fn divided(mut files: Vec<FileOfRun>, threads: usize) -> Vec<Vec<FileOfRun>> {
    files.sort_by_key(|file| std::cmp::Reverse(file.file.size));
    let count = threads.min(files.len()).max(1);
    let mut parts: Vec<(u64, Vec<FileOfRun>)> = vec![(0, Vec::new()); count];
    for file in files {
        if let Some((bytes, part)) = parts.iter_mut().min_by_key(|(bytes, _)| *bytes) {
            *bytes += file.file.size;
            part.push(file);
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

impl DisplayAs for ExportedScan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = self.partitions.iter().flatten().count();
        write!(f, "ExportedScan: table={}, files={files}", self.table)
    }
}

impl ExecutionPlan for ExportedScan {
    fn name(&self) -> &'static str {
        "ExportedScan"
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
        let files = self.partitions.get(partition).cloned();
        let wanted = Wanted {
            schema: self.schema(),
            selection: Arc::clone(&self.selection),
            context,
        };
        let reading = Reading {
            wanted: Arc::new(wanted),
            left: VecDeque::from(files.unwrap_or_default()),
            now: None,
            room: self.limit.unwrap_or(usize::MAX),
        };
        let batches = futures::stream::try_unfold(reading, Reading::next);
        let stream = RecordBatchStreamAdapter::new(self.schema(), batches);
        Ok(Box::pin(stream))
    }
}

/// Where the reading of a part stands.
struct Reading {
    wanted: Arc<Wanted>,
    left: VecDeque<FileOfRun>,
    /// The file that is read, and its run.
    now: Option<(ParquetRecordBatchStream<ParquetObjectReader>, i64)>,
    /// Rows that are still wanted.
    room: usize,
}

impl Reading {
    async fn next(mut self) -> Result<Option<(RecordBatch, Reading)>> {
        let wanted = Arc::clone(&self.wanted);
        while self.room > 0 {
            let Some((rows, run)) = &mut self.now else {
                let Some(file) = self.left.pop_front() else {
                    return Ok(None);
                };
                let rows = wanted.open(&file).await?;
                self.now = Some((rows, file.run));
                continue;
            };
            let run = *run;
            let Some(batch) = rows.next().await else {
                self.now = None;
                continue;
            };
            let batch = batch.map_err(unread)?;
            let batch = batch.slice(0, batch.num_rows().min(self.room));
            self.room -= batch.num_rows();
            return Ok(Some((wanted.arranged(&batch, run)?, self)));
        }
        Ok(None)
    }
}

/// What is wanted of files.
struct Wanted {
    schema: SchemaRef,
    selection: Arc<Selection>,
    context: Arc<TaskContext>,
}

impl Wanted {
    async fn open(
        &self,
        file: &FileOfRun,
    ) -> Result<ParquetRecordBatchStream<ParquetObjectReader>> {
        let store = self.context.runtime_env().object_store(&file.store)?;
        let path = file.file.location.clone();
        let reader = ParquetObjectReader::new(store, path).with_file_size(file.file.size);
        let rows = ParquetRecordBatchStreamBuilder::new(reader).await;
        let rows = rows.map_err(|error| match error {
            ParquetError::External(_) => unread(error),
            error => {
                DataFusionError::Execution(format!("{} is no Parquet: {error}", file.file.location))
            }
        })?;
        let columns = rows.schema().fields().iter().enumerate();
        let wanted = columns.filter(|(_, column)| {
            column.name() != RUN && self.schema.index_of(column.name()).is_ok()
        });
        let wanted: Vec<usize> = wanted.map(|(at, _)| at).collect();
        let mask = ProjectionMask::roots(rows.parquet_schema(), wanted);
        let groups = rows.metadata().row_groups().iter().enumerate();
        let groups = groups.filter(|(_, group)| self.may_want(group));
        let groups: Vec<usize> = groups.map(|(at, _)| at).collect();
        let rows = rows
            .with_projection(mask)
            .with_row_groups(groups)
            .with_batch_size(self.context.session_config().batch_size());
        rows.build().map_err(unread)
    }

    /// Whether a group of rows may have what is wanted, by the least and the largest value of its columns.
    fn may_want(&self, group: &RowGroupMetaData) -> bool {
        group.columns().iter().all(|column| {
            let Some(Statistics::Int64(statistics)) = column.statistics() else {
                return true;
            };
            let (least, most) = (statistics.min_opt(), statistics.max_opt());
            let name = column.column_path().string();
            least
                .zip(most)
                .is_none_or(|(&least, &most)| self.selection.may_want(&name, least, most))
        })
    }

    /// The columns that are wanted, in their order; an export that is older may not have all of them.
    fn arranged(&self, batch: &RecordBatch, run: i64) -> Result<RecordBatch> {
        let count = batch.num_rows();
        let columns = self
            .schema
            .fields()
            .iter()
            .map(|field| -> Result<ArrayRef> {
                if field.name() == RUN {
                    return Ok(Arc::new(Int64Array::from_value(run, count)));
                }
                match batch.column_by_name(field.name()) {
                    None => Ok(new_null_array(field.data_type(), count)),
                    Some(column) if column.data_type() == field.data_type() => {
                        Ok(Arc::clone(column))
                    }
                    Some(column) => Ok(cast(column, field.data_type())?),
                }
            });
        rows::batch(&self.schema, columns.collect::<Result<_>>()?, count)
    }
}

fn unread(error: ParquetError) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
