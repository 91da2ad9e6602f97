//! Room on the disk for what is not recorded yet.
//!
//! The system looks for room for each page of a file that grows, and for many megabytes at once just as fast. So the
//! file gets its room in large pieces, behind its end: its length stays what it is, and whoever reads it does not
//! notice. What is left of the last piece is given back.

use std::fs::File;
use std::io;

use rustix::fs::{FallocateFlags, fallocate};

/// A file that is smaller gets none.
const WORTH_WHILE: u64 = 1 << 20;
/// A piece is as large as what is there already, and no larger than this.
const LARGEST: u64 = 16 << 20;

#[derive(Debug)]
pub(crate) struct Reserve {
    /// Where the room ends.
    until: u64,
    /// How long the file may get.
    limit: u64,
}

impl Reserve {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            until: WORTH_WHILE,
            limit,
        }
    }

    /// The file will soon be so long.
    pub(crate) fn has_grown(&mut self, file: &File, length: u64) {
        if length <= self.until {
            return;
        }
        let room = self.limit.saturating_sub(length);
        let piece = LARGEST.min(length).min(room);
        match fallocate(file, FallocateFlags::KEEP_SIZE, length, piece) {
            Ok(()) => self.until = length + piece,
            // This file system cannot, or there is little room left: what needs it will tell.
            Err(_) => self.until = u64::MAX,
        }
    }

    /// Gives back what there is behind the end of the file, and takes no more.
    pub(crate) fn end(&mut self, file: &File, length: u64) -> io::Result<()> {
        let has_room = self.until != WORTH_WHILE;
        self.until = u64::MAX;
        if has_room {
            file.set_len(length)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    fn length_and_room(file: &File) -> (u64, u64) {
        let metadata = file.metadata().unwrap();
        (metadata.len(), 512 * metadata.blocks())
    }

    #[test]
    fn room_lies_behind_the_end_and_is_given_back() {
        let file = tempfile::tempfile().unwrap();
        let mut reserve = Reserve::new(u64::MAX);
        reserve.has_grown(&file, WORTH_WHILE);
        assert_eq!(length_and_room(&file), (0, 0));
        let length = WORTH_WHILE + 1;
        file.set_len(length).unwrap();
        reserve.has_grown(&file, length);
        let (still, room) = length_and_room(&file);
        assert_eq!(still, length);
        // Not every file system can.
        assert!(room == 0 || room >= WORTH_WHILE, "{room}");
        reserve.end(&file, length).unwrap();
        let (still, room) = length_and_room(&file);
        assert_eq!(still, length);
        assert!(room <= 4096, "{room}");
        reserve.has_grown(&file, 2 * length);
        assert_eq!(length_and_room(&file), (length, room));
    }

    #[test]
    fn there_is_none_beyond_the_limit() {
        let file = tempfile::tempfile().unwrap();
        let (length, rest) = (2 * WORTH_WHILE, 8192);
        Reserve::new(length + rest).has_grown(&file, length);
        assert!(length_and_room(&file).1 <= rest);
    }
}
