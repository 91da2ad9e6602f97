//! Elements of arrays that were noted many at a time, and texts: some stand elsewhere in the thread's streams.

use trace_format::elements::StreamPlace;
use trace_format::{Elements, ObjectKind, Stream, ThreadNumber, Value, object};

use crate::streams::Streams;
use crate::symbols::Symbols;

/// One of the elements that a thread noted together, by its number among them.
pub(crate) fn value(
    streams: &Streams,
    symbols: &Symbols,
    thread: ThreadNumber,
    elements: &Elements<'_>,
    number: u32,
) -> Option<Value> {
    elements.value(number, |place| elsewhere(streams, symbols, thread, place))
}

/// All elements, up to the first that is not known.
pub(crate) fn values(
    streams: &Streams,
    symbols: &Symbols,
    thread: ThreadNumber,
    elements: &Elements<'_>,
) -> Vec<Value> {
    elements.values(|place| elsewhere(streams, symbols, thread, place))
}

/// What an object says: the text of a string, up to what is not known, or the name of a class.
pub(crate) fn text(
    streams: &Streams,
    symbols: &Symbols,
    thread: ThreadNumber,
    object: &ObjectKind<'_>,
) -> Option<String> {
    object.text(|place| elsewhere(streams, symbols, thread, place))
}

fn elsewhere<'a>(
    streams: &'a Streams,
    symbols: &Symbols,
    thread: ThreadNumber,
    place: StreamPlace,
) -> Option<&'a [u8]> {
    match place {
        StreamPlace::Events(position) => {
            let events = streams.view(thread, Stream::Events);
            // What stands before is made up, for what was given up.
            (position >= events.kept_from()).then(|| events.at(position))?
        }
        StreamPlace::Objects { entry, offset } => {
            let bytes = streams.view(thread, Stream::Objects).at(entry)?;
            let (described, length) = object::decode(bytes).ok()??;
            let holds_any = matches!(
                described.kind,
                ObjectKind::Array { .. } | ObjectKind::String { .. }
            );
            let is_open = holds_any && !symbols.is_masked(described.object);
            bytes.get(offset as usize..length).filter(|_| is_open)
        }
    }
}
