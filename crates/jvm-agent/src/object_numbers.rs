//! The numbers of objects: which are taken, and in a ring, which objects have been described lately.
//!
//! A ring gives up the oldest descriptions, so an object that is used long after it was described is described
//! again. Time is cut into spans. The Java side looks, for an object whose number was given out before the current
//! span, at a bit that tells whether it was described in the span; all bits are cleared when a span begins. The bits
//! are memory that takes space only where they are set.

#![expect(
    unsafe_code,
    reason = "Java code reads and writes the bits through their address"
)]

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU32, Ordering};

use memmap2::{MmapMut, MmapOptions, UncheckedAdvice};
use trace_format::ObjectId;

/// Numbers below belong to the JVM's own identity hashes; `AskanceIdentity` has the same.
pub(crate) const FIRST_OBJECT: ObjectId = ObjectId(1 << 25);
const BLOCK: u32 = 1024;
const LAST_BLOCK: u32 = i32::MAX as u32 - 2 * BLOCK;
/// One bit for each number.
const BITS_SIZE: usize = (i32::MAX as usize + 1) / 8;

#[derive(Debug)]
pub(crate) struct ObjectNumbers {
    next: AtomicU32,
    /// The first number that was given out in the current span, where Java reads it.
    span_begin: AtomicU32,
    described: Mutex<Option<MmapMut>>,
}

/// What the Java side gets to know: addresses, or zeros where nothing is described again.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SpanAddresses {
    pub(crate) begin: u64,
    pub(crate) bits: u64,
}

impl ObjectNumbers {
    pub(crate) fn new() -> Self {
        ObjectNumbers {
            next: AtomicU32::new(FIRST_OBJECT.0 + BLOCK),
            span_begin: AtomicU32::new(0),
            described: Mutex::new(None),
        }
    }

    /// From now on there are spans. Without memory for the bits there are none: what is given up stays unknown.
    pub(crate) fn describe_again(&self) {
        let mut options = MmapOptions::new();
        let bits = options.len(BITS_SIZE).no_reserve_swap().map_anon();
        *self
            .described
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = bits.ok();
    }

    /// The addresses are good as long as the numbers are.
    pub(crate) fn span_addresses(&self) -> SpanAddresses {
        let described = self.described.lock();
        match &*described.unwrap_or_else(PoisonError::into_inner) {
            Some(bits) => SpanAddresses {
                begin: self.span_begin.as_ptr() as u64,
                bits: bits.as_ptr() as u64,
            },
            None => SpanAddresses::default(),
        }
    }

    /// Everything that is used from now on is described, if it was not since.
    pub(crate) fn begin_span(&self) {
        let mut described = self
            .described
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(bits) = &mut *described {
            // SAFETY: private anonymous memory reads as zeros afterwards; Java code may set a bit at the same time, and
            // if that is lost an object is described once more than needed.
            let cleared = unsafe { bits.unchecked_advise(UncheckedAdvice::DontNeed) };
            if cleared.is_ok() {
                let next = self.next.load(Ordering::Relaxed);
                self.span_begin.store(next, Ordering::Relaxed);
            }
        }
    }

    /// The first of a block of numbers; `None` if there are no more.
    pub(crate) fn take_block(&self) -> Option<u32> {
        let block = self.next.fetch_add(BLOCK, Ordering::Relaxed);
        if (FIRST_OBJECT.0..=LAST_BLOCK).contains(&block) {
            return Some(block);
        }
        self.next.store(LAST_BLOCK + 1, Ordering::Relaxed);
        None
    }

    /// Numbers for objects that nobody will read of.
    pub(crate) fn last_block(&self) -> u32 {
        LAST_BLOCK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_begins_with_the_next_number_and_no_bits() {
        let numbers = ObjectNumbers::new();
        assert_eq!(numbers.span_addresses().bits, 0);
        numbers.describe_again();
        let SpanAddresses { begin, bits } = numbers.span_addresses();
        // SAFETY: the addresses are those of what `numbers` holds.
        let read = || unsafe { (*(begin as *const u32), *(bits as *const u8)) };
        let taken = numbers.take_block();
        assert_eq!(taken, Some(FIRST_OBJECT.0 + BLOCK));
        // SAFETY: as above.
        unsafe { *(bits as *mut u8) = 1 };
        assert_eq!(read(), (0, 1));
        numbers.begin_span();
        assert_eq!(read(), (FIRST_OBJECT.0 + 2 * BLOCK, 0));
    }
}
