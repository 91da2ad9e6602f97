//! Rows on their way into a batch: only the columns that are wanted are worked out.

use std::borrow::Cow;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, RecordBatch, RecordBatchOptions,
    StringViewBuilder,
};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::Result;

use crate::column::{ColumnKind, TableColumn};

/// What stands in one column of one row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell<'a> {
    Null,
    Integer(i64),
    Number(f64),
    Text(Cow<'a, str>),
    Truth(bool),
}

impl<'a> Cell<'a> {
    pub(crate) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Cell::Text(text.into())
    }

    /// Times, positions and numbers of things: they fit, or are not known.
    pub(crate) fn count(number: impl TryInto<i64>) -> Self {
        number.try_into().map_or(Cell::Null, Cell::Integer)
    }

    pub(crate) fn or_null<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell<'a>) -> Self {
        value.map_or(Cell::Null, cell)
    }
}

#[derive(Debug)]
enum Builder {
    Integer(Int64Builder),
    Number(Float64Builder),
    Text(StringViewBuilder),
    Truth(BooleanBuilder),
}

impl Builder {
    fn of(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Integer => Builder::Integer(Int64Builder::new()),
            ColumnKind::Number => Builder::Number(Float64Builder::new()),
            ColumnKind::Text => Builder::Text(StringViewBuilder::new()),
            ColumnKind::Truth => Builder::Truth(BooleanBuilder::new()),
        }
    }

    /// A cell of another kind than its column would be a mistake of a table: it is taken for unknown.
    fn append(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Builder::Integer(builder), Cell::Integer(value)) => builder.append_value(value),
            (Builder::Number(builder), Cell::Number(value)) => builder.append_value(value),
            (Builder::Text(builder), Cell::Text(value)) => builder.append_value(value),
            (Builder::Truth(builder), Cell::Truth(value)) => builder.append_value(value),
            (Builder::Integer(builder), _) => builder.append_null(),
            (Builder::Number(builder), _) => builder.append_null(),
            (Builder::Text(builder), _) => builder.append_null(),
            (Builder::Truth(builder), _) => builder.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Builder::Integer(builder) => Arc::new(builder.finish()),
            Builder::Number(builder) => Arc::new(builder.finish()),
            Builder::Text(builder) => Arc::new(builder.finish()),
            Builder::Truth(builder) => Arc::new(builder.finish()),
        }
    }
}

/// Rows of some of a table's columns.
#[derive(Debug)]
pub(crate) struct Rows {
    columns: Vec<(&'static str, Builder)>,
    count: usize,
}

impl Rows {
    pub(crate) fn new(columns: &'static [TableColumn], wanted: &[usize]) -> Self {
        let wanted = wanted.iter().filter_map(|&at| columns.get(at));
        Rows {
            columns: wanted
                .map(|column| (column.name, Builder::of(column.kind)))
                .collect(),
            count: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn wants(&self, name: &str) -> bool {
        self.columns.iter().any(|(column, _)| *column == name)
    }

    /// Adds a row; of each column that is wanted its cell is asked for, by the column's name.
    pub(crate) fn push<'a>(&mut self, mut cell: impl FnMut(&'static str) -> Cell<'a>) {
        for (name, builder) in &mut self.columns {
            builder.append(cell(name));
        }
        self.count += 1;
    }

    /// The rows until now.
    pub(crate) fn finish(&mut self, schema: &SchemaRef) -> Result<RecordBatch> {
        let arrays = self.columns.iter_mut().map(|(_, builder)| builder.finish());
        let batch = batch(schema, arrays.collect(), self.count);
        self.count = 0;
        batch
    }
}

/// A batch that knows how many rows it has even where no column is wanted.
pub(crate) fn batch(
    schema: &SchemaRef,
    arrays: Vec<ArrayRef>,
    count: usize,
) -> Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(count));
    let batch = RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options)?;
    Ok(batch)
}
