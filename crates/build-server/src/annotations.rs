//! Findings as workflow commands of GitHub, which show them at their lines.

use std::fmt::Write as _;

use crate::{FindingKind, TestFinding};

/// One line for each place.
#[must_use]
pub fn annotations(findings: &[TestFinding]) -> String {
    let mut text = String::new();
    for finding in findings {
        // What is only suspected is no error of that line.
        let level = match finding.kind {
            FindingKind::Found { .. } => "error",
            _ => "warning",
        };
        let title = property(&format!("{} failed", finding.test.pattern()));
        let message = message(&finding.sentence());
        for blame in finding.blamed() {
            let Some(file) = &blame.file else {
                continue;
            };
            let file = property(&file.display().to_string());
            let line = blame
                .first_line()
                .map_or(String::new(), |line| format!(",line={line}"));
            let _ = writeln!(text, "::{level} file={file}{line},title={title}::{message}");
        }
    }
    text
}

fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
