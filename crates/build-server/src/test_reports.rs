//! Reports of tests in the form that JUnit's runners, Maven, Gradle and most other tools write.
//!
//! Only what was written since the build began counts: builds leave old reports where they are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use roxmltree::{Document, Node};

use crate::FailedTest;

/// Folders that hold no reports and may be large.
const PASSED_OVER: [&str; 4] = [".git", "node_modules", ".gradle", ".m2"];

/// Clocks of file systems are coarse: a report may seem to be a little older than the build.
const COARSENESS: std::time::Duration = std::time::Duration::from_secs(2);

/// Why reports cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the reports of the tests cannot be looked for in {}: {source}", .folder.display())]
pub struct ReportError {
    folder: PathBuf,
    source: io::Error,
}

/// The tests that failed according to the reports below a folder that were written since a time, each once.
///
/// # Errors
/// If the folder cannot be read.
pub fn failed_tests(folder: &Path, since: SystemTime) -> Result<Vec<FailedTest>, ReportError> {
    let mut reports = Vec::new();
    let since = since.checked_sub(COARSENESS).unwrap_or(since);
    collect(folder, since, &mut reports).map_err(|source| ReportError {
        folder: folder.to_owned(),
        source,
    })?;
    reports.sort();
    let mut seen = BTreeSet::new();
    let mut failed = Vec::new();
    for report in reports {
        // What cannot be read may be a report that is just being written, or no report at all.
        let Ok(text) = fs::read_to_string(&report) else {
            continue;
        };
        failed.extend(
            parse(&text, &report)
                .into_iter()
                .filter(|test| seen.insert((test.class.clone(), test.method.clone()))),
        );
    }
    Ok(failed)
}

fn collect(folder: &Path, since: SystemTime, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let name = name.to_string_lossy();
        if kind.is_dir() && !PASSED_OVER.contains(&&*name) {
            // A folder that somebody removes meanwhile, or that is not ours to read, has no report for us.
            let _ = collect(&entry.path(), since, found);
        }
        let is_report = kind.is_file() && name.starts_with("TEST-") && name.ends_with(".xml");
        let is_new = || {
            let written = entry.metadata().and_then(|metadata| metadata.modified());
            written.is_ok_and(|written| written >= since)
        };
        if is_report && is_new() {
            found.push(entry.path());
        }
    }
    Ok(())
}

fn parse(text: &str, report: &Path) -> Vec<FailedTest> {
    let Ok(document) = Document::parse(text) else {
        return Vec::new();
    };
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    cases.filter_map(|case| failure(case, report)).collect()
}

fn failure(case: Node<'_, '_>, report: &Path) -> Option<FailedTest> {
    let is_failure =
        |node: &Node<'_, '_>| node.has_tag_name("failure") || node.has_tag_name("error");
    let failure = case.children().find(is_failure)?;
    let said = failure.attribute("message").or_else(|| failure.text());
    let message = said
        .or_else(|| failure.attribute("type"))
        .unwrap_or_default();
    let (class, name) = (case.attribute("classname")?, case.attribute("name")?);
    let named = method(name);
    let called = || method_in_trace(class, failure.text().unwrap_or_default());
    Some(FailedTest {
        class: class.to_owned(),
        method: named.or_else(called).map(str::to_owned),
        is_numbered: named.is_some_and(|method| name[method.len()..].starts_with('[')),
        message: message.trim().lines().next().unwrap_or_default().to_owned(),
        report: report.to_owned(),
    })
}

/// Runners write parameters and numbers of runs behind a method's name: `lines(int)[2]`, `total()`. Anything else is a
/// name for people, which does not tell the method.
fn method(name: &str) -> Option<&str> {
    let end = name.find(['(', '[', '{', ' ']).unwrap_or(name.len());
    let (method, rest) = name.split_at(end);
    let is_identifier = method
        .starts_with(|first: char| first.is_alphabetic() || "_$".contains(first))
        && method
            .chars()
            .all(|letter| letter.is_alphanumeric() || "_$".contains(letter));
    (is_identifier && !rest.starts_with(' ')).then_some(method)
}

