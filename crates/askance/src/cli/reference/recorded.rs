//! A reference that was recorded already: the same program as it ran another time, on another machine, with other
//! properties or arguments.

use std::path::{Path, PathBuf};

use launch::command::ProgramToRecord;
use trace_format::{RunFile, files};

use super::{ReferenceRun, check_beginning, complete_words};
use crate::cli::failure::Failure;
use crate::cli::inspect;

/// Whether a path is that of a trace.
pub(super) fn is_trace(path: &Path) -> bool {
    path.join(files::RUN).is_file()
}

/// What a trace tells about its command.
pub(super) fn run_file(trace: &Path) -> Option<RunFile> {
    RunFile::parse(&std::fs::read(trace.join(files::RUN)).ok()?)
}

pub(super) fn open(trace: &Path) -> Result<ReferenceRun, Failure> {
    let run = inspect::open(trace, None)?;
    check_beginning(&run)?;
    Ok(ReferenceRun {
        run,
        folder: None,
        checked_out: None,
    })
}

/// The command of a recorded run, as it was.
pub(super) fn program(run_file: &RunFile) -> Result<ProgramToRecord, Failure> {
    let words = complete_words(run_file)?;
    let (first, rest) = words
        .split_first()
        .ok_or_else(|| Failure::mistake("the trace names no command"))?;
    Ok(match run_file.java_file {
        Some(_) => ProgramToRecord::JavaFile {
            file: PathBuf::from(first),
            arguments: rest.to_vec(),
        },
        None => ProgramToRecord::Command(words),
    })
}
