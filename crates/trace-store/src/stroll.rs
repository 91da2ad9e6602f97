//! A way through one stream that leads from place to place.
//!
//! What is unpacked to look something up stays for as long as the trace is open, because many look into one chunk, each
//! at another place. A long way leads through chunks that hardly anybody else looks into: with all of them kept, the
//! first question about a run of half a gigabyte took more than that.

use trace_format::{Stream, ThreadNumber};

use crate::stream_view::{Piece, StreamView};
use crate::streams::Streams;

/// Looks up one place after the other, mostly in the order of the stream. The first chunk that it comes to stays
/// unpacked, of the others one at a time, unless others have looked into them.
pub(crate) struct Stroll<'a> {
    streams: &'a Streams,
    view: StreamView<'a>,
    /// What was looked into last; `None`: it is in the buffer.
    kept: Option<&'a [u8]>,
    buffer: Vec<u8>,
    /// Where it begins.
    base: u64,
    is_far: bool,
}

impl<'a> Stroll<'a> {
    pub(crate) fn new(streams: &'a Streams, thread: ThreadNumber, stream: Stream) -> Self {
        Self {
            streams,
            view: streams.view(thread, stream),
            kept: None,
            buffer: Vec::new(),
            base: 0,
            is_far: false,
        }
    }

    /// The bytes from a position to the end of the piece that holds it; never empty.
    pub(crate) fn at(&mut self, position: u64) -> Option<&[u8]> {
        if self.ahead(position).is_none() {
            self.turn_to(position)?;
        }
        self.ahead(position)
    }

    fn ahead(&self, position: u64) -> Option<&[u8]> {
        let inside = usize::try_from(position.checked_sub(self.base)?).ok()?;
        let bytes = self.kept.unwrap_or(&self.buffer);
        bytes.get(inside..).filter(|rest| !rest.is_empty())
    }

    fn turn_to(&mut self, position: u64) -> Option<()> {
        let is_far = std::mem::replace(&mut self.is_far, true);
        let passed = is_far.then(|| self.view.piece_in(position, &mut self.buffer));
        if let Some(Some(Piece { base, bytes, .. })) = passed {
            let length = bytes.len();
            self.streams.has_read(length);
            self.buffer.truncate(length);
            (self.kept, self.base) = (None, base);
        } else {
            let piece = self.view.pieces_from(position).next()?;
            (self.kept, self.base) = (Some(piece.bytes), piece.base);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use trace_format::EndReason;
    use trace_format::symbol::ACC_STATIC;

    use super::*;
    use crate::sketch::Sketch;

    #[test]
    fn a_long_way_shows_what_is_there_and_leaves_chunks_packed() {
        let mut sketch = Sketch::new();
        sketch.chunk_size(4096);
        let main = sketch.thread("main");
        let class = sketch.class("Main");
        let method = sketch.method(class, ACC_STATIC, "main", "()V");
        for _ in 0..30_000 {
            sketch.enter(main, method, &[]).exit(main, None);
        }
        sketch.end(EndReason::Exit);
        let folder = tempfile::tempdir().unwrap();
        let mut streams = Streams::default();
        let jvm = sketch.write_run(folder.path()).unwrap();
        streams.refresh(&jvm).unwrap();

        let events = streams.view(main, Stream::Events);
        let on_the_way: Vec<u64> = (0..events.length()).step_by(997).collect();
        let mut stroll = Stroll::new(&streams, main, Stream::Events);
        let mut seen = Vec::new();
        for position in on_the_way.iter().chain(on_the_way.iter().rev()) {
            seen.push((*position, stroll.at(*position).unwrap().to_vec()));
        }
        assert_eq!(stroll.at(events.length()), None);
        let is_packed = |position| events.piece_in(position, &mut Vec::new()).is_some();
        let packed = on_the_way.iter().filter(|at| is_packed(**at)).count();
        let chunk = on_the_way.iter().filter(|at| **at < 4096).count();
        assert_eq!(packed, on_the_way.len() - chunk);
        for (position, bytes) in seen {
            assert_eq!(events.at(position), Some(&bytes[..]));
        }
    }
}
