//! The table of what was named.

use std::fmt::Write as _;
use std::time::Duration;

use super::{COMMAND, Trial, Verdict};
use crate::regressions::Release;

/// The table for `docs/regressions.md`.
pub fn to_markdown(trials: &[Trial]) -> String {
    let mut text = format!(
        "Made by `{COMMAND}`. An answer is right if a method, a declaration or a file that it names is to blame. \
         Seconds are those of the whole command: recording both versions, comparing them, running hybrids.\n\n\
         | reference | regressions | right and verified | right, compared | suspects only | wrong | failed | runs (median) | seconds (median) |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for reference in [Release::Worked, Release::Mended] {
        let these: Vec<&Trial> = trials
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

fn summary(reference: Release, trials: &[&Trial]) -> String {
    let count = |is: fn(&Verdict) -> bool| trials.iter().filter(|one| is(&one.verdict)).count();
    let mut runs: Vec<usize> = trials.iter().map(|trial| trial.runs).collect();
    let mut times: Vec<Duration> = trials.iter().map(|trial| trial.spent).collect();
    runs.sort_unstable();
    times.sort_unstable();
    let middle = trials.len() / 2;
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1} |\n",
        name(reference),
        trials.len(),
        count(|one| *one == Verdict::RightVerified),
        count(|one| *one == Verdict::RightCompared),
        count(|one| matches!(one, Verdict::Suspects { .. })),
        count(|one| *one == Verdict::Wrong),
        count(|one| matches!(one, Verdict::Failed(_))),
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

fn said(verdict: &Verdict) -> String {
    match verdict {
        Verdict::RightVerified => "right, verified".to_owned(),
        Verdict::RightCompared => "right, compared".to_owned(),
        Verdict::Suspects {
            place: Some(place),
            of,
        } => format!("suspects, the culprit {place}. of {of}"),
        Verdict::Suspects { place: None, of } => format!("{of} suspects without the culprit"),
        Verdict::Wrong => "**wrong**".to_owned(),
        Verdict::Failed(why) => format!("failed: {}", why.lines().last().unwrap_or_default()),
    }
}
