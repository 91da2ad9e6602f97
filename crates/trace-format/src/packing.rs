//! The payload of a chunk in fewer bytes: bytes that are zero are left out, and a mask tells where they were.
//!
//! Numbers of objects, indices and most integers are small, so a good part of what is recorded are zeros. And what a
//! loop records is much like what it recorded the time before, so many more bytes become zero where each is told by
//! its difference (exclusive or) from the one that stands some bytes before it. That *distance* is one for a chunk;
//! for each block it is told whether the differences are noted or the bytes themselves.
//!
//! Whoever records pays for this, and whoever reads unpacks whole chunks, so both go eight bytes at a time and without
//! a branch. How the bytes of a word that are left move together is in tables, one row for each mask.

mod shuffled;
mod stepwise;

use std::num::NonZeroU8;

use shuffled::Shuffled;
use stepwise::Stepwise;

/// Bytes for which it is told together whether differences are noted.
const BLOCK: usize = 1024;
const WORD: usize = 8;
/// Distances that are tried: from one word on, so that no word depends on itself.
const DISTANCES: std::ops::RangeInclusive<u8> = 8..=64;
/// Where and how much of a chunk is looked at to choose among them.
const SAMPLES: usize = 4;
const SAMPLE: usize = 255;
/// Of a block every so manieth word is looked at, to tell whether differences are better.
const LOOKED_AT: usize = 8;
/// Bytes that may be written behind the last that counts.
const ROOM_BEHIND: usize = 64;
/// What would become shorter by a smaller part than this stays as it is.
const WORTH_WHILE: usize = 16;

/// A way to move the bytes of words.
trait Moving: Copy {
    /// The bytes of a word that are not zero, one after the other, and a bit for each place where one was.
    fn together(self, word: u64) -> (u8, u64);

    /// The inverse; what stands behind the bytes does not count.
    fn apart(self, mask: u8, word: u64) -> u64;

    /// Appends the bytes of some words that are not zero, and returns where they end. Behind that, anything may be
    /// written that there is room for. If there are words from `earlier`, it is the differences that count.
    #[inline(always)]
    fn suppress(self, block: Block<'_>, masks: &mut [u8], bytes: &mut [u8], end: usize) -> usize {
        suppress(self, block, masks, bytes, end)
    }

    /// The inverse: takes the bytes that masks tell of, from a place on, and returns where they end. `None` if there
    /// are not as many.
    #[inline(always)]
    fn spread(
        self,
        masks: &[u8],
        words: &mut [[u8; WORD]],
        bytes: &[u8],
        taken: usize,
    ) -> Option<usize> {
        spread(self, masks, words, bytes, taken)
    }
}

/// Words, and those that stand the distance before them if they are told by their differences.
#[derive(Clone, Copy)]
struct Block<'a> {
    words: &'a [[u8; WORD]],
    earlier: Option<&'a [[u8; WORD]]>,
}

/// The word that stands the distance before the one with this number.
#[inline(always)]
fn before(words: &[[u8; WORD]], number: usize, distance: usize) -> u64 {
    let word = |number: Option<usize>| number.map_or(0, |number| u64::from_le_bytes(words[number]));
    let (whole, rest) = (distance / WORD, distance % WORD);
    let later = word(number.checked_sub(whole)) << (8 * rest);
    // In two steps, since a word cannot be shifted by all of its bits.
    later | word(number.checked_sub(whole + 1)) >> (8 * (7 - rest)) >> 8
}

/// Packs what chunks hold.
#[derive(Debug, Default)]
pub struct ChunkPacker {
    /// Never made smaller: to make room once more would cost as much as a good part of the packing.
    packed: Vec<u8>,
}

impl ChunkPacker {
    /// The packed payload and its distance; `None` if it would hardly be shorter.
    pub fn pack(&mut self, payload: &[u8]) -> Option<(&[u8], NonZeroU8)> {
        let distance = distance_of(payload);
        // Words are stored whole, and what is too much of them overwritten by the next.
        let most = Layout::of(payload.len()).bytes + payload.len() + ROOM_BEHIND;
        if self.packed.len() < most {
            self.packed.resize(most, 0);
        }
        let length = match Shuffled::is_there() {
            Some(shuffled) => shuffled.pack(payload, distance, &mut self.packed),
            None => pack_with(Stepwise, payload, distance, &mut self.packed),
        };
        let is_shorter = length < payload.len() - payload.len() / WORTH_WHILE;
        is_shorter.then(|| (&self.packed[..length], distance))
    }
}

