//! Chains of calls (Definition 7 of *Balanced Execution Trees*), found in one pass and kept on disk.
//!
//! Calls of one caller that follow each other are a chain if the state in which one ends is the
//! state in which the next begins: nothing that any of them can see was written between them, be it
//! by the caller itself, by library code on its behalf, or by another thread. Taken together they
//! then are one piece of work: state before the first, state after the last.
//!
//! What a method can see is a question about its code, so it is asked of a [`Sight`]. Writes between
//! two calls that neither of them can see do not break a chain, but they are kept in mind as
//! long as it lasts: a later call that sees them begins a new one.
//!
//! On disk a chain is one row, and each of its calls another, sorted by the call's number. The pass
//! holds the open calls and nothing else.

use trace_format::event::{self, Skimmed, Target, skim};
use trace_format::{FieldId, FrameShape, Kind, MethodId, ObjectId, Stream, ThreadNumber};

use crate::call_index::{CallIndex, Source};
use crate::error::Result;
use crate::external_sort::ExternalSort;
use crate::index_folder::IndexFolder;
use crate::map::Map;

mod open_chain;

use open_chain::{Asked, OpenChain};

const NAME: &str = "chains";
const MEMBERS: &str = "members";
const ENDS: &str = "ends";

/// What kind of thing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// A field of some object, by the number that stands for all numbers of that field.
    Field(FieldId),
    Static(FieldId),
    /// Elements of an array.
    Elements(Kind),
}

/// What methods can see.
pub trait Sight {
    /// Whether a call of the method, or anything below it, could come across such a write: whether
    /// what was written may belong to what it can reach.
    fn sees(&self, method: MethodId, change: Change) -> bool;
}

impl<F: Fn(MethodId, Change) -> bool> Sight for F {
    fn sees(&self, method: MethodId, change: Change) -> bool {
        self(method, change)
    }
}

/// All chains of two calls and more.
#[derive(Debug)]
pub(crate) struct ChainIndex {
    _folder: IndexFolder,
    /// Call, first call of its chain.
    members: Map,
    /// First call, last call.
    ends: Map,
}

impl ChainIndex {
    pub(crate) fn open(
        source: &Source<'_>,
        calls: &CallIndex,
        resolve: &dyn Fn(FieldId) -> FieldId,
        sight: &dyn Sight,
    ) -> Result<Self> {
        if let Some((folder, ())) = IndexFolder::find(source.folder, NAME, &source.stamp)
            && let Ok(members) = Map::open(&folder.file(MEMBERS))
            && let Ok(ends) = Map::open(&folder.file(ENDS))
        {
            return Ok(Self {
                _folder: folder,
                members,
                ends,
            });
        }
        let mut folder = IndexFolder::create(source.folder, NAME)?;
        let mut rows = Rows {
            thread: ThreadNumber(0),
            members: ExternalSort::new(folder.file(MEMBERS)),
            ends: ExternalSort::new(folder.file(ENDS)),
        };
        let mut asked = Asked::new(sight);
        let is_alone = calls.threads().count() < 2;
        for calls in calls.threads() {
            rows.thread = calls.thread();
            let segments = if is_alone {
                &[]
            } else {
                calls.columns.segments()
            };
            let mut pass = Pass {
                asked: &mut asked,
                resolve,
                segments,
                rows: &mut rows,
                stack: Vec::new(),
                calls: 0,
            };
            pass.scan(source, calls.columns.summary.end)?;
        }
        rows.members.finish()?;
        rows.ends.finish()?;
        let members = Map::open(&folder.file(MEMBERS))?;
        let ends = Map::open(&folder.file(ENDS))?;
        if source.finished {
            folder.publish(source.folder, NAME, &source.stamp, ());
        }
        Ok(Self {
            _folder: folder,
            members,
            ends,
        })
    }

    pub(crate) fn release(&self) {
        self.members.release();
        self.ends.release();
    }

    /// The first and the last call of the chain that holds a call.
    pub(crate) fn around(&self, thread: ThreadNumber, call: u32) -> Option<(u32, u32)> {
        let first = find(&self.members, key(thread, call))?;
        let last = find(&self.ends, key(thread, first))?;
        Some((first, last))
    }
}

fn find(rows: &Map, key: u64) -> Option<u32> {
    let rows: &[[u64; 2]] = rows.u64s().as_chunks().0;
    let at = rows.binary_search_by_key(&key, |row| row[0]).ok()?;
    u32::try_from(rows[at][1]).ok()
}

fn key(thread: ThreadNumber, call: u32) -> u64 {
    u64::from(thread.0) << 32 | u64::from(call)
}

struct Rows {
    thread: ThreadNumber,
    members: ExternalSort<2>,
    ends: ExternalSort<2>,
}

