//! What a request gets that cannot be answered: a status, one sentence, and a hint where there is one.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use debug_engine::session::SessionError;
use serde::Serialize;

use inquiry::wanted::TransformError;
use java_model::stepping::Stuck;
use java_model::variable::PathError;

/// See the module's header.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    sentence: String,
    hint: Option<String>,
}

#[derive(Debug, Serialize)]
struct Told {
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl ApiError {
    fn new(status: StatusCode, sentence: impl Into<String>) -> ApiError {
        ApiError {
            status,
            sentence: sentence.into(),
            hint: None,
        }
    }

    pub(crate) fn forbidden(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, sentence)
    }

    /// What was asked for does not exist.
    pub(crate) fn missing(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, sentence)
    }

    /// The request makes no sense.
    pub(crate) fn mistake(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// The page that asks has not seen what happened in the meantime.
    pub(crate) fn outdated() -> ApiError {
        ApiError::new(
            StatusCode::CONFLICT,
            "the session has gone on since this question was shown",
        )
    }

    /// One sentence, and the hint if there is one.
    pub(crate) fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.sentence),
            None => self.sentence.clone(),
        }
    }

    /// Something of ours failed.
    pub(crate) fn ours(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let told = Told {
            error: self.sentence,
            hint: self.hint,
        };
        (self.status, Json(told)).into_response()
    }
}

/// The answer to an address that means nothing.
pub(super) async fn nothing_here() -> ApiError {
    ApiError::missing("there is nothing at this address")
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        ApiError::new(rejection.status(), rejection.body_text())
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        ApiError::mistake(rejection.body_text())
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> ApiError {
        ApiError::mistake(error.to_string())
    }
}

impl From<TransformError> for ApiError {
    fn from(error: TransformError) -> ApiError {
        ApiError::mistake(error.to_string())
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
