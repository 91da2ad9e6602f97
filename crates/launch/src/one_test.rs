//! The runner of single test methods of JUnit 3 and 4, whose own runner takes whole classes only.
//!
//! It is an archive with one class, kept among the user's cached files: the command that a trace was recorded with
//! names it, and may be run again when a reference is asked. What comes from an archive and is no class of the program
//! is not recorded.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use zip::write::{SimpleFileOptions, ZipWriter};

use crate::user_folders;

/// The main class, by its internal name.
pub const MAIN: &str = "askance/OneTest";

const CLASS: &[u8] = include_bytes!("../../../java-runtime/runner/askance/OneTest.class");

/// The archive, which is written if it is not there.
///
/// # Errors
/// If there is no place for cached files, or it cannot be written to.
pub fn archive() -> io::Result<PathBuf> {
    let folder =
        user_folders::cache().ok_or_else(|| io::Error::other("no folder for cached files"))?;
    let version = env!("CARGO_PKG_VERSION");
    let path = folder.join(format!("one-test-{version}-{}.jar", CLASS.len()));
    if !path.is_file() {
        write(&folder, &path)?;
    }
    Ok(path)
}

/// Another process may write it at the same time: it is moved to its place when it is whole.
fn write(folder: &Path, path: &Path) -> io::Result<()> {
    user_folders::make_private(folder)?;
    let draft = tempfile::NamedTempFile::new_in(folder)?;
    let mut archive = ZipWriter::new(draft);
    archive.start_file(format!("{MAIN}.class"), SimpleFileOptions::default())?;
    archive.write_all(CLASS)?;
    archive.finish()?.persist(path)?;
    Ok(())
}
