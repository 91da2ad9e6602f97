//! Reads the file in which the recorder keeps what was printed. It may be written meanwhile.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use trace_format::json::FormatVersion;
use trace_format::printed::{SEGMENT_HEADER_SIZE, SEGMENT_SIZE, SegmentHeader};
use trace_format::{PieceRecord, files};

use super::Printed;
use crate::error::{IoContext as _, Result};

/// The first version of the format that has it.
pub(super) const SINCE: FormatVersion = FormatVersion { major: 5, minor: 1 };

/// More segments than any recorder keeps.
const MOST_SLOTS: u64 = 1024;

/// Adds the pieces that are kept, in order, until there is one that is not `wanted`.
pub(super) fn read(
    jvm: &Path,
    printed: &mut Printed,
    wanted: impl Fn(&PieceRecord<'_>) -> bool,
) -> Result<()> {
    let path = jvm.join(files::PRINTED);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).during("open", &path),
    };
    let slots = file.metadata().during("inspect", &path)?.len() / SEGMENT_SIZE as u64;
    let mut headers = Vec::new();
    for slot in 0..slots.min(MOST_SLOTS) {
        if let Some(header) = header(&file, slot).during("read", &path)? {
            headers.push((header, slot));
        }
    }
    headers.sort_unstable_by_key(|(header, _)| header.sequence);
    let mut next = None;
    let mut segment = vec![0; SEGMENT_SIZE];
    for (expected, slot) in headers {
        file.read_exact_at(&mut segment, slot * SEGMENT_SIZE as u64)
            .during("read", &path)?;
        // The recorder may have begun another one in its place, before or while it was read.
        let is_same = |found: Option<SegmentHeader>| found == Some(expected);
        let read = SegmentHeader::decode(&segment).ok();
        if !is_same(read) || !is_same(header(&file, slot).during("read", &path)?) {
            continue;
        }
        if next != Some(expected.sequence) {
            printed.begin_stretch(expected.before);
        }
        next = expected.sequence.checked_add(1);
        let mut at = SEGMENT_HEADER_SIZE;
        while let Some(rest) = segment.get(at..)
            && let Ok(Some(piece)) = PieceRecord::decode(rest)
        {
            if !wanted(&piece) {
                return Ok(());
            }
            printed.add(&piece);
            at += piece.size();
        }
    }
    Ok(())
}

/// Of a segment, if there is one.
fn header(file: &File, slot: u64) -> io::Result<Option<SegmentHeader>> {
    let mut bytes = [0; SEGMENT_HEADER_SIZE];
    file.read_exact_at(&mut bytes, slot * SEGMENT_SIZE as u64)?;
    Ok(SegmentHeader::decode(&bytes).ok())
}
