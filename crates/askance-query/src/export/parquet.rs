//! The tables as Parquet files, for every other engine: `FOLDER/TABLE/run-N/part-M.parquet`, the rows of a file in the
//! order of the trace. A file is there when all of it was written.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Schema};
use futures::StreamExt as _;
use object_store::buffered::BufWriter;
use object_store::path::Path;
use parquet::arrow::AsyncArrowWriter;
use parquet::arrow::async_writer::ParquetObjectWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use crate::database::Database;
use crate::explanation::explained;
use crate::failure::QueryFailure;
use crate::place::Place;
use crate::tables::TABLES;

/// Rows and bytes that were written.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ExportedRows {
    pub rows: u64,
    pub bytes: u64,
}

/// Writes the tables of these names; nothing may be there yet.
///
/// # Errors
/// If a trace cannot be read or a file not be written.
pub async fn write(
    database: &Database,
    place: &Place,
    wanted: impl Fn(&str) -> bool,
) -> Result<ExportedRows, QueryFailure> {
    if let Some(there) = place.store.list(Some(&place.path)).next().await {
        there.map_err(|error| QueryFailure::new(format!("{place} cannot be read: {error}")))?;
        let failure = QueryFailure::new(format!("{place} is not empty"));
        return Err(failure.hint("name a folder that is not there yet"));
    }
    let mut all = ExportedRows::default();
    for table in TABLES.iter().filter(|table| wanted(table.name)) {
        for reader in database.readers() {
            let run = reader.number;
            let folder = place
                .path
                .clone()
                .join(table.name)
                .join(format!("run-{run}"));
            let sql = format!("SELECT * FROM \"{}\" WHERE run = {run}", table.name);
            let written = write_answer(database, &sql, place, &folder).await?;
            all.rows += written.rows;
            all.bytes += written.bytes;
        }
    }
    Ok(all)
}

/// Writes the parts of an answer side by side.
async fn write_answer(
    database: &Database,
    sql: &str,
    place: &Place,
    folder: &Path,
) -> Result<ExportedRows, QueryFailure> {
    let asked = database.ask(sql).await?;
    let parts = asked.execute_stream_partitioned().await;
    let parts = parts.map_err(|error| explained(&error))?;
    let mut tasks = Vec::new();
    for (number, mut part) in parts.into_iter().enumerate() {
        let path = folder.clone().join(format!("part-{number}.parquet"));
        let file = BufWriter::new(Arc::clone(&place.store), path);
        tasks.push(tokio::spawn(async move {
            let file = ParquetObjectWriter::from_buf_writer(file);
            let properties = Some(parquet_properties(&part.schema()));
            let writer = AsyncArrowWriter::try_new(file, part.schema(), properties);
            let mut writer = writer.map_err(unwritten)?;
            let mut written = ExportedRows::default();
            while let Some(batch) = part.next().await {
                let batch = batch.map_err(|error| explained(&error))?;
                written.rows += batch.num_rows() as u64;
                writer.write(&batch).await.map_err(unwritten)?;
            }
            writer.finish().await.map_err(unwritten)?;
            written.bytes = writer.bytes_written() as u64;
            Ok::<ExportedRows, QueryFailure>(written)
        }));
    }
    let mut all = ExportedRows::default();
    for task in tasks {
        let written = task.await;
        let written =
            written.map_err(|error| QueryFailure::new(format!("it broke off: {error}")))??;
        all.rows += written.rows;
        all.bytes += written.bytes;
    }
    Ok(all)
}

/// Columns whose numbers mostly grow from row to row, so that little is left of their differences.
const GROWING: [&str; 10] = [
    "begin", "by_node", "end", "last", "node", "object", "parent", "piece", "step", "time",
];

/// How tables are packed. A list of the numbers that occur is of use where few do: for those that grow, and for
/// floating point, it is as long as the column.
pub(crate) fn parquet_properties(schema: &Schema) -> WriterProperties {
    let mut properties =
        WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
    for field in schema.fields() {
        let encoding = match field.data_type() {
            DataType::Int64 if GROWING.contains(&field.name().as_str()) => {
                Encoding::DELTA_BINARY_PACKED
            }
            DataType::Float64 => Encoding::BYTE_STREAM_SPLIT,
            _ => continue,
        };
        let column = ColumnPath::from(vec![field.name().clone()]);
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, encoding);
    }
    properties.build()
}

fn unwritten(error: ParquetError) -> QueryFailure {
    QueryFailure::new(format!("the export cannot be written: {error}"))
}
