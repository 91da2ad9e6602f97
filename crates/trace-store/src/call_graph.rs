//! Which method called which: the call graph of a thread, noted while its columns are made.
//!
//! A run has a few thousand pairs and maybe a hundred million calls, so a pair must be recognised
//! faster than a set could be asked: a small table keeps the pairs that were seen lately.

use std::collections::HashSet;

/// Pairs that are recognised at once.
const RECENT: usize = 1024;

/// The caller of calls that have none: there are not as many methods.
pub(crate) const NO_METHOD: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct CallGraph {
    recent: [[u32; 2]; RECENT],
    pairs: HashSet<[u32; 2]>,
}

impl Default for CallGraph {
    fn default() -> Self {
        Self {
            recent: [[NO_METHOD; 2]; RECENT],
            pairs: HashSet::new(),
        }
    }
}

impl CallGraph {
    #[inline(always)]
    pub(crate) fn note(&mut self, caller: u32, callee: u32) {
        let place = (caller.wrapping_mul(0x9E37_79B1) ^ callee) as usize % RECENT;
        let recent = &mut self.recent[place];
        if *recent != [caller, callee] {
            *recent = [caller, callee];
            self.insert(caller, callee);
        }
    }

    #[cold]
    fn insert(&mut self, caller: u32, callee: u32) {
        if caller != NO_METHOD {
            self.pairs.insert([caller, callee]);
        }
    }

    /// All pairs, in order.
    pub(crate) fn pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs: Vec<_> = self.pairs.iter().copied().collect();
        pairs.sort_unstable();
        pairs
    }

    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }
}
