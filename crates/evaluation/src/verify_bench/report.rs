//! The findings, and how many classes were tried, as a table for `docs/benchmarks.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::Row;
use crate::document;

const COMMAND: &str = "cargo xtask bench verify";

/// Findings of a jar that are told: one cause has often many.
const TOLD: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// By JDK, then by library.
    pub rows: Vec<Row>,
    /// What the recorder could not do, by library.
    pub log: BTreeSet<String>,
}

/// The sums over jars.
#[derive(Debug, Default, Clone, Copy)]
struct Sums {
    jars: usize,
    classes: usize,
    linked: usize,
    rewritten: usize,
    findings: usize,
}

impl Sums {
    fn of<'a>(rows: impl Iterator<Item = &'a Row>) -> Sums {
        rows.fold(Sums::default(), |sums, row| Sums {
            jars: sums.jars + 1,
            classes: sums.classes + row.classes,
            linked: sums.linked + row.linked,
            rewritten: sums.rewritten + row.rewritten,
            findings: sums.findings + row.findings.len(),
        })
    }

    fn line(self, library: &str, jdk: &str) -> String {
        format!(
            "| {library} | {jdk} | {} | {} | {} | {} | {} |\n",
            self.jars, self.classes, self.linked, self.rewritten, self.findings
        )
    }
}

impl Report {
    pub fn findings(&self) -> usize {
        Sums::of(self.rows.iter()).findings
    }

    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "Made by `{COMMAND}`. Every class of every library of the workloads, and of what those need, is loaded and \
             linked with `-Xverify:all`, as it is and rewritten for full detail. *Findings* are classes with which the JVM \
             deals differently when they are rewritten. Classes that cannot be linked anyway want another library or a later Java.\n\n"
        );
        text +=
            "| library | Java | jars | classes | can be linked | of them rewritten | findings |\n";
        text += "|---|---|--:|--:|--:|--:|--:|\n";
        let mut by_library: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
        let mut by_jdk: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in &self.rows {
            by_library
                .entry((row.library, &row.jdk))
                .or_default()
                .push(row);
            by_jdk.entry(&row.jdk).or_default().push(row);
        }
        for ((library, jdk), rows) in by_library {
            text += &Sums::of(rows.into_iter()).line(library, jdk);
        }
        for (jdk, rows) in by_jdk {
            text += &Sums::of(rows.into_iter()).line("**all**", jdk);
        }
        for row in self.rows.iter().filter(|row| !row.findings.is_empty()) {
            text += &told(row);
        }
        for line in &self.log {
            let _ = writeln!(text, "\n{line}");
        }
        text
    }
}

/// A jar's first findings, and how many more there are.
fn told(row: &Row) -> String {
    let mut text = format!("\n{} on Java {}:", row.jar, row.jdk);
    for finding in row.findings.iter().take(TOLD) {
        let _ = write!(text, " {finding};");
    }
    let _ = writeln!(text, " {} in all", row.findings.len());
    text
}

pub fn write_into(document: &Path, report: &Report) -> io::Result<()> {
    document::write_table(
        document,
        COMMAND,
        "Rewritten classes",
        &report.to_markdown(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::LinkDifference;
    use super::*;

    #[test]
    fn table() {
        let finding = |number| LinkDifference {
            class: format!("shop.Cart{number}"),
            plain: None,
            recorded: Some("java.lang.VerifyError".to_owned()),
        };
        let row = |jar: &str, jdk: &str, findings: Vec<LinkDifference>| Row {
            library: "shop",
            jdk: jdk.to_owned(),
            jar: jar.to_owned(),
            classes: 10,
            linked: 9,
            rewritten: 8,
            findings,
        };
        let report = Report {
            rows: vec![
                row("shop.jar", "11.0.1", Vec::new()),
                row("shop.jar", "17.0.1", (0..5).map(finding).collect()),
                row("other.jar", "17.0.1", Vec::new()),
            ],
            log: BTreeSet::from(["shop: a class was too strange".to_owned()]),
        };
        assert_eq!(report.findings(), 5);
        insta::assert_snapshot!(report.to_markdown());
    }
}
