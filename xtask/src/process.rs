//! Running other programs and saying what went wrong.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use test_support::workspace_root;

/// A cargo command at the repository's root.
pub(crate) fn cargo<const N: usize>(arguments: [&str; N]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(workspace_root());
    command
}

/// Runs a command, its output shown, and fails if it does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let text = describe(command);
    eprintln!("$ {text}");
    let status = command
        .status()
        .with_context(|| format!("cannot start `{text}`"))?;
    if !status.success() {
        bail!("`{text}` failed ({status})");
    }
    Ok(())
}

/// Builds the tool with the recorder's library beside it, as tests want it.
pub(crate) fn build_tool() -> Result<()> {
    run(&mut cargo([
        "build",
        "--package",
        "jvm-agent",
        "--package",
        "askance",
    ]))
}

/// Whether a command can be run and succeeds; its output is not shown.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The command line as one would type it.
pub(crate) fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    words.join(" ")
}
