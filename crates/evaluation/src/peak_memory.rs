//! The most memory that a process has while it is watched.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Between two looks, so that whoever is measured is not kept from their work.
const INTERVAL: Duration = Duration::from_millis(5);

/// Looks at a process's memory again and again.
#[derive(Debug)]
pub(crate) struct PeakMemory {
    seen: Arc<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    own: AtomicU64,
    resident: AtomicU64,
    done: AtomicBool,
}

impl PeakMemory {
    pub(crate) fn watch(process: u32) -> Self {
        let seen = Arc::new(Seen::default());
        let watching = Arc::clone(&seen);
        std::thread::spawn(move || {
            let path = format!("/proc/{process}/status");
            while !watching.done.load(Ordering::Relaxed) {
                let status = std::fs::read_to_string(&path).unwrap_or_default();
                let bytes = |field| bytes_of(&status, field);
                watching.own.fetch_max(bytes("RssAnon:"), Ordering::Relaxed);
                watching
                    .resident
                    .fetch_max(bytes("VmRSS:"), Ordering::Relaxed);
                std::thread::sleep(INTERVAL);
            }
        });
        Self { seen }
    }

    /// Resident bytes, the mapped pages of files left out.
    pub(crate) fn own(&self) -> u64 {
        self.seen.own.load(Ordering::Relaxed)
    }

    /// The same with mapped pages of files.
    pub(crate) fn resident(&self) -> u64 {
        self.seen.resident.load(Ordering::Relaxed)
    }
}

impl Drop for PeakMemory {
    fn drop(&mut self) {
        self.seen.done.store(true, Ordering::Relaxed);
    }
}

/// What the system tells about a process in kilobytes.
fn bytes_of(status: &str, field: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
