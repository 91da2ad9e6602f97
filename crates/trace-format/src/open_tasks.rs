//! What a thread works on, while its events are read.

use crate::ObjectId;

/// Tasks inside each other that are kept apart; more are forgotten, the outermost first.
const MOST_OPEN: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenTask {
    pub task: ObjectId,
    /// Calls that are made while so many are open belong to it.
    pub depth: u32,
    /// Where the thread began to work on it.
    pub position: u64,
}

/// The tasks that a thread has begun and not ended, the innermost last.
#[derive(Debug, Clone, Default)]
pub struct OpenTasks {
    open: Vec<OpenTask>,
}

impl OpenTasks {
    pub fn current(&self) -> Option<OpenTask> {
        self.open.last().copied()
    }

    /// From the outermost to the innermost.
    pub fn iter(&self) -> impl Iterator<Item = OpenTask> + '_ {
        self.open.iter().copied()
    }

    /// How many calls are open where calls belong to the current task.
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.open
            .last()
            .map_or(usize::MAX, |task| task.depth as usize)
    }

    /// The thread goes over to another task, or back to one. Gives it if it begins.
    pub fn change(&mut self, task: ObjectId, depth: u32, position: u64) -> Option<OpenTask> {
        let is_same = |open: &OpenTask| (open.task, open.depth) == (task, depth);
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
        let begun = OpenTask {
            task,
            depth,
            position,
        };
        self.open.push(begun);
        Some(begun)
    }
}
