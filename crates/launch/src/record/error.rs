//! Why a program was not recorded, and what to do about it.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use trace_store::StoreError;

use super::super::agent;
use super::super::compile::CompileError;
use super::super::folder::FolderError;
use super::super::jdk::HOW_TO_GET_ONE;
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
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            RecordError::Agent(_) => {
                format!(
                    "build it with `cargo build -p jvm-agent`, or set {} to its path",
                    agent::VARIABLE
                )
            }
            RecordError::Compile(CompileError::Missing(_)) => {
                "name a .java file, or put a command behind `--`".to_owned()
            }
            RecordError::Compile(CompileError::NoMain(_)) => {
                "name the file whose class has `public static void main(String[] args)`".to_owned()
            }
            RecordError::Compile(CompileError::Rejected { .. }) => {
                "fix what javac says, or compile it yourself and record `-- java -cp CLASSES Main`"
                    .to_owned()
            }
            RecordError::Folder(_) => "name another folder with -o".to_owned(),
            RecordError::NoJdk(_) => format!("get one: {HOW_TO_GET_ONE}"),
            RecordError::NotStarted { .. } => "check the command behind `--`".to_owned(),
            RecordError::NothingRecorded(_, end) if end.success() => {
                "record other classes with --include GLOB".to_owned()
            }
            RecordError::NothingRecorded(..) => "try the command without askance first".to_owned(),
            RecordError::Secrets(_) => "remove the trace".to_owned(),
            RecordError::Compile(_) | RecordError::Unfinished { .. } | RecordError::Interrupted => {
                return None;
            }
        })
    }

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
