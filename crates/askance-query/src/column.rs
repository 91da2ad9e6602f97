//! What a table says of its columns.

use datafusion::arrow::datatypes::{DataType, Field};

/// A column of a table, as it is documented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableColumn {
    pub name: &'static str,
    pub kind: ColumnKind,
    /// In a few words.
    pub about: &'static str,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Integer,
    Number,
    Text,
    Truth,
}

impl ColumnKind {
    #[must_use]
    pub fn data_type(self) -> DataType {
        match self {
            ColumnKind::Integer => DataType::Int64,
            ColumnKind::Number => DataType::Float64,
            ColumnKind::Text => DataType::Utf8View,
            ColumnKind::Truth => DataType::Boolean,
        }
    }

    /// As SQL calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ColumnKind::Integer => "bigint",
            ColumnKind::Number => "double",
            ColumnKind::Text => "varchar",
            ColumnKind::Truth => "boolean",
        }
    }
}

impl TableColumn {
    pub(crate) fn field(&self) -> Field {
        // Whatever cannot be read is null.
        Field::new(self.name, self.kind.data_type(), true)
    }
}

pub(crate) const fn integer(name: &'static str, about: &'static str) -> TableColumn {
    TableColumn {
        name,
        kind: ColumnKind::Integer,
        about,
    }
}

pub(crate) const fn number(name: &'static str, about: &'static str) -> TableColumn {
    TableColumn {
        name,
        kind: ColumnKind::Number,
        about,
    }
}

pub(crate) const fn text(name: &'static str, about: &'static str) -> TableColumn {
    TableColumn {
        name,
        kind: ColumnKind::Text,
        about,
    }
}

pub(crate) const fn truth(name: &'static str, about: &'static str) -> TableColumn {
    TableColumn {
        name,
        kind: ColumnKind::Truth,
        about,
    }
}
