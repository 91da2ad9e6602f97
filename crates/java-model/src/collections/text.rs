//! `StringBuilder` and `StringBuffer`.

use trace_format::{ObjectId, Value};

use super::super::heap::Heap;
use super::LibraryContent;
use super::look::Look;

/// What a builder holds.
pub(super) fn builder<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    object: ObjectId,
) -> Option<LibraryContent> {
    let parts = look.parts(object);
    let count = parts.size("count")?;
    let wide = parts.int("coder")? != 0;
    let needed = if wide { count.checked_mul(2)? } else { count };
    let values = look.elements(parts.object("value")?, 0, needed);
    if values.len() < needed {
        return None;
    }
    let bytes: Vec<u8> = values.iter().map(|value| value.bits() as u8).collect();
    let units: Vec<u16> = if wide {
        let pairs = bytes.as_chunks::<2>().0.iter();
        pairs.map(|pair| u16::from_le_bytes(*pair)).collect()
    } else {
        bytes.into_iter().map(u16::from).collect()
    };
    Some(LibraryContent::Text(String::from_utf16_lossy(&units)))
}

/// The ints of an array as unsigned words.
pub(super) fn words<H: Heap + ?Sized>(look: &Look<'_, H>, array: ObjectId) -> Option<Vec<u32>> {
    let words: Vec<u32> = look
        .each(array)
        .map_while(|value| match value {
            Value::Int(word) => Some(word.cast_unsigned()),
            _ => None,
        })
        .collect();
    (words.len() == look.length(array)).then_some(words)
}
