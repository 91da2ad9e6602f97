//! Keeps mapped files from filling the process's resident memory.
//!
//! A page that is touched through a map counts as memory of this process, and the kernel maps
//! its neighbours with it, up to a megabyte at a time: a thousand calls looked up at random made
//! a gigabyte resident. The pages are only borrowed from the file cache, but nobody who looks at
//! the process can tell. So the store looks now and then and gives everything back when it is
//! too much; what is needed again costs a page fault, not a read.

use std::sync::atomic::{AtomicU32, Ordering};

/// Look-ups between two looks.
const INTERVAL: u32 = 64;
/// Mapped pages that may stay.
const LIMIT: u64 = 192 << 20;
const PAGE: u64 = 4096;

#[derive(Debug, Default)]
pub(crate) struct Residency {
    lookups: AtomicU32,
}

impl Residency {
    /// To be asked at each look-up: whether pages should be given back now.
    pub(crate) fn is_too_much(&self) -> bool {
        let number = self.lookups.fetch_add(1, Ordering::Relaxed);
        number % INTERVAL == INTERVAL - 1 && mapped() > LIMIT
    }
}

/// Bytes of resident pages that belong to files; 0 where the system does not tell.
fn mapped() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text
        .split(' ')
        .nth(2)
        .and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE
}
