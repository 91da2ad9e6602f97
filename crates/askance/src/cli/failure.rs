//! How a command ends.

use std::process::ExitCode;

use crate::config::ConfigError;
use launch::interrupt;
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
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Nothing => 1,
            Exit::Mistake => 2,
            Exit::NotStarted => 3,
            Exit::Interrupted => 130,
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
            hint: error.hint(),
            sentence: error.to_string(),
        }
    }
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
