//! What a thread works on, while its events are read.

use trace_format::{EventPosition, ObjectId, ThreadNumber};

use crate::submissions::{Work, WorkRow};

/// Tasks inside each other that are kept apart; more are forgotten, the outermost first.
const MOST_OPEN: usize = 64;

#[derive(Debug, Clone, Copy)]
pub(super) struct Task {
    task: ObjectId,
    depth: u32,
    /// Where the thread began to work on it.
    pub(super) position: u64,
}

impl Task {
    pub(super) fn row(self, thread: ThreadNumber, call: Option<u32>) -> WorkRow {
        let Self { task, position, .. } = self;
        let begun = EventPosition(position);
        Work { task, begun, call }.row(thread)
    }
}

/// The tasks that a thread has begun and not ended, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    open: Vec<Task>,
}

impl Tasks {
    pub(super) fn current(&self) -> Option<Task> {
        self.open.last().copied()
    }

    /// How many calls are open where calls belong to the current task.
    #[inline(always)]
    pub(super) fn depth(&self) -> usize {
        self.open
            .last()
            .map_or(usize::MAX, |task| task.depth as usize)
    }

    /// The thread goes over to another task, or back to one. Gives it if it begins.
    pub(super) fn change(&mut self, task: ObjectId, depth: u32, position: u64) -> Option<Task> {
        let is_same = |open: &Task| (open.task, open.depth) == (task, depth);
        if let Some(before) = self.open.iter().rposition(is_same) {
            self.open.truncate(before + 1);
            return None;
        }
        // An exception may have passed the end of others.
        self.open
            .retain(|open| open.depth < depth || (open.depth == depth && !task.is_null()));
        if task.is_null() {
            return None;
        }
        if self.open.len() == MOST_OPEN {
            self.open.remove(0);
        }
        let begun = Task {
            task,
            depth,
            position,
        };
        self.open.push(begun);
        Some(begun)
    }
}
