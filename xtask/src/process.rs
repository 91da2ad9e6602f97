//! Running other programs and saying what went wrong.

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use test_support::workspace_root;

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

/// What a command prints, without the last line's end.
pub(crate) fn said(command: &mut Command) -> Result<String> {
    let output = command
        .current_dir(workspace_root())
        .output()
        .with_context(|| format!("{command:?} cannot be started"))?;
    ensure!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}
