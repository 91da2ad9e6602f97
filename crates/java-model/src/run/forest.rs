//! The threads' call trees as one forest, numbered in preorder.
//!
//! A call that one thread ran because another call handed it over hangs below that call, at the place where it was
//! handed over. The columns stay as they are, a tree for each thread: what is moved is a whole subtree, so the forest
//! is the threads' preorder sequences cut into *pieces* and laid in another order. A node is found by a binary search
//! among the pieces, the size of a subtree is that of the columns plus what was hung in and less what was moved away,
//! by sums over the tasks. All of this takes memory for each task, none for a call.

mod laying;
#[cfg(test)]
mod tests;

use debug_engine::NodeId;
use trace_format::{EventPosition, ThreadNumber, TraceTime};
use trace_store::{CallId, StoreError, ThreadCalls, Trace};

use laying::Laying;

/// The forest's shape, as far as the columns do not tell it.
#[derive(Debug)]
pub(crate) struct Forest {
    threads: Vec<Part>,
    /// By their first node.
    pieces: Vec<Piece>,
    nodes: u32,
}

/// Calls that follow each other in a thread and in the forest.
#[derive(Clone, Copy, Debug)]
struct Piece {
    node: u32,
    /// Which of the threads.
    part: usize,
    /// The first call.
    index: u32,
}

/// A thread's share.
#[derive(Debug)]
struct Part {
    thread: ThreadNumber,
    /// First call and node of each piece, by call.
    pieces: Vec<(u32, u32)>,
    /// What was hung in between its calls, in the order of time.
    hung: Vec<Hung>,
    /// Its own calls that hang elsewhere, by their number.
    moved: Vec<Moved>,
}

/// Something that a call handed over.
#[derive(Clone, Copy, Debug)]
struct Hung {
    /// How many calls of the thread had begun.
    place: u32,
    /// The call that handed it over, and where.
    by: u32,
    at: EventPosition,
    /// The call that was handed over; `None` if no thread has begun with it.
    call: Option<CallId>,
    /// When it and all that it handed over itself had ended.
    until: TraceTime,
    /// Nodes, and tasks that have not ended, in all that was hung in up to this one.
    nodes: u32,
    open: u32,
}

/// A call that hangs below one of another thread.
#[derive(Clone, Copy, Debug)]
struct Moved {
    index: u32,
    by: CallId,
    /// Nodes, and tasks that have not ended, in all that was moved up to this one.
    nodes: u32,
    open: u32,
}

impl Forest {
    /// `None` if there are more calls than numbers for nodes.
    pub(crate) fn of(trace: &Trace) -> Result<Option<Forest>, StoreError> {
        let threads: Vec<ThreadCalls<'_>> = trace
            .all_calls()?
            .filter(|calls| !calls.is_empty())
            .collect();
        let mut nodes = 0u32;
        for calls in &threads {
            match nodes.checked_add(calls.len()) {
                Some(sum) => nodes = sum,
                None => return Ok(None),
            }
        }
        let laying = Laying::new(trace, &threads, trace.submissions()?)?;
        let forest = laying.lay(&threads).filter(|forest| forest.nodes == nodes);
        // Whatever is left out bites its own tail, which only a damaged trace makes possible.
        Ok(forest.or_else(|| Laying::of_threads(&threads).lay(&threads)))
    }

    pub(crate) fn len(&self) -> u32 {
        self.nodes
    }

    /// The threads with calls.
    pub(crate) fn threads(&self) -> impl Iterator<Item = ThreadNumber> {
        self.threads.iter().map(|part| part.thread)
    }

