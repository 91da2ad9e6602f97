//! Fuzz targets on a stable compiler. The driver is a program of its own, built with optimisation and with the
//! checks of a debug build.

use std::path::Path;

use anyhow::Result;
use test_support::{build_tool, cargo};

use crate::process::run as run_command;

pub(crate) fn run(runs: u64, target: Option<&str>, seed: u64, input: Option<&Path>) -> Result<()> {
    // Some inputs to begin with are recorded.
    build_tool()?;
    let mut command = cargo([
        "run",
        "--profile",
        "fuzz",
        "--package",
        "fuzzing",
        "--bin",
        "fuzz-driver",
        "--",
    ]);
    // Indexes that cannot be made beside a trace are looked for among the temporary files, of which there may be many.
    let temporary = tempfile::tempdir()?;
    command.env("TMPDIR", temporary.path());
    command.arg("--runs").arg(runs.to_string());
    command.arg("--seed").arg(seed.to_string());
    if let Some(target) = target {
        command.arg("--target").arg(target);
    }
    if let Some(input) = input {
        command.arg("--input").arg(input);
    }
    run_command(&mut command)
}
