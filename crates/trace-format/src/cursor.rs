//! Reading little-endian numbers from the front of a slice, with the end checked once each.

use java_names::modified_utf8;

use crate::DecodeError;

#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
}

macro_rules! read_number {
    ($name:ident, $number:ty) => {
        #[inline]
        pub fn $name(&mut self) -> Result<$number, DecodeError> {
            let (head, rest) = self.bytes.split_first_chunk().ok_or(DecodeError::CutOff)?;
            self.bytes = rest;
            Ok(<$number>::from_le_bytes(*head))
        }
    };
}

impl<'a> Cursor<'a> {
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// What has not been read yet.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    read_number!(u8, u8);
    read_number!(u16, u16);
    read_number!(u32, u32);
    read_number!(u64, u64);

    /// A number in as few bytes as it needs: seven bits each, the lowest first, the highest bit set in all but the
    /// last.
    #[inline]
    pub fn varint(&mut self) -> Result<u64, DecodeError> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.u8()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(DecodeError::CutOff)
    }

    /// A number of that form that has 32 bits at most.
    #[inline]
    pub fn varint32(&mut self) -> Result<u32, DecodeError> {
        u32::try_from(self.varint()?).map_err(|_| DecodeError::CutOff)
    }

    #[inline]
    pub fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (head, rest) = self
            .bytes
            .split_at_checked(length)
            .ok_or(DecodeError::CutOff)?;
        self.bytes = rest;
        Ok(head)
    }

    /// A string of the `symbols` file: its length (u16), then modified UTF-8.
    pub fn text(&mut self) -> Result<String, DecodeError> {
        let length = self.u16()?;
        modified_utf8::decode_exact(self.take(usize::from(length))?).ok_or(DecodeError::Text)
    }
}

/// Appends a number as [`Cursor::varint`] reads it.
pub fn put_varint(mut number: u64, out: &mut Vec<u8>) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}
