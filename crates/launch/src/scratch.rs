//! Folders that are needed for a moment.
//!
//! They go away when they are dropped. A tool that is killed drops nothing, so their names tell whose they were, and
//! the next one removes what belongs to nobody.

use std::io;
use std::path::Path;

use tempfile::TempDir;

const PREFIX: &str = "askance-scratch-";

/// A new one among the temporary files.
///
/// # Errors
/// If there is no place for it.
pub fn folder() -> io::Result<TempDir> {
    let prefix = format!("{PREFIX}{}-", std::process::id());
    tempfile::Builder::new().prefix(&prefix).tempdir()
}

/// Removes those of processes that are no more.
pub fn remove_abandoned() {
    remove_abandoned_in(&std::env::temp_dir());
}

fn remove_abandoned_in(place: &Path) {
    let Ok(entries) = std::fs::read_dir(place) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'))
            .and_then(|(owner, _)| owner.parse::<u32>().ok());
        if owner.is_some_and(|owner| !Path::new(&format!("/proc/{owner}")).exists()) {
            // Somebody else may be removing it as well.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        remove_abandoned_in(place.path());
        assert!(mine.exists() && other.exists());
        assert!(!abandoned.exists());
    }
}
