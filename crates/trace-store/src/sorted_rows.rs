//! Rows in the order of their words, in a file.
//!
//! A look-up in a thousand million rows would touch thirty pages of them. The first row of every page is
//! therefore kept a second time, in a file that is small enough to stay in memory; with it a
//! look-up touches one page or two.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::call_index::IndexSource;
use crate::error::Result;
use crate::external_sort::{ExternalSort, merged, write_all, write_rows};
use crate::index_folder::IndexFolder;
use crate::map::Map;

/// Bytes from one sample to the next.
const PAGE: usize = 4096;
/// The file of an index that is all rows.
const ROWS: &str = "rows";
/// Rows that are merged before the pages that were read are given back.
const RELEASED: usize = 1 << 20;

#[derive(Debug)]
pub(crate) struct SortedRows<const WORDS: usize> {
    folder: Arc<IndexFolder>,
    rows: Map,
    /// The first row of each page.
    samples: Map,
    /// What is removed with this: the files of rows that others will stand for.
    passing: Vec<PathBuf>,
}

impl<const WORDS: usize> SortedRows<WORDS> {
    /// Rows from one sample to the next.
    const STRIDE: usize = PAGE / (8 * WORDS);

    /// The rows of the index of this name that is kept beside a trace, or else what `collect` finds; that is kept
    /// if the trace will not change.
    pub(crate) fn kept_or_made(
        source: &IndexSource<'_>,
        name: &str,
        collect: impl FnOnce(&mut ExternalSort<WORDS>) -> Result<()>,
    ) -> Result<Self> {
        if let Some((folder, ())) = IndexFolder::find(source.folder, name, &source.stamp)
            && let Ok(rows) = Self::open(&Arc::new(folder), ROWS)
        {
            return Ok(rows);
        }
        let _indexing = tracing::info_span!("index", of = name).entered();
        let folder = Arc::new(IndexFolder::create(source.folder, name)?);
        let mut sort = Self::begin(&folder, ROWS);
        collect(&mut sort)?;
        let rows = Self::finish(&folder, ROWS, sort)?;
        if source.finished {
            folder.publish(source.folder, name, &source.stamp, ());
        }
        Ok(rows)
    }

    /// To be filled, and then given to [`SortedRows::finish`] with the same name.
    pub(crate) fn begin(folder: &IndexFolder, name: &str) -> ExternalSort<WORDS> {
        ExternalSort::new(folder.file(name))
    }

    /// Rows that are sorted already, in memory.
    fn in_memory(folder: &Arc<IndexFolder>, rows: Vec<[u64; WORDS]>) -> Self {
        let mut samples = Samples::default();
        rows.iter().for_each(|row| samples.take(row));
        Self {
            folder: Arc::clone(folder),
            rows: rows.into_flattened().into(),
            samples: samples.rows.into_flattened().into(),
            passing: Vec::new(),
        }
    }

    /// Sorts what was collected, if that is little enough to stay in memory; else gives it back.
    pub(crate) fn finish_in_memory(
        folder: &Arc<IndexFolder>,
        most: usize,
        sort: ExternalSort<WORDS>,
    ) -> std::result::Result<Self, ExternalSort<WORDS>> {
        let rows = sort.into_few(most)?;
        Ok(Self::in_memory(folder, rows))
    }

    /// The rows of several in one, in memory.
    pub(crate) fn merge_in_memory(folder: &Arc<IndexFolder>, parts: &[Arc<Self>]) -> Self {
        let rows = merged(parts.iter().map(|part| part.rows()).collect());
        Self::in_memory(folder, rows.collect())
    }

    /// Sorts what was collected.
    pub(crate) fn finish(
        folder: &Arc<IndexFolder>,
        name: &str,
        sort: ExternalSort<WORDS>,
    ) -> Result<Self> {
        let mut samples = Samples::default();
        sort.finish_showing(|row| samples.take(row))?;
        samples.write(folder, name)?;
        Self::open(folder, name)
    }

