//! The traces that are kept for the user without having been asked for: those of `debug`.
//!
//! They lie in the user's state, where nobody else sees them and no restart of the machine takes them away, so somebody
//! has to tidy up: old ones go, and the oldest if all take too much. The newest stays whatever it takes, and so does
//! one that was written to a moment ago, because it may still be growing.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use trace_format::RunFile;
use trace_store::read_run_file;

use crate::folder::{FolderError, TraceFolder};
use crate::user_folders;

/// What was written to since may still be recorded or asked about.
const A_MOMENT: Duration = Duration::from_secs(60 * 60);

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepLimits {
    pub age: Duration,
    /// Of all together.
    pub bytes: u64,
}

impl Default for KeepLimits {
    fn default() -> Self {
        KeepLimits {
            age: Duration::from_secs(30 * 24 * 60 * 60),
            bytes: 20 << 30,
        }
    }
}

impl KeepLimits {
    /// Nothing but what always stays.
    pub const NOTHING: KeepLimits = KeepLimits {
        age: Duration::ZERO,
        bytes: 0,
    };
}

/// See the module's header.
#[derive(Clone, Debug)]
pub struct KeptTraces {
    folder: PathBuf,
}

/// A trace that is kept.
#[derive(Debug)]
pub struct KeptTrace {
    pub path: PathBuf,
    /// What was recorded, if that can be read.
    pub run: Option<RunFile>,
    pub bytes: u64,
    /// When it was last written to, by the program or by who was asked about it.
    pub changed: SystemTime,
}

impl KeptTraces {
    /// Those of this user; `None` if the environment does not say where the user's files are.
    #[must_use]
    pub fn this() -> Option<KeptTraces> {
        Some(KeptTraces::in_folder(user_folders::state()?.join("traces")))
    }

    #[must_use]
    pub fn in_folder(folder: PathBuf) -> KeptTraces {
        KeptTraces { folder }
    }

    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A folder for a new trace, whose name begins with this one.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn create(&self, name: &OsStr) -> Result<TraceFolder, FolderError> {
        let unwritable = |source| FolderError::Unwritable {
            path: self.folder.clone(),
            source,
        };
        user_folders::make_private(&self.folder).map_err(unwritable)?;
        for number in 1_u32.. {
            let mut file = name.to_owned();
            if number > 1 {
                file.push(format!("-{number}"));
            }
            file.push(".askance");
            let path = self.folder.join(file);
            // Whoever makes it owns it: another process may look for a name at the same time.
            match user_folders::make_new_private(&path) {
                Ok(()) => return TraceFolder::made(&path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(unwritable(error)),
            }
        }
        Err(unwritable(io::Error::other("there are too many traces")))
    }

    /// All of them, the newest first.
    ///
    /// # Errors
    /// If the folder is there and cannot be read.
    pub fn list(&self) -> io::Result<Vec<KeptTrace>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut traces = Vec::new();
        for entry in entries {
            let entry = entry?;
            let is_trace = entry.path().extension() == Some(OsStr::new("askance"));
            if is_trace && entry.file_type()?.is_dir() {
                traces.push(KeptTrace::at(entry.path()));
            }
        }
        traces.sort_by(|one, other| {
            other
                .changed
                .cmp(&one.changed)
                .then(one.path.cmp(&other.path))
        });
        Ok(traces)
    }

    /// Removes what is too old or too much, and gives what was removed.
    ///
    /// # Errors
    /// If the folder cannot be read, or a trace cannot be removed.
    pub fn tidy(&self, limits: KeepLimits) -> io::Result<Vec<KeptTrace>> {
        let now = SystemTime::now();
        let mut removed = Vec::new();
        let mut sum = 0_u64;
        for (place, trace) in self.list()?.into_iter().enumerate() {
            let age = now.duration_since(trace.changed).unwrap_or_default();
            let fits = sum.saturating_add(trace.bytes) <= limits.bytes && age <= limits.age;
            if place == 0 || age < A_MOMENT || fits {
                sum = sum.saturating_add(trace.bytes);
            } else {
                std::fs::remove_dir_all(&trace.path)?;
                removed.push(trace);
            }
        }
        Ok(removed)
    }
}

impl KeptTrace {
    /// A file that goes away meanwhile counts for nothing.
    fn at(path: PathBuf) -> KeptTrace {
        let mut trace = KeptTrace {
            run: read_run_file(&path),
            bytes: 0,
            changed: SystemTime::UNIX_EPOCH,
            path,
        };
        let mut folders = vec![trace.path.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let Ok(metadata) = entry.metadata() else {
                    continue;
                };
                if metadata.is_dir() {
                    folders.push(entry.path());
                } else {
                    trace.bytes += metadata.len();
                    trace.changed = metadata
                        .modified()
                        .map_or(trace.changed, |at| trace.changed.max(at));
                }
            }
        }
        trace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// Traces of one kilobyte each, so many days old.
    fn traces(folder: &Path, days: &[u32]) -> KeptTraces {
        let traces = KeptTraces::in_folder(folder.join("traces"));
        for &age in days {
            let path = traces.create("Main".as_ref()).unwrap().keep();
            let file = std::fs::File::create(path.join("run.json")).unwrap();
            file.set_len(1024).unwrap();
            file.set_modified(SystemTime::now() - DAY * age).unwrap();
        }
        traces
    }

    fn names(traces: &[KeptTrace]) -> Vec<&str> {
        let name =
            |trace: &'_ KeptTrace| trace.path.file_name().unwrap().to_str().unwrap().to_owned();
        traces.iter().map(name).map(|name| &*name.leak()).collect()
    }

    #[test]
    fn the_newest_comes_first_and_names_do_not_clash() {
        let folder = tempfile::tempdir().unwrap();
        let traces = traces(folder.path(), &[3, 1, 2]);
        let all = traces.list().unwrap();
        assert_eq!(
            names(&all),
            ["Main-2.askance", "Main-3.askance", "Main.askance"]
        );
        assert!(all.iter().all(|trace| trace.bytes == 1024));
    }

    #[test]
    fn what_is_too_old_goes() {
        let folder = tempfile::tempdir().unwrap();
        let traces = traces(folder.path(), &[40, 2, 31]);
        let removed = traces.tidy(KeepLimits::default()).unwrap();
        assert_eq!(names(&removed), ["Main-3.askance", "Main.askance"]);
        assert_eq!(names(&traces.list().unwrap()), ["Main-2.askance"]);
    }

    #[test]
    fn the_oldest_go_if_all_take_too_much_but_never_the_newest_or_one_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let traces = traces(folder.path(), &[9, 0, 0, 2]);
        let limits = KeepLimits {
            bytes: 3 * 1024,
            ..KeepLimits::default()
        };
        assert_eq!(names(&traces.tidy(limits).unwrap()), ["Main.askance"]);
        assert_eq!(
            names(&traces.tidy(KeepLimits::NOTHING).unwrap()),
            ["Main-4.askance"]
        );
        assert_eq!(traces.list().unwrap().len(), 2);
    }

    #[test]
    fn where_nothing_was_kept_there_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let traces = KeptTraces::in_folder(folder.path().join("traces"));
        assert!(traces.list().unwrap().is_empty());
        assert!(traces.tidy(KeepLimits::NOTHING).unwrap().is_empty());
    }
}
