//! The tables as an SQLite database, for everything that opens one.

use std::fs::File;
use std::path::Path;

use datafusion::arrow::array::{
    Array, AsArray as _, BooleanArray, Float64Array, Int64Array, RecordBatch, StringViewArray,
};
use datafusion::arrow::datatypes::{Float64Type, Int64Type};
use futures::StreamExt as _;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Statement};

use crate::column::ColumnKind;
use crate::database::Database;
use crate::explanation::explained;
use crate::failure::QueryFailure;
use crate::tables::{TABLES, Table};

/// A database that is made anew needs no way back to what it was.
const WITHOUT_WAY_BACK: &str = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN";

/// Writes the tables of these names, and gives how many rows they have.
///
/// # Errors
/// If a trace cannot be read or the file not be written.
pub async fn write(
    database: &Database,
    path: &Path,
    wanted: impl Fn(&str) -> bool,
) -> Result<u64, QueryFailure> {
    let unwritten = |error: &dyn std::fmt::Display| {
        QueryFailure::new(format!("{} cannot be written: {error}", path.display()))
    };
    File::create(path).map_err(|error| unwritten(&error))?;
    let made = Connection::open(path);
    let made = made.and_then(|made| made.execute_batch(WITHOUT_WAY_BACK).map(|()| made));
    let made = made.map_err(|error| unwritten(&error))?;
    let mut rows = 0;
    for table in TABLES.iter().filter(|table| wanted(table.name)) {
        let written = made.execute_batch(&creation(table));
        let insertion = written.and_then(|()| made.prepare(&insertion(table)));
        let mut insertion = insertion.map_err(|error| unwritten(&error))?;
        let sql = format!("SELECT * FROM \"{}\"", table.name);
        let asked = database.ask(&sql).await?;
        let parts = asked.execute_stream_partitioned().await;
        // One after the other, so that rows are in the order of the trace.
        for mut part in parts.map_err(|error| explained(&error))? {
            while let Some(batch) = part.next().await {
                let batch = batch.map_err(|error| explained(&error))?;
                let written = insert(&mut insertion, &batch);
                written.map_err(|error| unwritten(&error))?;
                rows += batch.num_rows() as u64;
            }
        }
    }
    let written = made.execute_batch("COMMIT");
    written.map_err(|error| unwritten(&error))?;
    Ok(rows)
}

fn creation(table: &Table) -> String {
    let columns = table.columns.iter().map(|column| {
        let kind = match column.kind {
            ColumnKind::Integer => "INTEGER",
            ColumnKind::Number => "REAL",
            ColumnKind::Text => "TEXT",
            ColumnKind::Truth => "BOOLEAN",
        };
        format!("\"{}\" {kind}", column.name)
    });
    let columns: Vec<String> = columns.collect();
    format!("CREATE TABLE \"{}\" ({})", table.name, columns.join(", "))
}

fn insertion(table: &Table) -> String {
    let places = vec!["?"; table.columns.len()].join(", ");
    format!("INSERT INTO \"{}\" VALUES ({places})", table.name)
}

fn insert(insertion: &mut Statement<'_>, batch: &RecordBatch) -> rusqlite::Result<()> {
    let each = batch.columns().iter();
    let columns: Vec<Column<'_>> = each.map(|column| Column::of(column.as_ref())).collect();
    for row in 0..batch.num_rows() {
        for (place, column) in (1..).zip(&columns) {
            insertion.raw_bind_parameter(place, ToSqlOutput::Borrowed(column.value(row)))?;
        }
        insertion.raw_execute()?;
    }
    Ok(())
}

/// A column of a batch, by what it holds.
enum Column<'a> {
    Integer(&'a Int64Array),
    Number(&'a Float64Array),
    Text(&'a StringViewArray),
    Truth(&'a BooleanArray),
    /// No table has any other.
    Other,
}

impl<'a> Column<'a> {
    fn of(column: &'a dyn Array) -> Self {
        if let Some(integers) = column.as_primitive_opt::<Int64Type>() {
            Column::Integer(integers)
        } else if let Some(numbers) = column.as_primitive_opt::<Float64Type>() {
            Column::Number(numbers)
        } else if let Some(texts) = column.as_string_view_opt() {
            Column::Text(texts)
        } else if let Some(truths) = column.as_boolean_opt() {
            Column::Truth(truths)
        } else {
            Column::Other
        }
    }

    fn value(&self, row: usize) -> ValueRef<'a> {
        match self {
            Column::Integer(column) if column.is_valid(row) => ValueRef::Integer(column.value(row)),
            Column::Number(column) if column.is_valid(row) => ValueRef::Real(column.value(row)),
            Column::Text(column) if column.is_valid(row) => {
                ValueRef::Text(column.value(row).as_bytes())
            }
            Column::Truth(column) if column.is_valid(row) => {
                ValueRef::Integer(column.value(row).into())
            }
            _ => ValueRef::Null,
        }
    }
}
