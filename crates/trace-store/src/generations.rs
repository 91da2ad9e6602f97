//! Sorted rows that grow: what a stretch of time adds is sorted by itself, as a *generation*, and neighbouring
//! generations are merged when there are several of about the same size. So each row is written a few times however
//! much there is, and a look-up has a few files to look into. Large merges happen in the background, and whoever
//! reads meanwhile reads the old ones.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use crate::background::let_others_go_first;
use crate::error::Result;
use crate::external_sort::ExternalSort;
use crate::index_folder::IndexFolder;
use crate::sorted_rows::SortedRows;

/// So many generations of a size become one of the next size.
const MERGED: usize = 4;
/// So many rows stay in memory. More are on disk, and are merged in the background.
const FEW_ROWS: usize = 1 << 19;
/// Nobody waits for a merge, but look-ups are slow until then.
const NICENESS: i32 = 5;

#[derive(Debug)]
pub(crate) struct Generations<const WORDS: usize> {
    folder: Arc<IndexFolder>,
    /// In the order of time.
    list: Vec<Generation<WORDS>>,
    /// Small merges do not wait for large ones.
    merging: Vec<Merging<WORDS>>,
    /// Files made so far, for names.
    made: u32,
}

/// Rows of a stretch of time.
#[derive(Debug, Clone)]
pub(crate) struct Generation<const WORDS: usize> {
    pub(crate) rows: Arc<SortedRows<WORDS>>,
    /// When it begins.
    pub(crate) since: u64,
    /// How often it was merged.
    level: u32,
    is_being_merged: bool,
}

#[derive(Debug)]
struct Merging<const WORDS: usize> {
    /// When the first of them begins, and how many they are.
    since: u64,
    count: usize,
    merged: JoinHandle<Result<SortedRows<WORDS>>>,
    /// Nobody wants it any more.
    is_dropped: Arc<AtomicBool>,
}

impl<const WORDS: usize> Generation<WORDS> {
    fn new(rows: SortedRows<WORDS>, since: u64, level: u32) -> Self {
        Self {
            rows: Arc::new(rows),
            since,
            level,
            is_being_merged: false,
        }
    }

    /// A single one, of all times.
    pub(crate) fn only(rows: SortedRows<WORDS>) -> Vec<Self> {
        vec![Self::new(rows, 0, 0)]
    }
}

impl<const WORDS: usize> Generations<WORDS> {
    pub(crate) fn new(folder: IndexFolder) -> Self {
        Self {
            folder: Arc::new(folder),
            list: Vec::new(),
            merging: Vec::new(),
            made: 0,
        }
    }

    /// What is there by now, in the order of time.
    pub(crate) fn newest(&self) -> Vec<Generation<WORDS>> {
        self.list.clone()
    }

    /// For the rows of the next generation, all later than those before.
    pub(crate) fn begin(&self) -> ExternalSort<WORDS> {
        SortedRows::begin(&self.folder, &name(self.made))
    }

    /// Adds the generation that [`Generations::begin`] began, and that begins at a time.
    pub(crate) fn add(&mut self, sort: ExternalSort<WORDS>, since: u64) -> Result<()> {
        self.take_merged()?;
        if !sort.is_empty() {
            let rows = match SortedRows::finish_in_memory(&self.folder, FEW_ROWS, sort) {
                Ok(rows) => rows,
                Err(sort) => {
                    let name = self.next_name();
                    SortedRows::finish(&self.folder, &name, sort)?.passing(&name)
                }
            };
            self.list.push(Generation::new(rows, since, 0));
        }
        while let Some(parts) = self.to_merge() {
            let rows: Vec<_> = self.list[parts.clone()]
                .iter()
                .map(|part| Arc::clone(&part.rows))
                .collect();
            let count: usize = rows.iter().map(|rows| rows.rows().len()).sum();
            if count <= FEW_ROWS {
                self.replace(parts, SortedRows::merge_in_memory(&self.folder, &rows));
            } else {
                self.merge_in_background(parts, rows);
            }
        }
        Ok(())
    }

