//! Recording a program as a user does, by the command line, within bounds.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use test_support::{Finished, target_dir};

use super::BenchError;

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
