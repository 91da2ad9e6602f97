//! `--experiments`: whether the program may be run again, and doing so.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use super::ask_options::{AskArguments, Permission};
use super::failure::Failure;
use super::output::{Talk, say};
use super::reference::{self, CheckedOut};
use super::who::Who;
use crate::dialogue::Person as _;
use crate::dialogue::terminal::Terminal;
use askance_api::experiment::ExperimentRequest;
use experiments::{BothPrograms, ExperimentObserver};
use inquiry::experimented::{
    ExperimentalOutcome, Experimented, MAY_IT_RUN_AGAIN, NOT_RUN_UNASKED, progress,
};
use java_model::run::JavaRun;
use launch::interrupt;
use trace_format::RunFile;

/// Runs the program again and again to find out which change is to blame, if that is allowed; `None` if not.
pub(crate) fn conduct(
    run: &JavaRun,
    options: &AskArguments,
    who: &Who,
    worktree: Option<CheckedOut>,
    experiment: impl FnOnce(&ExperimentRequest<'_>, &mut dyn ExperimentObserver) -> Experimented,
) -> Result<Option<Experimented>, Failure> {
    let (Some(path), Some(run_file)) = (&options.reference, run.run_file()) else {
        return Ok(None);
    };
    if !is_allowed(run_file, options, who)? {
        return Ok(None);
    }
    let _nothing_is_left_behind = interrupt::note_only();
    // Ctrl-C may have ended the program that was recorded.
    let before = interrupt::times();
    let interrupted = || interrupt::times() > before;
    let programs =
        match reference::both_programs(run_file, path, options.build.as_deref(), worktree) {
            Ok(programs) => programs,
            Err(failure) => {
                say(&format!(
                    "the program cannot be run again: {}",
                    failure.sentence
                ));
                return Ok(None);
            }
        };
    let both = BothPrograms {
        ours: programs.ours,
        theirs: programs.theirs,
    };
    let request = ExperimentRequest {
        programs: &both,
        time: Duration::from_secs_f64(options.experiment_time),
        run_limit: run_file.options.time_limit.map(Duration::from_secs_f64),
        is_endless: run_file.timed_out,
        interrupted: &interrupted,
    };
    let mut told = ExperimentProgress::default();
    let experimented = experiment(&request, &mut told);
    told.end();
    if interrupted() {
        return Err(Failure {
            exit: super::failure::Exit::Interrupted,
            sentence: "the experiments were interrupted".to_owned(),
            hint: None,
        });
    }
    if let ExperimentalOutcome::Undecided(why) = &experimented.outcome {
        say(&format!("experiments did not decide: {why}"));
    }
    Ok(Some(experimented))
}

/// Tests and source files are made to be run again; what else a command does nobody knows.
fn is_allowed(run_file: &RunFile, options: &AskArguments, who: &Who) -> Result<bool, Failure> {
    let permission = options.experiments.unwrap_or_else(|| {
        // A script stands for a whole dialogue.
        if matches!(who, Who::Script(_)) {
            Permission::Off
        } else if run_file.java_file.is_some() || reference::runs_tests(run_file) {
            Permission::On
        } else {
            Permission::Ask
        }
    });
    match permission {
        Permission::On => Ok(true),
        Permission::Off => Ok(false),
        Permission::Ask if who.sees_questions() => {
            let answer = Terminal.line(MAY_IT_RUN_AGAIN)?;
            let answer = answer.unwrap_or_default().to_lowercase();
            Ok(matches!(answer.trim(), "y" | "yes"))
        }
        Permission::Ask => {
            say(&format!("{NOT_RUN_UNASKED}; --experiments on allows it"));
            Ok(false)
        }
    }
}

/// Says how far the experiments are: in one line of a terminal, in many elsewhere.
#[derive(Default)]
struct ExperimentProgress {
    last: Option<String>,
}

impl ExperimentProgress {
    fn end(&self) {
        if self.last.is_some() && io::stderr().is_terminal() {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}

impl ExperimentObserver for ExperimentProgress {
    fn progress(&mut self, runs: usize, left: usize) {
        let line = progress(runs, left);
        if self.last.as_ref() == Some(&line) {
            return;
        }
        if io::stderr().is_terminal() {
            let mut talk = io::stderr().lock();
            let _ = write!(talk, "\r\x1b[Kaskance: {line}").and_then(|()| talk.flush());
        } else {
            launch::Listener::say(&mut Talk, &line);
        }
        self.last = Some(line);
    }
}
