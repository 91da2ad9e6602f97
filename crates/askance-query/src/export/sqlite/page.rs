//! Pages of a table's tree: leaves that have rows, and inner pages that have other pages.

use super::record::add_varint;

/// Bytes of a page. The first one has room for the statements of all tables.
pub(super) const PAGE: usize = 16 << 10;

/// Rows that make a leaf.
pub(super) struct LeafPage {
    page: Box<[u8; PAGE]>,
    /// Where its own head begins.
    head: usize,
    cells: u16,
    /// Where the cells begin, which fill the page from its end.
    content: usize,
}

impl LeafPage {
    const HEAD: usize = 8;

    /// An empty page, of which the beginning is left free.
    pub(super) fn after(head: usize) -> Self {
        Self {
            page: Box::new([0; PAGE]),
            head,
            cells: 0,
            content: PAGE,
        }
    }

    /// Adds a row, or the part of it that is not on other pages, the first of which is named; whether there was room.
    pub(super) fn add(&mut self, row: u64, part: &[u8], rest: Option<(u32, usize)>) -> bool {
        let mut cell = Vec::with_capacity(part.len() + 16);
        add_varint(
            &mut cell,
            (part.len() + rest.map_or(0, |rest| rest.1)) as u64,
        );
        add_varint(&mut cell, row);
        cell.extend_from_slice(part);
        if let Some((first, _)) = rest {
            cell.extend_from_slice(&first.to_be_bytes());
        }
        add_cell(
            &mut self.page,
            self.head + Self::HEAD,
            &mut self.cells,
            &mut self.content,
            &cell,
        )
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cells == 0
    }

    pub(super) fn finish(mut self) -> Box<[u8; PAGE]> {
        const LEAF: u8 = 13;
        let head = head(LEAF, self.cells, self.content);
        self.page[self.head..self.head + Self::HEAD].copy_from_slice(&head);
        self.page
    }
}

/// Pages of the level below that make an inner one.
pub(super) struct InnerPage {
    page: Box<[u8; PAGE]>,
    cells: u16,
    content: usize,
    /// The last page, which has no cell.
    pub(super) last: Child,
    /// The one before it, and where the cells began before it had one.
    before: Option<(Child, usize)>,
}

/// A page below another, with its last row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    pub(super) page: u32,
    pub(super) last_row: u64,
}

impl InnerPage {
    const HEAD: usize = 12;

    pub(super) fn of(first: Child) -> Self {
        Self {
            page: Box::new([0; PAGE]),
            cells: 0,
            content: PAGE,
            last: first,
            before: None,
        }
    }

    /// The page below it, if there is only one.
    pub(super) fn only(&self) -> Option<Child> {
        (self.cells == 0).then_some(self.last)
    }

    /// Takes the last page off a page that is full: none may have a single page below it.
    pub(super) fn give_last(&mut self) -> Child {
        let given = self.last;
        if let Some((before, content)) = self.before.take() {
            self.last = before;
            self.content = content;
            self.cells -= 1;
        }
        given
    }

    /// Adds a page behind the others; whether there was room.
    pub(super) fn add(&mut self, next: Child) -> bool {
        let mut cell = self.last.page.to_be_bytes().to_vec();
        add_varint(&mut cell, self.last.last_row);
        let content = self.content;
        let has_room = add_cell(
            &mut self.page,
            Self::HEAD,
            &mut self.cells,
            &mut self.content,
            &cell,
        );
        if has_room {
            self.before = Some((self.last, content));
            self.last = next;
        }
        has_room
    }

    pub(super) fn finish(mut self) -> (Box<[u8; PAGE]>, u64) {
        const INNER: u8 = 5;
        self.page[..8].copy_from_slice(&head(INNER, self.cells, self.content));
        self.page[8..Self::HEAD].copy_from_slice(&self.last.page.to_be_bytes());
        (self.page, self.last.last_row)
    }
}

fn head(kind: u8, cells: u16, content: usize) -> [u8; 8] {
    let [cells_high, cells_low] = cells.to_be_bytes();
    let [content_high, content_low] = (content as u16).to_be_bytes();
    [
        kind,
        0,
        0,
        cells_high,
        cells_low,
        content_high,
        content_low,
        0,
    ]
}

/// Puts a cell before the others, and its place behind the places of those; whether there was room.
fn add_cell(
    page: &mut [u8; PAGE],
    places: usize,
    cells: &mut u16,
    content: &mut usize,
    cell: &[u8],
) -> bool {
    let place = places + 2 * usize::from(*cells);
    if place + 2 + cell.len() > *content {
        return false;
    }
    *content -= cell.len();
    page[*content..*content + cell.len()].copy_from_slice(cell);
    page[place..place + 2].copy_from_slice(&(*content as u16).to_be_bytes());
    *cells += 1;
    true
}
