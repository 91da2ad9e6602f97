//! A run that is being recorded: how far it is, what the program says, and its end.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::ApiError;
use crate::live_run::{LiveRun, Progress};
use trace_format::files::OUTPUT;

/// No more of the program's output is told at once.
const LARGEST_PIECE: u64 = 64 * 1024;

/// How far recording and indexing are; nothing for a run that was complete from the start.
pub fn progress(slot: &LiveRun) -> Result<Option<Progress>, ApiError> {
    Ok(slot.progress().borrow().clone())
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct From {
    /// The first byte; without it, the last piece.
    pub from: Option<u64>,
}

/// A piece of what the program said.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LiveOutputPiece {
    pub from: u64,
    /// Where to go on.
    pub next: u64,
    /// Whether there is more already.
    pub more: bool,
    pub text: String,
}

pub fn output(slot: &LiveRun, from: &From) -> Result<LiveOutputPiece, ApiError> {
    let path = slot.recorded_in().map(|folder| folder.join(OUTPUT));
    let path = path.filter(|path| path.is_file()).ok_or_else(|| {
        ApiError::missing("what the program said went to the terminal, or was not kept")
    })?;
    let broken =
        |error: std::io::Error| ApiError::ours(format!("the output cannot be read: {error}"));
    piece(&path, from.from).map_err(broken)
}

fn piece(path: &Path, from: Option<u64>) -> std::io::Result<LiveOutputPiece> {
    let mut file = File::open(path)?;
    let end = file.metadata()?.len();
    let from = from.unwrap_or(end.saturating_sub(LARGEST_PIECE)).min(end);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(LARGEST_PIECE).read_to_end(&mut bytes)?;
    let next = from + bytes.len() as u64;
    Ok(LiveOutputPiece {
        from,
        next,
        more: next < end,
        text: String::from_utf8_lossy(&bytes).into_owned(),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopRequest {}

/// Ends the program.
pub fn stop(slot: &LiveRun, _: StopRequest) -> Result<(), ApiError> {
    if slot.stop() {
        Ok(())
    } else {
        Err(ApiError::mistake("the program does not run any more"))
    }
}
