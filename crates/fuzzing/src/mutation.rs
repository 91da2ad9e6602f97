//! Inputs that are made from others by small changes.
//!
//! There is no coverage to follow on a stable compiler, so what is made must stay close to what is real: an input
//! gets one change to a few, each of a kind that parsers have trouble with.

/// Numbers at the borders of their types, and those that stand for "none".
const BORDERS: [u64; 12] = [
    0,
    1,
    2,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    u64::MAX,
];
const MOST_CHANGES: u64 = 6;
/// The longest piece that is moved or repeated.
const LONGEST_PIECE: usize = 64;

/// Random numbers that are the same for the same seed (xorshift with a multiplication).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        // Seeds that differ little must not give numbers that do, and zero would give only zeros.
        let mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        Random((mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9) | 1)
    }

    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below another, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() >> 33) as usize % bound.max(1)
    }
}

/// Makes an input out of one of the seeds, within a length.
pub fn mutated(random: &mut Random, seeds: &[Vec<u8>], words: &[&[u8]], longest: usize) -> Vec<u8> {
    let mut input = pick(random, seeds).to_vec();
    let changes = 1 + random.number() % MOST_CHANGES;
    for _ in 0..changes {
        change(random, &mut input, seeds, words);
    }
    input.truncate(longest);
    input
}

fn pick<'a>(random: &mut Random, seeds: &'a [Vec<u8>]) -> &'a [u8] {
    let at = random.below(seeds.len());
    seeds.get(at).map_or(&[], Vec::as_slice)
}

fn change(random: &mut Random, input: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[&[u8]]) {
    let at = random.below(input.len());
    match random.below(11) {
        0 | 1 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        2 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = random.number() as u8;
            }
        }
        3 => put_border(random, input, at),
        4 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = byte.wrapping_add(random.below(33) as u8).wrapping_sub(16);
            }
        }
        5 => drop(input.drain(at..piece_end(random, at, input.len()))),
        6 => {
            let piece = input[at..piece_end(random, at, input.len())].to_vec();
            let to = random.below(input.len() + 1);
            input.splice(to..to, piece);
        }
        7 => {
            let piece = input[at..piece_end(random, at, input.len())].to_vec();
            let to = random.below(input.len());
            let end = (to + piece.len()).min(input.len());
            input.splice(to..end, piece);
        }
        8 => {
            let other = pick(random, seeds);
            let from = random.below(other.len());
            let piece = other[from..piece_end(random, from, other.len())].to_vec();
            let end = (at + piece.len() * random.below(2)).min(input.len());
            input.splice(at..end, piece);
        }
        9 => {
            let word = words.get(random.below(words.len())).copied();
            let word = word.unwrap_or(&[0; 8]);
            let end = (at + word.len() * random.below(2)).min(input.len());
            input.splice(at..end, word.iter().copied());
        }
        _ => {
            // The beginning is kept more often than not: an input without it gets nowhere.
            if random.below(8) == 0 {
                input.truncate(at);
            } else {
                put_border(random, input, at);
            }
        }
    }
}

/// Writes a number of one, two, four or eight bytes, of either order.
fn put_border(random: &mut Random, input: &mut [u8], at: usize) {
    let number = BORDERS[random.below(BORDERS.len())];
    let width = 1 << random.below(4);
    let mut bytes = number.to_le_bytes();
    let bytes = &mut bytes[..width];
    if random.below(2) == 0 {
        bytes.reverse();
    }
    for (to, from) in input.iter_mut().skip(at).zip(bytes) {
        *to = *from;
    }
}

fn piece_end(random: &mut Random, at: usize, length: usize) -> usize {
    (at + 1 + random.below(LONGEST_PIECE)).min(length).max(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_inputs() {
        let seeds = [b"some bytes".to_vec(), b"and others".to_vec()];
        let inputs = |seed| {
            let mut random = Random::new(seed);
            (0..100)
                .map(|_| mutated(&mut random, &seeds, &[b"word"], 1000))
                .collect::<Vec<_>>()
        };
        assert_eq!(inputs(7), inputs(7));
        assert_ne!(inputs(7), inputs(8));
    }

    #[test]
    fn nothing_to_begin_with_is_no_trouble() {
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            assert!(mutated(&mut random, &[Vec::new()], &[], 100).len() <= 100);
        }
    }

    #[test]
    fn most_inputs_differ_from_what_they_were_made_of() {
        let seed = vec![0x55; 200];
        let mut random = Random::new(3);
        let seeds = [seed.clone()];
        let changed = (0..1000).filter(|_| mutated(&mut random, &seeds, &[], 1000) != seed);
        assert!(changed.count() > 900);
    }
}
