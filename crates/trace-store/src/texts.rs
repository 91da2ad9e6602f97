//! What objects said of themselves, where the user wanted to know (`toString`).

use trace_format::event::{self, Event};
use trace_format::{ObjectId, Stream, TraceTime};

use crate::error::Result;
use crate::trace::Trace;
use crate::writes::TEXT;

impl Trace {
    /// The string that an object last gave of itself before `time`. Not if one of its variables was written
    /// since then: it would say something else now.
    pub fn text_said(&self, object: ObjectId, time: TraceTime) -> Result<Option<ObjectId>> {
        let index = self.write_index()?;
        let Some(said) = index.last_before(object, TEXT, time) else {
            return Ok(None);
        };
        let recorded = index.quiet_around(object, 0..=TEXT - 1, time);
        let outside = self.quiet_outside(object, time)?;
        if *recorded.start() > said || *outside.start() > said {
            return Ok(None);
        }
        let (thread, position) = self.position(said)?;
        let bytes = self.stream(thread, Stream::Events).at(position.0);
        let event = bytes.and_then(|bytes| event::decode(bytes, self.symbols(), None).ok()?);
        Ok(match event {
            Some((Event::Text { text, .. }, _)) if !text.is_null() => Some(text),
            _ => None,
        })
    }
}
