//! Where index files live, and when they are still right.
//!
//! An index is made in a folder of its own with a temporary name. Once it is complete, and the
//! trace will not grow any more, the folder is renamed to its final name, which either happens as
//! a whole or not at all; a stamp inside says which content of the trace it describes, and what
//! its files are known by: an index that is damaged is made again. The index of a trace that is
//! still growing keeps its temporary name, belongs to the process that made it and is removed with
//! it. Where the trace's folder cannot be written, or its disk is full, the system's folder for
//! temporary files serves.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use trace_format::files;

use crate::error::{IoContext, Result};
use crate::processes::is_gone;
use crate::seal::{Seal, read_checked, write_checked};

/// Changes whenever the layout of any index does.
const LAYOUT: u32 = 10;
const STAMP: &str = "stamp.json";
/// In place of the number, in the name of a folder that is being replaced.
const OLD: &str = "old";
/// What the names of private folders begin with that are not in the trace's folder.
const ELSEWHERE: &str = "askance-";

/// What an index was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    layout: u32,
    streams: [u64; 3],
    symbols: u64,
}

impl Stamp {
    pub(crate) fn new(streams: [u64; 3], symbols: u64) -> Self {
        Self {
            layout: LAYOUT,
            streams,
            symbols,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct StampFile<T> {
    stamp: Stamp,
    seal: Seal,
    content: T,
}

/// A folder of index files. A private one is deleted when it is dropped.
#[derive(Debug)]
pub(crate) struct IndexFolder {
    /// Changes when it is published.
    place: Mutex<FolderPlace>,
}

#[derive(Debug, Clone)]
struct FolderPlace {
    path: PathBuf,
    private: bool,
}

impl IndexFolder {
    /// The published index `name` of a trace, if it describes what the trace holds now and is not damaged.
    pub(crate) fn find<T: for<'de> Deserialize<'de>>(
        trace: &Path,
        name: &str,
        stamp: &Stamp,
    ) -> Option<(Self, T)> {
        let path = trace.join(files::INDEX).join(name);
        let file = read_checked::<StampFile<T>>(&path.join(STAMP))?;
        let is_right = file.stamp == *stamp && file.seal.is_whole(&path);
        is_right.then(|| (Self::at(path, false), file.content))
    }

    /// A new, empty, private folder. Those of processes that were killed are removed first.
    pub(crate) fn create(trace: &Path, name: &str) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        remove_abandoned(&trace.join(files::INDEX), "");
        remove_abandoned(&std::env::temp_dir(), ELSEWHERE);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let beside = trace
            .join(files::INDEX)
            .join(format!("{name}.{process}.{number}"));
        if !is_short_of_room(trace) && fs::create_dir_all(&beside).is_ok() {
            return Ok(Self::at(beside, true));
        }
        let elsewhere = std::env::temp_dir().join(format!("{ELSEWHERE}{name}.{process}.{number}"));
        make_private(&elsewhere).during("create", &elsewhere)?;
        Ok(Self::at(elsewhere, true))
    }

    fn at(path: PathBuf, private: bool) -> Self {
        if private {
            unfinished().insert(path.clone());
        }
        Self {
            place: Mutex::new(FolderPlace { path, private }),
        }
    }

    fn place(&self) -> MutexGuard<'_, FolderPlace> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the folder its final name. Whoever has files of an older one open keeps them. If
    /// that fails (say, the folder for temporary files was used), the index stays private.
    pub(crate) fn publish<T: Serialize>(
        &self,
        trace: &Path,
        name: &str,
        stamp: &Stamp,
        content: T,
    ) {
        let target = trace.join(files::INDEX).join(name);
        let mut place = self.place();
        if place.path.parent() != target.parent() {
            return;
        }
        let Ok(seal) = Seal::of(&place.path, STAMP) else {
            return;
        };
        let file = StampFile {
            stamp: stamp.clone(),
            seal,
            content,
        };
        if write_checked(&place.path.join(STAMP), &file).is_err() {
            return;
        }
        // A folder cannot be renamed over a full one: move the old one away first.
        let old = place.path.with_extension(OLD);
        let moved = fs::rename(&target, &old).is_ok();
        if fs::rename(&place.path, &target).is_ok() {
            unfinished().remove(&place.path);
            *place = FolderPlace {
                path: target,
                private: false,
            };
        }
        if moved {
            let _ = fs::remove_dir_all(&old);
        }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.place().path.join(name)
    }
}

/// Makes a folder among everybody's temporary files: nobody else may look into it, and it is not one that somebody
/// else has put there. The trace's own folder need not be private, but an index of it holds what the program held.
fn make_private(folder: &Path) -> std::io::Result<()> {
    DirBuilder::new().mode(0o700).create(folder)
}

/// Whether the indexes of a trace, which may get as large as itself, are better made among the
/// temporary files: there is more room there, and not enough here.
fn is_short_of_room(trace: &Path) -> bool {
    let room = |folder: &Path| {
        let disk = rustix::fs::statvfs(folder).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    };
    let needed = fs::metadata(trace.join(files::CHUNKS)).map_or(0, |chunks| chunks.len());
    match (room(trace), room(&std::env::temp_dir())) {
        (Some(here), Some(elsewhere)) => here < needed && here < elsewhere,
        _ => false,
    }
}

/// Removes private folders, `NAME.PROCESS.NUMBER`, of processes that are gone.
fn remove_abandoned(parent: &Path, prefix: &str) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name
            .to_str()
            .and_then(|name| name.strip_prefix(prefix))
            .and_then(process_of);
        if process.is_some_and(is_gone) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn process_of(name: &str) -> Option<u32> {
    let mut parts = name.split('.');
    let process = parts.nth(1)?.parse().ok()?;
    let number = parts.next()?;
    let is_ours = number == OLD || number.parse::<u64>().is_ok();
    (is_ours && parts.next().is_none()).then_some(process)
}

impl Drop for IndexFolder {
    fn drop(&mut self) {
        let FolderPlace { path, private } = self.place().clone();
        if private {
            remove(&path);
            unfinished().remove(&path);
        }
    }
}

/// The private folders of this process.
fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every index that is not finished, for a process that is about to end without dropping them.
pub fn remove_unfinished() {
    for path in std::mem::take(&mut *unfinished()) {
        remove(&path);
    }
}

fn remove(path: &Path) {
    let _ = fs::remove_dir_all(path);
    // Leaves nothing behind in a trace that never got an index.
    if let Some(parent) = path.parent().filter(|path| path.ends_with(files::INDEX)) {
        let _ = fs::remove_dir(parent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn among_temporary_files_it_is_nobody_elses() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("askance-calls.1.0");
        make_private(&elsewhere).unwrap();
        let mode = elsewhere.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        // Somebody else may have made one of this name, to look into it later.
        assert!(make_private(&elsewhere).is_err());
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let trace = tempfile::tempdir().unwrap();
        let index = trace.path().join(files::INDEX);
        // No process has such a number.
        let gone = u32::MAX;
        let abandoned = [format!("calls.{gone}.0"), format!("writes.{gone}.old")];
        let own = format!("objects.{}.77", std::process::id());
        let kept = ["calls", "calls.json", "a.b.c", &own];
        for name in abandoned.iter().map(String::as_str).chain(kept) {
            fs::create_dir_all(index.join(name)).unwrap();
            fs::write(index.join(name).join("rows"), "x").unwrap();
        }
        let folder = IndexFolder::create(trace.path(), "calls").unwrap();
        for name in &abandoned {
            assert!(!index.join(name).exists(), "{name}");
        }
        for name in kept {
            assert!(index.join(name).exists(), "{name}");
        }
        assert!(folder.place().path.exists());
    }
}
