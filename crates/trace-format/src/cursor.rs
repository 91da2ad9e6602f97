//! Reading little-endian numbers from the front of a slice, with the end checked once each.

use crate::{DecodeError, Kind, Value};

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

    #[inline]
    pub fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (head, rest) = self
            .bytes
            .split_at_checked(length)
            .ok_or(DecodeError::CutOff)?;
        self.bytes = rest;
        Ok(head)
    }

    #[inline]
    pub fn value(&mut self, kind: Kind) -> Result<Value, DecodeError> {
        let bits = match kind.size() {
            1 => u64::from(self.u8()?),
            2 => u64::from(self.u16()?),
            4 => u64::from(self.u32()?),
            _ => self.u64()?,
        };
        Ok(Value::from_bits(kind, bits))
    }

    #[inline]
    pub fn kind(&mut self) -> Result<Kind, DecodeError> {
        let code = self.u8()?;
        Kind::from_code(code).ok_or(DecodeError::UnknownKind(code))
    }

    /// A string of the `symbols` file: its length (u16), then modified UTF-8.
    pub fn text(&mut self) -> Result<String, DecodeError> {
        let length = self.u16()?;
        crate::modified_utf8::decode(self.take(usize::from(length))?)
    }
}