    fn merge_in_background(&mut self, parts: Range<usize>, rows: Vec<Arc<SortedRows<WORDS>>>) {
        let name = self.next_name();
        let folder = Arc::clone(&self.folder);
        let is_dropped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_dropped);
        let merged = std::thread::spawn(move || {
            let_others_go_first(NICENESS);
            let merged = SortedRows::merge(&folder, &name, &rows, &stop)?;
            Ok(merged.passing(&name))
        });
        self.merging.push(Merging {
            since: self.list[parts.start].since,
            count: parts.len(),
            merged,
            is_dropped,
        });
        for part in &mut self.list[parts] {
            part.is_being_merged = true;
        }
    }

    fn next_name(&mut self) -> String {
        let name = name(self.made);
        self.made += 1;
        name
    }

    /// Generations side by side that are to be merged, and are not being merged.
    fn to_merge(&self) -> Option<Range<usize>> {
        let mut start = 0;
        let alike = |a: &Generation<WORDS>, b: &Generation<WORDS>| {
            a.level == b.level && a.is_being_merged == b.is_being_merged
        };
        for parts in self.list.chunk_by(alike) {
            let range = start..start + parts.len();
            if parts.len() >= MERGED && !parts[0].is_being_merged {
                return Some(range);
            }
            start = range.end;
        }
        None
    }

    fn take_merged(&mut self) -> Result<()> {
        let mut at = 0;
        while let Some(merging) = self.merging.get(at) {
            if !merging.merged.is_finished() {
                at += 1;
                continue;
            }
            let merging = self.merging.remove(at);
            let first = self.list.partition_point(|part| part.since < merging.since);
            match merging.merged.join() {
                Ok(merged) => self.replace(first..first + merging.count, merged?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    }

    fn replace(&mut self, parts: Range<usize>, merged: SortedRows<WORDS>) {
        let first = &self.list[parts.start];
        let merged = Generation::new(merged, first.since, first.level + 1);
        self.list.splice(parts, [merged]);
    }
}

impl<const WORDS: usize> Drop for Generations<WORDS> {
    /// Leaves nothing behind: what is being written belongs to a folder that is removed.
    fn drop(&mut self) {
        for merging in self.merging.drain(..) {
            merging.is_dropped.store(true, Ordering::Relaxed);
            let _ = merging.merged.join();
        }
    }
}

fn name(number: u32) -> String {
    format!("rows.{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(generations: &Generations<2>) -> Vec<[u64; 2]> {
        let parts = generations.newest();
        let mut rows: Vec<[u64; 2]> = parts
            .iter()
            .flat_map(|it| it.rows.rows().to_vec())
            .collect();
        rows.sort_unstable();
        rows
    }

    #[test]
    fn few_generations_hold_all_rows_and_old_readers_keep_theirs() {
        let trace = tempfile::tempdir().unwrap();
        let folder = IndexFolder::create(trace.path(), "rows").unwrap();
        let path = folder.file("");
        let mut generations = Generations::new(folder);
        let mut expected: Vec<[u64; 2]> = Vec::new();
        let mut held = Vec::new();
        for batch in 0u64..40 {
            let mut sort = generations.begin();
            // Some are large enough to be merged in the background, some are empty.
            let count = if batch % 7 == 3 {
                0
            } else {
                10_000 * (1 + batch % 5)
            };
            for number in 0..count {
                let row = [number * 7919 % 10_007, batch << 32 | number];
                expected.push(row);
                sort.push(row).unwrap();
            }
            generations.add(sort, batch).unwrap();
            if batch % 10 == 5 {
                held.push((generations.newest(), expected.len()));
            }
        }
        expected.sort_unstable();
        assert_eq!(rows(&generations), expected);
        while !generations.merging.is_empty() {
            std::thread::yield_now();
            let nothing = generations.begin();
            generations.add(nothing, 40).unwrap();
        }
        assert_eq!(rows(&generations), expected);
        assert!(
            generations.newest().len() <= 9,
            "{}",
            generations.newest().len()
        );
        for (parts, count) in held {
            let sorted = |part: &Generation<2>| part.rows.rows().is_sorted();
            assert!(parts.iter().all(sorted));
            assert_eq!(
                parts
                    .iter()
                    .map(|part| part.rows.rows().len())
                    .sum::<usize>(),
                count
            );
        }
        // What was merged is gone from the disk: rows and samples of each large one that is left.
        let parts = generations.newest();
        let large = parts
            .iter()
            .filter(|part| part.rows.rows().len() > FEW_ROWS);
        let large = large.count();
        while std::fs::read_dir(&path).unwrap().count() > 2 * large {
            std::thread::yield_now();
        }
    }
}
