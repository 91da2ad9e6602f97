//! The calls of a trace: a tree per thread, in preorder, so that a subtree is a range.

use std::ops::Range;

use trace_format::{EventPosition, MethodId, ThreadNumber, ValuePosition};

use crate::columns::{BLOCK, Columns, LOST, OPEN, method_of};

/// A call, by thread and number in preorder. People see it as one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId {
    pub thread: ThreadNumber,
    pub index: u32,
}

impl CallId {
    const INDEX_BITS: u32 = 40;

    #[inline]
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

/// Where a call lies in the events and the values of its thread, its descendants included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    pub entry: EventPosition,
    pub values: ValuePosition,
    /// `None` while the call is open.
    pub end: Option<ExtentEnd>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtentEnd {
    /// The event that ended the call.
    pub exit: EventPosition,
    /// That is no event of its own: see [`Calls::is_lost`].
    pub is_lost: bool,
    pub values: ValuePosition,
}

/// All calls of one thread. Columns are indexed by a call's number.
#[derive(Debug, Clone, Copy)]
pub struct ThreadCalls<'a> {
    thread: ThreadNumber,
    pub(crate) columns: &'a Columns,
}

impl<'a> ThreadCalls<'a> {
    /// Calls that are summed up together.
    pub const BLOCK: u32 = BLOCK as u32;

    #[inline]
    pub(crate) fn new(columns: &'a Columns) -> Self {
        Self {
            thread: ThreadNumber(columns.summary.thread),
            columns,
        }
    }

    pub fn thread(&self) -> ThreadNumber {
        self.thread
    }

    #[inline]
    pub fn len(&self) -> u32 {
        self.columns.len() as u32
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn contains(&self, index: u32) -> bool {
        index < self.len()
    }

    /// The methods of all calls, for scans.
    #[inline]
    pub fn methods(&self) -> impl ExactSizeIterator<Item = MethodId> + use<'a> {
        let rows = self.columns.methods().iter();
        rows.map(|&row| MethodId(method_of(row)))
    }

    /// The thread's call graph: each pair of a method and one that it called, once.
    pub fn graph(&self) -> impl Iterator<Item = (MethodId, MethodId)> + use<'a> {
        let pairs = self.columns.summary.graph.iter();
        pairs.map(|&[caller, callee]| (MethodId(caller), MethodId(callee)))
    }

    #[inline]
    pub fn method(&self, index: u32) -> MethodId {
        MethodId(self.columns.method(index))
    }

    /// Calls in the subtree, the call itself included.
    #[inline]
    pub fn subtree(&self, index: u32) -> u32 {
        // A damaged index must not lead beyond it.
        self.columns.size(index).clamp(1, self.len() - index)
    }

    /// The calls of the largest subtree that begins in each block of [`Calls::BLOCK`] calls.
    pub fn largest_subtrees(&self) -> Vec<u32> {
        self.columns.largest()
    }

    #[inline]
    pub fn parent(&self, index: u32) -> Option<u32> {
        self.columns.parent(index).filter(|&parent| parent < index)
    }

    #[inline]
    pub fn entry(&self, index: u32) -> EventPosition {
        EventPosition(self.columns.start(index)[0])
    }

    /// The event that ended the call; `None` while it is open.
    #[inline]
    pub fn exit(&self, index: u32) -> Option<EventPosition> {
        match self.columns.end(index)[0] {
            OPEN => None,
            exit => Some(EventPosition(exit & !LOST)),
        }
    }

    /// All that is known of where the call begins and ends, looked up once.
    #[inline]
    pub fn extent(&self, index: u32) -> Extent {
        let [start, end] = self.columns.extent(index);
        let is_closed = end[0] != OPEN;
        Extent {
            entry: EventPosition(start[0]),
            values: ValuePosition(start[1]),
            end: is_closed.then(|| ExtentEnd {
                exit: EventPosition(end[0] & !LOST),
                is_lost: end[0] & LOST != 0,
                values: ValuePosition(end[1]),
            }),
        }
    }

    #[inline]
    pub fn is_open(&self, index: u32) -> bool {
        self.columns.end(index)[0] == OPEN
    }

    /// Whether the call ended without an event of its own.
    #[inline]
    pub fn is_lost(&self, index: u32) -> bool {
        let exit = self.columns.end(index)[0];
        exit != OPEN && exit & LOST != 0
    }

    /// The numbers of the call and all its descendants.
    #[inline]
    pub fn subtree_range(&self, index: u32) -> Range<u32> {
        index..index + self.subtree(index)
    }

    pub fn roots(&self) -> SiblingCalls<'a> {
        SiblingCalls {
            calls: *self,
            next: 0,
            end: self.len(),
        }
    }

    pub fn children(&self, index: u32) -> SiblingCalls<'a> {
        let range = self.subtree_range(index);
        SiblingCalls {
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
        (0u32..)
            .zip(self.methods())
            .filter(move |(_, called)| *called == method)
            .map(|(at, _)| at)
    }

    /// How many calls begin at a position or before it.
    pub fn begun_until(&self, position: EventPosition) -> u32 {
        self.columns.begun_until(position.0) as u32
    }

    /// The innermost call that contains a position: from its ENTER to the event that ended it.
    pub fn at(&self, position: EventPosition) -> Option<u32> {
        let after = self.columns.begun_until(position.0);
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
pub struct SiblingCalls<'a> {
    calls: ThreadCalls<'a>,
    next: u32,
    end: u32,
}

impl Iterator for SiblingCalls<'_> {
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
