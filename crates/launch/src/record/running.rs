//! A program that runs under the recorder while something else is done.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::{FinishedRecording, RecordError};

/// A program that is being recorded.
#[derive(Debug)]
pub struct Running {
    pub(super) folder: PathBuf,
    pub(super) should_stop: Arc<AtomicBool>,
    /// Its process has gone.
    pub(super) gone: Arc<AtomicBool>,
    /// How it ended is noted, too.
    pub(super) ended: Arc<AtomicBool>,
    pub(super) waiting: JoinHandle<Result<FinishedRecording, RecordError>>,
}

impl Running {
    /// Where the trace grows.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether there is nothing left to stop.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.gone.load(Ordering::SeqCst)
    }

    /// Set when it has ended, and how it ended is noted.
    #[must_use]
    pub fn ended(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.ended)
    }

    /// Asks the program to end, and ends it if it does not.
    pub fn stop(&self) {
        self.should_stop.store(true, Ordering::SeqCst);
    }

    /// The same, for whoever does not wait for its end.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + use<> {
        let should_stop = Arc::clone(&self.should_stop);
        move || should_stop.store(true, Ordering::SeqCst)
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// If it could not be started, or its end not be noted.
    pub fn wait(self) -> Result<FinishedRecording, RecordError> {
        let lost = |_| RecordError::Unfinished {
            path: self.folder.clone(),
            source: io::Error::other("nobody waited for the program"),
        };
        self.waiting.join().map_err(lost)?
    }
}
