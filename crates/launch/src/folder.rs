//! The folder that a trace is written into.
//!
//! A folder of ours may be recorded over; anything else is left alone. The old trace is moved
//! aside and comes back if the new recording fails, and a failed recording leaves no folder: a
//! [`TraceFolder`] that is dropped without [`TraceFolder::keep`] puts everything back.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use trace_format::files;

use crate::interrupt::{self, Duty};
use crate::{scratch, user_folders};

/// What follows in the name of a trace that is replaced just now; then comes the process that does it.
const ASIDE: &str = ".old-";

/// Why a trace cannot be written there.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("{} is not an Askance trace, so it is not overwritten", .0.display())]
    NotOurs(PathBuf),
    #[error("the trace cannot be written to {}: {source}", .path.display())]
    Unwritable { path: PathBuf, source: io::Error },
}

/// A folder that is being recorded into.
#[derive(Debug)]
pub struct TraceFolder {
    path: PathBuf,
    previous: Option<PathBuf>,
    answered_before: Option<PathBuf>,
    /// If we have to leave, what was recorded is there, and the trace before it is in the way.
    settled_before_leaving: Option<Duty>,
    /// An enclosing folder that was made for it.
    made_parent: Option<PathBuf>,
    /// One that goes away with it.
    scratch: Option<TempDir>,
    kept: bool,
}

impl TraceFolder {
    /// Makes the folder, or clears it if a trace was in it.
    ///
    /// # Errors
    /// If something that is no trace stands there, or nothing can be written there.
    pub fn create(path: &Path) -> Result<TraceFolder, FolderError> {
        let unwritable = |source| FolderError::Unwritable {
            path: path.to_owned(),
            source,
        };
        settle_abandoned(path);
        let mut previous = None;
        match std::fs::symlink_metadata(path) {
            Ok(_) if path.is_dir() => {
                if !is_ours(path) {
                    return Err(FolderError::NotOurs(path.to_owned()));
                }
                let aside = aside(path);
                std::fs::rename(path, &aside).map_err(unwritable)?;
                previous = Some(aside);
            }
            Ok(_) => return Err(FolderError::NotOurs(path.to_owned())),
            Err(_) => {}
        }
        let made = user_folders::make_new_private(path).map_err(unwritable);
        match made.and_then(|()| TraceFolder::made(path)) {
            Ok(mut folder) => {
                if let Some(previous) = previous {
                    let place = place_of_answered(&previous, &folder.path);
                    let both = (previous.clone(), place.clone());
                    let settled =
                        interrupt::before_leaving(move || settle(&both.0, both.1.as_deref()));
                    folder.settled_before_leaving = Some(settled);
                    folder.answered_before = place;
                    folder.previous = Some(previous);
                }
                Ok(folder)
            }
            Err(error) => {
                if let Some(previous) = previous {
                    let _ = std::fs::rename(previous, path);
                }
                Err(error)
            }
        }
    }

    /// A folder that was made for a trace just now.
    pub(crate) fn made(path: &Path) -> Result<TraceFolder, FolderError> {
        let path = path
            .canonicalize()
            .map_err(|source| FolderError::Unwritable {
                path: path.to_owned(),
                source,
            })?;
        Ok(TraceFolder {
            path,
            previous: None,
            answered_before: None,
            settled_before_leaving: None,
            made_parent: None,
            scratch: None,
            kept: false,
        })
    }

    /// Makes a folder with this name among the temporary files.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn temporary(name: &OsStr) -> Result<TraceFolder, FolderError> {
        let parent = tempfile::Builder::new()
            .prefix("askance-")
            .tempdir()
            .map_err(|source| FolderError::Unwritable {
                path: std::env::temp_dir(),
                source,
            })?;
        let mut folder = TraceFolder::create(&parent.path().join(name))?;
        folder.made_parent = Some(parent.keep());
        Ok(folder)
    }

    /// The same for a trace that nobody keeps.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn scratch(name: &OsStr) -> Result<TraceFolder, FolderError> {
        let parent = scratch::folder().map_err(|source| FolderError::Unwritable {
            path: std::env::temp_dir(),
            source,
        })?;
        let mut folder = TraceFolder::create(&parent.path().join(name))?;
        folder.scratch = Some(parent);
        Ok(folder)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The recording succeeded: the folder stays, the trace that was there before goes, unless somebody has answered
    /// questions about it.
    #[must_use]
    pub fn keep(mut self) -> PathBuf {
        self.kept = true;
        if let Some(previous) = self.previous.take() {
            self.settled_before_leaving.take();
            settle(&previous, self.answered_before.as_deref());
        }
        self.path.clone()
    }

    /// Where the trace goes that was there before, if somebody has answered questions about it.
    #[must_use]
    pub fn answered_before(&self) -> Option<&Path> {
        self.answered_before.as_deref()
    }
}

impl Drop for TraceFolder {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        let _ = std::fs::remove_dir_all(&self.path);
        if let Some(previous) = self.previous.take() {
            let _ = std::fs::rename(previous, &self.path);
        }
        if let Some(parent) = self.made_parent.take() {
            let _ = std::fs::remove_dir(parent);
        }
        self.scratch.take();
    }
}

/// Puts a trace away that was where a new one is now: in a place, if somebody has answered questions about it.
fn settle(previous: &Path, answered_before: Option<&Path>) {
    let _ = match answered_before {
        Some(place) => std::fs::rename(previous, place),
        None => std::fs::remove_dir_all(previous),
    };
}

