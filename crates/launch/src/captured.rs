//! Running a command that nobody talks to, and hearing what it says. It ends at the latest when we do, whatever it is
//! that ends us.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use crate::lifeline::Lifeline;
use crate::process::{self, ProgramEnd, ShouldStop};

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    pub end: ProgramEnd,
    pub output: String,
    pub errors: String,
}

/// Runs a command to its end, or until it should stop.
///
/// # Errors
/// If it cannot be started, or there is no place for what it prints.
pub fn captured(command: &mut Command, should_stop: ShouldStop<'_>) -> io::Result<Captured> {
    // What it leaves running may keep a pipe open for ever, but not a file from being read.
    let (output, errors) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(errors.try_clone()?);
    let mut child = command.spawn()?;
    let _lifeline = Lifeline::of_group(&child);
    let end = process::finish(&mut child, None, Some(should_stop))?;
    Ok(Captured {
        end,
        output: text(output)?,
        errors: text(errors)?,
    })
}

fn text(mut file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
