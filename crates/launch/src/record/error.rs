//! Why a program was not recorded.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use trace_store::StoreError;

use super::super::agent;
use super::super::compile::CompileError;
use super::super::folder::FolderError;
use super::super::process::ProgramEnd;

/// Why nothing was recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Agent(#[from] agent::AgentError),
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("there is no JDK to compile {} with", .0.display())]
    NoJdk(PathBuf),
    #[error("{} could not be started: {source}", .program.to_string_lossy())]
    NotStarted {
        program: OsString,
        source: io::Error,
    },
    #[error("the trace in {} could not be finished: {source}", .path.display())]
    Unfinished { path: PathBuf, source: io::Error },
    #[error("the secrets in the trace could not be overwritten: {0}")]
    Secrets(#[from] StoreError),
    #[error("{0}")]
    NothingRecorded(String, ProgramEnd),
    #[error("interrupted")]
    Interrupted,
}

impl RecordError {
    /// Whether the program could not even be started, as opposed to a mistake in the call.
    #[must_use]
    pub fn not_started(&self) -> bool {
        match self {
            RecordError::NoJdk(_) | RecordError::NotStarted { .. } | RecordError::Agent(_) => true,
            RecordError::Compile(CompileError::Javac { .. }) => true,
            RecordError::NothingRecorded(_, end) => !end.success(),
            _ => false,
        }
    }
}
