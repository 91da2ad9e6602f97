//! Which part of an array library code may have filled.

use classfile::{Snippet, opcode};

/// The parameters, or the locals that they are in, that say where a method starts to write and how much at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct FilledPart<T> {
    pub(super) start: T,
    pub(super) count: Count<T>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Count<T> {
    Given(T),
    /// As many as there are between two places of what is copied.
    Between {
        begin: T,
        end: T,
    },
}

impl<T> FilledPart<T> {
    pub(super) fn map<U>(self, to: impl Fn(T) -> U) -> FilledPart<U> {
        FilledPart {
            start: to(self.start),
            count: match self.count {
                Count::Given(count) => Count::Given(to(count)),
                Count::Between { begin, end } => Count::Between {
                    begin: to(begin),
                    end: to(end),
                },
            },
        }
    }
}

impl FilledPart<u16> {
    /// Loads from its locals where the method starts to write, and how much at most.
    pub(super) fn load(self, snippet: &mut Snippet) {
        snippet.load_int(self.start);
        match self.count {
            Count::Given(count) => snippet.load_int(count),
            Count::Between { begin, end } => snippet.load_int(end).load_int(begin).op(opcode::ISUB),
        };
    }
}
