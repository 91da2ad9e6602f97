//! A table as SQLite stores it: a tree whose leaves have the rows in their order.

use std::io::{self, Seek, Write};

use super::file::DatabaseFile;
use super::page::{Child, InnerPage, LeafPage, PAGE};

/// Of a row that is longer, a part stands on pages of its own.
const LONGEST_WHOLE: usize = PAGE - 35;
/// What stays of it at least.
const SHORTEST_PART: usize = (PAGE - 12) * 32 / 255 - 23;
/// What such a page has room for, beside the number of the next one.
const OVERFLOW: usize = PAGE - 4;

/// A table that is being written.
pub(super) struct TableWriter {
    rows: u64,
    leaf: LeafPage,
    /// From the level above the leaves on.
    levels: Vec<InnerPage>,
}

impl Default for TableWriter {
    fn default() -> Self {
        Self {
            rows: 0,
            leaf: LeafPage::after(0),
            levels: Vec::new(),
        }
    }
}

impl TableWriter {
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn add<Out: Write + Seek>(
        &mut self,
        file: &mut DatabaseFile<Out>,
        record: &[u8],
    ) -> io::Result<()> {
        let row = self.rows + 1;
        let (part, rest) = record.split_at(local_length(record.len()));
        let rest = match rest.is_empty() {
            true => None,
            false => Some((write_overflow(file, rest)?, rest.len())),
        };
        if !self.leaf.add(row, part, rest) {
            self.finish_leaf(file)?;
            self.leaf.add(row, part, rest);
        }
        self.rows = row;
        Ok(())
    }

    /// Writes what is left, and gives the number of the tree's root.
    pub(super) fn finish<Out: Write + Seek>(
        mut self,
        file: &mut DatabaseFile<Out>,
    ) -> io::Result<u32> {
        if self.levels.is_empty() {
            return file.write_page(&self.leaf.finish());
        }
        if !self.leaf.is_empty() {
            self.finish_leaf(file)?;
        }
        let mut at = 0;
        loop {
            let is_top = at + 1 == self.levels.len();
            if let Some(only) = self.levels[at].only().filter(|_| is_top) {
                return Ok(only.page);
            }
            let page = self.write_level(file, at)?;
            if is_top {
                return Ok(page.page);
            }
            at += 1;
            self.add_child(file, at, page)?;
        }
    }

    fn finish_leaf<Out: Write + Seek>(&mut self, file: &mut DatabaseFile<Out>) -> io::Result<()> {
        let leaf = std::mem::replace(&mut self.leaf, LeafPage::after(0));
        let page = file.write_page(&leaf.finish())?;
        let last_row = self.rows;
        self.add_child(file, 0, Child { page, last_row })
    }

    /// Adds a page to a level, and that level's page to the one above it where there is no room.
    fn add_child<Out: Write + Seek>(
        &mut self,
        file: &mut DatabaseFile<Out>,
        level: usize,
        child: Child,
    ) -> io::Result<()> {
        let Some(page) = self.levels.get_mut(level) else {
            self.levels.push(InnerPage::of(child));
            return Ok(());
        };
        if !page.add(child) {
            let mut next = InnerPage::of(page.give_last());
            next.add(child);
            let full = self.write_level(file, level)?;
            self.levels[level] = next;
            self.add_child(file, level + 1, full)?;
        }
        Ok(())
    }

    fn write_level<Out: Write + Seek>(
        &mut self,
        file: &mut DatabaseFile<Out>,
        level: usize,
    ) -> io::Result<Child> {
        let empty = InnerPage::of(self.levels[level].last);
        let (page, last_row) = std::mem::replace(&mut self.levels[level], empty).finish();
        let page = file.write_page(&page)?;
        Ok(Child { page, last_row })
    }
}

/// How much of a row stands in its leaf.
fn local_length(record: usize) -> usize {
    if record <= LONGEST_WHOLE {
        return record;
    }
    let part = SHORTEST_PART + (record - SHORTEST_PART) % OVERFLOW;
    if part <= LONGEST_WHOLE {
        part
    } else {
        SHORTEST_PART
    }
}

/// Writes the rest of a row, and gives the first of its pages.
fn write_overflow<Out: Write + Seek>(file: &mut DatabaseFile<Out>, rest: &[u8]) -> io::Result<u32> {
    let mut first = None;
    let mut pieces = rest.chunks(OVERFLOW).peekable();
    while let Some(piece) = pieces.next() {
        let mut page = Box::new([0; PAGE]);
        let this = file.next_page()?;
        first = first.or(Some(this));
        if pieces.peek().is_some() {
            page[..4].copy_from_slice(&file.page_after(this).to_be_bytes());
        }
        page[4..4 + piece.len()].copy_from_slice(piece);
        file.write_page(&page)?;
    }
    Ok(first.unwrap_or(0))
}
