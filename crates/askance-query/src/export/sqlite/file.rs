//! The pages of the file: one after the other, and at last the first one, which says where the tables are.

use std::io::{self, Seek, SeekFrom, Write};

use super::page::{LeafPage, PAGE};
use super::record::Record;

/// The page behind the first 2³⁰ bytes is left empty: SQLite locks the file there.
const LOCK_PAGE: u32 = (1 << 30) / PAGE as u32 + 1;
/// What stands before everything else on the first page.
pub(super) const FILE_HEADER: usize = 100;

/// A database that is being written.
#[derive(Debug)]
pub(super) struct DatabaseFile<Out> {
    out: Out,
    /// The number of the page that is written next; they are counted from 1.
    next: u32,
}

/// What the schema says of a table.
#[derive(Debug)]
pub(super) struct SchemaRow<'a> {
    pub(super) name: &'a str,
    pub(super) root: u32,
    pub(super) statement: String,
}

impl<Out: Write + Seek> DatabaseFile<Out> {
    pub(super) fn new(mut out: Out) -> io::Result<Self> {
        out.write_all(&[0; PAGE])?;
        Ok(Self { out, next: 2 })
    }

    /// The number of the page that is written next.
    pub(super) fn next_page(&mut self) -> io::Result<u32> {
        if self.next == LOCK_PAGE {
            self.out.write_all(&[0; PAGE])?;
            self.next += 1;
        }
        Ok(self.next)
    }

    /// The number of the page that comes after this one.
    pub(super) fn page_after(&self, page: u32) -> u32 {
        match page + 1 {
            LOCK_PAGE => LOCK_PAGE + 1,
            next => next,
        }
    }

    /// Writes a page, and gives its number.
    pub(super) fn write_page(&mut self, page: &[u8; PAGE]) -> io::Result<u32> {
        let number = self.next_page()?;
        let too_large = || io::Error::other("there are more pages than SQLite can number");
        self.next = number.checked_add(1).ok_or_else(too_large)?;
        self.out.write_all(page)?;
        Ok(number)
    }

    /// Writes the first page.
    pub(super) fn finish(mut self, schema: &[SchemaRow<'_>]) -> io::Result<()> {
        let mut page = LeafPage::after(FILE_HEADER);
        let mut record = Record::default();
        for (number, row) in (1..).zip(schema) {
            record.clear();
            record.text("table");
            record.text(row.name);
            record.text(row.name);
            record.integer(row.root.into());
            record.text(&row.statement);
            if !page.add(number, &record.bytes(), None) {
                return Err(io::Error::other("the schema has no room on its page"));
            }
        }
        let mut page = page.finish();
        page[..FILE_HEADER].copy_from_slice(&header(self.next - 1));
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&page[..])?;
        self.out.flush()
    }
}

/// What a file of so many pages begins with.
fn header(pages: u32) -> [u8; FILE_HEADER] {
    const CHANGES: u32 = 1;
    const SCHEMA_CHANGES: u32 = 1;
    const SCHEMA_FORMAT: u32 = 4;
    const UTF_8: u32 = 1;
    /// The version of SQLite whose format this is.
    const WRITTEN_BY: u32 = 3_040_000;
    let mut header = [0; FILE_HEADER];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"SQLite format 3\0");
    put(16, &(PAGE as u16).to_be_bytes());
    // Without a write-ahead log; nothing is reserved at the ends of pages; how full they may be is prescribed.
    put(18, &[1, 1, 0, 64, 32, 32]);
    put(24, &CHANGES.to_be_bytes());
    put(28, &pages.to_be_bytes());
    put(40, &SCHEMA_CHANGES.to_be_bytes());
    put(44, &SCHEMA_FORMAT.to_be_bytes());
    put(56, &UTF_8.to_be_bytes());
    put(92, &CHANGES.to_be_bytes());
    put(96, &WRITTEN_BY.to_be_bytes());
    header
}
