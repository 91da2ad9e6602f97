//! The columns of threads that did little, one after the other in one file: a run may have a hundred thousand of them.
//!
//! Of each thread: the lengths of its columns in bytes, then the columns, in the order in which they are
//! named. All begin at
//! numbers of eight bytes, as whoever reads them in place needs it.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use crate::error::{IoContext, Result};
use crate::index_folder::IndexFolder;
use crate::map::{Map, bytes_of_u64s};

const NAME: &str = "shared";
const WORD: usize = size_of::<u64>();

/// As many as [`columns`](crate::columns) names.
pub(crate) const COLUMNS: usize = 9;

/// The file, while it is written.
#[derive(Debug)]
pub(crate) struct SharedWriter {
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
}

impl SharedWriter {
    pub(crate) fn create(folder: &IndexFolder) -> Result<Self> {
        let path = folder.file(NAME);
        let file = File::create(&path).during("create", &path)?;
        Ok(Self {
            path,
            file: BufWriter::new(file),
            length: 0,
        })
    }

    /// Appends a thread's columns and returns where they stand.
    pub(crate) fn add(&mut self, columns: [Vec<u8>; COLUMNS]) -> Result<u64> {
        let at = self.length;
        let lengths = columns.each_ref().map(|column| column.len() as u64);
        self.append(bytes_of_u64s(&lengths))?;
        columns.iter().try_for_each(|column| self.append(column))?;
        Ok(at)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let padding = &[0; WORD][..bytes.len().next_multiple_of(WORD) - bytes.len()];
        let written = self.file.write_all(bytes);
        let written = written.and_then(|()| self.file.write_all(padding));
        self.length += (bytes.len() + padding.len()) as u64;
        written.during("write", &self.path)
    }

    pub(crate) fn end(mut self) -> Result<()> {
        self.file.flush().during("write", &self.path)
    }
}

/// The file, mapped; empty if no thread has anything in it.
pub(crate) fn open(folder: &IndexFolder) -> Result<Arc<Map>> {
    let path = folder.file(NAME);
    let map = if path.exists() {
        Map::open(&path)?
    } else {
        Map::default()
    };
    Ok(Arc::new(map))
}

/// The columns of the thread that stand there; `None` if they do not.
pub(crate) fn columns(shared: &Arc<Map>, at: u64) -> Option<[Map; COLUMNS]> {
    let at = usize::try_from(at).ok()?;
    let begin = at.checked_add(COLUMNS * WORD)?;
    let lengths = Map::part(shared, at..begin)?;
    let mut next = begin;
    let mut columns: [Map; COLUMNS] = Default::default();
    for (column, &length) in columns.iter_mut().zip(lengths.u64s()) {
        let end = next.checked_add(usize::try_from(length).ok()?)?;
        *column = Map::part(shared, next..end)?;
        next = end.checked_next_multiple_of(WORD)?;
    }
    Some(columns)
}
