//! A bounds-checked cursor over big-endian bytes, and its counterpart for writing.

use crate::ParseError;

/// Reads forward through a slice; running out of bytes is an error that names what was read.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
    what: &'static str,
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8], what: &'static str) -> Self {
        Reader { rest: bytes, what }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'b [u8], ParseError> {
        match self.rest.split_at_checked(count) {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(head)
            }
            None => Err(ParseError::Truncated { what: self.what }),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ParseError> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(*head)
            }
            None => Err(ParseError::Truncated { what: self.what }),
        }
    }

    pub(crate) fn u8(&mut self) -> Result<u8, ParseError> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, ParseError> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn i16(&mut self) -> Result<i16, ParseError> {
        self.array().map(i16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, ParseError> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn i32(&mut self) -> Result<i32, ParseError> {
        self.array().map(i32::from_be_bytes)
    }

    pub(crate) fn i64(&mut self) -> Result<i64, ParseError> {
        self.array().map(i64::from_be_bytes)
    }

    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Complains when something is left over.
    pub(crate) fn finish(self) -> Result<(), ParseError> {
        match self.rest.len() {
            0 => Ok(()),
            count => Err(ParseError::TrailingBytes {
                what: self.what,
                count,
            }),
        }
    }
}

/// Appends big-endian numbers.
pub(crate) trait Writer {
    fn put_u8(&mut self, value: u8);
    fn put_u16(&mut self, value: u16);
    fn put_u32(&mut self, value: u32);
    fn put_slice(&mut self, bytes: &[u8]);
}

impl Writer for Vec<u8> {
    fn put_u8(&mut self, value: u8) {
        self.push(value);
    }

    fn put_u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn put_u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn put_slice(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}