/// Does the same for what tools have moved aside that were killed. If they have left nothing in its place, it comes
/// back.
fn settle_abandoned(path: &Path) {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return;
    };
    let parent = match parent.as_os_str().is_empty() {
        true => Path::new("."),
        false => parent,
    };
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let aside = entry.file_name();
        let owner = aside
            .to_str()
            .zip(name.to_str())
            .and_then(|(aside, name)| aside.strip_prefix(name)?.strip_prefix(ASIDE)?.parse().ok());
        if !owner.is_some_and(scratch::is_nobodys) || !is_ours(&entry.path()) {
            continue;
        }
        if path.exists() {
            settle(
                &entry.path(),
                place_of_answered(&entry.path(), path).as_deref(),
            );
        } else {
            let _ = std::fs::rename(entry.path(), path);
        }
    }
}

/// A free name for the trace that was at this path, if somebody has answered questions about it.
fn place_of_answered(previous: &Path, path: &Path) -> Option<PathBuf> {
    let mut entries = std::fs::read_dir(previous).ok()?.flatten();
    if !entries.any(|entry| has_answers(&entry.file_name().to_string_lossy())) {
        return None;
    }
    let name = |number: u32| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".before");
        if number > 1 {
            name.push(format!("-{number}"));
        }
        path.with_file_name(name)
    };
    (1..).map(name).find(|place| !place.exists())
}

fn aside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!("{ASIDE}{}", std::process::id()));
    path.with_file_name(name)
}

/// Whether a folder holds a trace and nothing else; an empty one may be used too.
fn is_ours(path: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(path) else {
        return false;
    };
    entries.flatten().all(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_folder = [files::IMPORTED, files::REFERENCES].contains(&&*name)
            || name.starts_with(files::JVM_PREFIX);
        [files::RUN, files::OUTPUT].contains(&&*name)
            || has_answers(&name)
            || is_folder && entry.path().is_dir()
    })
}

fn has_answers(name: &str) -> bool {
    name.starts_with(files::ANSWERS_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_recording_leaves_nothing() {
        let base = tempfile::tempdir().unwrap();
        drop(TraceFolder::create(&base.path().join("t")).unwrap());
        assert!(entries(base.path()).is_empty());
    }

    #[test]
    fn an_old_trace_comes_back_after_a_failure_and_goes_after_success() {
        let base = tempfile::tempdir().unwrap();
        let trace = base.path().join("t");
        std::fs::create_dir_all(trace.join("jvm-1")).unwrap();
        drop(TraceFolder::create(&trace).unwrap());
        assert_eq!(entries(&trace), ["jvm-1"]);
        let _ = TraceFolder::create(&trace).unwrap().keep();
        assert!(entries(&trace).is_empty());
        assert_eq!(entries(base.path()), ["t"]);
    }

    #[test]
    fn a_trace_that_somebody_answered_about_is_kept_beside_the_new_one() {
        let base = tempfile::tempdir().unwrap();
        let trace = base.path().join("t");
        for answers in ["first", "second"] {
            let folder = TraceFolder::create(&trace).unwrap();
            assert_eq!(folder.answered_before().is_some(), answers == "second");
            let path = folder.keep();
            std::fs::write(path.join(files::answers(1)), answers).unwrap();
        }
        let _ = TraceFolder::create(&trace).unwrap().keep();
        assert_eq!(entries(base.path()), ["t", "t.before", "t.before-2"]);
        let kept =
            |name: &str| std::fs::read_to_string(base.path().join(name).join(files::answers(1)));
        assert_eq!(kept("t.before").unwrap(), "first");
        assert_eq!(kept("t.before-2").unwrap(), "second");
    }

    #[test]
    fn what_a_killed_tool_moved_aside_is_put_away_by_the_next() {
        let base = tempfile::tempdir().unwrap();
        // No process has such a number.
        let gone = base.path().join(format!("t.old-{}", u32::MAX));
        std::fs::create_dir_all(gone.join("jvm-1")).unwrap();
        let trace = base.path().join("t");
        drop(TraceFolder::create(&trace).unwrap());
        // Nothing had come in its place.
        assert_eq!(entries(base.path()), ["t"]);
        assert_eq!(entries(&trace), ["jvm-1"]);

        std::fs::create_dir(&gone).unwrap();
        std::fs::write(gone.join(files::answers(1)), "answers").unwrap();
        let _ = TraceFolder::create(&trace).unwrap().keep();
        assert_eq!(entries(base.path()), ["t", "t.before"]);

        let diary = base.path().join(format!("t.old-{}", u32::MAX - 1));
        std::fs::create_dir(&diary).unwrap();
        std::fs::write(diary.join("diary.txt"), "dear").unwrap();
        let _ = TraceFolder::create(&trace).unwrap().keep();
        assert!(diary.exists());
    }

    #[test]
    fn nobody_else_can_look_into_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let base = tempfile::tempdir().unwrap();
        let folder = TraceFolder::create(&base.path().join("t")).unwrap();
        let mode = folder.path().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn what_is_not_a_trace_is_left_alone() {
        let base = tempfile::tempdir().unwrap();
        std::fs::write(base.path().join("diary.txt"), "dear").unwrap();
        assert!(matches!(
            TraceFolder::create(base.path()),
            Err(FolderError::NotOurs(_))
        ));
        let file = base.path().join("diary.txt");
        assert!(matches!(
            TraceFolder::create(&file),
            Err(FolderError::NotOurs(_))
        ));
        assert!(matches!(
            TraceFolder::create(&file.join("t")),
            Err(FolderError::Unwritable { .. })
        ));
        assert_eq!(entries(base.path()), ["diary.txt"]);
    }

    #[test]
    fn a_temporary_one_cleans_up_its_parent_too() {
        let folder = TraceFolder::temporary("Main.askance".as_ref()).unwrap();
        let parent = folder.path().parent().unwrap().to_owned();
        drop(folder);
        assert!(!parent.exists());
    }
}
