//! A run that is being recorded: how far it is, what the program says, and its end.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use axum::Json;
use serde::{Deserialize, Serialize};

use super::{Answered, Given, InPlace, Wanted};
use crate::web::failure::ApiError;
use crate::web::slot::Progress;
use trace_format::files::OUTPUT;

/// No more of the program's output is told at once.
const LARGEST_PIECE: u64 = 64 * 1024;

/// How far recording and indexing are; nothing for a run that was complete from the start.
pub(super) async fn get(InPlace(slot): InPlace) -> Json<Option<Progress>> {
    Json(slot.progress().borrow().clone())
}

#[derive(Debug, Deserialize)]
pub(super) struct From {
    /// The first byte; without it, the last piece.
    from: Option<u64>,
}

/// A piece of what the program said.
#[derive(Debug, Serialize)]
pub(super) struct Said {
    from: u64,
    /// Where to go on.
    next: u64,
    /// Whether there is more already.
    more: bool,
    text: String,
}

pub(super) async fn output(InPlace(slot): InPlace, Wanted(from): Wanted<From>) -> Answered<Said> {
    let path = slot.recorded_in().map(|folder| folder.join(OUTPUT));
    let path = path.filter(|path| path.is_file()).ok_or_else(|| {
        ApiError::missing("what the program said went to the terminal, or was not kept")
    })?;
    let broken =
        |error: std::io::Error| ApiError::ours(format!("the output cannot be read: {error}"));
    let read = tokio::task::spawn_blocking(move || -> std::io::Result<Said> {
        let mut file = File::open(path)?;
        let end = file.metadata()?.len();
        let from = from
            .from
            .unwrap_or(end.saturating_sub(LARGEST_PIECE))
            .min(end);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(LARGEST_PIECE).read_to_end(&mut bytes)?;
        let next = from + bytes.len() as u64;
        Ok(Said {
            from,
            next,
            more: next < end,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    });
    match read.await {
        Ok(said) => said.map(Json).map_err(broken),
        Err(error) => Err(ApiError::ours(error.to_string())),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stop {}

/// Ends the program.
pub(super) async fn stop(InPlace(slot): InPlace, Given(Stop {}): Given<Stop>) -> Answered<()> {
    if slot.stop() {
        Ok(Json(()))
    } else {
        Err(ApiError::mistake("the program does not run any more"))
    }
}
