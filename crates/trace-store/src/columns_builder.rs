//! The pass over a thread's events that makes its call columns.
//!
//! A call's row is begun when it is entered; its subtree size and its exit are known only later,
//! when it ends. Rows are therefore collected in a window in memory and written out when it is
//! full; the few calls that are still open then (no more than the stack is deep) are patched in
//! the file when they end. The pass can stop at the end of what has been recorded so far and go
//! on from there when there is more.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use trace_format::event::{Skimmed, skim, tag};
use trace_format::{DecodeError, FrameShape, ThreadNumber, restore_position};

use crate::call_graph::CallGraph;
use crate::columns::{
    ENTRY, EXIT, LOST, METHOD, NO_PARENT, OPEN, PARENT, SEGMENTS, SIZE, Summary, VALUES,
    VALUES_END, path,
};
use crate::error::{IoContext, Result, StoreError};
use crate::index_folder::IndexFolder;
use crate::map::{bytes_of_u32s, bytes_of_u64s};
use crate::streams::{Piece, StreamView};
use crate::symbols::Symbols;

/// Rows in memory before they are written: 44 bytes each.
const WINDOW: usize = 128 * 1024;
/// Late ends in memory before they are patched into the files.
const PATCHES: usize = 64 * 1024;

/// The pass over one thread's events.
#[derive(Debug)]
pub(crate) struct ColumnsBuilder {
    thread: ThreadNumber,
    /// Open during [`ColumnsBuilder::advance`] only: there may be thousands of threads.
    files: Option<Files>,
    window: Window,
    stack: Vec<Frame>,
    patches: Vec<Patch>,
    graph: CallGraph,
    segments: Vec<[u64; 2]>,
    segments_written: u64,
    last_segment: Option<[u64; 2]>,
    value_position: u64,
    summary: Summary,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    index: u32,
    method: u32,
    shape: FrameShape,
}

/// What is known of a call only when it ends.
#[derive(Debug, Clone, Copy)]
struct Patch {
    index: u32,
    size: u32,
    exit: u64,
    values_end: u64,
}

/// Rows that are not in the files yet.
#[derive(Debug, Default)]
struct Window {
    /// Number of the first row.
    first: u32,
    parent: Vec<u32>,
    size: Vec<u32>,
    method: Vec<u32>,
    entry: Vec<u64>,
    exit: Vec<u64>,
    values: Vec<u64>,
    values_end: Vec<u64>,
}

#[derive(Debug)]
struct Files {
    parent: File,
    size: File,
    method: File,
    entry: File,
    exit: File,
    values: File,
    values_end: File,
    segments: File,
}

impl Files {
    fn open(folder: &IndexFolder, thread: ThreadNumber) -> Result<Self> {
        let open = |name| {
            let path = path(folder, thread.0, name);
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(false);
            options.open(&path).during("create", &path)
        };
        Ok(Self {
            parent: open(PARENT)?,
            size: open(SIZE)?,
            method: open(METHOD)?,
            entry: open(ENTRY)?,
            exit: open(EXIT)?,
            values: open(VALUES)?,
            values_end: open(VALUES_END)?,
            segments: open(SEGMENTS)?,
        })
    }
}

impl ColumnsBuilder {
    pub(crate) fn new(thread: ThreadNumber) -> Self {
        Self {
            thread,
            files: None,
            window: Window::default(),
            stack: Vec::new(),
            patches: Vec::new(),
            graph: CallGraph::default(),
            segments: Vec::new(),
            segments_written: 0,
            last_segment: None,
            value_position: 0,
            summary: Summary {
                thread: thread.0,
                ..Summary::default()
            },
        }
    }

    pub(crate) fn thread(&self) -> ThreadNumber {
        self.thread
    }

