//! Where a command was called.

use std::path::PathBuf;

use super::failure::Failure;

pub(crate) fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|error| Failure::mistake(format!("the current folder cannot be used: {error}")))
}
