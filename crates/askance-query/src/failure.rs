//! Why a command could not do its work: one sentence, and a hint where there is one.

use datafusion::error::DataFusionError;
use java_model::run::OpenError;
use trace_store::StoreError;

/// See the module's header. A mistake of whoever asked: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{sentence}")]
pub struct QueryFailure {
    pub sentence: String,
    pub hint: Option<String>,
}

impl QueryFailure {
    pub fn new(sentence: impl Into<String>) -> QueryFailure {
        QueryFailure {
            sentence: sentence.into(),
            hint: None,
        }
    }

    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> QueryFailure {
        QueryFailure {
            hint: Some(hint.into()),
            ..self
        }
    }
}

impl From<OpenError> for QueryFailure {
    fn from(error: OpenError) -> QueryFailure {
        let failure = QueryFailure::new(error.to_string());
        match error {
            OpenError::Store(StoreError::Missing(_) | StoreError::NotATrace { .. }) => {
                failure.hint("name a folder that `askance record` made")
            }
            OpenError::Store(StoreError::Version { .. }) => {
                failure.hint("record again, or use the version of askance that recorded it")
            }
            _ => failure,
        }
    }
}

impl From<std::io::Error> for QueryFailure {
    fn from(error: std::io::Error) -> QueryFailure {
        QueryFailure::new(format!("the result cannot be written: {error}"))
    }
}

/// What could not be read of a trace, for whoever runs the query.
pub(crate) fn unreadable(error: StoreError) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
