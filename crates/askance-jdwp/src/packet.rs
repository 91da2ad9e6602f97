//! Packets on a stream, and what they are made of: numbers with their most significant byte first, strings behind their
//! length.
//!
//! Nobody vouches for what comes in: a length is checked before anything of that size is made, and what is cut short is
//! refused.

use std::io::{self, Read};

use crate::refusal::Refusal;

/// What both sides say first.
pub(crate) const HANDSHAKE: &[u8; 14] = b"JDWP-Handshake";
const HEADER: usize = 11;
const REPLY: u8 = 0x80;
/// Nothing that a client has to say is longer.
const LONGEST: usize = 16 << 20;

/// A command that came in.
#[derive(Debug)]
pub(crate) struct Packet {
    pub(crate) id: u32,
    pub(crate) set: u8,
    pub(crate) command: u8,
    pub(crate) data: Vec<u8>,
}

/// The next command; replies, of which nobody waits for any, are passed over. `None` at the end of the stream.
pub(crate) fn receive(input: &mut impl Read) -> io::Result<Option<Packet>> {
    loop {
        let mut header = [0; HEADER];
        if !fill(input, &mut header)? {
            return Ok(None);
        }
        let [a, b, c, d, e, f, g, h, flags, set, command] = header;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        let rest = length.checked_sub(HEADER).filter(|&rest| rest <= LONGEST);
        let rest = rest.ok_or_else(|| io::Error::other("a packet without a sensible length"))?;
        let mut data = Vec::new();
        input.by_ref().take(rest as u64).read_to_end(&mut data)?;
        if data.len() != rest {
            return Ok(None);
        }
        if flags & REPLY == 0 {
            return Ok(Some(Packet {
                id: u32::from_be_bytes([e, f, g, h]),
                set,
                command,
                data,
            }));
        }
    }
}

/// Whether there were as many bytes as wanted.
pub(crate) fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// A reply with its header.
pub(crate) fn reply(id: u32, answer: &Result<Output, Refusal>) -> Vec<u8> {
    let (error, data): (u16, &[u8]) = match answer {
        Ok(output) => (0, &output.bytes),
        Err(refusal) => (*refusal as u16, &[]),
    };
    let [high, low] = error.to_be_bytes();
    packet(id, [REPLY, high, low], data)
}

/// A command of ours with its header.
pub(crate) fn command(id: u32, set: u8, command: u8, output: &Output) -> Vec<u8> {
    packet(id, [0, set, command], &output.bytes)
}

fn packet(id: u32, kind: [u8; 3], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(HEADER + data.len()).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(HEADER + data.len());
    bytes.extend(length.to_be_bytes());
    bytes.extend(id.to_be_bytes());
    bytes.extend(kind);
    bytes.extend(data);
    bytes
}

/// What a command carries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'data> {
    rest: &'data [u8],
}

impl<'data> Input<'data> {
    pub(crate) fn new(data: &'data [u8]) -> Self {
        Input { rest: data }
    }

    fn take(&mut self, count: usize) -> Result<&'data [u8], Refusal> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(Refusal::IllegalArgument)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const SIZE: usize>(&mut self) -> Result<[u8; SIZE], Refusal> {
        let taken = self.take(SIZE)?;
        taken.try_into().map_err(|_| Refusal::IllegalArgument)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Refusal> {
        self.array().map(u8::from_be_bytes)
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Refusal> {
        Ok(self.byte()? != 0)
    }

    pub(crate) fn int(&mut self) -> Result<u32, Refusal> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn long(&mut self) -> Result<u64, Refusal> {
        self.array().map(u64::from_be_bytes)
    }

    pub(crate) fn text(&mut self) -> Result<String, Refusal> {
        let length = self.int()? as usize;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    /// As many things as the data says, each of at least some bytes: a lying number makes nothing large.
    pub(crate) fn list<T>(
        &mut self,
        least: usize,
        mut one: impl FnMut(&mut Self) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        let count = self.int()? as usize;
        if count > self.rest.len() / least.max(1) {
            return Err(Refusal::IllegalArgument);
        }
        (0..count).map(|_| one(self)).collect()
    }
}

/// What an answer or an event carries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output {
    bytes: Vec<u8>,
}

impl Output {
    pub(crate) fn byte(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn flag(&mut self, value: bool) {
        self.byte(value.into());
    }

    pub(crate) fn short(&mut self, value: u16) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(crate) fn int(&mut self, value: u32) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(crate) fn long(&mut self, value: u64) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend(text.as_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.bytes.extend(bytes);
    }

    /// How many things follow.
    pub(crate) fn count(&mut self, count: usize) {
        self.int(u32::try_from(count).unwrap_or(u32::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut bytes: &[u8]) -> Vec<Result<(u32, usize), String>> {
        let mut found = Vec::new();
        loop {
            match receive(&mut bytes) {
                Ok(Some(packet)) => found.push(Ok((packet.id, packet.data.len()))),
                Ok(None) => return found,
                Err(error) => {
                    found.push(Err(error.to_string()));
                    return found;
                }
            }
        }
    }

    #[test]
    fn packets_are_read_one_by_one_and_replies_are_passed_over() {
        let mut output = Output::default();
        output.text("four");
        let mut bytes = command(7, 1, 2, &output);
        bytes.extend(reply(8, &Ok(output.clone())));
        bytes.extend(command(9, 1, 1, &Output::default()));
        assert_eq!(all(&bytes), [Ok((7, 8)), Ok((9, 0))]);
        // Whoever breaks off in the middle is gone.
        assert_eq!(all(&bytes[..15]), []);
        assert!(all(&[0; 11])[0].is_err());
        assert!(all(&[0xFF; 11])[0].is_err());
    }

    #[test]
    fn lying_lengths_are_refused() {
        let mut input = Input::new(&[0xFF, 0xFF, 0xFF, 0xFF, 1]);
        assert_eq!(input.text(), Err(Refusal::IllegalArgument));
        let mut input = Input::new(&[0x7F, 0xFF, 0xFF, 0xFF, 1]);
        assert_eq!(input.list(1, Input::byte), Err(Refusal::IllegalArgument));
    }
}
