//! Folders that are needed for a moment.
//!
//! They go away when they are dropped, and when a signal ends the process. A tool that is killed drops nothing, so
//! their names tell whose they were, and the next one removes what belongs to nobody.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::interrupt::{self, Duty};
use crate::user_folders;

const PREFIX: &str = "askance-scratch-";

/// A new one among the temporary files, into which only the user can look.
///
/// # Errors
/// If there is no place for it.
pub fn folder() -> io::Result<TempDir> {
    static CLEARED: OnceLock<Duty> = OnceLock::new();
    CLEARED.get_or_init(|| {
        remove_abandoned();
        interrupt::before_leaving(|| remove_those(&std::env::temp_dir(), is_mine))
    });
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).permissions(user_folders::private());
    builder.tempdir()
}

/// Removes those of processes that are no more.
fn remove_abandoned() {
    remove_those(&std::env::temp_dir(), is_nobodys);
}

/// Whether a process is no more.
pub(crate) fn is_nobodys(owner: u32) -> bool {
    !Path::new(&format!("/proc/{owner}")).exists()
}

fn is_mine(owner: u32) -> bool {
    owner == std::process::id()
}

/// The process that has made the folder of this name.
pub(crate) fn owner(name: &OsStr) -> Option<u32> {
    let (owner, _) = name.to_str()?.strip_prefix(PREFIX)?.split_once('-')?;
    owner.parse().ok()
}

fn remove_those(place: &Path, goes: impl Fn(u32) -> bool) {
    let Ok(entries) = std::fs::read_dir(place) else {
        return;
    };
    for entry in entries.flatten() {
        if owner(&entry.file_name()).is_some_and(&goes) {
            // Somebody else may be removing it as well.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_else_can_look_into_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = folder().unwrap();
        let mode = folder.path().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn only_what_belongs_to_nobody_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let mine = place
            .path()
            .join(format!("{PREFIX}{}-x", std::process::id()));
        // No process has a number like this.
        let abandoned = place.path().join(format!("{PREFIX}4294967295-x"));
        let other = place.path().join("askance-scratch");
        for folder in [&mine, &abandoned, &other] {
            std::fs::create_dir(folder).unwrap();
        }
        remove_those(place.path(), is_nobodys);
        assert!(mine.exists() && other.exists());
        assert!(!abandoned.exists());
        remove_those(place.path(), is_mine);
        assert!(!mine.exists() && other.exists());
    }
}
