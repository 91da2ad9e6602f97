//! Running other programs and saying what went wrong.

use std::process::{Command, Stdio};

use anyhow::Result;

/// Runs a command, its output shown, and fails if it does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    Ok(test_support::run_shown(command)?)
}

/// Whether a command can be run and succeeds; its output is not shown.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
