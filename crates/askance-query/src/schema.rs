//! The schema as documentation and for programs: made from the tables, so that it says what is there.

use std::fmt::Write as _;

use serde_json::json;

use crate::functions::FUNCTIONS;
use crate::tables::TABLES;
use crate::views::VIEWS;

/// All tables, functions and views, in Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::new();
    for table in TABLES {
        let _ = writeln!(text, "### `{}`: {}\n", table.name, table.about);
        text.push_str("| column | type | what it is |\n|---|---|---|\n");
        for column in table.columns {
            let (name, kind, about) = (column.name, column.kind.name(), column.about);
            let _ = writeln!(text, "| `{name}` | {kind} | {about} |");
        }
        text.push('\n');
    }
    text.push_str("### Functions\n\n| function | what it gives |\n|---|---|\n");
    for function in FUNCTIONS {
        let _ = writeln!(text, "| `{}` | {} |", function.form, function.about);
    }
    text.push_str("\n### Views\n\n| view | what it shows |\n|---|---|\n");
    for view in VIEWS {
        let _ = writeln!(text, "| `{}` | {} |", view.name, view.about());
    }
    text
}

/// The tables with their columns, and the views, as a JSON object.
#[must_use]
pub fn json() -> String {
    let tables = TABLES.iter().map(|table| {
        let columns = table.columns.iter().map(|column| {
            json!({"name": column.name, "kind": column.kind.name(), "about": column.about})
        });
        let columns: Vec<_> = columns.collect();
        json!({"name": table.name, "about": table.about, "columns": columns})
    });
    let views = VIEWS.iter();
    let views = views.map(|view| json!({"name": view.name, "about": view.about()}));
    let (tables, views): (Vec<_>, Vec<_>) = (tables.collect(), views.collect());
    json!({"tables": tables, "views": views}).to_string()
}
