//! The tables as an SQLite database, for everything that opens one.
//!
//! The file is written here, page by page from its beginning to its end, because rows come in their order and never
//! change: no page is looked at twice, and no more than one page for each level of a tree is in memory.

mod file;
mod page;
mod record;
mod table;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use datafusion::arrow::array::{
    Array, AsArray as _, BooleanArray, Float64Array, Int64Array, RecordBatch, StringViewArray,
};
use datafusion::arrow::datatypes::{Float64Type, Int64Type};
use futures::StreamExt as _;

use crate::column::ColumnKind;
use crate::database::{Database, explained};
use crate::failure::QueryFailure;
use crate::tables::{TABLES, Table};
use file::{DatabaseFile, SchemaRow};
use record::Record;
use table::TableWriter;

/// Writes the tables of these names, and gives how many rows they have.
///
/// # Errors
/// If a trace cannot be read or the file not be written.
pub async fn write(
    database: &Database,
    path: &Path,
    wanted: impl Fn(&str) -> bool,
) -> Result<u64, QueryFailure> {
    let unwritten =
        |error| QueryFailure::new(format!("{} cannot be written: {error}", path.display()));
    let mut file = DatabaseFile::new(BufWriter::new(File::create(path).map_err(unwritten)?))?;
    let mut rows = 0;
    let mut schema = Vec::new();
    for table in TABLES.iter().filter(|table| wanted(table.name)) {
        let written = write_table(database, table, &mut file).await?;
        rows += written.rows;
        schema.push(SchemaRow {
            name: table.name,
            root: written.root,
            statement: creation(table),
        });
    }
    file.finish(&schema)?;
    Ok(rows)
}

/// The statement that would have made a table.
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

struct WrittenTable {
    root: u32,
    rows: u64,
}

async fn write_table(
    database: &Database,
    table: &Table,
    file: &mut DatabaseFile<BufWriter<File>>,
) -> Result<WrittenTable, QueryFailure> {
    let sql = format!("SELECT * FROM \"{}\"", table.name);
    let asked = database.ask(&sql).await?;
    let parts = asked.execute_stream_partitioned().await;
    let mut writer = TableWriter::default();
    let mut record = Record::default();
    // One after the other, so that rows are in the order of the trace.
    for mut part in parts.map_err(|error| explained(&error))? {
        while let Some(batch) = part.next().await {
            let batch = batch.map_err(|error| explained(&error))?;
            let columns = columns(&batch);
            for row in 0..batch.num_rows() {
                record.clear();
                columns
                    .iter()
                    .for_each(|column| column.add(row, &mut record));
                writer.add(file, &record.bytes())?;
            }
        }
    }
    let rows = writer.rows();
    let root = writer.finish(file)?;
    Ok(WrittenTable { root, rows })
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

fn columns(batch: &RecordBatch) -> Vec<Column<'_>> {
    let each = batch.columns().iter();
    each.map(|column| Column::of(column.as_ref())).collect()
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

    fn add(&self, row: usize, record: &mut Record) {
        match self {
            Column::Integer(column) if column.is_valid(row) => record.integer(column.value(row)),
            Column::Number(column) if column.is_valid(row) => record.number(column.value(row)),
            Column::Text(column) if column.is_valid(row) => record.text(column.value(row)),
            Column::Truth(column) if column.is_valid(row) => {
                record.integer(column.value(row).into());
            }
            _ => record.null(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Rows of which some are longer than a page, and so many that the tree has three levels.
    #[test]
    fn long_rows_and_many_are_found_again_by_sqlite() {
        let python = test_support::target_dir().join("duckdb-client/bin/python");
        let python = Some(python).filter(|python| python.exists());
        let missing = "DuckDB's Python is missing; `cargo xtask setup` installs it";
        let Some(python) = test_support::require(python, missing) else {
            return;
        };
        const ROWS: usize = 9000;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.sqlite");
        let out = BufWriter::new(File::create(&path).expect("a file"));
        let mut file = DatabaseFile::new(out).expect("it can be written");
        let mut writer = TableWriter::default();
        let mut record = Record::default();
        let length = |row: usize| match row % 100 {
            0 => 16_000 + row * 7,
            1 => 16_340 + row / 100,
            _ => 4000,
        };
        for row in 0..ROWS {
            record.clear();
            record.integer(row as i64 * 1_000_003 - 4_000_000_000);
            record.number(row as f64 / 3.0);
            record.text(&"é".repeat(length(row)));
            writer
                .add(&mut file, &record.bytes())
                .expect("it can be written");
        }
        let root = writer.finish(&mut file).expect("it can be written");
        let statement = "CREATE TABLE many (number INTEGER, share REAL, text TEXT)".to_owned();
        let schema = [SchemaRow {
            name: "many",
            root,
            statement,
        }];
        file.finish(&schema).expect("it can be written");
        let script = "import sqlite3, sys; it = sqlite3.connect(sys.argv[1]); \
            print(it.execute('PRAGMA integrity_check').fetchone()[0], *it.execute('SELECT count(*), sum(number), \
            sum(length(text)), round(sum(share)) FROM many').fetchone(), \
            *it.execute('SELECT number, length(text) FROM many WHERE rowid = 7001').fetchone())";
        let answer = Command::new(python)
            .args(["-c", script])
            .arg(&path)
            .output();
        let answer = answer.expect("Python starts");
        let said = String::from_utf8_lossy(&answer.stdout);
        let rows = 0..ROWS;
        let number = |row: usize| row as i64 * 1_000_003 - 4_000_000_000;
        let share: f64 = rows.clone().map(|row| row as f64 / 3.0).sum();
        let expected = format!(
            "ok {ROWS} {} {} {:.1} {} {}\n",
            rows.clone().map(number).sum::<i64>(),
            rows.map(length).sum::<usize>(),
            share.round(),
            number(7000),
            length(7000)
        );
        assert_eq!(
            said,
            expected,
            "{}",
            String::from_utf8_lossy(&answer.stderr)
        );
    }
}
