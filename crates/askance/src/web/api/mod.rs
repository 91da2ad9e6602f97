//! The JSON interface, one module a resource.
//!
//! Everything about a run is below `runs/N`. What is looked up comes by GET, what changes the session
//! is a POST of JSON that names the revision it answers to.

pub(crate) mod diagnosis;
pub(crate) mod events;
pub(crate) mod history;
mod live;
pub(crate) mod node;
mod overview;
mod question;
mod run;
pub(crate) mod search;
pub(crate) mod session;
mod source;
pub(crate) mod tree;
mod updates;
pub(crate) mod why;

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Path, Query};
use axum::http::request::Parts;
use axum::routing::{get, post};
use axum::{Json, Router};
use debug_engine::view::render::Bounds;

use super::App;
use super::failure::{self, ApiError};
use super::served::Served;
use super::slot::Slot;

type Answered<T> = Result<Json<T>, ApiError>;

/// The interface's addresses.
pub(super) fn router() -> Router<Arc<App>> {
    let of_run = Router::new()
        .route("/", get(run::one))
        .route("/children", get(tree::children))
        .route("/path", get(tree::path))
        .route("/search", get(search::get))
        .route("/live", get(live::get))
        .route("/live/output", get(live::output))
        .route("/live/stop", post(live::stop))
        .route("/moved", get(tree::moved))
        .route("/node", get(node::get))
        .route("/overview", get(overview::get))
        .route("/step", get(node::step))
        .route("/events", get(events::get))
        .route("/events/find", get(events::find))
        .route("/event", get(events::of_instruction))
        .route("/history", get(history::get))
        .route("/why", get(why::get))
        .route("/source", get(source::get))
        .route("/diagnosis", get(diagnosis::get))
        .route("/updates", get(updates::get))
        .route("/session", get(session::get))
        .route("/session/answer", post(session::answer))
        .route("/session/undo", post(session::undo))
        .route("/session/ask", post(session::ask))
        .route("/session/inside", post(session::inside))
        .route("/session/revise", post(session::revise))
        .route("/session/strategy", post(session::strategy))
        .route("/session/transform", post(session::transform))
        .route("/session/restart", post(session::restart));
    Router::new()
        .route("/runs", get(run::all))
        .nest("/runs/{run}", of_run)
        .fallback(failure::nothing_here)
}

/// The run that an address names, whether anything of it is known yet or not.
struct InPlace(Arc<Slot>);

impl FromRequestParts<Arc<App>> for InPlace {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<InPlace, ApiError> {
        let names = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let number = names
            .ok()
            .and_then(|Path(names)| names.get("run")?.parse().ok());
        let run = number.and_then(|number: usize| app.runs.get(number));
        match run {
            Some(run) => Ok(InPlace(Arc::clone(run))),
            None => Err(ApiError::missing("there is no such run")),
        }
    }
}

/// What is known now of the run that an address names.
struct OfRun(Arc<Served>);

impl FromRequestParts<Arc<App>> for OfRun {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<OfRun, ApiError> {
        let InPlace(slot) = InPlace::from_request_parts(parts, app).await?;
        slot.known().map(OfRun)
    }
}

/// What stands behind the question mark.
#[derive(FromRequestParts)]
#[from_request(via(Query), rejection(ApiError))]
struct Wanted<T>(T);

/// What a POST says.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(ApiError))]
struct Given<T>(T);

/// Does work on the trace on a thread that may take its time.
async fn look<Run: Send + Sync + 'static, T: Send + 'static>(
    run: Arc<Run>,
    work: impl FnOnce(&Run) -> Result<T, ApiError> + Send + 'static,
) -> Answered<T> {
    let done = tokio::task::spawn_blocking(move || work(&run)).await;
    match done {
        Ok(result) => result.map(Json),
        Err(error) => {
            tracing::error!(%error, "a request failed");
            Err(ApiError::ours(
                "this could not be worked out: a mistake in Askance",
            ))
        }
    }
}

/// How much of a value is shown where there is room for a tree of it.
const ROOMY: Bounds = Bounds {
    width: 40,
    depth: 4,
    string: 400,
    length: 2000,
    changes: 40,
};
