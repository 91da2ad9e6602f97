//! What a request gets that cannot be answered: a reason, one sentence, and a hint where there is one.

use debug_engine::session::SessionError;
use inquiry::command::Refusal;
use java_analysis::stepping::Stuck;
use java_analysis::variable::PathError;

/// Whose fault it is that there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Whoever asks has no right to.
    Forbidden,
    /// What was asked for does not exist.
    Missing,
    /// The request makes no sense.
    Mistake,
    /// The session has gone on since the question was shown.
    Outdated,
    /// Something of ours failed.
    Ours,
}

/// See the module's header.
#[derive(Debug)]
pub struct ApiError {
    pub reason: Fault,
    pub sentence: String,
    pub hint: Option<String>,
}

impl ApiError {
    fn new(reason: Fault, sentence: impl Into<String>) -> ApiError {
        ApiError {
            reason,
            sentence: sentence.into(),
            hint: None,
        }
    }

    pub fn forbidden(sentence: impl Into<String>) -> ApiError {
        ApiError::new(Fault::Forbidden, sentence)
    }

    /// What was asked for does not exist.
    pub fn missing(sentence: impl Into<String>) -> ApiError {
        ApiError::new(Fault::Missing, sentence)
    }

    /// The request makes no sense.
    pub fn mistake(sentence: impl Into<String>) -> ApiError {
        ApiError::new(Fault::Mistake, sentence)
    }

    /// The page that asks has not seen what happened in the meantime.
    pub fn outdated() -> ApiError {
        ApiError::new(
            Fault::Outdated,
            "the session has gone on since this question was shown",
        )
    }

    /// One sentence, and the hint if there is one.
    pub fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.sentence),
            None => self.sentence.clone(),
        }
    }

    /// Something of ours failed.
    pub fn ours(sentence: impl Into<String>) -> ApiError {
        ApiError::new(Fault::Ours, sentence)
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> ApiError {
        ApiError::mistake(error.to_string())
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let sentence = refusal.to_string();
        match refusal {
            Refusal::NoSuchAnswer(_) => ApiError::missing(sentence),
            Refusal::Unsaved(_) => ApiError::ours(sentence),
            _ => ApiError::mistake(sentence),
        }
    }
}

impl From<Stuck> for ApiError {
    fn from(stuck: Stuck) -> ApiError {
        ApiError::mistake(stuck.to_string())
    }
}

impl From<PathError> for ApiError {
    fn from(error: PathError) -> ApiError {
        ApiError {
            hint: Some(error.hint),
            ..ApiError::missing(error.sentence)
        }
    }
}