    /// The rows of several in one, or the first of them if that is to `stop`.
    pub(crate) fn merge(
        folder: &Arc<IndexFolder>,
        name: &str,
        parts: &[Arc<Self>],
        stop: &AtomicBool,
    ) -> Result<Self> {
        let mut samples = Samples::default();
        let rows = merged(parts.iter().map(|part| part.rows()).collect());
        let rows = rows.take_while(|_| !stop.load(Ordering::Relaxed));
        let rows = rows.inspect(|row| {
            samples.take(row);
            if samples.seen.is_multiple_of(RELEASED) {
                parts.iter().for_each(|part| part.release());
            }
        });
        write_all(&folder.file(name), rows)?;
        parts.iter().for_each(|part| part.release());
        samples.write(folder, name)?;
        Self::open(folder, name)
    }

    pub(crate) fn open(folder: &Arc<IndexFolder>, name: &str) -> Result<Self> {
        Ok(Self {
            rows: Map::open(&folder.file(name))?,
            samples: Map::open(&folder.file(&samples_of(name)))?,
            folder: Arc::clone(folder),
            passing: Vec::new(),
        })
    }

    /// Removes the files when nobody reads them any more.
    pub(crate) fn passing(mut self, name: &str) -> Self {
        let names = [name, &samples_of(name)];
        self.passing = names.map(|name| self.folder.file(name)).to_vec();
        self
    }

    /// The samples stay: every look-up goes through them, and they are few.
    pub(crate) fn release(&self) {
        self.rows.release();
    }

    pub(crate) fn rows(&self) -> &[[u64; WORDS]] {
        self.rows.u64s().as_chunks().0
    }

    /// The number of rows before this one.
    pub(crate) fn first_from(&self, row: &[u64; WORDS]) -> usize {
        let samples: &[[u64; WORDS]] = self.samples.u64s().as_chunks().0;
        let rows = self.rows();
        let after = samples.partition_point(|sample| sample < row);
        let start = (after.saturating_sub(1) * Self::STRIDE).min(rows.len());
        let end = (after * Self::STRIDE).min(rows.len());
        start + rows[start..end].partition_point(|at| at < row)
    }

    /// The same if it is not before this place, and probably near.
    pub(crate) fn first_onwards(&self, place: usize, row: &[u64; WORDS]) -> usize {
        let rows = self.rows();
        let far = place.saturating_add(Self::STRIDE);
        if rows.get(far).is_some_and(|found| found < row) {
            return self.first_from(row);
        }
        let near = rows.get(place..far.min(rows.len())).unwrap_or_default();
        place + near.partition_point(|found| found < row)
    }
}

impl<const WORDS: usize> Drop for SortedRows<WORDS> {
    /// Unmapping and removing large files takes a while, and whoever lets go of a snapshot is about to ask something.
    fn drop(&mut self) {
        let paths = std::mem::take(&mut self.passing);
        if paths.is_empty() {
            return;
        }
        let maps = [&mut self.rows, &mut self.samples].map(std::mem::take);
        std::thread::spawn(move || {
            drop(maps);
            for path in &paths {
                let _ = std::fs::remove_file(path);
            }
        });
    }
}

/// Collects the samples while the rows go by.
#[derive(Default)]
struct Samples<const WORDS: usize> {
    rows: Vec<[u64; WORDS]>,
    seen: usize,
}

impl<const WORDS: usize> Samples<WORDS> {
    #[inline]
    fn take(&mut self, row: &[u64; WORDS]) {
        if self.seen.is_multiple_of(SortedRows::<WORDS>::STRIDE) {
            self.rows.push(*row);
        }
        self.seen += 1;
    }

    fn write(&self, folder: &IndexFolder, name: &str) -> Result<()> {
        write_rows(&folder.file(&samples_of(name)), &self.rows)
    }
}

fn samples_of(name: &str) -> String {
    format!("{name}-samples")
}
