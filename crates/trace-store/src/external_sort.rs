//! Sorting more rows than memory should hold.
//!
//! Rows are collected until a buffer is full, sorted and written out as a run; the runs are then
//! merged. Rows are a few words and order as such, word by word.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{IoContext, Result};
use crate::map::bytes_of_u64s;

/// Bytes of rows in memory.
const BUFFER: usize = 64 << 20;

pub(crate) struct ExternalSort<const WORDS: usize> {
    target: PathBuf,
    rows: Vec<[u64; WORDS]>,
    capacity: usize,
    runs: Vec<PathBuf>,
}

impl<const WORDS: usize> ExternalSort<WORDS> {
    /// `target` will hold the sorted rows; runs are kept beside it.
    pub(crate) fn new(target: PathBuf) -> Self {
        Self::with_capacity(target, BUFFER / (8 * WORDS))
    }

    pub(crate) fn with_capacity(target: PathBuf, capacity: usize) -> Self {
        Self {
            target,
            rows: Vec::new(),
            capacity: capacity.max(1),
            runs: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows, sorted, if there are no more than so many.
    pub(crate) fn into_few(mut self, most: usize) -> std::result::Result<Vec<[u64; WORDS]>, Self> {
        if !self.runs.is_empty() || self.rows.len() > most {
            return Err(self);
        }
        self.rows.sort_unstable();
        self.rows.shrink_to_fit();
        Ok(self.rows)
    }

    #[inline]
    pub(crate) fn push(&mut self, row: [u64; WORDS]) -> Result<()> {
        if self.rows.len() == self.capacity {
            self.write_run()?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// Writes the sorted rows; `seen` is given each of them, in order.
    pub(crate) fn finish_showing(mut self, mut seen: impl FnMut(&[u64; WORDS])) -> Result<()> {
        if self.runs.is_empty() {
            self.rows.sort_unstable();
            self.rows.iter().for_each(seen);
            return write_rows(&self.target, &self.rows);
        }
        self.write_run()?;
        self.rows = Vec::new();
        self.merge(&mut seen)
    }

    fn write_run(&mut self) -> Result<()> {
        self.rows.sort_unstable();
        let path = self
            .target
            .with_extension(format!("run{}", self.runs.len()));
        write_rows(&path, &self.rows)?;
        self.runs.push(path);
        self.rows.clear();
        Ok(())
    }

    fn merge(&self, seen: &mut impl FnMut(&[u64; WORDS])) -> Result<()> {
        let mut readers = Vec::new();
        for path in &self.runs {
            let file = File::open(path).during("open", path)?;
            readers.push(BufReader::with_capacity(1 << 18, file));
        }
        let mut queue = BinaryHeap::new();
        for (number, reader) in readers.iter_mut().enumerate() {
            if let Some(row) = read::<WORDS>(reader, &self.target)? {
                queue.push(Reverse((row, number)));
            }
        }
        let file = File::create(&self.target).during("create", &self.target)?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        while let Some(mut least) = queue.peek_mut() {
            let Reverse((row, number)) = *least;
            seen(&row);
            out.write_all(bytes_of_u64s(&row))
                .during("write", &self.target)?;
            match read::<WORDS>(&mut readers[number], &self.target)? {
                Some(row) => *least = Reverse((row, number)),
                None => {
                    std::collections::binary_heap::PeekMut::pop(least);
                }
            }
        }
        out.flush().during("write", &self.target)?;
        for path in &self.runs {
            std::fs::remove_file(path).during("remove", path)?;
        }
        Ok(())
    }
}

/// Writes rows as they come.
pub(crate) fn write_all<const WORDS: usize>(
    target: &Path,
    rows: impl Iterator<Item = [u64; WORDS]>,
) -> Result<()> {
    let file = File::create(target).during("create", target)?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    for row in rows {
        out.write_all(bytes_of_u64s(&row)).during("write", target)?;
    }
    out.flush().during("write", target)
}

/// The rows of several sorted parts, in order.
pub(crate) fn merged<const WORDS: usize>(
    mut parts: Vec<&[[u64; WORDS]]>,
) -> impl Iterator<Item = [u64; WORDS]> {
    std::iter::from_fn(move || {
        let filled = parts.iter_mut().filter(|part| !part.is_empty());
        let least = filled.min_by_key(|part| part[0])?;
        let (row, rest) = least.split_first()?;
        *least = rest;
        Some(*row)
    })
}

pub(crate) fn write_rows<const WORDS: usize>(path: &Path, rows: &[[u64; WORDS]]) -> Result<()> {
    let bytes = bytes_of_u64s(rows.as_flattened());
    std::fs::write(path, bytes).during("write", path)
}

fn read<const WORDS: usize>(reader: &mut impl Read, path: &Path) -> Result<Option<[u64; WORDS]>> {
    let mut row = [0; WORDS];
    for (at, word) in row.iter_mut().enumerate() {
        let mut bytes = [0; 8];
        match reader.read_exact(&mut bytes) {
            Ok(()) => *word = u64::from_le_bytes(bytes),
            Err(error) if at == 0 && error.kind() == std::io::ErrorKind::UnexpectedEof => {
                return Ok(None);
            }
            Err(error) => return Err(error).during("read", path),
        }
    }
    Ok(Some(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Map;

    #[test]
    fn sorts_across_runs() {
        for (rows, capacity) in [(0, 4), (3, 4), (4, 4), (5, 4), (1000, 7)] {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("rows");
            let mut sort = ExternalSort::<2>::with_capacity(target.clone(), capacity);
            let (mut expected, mut seen) = (Vec::new(), Vec::new());
            for number in 0..rows {
                let row = [number * 7919 % 101, number];
                expected.push(row);
                sort.push(row).unwrap();
            }
            sort.finish_showing(|row| seen.push(*row)).unwrap();
            expected.sort_unstable();
            assert_eq!(seen, expected);
            let map = Map::open(&target).unwrap();
            assert_eq!(map.u64s().as_chunks::<2>().0, expected);
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }
}
