//! What the program printed, as far as the recorder kept it: pieces in the order in which they were printed, and the
//! lines that they make up.
//!
//! The recorder keeps some megabytes, of a longer output its first part and its last, so all of it is held in memory
//! once somebody asks. Lines are told apart per stream: what is printed to the one does not end a line of the other.

mod entries;
mod file;

use std::ops::Range;
use std::path::Path;

use trace_format::json::FormatVersion;
use trace_format::{
    EventPosition, PieceRecord, PrintedContent, PrintedCounts, StandardStream, ThreadNumber,
};

use crate::error::Result;
pub use entries::{PrintedEntries, PrintedEntry};

/// See the module's header.
#[derive(Debug, Default)]
pub struct Printed {
    pieces: Vec<PieceRow>,
    texts: [StreamText; 2],
    totals: PrintedCounts,
    stretches: Vec<KeptStretch>,
    is_recorded: bool,
}

/// Pieces that followed each other, which those before them did not.
#[derive(Debug, Clone, Copy)]
struct KeptStretch {
    /// The first of them, and its number among all.
    first: u32,
    number: u64,
    /// How much is missing before it.
    left_out_pieces: u64,
    left_out_bytes: u64,
}

#[derive(Debug, Clone, Copy)]
struct PieceRow {
    thread: Option<ThreadNumber>,
    position: Option<EventPosition>,
    stream: StandardStream,
    length: u32,
    is_binary: bool,
    is_masked: bool,
    /// Where its text begins in that of its stream.
    start: u32,
}

/// What one write printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrintedPiece<'a> {
    /// Its number among those that are kept.
    pub index: u32,
    /// Its number among all.
    pub number: u64,
    pub stream: StandardStream,
    /// `None`: a thread that ran no recorded code.
    pub thread: Option<ThreadNumber>,
    /// Of its event; `None` if it is not in the trace.
    pub position: Option<EventPosition>,
    pub content: PrintedContent<'a>,
    /// Whether stars stand over secrets in it.
    pub is_masked: bool,
}

/// The text of one stream.
#[derive(Debug, Default)]
struct StreamText {
    text: Vec<u8>,
    /// The stream's pieces.
    pieces: Vec<u32>,
    /// Where lines begin.
    lines: Vec<u32>,
    /// The first line after each gap, as an index, and how many ended before it.
    stretches: Vec<(u32, u64)>,
    is_line_open: bool,
}

/// A line of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedLine<'a> {
    pub stream: StandardStream,
    /// Counted from 1, those included that were not kept.
    pub number: u64,
    /// Without the characters that end it.
    pub text: &'a [u8],
    /// The pieces that it has text of, the end of the line included, each with its part of the line.
    pub pieces: Range<u32>,
    /// Whether its beginning may not have been kept.
    pub is_cut: bool,
    /// Whether the program has ended it.
    pub is_ended: bool,
    at: u32,
}

/// A part of a line that one piece printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePart {
    /// The number of the piece among those that are kept.
    pub piece: u32,
    /// The bytes of the line that it printed; what ends the line lies behind them.
    pub range: Range<usize>,
}

impl Printed {
    fn add(&mut self, piece: &PieceRecord<'_>) {
        let index = self.pieces.len() as u32;
        let stream = &mut self.texts[piece.stream.index()];
        let start = stream.text.len() as u32;
        stream.pieces.push(index);
        if let PrintedContent::Text(text) = piece.content {
            stream.add(text);
        }
        self.pieces.push(PieceRow {
            thread: piece.thread,
            position: piece.position,
            stream: piece.stream,
            length: piece.content.length(),
            is_binary: matches!(piece.content, PrintedContent::Binary(_)),
            is_masked: piece.is_masked,
            start,
        });
        self.totals.add(piece.stream, piece.content);
    }

    /// What follows does not follow what is there: so much was printed before.
    fn begin_stretch(&mut self, before: PrintedCounts) {
        let bytes = |counts: &PrintedCounts| counts.bytes[0].saturating_add(counts.bytes[1]);
        self.stretches.push(KeptStretch {
            first: self.pieces.len() as u32,
            number: before.pieces,
            left_out_pieces: before.pieces.saturating_sub(self.totals.pieces),
            left_out_bytes: bytes(&before).saturating_sub(bytes(&self.totals)),
        });
        for (stream, lines) in self.texts.iter_mut().zip(before.lines) {
            stream.stretches.push((stream.lines.len() as u32, lines));
            stream.is_line_open = false;
        }
        self.totals = before;
    }

    /// Whether the recorder looked at what was printed: older ones did not.
    pub fn is_recorded(&self) -> bool {
        self.is_recorded
    }

    /// What was printed in all, as far as is known.
    pub fn totals(&self) -> PrintedCounts {
        self.totals
    }

    /// How many pieces are kept.
    pub fn len(&self) -> u32 {
        self.pieces.len() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// A piece, by its number among those that are kept.
    pub fn piece(&self, index: u32) -> Option<PrintedPiece<'_>> {
        let row = self.pieces.get(index as usize)?;
        let after = self.stretches.partition_point(|it| it.first <= index);
        let stretch = self.stretches.get(after.checked_sub(1)?)?;
        let start = row.start as usize;
        let text = &self.texts[row.stream.index()].text;
        Some(PrintedPiece {
            index,
            number: stretch
                .number
                .saturating_add(u64::from(index - stretch.first)),
            stream: row.stream,
            thread: row.thread,
            position: row.position,
            is_masked: row.is_masked,
            content: match row.is_binary {
                true => PrintedContent::Binary(row.length),
                false => PrintedContent::Text(text.get(start..start + row.length as usize)?),
            },
        })
    }

