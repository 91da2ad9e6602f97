//! Questions and their answers, as plain values.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use askance_query::QueryFailure;
use askance_query::database::{Database, USUAL_MEMORY};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::json::ArrayWriter;
use futures::TryStreamExt as _;
use java_model::run::JavaRun;
use serde_json::Value;

pub(crate) fn database(folder: &Path) -> Database {
    let run = JavaRun::open(folder, None, &mut |_, _| {}).unwrap();
    Database::of(vec![Arc::new(run)], USUAL_MEMORY).unwrap()
}

/// The rows of an answer, each an object; nulls are left out.
pub(crate) fn rows(database: &Database, sql: &str) -> Result<Vec<Value>, QueryFailure> {
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(2).build().unwrap();
    let batches: Vec<RecordBatch> = runtime.block_on(async {
        let answer = database.answer(sql).await?;
        Ok::<_, QueryFailure>(answer.try_collect().await.unwrap())
    })?;
    let mut writer = ArrayWriter::new(Vec::new());
    batches
        .iter()
        .for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
    let text = writer.into_inner();
    Ok(match text.is_empty() {
        true => Vec::new(),
        false => serde_json::from_slice(&text).unwrap(),
    })
}

/// A column of an answer, of numbers.
pub(crate) fn numbers(database: &Database, sql: &str, column: &str) -> Vec<i64> {
    let rows = rows(database, sql).unwrap_or_else(|failure| panic!("{sql}: {failure}"));
    rows.iter()
        .map(|row| row[column].as_i64().unwrap())
        .collect()
}

/// Runs the executable.
pub(crate) fn command(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_askance-query"));
    command.args(words).output().unwrap()
}
