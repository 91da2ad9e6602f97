//! How a command ends.

use std::process::ExitCode;

use crate::config::ConfigError;
use launch::agent::{self, AgentError};
use launch::compile::CompileError;
use launch::interrupt;
use launch::jdk::HOW_TO_GET_ONE;
use launch::record::RecordError;

/// The exit codes that scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Done,
    /// No bug found, or nothing to ask.
    Nothing,
    /// A mistake in the call or its input.
    Mistake,
    /// The recorded program could not be started.
    NotStarted,
    Interrupted,
    /// What was recorded has ended, with this code.
    Program(u8),
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Nothing => 1,
            Exit::Mistake => 2,
            Exit::NotStarted => 3,
            Exit::Interrupted => 130,
            Exit::Program(code) => code,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Why a command could not do its work: one sentence, and a hint where there is one.
#[derive(Debug, thiserror::Error)]
#[error("{sentence}")]
pub struct Failure {
    pub exit: Exit,
    pub sentence: String,
    pub hint: Option<String>,
}

impl Failure {
    /// A mistake in the call or its input.
    pub fn mistake(sentence: impl Into<String>) -> Failure {
        Failure {
            exit: Exit::Mistake,
            sentence: sentence.into(),
            hint: None,
        }
    }

    /// The same with something to do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Failure {
        Failure {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// The sentence with its hint, for programs that show one line.
    pub(crate) fn in_one_sentence(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.sentence),
            None => self.sentence.clone(),
        }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        let exit = if interrupt::happened() || matches!(error, RecordError::Interrupted) {
            Exit::Interrupted
        } else if error.not_started() {
            Exit::NotStarted
        } else {
            Exit::Mistake
        };
        Failure {
            exit,
            hint: hint_on(&error),
            sentence: error.to_string(),
        }
    }
}

/// What to do about it.
fn hint_on(error: &RecordError) -> Option<String> {
    Some(match error {
        RecordError::Agent(AgentError::Unwritable { .. }) => {
            "set XDG_CACHE_HOME or TMPDIR to a folder that you can write to".to_owned()
        }
        RecordError::Agent(_) => {
            format!("set {} to the path of another one", agent::VARIABLE)
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

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::mistake(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    /// Only writing our own output ends here: everything else is told with its path.
    fn from(error: std::io::Error) -> Failure {
        Failure::mistake(format!("the output could not be written: {error}"))
    }
}
