//! Which routine each call is a call of, in as few bytes as the number of routines allows.
//!
//! The topmost bit of an entry says that the call is chained to the sibling before it. Most trees have
//! few routines, so an entry has two bytes until a routine does not fit; what was written is then
//! written again with one byte more.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use debug_engine::RoutineId;
use trace_store::Map;

use super::columns::{Column, unwritable};
use super::{ImportError, file};

/// What an entry has at least, and at most: all that trees of the first version have.
const NARROWEST: usize = 2;
pub(super) const WIDEST: usize = 4;

/// The column while it is wider than the one that it will replace.
const WIDER: &str = "routines.wider";

/// The routine of a call, and whether the call is chained to its previous sibling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) routine: RoutineId,
    pub(super) is_chained: bool,
}

impl Entry {
    fn to_bytes(self, width: usize) -> [u8; WIDEST] {
        let chained = u32::from(self.is_chained) << (8 * width - 1);
        (self.routine.0 | chained).to_le_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let mut number = [0; WIDEST];
        number[..bytes.len()].copy_from_slice(bytes);
        let number = u32::from_le_bytes(number);
        let chained = 1 << (8 * bytes.len() - 1);
        Entry {
            routine: RoutineId(number & !chained),
            is_chained: number & chained != 0,
        }
    }
}

/// The column of an imported tree.
pub(super) struct Routines {
    entries: Map,
    width: usize,
}

impl Routines {
    /// `None` if these are not so many entries of this width.
    pub(super) fn new(entries: Map, width: usize, nodes: usize) -> Option<Self> {
        let is_whole = (NARROWEST..=WIDEST).contains(&width)
            && nodes.checked_mul(width) == Some(entries.bytes().len());
        is_whole.then_some(Routines { entries, width })
    }

    pub(super) fn get(&self, index: usize) -> Entry {
        let start = index * self.width;
        Entry::from_bytes(&self.entries.bytes()[start..start + self.width])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Entry> {
        let entries = self.entries.bytes().chunks_exact(self.width);
        entries.map(Entry::from_bytes)
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.bytes().len()
    }
}

/// The column as an import writes it.
pub(super) struct RoutineWriter {
    folder: PathBuf,
    column: Column,
    width: usize,
    entries: u32,
}

impl RoutineWriter {
    pub(super) fn create(folder: &Path) -> Result<Self, ImportError> {
        Ok(RoutineWriter {
            folder: folder.to_owned(),
            column: Column::create(folder, file::ROUTINES)?,
            width: NARROWEST,
            entries: 0,
        })
    }

    /// How many routines can be told apart at all.
    pub(super) const MOST: u32 = 1 << (8 * WIDEST - 1);

    pub(super) fn put(&mut self, entry: Entry) -> Result<(), ImportError> {
        while self.width < WIDEST && entry.routine.0 >> (8 * self.width - 1) != 0 {
            self.widen()?;
        }
        self.entries += 1;
        self.column.put(&entry.to_bytes(self.width)[..self.width])
    }

    /// Gives the bytes of an entry.
    pub(super) fn finish(&mut self) -> Result<usize, ImportError> {
        self.column.flush()?;
        Ok(self.width)
    }

    fn widen(&mut self) -> Result<(), ImportError> {
        self.column.flush()?;
        let path = self.folder.join(file::ROUTINES);
        let failed = |error| unwritable(&path, error);
        let mut narrow = BufReader::with_capacity(1 << 18, File::open(&path).map_err(failed)?);
        let mut wide = Column::create(&self.folder, WIDER)?;
        let mut entry = [0; WIDEST];
        let entry = &mut entry[..self.width];
        for _ in 0..self.entries {
            narrow.read_exact(entry).map_err(failed)?;
            let bytes = Entry::from_bytes(entry).to_bytes(self.width + 1);
            wide.put(&bytes[..self.width + 1])?;
        }
        wide.rename(&path)?;
        self.column = wide;
        self.width += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(
            few in prop::collection::vec((0u32..1 << 15, any::<bool>()), 0..40),
            some in prop::collection::vec((0u32..1 << 23, any::<bool>()), 0..3),
            many in prop::collection::vec((0u32..1 << 31, any::<bool>()), 0..3),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = RoutineWriter::create(folder.path()).unwrap();
            let entries: Vec<Entry> = [few, some, many]
                .concat()
                .into_iter()
                .map(|(routine, is_chained)| Entry { routine: RoutineId(routine), is_chained })
                .collect();
            for &entry in &entries {
                writer.put(entry).unwrap();
            }
            let width = writer.finish().unwrap();
            let largest = entries.iter().map(|entry| entry.routine.0).max().unwrap_or(0);
            let expected = match largest {
                0..0x8000 => 2,
                0x8000..0x80_0000 => 3,
                _ => 4,
            };
            prop_assert_eq!(width, expected);
            let map = Map::open(&folder.path().join(file::ROUTINES)).unwrap();
            let column = Routines::new(map, width, entries.len()).unwrap();
            prop_assert_eq!(column.iter().collect::<Vec<_>>(), entries.clone());
            for (index, &entry) in entries.iter().enumerate() {
                prop_assert_eq!(column.get(index), entry);
            }
        }
    }
}