/// The first method of the class that was called on the way to the failure. What caused the failure is left out: its
/// trace ends where the way began to be the same.
fn method_in_trace<'a>(class: &str, trace: &'a str) -> Option<&'a str> {
    let lines = trace.lines().map(str::trim_start);
    let lines = lines.take_while(|line| !line.starts_with("Caused by: "));
    let methods = lines.filter_map(|line| {
        let (called, _) = line.strip_prefix("at ")?.rsplit_once('(')?;
        let (place, method) = called.rsplit_once('.')?;
        // A loader and a module may stand before the class.
        let is_of_class = place.rsplit('/').next() == Some(class);
        let is_written = !method.starts_with("lambda$") && !method.starts_with('<');
        (is_of_class && is_written).then_some(method)
    });
    methods.last()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="shop.CartTest" tests="8" failures="6" errors="1">
  <testcase name="empty" classname="shop.CartTest" time="0.01"/>
  <testcase name="total" classname="shop.CartTest" time="0.01">
    <failure message="expected:&lt;12&gt; but was:&lt;13&gt;&#10;more" type="java.lang.AssertionError">trace</failure>
  </testcase>
  <testcase name="lines(int)[2]" classname="shop.CartTest$Long" time="0">
    <error type="java.lang.NullPointerException"><![CDATA[java.lang.NullPointerException
	at shop.Cart.lines]]></error>
  </testcase>
  <testcase name="lines(int)[3]" classname="shop.CartTest$Long"><failure message="again"/></testcase>
  <testcase name="late" classname="shop.CartTest"><flakyFailure message="once"/></testcase>
  <testcase name="discount[10 pieces]" classname="shop.TableTest"><failure message="one of many"/></testcase>
  <testcase name="[1] a, b" classname="shop.CartTest"><failure message="named">AssertionError: named
	at shop.Cart.check(Cart.java:9)
	at app//shop.CartTest.expect(CartTest.java:40)
	at app//shop.CartTest.lambda$many$0(CartTest.java:31)
	at app//shop.CartTest.many(CartTest.java:30)
	at shop.Runner.run(Runner.java:3)
Caused by: IllegalStateException
	at shop.CartTest.other(CartTest.java:50)</failure></testcase>
  <testcase name="a full cart (again)" classname="shop.CartTest"><failure message="nameless"/></testcase>
  <testcase name="off" classname="shop.CartTest"><skipped/></testcase>
</testsuite>"#;

    #[test]
    fn failures_and_errors_count_once_a_method() {
        let folder = tempfile::tempdir().unwrap();
        let reports = folder.path().join("module/target/surefire-reports");
        fs::create_dir_all(&reports).unwrap();
        fs::write(reports.join("TEST-shop.CartTest.xml"), REPORT).unwrap();
        fs::write(reports.join("TEST-broken.xml"), "<testsuite>").unwrap();
        let failed = failed_tests(folder.path(), SystemTime::now()).unwrap();
        let told: Vec<(String, &str)> = failed
            .iter()
            .map(|test| (test.pattern(), &*test.message))
            .collect();
        assert_eq!(
            told,
            [
                (
                    "shop.CartTest#total".to_owned(),
                    "expected:<12> but was:<13>"
                ),
                (
                    "shop.CartTest$Long#lines".to_owned(),
                    "java.lang.NullPointerException"
                ),
                ("shop.TableTest#discount".to_owned(), "one of many"),
                ("shop.CartTest#many".to_owned(), "named"),
                ("shop.CartTest".to_owned(), "nameless"),
            ]
        );
        assert_eq!(failed[1].file_name(), "shop.CartTest-Long.lines");
        let numbered: Vec<bool> = failed.iter().map(|test| test.is_numbered).collect();
        assert_eq!(numbered, [false, false, true, false, false]);
    }

    #[test]
    fn reports_of_builds_before_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("TEST-shop.CartTest.xml");
        fs::write(&report, REPORT).unwrap();
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        assert!(failed_tests(folder.path(), later).unwrap().is_empty());
    }
}
