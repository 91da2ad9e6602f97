//! ARCHITECTURE.md shows the table of layers as it is checked, between two marks.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::finding::Finding;
use super::layers::LAYERS;
use super::workspace::Workspace;

const FILE: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- layers: `cargo xtask tidy --write` makes this table -->";
const END: &str = "<!-- end of layers -->";

pub(super) fn findings(workspace: &Workspace) -> Vec<Finding> {
    let Some(text) = workspace.texts.get(FILE) else {
        return Vec::new();
    };
    let finding = |line: usize, what: &str| {
        vec![Finding {
            file: FILE.to_owned(),
            line,
            what: what.to_owned(),
            hint: "`cargo xtask tidy --write` mends it".to_owned(),
        }]
    };
    match shown(text) {
        None => finding(1, "the table of layers is missing"),
        Some((_, table, _)) if table.trim() == table_of_layers().trim() => Vec::new(),
        Some((before, _, _)) => finding(
            before.lines().count() + 1,
            "the table of layers is not the one that is checked",
        ),
    }
}

/// Puts the table into the document, at its end if it has no place yet.
pub(super) fn write(root: &Path) -> Result<()> {
    let path = root.join(FILE);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {FILE}"))?;
    fs::write(&path, with_table(&text)).with_context(|| format!("cannot write {FILE}"))
}

fn with_table(text: &str) -> String {
    let table = format!("{BEGIN}\n{}{END}", table_of_layers());
    match shown(text) {
        Some((before, _, after)) => format!("{before}{table}{after}"),
        None => format!(
            "{}\n\n## Layers\n\nA crate may use those that are listed for it, and no others.\n\n{table}\n",
            text.trim_end()
        ),
    }
}

/// What stands before, between and behind the marks.
fn shown(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (table, after) = rest.split_once(END)?;
    Some((before, table, after))
}

fn table_of_layers() -> String {
    let mut table = String::from("| crate | what it is | may use |\n|---|---|---|\n");
    for layer in LAYERS.iter().rev() {
        let names = |list: &[&str]| {
            let names: Vec<String> = list.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let mut uses = names(layer.may_use);
        if uses.is_empty() {
            uses = "—".to_owned();
        }
        if !layer.tests_may_use.is_empty() {
            let _ = write!(uses, "; its tests {}", names(layer.tests_may_use));
        }
        let _ = writeln!(table, "| `{}` | {} | {uses} |", layer.name, layer.what);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Finding> {
        findings(&Workspace::made_up([(FILE, text)]))
    }

    #[test]
    fn a_document_without_the_table_gets_it() {
        assert_eq!(found("# Architecture\n").len(), 1);
        let written = with_table("# Architecture\n");
        assert_eq!(found(&written), []);
        assert_eq!(with_table(&written), written);
    }

    #[test]
    fn a_table_that_somebody_changed_is_found_and_mended() {
        let changed = with_table("# A\n").replace("`trace-format`", "`else`");
        assert_eq!(found(&changed).len(), 1);
        assert_eq!(found(&with_table(&changed)), []);
    }
}
