//! The file `head`: what stands for the part of a trace that was given up.
//!
//! It says where the rest begins, and for each thread how to begin to read it.

use crate::cursor::Cursor;
use crate::files::{HEAD_SIGNATURE, SIGNATURE_SIZE};
use crate::{DecodeError, EventPosition, ObjectPosition, ThreadNumber, ValuePosition};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// The offset in `chunks` of the first chunk that is kept.
    pub chunks_from: u64,
    /// How much of the file `objects` counts.
    pub objects_length: u64,
    /// Calls of which nothing is left.
    pub lost_calls: u64,
    /// A stamp that was taken after the end of the threads of which nothing is left.
    pub lost_until: u64,
    pub threads: Vec<ThreadHead>,
    /// The offset in `objects` of the first chunk that is kept; 0: all are.
    pub objects_from: u64,
    pub objects: Vec<ObjectsHead>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadHead {
    pub thread: ThreadNumber,
    /// The first event that is kept.
    pub events_from: EventPosition,
    /// Where the values had got to there.
    pub values_at: ValuePosition,
    /// The first value that is kept. It may lie behind `values_at`.
    pub values_from: ValuePosition,
    /// The last stamp before.
    pub stamp: u64,
    /// To be read right before the first event that is kept: the calls that were open there.
    pub events: Vec<u8>,
}

/// What stands for the descriptions of objects of a thread that were given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectsHead {
    pub thread: ThreadNumber,
    /// The first entry that is kept.
    pub objects_from: ObjectPosition,
    /// What the last entry before it says of the position in events, all 64 bits of it.
    pub events_at: EventPosition,
    /// To be read right before the first entry that is kept: what is needed of those that were given up.
    pub entries: Vec<u8>,
}

impl ThreadHead {
    /// Where the events begin, those of the head included.
    pub fn begin(&self) -> EventPosition {
        let length = self.events.len() as u64;
        EventPosition(self.events_from.0.saturating_sub(length))
    }
}

impl Head {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = HEAD_SIGNATURE.to_vec();
        out.extend(self.chunks_from.to_le_bytes());
        out.extend(self.objects_length.to_le_bytes());
        out.extend(self.lost_calls.to_le_bytes());
        out.extend(self.lost_until.to_le_bytes());
        out.extend((self.threads.len() as u32).to_le_bytes());
        for head in &self.threads {
            out.extend(head.thread.0.to_le_bytes());
            out.extend(head.events_from.0.to_le_bytes());
            out.extend(head.values_at.0.to_le_bytes());
            out.extend(head.values_from.0.to_le_bytes());
            out.extend(head.stamp.to_le_bytes());
            out.extend((head.events.len() as u32).to_le_bytes());
            out.extend_from_slice(&head.events);
        }
        out.extend(self.objects_from.to_le_bytes());
        out.extend((self.objects.len() as u32).to_le_bytes());
        for head in &self.objects {
            out.extend(head.thread.0.to_le_bytes());
            out.extend(head.objects_from.0.to_le_bytes());
            out.extend(head.events_at.0.to_le_bytes());
            out.extend((head.entries.len() as u32).to_le_bytes());
            out.extend_from_slice(&head.entries);
        }
        out
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(bytes);
        if cursor.take(SIGNATURE_SIZE)? != HEAD_SIGNATURE {
            return Err(DecodeError::NoSignature);
        }
        let mut head = Self {
            chunks_from: cursor.u64()?,
            objects_length: cursor.u64()?,
            lost_calls: cursor.u64()?,
            lost_until: cursor.u64()?,
            ..Self::default()
        };
        for _ in 0..cursor.u32()? {
            let thread = ThreadHead {
                thread: ThreadNumber(cursor.u32()?),
                events_from: EventPosition(cursor.u64()?),
                values_at: ValuePosition(cursor.u64()?),
                values_from: ValuePosition(cursor.u64()?),
                stamp: cursor.u64()?,
                events: {
                    let length = cursor.u32()?;
                    cursor.take(length as usize)?.to_vec()
                },
            };
            // Positions of the head's events are those right before the kept ones.
            if thread.events.len() as u64 > thread.events_from.0 {
                return Err(DecodeError::HeadSize);
            }
            head.threads.push(thread);
        }
        // Version 4.2 ended here: all descriptions were kept.
        if cursor.rest().is_empty() {
            return Ok(head);
        }
        head.objects_from = cursor.u64()?;
        for _ in 0..cursor.u32()? {
            let objects = ObjectsHead {
                thread: ThreadNumber(cursor.u32()?),
                objects_from: ObjectPosition(cursor.u64()?),
                events_at: EventPosition(cursor.u64()?),
                entries: {
                    let length = cursor.u32()?;
                    cursor.take(length as usize)?.to_vec()
                },
            };
            if objects.entries.len() as u64 > objects.objects_from.0 {
                return Err(DecodeError::HeadSize);
            }
            head.objects.push(objects);
        }
        Ok(head)
    }
}
