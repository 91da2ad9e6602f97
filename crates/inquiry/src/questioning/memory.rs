//! `session.json` in the trace's folder: the answers so far, so that `ask` goes on where it was.

use std::io;
use std::path::Path;

use debug_engine::session::{LogEntry, SavedSession};
use serde::{Deserialize, Serialize};

use trace_format::files;
use trace_store::write_whole;

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// Always 1.
    pub version: u32,
    /// Which of the recorded JVMs the answers are about.
    pub jvm: u32,
    /// The answers.
    pub session: SavedSession,
    /// Which transformations were on, as `--transform` takes them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub transform: String,
    /// What the memory of answers had not yet taken in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_remember: Vec<LogEntry>,
}

impl Remembered {
    /// The answers about this JVM that a trace remembers; `None` if it remembers none, or what it
    /// has cannot be read.
    #[must_use]
    pub fn read(trace: &Path, jvm: u32) -> Option<Remembered> {
        let text = std::fs::read(trace.join(files::ANSWERS)).ok()?;
        let remembered: Remembered = serde_json::from_slice(&text).ok()?;
        (remembered.version == 1 && remembered.jvm == jvm).then_some(remembered)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn write(&self, trace: &Path) -> io::Result<()> {
        write_whole(
            &trace.join(files::ANSWERS),
            &serde_json::to_vec_pretty(self)?,
        )
    }
}
