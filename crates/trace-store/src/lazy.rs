//! A value that is made at first use, by whoever comes first, and that may fail to be made.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::error::Result;

#[derive(Debug)]
pub(crate) struct Lazy<T> {
    cell: OnceLock<T>,
    making: Mutex<()>,
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self {
            cell: OnceLock::new(),
            making: Mutex::new(()),
        }
    }
}

impl<T> Lazy<T> {
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        if let Some(value) = self.cell.get() {
            return Ok(value);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = self.cell.get() {
            return Ok(value);
        }
        let value = make()?;
        Ok(self.cell.get_or_init(|| value))
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.cell.get()
    }

    pub(crate) fn set(&mut self, value: T) {
        self.cell = OnceLock::from(value);
    }
}
