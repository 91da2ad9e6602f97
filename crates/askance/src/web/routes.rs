//! The JSON interface's addresses: each leads to one function of `askance_api`.
//!
//! Everything about a run is below `runs/N`. What is looked up comes by GET, what changes the session
//! is a POST of JSON that names the revision it answers to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use askance_api::{
    ApiError, LiveRun, RunSnapshot, diagnosis, events, history, library, line_values, live, node,
    output, overview, query, run, search, session, source, suspects, tree, why,
};
use axum::extract::{FromRequest, FromRequestParts, Query, State};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::App;
use super::in_place::InPlace;
use super::refusal::{self, Refused};
use super::updates;

type Answered<T> = Result<Json<T>, Refused>;

/// The interface's addresses.
pub(super) fn router() -> Router<Arc<App>> {
    let of_run = Router::new()
        .route("/", whole(run::info))
        .route("/children", lookup(tree::children_of))
        .route("/path", lookup(tree::path))
        .route("/search", lookup(search::found))
        .route("/live", whole(live::progress))
        .route("/live/output", lookup_in_place(live::output))
        .route("/live/stop", change(live::stop))
        .route("/moved", lookup(tree::moved))
        .route("/node", lookup(node::at))
        .route("/output", lookup(output::output))
        .route("/overview", lookup(overview::overview))
        .route("/step", lookup(node::step))
        .route("/events", lookup(events::events))
        .route("/events/find", lookup(events::found))
        .route("/event", lookup(events::of_instruction))
        .route("/moment", lookup(events::at_time))
        .route("/history", lookup(history::history))
        .route("/why", lookup(why::why))
        .route("/source", lookup(source::source))
        .route("/library", lookup(library::library))
        .route("/lines", lookup(line_values::lines))
        .route("/query", lookup_while_awaited(query::query_until))
        .route("/query/catalogue", known(query::catalogue))
        .route("/suspects", lookup(suspects::of_session))
        .route("/diagnosis", known(diagnosis::report_on))
        .route("/updates", get(updates::get))
        .route("/session", known(session::standing))
        .route("/session/answer", change(session::answer))
        .route("/session/undo", change(session::undo))
        .route("/session/ask", change(session::ask))
        .route("/session/inside", change(session::inside))
        .route("/session/revise", change(session::revise))
        .route("/session/strategy", change(session::strategy))
        .route("/session/transform", change(session::transform))
        .route("/session/restart", change(session::restart))
        .route("/session/bring-back", change(session::bring_back));
    Router::new()
        .route("/runs", get(runs))
        .nest("/runs/{run}", of_run)
        .fallback(refusal::nothing_here)
}

async fn runs(State(app): State<Arc<App>>) -> Json<Vec<run::RunName>> {
    Json(run::names(app.runs.iter().map(|run| &**run)))
}

/// What is told of what is known now of a run, as the request wants it.
fn lookup<W, T>(work: fn(&RunSnapshot, &W) -> Result<T, ApiError>) -> MethodRouter<Arc<App>>
where
    W: DeserializeOwned + Send + Sync + 'static,
    T: Serialize + Send + 'static,
{
    get(move |InPlace(slot), QueryOf(wanted): QueryOf<W>| {
        aside(move || work(&*slot.known()?, &wanted))
    })
}

/// Work on what is known now of a run that can take long, and asks whether nobody waits for it any more.
type Stoppable<W, T> = fn(&RunSnapshot, &W, &dyn Fn() -> bool) -> Result<T, ApiError>;

/// The same, given up when whoever asked goes away.
fn lookup_while_awaited<W, T>(work: Stoppable<W, T>) -> MethodRouter<Arc<App>>
where
    W: DeserializeOwned + Send + Sync + 'static,
    T: Serialize + Send + 'static,
{
    get(
        move |InPlace(slot), QueryOf(wanted): QueryOf<W>| async move {
            let awaited = Awaited::default();
            let is_over = Arc::clone(&awaited.0);
            aside(move || {
                work(&*slot.known()?, &wanted, &|| {
                    is_over.load(Ordering::Relaxed)
                })
            })
            .await
        },
    )
}

/// Says when a request is answered, or dropped because its connection was closed.
#[derive(Default)]
struct Awaited(Arc<AtomicBool>);

impl Drop for Awaited {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The same, where the request wants nothing in particular.
fn known<T>(work: fn(&RunSnapshot) -> Result<T, ApiError>) -> MethodRouter<Arc<App>>
where
    T: Serialize + Send + 'static,
{
    get(move |InPlace(slot)| aside(move || work(&*slot.known()?)))
}

/// What is told of a run of which nothing need be known yet.
fn whole<T>(work: fn(&LiveRun) -> Result<T, ApiError>) -> MethodRouter<Arc<App>>
where
    T: Serialize + Send + 'static,
{
    get(move |InPlace(slot)| aside(move || work(&slot)))
}

/// The same, as the request wants it.
fn lookup_in_place<W, T>(work: fn(&LiveRun, &W) -> Result<T, ApiError>) -> MethodRouter<Arc<App>>
where
    W: DeserializeOwned + Send + Sync + 'static,
    T: Serialize + Send + 'static,
{
    get(move |InPlace(slot), QueryOf(wanted): QueryOf<W>| aside(move || work(&slot, &wanted)))
}

/// What a POST changes.
fn change<W, T>(work: fn(&LiveRun, W) -> Result<T, ApiError>) -> MethodRouter<Arc<App>>
where
    W: DeserializeOwned + Send + 'static,
    T: Serialize + Send + 'static,
{
    post(move |InPlace(slot), Given(given): Given<W>| aside(move || work(&slot, given)))
}

/// What stands behind the question mark.
#[derive(FromRequestParts)]
#[from_request(via(Query), rejection(Refused))]
struct QueryOf<T>(T);

/// What a POST says.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Refused))]
struct Given<T>(T);

/// Does work on the trace on a thread that may take its time.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Answered<T> {
    let request = tracing::Span::current();
    match tokio::task::spawn_blocking(move || request.in_scope(work)).await {
        Ok(Ok(answer)) => Ok(Json(answer)),
        Ok(Err(error)) => Err(error.into()),
        Err(error) => {
            tracing::error!(%error, "a request failed");
            let sentence = "this could not be worked out: a mistake in Askance";
            Err(ApiError::ours(sentence).into())
        }
    }
}