    /// The piece that an OUTPUT event of a thread tells of.
    pub fn piece_at(
        &self,
        thread: ThreadNumber,
        position: EventPosition,
        low: u32,
    ) -> Option<PrintedPiece<'_>> {
        let ends = self.stretches.iter().skip(1).map(|next| next.first);
        let stretches = self.stretches.iter().zip(ends.chain([self.len()]));
        let candidates = stretches.filter_map(|(stretch, end)| {
            let index = stretch
                .first
                .checked_add(low.wrapping_sub(stretch.number as u32))?;
            (index < end).then_some(index)
        });
        let mut pieces = candidates.filter_map(|index| self.piece(index));
        pieces.find(|piece| (piece.thread, piece.position) == (Some(thread), Some(position)))
    }

    /// How many lines of a stream are kept, begun ones included.
    pub fn line_count(&self, stream: StandardStream) -> u32 {
        self.texts[stream.index()].lines.len() as u32
    }

    /// A line of a stream, by its number among those that are kept, from 0.
    pub fn line(&self, stream: StandardStream, index: u32) -> Option<PrintedLine<'_>> {
        let text = &self.texts[stream.index()];
        let at = *text.lines.get(index as usize)?;
        let next = text.lines.get(index as usize + 1);
        let end = next.map_or(text.text.len(), |&next| next as usize);
        let whole = text.text.get(at as usize..end)?;
        let (is_ended, without) = match whole.strip_suffix(b"\n") {
            Some(line) => (true, line.strip_suffix(b"\r").unwrap_or(line)),
            None => (false, whole),
        };
        let (first, ended) = before(&text.stretches, index)?;
        Some(PrintedLine {
            stream,
            number: ended.saturating_add(u64::from(index - first) + 1),
            text: without,
            pieces: self.pieces_of(text, at..end as u32),
            is_cut: index == first && text.stretches.first() != Some(&(first, ended)),
            is_ended,
            at,
        })
    }

    /// The line of a stream with this number, if it is kept.
    pub fn line_number(&self, stream: StandardStream, number: u64) -> Option<PrintedLine<'_>> {
        let text = &self.texts[stream.index()];
        let number = number.checked_sub(1)?;
        text.stretches
            .iter()
            .enumerate()
            .find_map(|(at, &(first, ended))| {
                let end = text
                    .stretches
                    .get(at + 1)
                    .map_or(text.lines.len() as u32, |next| next.0);
                let within = u32::try_from(number.checked_sub(ended)?).ok()?;
                let index = first.checked_add(within).filter(|&index| index < end)?;
                self.line(stream, index)
            })
    }

    /// The piece with which a line begins.
    pub fn first_piece(&self, line: &PrintedLine<'_>) -> Option<PrintedPiece<'_>> {
        let first = self.parts(line).next()?;
        self.piece(first.piece)
    }

    /// Which piece printed which part of a line, in order. What ends the line belongs to the last.
    pub fn parts<'a>(&'a self, line: &PrintedLine<'a>) -> impl Iterator<Item = LinePart> + use<'a> {
        let pieces = &self.texts[line.stream.index()].pieces;
        let (at, length) = (line.at as usize, line.text.len());
        line.pieces.clone().filter_map(move |of_stream| {
            let piece = *pieces.get(of_stream as usize)?;
            let row = self.pieces.get(piece as usize)?;
            let start = (row.start as usize).saturating_sub(at).min(length);
            let end = (row.start as usize + row.length as usize).saturating_sub(at);
            let range = start..end.min(length);
            (!row.is_binary).then_some(LinePart { piece, range })
        })
    }

    /// The stream's pieces that have text in a range of its text.
    fn pieces_of(&self, text: &StreamText, range: Range<u32>) -> Range<u32> {
        let start_of = |piece: &u32| self.pieces[*piece as usize].start;
        // Pieces without text begin where the next one does.
        let until_start = text
            .pieces
            .partition_point(|piece| start_of(piece) <= range.start);
        let end = text
            .pieces
            .partition_point(|piece| start_of(piece) < range.end);
        (until_start.saturating_sub(1) as u32)..end as u32
    }
}

impl StreamText {
    fn add(&mut self, text: &[u8]) {
        let mut at = self.text.len() as u32;
        self.text.extend_from_slice(text);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            if !self.is_line_open {
                self.lines.push(at);
            }
            self.is_line_open = !line.ends_with(b"\n");
            at += line.len() as u32;
        }
    }
}

/// The last row that is about this index or one before it.
fn before(rows: &[(u32, u64)], index: u32) -> Option<(u32, u64)> {
    let after = rows.partition_point(|(first, _)| *first <= index);
    rows.get(after.checked_sub(1)?).copied()
}

impl Printed {
    /// What was printed before each thread's end; `None` where nothing more will be recorded.
    pub(crate) fn read(
        folder: &Path,
        format: FormatVersion,
        ends: Option<&[(ThreadNumber, u64)]>,
    ) -> Result<Self> {
        let mut printed = Self {
            is_recorded: format >= file::SINCE,
            ..Self::default()
        };
        file::read(folder, &mut printed, |piece| {
            ends.is_none_or(|ends| is_within(piece, ends))
        })?;
        Ok(printed)
    }
}

/// Whether a piece was printed before the trace ends.
fn is_within(piece: &PieceRecord<'_>, ends: &[(ThreadNumber, u64)]) -> bool {
    let Some((thread, position)) = piece.thread.zip(piece.position) else {
        return true;
    };
    let mut ends = ends.iter();
    ends.any(|&(of, end)| of == thread && position.0 < end)
}

#[cfg(test)]
mod tests;
