//! What was printed from beginning to end: the lines of both streams where they begin, and what is no line.

use trace_format::StandardStream;

use super::{Printed, PrintedLine};

/// One thing after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrintedEntry<'a> {
    Line(PrintedLine<'a>),
    /// Pieces that are no text and follow each other, the first of them, and their bytes.
    Binary {
        stream: StandardStream,
        piece: u32,
        bytes: u64,
    },
    /// So much was not kept.
    LeftOut {
        pieces: u64,
        bytes: u64,
    },
}

/// See [`Printed::entries`].
#[derive(Debug)]
pub struct PrintedEntries<'a> {
    printed: &'a Printed,
    piece: u32,
    stretch: usize,
    /// The next line of each stream.
    lines: [u32; 2],
}

impl Printed {
    /// Everything that is kept, in the order in which it was begun.
    pub fn entries(&self) -> PrintedEntries<'_> {
        PrintedEntries {
            printed: self,
            piece: 0,
            stretch: 0,
            lines: [0; 2],
        }
    }
}

impl<'a> PrintedEntries<'a> {
    /// A gap before the next piece. Stretches of which nothing is kept begin where the next one does.
    fn left_out(&mut self) -> Option<PrintedEntry<'a>> {
        while let Some(stretch) = self.printed.stretches.get(self.stretch)
            && stretch.first <= self.piece
        {
            self.stretch += 1;
            if stretch.left_out_pieces > 0 {
                return Some(PrintedEntry::LeftOut {
                    pieces: stretch.left_out_pieces,
                    bytes: stretch.left_out_bytes,
                });
            }
        }
        None
    }

    fn binary(&mut self, stream: StandardStream) -> PrintedEntry<'a> {
        let piece = self.piece;
        let mut bytes = 0;
        let is_behind_gap = |at: u32| {
            let next = self.printed.stretches.get(self.stretch);
            next.is_some_and(|next| next.first <= at)
        };
        while let Some(row) = self.printed.pieces.get(self.piece as usize)
            && row.is_binary
            && row.stream == stream
            && !is_behind_gap(self.piece)
        {
            bytes += u64::from(row.length);
            self.piece += 1;
        }
        PrintedEntry::Binary {
            stream,
            piece,
            bytes,
        }
    }
}

impl<'a> Iterator for PrintedEntries<'a> {
    type Item = PrintedEntry<'a>;

    fn next(&mut self) -> Option<PrintedEntry<'a>> {
        loop {
            if let Some(gap) = self.left_out() {
                return Some(gap);
            }
            let row = self.printed.pieces.get(self.piece as usize)?;
            if row.is_binary {
                return Some(self.binary(row.stream));
            }
            let line = &mut self.lines[row.stream.index()];
            let starts = &self.printed.texts[row.stream.index()].lines;
            let begins_here = |start: &&u32| **start < row.start + row.length;
            if starts.get(*line as usize).filter(begins_here).is_some() {
                *line += 1;
                return self
                    .printed
                    .line(row.stream, *line - 1)
                    .map(PrintedEntry::Line);
            }
            self.piece += 1;
        }
    }
}
