//! What can go wrong with a trace, each in one sentence for the person who named it.

use std::io;
use std::path::{Path, PathBuf};

use trace_format::{DecodeError, VersionError};

pub type Result<T> = std::result::Result<T, StoreError>;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no trace at {}", .0.display())]
    Missing(PathBuf),
    #[error("{} is not a trace: {reason}", folder.display())]
    NotATrace {
        folder: PathBuf,
        reason: &'static str,
    },
    #[error("the trace at {} is empty: no JVM was recorded", .0.display())]
    Empty(PathBuf),
    #[error("cannot read the trace at {}: {error}", folder.display())]
    Version {
        folder: PathBuf,
        error: VersionError,
    },
    #[error("the trace at {} is damaged: {error}", folder.display())]
    Damaged { folder: PathBuf, error: DecodeError },
    #[error("failed to {action} {}: {error}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        error: io::Error,
    },
    #[error(
        "the trace at {} gives up its oldest part while its program runs; wait until the program has ended",
        .0.display()
    )]
    Moving(PathBuf),
    #[error("thread {0} is not in the trace")]
    NoThread(u32),
    #[error("call {0} is not in the trace")]
    NoCall(u64),
    #[error("a thread has more calls than the index can number")]
    TooManyCalls,
}

/// Adds what was being done, and to which file, to an I/O error.
pub(crate) trait IoContext<T> {
    fn during(self, action: &'static str, path: &Path) -> Result<T>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn during(self, action: &'static str, path: &Path) -> Result<T> {
        self.map_err(|error| StoreError::Io {
            action,
            path: path.to_owned(),
            error,
        })
    }
}
