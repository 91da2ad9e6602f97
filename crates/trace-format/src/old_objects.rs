//! Makes what stands for descriptions of objects while the oldest of them are given up, one chunk after the other.
//!
//! Few of them are needed for ever: classes, which others name, and strings that code names as constants, whose
//! identity follows from the code. Those of the objects that open calls hold are needed until the calls end.

use std::collections::{BTreeMap, HashSet};

use crate::object::{self, ObjectKind};
use crate::{
    ChunkHeader, EventPosition, Head, ObjectEntry, ObjectId, ObjectPosition, ObjectsHead,
    ThreadNumber, restore_position,
};

/// What was given up of the objects streams so far.
#[derive(Debug, Default)]
pub struct OldObjects {
    threads: BTreeMap<ThreadNumber, OfThread>,
}

#[derive(Debug, Default)]
struct OfThread {
    /// After the last entry that was given up.
    position: u64,
    events: u64,
    needed: Vec<u8>,
    /// Where its entries end, once they have.
    end: Option<u64>,
}

impl OldObjects {
    /// Adds the next chunk of descriptions. `held` are the objects that open calls hold; what is there already must
    /// have been looked at with it, by [`OldObjects::retain`].
    pub fn add(&mut self, header: &ChunkHeader, payload: &[u8], held: &mut HeldObjects) {
        let thread = self.threads.entry(header.thread).or_default();
        for entry in entries(payload) {
            thread.events = restore_position(thread.events, entry.epos);
            if held.need(&entry) {
                entry.without_state().encode(&mut thread.needed);
            }
        }
        thread.position = header.base + u64::from(header.length);
    }

    /// Forgets what was needed for calls that have ended.
    pub fn retain(&mut self, held: &mut HeldObjects) {
        for thread in self.threads.values_mut() {
            let mut needed = Vec::new();
            for entry in entries(&thread.needed).filter(|entry| held.need(entry)) {
                entry.encode(&mut needed);
            }
            thread.needed = needed;
        }
    }

    /// There will be no more descriptions by a thread.
    pub fn thread_ended(&mut self, thread: ThreadNumber, end: ObjectPosition) {
        self.threads.entry(thread).or_default().end = Some(end.0);
    }

    /// What stands for all that was added. Threads of which nothing is left are forgotten.
    pub fn heads(&mut self) -> Vec<ObjectsHead> {
        self.threads
            .retain(|_, given| given.end != Some(given.position) || !given.needed.is_empty());
        let given = self.threads.iter().filter(|(_, given)| given.position > 0);
        given
            .map(|(&thread, given)| ObjectsHead {
                thread,
                objects_from: ObjectPosition(given.position),
                events_at: EventPosition(given.events),
                entries: given.needed.clone(),
            })
            .collect()
    }
}

fn entries(payload: &[u8]) -> impl Iterator<Item = ObjectEntry<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (entry, length) = object::decode(payload.get(at..)?).ok()??;
        at += length;
        Some(entry)
    })
}

/// Which objects the open calls hold: those of `this`, arguments and tasks, and some more. The events are not taken
/// apart for it, so any four bytes count that could be an object's number.
#[derive(Debug, Default)]
pub struct HeldObjects {
    numbers: HashSet<u32>,
    /// Those of which a description is kept: one is enough.
    described: HashSet<u32>,
}

impl HeldObjects {
    /// `first` is the smallest number of an object.
    pub fn of(head: &Head, first: ObjectId) -> Self {
        let numbers = head.threads.iter().flat_map(|thread| {
            let bytes = thread.events.windows(size_of::<u32>());
            bytes.filter_map(|bytes| Some(u32::from_le_bytes(*bytes.first_chunk()?)))
        });
        let objects = first.0..=i32::MAX.cast_unsigned();
        Self {
            numbers: numbers.filter(|number| objects.contains(number)).collect(),
            described: HashSet::new(),
        }
    }

