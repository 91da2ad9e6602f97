//! Attributes, which are kept as bytes, and lists as class files have them: a count, then the elements.

use crate::ParseError;
use crate::bytes::{Reader, Writer};

/// An attribute, verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Index of the name.
    pub name: u16,
    pub bytes: Vec<u8>,
}

/// Reads a two-byte count and that many elements.
pub(crate) fn list<'b, T>(
    reader: &mut Reader<'b>,
    mut element: impl FnMut(&mut Reader<'b>) -> Result<T, ParseError>,
) -> Result<Vec<T>, ParseError> {
    let count = usize::from(reader.u16()?);
    // Each element takes at least two bytes: a lying count must not make us allocate.
    let mut elements = Vec::with_capacity(count.min(reader.remaining() / 2));
    for _ in 0..count {
        elements.push(element(reader)?);
    }
    Ok(elements)
}

pub(crate) fn read_attributes(reader: &mut Reader<'_>) -> Result<Vec<Attribute>, ParseError> {
    list(reader, |reader| {
        let name = reader.u16()?;
        let len = reader.u32()?;
        let bytes = reader.take(len as usize)?.to_vec();
        Ok(Attribute { name, bytes })
    })
}

/// Writes the count of a list and returns what of it is to be written.
pub(crate) fn counted<'l, T>(list: &'l [T], out: &mut Vec<u8>) -> &'l [T] {
    let list = &list[..list.len().min(usize::from(u16::MAX))];
    out.put_u16(list.len() as u16);
    list
}

pub(crate) fn write_attributes(attributes: &[Attribute], out: &mut Vec<u8>) {
    for attribute in counted(attributes, out) {
        out.put_u16(attribute.name);
        out.put_u32(attribute.bytes.len() as u32);
        out.put_slice(&attribute.bytes);
    }
}