    /// Runs of calls in the order of their nodes: the first node, the thread, the first call, how many.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (NodeId, CallId, u32)> {
        let ends = self.pieces.iter().skip(1).map(|piece| piece.node);
        let ends = ends.chain([self.nodes]);
        self.pieces.iter().zip(ends).map(|(piece, end)| {
            let call = CallId::new(self.threads[piece.part].thread, piece.index);
            (NodeId(piece.node), call, end - piece.node)
        })
    }

    pub(crate) fn call(&self, node: NodeId) -> Option<CallId> {
        if node.0 >= self.nodes {
            return None;
        }
        let after = self.pieces.partition_point(|piece| piece.node <= node.0);
        let piece = self.pieces.get(after.checked_sub(1)?)?;
        let index = piece.index + (node.0 - piece.node);
        Some(CallId::new(self.threads[piece.part].thread, index))
    }

    pub(crate) fn node(&self, call: CallId) -> Option<NodeId> {
        let pieces = &self.part(call.thread)?.pieces;
        let after = pieces.partition_point(|(index, _)| *index <= call.index);
        let (index, node) = *pieces.get(after.checked_sub(1)?)?;
        Some(NodeId(node + (call.index - index)))
    }

    /// The call that handed this one over to its thread.
    pub(crate) fn handed_over_by(&self, call: CallId) -> Option<CallId> {
        let moved = &self.part(call.thread)?.moved;
        let found = moved.binary_search_by_key(&call.index, |moved| moved.index);
        Some(moved[found.ok()?].by)
    }

    /// Nodes in the subtree of a call that has this many calls in its own thread.
    pub(crate) fn size(&self, call: CallId, own: u32) -> u32 {
        let Some(part) = self.part(call.thread) else {
            return own;
        };
        if part.hung.is_empty() && part.moved.is_empty() {
            return own;
        }
        let added = sum(&part.hung, part.hung_below(call.index, own), |hung| {
            hung.nodes
        });
        let away = sum(&part.moved, part.moved_below(call.index, own), |moved| {
            moved.nodes
        });
        own.wrapping_add(added).wrapping_sub(away)
    }

    /// Whether everything has ended that a call with this many calls in its own thread handed over.
    pub(crate) fn is_done(&self, call: CallId, own: u32) -> bool {
        self.part(call.thread).is_none_or(|part| {
            let below = part.hung_below(call.index, own);
            let added = sum(&part.hung, below, |hung| hung.open);
            let away = part.moved_below(call.index, own);
            added == sum(&part.moved, away, |moved| moved.open)
        })
    }

    /// When all of it had ended; `None` if it handed nothing over.
    pub(crate) fn done(&self, call: CallId, own: u32) -> Option<TraceTime> {
        let part = self.part(call.thread)?;
        let below = part.hung_below(call.index, own);
        part.hung[below].iter().map(|hung| hung.until).max()
    }

    /// Calls that handed over what has not ended, each once for every such task.
    pub(crate) fn handed_over_open(&self) -> impl Iterator<Item = CallId> {
        self.threads.iter().flat_map(|part| {
            let mut before = 0;
            part.hung.iter().filter_map(move |hung| {
                let is_open = std::mem::replace(&mut before, hung.open) != hung.open;
                is_open.then_some(CallId::new(part.thread, hung.by))
            })
        })
    }

    /// The calls that were made of what a thread handed over at a place.
    pub(crate) fn handed_over_at(
        &self,
        thread: ThreadNumber,
        at: EventPosition,
    ) -> impl Iterator<Item = CallId> {
        let hung = self.part(thread).map_or(&[][..], |part| &part.hung);
        let here = &hung[hung.partition_point(|hung| hung.at < at)..];
        let here = here.iter().take_while(move |hung| hung.at == at);
        here.filter_map(|hung| hung.call)
    }

    /// Each call that was handed over, after the one that did so.
    pub(crate) fn handed_over(&self) -> impl Iterator<Item = (CallId, CallId)> {
        self.threads.iter().flat_map(|part| {
            let hung = part.hung.iter();
            hung.filter_map(|hung| Some((CallId::new(part.thread, hung.by), hung.call?)))
        })
    }

    /// The part of a chain of siblings around one of them in which nothing was handed over and from which nothing was
    /// moved away: only there do they still follow each other, and have ended when the last one has.
    pub(crate) fn unbroken(
        &self,
        calls: ThreadCalls<'_>,
        (first, last): (u32, u32),
        here: u32,
    ) -> (u32, u32) {
        let has_tasks = |part: &&Part| !part.hung.is_empty() || !part.moved.is_empty();
        let Some(part) = self.part(calls.thread()).filter(has_tasks) else {
            return (first, last);
        };
        let after = here + calls.subtree(here);
        let hung = part.hung_below(here, after - here);
        let moved_from = part.moved.partition_point(|moved| moved.index < here);
        let moved_until = part.moved.partition_point(|moved| moved.index < after);
        let is_alone = !hung.is_empty() || moved_from != moved_until;
        let Some(parent) = calls.parent(here).filter(|_| !is_alone) else {
            return (here, here);
        };
        // The sibling that holds a call.
        let sibling = |index: u32| {
            let path = std::iter::successors(Some(index), |&index| calls.parent(index));
            path.take_while(|&index| index > parent)
                .last()
                .unwrap_or(here)
        };
        let following = |index: u32| index + calls.subtree(index);
        let before = part.hung[..hung.start]
            .last()
            .filter(|hung| hung.place > first);
        let hung_before = before.map(|hung| match hung.by {
            by if by == parent => hung.place,
            by => following(sibling(by)),
        });
        let before = part.moved[..moved_from]
            .last()
            .filter(|moved| moved.index >= first);
        let moved_before = before.map(|moved| following(sibling(moved.index)));
        let start = [Some(first), hung_before, moved_before]
            .into_iter()
            .flatten()
            .max();

        let end = following(last);
        let later = part
            .hung
            .get(hung.end)
            .filter(|hung| hung.place < end || (hung.place == end && hung.by >= last));
        let hung_after = later.map(|hung| match hung.by {
            by if by == parent => hung.place,
            by => sibling(by),
        });
        let later = part
            .moved
            .get(moved_until)
            .filter(|moved| moved.index < end);
        let moved_after = later.map(|moved| sibling(moved.index));
        let next = [hung_after, moved_after].into_iter().flatten().min();
        let last = next.map_or(last, |next| sibling(next - 1));
        (start.unwrap_or(first), last)
    }

    fn part(&self, thread: ThreadNumber) -> Option<&Part> {
        let found = self
            .threads
            .binary_search_by_key(&thread, |part| part.thread);
        Some(&self.threads[found.ok()?])
    }
}

impl Part {
    /// What a call and those below it handed over. Where nothing more was called after, the outer
    /// calls' tasks stand at the same place, behind.
    fn hung_below(&self, index: u32, own: u32) -> std::ops::Range<usize> {
        let end = index + own;
        let from = self.hung.partition_point(|hung| hung.place <= index);
        let is_below = |hung: &Hung| hung.place < end || (hung.place == end && hung.by >= index);
        let until = self.hung.partition_point(is_below);
        from..until.max(from)
    }

    /// What was moved away from below a call.
    fn moved_below(&self, index: u32, own: u32) -> std::ops::Range<usize> {
        let from = self.moved.partition_point(|moved| moved.index <= index);
        let until = self
            .moved
            .partition_point(|moved| moved.index < index + own);
        from..until.max(from)
    }
}

/// The sum over some rows, of which each has the sum up to itself. What was moved may be counted more than once in a
/// thread, so sums wrap around; what is asked for never does.
fn sum<Row>(rows: &[Row], range: std::ops::Range<usize>, until: impl Fn(&Row) -> u32) -> u32 {
    let before = |end: usize| end.checked_sub(1).map_or(0, |at| until(&rows[at]));
    before(range.end).wrapping_sub(before(range.start))
}
