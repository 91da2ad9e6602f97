//! Tests that cannot be run here: counted and told, and failures where everything has to be there.
//!
//! A test that needs a browser, a terminal, Maven or another JDK passes where there is none, since whoever works on
//! something else should not have to install it. Nobody would notice if that happened everywhere: so each says it
//! through [`skip`], and where the environment says `CI=true` it fails.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::panic::Location;
use std::path::PathBuf;
use std::thread;

use crate::target_dir;

/// Says that the test which runs now, or a part of it, is skipped, and why.
///
/// # Panics
/// Where `CI=true` is in the environment.
#[track_caller]
pub fn skip(reason: impl AsRef<str>) {
    let line = line(
        Location::caller(),
        thread::current().name(),
        reason.as_ref(),
    );
    assert!(
        !must_run(std::env::var("CI").ok().as_deref()),
        "with CI=true no test is skipped: {line}"
    );
    note(&line);
}

#[expect(clippy::print_stderr, reason = "a test says why it does nothing")]
fn note(line: &str) {
    eprintln!("skipped: {line}");
    // The list is for a summary: a test does not fail because it cannot be written.
    let file = OpenOptions::new().create(true).append(true).open(list());
    let _ = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
}

/// What is there, or a [`skip`] for this reason.
///
/// # Panics
/// If it is not there, where `CI=true` is in the environment.
#[track_caller]
pub fn require<T>(found: Option<T>, reason: impl AsRef<str>) -> Option<T> {
    if found.is_none() {
        skip(reason);
    }
    found
}

/// The same for what no machine can be sure to get: it is told, and is no failure anywhere.
#[track_caller]
pub fn if_there<T>(found: Option<T>, reason: impl AsRef<str>) -> Option<T> {
    if found.is_none() {
        note(&line(
            Location::caller(),
            thread::current().name(),
            reason.as_ref(),
        ));
    }
    found
}

/// What was skipped since [`forget_skips`], each once.
pub fn skipped() -> Vec<String> {
    let text = fs::read_to_string(list()).unwrap_or_default();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines.dedup();
    lines
}

pub fn forget_skips() {
    let _ = fs::remove_file(list());
}

fn list() -> PathBuf {
    target_dir().join("skipped-tests")
}

fn must_run(ci: Option<&str>) -> bool {
    ci == Some("true")
}

fn line(place: &Location<'_>, test: Option<&str>, reason: &str) -> String {
    let test = test.map_or_else(String::new, |test| format!("{test}: "));
    format!("{}:{}: {test}{reason}", place.file(), place.line())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_word_true_makes_a_skip_a_failure() {
        assert!(must_run(Some("true")));
        for harmless in [None, Some(""), Some("false"), Some("1")] {
            assert!(!must_run(harmless), "{harmless:?}");
        }
    }

    #[test]
    fn a_line_has_the_place_the_test_and_the_reason() {
        let place = Location::caller();
        let line = line(place, Some("tests::draws"), "there is no tmux");
        assert!(line.ends_with("tests::draws: there is no tmux"), "{line}");
        assert!(line.contains("skips.rs:"), "{line}");
    }

    #[test]
    fn what_is_there_is_no_skip() {
        assert_eq!(require(Some(7), "it is there"), Some(7));
        assert_eq!(if_there(Some(7), "it is there"), Some(7));
    }
}
