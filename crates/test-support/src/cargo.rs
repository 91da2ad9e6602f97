//! Starting cargo and other programs whose output is for the person who waits for them.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::workspace_root;

/// A command that a person waited for in vain.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    #[error("cannot start `{command}`")]
    Start { command: String, source: io::Error },
    #[error("`{command}` failed ({status})")]
    Failed { command: String, status: ExitStatus },
}

/// A cargo command at the repository's root.
pub fn cargo<const N: usize>(arguments: [&str; N]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(workspace_root());
    command
}

/// Runs a command, its output shown, and fails if it does.
#[expect(
    clippy::print_stderr,
    reason = "a person sees what the output below belongs to"
)]
pub fn run_shown(command: &mut Command) -> Result<(), CommandError> {
    let text = command_line(command);
    eprintln!("$ {text}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(CommandError::Failed {
            command: text,
            status,
        }),
        Err(source) => Err(CommandError::Start {
            command: text,
            source,
        }),
    }
}

/// Builds the tool with the recorder's library beside it, as tests want it.
pub fn build_tool() -> Result<(), CommandError> {
    run_shown(&mut cargo([
        "build",
        "--package",
        "jvm-agent",
        "--package",
        "askance",
    ]))
}

/// The command line as one would type it.
pub fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    words.join(" ")
}

/// The recorder's library, which cargo has built beside the test that asks; its crate must depend on the recorder's.
#[must_use]
pub fn recorder_library() -> PathBuf {
    let beside = std::env::current_exe().unwrap_or_default();
    let deps = beside.parent().unwrap_or(Path::new("."));
    let places = ["libjvm_agent.so", "../libjvm_agent.so"].map(|place| deps.join(place));
    let age = |place: &PathBuf| place.metadata().and_then(|file| file.modified()).ok();
    let newest = places
        .into_iter()
        .filter(|place| place.is_file())
        .max_by_key(age);
    newest
        .and_then(|place| place.canonicalize().ok())
        .unwrap_or_else(|| panic!("the recorder's library is not beside {}", beside.display()))
}
