//! Recording a program as a user does, by the command line, within bounds.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use test_support::workloads::Workload;
use test_support::{Finished, FixtureError, target_dir};

/// Why something could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("there is no recorder at {0}; `cargo build --release` makes it")]
    NoRecorder(PathBuf),
    #[error("no workload is named {0}")]
    UnknownWorkload(String),
    #[error("no library is named {0}")]
    UnknownLibrary(String),
    #[error("{workload} needs {remedy}")]
    MissingLibrary {
        workload: &'static str,
        remedy: String,
    },
    #[error("at least one round is needed")]
    NoRounds,
    #[error(transparent)]
    Compile(#[from] FixtureError),
    #[error(transparent)]
    Fetch(#[from] test_support::FetchError),
    #[error(transparent)]
    Coordinates(#[from] test_support::CoordinatesError),
    #[error(transparent)]
    Regression(#[from] crate::regressions::RegressionError),
    #[error(transparent)]
    Session(#[from] debug_engine::session::SessionError),
    #[error(transparent)]
    Refused(#[from] inquiry::command::Refusal),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Open(#[from] java_model::run::OpenError),
    #[error(transparent)]
    Trace(#[from] trace_store::StoreError),
    #[error(transparent)]
    Example(#[from] test_support::ExampleError),
    #[error("{what} failed: {status}\n{stderr}")]
    Failed {
        what: String,
        status: String,
        stderr: String,
    },
    #[error("{0} prints something else when it is recorded")]
    OutputDiffers(String),
    #[error("the trace of {0} is too large; a smaller scale will do")]
    TooLarge(String),
}

/// A recorded run may take this many times longer than anybody would wait for.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(600);

/// No workload comes near it; one that does must not fill the disk.
pub(crate) const MAX_TRACE: &str = "4G";

/// The words before the `java` command; `options` are those of `askance record`. What is measured is how libraries are
/// recorded, which by default they are not.
pub(crate) fn record_prefix(recorder: &Path, trace: &Path, options: &[&str]) -> Vec<OsString> {
    let options = [options, &["--record-libraries"]].concat();
    default_prefix(recorder, trace, &options)
}

/// The same for recording what is recorded by default: the program's own code.
pub(crate) fn default_prefix(recorder: &Path, trace: &Path, options: &[&str]) -> Vec<OsString> {
    let mut words: Vec<OsString> =
        vec![recorder.into(), "record".into(), "-o".into(), trace.into()];
    words.extend(options.iter().map(Into::into));
    words.push("--".into());
    words
}

pub(crate) fn check_exit(what: &str, finished: &Finished) -> Result<(), BenchError> {
    if finished.status.success() {
        return Ok(());
    }
    let status = if finished.timed_out {
        format!("it did not end within {} s", TIME_LIMIT.as_secs())
    } else {
        finished.status.to_string()
    };
    Err(BenchError::Failed {
        what: what.to_owned(),
        status,
        stderr: finished.stderr_text(),
    })
}

pub(crate) fn folder_size(path: &Path) -> io::Result<u64> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_dir() {
        return Ok(metadata.len());
    }
    let mut size = 0;
    for entry in fs::read_dir(path)? {
        size += folder_size(&entry?.path())?;
    }
    Ok(size)
}

/// A folder that vanishes with what is in it. On the disk of the build, because traces are large
/// and the system's own temporary folder may be in memory.
pub(crate) fn scratch_folder() -> io::Result<tempfile::TempDir> {
    let parent = target_dir().join("bench-traces");
    fs::create_dir_all(&parent)?;
    tempfile::tempdir_in(parent)
}

pub(crate) fn selected(only: &[String]) -> Result<Vec<&'static Workload>, BenchError> {
    let workloads: Vec<&Workload> = if only.is_empty() {
        Workload::all().iter().collect()
    } else {
        let find = |name: &String| {
            Workload::named(name).ok_or_else(|| BenchError::UnknownWorkload(name.clone()))
        };
        only.iter().map(find).collect::<Result<_, _>>()?
    };
    for workload in &workloads {
        check_library(workload)?;
    }
    Ok(workloads)
}

/// Fails if the library is not there that a workload needs.
pub(crate) fn check_library(workload: &Workload) -> Result<(), BenchError> {
    match workload.missing_library() {
        None => Ok(()),
        Some(library) => Err(BenchError::MissingLibrary {
            workload: workload.name,
            remedy: library.remedy(),
        }),
    }
}
