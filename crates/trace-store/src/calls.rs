//! The calls of a trace: a tree per thread, in preorder, so that a subtree is a range.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use trace_format::event::{self, Event};
use trace_format::{
    EventPosition, MethodId, ObjectId, Signatures, ThreadNumber, TraceTime, Value, ValuePosition,
    restore_position,
};

use crate::axis::Axis;
use crate::columns::{Columns, LOST, OPEN, Summary};
use crate::columns_builder::ColumnsBuilder;
use crate::error::Result;
use crate::index_folder::{IndexFolder, Stamp};
use crate::own_events::OwnEvents;
use crate::streams::{StreamView, Streams};
use crate::symbols::Symbols;

/// A call, by thread and number in preorder. People see it as one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId {
    pub thread: ThreadNumber,
    pub index: u32,
}

impl CallId {
    const INDEX_BITS: u32 = 40;

    pub fn new(thread: ThreadNumber, index: u32) -> Self {
        Self { thread, index }
    }

    /// The one number that stands for this call.
    pub fn number(self) -> u64 {
        u64::from(self.thread.0) << Self::INDEX_BITS | u64::from(self.index)
    }

    /// `None` if no call could have this number.
    pub fn from_number(number: u64) -> Option<Self> {
        let index = u32::try_from(number & ((1 << Self::INDEX_BITS) - 1)).ok()?;
        let thread = u32::try_from(number >> Self::INDEX_BITS).ok()?;
        Some(Self {
            thread: ThreadNumber(thread),
            index,
        })
    }
}

impl std::fmt::Display for CallId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// A call with what it was given and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub id: CallId,
    pub parent: Option<CallId>,
    pub method: MethodId,
    /// Of a constructor: once its super constructor has returned, it is known.
    pub this: Option<ObjectId>,
    /// Without `this`.
    pub arguments: Vec<Value>,
    pub outcome: Outcome,
    /// Position of the ENTER.
    pub entry: EventPosition,
    /// Position of the event that ended the call; `None` while it is open.
    pub exit: Option<EventPosition>,
    pub entry_time: TraceTime,
    /// The end of the trace while the call is open.
    pub exit_time: TraceTime,
    /// Calls in the subtree, this one included.
    pub subtree: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// `None`: void.
    Returned(Option<Value>),
    Threw(ObjectId),
    /// It was left by an exception before its code could say so.
    Lost,
    /// It had not ended when the recording did, or is running still.
    Open,
}

/// All calls of one thread. Columns are indexed by a call's number.
#[derive(Debug, Clone, Copy)]
pub struct Calls<'a> {
    thread: ThreadNumber,
    columns: &'a Columns,
}

impl<'a> Calls<'a> {
    pub fn thread(&self) -> ThreadNumber {
        self.thread
    }

    pub fn len(&self) -> u32 {
        self.columns.len() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn contains(&self, index: u32) -> bool {
        index < self.len()
    }

    /// The methods of all calls, for scans.
    pub fn methods(&self) -> &'a [u32] {
        self.columns.methods()
    }

