//! The table of what was named.

use std::fmt::Write as _;
use std::time::Duration;

use super::{COMMAND, RegressionTrial, RegressionVerdict};
use crate::regressions::Release;

/// The table for `docs/regressions.md`.
pub fn to_markdown(trials: &[RegressionTrial]) -> String {
    let mut text = format!(
        "Made by `{COMMAND}`. An answer is right if a method, a declaration or a file that it names is to blame. \
         Seconds are those of the whole command: recording both versions, comparing them, running hybrids.\n\n\
         | reference | regressions | right and verified | right, compared | suspects only | wrong | failed | runs (median) | seconds (median) |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
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
    text += "\n| regression | reference | verdict | named | runs | seconds |\n|---|---|---|---|--:|--:|\n";
    for trial in trials {
        let named: Vec<String> = trial.named.iter().map(|one| format!("`{one}`")).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.1} |",
            trial.id,
            name(trial.reference),
            said(&trial.verdict),
            named.join(", "),
            trial.runs,
            trial.spent.as_secs_f64()
        );
    }
    text
}

fn summary(reference: Release, trials: &[&RegressionTrial]) -> String {
    let count =
        |is: fn(&RegressionVerdict) -> bool| trials.iter().filter(|one| is(&one.verdict)).count();
    let mut runs: Vec<usize> = trials.iter().map(|trial| trial.runs).collect();
    let mut times: Vec<Duration> = trials.iter().map(|trial| trial.spent).collect();
    runs.sort_unstable();
    times.sort_unstable();
    let middle = trials.len() / 2;
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1} |\n",
        name(reference),
        trials.len(),
        count(|one| *one == RegressionVerdict::RightVerified),
        count(|one| *one == RegressionVerdict::RightCompared),
        count(|one| matches!(one, RegressionVerdict::Suspects { .. })),
        count(|one| *one == RegressionVerdict::Wrong),
        count(|one| matches!(one, RegressionVerdict::Failed(_))),
        runs[middle],
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
