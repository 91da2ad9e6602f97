//! Keeps what the program prints: the first part and the last, in a file that does not grow beyond them.
//!
//! Threads print while they hold a `PrintStream`, so what is done here is short: a copy into memory that is mapped
//! from the file, under a lock that is held for nothing else. What is there survives a killed JVM.

use std::fs::File;
use std::io;
use std::sync::atomic::{Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

use trace_format::printed::{
    LONGEST_PIECE, PIECE_HEADER_SIZE, PieceRecord, PrintedContent, PrintedCounts,
    SEGMENT_HEADER_SIZE, SEGMENT_SIZE, SegmentHeader, StandardStream,
};
use trace_format::secret_texts::{SecretTexts, TooMany};
use trace_format::{EventPosition, ThreadNumber};

use crate::streams::{Memory, map_reserved};

/// Segments of the first part, and of the last: eight megabytes each.
const MOST_SEGMENTS: u64 = 128;
/// Of a trace that must not be large, output takes no more than this part, twice.
const PART_OF_TRACE: u64 = 16;
const FEWEST_SEGMENTS: u64 = 2;
/// The most that is mapped at once.
const MAPPED_AT_ONCE: usize = 16;

/// Where something was printed: the thread, and where in its events, if that is in the trace.
pub(crate) type PrintedPlace = (ThreadNumber, Option<EventPosition>);

#[derive(Debug)]
pub(crate) struct Printed(Mutex<PrintedState>);

#[derive(Debug)]
struct PrintedState {
    /// Made when there is something to print.
    file: Option<File>,
    /// The mapped segments, in the order of the file.
    slots: Vec<Memory>,
    /// How many segments the first part has, and the last.
    kept: u64,
    /// The segment that is being written, and how far it is.
    sequence: u64,
    used: usize,
    counts: PrintedCounts,
    is_given_up: bool,
    secrets: SecretTexts,
}

/// What could not be done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PrintedError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("it holds too many secrets to find them all in what it prints")]
    Secrets,
}

impl From<TooMany> for PrintedError {
    fn from(_: TooMany) -> Self {
        Self::Secrets
    }
}

