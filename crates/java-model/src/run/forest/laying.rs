//! Lays the threads' calls out as one forest.

use std::collections::HashMap;

use trace_format::TraceTime;
use trace_store::{CallId, StoreError, Submission, Submissions, ThreadCalls, Trace};

use super::{Forest, Hung, Moved, Part, Piece};

/// What hangs where, before it is numbered.
pub(super) struct Laying {
    threads: Vec<Part>,
    /// When each call that was handed over ended, and whether it did.
    ends: HashMap<CallId, (TraceTime, bool)>,
    /// Nodes and open tasks in all of it, once it is numbered.
    sizes: HashMap<CallId, (u32, u32)>,
}

/// A call that was handed over, or a whole thread, while it is being numbered.
struct Walk {
    part: usize,
    /// The next call, and the one after the last.
    next: u32,
    end: u32,
    hung: std::ops::Range<usize>,
    moved: std::ops::Range<usize>,
    /// Where it hangs; `None` for a thread.
    place: Option<(usize, usize)>,
    first_node: u32,
    /// Tasks that have not ended.
    open: u32,
    until: TraceTime,
}

impl Laying {
    /// Every thread for itself.
    pub(super) fn of_threads(threads: &[ThreadCalls<'_>]) -> Laying {
        let part = |calls: &ThreadCalls<'_>| Part {
            thread: calls.thread(),
            pieces: Vec::new(),
            hung: Vec::new(),
            moved: Vec::new(),
        };
        Laying {
            threads: threads.iter().map(part).collect(),
            ends: HashMap::new(),
            sizes: HashMap::new(),
        }
    }

