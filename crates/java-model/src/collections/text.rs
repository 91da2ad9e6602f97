//! `StringBuilder` and `StringBuffer`.

use trace_format::{ObjectId, Value};

use super::super::heap::Heap;
use super::LibraryContent;
use super::look::Look;

/// What a builder holds. Up to Java 8 its text is an array of characters; later it is one of bytes, and its coder tells
/// whether a character takes one of them or two.
pub(super) fn builder<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    object: ObjectId,
) -> Option<LibraryContent> {
    let parts = look.parts(object);
    let count = parts.size("count")?;
    let array = parts.object("value")?;
    let units = match parts.int("coder") {
        Some(0) => bytes(&look.elements(array, 0, count))
            .map(u16::from)
            .collect(),
        Some(_) => {
            let bytes: Vec<u8> = bytes(&look.elements(array, 0, count.checked_mul(2)?)).collect();
            let pairs = bytes.as_chunks::<2>().0.iter();
            pairs.map(|pair| u16::from_le_bytes(*pair)).collect()
        }
        None => characters(&look.elements(array, 0, count))?,
    };
    (units.len() == count).then(|| LibraryContent::Text(String::from_utf16_lossy(&units)))
}

fn bytes(elements: &[Value]) -> impl Iterator<Item = u8> {
    elements.iter().map(|element| element.bits() as u8)
}

/// The elements of an array of characters; `None` if it is another one.
fn characters(elements: &[Value]) -> Option<Vec<u16>> {
    let units = elements.iter().map(|element| match element {
        Value::Char(unit) => Some(*unit),
        _ => None,
    });
    units.collect()
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
