//! The folders in which the tool keeps what is the user's: caches, which can be made again, and state, which cannot.
//!
//! They are where the XDG base directory specification has them, and nobody else can look into them: a trace holds
//! whatever the recorded program held.

use std::fs::{DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Nobody but the user may list, read or write.
const PRIVATE: u32 = 0o700;
const PRIVATE_FILE: u32 = 0o600;

/// What can be made again; `None` if the environment does not say where the user's files are.
#[must_use]
pub fn cache() -> Option<PathBuf> {
    Some(base("XDG_CACHE_HOME", ".cache")?.join("askance"))
}

/// Traces and answers; `None` if the environment does not say where the user's files are.
#[must_use]
pub fn state() -> Option<PathBuf> {
    Some(base("XDG_STATE_HOME", ".local/state")?.join("askance"))
}

/// What a folder has that only the user can look into.
#[must_use]
pub fn private() -> Permissions {
    Permissions::from_mode(PRIVATE)
}

/// Makes a folder that only the user can look into, and those around it where they are missing.
///
/// # Errors
/// If it cannot be made.
pub fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(PRIVATE)
        .create(folder)
}

/// The same for a folder that must not be there yet, in one that is.
///
/// # Errors
/// If it is there already, or cannot be made.
pub fn make_new_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().mode(PRIVATE).create(folder)
}

/// Writes a file that only the user can read.
///
/// # Errors
/// If it cannot be written.
pub fn write_private(file: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    options
        .mode(PRIVATE_FILE)
        .open(file)?
        .write_all(text.as_bytes())
}

/// The specification has paths that are not absolute ignored.
fn base(variable: &str, below_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    absolute(variable).or_else(|| Some(absolute("HOME")?.join(below_home)))
}
