//! A row as SQLite stores it: the kinds of its values, then the values.

/// A row that is being put together.
#[derive(Debug, Default)]
pub(super) struct Record {
    kinds: Vec<u8>,
    values: Vec<u8>,
}

impl Record {
    pub(super) fn clear(&mut self) {
        self.kinds.clear();
        self.values.clear();
    }

    pub(super) fn null(&mut self) {
        self.kinds.push(0);
    }

    /// In as few bytes as it needs.
    pub(super) fn integer(&mut self, value: i64) {
        let bytes = value.to_be_bytes();
        let fits = |width: u32| (value << (64 - width) >> (64 - width)) == value;
        let (kind, width) = match value {
            0 => (8, 0),
            1 => (9, 0),
            _ if fits(8) => (1, 1),
            _ if fits(16) => (2, 2),
            _ if fits(24) => (3, 3),
            _ if fits(32) => (4, 4),
            _ if fits(48) => (5, 6),
            _ => (6, 8),
        };
        self.kinds.push(kind);
        self.values.extend_from_slice(&bytes[8 - width..]);
    }

    /// SQLite has no NaN.
    pub(super) fn number(&mut self, value: f64) {
        if value.is_nan() {
            return self.null();
        }
        self.kinds.push(7);
        self.values.extend_from_slice(&value.to_be_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        add_varint(&mut self.kinds, 13 + 2 * text.len() as u64);
        self.values.extend_from_slice(text.as_bytes());
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        // The length of the head counts itself, and it may be that which makes it longer.
        let mut length = self.kinds.len() as u64 + 1;
        while self.kinds.len() as u64 + varint_length(length) > length {
            length += 1;
        }
        let mut bytes = Vec::with_capacity(length as usize + self.values.len());
        add_varint(&mut bytes, length);
        bytes.extend_from_slice(&self.kinds);
        bytes.extend_from_slice(&self.values);
        bytes
    }
}

/// A number in groups of seven bits, the highest first, as SQLite writes it; no length is so large that it would need
/// nine bytes.
pub(super) fn add_varint(bytes: &mut Vec<u8>, value: u64) {
    for group in (1..varint_length(value)).rev() {
        bytes.push((value >> (7 * group)) as u8 | 0x80);
    }
    bytes.push(value as u8 & 0x7f);
}

fn varint_length(value: u64) -> u64 {
    u64::from((64 - value.leading_zeros()).div_ceil(7).max(1))
}
