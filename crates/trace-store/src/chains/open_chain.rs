//! A chain while it may still grow.

use std::collections::HashMap;

use trace_format::MethodId;

use super::ChangeKind;

/// More kinds of writes than this between two calls, or within a chain, are not looked into.
const MOST_CHANGES: usize = 16;
/// With more methods than this in it, a chain bears no more writes between its calls.
const MOST_METHODS: usize = 16;

/// What a sight said before, so that it is not asked the same twice.
#[derive(Debug, Default)]
pub(super) struct Known(HashMap<(MethodId, ChangeKind), bool>);

impl Known {
    pub(super) fn ask(
        &mut self,
        method: MethodId,
        change: ChangeKind,
        sees: impl FnOnce() -> bool,
    ) -> bool {
        *self.0.entry((method, change)).or_insert_with(sees)
    }
}

/// Whether a method sees a change.
type Sees<'a> = dyn FnMut(MethodId, ChangeKind) -> bool + 'a;

/// Calls of one caller, from `first` to `last`, and what was written between them that none of them
/// can see.
pub(super) struct OpenChain {
    first: u32,
    last: u32,
    calls: u32,
    method: MethodId,
    other_methods: Vec<MethodId>,
    has_many_methods: bool,
    unseen: Vec<ChangeKind>,
    since_last: Vec<ChangeKind>,
    is_broken: bool,
}

impl OpenChain {
    pub(super) fn new(call: u32, method: MethodId) -> Self {
        Self {
            first: call,
            last: call,
            calls: 1,
            method,
            other_methods: Vec::new(),
            has_many_methods: false,
            unseen: Vec::new(),
            since_last: Vec::new(),
            is_broken: false,
        }
    }

    /// Notes a write after the latest call.
    pub(super) fn note(&mut self, change: ChangeKind) {
        if self.is_broken || self.since_last.contains(&change) {
            return;
        }
        if self.since_last.len() == MOST_CHANGES {
            self.interrupt();
        } else {
            self.since_last.push(change);
        }
    }

    /// Anything may have been written after the latest call.
    pub(super) fn interrupt(&mut self) {
        self.is_broken = true;
    }

    /// Takes in the next call, if that leaves it a chain.
    pub(super) fn take(&mut self, call: u32, method: MethodId, sees: &mut Sees<'_>) -> bool {
        if self.is_broken || !self.bears(method, sees) {
            return false;
        }
        for change in self.since_last.drain(..) {
            if !self.unseen.contains(&change) {
                self.unseen.push(change);
            }
        }
        if !self.has(method) {
            self.has_many_methods |= self.other_methods.len() + 1 == MOST_METHODS;
            if !self.has_many_methods {
                self.other_methods.push(method);
            }
        }
        self.last = call;
        self.calls += 1;
        true
    }

    /// The first and the last call, unless there is only one.
    pub(super) fn ends(self) -> Option<(u32, u32)> {
        (self.calls > 1).then_some((self.first, self.last))
    }

    fn has(&self, method: MethodId) -> bool {
        self.method == method || self.other_methods.contains(&method)
    }

    fn bears(&self, method: MethodId, sees: &mut Sees<'_>) -> bool {
        let new = &self.since_last;
        if !new.is_empty() {
            let kinds = self.unseen.len() + new.len();
            if self.has_many_methods || kinds > MOST_CHANGES {
                return false;
            }
        }
        let earlier = std::iter::once(self.method).chain(self.other_methods.iter().copied());
        let mut seen_before =
            earlier.flat_map(|earlier| new.iter().map(move |&change| (earlier, change)));
        if seen_before.any(|(earlier, change)| sees(earlier, change)) {
            return false;
        }
        let mut all = self.unseen.iter().chain(new);
        !all.any(|&change| sees(method, change))
    }
}
