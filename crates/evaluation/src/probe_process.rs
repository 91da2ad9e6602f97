//! Programs of ours that measure in a process of their own and print what they found as JSON.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Command;

use serde::de::DeserializeOwned;

use crate::record_bench::BenchError;

/// Runs one; `what` says what it does, should it fail.
pub(crate) fn run<T: DeserializeOwned>(
    executable: &Path,
    arguments: &[&OsStr],
    what: &str,
) -> Result<T, BenchError> {
    let output = Command::new(executable).args(arguments).output()?;
    if !output.status.success() {
        return Err(BenchError::Failed {
            what: what.to_owned(),
            status: output.status.to_string(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
    }
    Ok(serde_json::from_slice(&output.stdout).map_err(io::Error::from)?)
}
