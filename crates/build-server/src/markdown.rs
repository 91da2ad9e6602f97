//! Findings as Markdown, for the page of a job.

use std::fmt::Write as _;

use crate::TestFinding;

/// A section for each test that was debugged, of so many that failed.
#[must_use]
pub fn markdown(findings: &[TestFinding], failed: usize) -> String {
    let mut text = format!("## Askance: {}\n", heading(failed));
    if findings.len() < failed {
        let _ = writeln!(text, "\nOf {} of them, this was found out.", findings.len());
    }
    for finding in findings {
        let test = &finding.test;
        let _ = write!(text, "\n### `{}`\n\n", code(&test.pattern()));
        if !test.message.is_empty() {
            let _ = writeln!(text, "It failed: `{}`\n", code(&test.message));
        }
        let _ = writeln!(text, "{}.", capital(&escaped(&finding.sentence())));
        if let Some(page) = &finding.page {
            let _ = writeln!(
                text,
                "\nThe calls round it: `{}`",
                code(&page.display().to_string())
            );
        }
        if let Some(trace) = &finding.trace {
            let _ = writeln!(
                text,
                "\nTo look at it: `askance serve {}`",
                code(&trace.display().to_string())
            );
        }
    }
    text
}

fn heading(failed: usize) -> String {
    match failed {
        0 => "no test failed".to_owned(),
        1 => "one test failed".to_owned(),
        many => format!("{many} tests failed"),
    }
}

/// Names like `<init>` would be taken for tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

fn code(text: &str) -> String {
    text.replace('`', "'").replace(['\n', '\r'], " ")
}
