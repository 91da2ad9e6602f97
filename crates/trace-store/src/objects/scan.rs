//! The pass over the descriptions of objects.

use trace_format::{EventPosition, ObjectPosition, Stream, ThreadNumber, object, restore_position};

use super::ObjectRow;
use crate::error::Result;
use crate::streams::Streams;

/// How far a thread's descriptions are read.
#[derive(Debug, Default)]
pub(super) struct Walk {
    position: u64,
    /// Where the thread was in its events at the last one.
    seen: u64,
}

impl Walk {
    /// Shows the descriptions that are new and were made before the thread came to `end` in its events.
    pub(super) fn advance(
        &mut self,
        streams: &Streams,
        thread: ThreadNumber,
        end: u64,
        mut found: impl FnMut(ObjectRow) -> Result<()>,
    ) -> Result<()> {
        let Walk { position, seen } = self;
        let view = streams.view(thread, Stream::Objects);
        for piece in view.pieces_from(*position) {
            let mut at = position.saturating_sub(piece.base) as usize;
            if piece.base == view.kept_from() && at == 0 {
                *seen = streams.described_until(thread).max(*seen);
            }
            // Damage ends what can be read of this piece; the next one begins with a whole entry.
            while let Some(rest) = piece.bytes.get(at..)
                && let Ok(Some((entry, length))) = object::decode(rest)
            {
                let seen_at = restore_position(*seen, entry.epos);
                if seen_at > end {
                    *position = piece.base + at as u64;
                    return Ok(());
                }
                *seen = seen_at;
                if !entry.object.is_null() {
                    found(ObjectRow {
                        object: entry.object,
                        class: entry.class,
                        thread,
                        position: ObjectPosition(piece.base + at as u64),
                        seen: EventPosition(*seen),
                        code: entry.code(),
                    })?;
                }
                at += length;
            }
            *position = piece.base + at as u64;
            streams.has_read(piece.bytes.len());
        }
        Ok(())
    }
}