impl Rows {
    fn add_member(&mut self, call: u32, first: u32) -> Result<()> {
        self.members.push([key(self.thread, call), first.into()])
    }

    fn add_chain(&mut self, first: u32, last: u32) -> Result<()> {
        self.ends.push([key(self.thread, first), last.into()])
    }
}

/// An open call, and the chain that its latest child belongs to.
struct Frame {
    shape: FrameShape,
    chain: Option<OpenChain>,
}

/// The pass over one thread's events.
struct Pass<'a, 'sight> {
    asked: &'a mut Asked<'sight>,
    resolve: &'a dyn Fn(FieldId) -> FieldId,
    /// Where other threads may have run in between.
    segments: &'a [[u64; 2]],
    rows: &'a mut Rows,
    stack: Vec<Frame>,
    calls: u32,
}

impl Pass<'_, '_> {
    /// Walks the events as far as the call columns go.
    fn scan(&mut self, source: &Source<'_>, end: u64) -> Result<()> {
        let symbols = source.symbols;
        for piece in source
            .streams
            .view(self.rows.thread, Stream::Events)
            .pieces()
        {
            let mut at = 0;
            while piece.base + (at as u64) < end {
                self.pass_segment(piece.base + at as u64);
                let current = self.stack.last().map(|frame| frame.shape);
                let rest = &piece.bytes[at..];
                let Ok(Some((event, length))) = skim(rest, symbols, current) else {
                    break;
                };
                match event {
                    Skimmed::Enter { method, shape, .. } => self.enter(method, shape)?,
                    Skimmed::Exit { .. } => self.end_above(self.stack.len().saturating_sub(1))?,
                    Skimmed::Throw { depth, .. } => {
                        if depth > 0 && depth as usize <= self.stack.len() {
                            self.end_above(depth as usize - 1)?;
                        }
                    }
                    Skimmed::Catch { depth, .. } => self.end_above(depth as usize)?,
                    Skimmed::Write { .. } => {
                        let resolve = self.resolve;
                        if let Some(chain) = self.between_calls()
                            // What kind of thing is written counts, not whose it is.
                            && let Ok(Some(write)) =
                                event::decode_write(rest, symbols, ObjectId::NULL)
                        {
                            chain.note(change(write.target, resolve));
                        }
                    }
                    Skimmed::This { .. } | Skimmed::Sync { .. } | Skimmed::Mark { .. } => {}
                }
                at += length;
            }
            source.streams.has_read(&piece);
        }
        self.end_above(0)
    }

    /// Other threads may have written anything where a segment begins.
    fn pass_segment(&mut self, position: u64) {
        while let Some(([start, _], rest)) = self.segments.split_first()
            && *start <= position
        {
            self.segments = rest;
            if let Some(chain) = self.between_calls() {
                chain.interrupt();
            }
        }
    }

    /// The chain after whose latest call the innermost open call is.
    fn between_calls(&mut self) -> Option<&mut OpenChain> {
        self.stack.last_mut()?.chain.as_mut()
    }

    fn enter(&mut self, method: MethodId, shape: FrameShape) -> Result<()> {
        let index = self.calls;
        self.calls += 1;
        if let Some(caller) = self.stack.last_mut() {
            let goes_on = caller
                .chain
                .as_mut()
                .is_some_and(|chain| chain.take(index, method, self.asked));
            if goes_on {
                let chain = caller.chain.as_ref();
                let (first, is_second) = chain.map_or((index, false), OpenChain::just_grown);
                if is_second {
                    self.rows.add_member(first, first)?;
                }
                self.rows.add_member(index, first)?;
            } else {
                let ended = caller.chain.replace(OpenChain::new(index, method));
                if let Some((first, last)) = ended.and_then(|chain| chain.ends()) {
                    self.rows.add_chain(first, last)?;
                }
            }
        }
        self.stack.push(Frame { shape, chain: None });
        Ok(())
    }

    fn end_above(&mut self, depth: usize) -> Result<()> {
        while self.stack.len() > depth
            && let Some(frame) = self.stack.pop()
        {
            if let Some((first, last)) = frame.chain.and_then(|chain| chain.ends()) {
                self.rows.add_chain(first, last)?;
            }
        }
        Ok(())
    }
}

fn change(target: Target<'_>, resolve: &dyn Fn(FieldId) -> FieldId) -> Change {
    match target {
        Target::Field { field, .. } => Change::Field(resolve(field)),
        Target::Static { field, .. } => Change::Static(resolve(field)),
        Target::Element { value, .. } => Change::Elements(value.kind()),
        Target::Range(range) => Change::Elements(range.kind),
    }
}