    /// Goes on to the end of what has been recorded and writes everything out.
    pub(crate) fn advance(
        &mut self,
        folder: &IndexFolder,
        stream: StreamView<'_>,
        symbols: &Symbols,
        progress: &mut dyn FnMut(u64, &Piece<'_>),
    ) -> Result<Summary> {
        self.files = Some(Files::open(folder, self.thread)?);
        // What was an unknown method may be declared by now.
        self.summary.damage = None;
        for piece in stream.pieces_from(self.summary.end) {
            if self.summary.end == piece.base {
                self.begin_segment(piece.base, piece.stamp);
            }
            let Some(offset) = self.summary.end.checked_sub(piece.base) else {
                break;
            };
            let whole = self.walk(&piece, offset as usize, symbols)?;
            progress(self.summary.end, &piece);
            if !whole {
                break;
            }
        }
        self.flush(true)?;
        self.files = None;
        if self.summary.graph.len() != self.graph.len() {
            self.summary.graph = self.graph.pairs();
        }
        Ok(self.summary.clone())
    }

    /// Whether the piece was read up to its last byte.
    fn walk(&mut self, piece: &Piece<'_>, start: usize, symbols: &Symbols) -> Result<bool> {
        let Piece { bytes, base, .. } = *piece;
        let mut at = start;
        while let Some(rest) = bytes.get(at..) {
            let current = self.stack.last().map(|frame| frame.shape);
            match skim(rest, symbols, current) {
                Ok(Some((event, length))) => {
                    self.take(base + at as u64, event)?;
                    at += length;
                }
                Ok(None) => break,
                // A truncated tail: the event was never whole.
                Err(DecodeError::CutOff) if piece.is_tail => break,
                Err(error) => {
                    self.summary.damage = Some(error.to_string());
                    break;
                }
            }
        }
        self.summary.end = base + at as u64;
        Ok(at == bytes.len())
    }

    #[inline(always)]
    fn take(&mut self, position: u64, event: Skimmed) -> Result<()> {
        let counts = &mut self.summary.counts;
        match event {
            Skimmed::Enter {
                method,
                values,
                shape,
            } => {
                counts.enter += 1;
                self.value_position = self.value_position.saturating_add(values.into());
                self.enter(position, method.0, shape)?;
            }
            Skimmed::Exit { values } => {
                counts.exit += 1;
                self.value_position = self.value_position.saturating_add(values.into());
                self.end_innermost(position)?;
            }
            Skimmed::Throw {
                depth,
                vpos,
                exception,
            } => {
                counts.throw += 1;
                self.value_position = restore_position(self.value_position, vpos);
                if depth > 0 && depth as usize <= self.stack.len() {
                    self.end_above(depth, position)?;
                    let lost = if exception.is_null() { LOST } else { 0 };
                    self.end_innermost(position | lost)?;
                }
            }
            Skimmed::Catch { depth, vpos } => {
                counts.catch += 1;
                self.value_position = restore_position(self.value_position, vpos);
                self.end_above(depth, position)?;
            }
            Skimmed::Mark { vpos } => {
                self.value_position = restore_position(self.value_position, vpos);
            }
            Skimmed::This { .. } => counts.this += 1,
            Skimmed::Sync { stamp } => {
                counts.sync += 1;
                self.begin_segment(position, stamp);
            }
            Skimmed::Write { tag } => {
                counts.by_library += u64::from(tag & tag::BY_LIBRARY != 0);
                match tag & !tag::BY_LIBRARY {
                    tag::PUT_FIELD | tag::PUT_THIS => counts.put_field += 1,
                    tag::PUT_STATIC => counts.put_static += 1,
                    tag::ARRAY_RANGE => counts.array_range += 1,
                    _ => counts.array_store += 1,
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn enter(&mut self, position: u64, method: u32, shape: FrameShape) -> Result<()> {
        let index = self.summary.calls;
        if index == NO_PARENT - 1 {
            return Err(StoreError::TooManyCalls);
        }
        if self.window.parent.len() == WINDOW {
            self.flush(false)?;
        }
        self.summary.calls += 1;
        let mut parent = NO_PARENT;
        if let Some(caller) = self.stack.last() {
            parent = caller.index;
            self.graph.note(caller.method, method);
        }
        let window = &mut self.window;
        window.parent.push(parent);
        window.size.push(1);
        window.method.push(method);
        window.entry.push(position);
        window.exit.push(OPEN);
        window.values.push(self.value_position);
        window.values_end.push(OPEN);
        self.stack.push(Frame {
            index,
            method,
            shape,
        });
        Ok(())
    }

    /// Ends the calls deeper than `depth`: they left without saying so.
    fn end_above(&mut self, depth: u32, position: u64) -> Result<()> {
        while self.stack.len() > depth as usize {
            self.end_innermost(position | LOST)?;
        }
        Ok(())
    }

    #[inline]
    fn end_innermost(&mut self, exit: u64) -> Result<()> {
        let Some(frame) = self.stack.pop() else {
            return Ok(());
        };
        self.set(Patch {
            index: frame.index,
            size: self.summary.calls - frame.index,
            exit,
            values_end: self.value_position,
        })
    }

    #[inline]
    fn set(&mut self, patch: Patch) -> Result<()> {
        if let Some(row) = patch.index.checked_sub(self.window.first) {
            self.window.size[row as usize] = patch.size;
            self.window.exit[row as usize] = patch.exit;
            self.window.values_end[row as usize] = patch.values_end;
            return Ok(());
        }
        self.patches.push(patch);
        if self.patches.len() >= PATCHES {
            self.patch()
        } else {
            Ok(())
        }
    }

    /// A stamp that runs backwards (a damaged trace) begins a segment at the same time as the
    /// one before it.
    fn begin_segment(&mut self, position: u64, stamp: u64) {
        let segment = match self.last_segment {
            None => [position, stamp],
            Some([_, last]) if stamp == 0 || (stamp <= last && self.summary.end == position) => {
                return;
            }
            Some([_, last]) => [position, stamp.max(last)],
        };
        self.last_segment = Some(segment);
        self.segments.push(segment);
    }

    /// Writes the window; `all`: also what is known of the open calls, to be read now.
    fn flush(&mut self, all: bool) -> Result<()> {
        if all {
            let open: Vec<u32> = self.stack.iter().map(|frame| frame.index).collect();
            for index in open {
                self.set(Patch {
                    index,
                    size: self.summary.calls - index,
                    exit: OPEN,
                    values_end: OPEN,
                })?;
            }
        }
        let Some(files) = &self.files else {
            return Ok(());
        };
        let window = &mut self.window;
        let first = u64::from(window.first);
        write_u32s(&files.parent, first, &window.parent)?;
        write_u32s(&files.size, first, &window.size)?;
        write_u32s(&files.method, first, &window.method)?;
        write_u64s(&files.entry, first, &window.entry)?;
        write_u64s(&files.exit, first, &window.exit)?;
        write_u64s(&files.values, first, &window.values)?;
        write_u64s(&files.values_end, first, &window.values_end)?;
        window.first += window.parent.len() as u32;
        window.parent.clear();
        window.size.clear();
        window.method.clear();
        window.entry.clear();
        window.exit.clear();
        window.values.clear();
        window.values_end.clear();
        write_u64s(
            &files.segments,
            self.segments_written * 2,
            self.segments.as_flattened(),
        )?;
        self.segments_written += self.segments.len() as u64;
        self.segments.clear();
        self.patch()
    }

    /// Patches neighbours together: deep recursion ends call after call.
    fn patch(&mut self) -> Result<()> {
        let Some(files) = &self.files else {
            return Ok(());
        };
        // Of several patches of one call the last counts; the sort is stable.
        self.patches.sort_by_key(|patch| patch.index);
        let mut rest = &self.patches[..];
        let (mut sizes, mut exits, mut values) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(&Patch { index: first, .. }) = rest.first() {
            sizes.clear();
            exits.clear();
            values.clear();
            while let Some(&patch) = rest.first() {
                let at = (patch.index - first) as usize;
                if at > sizes.len() {
                    break;
                }
                sizes.truncate(at);
                exits.truncate(at);
                values.truncate(at);
                sizes.push(patch.size);
                exits.push(patch.exit);
                values.push(patch.values_end);
                rest = &rest[1..];
            }
            write_u32s(&files.size, u64::from(first), &sizes)?;
            write_u64s(&files.exit, u64::from(first), &exits)?;
            write_u64s(&files.values_end, u64::from(first), &values)?;
        }
        self.patches.clear();
        Ok(())
    }
}

fn write_u32s(file: &File, first: u64, numbers: &[u32]) -> Result<()> {
    file.write_all_at(bytes_of_u32s(numbers), first * 4)
        .during("write", Path::new("the index"))
}

fn write_u64s(file: &File, first: u64, numbers: &[u64]) -> Result<()> {
    file.write_all_at(bytes_of_u64s(numbers), first * 8)
        .during("write", Path::new("the index"))
}
