//! Objects that could not be read, and why.
//!
//! A file that is damaged, or an index that cannot be written, must not look as if nothing had been recorded. Whoever
//! reads an object in vain leaves the reason here, and whoever shows it finds it; it is tried again the next time.
//! What was read in vain of something else is counted, so that an answer which rests on it can say so.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use trace_format::ObjectId;
use trace_store::StoreError;

/// No more objects than these are kept; where there are more, all of them have one reason.
const MOST: usize = 10_000;

/// See the module's header.
#[derive(Debug, Default)]
pub(crate) struct Troubles {
    are_some: AtomicBool,
    reasons: Mutex<HashMap<ObjectId, Arc<str>>>,
    /// How often something was read in vain, and why it was the last time.
    met: AtomicU64,
    last: Mutex<Option<Arc<str>>>,
}

impl Troubles {
    /// What was read of an object; if it could not be, the reason is kept.
    pub(crate) fn note<T>(&self, object: ObjectId, read: Result<T, StoreError>) -> Option<T> {
        match read {
            Ok(value) => {
                if self.are_some() {
                    self.reasons().remove(&object);
                }
                Some(value)
            }
            Err(error) => {
                self.meet(&error);
                self.are_some.store(true, Ordering::Relaxed);
                let mut reasons = self.reasons();
                if reasons.len() < MOST {
                    reasons.insert(object, error.to_string().into());
                }
                None
            }
        }
    }

    /// What was read; if it could not be, that is counted. That there is no such call or thread is an answer.
    pub(crate) fn count<T>(&self, read: Result<T, StoreError>) -> Option<T> {
        if let Err(error) = &read
            && !matches!(error, StoreError::NoCall(_) | StoreError::NoThread(_))
        {
            self.meet(error);
        }
        read.ok()
    }

    /// Counts that something could not be read.
    pub(crate) fn meet(&self, error: &dyn Display) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(error.to_string().into());
        self.met.fetch_add(1, Ordering::Relaxed);
    }

    /// How often something was read in vain until now.
    pub(crate) fn met(&self) -> u64 {
        self.met.load(Ordering::Relaxed)
    }

    /// Why, if it happened since there were so many.
    pub(crate) fn since(&self, met: u64) -> Option<Arc<str>> {
        if self.met() == met {
            return None;
        }
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.clone()
    }

    /// Why an object could not be read.
    pub(crate) fn of(&self, object: ObjectId) -> Option<Arc<str>> {
        if !self.are_some() {
            return None;
        }
        self.reasons().get(&object).cloned()
    }

    pub(crate) fn are_some(&self) -> bool {
        self.are_some.load(Ordering::Relaxed)
    }

    fn reasons(&self) -> MutexGuard<'_, HashMap<ObjectId, Arc<str>>> {
        self.reasons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
