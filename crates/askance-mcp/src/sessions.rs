//! The sessions that are open, by number: one for each trace, because the answers are kept in the trace.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askance_api::LiveRun;

/// See the module's header.
#[derive(Default)]
pub(super) struct Sessions(Mutex<Numbered>);

#[derive(Default)]
struct Numbered {
    /// The number that was given last. None is given twice: an agent may remember it.
    last: u32,
    open: BTreeMap<u32, Open>,
}

struct Open {
    trace: String,
    slot: Arc<LiveRun>,
}

impl Sessions {
    /// The number of the session about a trace.
    pub(super) fn about(&self, trace: &str) -> Option<u32> {
        let sessions = self.lock();
        let mut found = sessions.open.iter().filter(|(_, open)| open.trace == trace);
        found.next().map(|(&number, _)| number)
    }

    /// Takes in a session and gives its number.
    pub(super) fn add(&self, trace: &str, slot: Arc<LiveRun>) -> u32 {
        let mut sessions = self.lock();
        sessions.last += 1;
        let number = sessions.last;
        let trace = trace.to_owned();
        sessions.open.insert(number, Open { trace, slot });
        number
    }

    pub(super) fn slot(&self, number: u32) -> Result<Arc<LiveRun>, String> {
        let sessions = self.lock();
        match sessions.open.get(&number) {
            Some(open) => Ok(Arc::clone(&open.slot)),
            None => Err(format!(
                "there is no session {number}; open_trace opens one and list_traces lists them"
            )),
        }
    }

    /// Whether there was one.
    pub(super) fn close(&self, number: u32) -> bool {
        self.lock().open.remove(&number).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Numbered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
