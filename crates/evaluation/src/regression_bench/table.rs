//! The table of what was named.

use std::fmt::Write as _;
use std::time::Duration;

use super::{COMMAND, RegressionTrial, RegressionVerdict};
use crate::regressions::Release;

/// The table for `docs/regressions.md`.
pub fn to_markdown(trials: &[RegressionTrial]) -> String {
    let mut text = format!(
        "Made by `{COMMAND}`. An answer is right if a method, a declaration or a file that it\n\
         says to be to blame is to blame, and exact if it says so of nothing else. *New*: what is to blame is a\n\
         method that the reference does not have; the answer names the changed method that calls it, and it among the\n\
         new methods which run because of that. Seconds are those of the whole command: recording both versions,\n\
         comparing them, running hybrids; of CPU, and by the clock on a machine that may have had other things to\n\
         do.\n\n\
         | reference | regressions | right and verified | new and verified | exact | right, compared | suspects only \
         | wrong | failed | runs (median) | seconds of CPU (median) | by the clock |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for reference in [Release::Worked, Release::Mended] {
        let these: Vec<&RegressionTrial> = trials
            .iter()
            .filter(|trial| trial.reference == reference)
            .collect();
        if !these.is_empty() {
            text += &summary(reference, &these);
        }
    }
    text += "\n| regression | reference | verdict | to blame | new | changed together | runs | seconds of CPU | by the clock |\n\
             |---|---|---|---|--:|--:|--:|--:|--:|\n";
    for trial in trials {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {:.1} | {:.1} |",
            trial.id,
            name(trial.reference),
            said(&trial.verdict),
            named(&trial.named),
            trial.new_methods,
            trial.together,
            trial.runs,
            trial.cpu.as_secs_f64(),
            trial.spent.as_secs_f64()
        );
    }
    text
}

/// The first few of what is named.
fn named(all: &[String]) -> String {
    const MOST: usize = 3;
    let some = all.iter().take(MOST).map(|one| {
        let mut parts = one.rsplitn(3, '.');
        let method = parts.next().unwrap_or_default();
        match parts.next() {
            Some(class) if !one.contains('/') => format!("`{class}.{method}`"),
            _ => format!("`{one}`"),
        }
    });
    let mut text = some.collect::<Vec<String>>().join(", ");
    if all.len() > MOST {
        let _ = write!(text, " and {} more", all.len() - MOST);
    }
    text
}

fn summary(reference: Release, trials: &[&RegressionTrial]) -> String {
    let count =
        |is: fn(&RegressionVerdict) -> bool| trials.iter().filter(|one| is(&one.verdict)).count();
    let mut runs: Vec<usize> = trials.iter().map(|trial| trial.runs).collect();
    let mut cpu: Vec<Duration> = trials.iter().map(|trial| trial.cpu).collect();
    let mut times: Vec<Duration> = trials.iter().map(|trial| trial.spent).collect();
    runs.sort_unstable();
    cpu.sort_unstable();
    times.sort_unstable();
    let middle = trials.len() / 2;
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {:.1} |\n",
        name(reference),
        trials.len(),
        count(|one| *one == RegressionVerdict::RightVerified),
        count(|one| *one == RegressionVerdict::NewVerified),
        trials.iter().filter(|one| one.is_exact()).count(),
        count(|one| *one == RegressionVerdict::RightCompared),
        count(|one| matches!(one, RegressionVerdict::Suspects { .. })),
        count(|one| *one == RegressionVerdict::Wrong),
        count(|one| matches!(one, RegressionVerdict::Failed(_))),
        runs[middle],
        cpu[middle].as_secs_f64(),
        times[middle].as_secs_f64(),
    )
}

fn name(release: Release) -> &'static str {
    match release {
        Release::Worked => "the release before",
        Release::Broken => "itself",
        Release::Mended => "the release after",
    }
}

fn said(verdict: &RegressionVerdict) -> String {
    match verdict {
        RegressionVerdict::RightVerified => "right, verified".to_owned(),
        RegressionVerdict::NewVerified => "new, verified".to_owned(),
        RegressionVerdict::RightCompared => "right, compared".to_owned(),
        RegressionVerdict::Suspects {
            place: Some(place),
            of,
        } => format!("suspects, the culprit {place}. of {of}"),
        RegressionVerdict::Suspects { place: None, of } => {
            format!("{of} suspects without the culprit")
        }
        RegressionVerdict::Wrong => "**wrong**".to_owned(),
        RegressionVerdict::Failed(why) => {
            format!("failed: {}", why.lines().last().unwrap_or_default())
        }
    }
}
