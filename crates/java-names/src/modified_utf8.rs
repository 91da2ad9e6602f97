//! The class file's own flavour of UTF-8.
//!
//! It differs from the real one in two places: NUL takes two bytes, and a character outside
//! the basic plane is written as its two surrogates, three bytes each. Both are invalid in
//! UTF-8, so text that the standard library accepts needs no conversion.

use std::borrow::Cow;

/// The text that these bytes stand for. Lone surrogates and malformed bytes become U+FFFD.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(from_utf16(
            utf16_units(bytes).map(|unit| unit.unwrap_or(LONE)),
        )),
    }
}

/// The same; `None` if some bytes are malformed.
pub fn decode_exact(bytes: &[u8]) -> Option<String> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(text.to_owned());
    }
    let units: Vec<u16> = utf16_units(bytes).collect::<Option<_>>()?;
    Some(from_utf16(units.into_iter()))
}

/// The bytes that stand for this text.
pub fn encode(text: &str) -> Cow<'_, [u8]> {
    let plain = |character: char| character != '\0' && u32::from(character) < 0x1_0000;
    if text.is_ascii() && !text.as_bytes().contains(&0) || text.chars().all(plain) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len() + 8);
    for unit in text.encode_utf16() {
        match unit {
            0x0001..=0x007F => bytes.push(unit as u8),
            0 | 0x0080..=0x07FF => {
                bytes.extend([0xC0 | (unit >> 6) as u8, continuation(unit)]);
            }
            _ => bytes.extend([
                0xE0 | (unit >> 12) as u8,
                continuation(unit >> 6),
                continuation(unit),
            ]),
        }
    }
    Cow::Owned(bytes)
}

/// Encodes as much of `text` as fits into `limit` bytes, whole UTF-16 units only.
pub fn encode_bounded(text: &str, limit: usize) -> Cow<'_, [u8]> {
    let bytes = encode(text);
    if bytes.len() <= limit {
        return bytes;
    }
    let mut end = limit;
    while end > 0 && bytes[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    let mut bytes = bytes.into_owned();
    bytes.truncate(end);
    Cow::Owned(bytes)
}

fn continuation(unit: u16) -> u8 {
    0x80 | (unit & 0x3F) as u8
}

/// A unit that is no character by itself.
const LONE: u16 = 0xDC00;

fn from_utf16(units: impl Iterator<Item = u16>) -> String {
    char::decode_utf16(units)
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// Malformed bytes are `None`, one for each.
fn utf16_units(bytes: &[u8]) -> impl Iterator<Item = Option<u16>> + '_ {
    let low = |byte: u8| (byte & 0xC0 == 0x80).then_some(u16::from(byte & 0x3F));
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = *bytes.get(at)?;
        let second = bytes.get(at + 1).copied().and_then(low);
        let third = bytes.get(at + 2).copied().and_then(low);
        let (unit, len) = match (first >> 4, second, third) {
            (0x0..=0x7, ..) => (Some(u16::from(first)), 1),
            (0xC | 0xD, Some(second), _) => (Some(u16::from(first & 0x1F) << 6 | second), 2),
            (0xE, Some(second), Some(third)) => {
                let unit = u16::from(first & 0x0F) << 12 | second << 6 | third;
                (Some(unit), 3)
            }
            _ => (None, 1),
        };
        at += len;
        Some(unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn special_characters_take_their_special_form() {
        assert_eq!(*encode("a\0"), [b'a', 0xC0, 0x80]);
        assert_eq!(*encode("😀"), [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]);
        assert_eq!(decode(&[0xED, 0xA0, 0xBD]), "\u{FFFD}");
        assert_eq!(decode(&[b'a', 0xFF, b'b']), "a\u{FFFD}b");
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(text in any::<String>()) {
            let bytes = encode(&text);
            prop_assert_eq!(decode(&bytes), text.as_str());
            prop_assert_eq!(decode_exact(&bytes), Some(text));
        }

        /// What does not fit is cut off between two units.
        #[test]
        fn a_bound_is_kept(text in any::<String>(), limit in 0..20usize) {
            let bytes = encode_bounded(&text, limit);
            prop_assert!(bytes.len() <= limit);
            prop_assert!(encode(&text).starts_with(&bytes));
            prop_assert!(decode_exact(&bytes).is_some());
        }

        #[test]
        fn any_bytes_can_be_decoded(bytes in any::<Vec<u8>>()) {
            let text = decode(&bytes);
            prop_assert!(decode_exact(&bytes).is_none_or(|exact| exact == text));
        }
    }
}