    /// Subtree sizes of all calls, each counting itself.
    pub fn sizes(&self) -> &'a [u32] {
        self.columns.sizes()
    }

    /// Parents of all calls; `u32::MAX` for roots.
    pub fn parents(&self) -> &'a [u32] {
        self.columns.parents()
    }

    /// Positions of all ENTERs, ascending.
    pub fn entries(&self) -> &'a [u64] {
        self.columns.entries()
    }

    pub fn method(&self, index: u32) -> MethodId {
        MethodId(self.methods()[index as usize])
    }

    /// Calls in the subtree, the call itself included.
    pub fn subtree(&self, index: u32) -> u32 {
        self.sizes()[index as usize].max(1)
    }

    pub fn parent(&self, index: u32) -> Option<u32> {
        let parent = self.parents()[index as usize];
        (parent < index).then_some(parent)
    }

    pub fn entry(&self, index: u32) -> EventPosition {
        EventPosition(self.entries()[index as usize])
    }

    /// The event that ended the call; `None` while it is open.
    pub fn exit(&self, index: u32) -> Option<EventPosition> {
        match self.columns.exits()[index as usize] {
            OPEN => None,
            exit => Some(EventPosition(exit & !LOST)),
        }
    }

    pub fn is_open(&self, index: u32) -> bool {
        self.columns.exits()[index as usize] == OPEN
    }

    /// Whether the call ended without an event of its own.
    pub fn is_lost(&self, index: u32) -> bool {
        let exit = self.columns.exits()[index as usize];
        exit != OPEN && exit & LOST != 0
    }

    /// Where the call's values begin.
    pub fn values_start(&self, index: u32) -> ValuePosition {
        ValuePosition(self.columns.values()[index as usize])
    }

    /// The numbers of the call and all its descendants.
    pub fn subtree_range(&self, index: u32) -> Range<u32> {
        index..index.saturating_add(self.subtree(index)).min(self.len())
    }

    pub fn roots(&self) -> Children<'a> {
        Children {
            calls: *self,
            next: 0,
            end: self.len(),
        }
    }

    pub fn children(&self, index: u32) -> Children<'a> {
        let range = self.subtree_range(index);
        Children {
            calls: *self,
            next: range.start + 1,
            end: range.end,
        }
    }

    /// How many calls are open around this one, itself included.
    pub fn depth(&self, index: u32) -> u32 {
        self.ancestors(index).count() as u32 + 1
    }

    /// The parent, its parent and so on to the root.
    pub fn ancestors(&self, index: u32) -> impl Iterator<Item = u32> + use<'a> {
        let calls = *self;
        std::iter::successors(calls.parent(index), move |&index| calls.parent(index))
    }

    /// The calls of a method, in order. Scans the column; stop early for the first few.
    pub fn of_method(&self, method: MethodId) -> impl Iterator<Item = u32> + use<'a> {
        let methods = self.methods();
        (0u32..)
            .zip(methods)
            .filter(move |(_, number)| **number == method.0)
            .map(|(at, _)| at)
    }

    /// The innermost call that contains a position: from its ENTER to the event that ended it.
    pub fn at(&self, position: EventPosition) -> Option<u32> {
        let after = self.entries().partition_point(|&entry| entry <= position.0);
        let mut index = u32::try_from(after).ok()?.checked_sub(1)?;
        loop {
            let contains = match self.exit(index) {
                None => true,
                // The event that ends a lost call belongs to another one.
                Some(exit) if self.is_lost(index) => position < exit,
                Some(exit) => position <= exit,
            };
            if contains {
                return Some(index);
            }
            index = self.parent(index)?;
        }
    }
}

/// Siblings in order.
#[derive(Debug, Clone)]
pub struct Children<'a> {
    calls: Calls<'a>,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        self.next = index.saturating_add(self.calls.subtree(index));
        Some(index)
    }
}

/// The call columns of all threads and the axis between them.
#[derive(Debug)]
pub(crate) struct CallIndex {
    folder: IndexFolder,
    columns: Vec<Columns>,
    pub(crate) axis: Axis,
    /// To go on from when there is more; only of an index that is not published.
    builders: Vec<ColumnsBuilder>,
}

const NAME: &str = "calls";

#[derive(Debug, Serialize, Deserialize)]
struct Content {
    threads: Vec<Summary>,
    axis_end: u64,
}

/// What an index is made from and for.
pub(crate) struct Source<'a> {
    pub(crate) folder: &'a std::path::Path,
    pub(crate) streams: &'a Streams,
    pub(crate) symbols: &'a Symbols,
    pub(crate) stamp: Stamp,
    /// The trace will not grow any more: its indexes can be kept.
    pub(crate) finished: bool,
}

impl CallIndex {
    pub(crate) fn open(source: &Source<'_>, progress: &mut dyn FnMut(u64, u64)) -> Result<Self> {
        match Self::find(source) {
            Some(index) => Ok(index),
            None => {
                let folder = IndexFolder::create(source.folder, NAME)?;
                Self::build(source, folder, Vec::new(), progress)
            }
        }
    }

    /// Goes on where the index ends; starts anew if it was a published one.
    pub(crate) fn refresh(self, source: &Source<'_>) -> Result<Self> {
        let Self {
            folder,
            columns,
            builders,
            ..
        } = self;
        drop(columns);
        if folder.is_private() {
            Self::build(source, folder, builders, &mut |_, _| {})
        } else {
            Self::open(source, &mut |_, _| {})
        }
    }