impl Printed {
    pub(crate) fn new(max_trace: Option<u64>) -> Self {
        let part = max_trace.map(|most| most / PART_OF_TRACE / SEGMENT_SIZE as u64);
        let kept = part.unwrap_or(MOST_SEGMENTS);
        Self(Mutex::new(PrintedState {
            file: None,
            slots: Vec::new(),
            kept: kept.clamp(FEWEST_SEGMENTS, MOST_SEGMENTS),
            sequence: 0,
            used: SEGMENT_SIZE,
            counts: PrintedCounts::default(),
            is_given_up: false,
            secrets: SecretTexts::default(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, PrintedState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what was printed, and gives the number of the piece. `create` makes the file. The error is told once;
    /// afterwards pieces are counted.
    pub(crate) fn keep(
        &self,
        stream: StandardStream,
        place: Option<PrintedPlace>,
        bytes: &mut [u8],
        create: impl FnOnce() -> io::Result<File>,
    ) -> (u64, Result<(), PrintedError>) {
        let mut state = self.state();
        let number = state.counts.pieces;
        if !state.is_given_up && state.file.is_none() {
            match create() {
                Ok(file) => state.file = Some(file),
                Err(error) => return (number, Err(state.give_up(error.into()))),
            }
        }
        let is_masked = !state.secrets.is_empty() && state.secrets.mask(bytes);
        for part in bytes.chunks(LONGEST_PIECE) {
            let piece = PieceRecord {
                stream,
                thread: place.map(|(thread, _)| thread),
                position: place.and_then(|(_, position)| position),
                content: PrintedContent::of(part),
                is_masked,
            };
            if let Err(error) = state.add(&piece) {
                return (number, Err(state.give_up(error.into())));
            }
        }
        (number, Ok(()))
    }

    /// A text is a secret from now on. What was made of another (`is_made`) need not be known if that stands in it.
    pub(crate) fn keep_out(&self, text: &[u8], is_made: bool) -> Result<(), PrintedError> {
        let mut state = self.state();
        if state.is_given_up || is_made && state.secrets.is_in(text) {
            return Ok(());
        }
        let added = state.secrets.add(text);
        added.map_err(|error| state.give_up(error.into()))
    }

    /// Looks once more for secrets: some were not known when they were printed, or came in several pieces.
    pub(crate) fn end(&self) {
        let mut state = self.state();
        if !state.secrets.is_empty() {
            StandardStream::ALL
                .into_iter()
                .for_each(|stream| state.mask_all(stream));
        }
    }
}

impl PrintedState {
    /// Nothing more is kept. What there is goes if it may hold secrets that nobody can look for.
    fn give_up(&mut self, error: PrintedError) -> PrintedError {
        self.is_given_up = true;
        if matches!(error, PrintedError::Secrets) {
            self.slots.iter_mut().for_each(|slot| slot.fill(0));
        }
        error
    }

    fn add(&mut self, piece: &PieceRecord<'_>) -> io::Result<()> {
        if !self.is_given_up {
            // The kind behind it stays zero: it is the end.
            if self.used + piece.size() >= SEGMENT_SIZE {
                self.begin_segment()?;
            }
            let slot = self.slot(self.sequence - 1);
            let at = self.used;
            let place = &mut self.slots[slot][at..][..piece.size()];
            let kind = piece.encode_behind_kind(place);
            fence(Ordering::Release);
            place[0] = kind;
            self.used += piece.size();
        }
        self.counts.add(piece.stream, piece.content);
        Ok(())
    }

    /// Where the segment with this number is in the file.
    fn slot(&self, sequence: u64) -> usize {
        let slot = match sequence.checked_sub(self.kept) {
            None => sequence,
            Some(late) => self.kept + late % self.kept,
        };
        slot as usize
    }

    fn begin_segment(&mut self) -> io::Result<()> {
        let slot = self.slot(self.sequence);
        if slot == self.slots.len() {
            let room = 2 * self.kept as usize - slot;
            let count = slot.clamp(1, MAPPED_AT_ONCE).min(room);
            let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
            self.slots
                .extend(map_reserved(file, slot, SEGMENT_SIZE, count)?);
        }
        let header = SegmentHeader {
            sequence: self.sequence,
            before: self.counts,
        };
        let segment = &mut self.slots[slot];
        // A reader of the old content sees that it is no segment any more before anything else of it changes.
        segment[..4].fill(0);
        fence(Ordering::Release);
        segment.fill(0);
        let header = header.encode();
        segment[4..SEGMENT_HEADER_SIZE].copy_from_slice(&header[4..]);
        fence(Ordering::Release);
        segment[..4].copy_from_slice(&header[..4]);
        self.sequence += 1;
        self.used = SEGMENT_HEADER_SIZE;
        Ok(())
    }

    /// The segments that are kept, in the order in which they were written.
    fn segments(&self) -> impl Iterator<Item = usize> + use<'_> {
        let last = self.sequence.saturating_sub(self.kept).max(self.kept);
        let first = 0..self.sequence.min(self.kept);
        first.chain(last..self.sequence).map(|it| self.slot(it))
    }

    fn mask_all(&mut self, stream: StandardStream) {
        let mut text = Vec::new();
        let mut places = Vec::new();
        for slot in self.segments() {
            let mut at = SEGMENT_HEADER_SIZE;
            while let Some(rest) = self.slots[slot].get(at..)
                && let Ok(Some(piece)) = PieceRecord::decode(rest)
            {
                if let PrintedContent::Text(printed) = piece.content
                    && piece.stream == stream
                {
                    places.push((slot, at + PIECE_HEADER_SIZE, printed.len()));
                    text.extend_from_slice(printed);
                }
                at += piece.size();
            }
        }
        if !self.secrets.mask(&mut text) {
            return;
        }
        let mut rest = &text[..];
        for (slot, at, length) in places {
            let (masked, behind) = rest.split_at(length);
            let segment = &mut self.slots[slot];
            if segment[at..][..length] != *masked {
                segment[at..][..length].copy_from_slice(masked);
                let kind = at - PIECE_HEADER_SIZE;
                segment[kind] = PieceRecord::masked(segment[kind]);
            }
            rest = behind;
        }
    }
}
