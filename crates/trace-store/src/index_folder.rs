//! Where index files live, and when they are still right.
//!
//! An index is made in a folder of its own with a temporary name. Once it is complete, and the
//! trace will not grow any more, the folder is renamed to its final name, which either happens as
//! a whole or not at all; a stamp inside says which content of the trace it describes. The index
//! of a trace that is still growing keeps its temporary name, belongs to the process that made
//! it and is removed with it. Where the trace's folder cannot be written, the system's folder for
//! temporary files serves.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use trace_format::files;

use crate::error::{IoContext, Result};

/// Changes whenever the layout of any index does.
const LAYOUT: u32 = 2;
const STAMP: &str = "stamp.json";

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
    content: T,
}

/// A folder of index files. A private one is deleted when it is dropped.
#[derive(Debug)]
pub(crate) struct IndexFolder {
    path: PathBuf,
    private: bool,
}

impl IndexFolder {
    /// The published index `name` of a trace, if it describes what the trace holds now.
    pub(crate) fn find<T: for<'de> Deserialize<'de>>(
        trace: &Path,
        name: &str,
        stamp: &Stamp,
    ) -> Option<(Self, T)> {
        let path = trace.join(files::INDEX).join(name);
        let json = fs::read(path.join(STAMP)).ok()?;
        let file: StampFile<T> = serde_json::from_slice(&json).ok()?;
        (file.stamp == *stamp).then_some((
            Self {
                path,
                private: false,
            },
            file.content,
        ))
    }

    /// A new, empty, private folder.
    pub(crate) fn create(trace: &Path, name: &str) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let beside = trace
            .join(files::INDEX)
            .join(format!("{name}.{process}.{number}"));
        if fs::create_dir_all(&beside).is_ok() {
            return Ok(Self {
                path: beside,
                private: true,
            });
        }
        let elsewhere = std::env::temp_dir().join(format!("askance-{name}.{process}.{number}"));
        fs::create_dir_all(&elsewhere).during("create", &elsewhere)?;
        Ok(Self {
            path: elsewhere,
            private: true,
        })
    }

    /// Gives the folder its final name. Whoever has files of an older one open keeps them. If
    /// that fails (say, the folder for temporary files was used), the index stays private.
    pub(crate) fn publish<T: Serialize>(
        &mut self,
        trace: &Path,
        name: &str,
        stamp: &Stamp,
        content: T,
    ) {
        let target = trace.join(files::INDEX).join(name);
        if self.path.parent() != target.parent() {
            return;
        }
        let file = StampFile {
            stamp: stamp.clone(),
            content,
        };
        let Ok(json) = serde_json::to_vec(&file) else {
            return;
        };
        if fs::write(self.path.join(STAMP), json).is_err() {
            return;
        }
        // A folder cannot be renamed over a full one: move the old one away first.
        let old = self.path.with_extension("old");
        let moved = fs::rename(&target, &old).is_ok();
        if fs::rename(&self.path, &target).is_ok() {
            self.path = target;
            self.private = false;
        }
        if moved {
            let _ = fs::remove_dir_all(&old);
        }
    }

    pub(crate) fn is_private(&self) -> bool {
        self.private
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for IndexFolder {
    fn drop(&mut self) {
        if self.private {
            let _ = fs::remove_dir_all(&self.path);
            // Leaves nothing behind in a trace that never got an index.
            if let Some(parent) = self
                .path
                .parent()
                .filter(|path| path.ends_with(files::INDEX))
            {
                let _ = fs::remove_dir(parent);
            }
        }
    }
}
