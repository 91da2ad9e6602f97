//! How a request that cannot be answered is refused: a status, one sentence, and a hint where there is one.

use askance_api::{ApiError, Fault};
use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// See the module's header.
#[derive(Debug)]
pub(super) struct Refused {
    status: StatusCode,
    body: RefusedBody,
}

#[derive(Debug, Serialize)]
struct RefusedBody {
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Refused {
        let status = match error.reason {
            Fault::Forbidden => StatusCode::FORBIDDEN,
            Fault::Missing => StatusCode::NOT_FOUND,
            Fault::Mistake => StatusCode::BAD_REQUEST,
            Fault::Outdated => StatusCode::CONFLICT,
            Fault::Ours => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refused {
            status,
            body: RefusedBody {
                error: error.sentence,
                hint: error.hint,
            },
        }
    }
}

impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Refused {
        Refused {
            status: rejection.status(),
            ..ApiError::mistake(rejection.body_text()).into()
        }
    }
}

impl From<QueryRejection> for Refused {
    fn from(rejection: QueryRejection) -> Refused {
        ApiError::mistake(rejection.body_text()).into()
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

/// The answer to an address that means nothing.
pub(super) async fn nothing_here() -> Refused {
    ApiError::missing("there is nothing at this address").into()
}
