//! Answers on their way out: a table for people, JSON, CSV, Parquet or Arrow for programs. Rows are written as they
//! come.

use std::io::{self, Write};
use std::sync::Arc;

use datafusion::arrow::array::{Array as _, RecordBatch};
use datafusion::arrow::csv;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::ipc::writer::FileWriter;
use datafusion::arrow::json;
use datafusion::arrow::json::writer::JsonArray;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use parquet::arrow::ArrowWriter;

use crate::export::parquet::parquet_properties;

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Columns side by side
    Table,
    /// An array of objects, one for each row
    Json,
    /// Values between commas, with the names of the columns first
    Csv,
    /// A Parquet file, zstd
    Parquet,
    /// An Arrow file, which is also called Feather
    Arrow,
}

impl Format {
    /// Whether it is no text.
    #[must_use]
    pub fn is_binary(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow)
    }
}

/// Writes batches in one of the forms.
pub enum AnswerPrinter<Out: Write + Send> {
    Table(TablePrinter<Out>),
    Json(json::Writer<Out, JsonArray>),
    Csv(Box<CsvPrinter<Out>>),
    Parquet(Box<ArrowWriter<Out>>),
    Arrow(Box<FileWriter<Out>>),
}

impl<Out: Write + Send> AnswerPrinter<Out> {
    /// # Errors
    /// If the beginning cannot be written.
    pub fn new(format: Format, schema: &SchemaRef, out: Out) -> io::Result<Self> {
        Ok(match format {
            Format::Table => AnswerPrinter::Table(TablePrinter::new(schema, out)),
            Format::Json => {
                let builder = json::WriterBuilder::new().with_explicit_nulls(true);
                AnswerPrinter::Json(builder.build(out))
            }
            Format::Csv => {
                let writer = csv::WriterBuilder::new().with_header(true).build(out);
                let schema = Arc::clone(schema);
                AnswerPrinter::Csv(Box::new(CsvPrinter {
                    writer,
                    schema,
                    has_head: false,
                }))
            }
            Format::Parquet => {
                let properties = Some(parquet_properties(schema));
                let writer = ArrowWriter::try_new(out, Arc::clone(schema), properties);
                AnswerPrinter::Parquet(Box::new(writer.map_err(io::Error::other)?))
            }
            Format::Arrow => {
                let writer = FileWriter::try_new(out, schema).map_err(plain)?;
                AnswerPrinter::Arrow(Box::new(writer))
            }
        })
    }

    /// # Errors
    /// If it cannot be written.
    pub fn print(&mut self, batch: &RecordBatch) -> io::Result<()> {
        match self {
            AnswerPrinter::Table(printer) => printer.print(batch),
            AnswerPrinter::Json(writer) => writer.write(batch).map_err(plain),
            AnswerPrinter::Csv(printer) => printer.print(batch),
            AnswerPrinter::Parquet(writer) => writer.write(batch).map_err(io::Error::other),
            AnswerPrinter::Arrow(writer) => writer.write(batch).map_err(plain),
        }
    }

    /// Writes what comes after the last row.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<()> {
        match self {
            AnswerPrinter::Table(printer) => printer.finish(),
            AnswerPrinter::Json(mut writer) => {
                writer.finish().map_err(plain)?;
                let mut out = writer.into_inner();
                writeln!(out)?;
                out.flush()
            }
            AnswerPrinter::Csv(printer) => printer.finish(),
            AnswerPrinter::Parquet(writer) => {
                writer.into_inner().map_err(io::Error::other)?.flush()
            }
            AnswerPrinter::Arrow(writer) => writer.into_inner().map_err(plain)?.flush(),
        }
    }
}

/// Values between commas. The names of columns come first, even where nothing follows them.
pub struct CsvPrinter<Out: Write> {
    writer: csv::Writer<Out>,
    schema: SchemaRef,
    has_head: bool,
}

impl<Out: Write> CsvPrinter<Out> {
    fn print(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.has_head = true;
        self.writer.write(batch).map_err(plain)
    }

    fn finish(mut self) -> io::Result<()> {
        if !self.has_head {
            self.print(&RecordBatch::new_empty(Arc::clone(&self.schema)))?;
        }
        self.writer.into_inner().flush()
    }
}

/// What the system said, if it was the system.
fn plain(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

/// Columns side by side, as wide as the first rows need them.
pub struct TablePrinter<Out> {
    out: Out,
    names: Vec<String>,
    right: Vec<bool>,
    widths: Option<Vec<usize>>,
}

/// No column is wider, unless it is the last.
const WIDEST: usize = 60;

impl<Out: Write> TablePrinter<Out> {
    fn new(schema: &SchemaRef, out: Out) -> Self {
        let fields = schema.fields().iter();
        TablePrinter {
            out,
            names: fields.clone().map(|field| field.name().clone()).collect(),
            right: fields.map(|field| field.data_type().is_numeric()).collect(),
            widths: None,
        }
    }

    fn print(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let options = FormatOptions::default().with_null("");
        let columns = batch.columns().iter();
        let columns = columns.map(|column| ArrayFormatter::try_new(column.as_ref(), &options));
        let columns: Vec<ArrayFormatter<'_>> =
            columns.collect::<Result<_, ArrowError>>().map_err(plain)?;
        let cell = |row: usize, at: usize| match batch.column(at).is_null(row) {
            // A column without a type has nothing but nulls.
            true => String::new(),
            false => one_line(&columns[at].value(row).to_string()),
        };
        if self.widths.is_none() {
            let mut widths: Vec<usize> = self.names.iter().map(|name| width(name)).collect();
            for row in 0..batch.num_rows() {
                for (at, widest) in widths.iter_mut().enumerate() {
                    *widest = width(&cell(row, at)).clamp(*widest, WIDEST.max(*widest));
                }
            }
            self.widths = Some(widths);
            self.head()?;
        }
        for row in 0..batch.num_rows() {
            let cells: Vec<String> = (0..columns.len()).map(|at| cell(row, at)).collect();
            self.line(&cells)?;
        }
        Ok(())
    }

    fn head(&mut self) -> io::Result<()> {
        self.line(&self.names.clone())?;
        let widths = self.widths.clone().unwrap_or_default();
        let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        self.line(&rules)
    }

    fn line(&mut self, cells: &[String]) -> io::Result<()> {
        let widths = self.widths.as_deref().unwrap_or_default();
        let mut line = String::new();
        for (at, cell) in cells.iter().enumerate() {
            let room = widths
                .get(at)
                .map_or(0, |room| room.saturating_sub(width(cell)));
            let room = " ".repeat(room);
            let is_right = self.right.get(at).copied().unwrap_or(false);
            if at > 0 {
                line.push_str("  ");
            }
            match is_right {
                true => line.extend([room.as_str(), cell]),
                false => line.extend([cell, room.as_str()]),
            }
        }
        writeln!(self.out, "{}", line.trim_end())
    }

    fn finish(mut self) -> io::Result<()> {
        if self.widths.is_none() {
            self.widths = Some(self.names.iter().map(|name| width(name)).collect());
            self.head()?;
        }
        self.out.flush()
    }
}

/// A cell is one line, whatever stands in it.
fn one_line(text: &str) -> String {
    text.chars()
        .flat_map(|sign| match sign.is_control() {
            true => sign.escape_default().collect::<Vec<char>>(),
            false => vec![sign],
        })
        .collect()
}

fn width(text: &str) -> usize {
    text.chars().count()
}
