//! How much of the disk a recording may take where nobody has said it.

use std::path::Path;

/// Of what is free, one part of so many.
const PARTS: u64 = 2;

/// With less, the disk is as good as full: recording then stops where it is, and says so.
const LITTLE: u64 = 256 << 20;

/// The share of a folder's disk that a recording may take: what else the machine writes needs room too, and so do
/// the indexes. `None` where there is little, or the system does not tell how much is free.
#[must_use]
pub fn share(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    (free >= LITTLE).then_some(free / PARTS)
}
