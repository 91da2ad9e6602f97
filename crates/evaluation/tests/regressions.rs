//! The form of what is kept of each regression. Whether it is true is told by `cargo xtask bench check-regressions`,
//! which needs the jars.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::fs;

use evaluation::regressions::{Regression, RegressionError, Release};

/// So many are promised, of so many libraries.
const REGRESSIONS: usize = 18;
const LIBRARIES: usize = 13;

fn check(what: &str, is_right: impl Fn(&Regression) -> bool) {
    let all = Regression::all().unwrap();
    let wrong: Vec<&str> = all
        .iter()
        .filter(|regression| !is_right(regression))
        .map(|regression| regression.id.as_str())
        .collect();
    assert!(wrong.is_empty(), "{what}: {}", wrong.join(", "));
}

#[test]
fn there_are_enough_of_enough_libraries() {
    let all = Regression::all().unwrap();
    let libraries: BTreeSet<&str> = all.iter().map(|one| one.library.as_str()).collect();
    assert!(all.len() >= REGRESSIONS, "{}", all.len());
    assert!(libraries.len() >= LIBRARIES, "{libraries:?}");
}

#[test]
fn each_has_a_program_and_no_program_is_left_over() {
    check("no Main.java", |one| {
        one.source_dir().join("Main.java").is_file()
    });
    let all = Regression::all().unwrap();
    let root = all[0].source_dir().parent().unwrap().to_path_buf();
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap());
    let folders = folders.filter(|entry| entry.path().is_dir()).count();
    assert_eq!(folders, all.len());
}

#[test]
fn each_can_be_told_from_the_broken_release() {
    check("nothing to see", |one| {
        one.good_output != one.bad_output || one.bad_error.is_some() || one.time_limit().is_some()
    });
    check("no line end", |one| one.good_output.ends_with('\n'));
}

#[test]
fn each_has_three_releases() {
    check("two releases are one", |one| {
        let broken = one.artifacts(Release::Broken);
        !broken.is_empty()
            && broken != one.artifacts(Release::Worked)
            && broken != one.artifacts(Release::Mended)
    });
}

#[test]
fn each_has_something_to_blame_and_lines_of_nothing_else() {
    check("nothing to blame", |one| {
        !(one.introduced_by.is_empty() && one.declarations.is_empty() && one.resources.is_empty())
    });
    check("lines of something else", |one| {
        let mut lines = one.culprit_lines.iter();
        lines.all(|(method, lines)| one.is_to_blame(method) && !lines.is_empty())
    });
    check("no name of a method", |one| {
        let mut methods = one.introduced_by.iter().chain(&one.fixed_in);
        methods.all(|method| method.contains('.') && !method.contains(['(', ' ', '/', '#']))
    });
    check("nothing is said of it", |one| {
        !(one.kind.is_empty() || one.what.is_empty() || one.issue.is_empty())
    });
}

#[test]
fn one_that_is_not_there_is_named() {
    let error = Regression::named("no-such").unwrap_err();
    assert!(matches!(&error, RegressionError::Unknown(id) if id == "no-such"));
}
