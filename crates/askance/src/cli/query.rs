//! `askance query`, `askance export`: started as an executable of its own, which is many times as large as this one.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use clap::Args;

use super::failure::{Exit, Failure};
use super::output::Talk;
use launch::companion::{self, CompanionError};

/// Ask recorded runs by SQL: which calls, which values, how often
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct QueryArguments {
    /// Traces and a query; `askance query --help` has the rest
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Write a recorded run for other tools: Parquet, SQLite, a timeline, a flame graph
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct ExportArguments {
    /// A trace and a form; `askance export --help` has the rest
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

pub(crate) fn export(arguments: &ExportArguments) -> Result<Exit, Failure> {
    start("export", &arguments.words)
}

pub(crate) fn run(arguments: &QueryArguments) -> Result<Exit, Failure> {
    start("query", &arguments.words)
}

/// Becomes the other executable, so that signals and exit codes are its own.
fn start(command: &str, words: &[OsString]) -> Result<Exit, Failure> {
    let executable = companion::find(&mut Talk)?;
    let error = Command::new(&executable).arg(command).args(words).exec();
    let there = executable.display();
    Err(Failure::mistake(format!(
        "{there} cannot be started: {error}"
    )))
}

impl From<CompanionError> for Failure {
    fn from(error: CompanionError) -> Failure {
        Failure::mistake(error.to_string()).hint(error.hint())
    }
}
