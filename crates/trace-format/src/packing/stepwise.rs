//! Bytes move in three steps, by one, two and four places: on any machine.

use super::{Moving, WORD};

#[derive(Debug, Clone, Copy)]
pub(super) struct Stepwise;

/// How the bytes that a mask tells of move together.
#[derive(Clone, Copy)]
struct Moves {
    /// Which bytes move by one, two and four places.
    by: [u64; 3],
    /// All bits of as many bytes as the mask has bits.
    kept: u64,
}

static MOVES: [Moves; 256] = moves();

const fn moves() -> [Moves; 256] {
    let none = Moves {
        by: [0; 3],
        kept: 0,
    };
    let mut table = [none; 256];
    let mut mask = 0;
    while mask < table.len() {
        let (mut byte, mut count) = (0, 0);
        while byte < WORD {
            if mask >> byte & 1 == 1 {
                let gap = byte - count;
                let (mut at, mut step) = (byte, 0);
                while step < 3 {
                    if gap >> step & 1 == 1 {
                        table[mask].by[step] |= 0xff << (8 * at);
                        at -= 1 << step;
                    }
                    step += 1;
                }
                table[mask].kept |= 0xff << (8 * count);
                count += 1;
            }
            byte += 1;
        }
        mask += 1;
    }
    table
}

impl Moving for Stepwise {
    #[inline(always)]
    fn together(self, mut word: u64) -> (u8, u64) {
        let mask = mask_of(word);
        for (step, moved) in MOVES[usize::from(mask)].by.iter().enumerate() {
            let moved = word & moved;
            word ^= moved ^ moved >> (8 << step);
        }
        (mask, word)
    }

    #[inline(always)]
    fn apart(self, mask: u8, word: u64) -> u64 {
        let moves = &MOVES[usize::from(mask)];
        let mut word = word & moves.kept;
        for (step, moved) in moves.by.iter().enumerate().rev() {
            let moved = word & (moved >> (8 << step));
            word ^= moved ^ moved << (8 << step);
        }
        word
    }
}

/// A bit for each byte that is not zero.
#[inline(always)]
fn mask_of(word: u64) -> u8 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let high = (((word & LOW) + LOW) | word) & !LOW;
    ((high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}
