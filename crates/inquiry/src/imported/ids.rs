//! The numbers that the calls have in the file. Where each is one more than the one before it, the first
//! one says them all and there is no column.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};

use trace_store::Map;

use super::columns::{Column, unwritable};
use super::{ImportError, file};

/// How many numbers are compared at a time.
const COMPARED: usize = 16_000_000;

/// The numbers of an imported tree.
pub(super) enum Ids {
    From(u64),
    Listed(Map),
}

impl Ids {
    pub(super) fn get(&self, index: usize) -> Option<u64> {
        match self {
            Ids::From(first) => Some(first + index as u64),
            Ids::Listed(column) => column.u64s().get(index).copied(),
        }
    }

    /// Whether so many calls have one.
    pub(super) fn has(&self, nodes: usize) -> bool {
        match self {
            Ids::From(first) => first.checked_add(nodes as u64).is_some(),
            Ids::Listed(column) => column.u64s().len() == nodes,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Ids::From(_) => 0,
            Ids::Listed(column) => column.bytes().len(),
        }
    }
}

/// The numbers as an import writes them.
pub(super) struct IdWriter {
    folder: PathBuf,
    first: u64,
    count: u64,
    /// As soon as the first one does not say them all.
    column: Option<Column>,
}

impl IdWriter {
    pub(super) fn new(folder: &Path) -> Self {
        IdWriter {
            folder: folder.to_owned(),
            first: 0,
            count: 0,
            column: None,
        }
    }

    pub(super) fn put(&mut self, id: u64) -> Result<(), ImportError> {
        if self.count == 0 {
            self.first = id;
        }
        let is_next = self.first.checked_add(self.count) == Some(id) && id < u64::MAX;
        if self.column.is_none() && !is_next {
            let mut column = Column::create(&self.folder, file::IDS)?;
            for known in self.first..self.first + self.count {
                column.put(&known.to_le_bytes())?;
            }
            self.column = Some(column);
        }
        self.count += 1;
        match &mut self.column {
            Some(column) => column.put(&id.to_le_bytes()),
            None => Ok(()),
        }
    }

    /// Whether one of the calls so far has this number.
    pub(super) fn contains(&mut self, wanted: u64) -> Result<bool, ImportError> {
        let Some(column) = &mut self.column else {
            let known = self.first..self.first + self.count;
            return Ok(known.contains(&wanted));
        };
        column.flush()?;
        let path = &column.path;
        let mut ids = listed(path).map_err(|source| ImportError::Unreadable {
            path: path.clone(),
            source,
        })?;
        Ok(ids.any(|id| id == wanted))
    }

    /// A number that two calls have: the number, and the later call counted from 0.
    pub(super) fn find_twice(&mut self) -> Result<Option<(u64, u32)>, ImportError> {
        let Some(column) = &mut self.column else {
            return Ok(None);
        };
        column.flush()?;
        let path = &column.path;
        let parts = self.count.div_ceil(COMPARED as u64);
        for part in 0..parts {
            let all = listed(path).map_err(|error| unwritable(path, error))?;
            let mut some: Vec<(u64, u32)> =
                all.zip(0..).filter(|(id, _)| id % parts == part).collect();
            some.sort_unstable();
            let pairs = some.windows(2).filter(|pair| pair[0].0 == pair[1].0);
            let twice = pairs.map(|pair| pair[1]);
            if let Some(twice) = twice.min_by_key(|&(_, node)| node) {
                return Ok(Some(twice));
            }
        }
        Ok(None)
    }

    /// Gives the first number, if it says them all.
    pub(super) fn finish(&mut self) -> Result<Option<u64>, ImportError> {
        match &mut self.column {
            Some(column) => column.flush().map(|()| None),
            None => Ok(Some(self.first)),
        }
    }
}

/// The numbers in the column, in order.
fn listed(path: &Path) -> io::Result<impl Iterator<Item = u64>> {
    let mut input = BufReader::with_capacity(1 << 20, File::open(path)?);
    Ok(std::iter::from_fn(move || {
        let mut bytes = [0; 8];
        input.read_exact(&mut bytes).ok()?;
        Some(u64::from_le_bytes(bytes))
    }))
}
