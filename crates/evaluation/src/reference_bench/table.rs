//! The table of what was found, and what was missed.

use std::fmt::Write as _;

use super::{COMMAND, Mistake, Trial};

/// The table for `docs/benchmarks.md`.
pub fn to_markdown(trials: &[Trial]) -> String {
    let all: Vec<&Mistake> = trials.iter().flat_map(|trial| &trial.mistakes).collect();
    let mut text = format!(
        "Made by `{COMMAND}`: {} mistakes, debugged with `--reference` and nobody to ask. Those of the examples \
         were written by hand; the others are one instruction replaced in code of a library that its workload runs, \
         chosen by chance from a fixed seed. Of the mutants that were tried, {} were left out because the workload \
         printed the same (so no call of it is known to be wrong) and {} because it did not end.\n\n\
         | program | mistakes | found | verified | the wrong method | the wrong line in `lines` | `lines` (median) | runs \
         (median) | questions to a person |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        all.len(),
        trials.iter().map(|trial| trial.tried.same).sum::<usize>(),
        trials
            .iter()
            .map(|trial| trial.tried.endless)
            .sum::<usize>(),
    );
    for trial in trials {
        text += &line(trial.program, &trial.mistakes.iter().collect::<Vec<_>>());
    }
    text += &line("**all**", &all);
    let missed: Vec<&&Mistake> = all.iter().filter(|one| !one.names_line()).collect();
    if !missed.is_empty() {
        text += "\nMissed:\n\n";
    }
    for mistake in missed {
        let named = if mistake.is_found() {
            format!(", `{}` lines {:?}", mistake.named, mistake.named_lines)
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "- `{}` line {:?} ({}): {}{named}",
            mistake.method, mistake.lines, mistake.what, mistake.outcome,
        );
    }
    text
}

fn line(name: &str, mistakes: &[&Mistake]) -> String {
    let count = |is: &dyn Fn(&Mistake) -> bool| mistakes.iter().filter(|one| is(one)).count();
    let mut lengths: Vec<usize> = mistakes
        .iter()
        .filter(|one| one.is_found())
        .map(|one| one.named_lines.len())
        .collect();
    lengths.sort_unstable();
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    let mut runs: Vec<usize> = mistakes.iter().map(|one| one.experiments).collect();
    runs.sort_unstable();
    let runs = runs.get(runs.len() / 2).copied().unwrap_or(0);
    let person: u64 = mistakes.iter().map(|one| one.person).sum();
    format!(
        "| {name} | {} | {} | {} | {} | {} | {median} | {runs} | {person} |\n",
        mistakes.len(),
        count(&Mistake::is_found),
        count(&|one| one.verified),
        count(&Mistake::names_method),
        count(&Mistake::names_line),
    )
}
