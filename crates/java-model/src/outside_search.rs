//! The search for writes from outside in a run that goes on, beside everything else.
//!
//! Re-executing calls takes longer than indexing them, so nobody waits for it: a snapshot has what was found by then.
//! Who thinks about a question for a moment gives it time enough.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use frame_replay::OutsideSearch;
use trace_store::{OutsideWrite, Trace, let_others_go_first};

/// Calls of a thread that are gone through before what was found is told.
const AT_ONCE: u32 = 1 << 14;
/// Nobody waits for it.
const NICENESS: i32 = 10;

/// Searches in a thread of its own.
#[derive(Debug)]
pub(super) struct BackgroundSearch {
    shared: Arc<Shared>,
    /// Longer and longer parts of the run.
    parts: Option<Sender<Trace>>,
    searching: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    found: Mutex<Arc<[OutsideWrite]>>,
    /// The part that was given last has not been searched to its end.
    is_busy: AtomicBool,
    is_dropped: AtomicBool,
}

impl BackgroundSearch {
    pub(super) fn start() -> BackgroundSearch {
        let shared = Arc::new(Shared::default());
        let (parts, given) = channel::<Trace>();
        let searcher = Arc::clone(&shared);
        let searching = std::thread::spawn(move || {
            let_others_go_first(NICENESS);
            let mut search = OutsideSearch::default();
            while let Ok(part) = given.recv() {
                searcher.search(&mut search, &part);
            }
        });
        BackgroundSearch {
            shared,
            parts: Some(parts),
            searching: Some(searching),
        }
    }

    /// Whether all that it was given is searched.
    pub(super) fn is_done(&self) -> bool {
        let searching = self.searching.as_ref();
        // One that has panicked finds nothing more.
        let is_gone = searching.is_none_or(JoinHandle::is_finished);
        is_gone || !self.shared.is_busy.load(Ordering::SeqCst)
    }

    /// Goes on with a longer part of the run. To be called when it is done with the one before.
    pub(super) fn go_on(&self, part: Trace) {
        self.shared.is_busy.store(true, Ordering::SeqCst);
        if let Some(parts) = &self.parts {
            let _ = parts.send(part);
        }
    }

    /// What was found so far.
    pub(super) fn found(&self) -> Arc<[OutsideWrite]> {
        Arc::clone(&self.shared.found())
    }
}

impl Shared {
    fn found(&self) -> MutexGuard<'_, Arc<[OutsideWrite]>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn search(&self, search: &mut OutsideSearch, part: &Trace) {
        let mut is_all = false;
        while !is_all && !self.is_dropped.load(Ordering::SeqCst) {
            let before = search.found().len();
            is_all = search.advance(part, AT_ONCE);
            if search.found().len() > before {
                *self.found() = search.found().into();
            }
        }
        self.is_busy.store(false, Ordering::SeqCst);
    }
}

impl Drop for BackgroundSearch {
    fn drop(&mut self) {
        self.shared.is_dropped.store(true, Ordering::SeqCst);
        self.parts = None;
        if let Some(searching) = self.searching.take() {
            let _ = searching.join();
        }
    }
}
