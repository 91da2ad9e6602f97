//! Hybrids on disk, where the agent finds them.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use tempfile::TempDir;
use trace_format::hybrids::{HybridEntry, LIST, REPLACED};

use crate::hybrid::Hybrid;

/// A folder of hybrids; it goes away with this.
#[derive(Debug)]
pub(crate) struct HybridFolder {
    folder: TempDir,
    wanted: BTreeSet<String>,
}

impl HybridFolder {
    pub(crate) fn new(hybrid: &Hybrid) -> io::Result<HybridFolder> {
        let folder = launch::scratch::folder()?;
        let mut count = 0;
        let mut file = |bytes: &[u8]| -> io::Result<String> {
            let name = count.to_string();
            count += 1;
            std::fs::write(folder.path().join(&name), bytes)?;
            Ok(name)
        };
        let mut list = String::new();
        for class in &hybrid.classes {
            let added = class.added.iter().map(|bytes| file(bytes));
            let added = added.collect::<io::Result<Vec<String>>>()?;
            let entry = HybridEntry {
                class: class.name.clone(),
                original: file(&class.original)?,
                hybrid: file(&class.bytes)?,
                added,
            };
            list.push_str(&entry.line());
        }
        std::fs::write(folder.path().join(LIST), list)?;
        let wanted = hybrid.classes.iter().map(|class| class.name.clone());
        Ok(HybridFolder {
            wanted: wanted.collect(),
            folder,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Whether any of the classes was replaced: if not, nothing was tried.
    pub(crate) fn was_used(&self) -> bool {
        let replaced = std::fs::read_to_string(self.path().join(REPLACED)).unwrap_or_default();
        replaced.lines().any(|class| self.wanted.contains(class))
    }
}