    pub(crate) fn thread(&self, thread: ThreadNumber) -> Option<Calls<'_>> {
        let found = self
            .columns
            .binary_search_by_key(&thread.0, |columns| columns.summary.thread);
        Some(Calls {
            thread,
            columns: &self.columns[found.ok()?],
        })
    }

    pub(crate) fn threads(&self) -> impl Iterator<Item = Calls<'_>> {
        self.columns.iter().map(|columns| Calls {
            thread: ThreadNumber(columns.summary.thread),
            columns,
        })
    }

    pub(crate) fn summary(&self, thread: ThreadNumber) -> Option<&Summary> {
        Some(&self.thread(thread)?.columns.summary)
    }

    fn find(source: &Source<'_>) -> Option<Self> {
        let found = IndexFolder::find::<Content>(source.folder, NAME, &source.stamp);
        let (folder, content) = found?;
        let mut columns = Vec::new();
        for summary in content.threads {
            columns.push(Columns::open(&folder, summary).ok()??);
        }
        let axis = Axis::open(&folder, &columns, content.axis_end).ok()?;
        Some(Self {
            folder,
            columns,
            axis,
            builders: Vec::new(),
        })
    }

    fn build(
        source: &Source<'_>,
        mut folder: IndexFolder,
        mut builders: Vec<ColumnsBuilder>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self> {
        for thread in source.streams.threads() {
            let found = builders.binary_search_by_key(&thread, ColumnsBuilder::thread);
            if let Err(place) = found {
                builders.insert(place, ColumnsBuilder::new(thread));
            }
        }
        let events = |thread| source.streams.view(thread, trace_format::Stream::Events);
        let total = builders
            .iter()
            .map(|builder| events(builder.thread()).length())
            .sum();
        let mut done = 0;
        let mut columns = Vec::new();
        for builder in &mut builders {
            let mut tell = |position| progress(done + position, total);
            let stream = events(builder.thread());
            let summary = builder.advance(&folder, stream, source.symbols, &mut tell)?;
            done += summary.end;
            columns.extend(Columns::open(&folder, summary)?);
        }
        let axis = Axis::build(&folder, &columns)?;
        if source.finished {
            let threads = columns
                .iter()
                .map(|columns| columns.summary.clone())
                .collect();
            let content = Content {
                threads,
                axis_end: axis.end().0,
            };
            folder.publish(source.folder, NAME, &source.stamp, content);
        }
        if !folder.is_private() {
            builders = Vec::new();
        }
        Ok(Self {
            folder,
            columns,
            axis,
            builders,
        })
    }
}

/// A call in full, from its columns and its events.
pub(crate) fn describe(
    calls: Calls<'_>,
    axis: &Axis,
    index: u32,
    events: StreamView<'_>,
    symbols: &Symbols,
) -> Option<Call> {
    let method = calls.method(index);
    let entry = calls.entry(index);
    let bytes = events.at(entry.0)?;
    let Ok(Some((Event::Enter { arguments, .. }, _))) = event::decode(bytes, symbols, None) else {
        return None;
    };
    let symbol = symbols.method(method)?;
    let mut values = event::values(arguments, &symbol.entry_kinds);
    let this = if symbol.enters_with_this() {
        values.next().and_then(Value::object)
    } else if symbol.is_constructor() {
        constructed(calls, index, events, symbols)
    } else {
        None
    };
    let arguments = values.collect();
    let exit = calls.exit(index);
    let end = EventPosition(calls.columns.summary.end);
    let id = |index| CallId {
        thread: calls.thread,
        index,
    };
    Some(Call {
        id: id(index),
        parent: calls.parent(index).map(id),
        method,
        this,
        arguments,
        outcome: outcome(calls, index, events, symbols),
        entry,
        exit,
        entry_time: axis.time(calls.thread, entry),
        exit_time: axis.time(calls.thread, exit.unwrap_or(end)),
        subtree: calls.subtree(index),
    })
}

pub(crate) fn outcome(
    calls: Calls<'_>,
    index: u32,
    events: StreamView<'_>,
    symbols: &Symbols,
) -> Outcome {
    let Some(exit) = calls.exit(index) else {
        return Outcome::Open;
    };
    if calls.is_lost(index) {
        return Outcome::Lost;
    }
    let shape = symbols.frame(calls.method(index));
    match events
        .at(exit.0)
        .map(|bytes| event::decode(bytes, symbols, shape))
    {
        Some(Ok(Some((Event::Exit { value, .. }, _)))) => Outcome::Returned(value),
        Some(Ok(Some((Event::Throw { exception, .. }, _)))) => Outcome::Threw(exception),
        _ => Outcome::Lost,
    }
}

/// The values that the call and its descendants consumed.
pub(crate) fn values(
    calls: Calls<'_>,
    index: u32,
    events: StreamView<'_>,
    values: StreamView<'_>,
    symbols: &Symbols,
) -> Range<ValuePosition> {
    let start = calls.values_start(index);
    let last = calls.values_start(calls.subtree_range(index).end - 1);
    let shape = symbols.frame(calls.method(index));
    let at_exit = calls.exit(index).and_then(|exit| events.at(exit.0));
    let end = match at_exit.map(|bytes| event::decode(bytes, symbols, shape)) {
        Some(Ok(Some((
            Event::Exit { vpos, .. } | Event::Throw { vpos, .. } | Event::Catch { vpos, .. },
            _,
        )))) => ValuePosition(restore_position(last.0, vpos)),
        _ => ValuePosition(values.end()),
    };
    start..end.max(start)
}

/// The object of a constructor: from its THIS, which comes after the super constructor's call.
fn constructed(
    calls: Calls<'_>,
    index: u32,
    events: StreamView<'_>,
    symbols: &Symbols,
) -> Option<ObjectId> {
    OwnEvents::new(calls, index, events, symbols).find_map(|own| match own.event {
        Some(Event::This { object }) => Some(object),
        _ => None,
    })
}
