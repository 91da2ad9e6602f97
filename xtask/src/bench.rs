//! Benchmarks are a program of the crate that measures: chores that measure nothing do not wait for it to be built.

use std::ffi::OsString;

use anyhow::Result;
use test_support::cargo;

use crate::process::run as run_command;

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let mut command = cargo([
        "run",
        "--quiet",
        "--package",
        "evaluation",
        "--bin",
        "bench",
        "--",
    ]);
    run_command(command.args(arguments))
}
