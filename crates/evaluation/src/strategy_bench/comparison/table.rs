//! The table of all strategies.

use std::fmt::Write as _;

use debug_engine::strategy;

use super::{COMMAND, Column, LARGEST, PLACES};

/// A row for each strategy, in the order of the list that `--strategy help` prints.
pub fn to_markdown(columns: &[Column]) -> String {
    let mut text = format!(
        "Made by `{COMMAND}`, which asks `askance eval --json`: questions on average, each call in turn \
         being the buggy one, the root not known to be wrong. Examples of up to {LARGEST} calls and made-up \
         trees (300 calls) with the bug in every call; of the libraries' runs {PLACES} calls are tried, spread evenly, with the \
         strategies that are fast enough on them. *Optimum*: the best order of questions about single \
         calls, where it is proven.\n\n| strategy |"
    );
    for column in columns {
        let _ = write!(text, " {} |", column.name);
    }
    text += "\n|---|";
    text += &"--:|".repeat(columns.len());
    text += "\n";
    for name in strategy::ALL.iter().map(|info| info.name) {
        let shown = match name == strategy::DEFAULT {
            true => format!("**{name}** (default)"),
            false => name.to_owned(),
        };
        let cells = columns
            .iter()
            .map(|column| column.averages.get(name).copied());
        row(&mut text, &shown, cells);
    }
    row(
        &mut text,
        "*optimum*",
        columns.iter().map(|column| column.optimum),
    );
    text
}

fn row(text: &mut String, name: &str, cells: impl Iterator<Item = Option<f64>>) {
    let _ = write!(text, "| {name} |");
    for cell in cells {
        match cell {
            Some(average) => {
                let _ = write!(text, " {average:.2} |");
            }
            None => *text += " |",
        }
    }
    *text += "\n";
}
