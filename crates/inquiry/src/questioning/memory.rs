//! `session-N.json` in the trace's folder: the answers so far about one of its JVMs, so that `ask` goes on where it
//! was.

use std::io;
use std::path::{Path, PathBuf};

use debug_engine::session::{LogEntry, SavedSession};
use serde::{Deserialize, Serialize};

use trace_format::files;
use trace_store::write_whole;

/// The version of the file that is written and read.
const VERSION: u32 = 1;

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    version: u32,
    /// The answers.
    pub session: SavedSession,
    /// Which transformations were on, as `--transform` takes them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub transform: String,
    /// What the memory of answers had not yet taken in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_remember: Vec<LogEntry>,
}

/// Why there are answers that cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum AnswersError {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("are damaged: {0}")]
    Damaged(#[from] serde_json::Error),
    #[error("were kept by another version of Askance")]
    OtherVersion,
}

impl Remembered {
    #[must_use]
    pub fn new(session: SavedSession, transform: String, to_remember: Vec<LogEntry>) -> Remembered {
        Remembered {
            version: VERSION,
            session,
            transform,
            to_remember,
        }
    }

    /// The answers that a trace remembers about one of its JVMs, if it remembers any.
    ///
    /// # Errors
    /// If there are some that cannot be gone on with.
    pub fn read(trace: &Path, jvm: u32) -> Result<Option<Remembered>, AnswersError> {
        /// What every version of the file has.
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let text = match std::fs::read(trace.join(files::answers(jvm))) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text?,
        };
        let Versioned { version } = serde_json::from_slice(&text)?;
        if version != VERSION {
            return Err(AnswersError::OtherVersion);
        }
        Ok(Some(serde_json::from_slice(&text)?))
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn write(&self, trace: &Path, jvm: u32) -> io::Result<()> {
        let file = trace.join(files::answers(jvm));
        write_whole(&file, &serde_json::to_vec_pretty(self)?)
    }

    /// Gives the file another name, so that answers which cannot be gone on with are not lost to new ones.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn set_aside(trace: &Path, jvm: u32) -> io::Result<PathBuf> {
        let file = trace.join(files::answers(jvm));
        let name = |number: u32| file.with_extension(format!("before-{number}.json"));
        let free = (1..).map(name).find(|name| !name.exists());
        let free = free.ok_or(io::ErrorKind::AlreadyExists)?;
        std::fs::rename(file, &free)?;
        Ok(free)
    }
}
