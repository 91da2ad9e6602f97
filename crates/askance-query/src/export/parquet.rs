//! The tables as Parquet files, for every other engine: `FOLDER/TABLE/run-N/part-M.parquet`, the rows of a file in the
//! order of the trace.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use futures::StreamExt as _;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use crate::database::{Database, explained};
use crate::failure::QueryFailure;
use crate::tables::TABLES;

/// Rows and bytes that were written.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ExportedRows {
    pub rows: u64,
    pub bytes: u64,
}

/// Writes the tables of these names; nothing may be in the folder yet.
///
/// # Errors
/// If a trace cannot be read or a file not be written.
pub async fn write(
    database: &Database,
    folder: &Path,
    wanted: impl Fn(&str) -> bool,
) -> Result<ExportedRows, QueryFailure> {
    if fs::read_dir(folder).is_ok_and(|mut there| there.next().is_some()) {
        let sentence = format!("{} is not empty", folder.display());
        return Err(QueryFailure::new(sentence).hint("name a folder that is not there yet"));
    }
    let mut all = ExportedRows::default();
    for table in TABLES.iter().filter(|table| wanted(table.name)) {
        for reader in database.readers() {
            let run = reader.number;
            let place = folder.join(table.name).join(format!("run-{run}"));
            fs::create_dir_all(&place)?;
            let sql = format!("SELECT * FROM \"{}\" WHERE run = {run}", table.name);
            let written = write_answer(database, &sql, &place).await?;
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
    place: &Path,
) -> Result<ExportedRows, QueryFailure> {
    let asked = database.ask(sql).await?;
    let parts = asked.execute_stream_partitioned().await;
    let parts = parts.map_err(|error| explained(&error))?;
    let mut tasks = Vec::new();
    for (number, mut part) in parts.into_iter().enumerate() {
        let path = place.join(format!("part-{number}.parquet"));
        tasks.push(tokio::spawn(async move {
            let schema = part.schema();
            let file = File::create(&path)?;
            let properties = Some(parquet_properties());
            let writer = ArrowWriter::try_new(file, Arc::clone(&schema), properties);
            let mut writer = writer.map_err(unwritten)?;
            let mut written = ExportedRows::default();
            while let Some(batch) = part.next().await {
                let batch = batch.map_err(|error| explained(&error))?;
                written.rows += batch.num_rows() as u64;
                writer.write(&batch).map_err(unwritten)?;
            }
            writer.close().map_err(unwritten)?;
            written.bytes = path.metadata()?.len();
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

/// How tables are packed.
pub(crate) fn parquet_properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build()
}

fn unwritten(error: ParquetError) -> QueryFailure {
    QueryFailure::new(format!("the export cannot be written: {error}"))
}
