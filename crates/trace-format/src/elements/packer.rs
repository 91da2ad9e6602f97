//! Packs elements: finds what repeats, and what the same thread noted before.
//!
//! The packer remembers the values that it left as they are, up to a bound, and where they went. It looks for each
//! stretch of new content among them. Content that is not found is passed over faster and faster, so that what cannot
//! be packed costs little.
//!
//! What grows piece by piece is told by ever more places. When telling them has taken as much as the content itself
//! would, it is told as it is, once: so nothing takes more than twice what it would have taken at best.

use std::collections::VecDeque;

use super::{StreamPlace, piece};
use crate::cursor::put_varint;

/// A shorter stretch is not looked for: to tell where it stands would take about as much.
const SHORTEST: usize = 32;
/// From one remembered place that can be found to the next.
const STRIDE: usize = 16;
/// Content that stands in more places is scattered.
const FEW: usize = 8;
/// How many bytes of a stretch are looked at to find it.
const KEY: usize = 16;
/// The first size of the memory, which doubles as it fills.
const SMALLEST: usize = 1 << 16;

#[derive(Debug, Clone)]
pub struct Packer {
    /// The bytes that are remembered.
    memory: Vec<u8>,
    /// How many bytes were remembered before these, and are forgotten.
    forgotten: u64,
    /// Where they stand, oldest first.
    stretches: VecDeque<Stretch>,
    /// By a hash of the bytes there: a place, counted from the first byte that was ever remembered, plus one.
    places: Vec<u64>,
    /// How many bytes are remembered now at most, and how many ever.
    most: usize,
    largest: usize,
    /// What telling the places of scattered content has taken since some was told as it is.
    spent: usize,
}

/// Remembered bytes that stand in one place, up to the next stretch.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    begin: u64,
    place: StreamPlace,
}

/// Pieces of some content that stand elsewhere.
#[derive(Default)]
struct Places {
    count: usize,
    /// What telling them takes.
    bytes: usize,
}

/// A stretch of the content that was found.
struct Match {
    begin: usize,
    length: usize,
    place: StreamPlace,
}

impl Default for Packer {
    fn default() -> Self {
        Self::new(SMALLEST)
    }
}

impl Packer {
    /// Remembers so many bytes at most.
    pub fn new(largest: usize) -> Self {
        let largest = largest.max(SMALLEST);
        Self {
            memory: Vec::new(),
            forgotten: 0,
            stretches: VecDeque::new(),
            places: Vec::new(),
            most: SMALLEST,
            largest,
            spent: 0,
        }
    }

    /// From now on nothing leads to what was packed before.
    pub fn forget(&mut self) {
        self.forgotten += self.memory.len() as u64;
        self.memory.clear();
        self.stretches.clear();
        self.spent = 0;
    }

    /// Appends the elements, each `width` bytes long, as pieces of which the first will stand at `site`.
    pub fn pack(&mut self, content: &[u8], width: usize, site: StreamPlace, out: &mut Vec<u8>) {
        let start = out.len();
        let remembered = self.end();
        let content = &content[..content.len() / width * width];
        let places = self.pack_pieces(content, width, site, out);
        if places.count <= FEW {
            return;
        }
        self.spent += places.bytes;
        if self.spent >= content.len() {
            self.spent = 0;
            self.forget_from(remembered);
            out.truncate(start);
            self.values(content, width, site, start, out);
        }
    }

    fn pack_pieces(
        &mut self,
        content: &[u8],
        width: usize,
        site: StreamPlace,
        out: &mut Vec<u8>,
    ) -> Places {
        let start = out.len();
        let mut places = Places::default();
        let (mut at, mut told, mut misses) = (0, 0, 0);
        while at < content.len() {
            let repeated = repeated_from(content, at, width);
            if repeated >= SHORTEST.max(2 * width) {
                self.values(&content[told..at], width, site, start, out);
                put_varint(head(repeated / width, piece::REPEATED), out);
                out.extend(&content[at..at + width]);
                at += repeated;
                (told, misses) = (at, 0);
            } else if let Some(found) = self.find(content, at, told, width) {
                self.values(&content[told..found.begin], width, site, start, out);
                let before = out.len();
                put_place(found.place, found.length / width, out);
                places.count += 1;
                places.bytes += out.len() - before;
                at = found.begin + found.length;
                (told, misses) = (at, 0);
            } else {
                // An odd number of elements, so that no place is passed over for ever.
                at += width * (1 + (misses >> 7 & !1).min(6));
                misses += 1;
            }
        }
        self.values(&content[told..], width, site, start, out);
        places
    }

    /// Values that are told as they are.
    fn values(
        &mut self,
        values: &[u8],
        width: usize,
        site: StreamPlace,
        start: usize,
        out: &mut Vec<u8>,
    ) {
        if values.is_empty() {
            return;
        }
        put_varint(head(values.len() / width, piece::VALUES), out);
        let before = out.len() - start;
        out.extend(values);
        if values.len() >= SHORTEST {
            self.remember(values, site.plus(before));
        }
    }

    fn remember(&mut self, values: &[u8], place: StreamPlace) {
        let values = &values[..values.len().min(self.largest / 2)];
        self.make_room(values.len());
        let begin = self.end();
        self.stretches.push_back(Stretch { begin, place });
        let from = self.memory.len();
        self.memory.extend(values);
        self.index(from);
    }

