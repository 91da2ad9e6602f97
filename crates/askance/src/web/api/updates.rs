//! Tells every open page that the session has changed: the new revision, as server-sent events.

use std::convert::Infallible;

use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::Stream;
use futures_util::stream;

use super::OfRun;

pub(super) async fn get(OfRun(run): OfRun) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut revisions = run.revisions();
    // Whoever comes anew hears where things stand.
    revisions.mark_changed();
    let events = stream::unfold(revisions, |mut revisions| async move {
        revisions.changed().await.ok()?;
        let revision = *revisions.borrow_and_update();
        let event = Event::default().data(revision.to_string());
        Some((Ok(event), revisions))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}
