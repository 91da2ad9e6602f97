//! Modified UTF-8, the encoding of names in class files: U+0000 takes two bytes, and a character
//! outside the basic plane is a surrogate pair of three bytes each. A lone surrogate is possible
//! in Java and not in Rust; it becomes U+FFFD.

use crate::DecodeError;

pub fn decode(bytes: &[u8]) -> Result<String, DecodeError> {
    if bytes.is_ascii() {
        return Ok(bytes.iter().map(|&byte| char::from(byte)).collect());
    }
    let units = decode_units(bytes)?;
    Ok(String::from_utf16_lossy(&units))
}

pub fn encode(text: &str, out: &mut Vec<u8>) {
    for unit in text.encode_utf16() {
        match unit {
            0x0001..=0x007F => out.push(unit as u8),
            0x0000 | 0x0080..=0x07FF => {
                out.extend([0xC0 | (unit >> 6) as u8, continuation(unit)]);
            }
            _ => out.extend([
                0xE0 | (unit >> 12) as u8,
                continuation(unit >> 6),
                continuation(unit),
            ]),
        }
    }
}

/// Encodes as much of `text` as fits into `limit` bytes, whole UTF-16 units only.
pub fn encode_bounded(text: &str, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(text, &mut bytes);
    if bytes.len() > limit {
        let mut end = limit;
        while end > 0 && bytes[end] & 0xC0 == 0x80 {
            end -= 1;
        }
        bytes.truncate(end);
    }
    bytes
}

fn continuation(unit: u16) -> u8 {
    0x80 | (unit & 0x3F) as u8
}

fn decode_units(bytes: &[u8]) -> Result<Vec<u16>, DecodeError> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter();
    while let Some(&first) = rest.next() {
        let mut next = || match rest.next() {
            Some(&byte) if byte & 0xC0 == 0x80 => Ok(u16::from(byte & 0x3F)),
            _ => Err(DecodeError::Text),
        };
        let first_bits = u16::from(first);
        units.push(match first {
            0x00..=0x7F => first_bits,
            0xC0..=0xDF => (first_bits & 0x1F) << 6 | next()?,
            0xE0..=0xEF => (first_bits & 0x0F) << 12 | next()? << 6 | next()?,
            _ => return Err(DecodeError::Text),
        });
    }
    Ok(units)
}
