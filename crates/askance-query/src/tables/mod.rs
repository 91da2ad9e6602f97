//! The tables, each a list of columns and a function that makes its rows.

mod answers;
mod call;
mod code;
mod events;
mod objects;
mod run;
mod values;

use std::sync::Arc;

use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::error::Result;
use trace_store::IndexedWrite;

use crate::column::TableColumn;
use crate::reader::TableReader;
use crate::rows::Rows;
use crate::walk::ChosenCall;

pub(crate) use call::CallColumns;
pub(crate) use code::calls_by_method;

/// A table, as it is documented and read.
pub struct Table {
    pub name: &'static str,
    /// What a row is, in a few words.
    pub about: &'static str,
    pub columns: &'static [TableColumn],
    pub(crate) source: RowSource,
}

/// Where the rows of a table come from.
#[derive(Clone, Copy)]
pub(crate) enum RowSource {
    /// A row is a call; its columns are made a batch at a time.
    OneForEachCall,
    /// The rows of one call after the other.
    ManyForEachCall(fn(&TableReader, ChosenCall, &mut Rows) -> Result<()>),
    /// The same, or the rows of one write after the other where only those of some variables are wanted.
    CallsOrWrites(
        fn(&TableReader, ChosenCall, &mut Rows) -> Result<()>,
        fn(&TableReader, &IndexedWrite, &mut Rows) -> Result<()>,
    ),
    /// Rows by pages: the first one has the number 0, and each gives the number of the next.
    Pages(fn(&TableReader, u64, &mut Rows) -> Result<Option<u64>>),
}

/// All tables.
pub const TABLES: &[Table] = &[
    run::RUN,
    call::CALL,
    values::ARGUMENT,
    values::RESULT,
    code::METHOD,
    code::CLASS,
    run::THREAD,
    events::WRITE,
    events::THROW,
    events::LINE,
    events::OUTPUT,
    objects::OBJECT,
    run::TASK,
    run::TEST,
    answers::ANSWER,
];

impl Table {
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Table> {
        TABLES.iter().find(|table| table.name == name)
    }

    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        let fields: Vec<_> = self.columns.iter().map(TableColumn::field).collect();
        Arc::new(Schema::new(fields))
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