    pub(super) fn new(
        trace: &Trace,
        threads: &[ThreadCalls<'_>],
        submissions: Submissions,
    ) -> Result<Laying, StoreError> {
        let mut laying = Self::of_threads(threads);
        for submission in submissions.done {
            laying.hang(trace, threads, submission)?;
        }
        if trace.may_grow() {
            for (by, at) in submissions.pending {
                if let Some((part, calls)) = find(threads, by) {
                    laying.threads[part].hung.push(Hung {
                        place: calls.begun_until(at),
                        by: by.index,
                        at,
                        call: None,
                        until: trace.end_time()?,
                        nodes: 0,
                        open: 1,
                    });
                }
            }
        }
        for part in &mut laying.threads {
            part.hung.sort_by_key(|hung| (hung.at, hung.call));
            part.moved.sort_by_key(|moved| moved.index);
        }
        Ok(laying)
    }

    fn hang(
        &mut self,
        trace: &Trace,
        threads: &[ThreadCalls<'_>],
        submission: Submission,
    ) -> Result<(), StoreError> {
        let Submission { call, by, at } = submission;
        let (Some((own, calls)), Some((other, others))) = (find(threads, call), find(threads, by))
        else {
            return Ok(());
        };
        // Run by the very call that handed it over: it is where it belongs.
        if own == other && calls.parent(call.index) == Some(by.index) {
            return Ok(());
        }
        let exit = calls.exit(call.index);
        let ended = match exit {
            Some(exit) => trace.time(call.thread, exit)?,
            None => trace.end_time()?,
        };
        if self.ends.insert(call, (ended, exit.is_none())).is_some() {
            return Ok(());
        }
        self.threads[own].moved.push(Moved {
            index: call.index,
            by,
            nodes: 0,
            open: 0,
        });
        self.threads[other].hung.push(Hung {
            place: others.begun_until(at),
            by: by.index,
            at,
            call: Some(call),
            until: ended,
            nodes: 0,
            open: 0,
        });
        Ok(())
    }

    /// Numbers all nodes; `None` if the columns contradict each other.
    pub(super) fn lay(mut self, threads: &[ThreadCalls<'_>]) -> Option<Forest> {
        let mut pieces = Vec::new();
        let mut nodes = 0;
        for (part, calls) in threads.iter().enumerate() {
            let mut open = vec![Walk {
                part,
                next: 0,
                end: calls.len(),
                hung: 0..self.threads[part].hung.len(),
                moved: 0..self.threads[part].moved.len(),
                place: None,
                first_node: nodes,
                open: 0,
                until: TraceTime(0),
            }];
            while let Some(walk) = open.last_mut() {
                let part = &self.threads[walk.part];
                let hung = part.hung[walk.hung.clone()].first().map(|hung| hung.place);
                let moved = part.moved[walk.moved.clone()]
                    .first()
                    .map(|moved| moved.index);
                let cut = hung.into_iter().chain(moved).min().unwrap_or(walk.end);
                let count = cut.checked_sub(walk.next)?;
                if count > 0 {
                    let (part, index) = (walk.part, walk.next);
                    pieces.push(Piece {
                        node: nodes,
                        part,
                        index,
                    });
                    nodes = nodes.checked_add(count)?;
                    walk.next = cut;
                }
                match (hung, moved) {
                    (Some(place), _) if place == cut => {
                        let at = walk.hung.start;
                        walk.hung.start += 1;
                        let place = (walk.part, at);
                        match part.hung[at].call {
                            Some(call) => open.push(self.walk(threads, call, place, nodes)?),
                            None => walk.open += 1,
                        }
                    }
                    (_, Some(index)) => {
                        let own = threads[walk.part].subtree(index);
                        walk.next = index + own;
                        let inside = part.hung_below(index, own);
                        walk.hung.start = walk.hung.start.max(inside.end);
                        let after = part.moved.partition_point(|moved| moved.index < walk.next);
                        walk.moved.start = after;
                    }
                    _ => {
                        let done = open.pop()?;
                        self.take_up(done, nodes, open.last_mut());
                    }
                }
            }
        }
        self.add_up();
        for piece in &pieces {
            self.threads[piece.part]
                .pieces
                .push((piece.index, piece.node));
        }
        for part in &mut self.threads {
            part.pieces.sort_unstable();
        }
        Some(Forest {
            threads: self.threads,
            pieces,
            nodes,
        })
    }

    /// Begins with a call that was handed over.
    fn walk(
        &self,
        threads: &[ThreadCalls<'_>],
        call: CallId,
        place: (usize, usize),
        first_node: u32,
    ) -> Option<Walk> {
        let (number, calls) = find(threads, call)?;
        let (part, own) = (&self.threads[number], calls.subtree(call.index));
        let end = call.index + own;
        let from = part
            .moved
            .partition_point(|moved| moved.index <= call.index);
        let until = part.moved.partition_point(|moved| moved.index < end);
        let &(until_time, is_open) = self.ends.get(&call)?;
        Some(Walk {
            part: number,
            next: call.index,
            end,
            hung: part.hung_below(call.index, own),
            moved: from..until,
            place: Some(place),
            first_node,
            open: is_open.into(),
            until: until_time,
        })
    }

    /// A call that was handed over is numbered; `around` is what it stands in.
    fn take_up(&mut self, done: Walk, nodes: u32, around: Option<&mut Walk>) {
        let Some((part, at)) = done.place else {
            return;
        };
        let hung = &mut self.threads[part].hung[at];
        hung.nodes = nodes - done.first_node;
        hung.open = done.open;
        hung.until = done.until;
        if let Some(call) = hung.call {
            self.sizes.insert(call, (hung.nodes, hung.open));
        }
        if let Some(around) = around {
            around.open += done.open;
            around.until = around.until.max(done.until);
        }
    }

    /// Makes sums of the single numbers.
    fn add_up(&mut self) {
        for part in &mut self.threads {
            let (mut nodes, mut open) = (0, 0);
            for hung in &mut part.hung {
                nodes = hung.nodes.wrapping_add(nodes);
                open = hung.open.wrapping_add(open);
                (hung.nodes, hung.open) = (nodes, open);
            }
            let (mut nodes, mut open) = (0, 0);
            for moved in &mut part.moved {
                let call = CallId::new(part.thread, moved.index);
                let (size, unfinished) = self.sizes.get(&call).copied().unwrap_or_default();
                nodes = size.wrapping_add(nodes);
                open = unfinished.wrapping_add(open);
                (moved.nodes, moved.open) = (nodes, open);
            }
        }
    }
}

fn find<'a>(threads: &[ThreadCalls<'a>], call: CallId) -> Option<(usize, ThreadCalls<'a>)> {
    let found = threads.binary_search_by_key(&call.thread, ThreadCalls::thread);
    let (number, calls) = (found.ok()?, threads[found.ok()?]);
    calls.contains(call.index).then_some((number, calls))
}
