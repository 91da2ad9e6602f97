//! Tells every open page what changes, as server-sent events: where the session stands, and under the
//! name `progress` how far a run is that is being recorded.

use std::convert::Infallible;

use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::Stream;
use futures_util::stream;
use tokio::sync::watch;

use super::in_place::InPlace;

pub(super) async fn get(
    InPlace(slot): InPlace,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let standings = told(slot.standings(), |standing| {
        // Before the first snapshot there is no session to speak of.
        let data = serde_json::to_string(standing).ok()?;
        (standing.revision > 0).then(|| Event::default().data(data))
    });
    let progress = told(slot.progress(), |progress| {
        let data = serde_json::to_string(progress.as_ref()?).ok()?;
        Some(Event::default().event("progress").data(data))
    });
    Sse::new(stream::select(standings, progress)).keep_alive(KeepAlive::default())
}

/// What is so now, and whatever it becomes.
fn told<T: Send + Sync + 'static>(
    mut watched: watch::Receiver<T>,
    event: impl Fn(&T) -> Option<Event> + Copy + Send + 'static,
) -> impl Stream<Item = Result<Event, Infallible>> {
    watched.mark_changed();
    stream::unfold(watched, move |mut watched| async move {
        loop {
            watched.changed().await.ok()?;
            let told = event(&watched.borrow_and_update());
            if let Some(told) = told {
                return Some((Ok(told), watched));
            }
        }
    })
}