/// Returns how many bytes were packed to.
#[inline(always)]
fn pack_with(moving: impl Moving, payload: &[u8], distance: NonZeroU8, packed: &mut [u8]) -> usize {
    let distance = usize::from(distance.get());
    let layout = Layout::of(payload.len());
    let (words, rest) = payload.as_chunks::<WORD>();
    let (flags, others) = packed.split_at_mut(layout.masks);
    let (masks, bytes) = others.split_at_mut(layout.bytes - layout.masks);
    flags.fill(0);
    let mut end = 0;
    for (block, content) in words.chunks(BLOCK / WORD).enumerate() {
        let first = block * (BLOCK / WORD);
        let masks = &mut masks[first..first + content.len()];
        // The first block has nothing before it.
        let earlier = (WORD * first)
            .checked_sub(distance)
            .map(|begin| &payload[begin..begin + WORD * content.len()]);
        let earlier = earlier.map(|earlier| earlier.as_chunks::<WORD>().0);
        let earlier = earlier.filter(|earlier| is_better(moving, content, earlier));
        flags[block / 8] |= u8::from(earlier.is_some()) << (block % 8);
        let block = Block {
            words: content,
            earlier,
        };
        end = moving.suppress(block, masks, bytes, end);
    }
    if !rest.is_empty() {
        let last = Block {
            words: &[front(rest).to_le_bytes()],
            earlier: None,
        };
        end = suppress(moving, last, &mut masks[words.len()..], bytes, end);
    }
    layout.bytes + end
}

#[inline(always)]
fn difference(word: [u8; WORD], earlier: [u8; WORD]) -> u64 {
    u64::from_le_bytes(word) ^ u64::from_le_bytes(earlier)
}

/// Where the parts of a packed payload begin.
struct Layout {
    masks: usize,
    bytes: usize,
}

impl Layout {
    /// Of so many bytes when they are unpacked.
    fn of(length: usize) -> Self {
        let masks = length.div_ceil(BLOCK).div_ceil(8);
        Self {
            masks,
            bytes: masks + length.div_ceil(WORD),
        }
    }
}

#[inline(always)]
fn suppress(
    moving: impl Moving,
    block: Block<'_>,
    masks: &mut [u8],
    bytes: &mut [u8],
    mut end: usize,
) -> usize {
    let mut append = |word: u64, mask: &mut u8| {
        let (shown, together) = moving.together(word);
        *mask = shown;
        if let Some(place) = bytes.get_mut(end..end + WORD) {
            place.copy_from_slice(&together.to_le_bytes());
        }
        end += shown.count_ones() as usize;
    };
    let words = block.words.iter().zip(masks);
    match block.earlier {
        Some(earlier) => {
            for ((&word, mask), &earlier) in words.zip(earlier) {
                append(difference(word, earlier), mask);
            }
        }
        None => {
            for (&word, mask) in words {
                append(u64::from_le_bytes(word), mask);
            }
        }
    }
    end
}

/// Whether a block has more zeros where differences are noted. A part of its words is looked at.
#[inline(always)]
fn is_better(moving: impl Moving, content: &[[u8; WORD]], earlier: &[[u8; WORD]]) -> bool {
    let shown = |word| moving.together(word).0.count_ones();
    let (mut plain, mut differing) = (0, 0);
    for (&word, &earlier) in content.iter().zip(earlier).step_by(LOOKED_AT) {
        plain += shown(u64::from_le_bytes(word));
        differing += shown(difference(word, earlier));
    }
    differing < plain
}

/// The distance at which bytes are most often the same.
fn distance_of(payload: &[u8]) -> NonZeroU8 {
    let least = *DISTANCES.start();
    let farthest = usize::from(*DISTANCES.end());
    let least = NonZeroU8::new(least).unwrap_or(NonZeroU8::MIN);
    let Some(room) = payload.len().checked_sub(SAMPLES * (SAMPLE + farthest)) else {
        return least;
    };
    let samples: [&[u8]; SAMPLES] = std::array::from_fn(|sample| {
        let begin = room * sample / (SAMPLES - 1) + sample * (SAMPLE + farthest);
        &payload[begin..begin + SAMPLE + farthest]
    });
    let same = |distance: u8| -> u32 {
        let ahead = farthest - usize::from(distance);
        let same = samples
            .iter()
            .map(|it| same_bytes(&it[farthest..], &it[ahead..]));
        same.map(u32::from).sum()
    };
    let candidates = DISTANCES.filter_map(NonZeroU8::new);
    candidates
        .max_by_key(|&distance| same(distance.get()))
        .unwrap_or(least)
}

