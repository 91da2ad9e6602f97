//! Where to look first: what `--spectrum` and `--changed-since` make of a run.

use std::path::Path;

use debug_engine::RoutineId;
use trace_format::MethodId;

use super::ask_options::SearchArguments;
use super::failure::Failure;
use super::output::say;
use java_model::run::{JavaRun, routine};
use java_names::names;
use launch::changes::ChangedLines;

/// How suspicious the methods of a run are, from 0 to 1; empty if nothing is wanted, or nothing known.
pub(crate) fn scores(
    run: &JavaRun,
    options: &SearchArguments,
) -> Result<Vec<(RoutineId, f64)>, Failure> {
    if !options.spectrum && options.changed_since.is_none() {
        return Ok(Vec::new());
    }
    if options.spectrum && run.failed_tests(None).next().is_none() {
        say("no test failed, so no method is more suspicious than another");
    }
    let changes = match &options.changed_since {
        Some(revision) => {
            let folder = run
                .run_file()
                .map(|file| Path::new(&file.working_directory.0));
            ChangedLines::since(revision, folder.unwrap_or_else(|| run.folder()))?
        }
        None => ChangedLines::default(),
    };
    let mut changed = 0u64;
    let scored = run.methods().filter_map(|method| {
        let is_changed = has_changed(run, method, &changes);
        changed += u64::from(is_changed);
        let by_tests = match options.spectrum {
            true => run
                .spectrum()
                .suspicion(method)
                .map_or(0.0, |found| found.score),
            false => 0.0,
        };
        // What has changed comes first, and among that what tests speak against.
        let score = f64::midpoint(by_tests, f64::from(u8::from(is_changed)));
        (score > 0.0).then(|| (routine(method), score))
    });
    let scored = scored.collect();
    if let Some(revision) = options.changed_since.as_ref().filter(|_| changed == 0) {
        say(&format!("no recorded method has changed since {revision}"));
    }
    Ok(scored)
}

/// Whether a line between a method's first and its last has changed.
fn has_changed(run: &JavaRun, method: MethodId, changes: &ChangedLines) -> bool {
    if changes.is_empty() {
        return false;
    }
    let class = run.method_names(method).class;
    let Some(file) = run
        .classes()
        .get(class)
        .and_then(|class| class.source_file.clone())
    else {
        return false;
    };
    let path = match names::package(class) {
        "" => file,
        package => format!("{}/{file}", package.replace('.', "/")),
    };
    let code = run.code(method);
    match (code.lines.iter().min(), code.lines.iter().max()) {
        (Some(&first), Some(&last)) => changes.touch(&path, first..=last),
        _ => false,
    }
}
