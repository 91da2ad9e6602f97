//! The schema as documentation: made from the tables, so that it says what is there.

use std::fmt::Write as _;

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
