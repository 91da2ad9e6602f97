//! What is packed is what comes out again, wherever it was packed before, and what repeats or was there takes no room.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use trace_format::elements::{ElementsContent, FoundElement, Packer, StreamPlace};
use trace_format::{Elements, Kind, Value};

const KINDS: [Kind; 4] = [Kind::Byte, Kind::Char, Kind::Reference, Kind::Double];
/// Where the description of every array begins behind the one before it.
const ENTRY: usize = 13;

/// Two streams that packed elements go to, and the elements as they were.
struct Streams {
    packer: Packer,
    events: Vec<u8>,
    objects: Vec<u8>,
    packed: Vec<(Kind, Vec<u8>, bool, std::ops::Range<usize>)>,
}

impl Streams {
    fn new(largest: usize) -> Self {
        Self {
            packer: Packer::new(largest),
            events: Vec::new(),
            objects: Vec::new(),
            packed: Vec::new(),
        }
    }

    fn pack(&mut self, content: &[u8], kind: Kind, is_object: bool) -> usize {
        let content = &content[..content.len() / kind.size() * kind.size()];
        let (stream, place) = if is_object {
            let entry = self.objects.len() as u64;
            self.objects.extend([0; ENTRY]);
            let offset = ENTRY as u32;
            (&mut self.objects, StreamPlace::Objects { entry, offset })
        } else {
            let position = self.events.len() as u64;
            (&mut self.events, StreamPlace::Events(position))
        };
        let begin = stream.len();
        self.packer.pack(content, kind.size(), place, stream);
        let place = begin..stream.len();
        let length = place.len();
        self.packed.push((kind, content.to_vec(), is_object, place));
        length
    }

    fn at(&self, place: StreamPlace) -> Option<&[u8]> {
        match place {
            StreamPlace::Events(position) => self.events.get(position as usize..),
            StreamPlace::Objects { entry, offset } => {
                self.objects.get(entry as usize + offset as usize..)
            }
        }
    }

    fn check(&self) {
        for (kind, content, is_object, place) in &self.packed {
            let stream = if *is_object {
                &self.objects
            } else {
                &self.events
            };
            let elements = Elements {
                kind: *kind,
                count: (content.len() / kind.size()) as u32,
                content: ElementsContent::Packed(&stream[place.clone()]),
            };
            let each = content.chunks_exact(kind.size());
            let expected: Vec<Value> = each.map(|it| Value::decode(*kind, it).unwrap()).collect();
            assert_eq!(elements.values(|place| self.at(place)), expected);
            for (number, &value) in (0u32..).zip(&expected) {
                assert_eq!(elements.value(number, |place| self.at(place)), Some(value));
                if let Some(FoundElement::Elsewhere(there)) = elements.find(number) {
                    let bytes = self.at(there).unwrap();
                    assert_eq!(Value::decode(*kind, bytes), Ok(value), "no second step");
                }
            }
            assert_eq!(elements.find(elements.count), None);
        }
    }
}

/// How content comes to be from what was there before.
#[derive(Debug, Clone)]
enum Made {
    New(Vec<u8>),
    Fill(u8, usize),
    /// A part of earlier content, moved by so much within the new one, with one byte changed.
    Copy(prop::sample::Index, usize, usize, usize, u8),
    /// The newest content, and more.
    Grown(Vec<u8>),
}

fn made() -> impl Strategy<Value = Made> {
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..400).prop_map(Made::New),
        1 => (any::<u8>(), 0usize..400).prop_map(|(byte, length)| Made::Fill(byte, length)),
        1 => (
            any::<prop::sample::Index>(),
            0usize..60,
            0usize..400,
            0usize..60,
            any::<u8>()
        )
            .prop_map(|(of, from, length, to, byte)| Made::Copy(of, from, length, to, byte)),
        3 => prop::collection::vec(any::<u8>(), 32..60).prop_map(Made::Grown),
    ]
}

impl Made {
    fn content(&self, earlier: &[Vec<u8>]) -> Vec<u8> {
        match self {
            Self::New(bytes) => bytes.clone(),
            Self::Fill(byte, length) => vec![*byte; *length],
            Self::Copy(of, from, length, to, byte) => {
                let mut content = vec![*byte; *to];
                if !earlier.is_empty() {
                    let source = of.get(earlier);
                    let from = (*from).min(source.len());
                    let end = (from + length).min(source.len());
                    content.extend(&source[from..end]);
                }
                let middle = content.len() / 2;
                if let Some(changed) = content.get_mut(middle) {
                    *changed ^= byte;
                }
                content
            }
            Self::Grown(more) => {
                let newest = earlier.last().map_or(&[][..], Vec::as_slice);
                [newest, more].concat()
            }
        }
    }
}

proptest! {
    #[test]
    fn packed_elements_come_out_again(
        steps in prop::collection::vec((made(), 0usize..4, any::<bool>(), 0u8..20), 1..30),
    ) {
        let mut streams = Streams::new(0);
        let mut contents: Vec<Vec<u8>> = Vec::new();
        for (made, kind, is_object, chance) in steps {
            let content = made.content(&contents);
            let length = streams.pack(&content, KINDS[kind], is_object);
            const MOST_ADDED: usize = 10;
            prop_assert!(length <= content.len() + MOST_ADDED);
            contents.push(content);
            if chance == 0 {
                streams.packer.forget();
            }
        }
        streams.check();
    }
}

/// Numbers that no rule tells, the same each time.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn what_was_there_takes_no_room() {
    let mut streams = Streams::new(1 << 20);
    let content = noise(7, 1 << 16);
    let first = streams.pack(&content, Kind::Byte, true);
    assert!(first >= content.len());
    // A copy, a copy of the copy that is another kind of array, a part that begins elsewhere, a fill.
    assert!(streams.pack(&content, Kind::Byte, false) < 32);
    assert!(streams.pack(&content, Kind::Double, true) < 32);
    assert!(streams.pack(&content[4321..], Kind::Byte, false) < 64);
    assert!(streams.pack(&[9; 1 << 16], Kind::Byte, false) < 32);
    let mut changed = content.clone();
    changed[30_000] ^= 1;
    assert!(streams.pack(&changed, Kind::Byte, false) < 64);
    // Overlapping itself: everything moves up by three.
    let mut moved = changed.clone();
    moved.copy_within(..(1 << 16) - 3, 3);
    assert!(streams.pack(&moved, Kind::Byte, false) < 100);
    streams.check();
}

#[test]
fn what_grows_piece_by_piece_takes_little() {
    let mut streams = Streams::new(1 << 17);
    let all = noise(3, 20_000);
    let mut packed = 0;
    for (step, end) in (0..all.len()).step_by(20).enumerate() {
        packed += streams.pack(&all[..end], Kind::Byte, step % 2 == 0);
    }
    // Ten million bytes.
    assert!(packed < 400_000, "{packed} bytes");
    streams.check();
}

#[test]
fn what_is_forgotten_is_told_again_and_memory_is_bounded() {
    let mut streams = Streams::new(1 << 17);
    let content = noise(7, 1 << 15);
    streams.pack(&content, Kind::Int, false);
    streams.packer.forget();
    assert!(streams.pack(&content, Kind::Int, false) >= content.len());
    for seed in 1..20 {
        streams.pack(&noise(seed * 1000, 1 << 15), Kind::Int, false);
    }
    assert!(streams.pack(&content, Kind::Int, false) >= content.len());
    streams.check();
}
