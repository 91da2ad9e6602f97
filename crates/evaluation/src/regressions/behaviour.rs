//! Whether the programs do with each release what is said of them.
//!
//! Everything that is measured on regressions rests on this: a program that prints the same with the broken release
//! would make every answer wrong, one that fails with the mended release too would make none right.

use std::fmt;

use test_support::{Finished, Jdk};

use super::{Regression, RegressionError, Release, fetch};

/// A run that was not as it is said to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surprise {
    pub id: String,
    pub release: Release,
    pub what: String,
}

impl fmt::Display for Surprise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let release = match self.release {
            Release::Worked => "A",
            Release::Broken => "B",
            Release::Mended => "C",
        };
        write!(f, "{} with {release}: {}", self.id, self.what)
    }
}

/// Runs each program with its three releases; `progress` is told of each, a line at a time.
pub fn check(
    regressions: &[Regression],
    jdk: &Jdk,
    mut progress: impl FnMut(&str),
) -> Result<Vec<Surprise>, RegressionError> {
    fetch(regressions)?;
    let mut surprises = Vec::new();
    for regression in regressions {
        let found = surprises_of(regression, jdk)?;
        let verdict = if found.is_empty() {
            "as it should be"
        } else {
            "NOT as it should be"
        };
        progress(&format!("{}: {verdict}", regression.id));
        surprises.extend(found);
    }
    Ok(surprises)
}

fn surprises_of(regression: &Regression, jdk: &Jdk) -> Result<Vec<Surprise>, RegressionError> {
    let mut surprises = Vec::new();
    for release in Release::ALL {
        let run = regression.run(jdk, release)?;
        let finished = run.run().map_err(|source| RegressionError::Java {
            id: regression.id.clone(),
            source,
        })?;
        let outcome = match release {
            Release::Worked | Release::Mended => good(regression, &finished),
            Release::Broken => bad(regression, &finished),
        };
        surprises.extend(outcome.err().map(|what| Surprise {
            id: regression.id.clone(),
            release,
            what,
        }));
    }
    Ok(surprises)
}

fn good(regression: &Regression, finished: &Finished) -> Result<(), String> {
    ends(finished)?;
    prints(&regression.good_output, finished)?;
    match finished.exit_code() {
        Some(0) => Ok(()),
        _ => Err(format!("it ends with {}", finished.status)),
    }
}

fn bad(regression: &Regression, finished: &Finished) -> Result<(), String> {
    match (regression.time_limit(), finished.timed_out) {
        (Some(_), false) => return Err("it ends".to_owned()),
        (Some(_), true) => {}
        (None, _) => ends(finished)?,
    }
    prints(&regression.bad_output, finished)?;
    let errors = finished.stderr_text();
    match &regression.bad_error {
        Some(error) if !errors.contains(error) => {
            Err(format!("it does not say `{error}`, but: {errors}"))
        }
        _ => Ok(()),
    }
}

fn ends(finished: &Finished) -> Result<(), String> {
    match finished.timed_out {
        true => Err("it does not end".to_owned()),
        false => Ok(()),
    }
}

fn prints(expected: &str, finished: &Finished) -> Result<(), String> {
    let printed = finished.stdout_text();
    if printed == expected {
        return Ok(());
    }
    let errors = finished.stderr_text();
    let first_error = errors.lines().next().unwrap_or_default();
    Err(format!(
        "it prints {printed:?} instead of {expected:?} {first_error}"
    ))
}