    fn make_room(&mut self, wanted: usize) {
        while self.memory.len() + wanted > self.most && self.most < self.largest {
            self.most = (self.most * 2).min(self.largest);
        }
        if self.places.len() < self.most / STRIDE {
            self.places = vec![0; (self.most / STRIDE).next_power_of_two()];
            for stretch in 0..self.stretches.len() {
                let begin = self.stretches[stretch].begin - self.forgotten;
                self.index_stretch(begin as usize, self.end_of(stretch));
            }
        }
        if self.memory.len() + wanted > self.most {
            self.forget_until(self.memory.len() + wanted - self.most / 2);
        }
    }

    /// Forgets at least the oldest bytes, in whole stretches.
    fn forget_until(&mut self, bytes: usize) {
        let border = self.forgotten + bytes as u64;
        let gone = self.stretches.partition_point(|it| it.begin < border);
        self.stretches.drain(..gone);
        let first = self.stretches.front().map_or(self.end(), |it| it.begin);
        self.memory.drain(..(first - self.forgotten) as usize);
        self.forgotten = first;
    }

    /// Forgets what was remembered since [`Packer::end`] was `end`. Some places lead there still.
    fn forget_from(&mut self, end: u64) {
        let left = self.stretches.partition_point(|it| it.begin < end);
        self.stretches.truncate(left);
        let bytes = end.saturating_sub(self.forgotten) as usize;
        self.memory.truncate(bytes);
    }

    /// Behind the last byte that is remembered.
    fn end(&self) -> u64 {
        self.forgotten + self.memory.len() as u64
    }

    /// Of a stretch, in the memory.
    fn end_of(&self, stretch: usize) -> usize {
        let next = self.stretches.get(stretch + 1);
        next.map_or(self.memory.len(), |next| {
            (next.begin - self.forgotten) as usize
        })
    }

    fn index(&mut self, from: usize) {
        self.index_stretch(from, self.memory.len());
    }

    fn index_stretch(&mut self, from: usize, end: usize) {
        for at in (from..end.saturating_sub(KEY - 1)).step_by(STRIDE) {
            let slot = self.slot(&self.memory[at..]);
            self.places[slot] = self.forgotten + at as u64 + 1;
        }
    }

    fn slot(&self, bytes: &[u8]) -> usize {
        let [first, second] = [word(bytes), word(&bytes[KEY / 2..])];
        let mixed = first
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(second)
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> 32) as usize & (self.places.len() - 1)
    }

    /// The stretch around `at` that is remembered and does not reach back before `told`.
    fn find(&self, content: &[u8], at: usize, told: usize, width: usize) -> Option<Match> {
        let ahead = content.get(at..).filter(|ahead| ahead.len() >= KEY)?;
        if self.stretches.is_empty() {
            return None;
        }
        let place = self.places[self.slot(ahead)].checked_sub(1)?;
        let known = usize::try_from(place.checked_sub(self.forgotten)?).ok()?;
        let stretch = self.stretches.partition_point(|it| it.begin <= place) - 1;
        let begin = (self.stretches[stretch].begin - self.forgotten) as usize;
        let end = self.end_of(stretch);
        let there = self.memory.get(known..end)?;
        let forwards = same_beginning(ahead, there) / width * width;
        if forwards < KEY {
            return None;
        }
        let backwards = same_end(&content[told..at], &self.memory[begin..known]) / width * width;
        let length = forwards + backwards;
        (length >= SHORTEST).then(|| Match {
            begin: at - backwards,
            length,
            place: self.stretches[stretch]
                .place
                .plus(known - backwards - begin),
        })
    }
}

fn head(count: usize, told: u64) -> u64 {
    (count as u64) << piece::BITS | told
}

fn put_place(place: StreamPlace, count: usize, out: &mut Vec<u8>) {
    match place {
        StreamPlace::Events(position) => {
            put_varint(head(count, piece::IN_EVENTS), out);
            put_varint(position, out);
        }
        StreamPlace::Objects { entry, offset } => {
            put_varint(head(count, piece::IN_OBJECTS), out);
            put_varint(entry, out);
            put_varint(u64::from(offset), out);
        }
    }
}

/// How many bytes from here on repeat the element that stands here.
fn repeated_from(content: &[u8], at: usize, width: usize) -> usize {
    let here = &content[at..];
    match here.get(width..) {
        Some(next) => width + same_beginning(next, here) / width * width,
        None => width,
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes
        .first_chunk()
        .map_or(0, |word| u64::from_le_bytes(*word))
}

/// How many bytes both begin with.
fn same_beginning(a: &[u8], b: &[u8]) -> usize {
    let (words, others) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    let differs = words.iter().zip(others).position(|(a, b)| a != b);
    let whole = 8 * differs.unwrap_or(words.len().min(others.len()));
    let rest = a[whole..].iter().zip(&b[whole..]);
    whole + rest.take_while(|(a, b)| a == b).count()
}

/// How many bytes both end with.
fn same_end(a: &[u8], b: &[u8]) -> usize {
    let pairs = a.iter().rev().zip(b.iter().rev());
    pairs.take_while(|(a, b)| a == b).count()
}