/// How many of the first bytes of both are the same; so few are compared that their number is a byte, which lets the
/// compiler compare many at once.
fn same_bytes(a: &[u8], b: &[u8]) -> u8 {
    let pairs = a.iter().zip(b).take(SAMPLE);
    pairs.fold(0u8, |same, (a, b)| same.wrapping_add(u8::from(a == b)))
}

/// Appends what [`ChunkPacker::pack`] packed, so many bytes. `None` if that is not what it is.
pub fn unpack(packed: &[u8], distance: NonZeroU8, length: usize, out: &mut Vec<u8>) -> Option<()> {
    match Shuffled::is_there() {
        Some(shuffled) => shuffled.unpack(packed, distance, length, out),
        None => unpack_with(Stepwise, packed, distance, length, out),
    }
}

#[inline(always)]
fn unpack_with(
    moving: impl Moving,
    packed: &[u8],
    distance: NonZeroU8,
    length: usize,
    out: &mut Vec<u8>,
) -> Option<()> {
    let distance = usize::from(distance.get());
    let layout = Layout::of(length);
    let flags = packed.get(..layout.masks)?;
    let masks = packed.get(layout.masks..layout.bytes)?;
    let bytes = packed.get(layout.bytes..)?;
    if distance < WORD {
        return None;
    }
    let start = out.len();
    out.resize(start + masks.len() * WORD, 0);
    let words = out[start..].as_chunks_mut::<WORD>().0;
    let mut taken = 0;
    for (block, masks) in masks.chunks(BLOCK / WORD).enumerate() {
        let first = block * (BLOCK / WORD);
        // The last word may be cut short, and is never told by a difference.
        let differs = flags[block / 8] >> (block % 8) & 1 == 1;
        let differing = if differs { length / WORD } else { 0 };
        let words_here = &mut words[first..first + masks.len()];
        taken = moving.spread(masks, words_here, bytes, taken)?;
        for number in first..differing.min(first + masks.len()) {
            let difference = u64::from_le_bytes(words[number]);
            words[number] = (difference ^ before(words, number, distance)).to_le_bytes();
        }
    }
    out.truncate(start + length);
    (taken == bytes.len()).then_some(())
}

#[inline(always)]
fn spread(
    moving: impl Moving,
    masks: &[u8],
    words: &mut [[u8; WORD]],
    bytes: &[u8],
    mut taken: usize,
) -> Option<usize> {
    for (word, &mask) in words.iter_mut().zip(masks) {
        *word = moving.apart(mask, front(bytes.get(taken..)?)).to_le_bytes();
        taken += mask.count_ones() as usize;
    }
    Some(taken)
}

/// The first eight bytes; zeros stand for what is missing.
#[inline(always)]
fn front(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => {
            let mut word = [0; WORD];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(moving: impl Moving) {
        for mask in 0..=u8::MAX {
            let mut word = [0; WORD];
            let mut expected = [0; WORD];
            let mut count = 0;
            for byte in (0..WORD).filter(|byte| mask >> byte & 1 == 1) {
                word[byte] = byte as u8 + 1;
                expected[count] = byte as u8 + 1;
                count += 1;
            }
            let word = u64::from_le_bytes(word);
            let together = u64::from_le_bytes(expected);
            assert_eq!(moving.together(word), (mask, together));
            for behind in [0x00, 0xff] {
                expected[count..].fill(behind);
                assert_eq!(moving.apart(mask, u64::from_le_bytes(expected)), word);
            }
        }
    }

    #[test]
    fn bytes_move_together_and_apart() {
        check(Stepwise);
    }

    /// What one machine packs another unpacks.
    #[test]
    fn both_ways_are_the_same() {
        let Some(shuffled) = Shuffled::is_there() else {
            return;
        };
        let payload: Vec<u8> = (0..5001u32)
            .map(|at| if at % 3 == 0 { (at / 7 * at) as u8 } else { 0 })
            .collect();
        for distance in [8, 11, 64].into_iter().filter_map(NonZeroU8::new) {
            let (mut packed, mut stepwise) = ([0; 6000], [0; 6000]);
            let length = shuffled.pack(&payload, distance, &mut packed);
            let packed = &packed[..length];
            let length = pack_with(Stepwise, &payload, distance, &mut stepwise);
            assert_eq!(packed, &stepwise[..length]);
            let (mut unpacked, mut again) = (Vec::new(), Vec::new());
            let length = payload.len();
            assert_eq!(
                shuffled.unpack(packed, distance, length, &mut unpacked),
                Some(())
            );
            let other = unpack_with(Stepwise, packed, distance, length, &mut again);
            assert_eq!(other, Some(()));
            assert_eq!((&unpacked, &again), (&payload, &payload));
        }
    }
}
