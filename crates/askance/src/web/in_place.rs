//! The run that an address names.

use std::collections::HashMap;
use std::sync::Arc;

use askance_api::{ApiError, LiveRun};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use super::App;
use super::refusal::Refused;

/// The run that an address names, whether anything of it is known yet or not.
pub(super) struct InPlace(pub(super) Arc<LiveRun>);

impl FromRequestParts<Arc<App>> for InPlace {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<InPlace, Refused> {
        let names = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let number = names
            .ok()
            .and_then(|Path(names)| names.get("run")?.parse().ok());
        let run = number.and_then(|number: usize| app.runs.get(number));
        match run {
            Some(run) => Ok(InPlace(Arc::clone(run))),
            None => Err(ApiError::missing("there is no such run").into()),
        }
    }
}
