//! Locks round caches.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept behind these locks is whole between any two operations.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
