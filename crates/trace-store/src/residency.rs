//! Keeps mapped files from filling the process's resident memory.
//!
//! A page that is touched through a map counts as memory of this process, and the kernel maps
//! its neighbours with it, up to a megabyte at a time: a thousand calls looked up at random made
//! a gigabyte resident. The pages are only borrowed from the file cache, but nobody who looks at
//! the process can tell. So the store looks now and then and gives everything back when it is
//! too much; what is needed again costs a page fault, not a read. That was a seventh of
//! what the largest questions about a hundred million calls took, so it happens beside them.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

/// Look-ups between two looks.
const INTERVAL: u32 = 64;
/// Mapped pages that may stay.
const LIMIT: u64 = 192 << 20;
/// What must come to what was left when pages were last given back: others may hold theirs.
const MORE: u64 = 64 << 20;
const PAGE: u64 = 4096;
/// Seven numbers.
const LONGEST: usize = 160;

/// What was left then, of the whole process.
static LEFT: AtomicU64 = AtomicU64::new(0);

#[derive(Debug, Default)]
pub(crate) struct Residency {
    lookups: AtomicU32,
    giving_back: Mutex<Option<JoinHandle<()>>>,
}

impl Residency {
    /// To be asked at each look-up: whether pages should be given back now.
    pub(crate) fn is_too_much(&self) -> bool {
        let number = self.lookups.fetch_add(1, Ordering::Relaxed);
        if number % INTERVAL != INTERVAL - 1 {
            return false;
        }
        let mapped = mapped();
        let left = LEFT.fetch_min(mapped, Ordering::Relaxed);
        mapped > LIMIT.max(left.min(mapped).saturating_add(MORE))
    }

    /// Gives pages back in the background, unless that goes on already.
    pub(crate) fn give_back(&self, pages: impl FnOnce() + Send + 'static) {
        let mut giving_back = self
            .giving_back
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if giving_back.as_ref().is_some_and(|it| !it.is_finished()) {
            return;
        }
        let giving = std::thread::Builder::new().spawn(move || {
            pages();
            LEFT.store(mapped(), Ordering::Relaxed);
        });
        // Without a thread there is another occasion.
        *giving_back = giving.ok();
    }
}

impl Drop for Residency {
    /// Whoever gives pages back holds files, which may have to be removed before the process ends.
    fn drop(&mut self) {
        let giving_back = self.giving_back.get_mut();
        let giving_back = giving_back.unwrap_or_else(PoisonError::into_inner);
        if let Some(giving_back) = giving_back.take() {
            let _ = giving_back.join();
        }
    }
}

/// Bytes of resident pages that belong to files; 0 where the system does not tell.
fn mapped() -> u64 {
    // Kept open: to open it takes several times as long as to read it.
    static STATM: OnceLock<Option<File>> = OnceLock::new();
    let open = || File::open("/proc/self/statm").ok();
    let mut text = [0; LONGEST];
    let read = STATM.get_or_init(open).as_ref();
    let length = read.and_then(|file| file.read_at(&mut text, 0).ok());
    let text = std::str::from_utf8(&text[..length.unwrap_or(0)]).unwrap_or_default();
    let pages = text.split(' ').nth(2);
    let pages = pages.and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE
}
