//! Formatting, what ARCHITECTURE.md says, lints and tests.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use test_support::{cargo, command_line};

use crate::process::run;
use crate::{setup, tidy};

/// How many tests run at a time.
const TEST_THREADS: &str = "RUST_TEST_THREADS";

pub(crate) fn ci() -> Result<()> {
    run(&mut cargo(["fmt", "--all", "--check"]))?;
    tidy::run(None, false)?;
    run(&mut cargo([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))?;
    test(None)
}

/// An incomplete set-up is no reason to stop: the tests that need what is missing say so.
pub(crate) fn test(filter: Option<&str>) -> Result<()> {
    if let Err(error) = setup::run() {
        eprintln!("warning: {error:#}");
    }
    test_support::forget_skips();

    let mut command = cargo(["test", "--workspace", "--no-fail-fast"]);
    command.args(filter).stdout(Stdio::piped());
    if std::env::var_os(TEST_THREADS).is_none() {
        // Many tests wait for a JVM or a browser to start.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        command.env(TEST_THREADS, (cores + 1).to_string());
    }
    let text = command_line(&command);
    eprintln!("$ {text}");
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start `{text}`"))?;
    let output = child.stdout.take().context("cargo has no output")?;
    let mut summary = Summary::default();
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("cannot read what cargo prints")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        summary.add(&line);
    }
    let status = child.wait().context("cannot wait for cargo")?;
    println!("\n{summary}");
    let skipped = test_support::skipped();
    for test in &skipped {
        println!("skipped: {test}");
    }
    if !skipped.is_empty() {
        println!("{} skips; with CI=true they are failures", skipped.len());
    }
    if !status.success() {
        bail!("`{text}` failed ({status})");
    }
    Ok(())
}

/// The sums over cargo's summary lines, one of which ends the output of each test binary.
#[derive(Debug, Default, PartialEq, Eq)]
struct Summary {
    passed: u64,
    failed: u64,
    ignored: u64,
    failures: Vec<String>,
}

impl Summary {
    fn add(&mut self, line: &str) {
        if let Some(test) = line
            .strip_prefix("test ")
            .and_then(|rest| rest.strip_suffix(" ... FAILED"))
        {
            self.failures.push(test.to_owned());
        }
        let Some(result) = line.strip_prefix("test result: ") else {
            return;
        };
        let counts = result.split_once(". ").map_or("", |(_, counts)| counts);
        for part in counts.split("; ") {
            let (count, what) = part.split_once(' ').unwrap_or((part, ""));
            let Ok(count) = count.parse::<u64>() else {
                continue;
            };
            match what {
                "passed" => self.passed += count,
                "failed" => self.failed += count,
                "ignored" => self.ignored += count,
                _ => {}
            }
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for failure in &self.failures {
            writeln!(formatter, "failed: {failure}")?;
        }
        let Summary {
            passed,
            failed,
            ignored,
            ..
        } = self;
        write!(
            formatter,
            "all tests: {passed} passed; {failed} failed; {ignored} ignored"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_over_test_binaries() {
        let mut summary = Summary::default();
        for line in [
            "running 3 tests",
            "test a::b ... ok",
            "test a::c ... FAILED",
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.43s",
            "test result: ok. 5 passed; 0 failed; 2 ignored; 0 measured; 1 filtered out; finished in 1.00s",
        ] {
            summary.add(line);
        }
        assert_eq!(
            summary.to_string(),
            "failed: a::c\nall tests: 7 passed; 1 failed; 2 ignored"
        );
    }
}