    fn need(&mut self, entry: &ObjectEntry<'_>) -> bool {
        let lasts = match entry.kind {
            ObjectKind::Class { .. } => true,
            ObjectKind::String { is_constant, .. } | ObjectKind::Masked { is_constant, .. } => {
                is_constant
            }
            _ => false,
        };
        let number = entry.object.0;
        let is_held = self.numbers.contains(&number) && self.described.insert(number);
        if !lasts && !is_held {
            return false;
        }
        // The string that a description names is described after it.
        match entry.kind {
            ObjectKind::Enum { name: text, .. } | ObjectKind::Throwable { message: text } => {
                self.numbers.insert(text.0);
            }
            _ => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;

    fn entry(object: u32, epos: u32, kind: ObjectKind<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        ObjectEntry {
            object: ObjectId(object),
            class: ObjectId(1),
            epos,
            again: false,
            kind,
        }
        .encode(&mut bytes);
        bytes
    }

    fn add(old: &mut OldObjects, base: u64, payload: &[u8], held: &mut HeldObjects) {
        let header = ChunkHeader {
            stream: Stream::Objects,
            complete: true,
            thread: ThreadNumber(3),
            length: payload.len() as u32,
            base,
            stamp: 0,
            packed: None,
        };
        old.add(&header, payload, held);
    }

    fn numbers(old: &mut OldObjects) -> Vec<u32> {
        let heads = old.heads();
        let all = heads.iter().flat_map(|head| entries(&head.entries));
        all.map(|entry| entry.object.0).collect()
    }

    #[test]
    fn what_is_needed_is_kept_without_its_state_and_the_rest_is_forgotten() {
        let bytes = |content: &'static [u8]| crate::Elements {
            kind: crate::Kind::Byte,
            count: content.len() as u32,
            content: crate::elements::ElementsContent::Plain(content),
        };
        let string = |is_constant| ObjectKind::String {
            length: 1,
            content: bytes(b"a"),
            hash: 97,
            is_constant,
        };
        let array = ObjectKind::Array {
            length: 2,
            elements: bytes(&[7, 8]),
        };
        let constant = ObjectKind::Enum {
            ordinal: 0,
            name: ObjectId(15),
        };
        let payload = [
            entry(10, 0xF000_0000, ObjectKind::Object),
            entry(11, 5, string(false)),
            entry(12, 6, string(true)),
            entry(13, 7, array),
            entry(14, 8, constant),
            entry(15, 9, string(false)),
        ]
        .concat();
        let mut old = OldObjects::default();
        let mut held = HeldObjects {
            numbers: HashSet::from([13, 14]),
            described: HashSet::new(),
        };
        add(&mut old, 1000, &payload, &mut held);
        assert_eq!(numbers(&mut old), [12, 13, 14, 15]);
        let head = old.heads().remove(0);
        assert_eq!(head.objects_from.0, 1000 + payload.len() as u64);
        // The position went past the 32 bits that an entry has for it.
        assert_eq!(head.events_at.0, (1 << 32) + 9);
        let kept = entries(&head.entries)
            .nth(1)
            .map(|entry| (entry.again, entry.kind));
        assert_eq!(kept, Some((true, ObjectKind::NewArray { length: 2 })));
        old.retain(&mut HeldObjects::default());
        assert_eq!(numbers(&mut old), [12]);
    }

    #[test]
    fn a_thread_that_ended_and_left_nothing_is_forgotten() {
        let mut old = OldObjects::default();
        let plain = entry(10, 0, ObjectKind::Object);
        let end = ObjectPosition(2 * plain.len() as u64);
        add(&mut old, 0, &plain, &mut HeldObjects::default());
        old.thread_ended(ThreadNumber(3), end);
        assert_eq!(old.heads().len(), 1, "a chunk of it is still there");
        add(
            &mut old,
            plain.len() as u64,
            &plain,
            &mut HeldObjects::default(),
        );
        assert_eq!(old.heads(), []);
    }
}
