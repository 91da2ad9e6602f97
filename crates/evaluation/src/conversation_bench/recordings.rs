//! Recordings that are kept from one measurement to the next: each in a folder that is named after all that it was
//! made of.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use java_model::run::JavaRun;
use test_support::Run;

use crate::record_bench::{BenchError, default_prefix};

/// No program of the corpus comes near it; one that does has run away.
const MAX_TRACE: &str = "500M";
/// Counted up when what is kept becomes another.
const LAYOUT: u32 = 0;
/// What a program that does not end by itself may take longer when it is recorded.
const GRACE: Duration = Duration::from_secs(60);

/// The folder for something made of `inputs`.
pub(super) fn folder_of(parent: &Path, name: &str, inputs: impl Hash) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    (trace_format::json::VERSION.major, LAYOUT, inputs).hash(&mut hasher);
    parent.join(format!("{name}-{:016x}", hasher.finish()))
}

/// The content of every file below a folder, in a fixed order.
pub(super) fn content(folder: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(content(&path)?);
        } else {
            let bytes = fs::read(&path)?;
            files.push((path, bytes));
        }
    }
    files.sort();
    Ok(files)
}

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recorded {
    OwnCode,
    /// Libraries too: the mistake is in one.
    Everything,
}

/// Records a program; what it exits with does not matter. `stop` ends one that does not end by itself.
pub(super) fn record(
    recorder: &Path,
    run: &Run,
    trace: &Path,
    what: Recorded,
    stop: Option<Duration>,
) -> Result<(), BenchError> {
    if trace.exists() {
        fs::remove_dir_all(trace)?;
    }
    let seconds = stop.map(|stop| stop.as_secs().to_string());
    let mut options = vec!["--max-trace", MAX_TRACE];
    if let Some(seconds) = &seconds {
        options.extend(["--time-limit", seconds]);
    }
    if what == Recorded::Everything {
        options.push("--record-libraries");
    }
    let mut run = run.clone();
    if let Some(stop) = stop {
        run = run.time_limit(stop + GRACE);
    }
    let finished = run
        .prefix(default_prefix(recorder, trace, &options))
        .run()?;
    if finished.timed_out || !trace.is_dir() {
        return Err(BenchError::Failed {
            what: format!("recording into {}", trace.display()),
            status: finished.status.to_string(),
            stderr: finished.stderr_text(),
        });
    }
    Ok(())
}

/// Opens a recording.
pub(super) fn open(trace: &Path) -> Result<JavaRun, BenchError> {
    Ok(JavaRun::open(trace, None, &mut |_, _| {})?)
}
