//! Bytes move by one instruction, where the machine has it: twice as fast as step by step.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "the compiler cannot know that the machine has the instructions, nor what a vector may hold"
    )
)]

#[cfg(not(target_arch = "x86_64"))]
pub(super) use absent::Shuffled;
#[cfg(target_arch = "x86_64")]
pub(super) use machine::Shuffled;

#[cfg(target_arch = "x86_64")]
mod machine {
    use std::arch::x86_64::{
        __m512i, _mm_cmpeq_epi8, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_movemask_epi8,
        _mm_setzero_si128, _mm_shuffle_epi8, _mm512_maskz_compress_epi8, _mm512_maskz_expand_epi8,
        _mm512_test_epi8_mask, _mm512_xor_si512,
    };
    use std::mem::transmute;
    use std::num::NonZeroU8;

    use super::super::{Block, Moving, WORD, pack_with, spread, suppress, unpack_with};

    /// There is one only where the machine has the instructions.
    #[derive(Debug, Clone, Copy)]
    pub(in super::super) struct Shuffled {
        /// Whether it also has those that move the bytes of eight words at once.
        has_wide: bool,
    }

    /// A line of eight words.
    const LINE: usize = 64;

    impl Shuffled {
        pub(in super::super) fn is_there() -> Option<Self> {
            let is_there = is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("popcnt");
            let has_wide =
                is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vbmi2");
            is_there.then_some(Self { has_wide })
        }

        pub(in super::super) fn pack(
            self,
            payload: &[u8],
            distance: NonZeroU8,
            packed: &mut [u8],
        ) -> usize {
            // SAFETY: whoever has a `Shuffled` has the instructions, and the others if it says so.
            unsafe {
                if self.has_wide {
                    pack_wide(payload, distance, packed)
                } else {
                    pack(payload, distance, packed)
                }
            }
        }

        pub(in super::super) fn unpack(
            self,
            packed: &[u8],
            distance: NonZeroU8,
            length: usize,
            out: &mut Vec<u8>,
        ) -> Option<()> {
            // SAFETY: whoever has a `Shuffled` has the instructions, and the others if it says so.
            unsafe {
                if self.has_wide {
                    unpack_wide(packed, distance, length, out)
                } else {
                    unpack(packed, distance, length, out)
                }
            }
        }
    }

    #[target_feature(enable = "ssse3,popcnt")]
    fn pack(payload: &[u8], distance: NonZeroU8, packed: &mut [u8]) -> usize {
        pack_with(Instructions, payload, distance, packed)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,ssse3,popcnt")]
    fn pack_wide(payload: &[u8], distance: NonZeroU8, packed: &mut [u8]) -> usize {
        pack_with(WideInstructions, payload, distance, packed)
    }

    #[target_feature(enable = "ssse3,popcnt")]
    fn unpack(packed: &[u8], distance: NonZeroU8, length: usize, out: &mut Vec<u8>) -> Option<()> {
        unpack_with(Instructions, packed, distance, length, out)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,ssse3,popcnt")]
    fn unpack_wide(
        packed: &[u8],
        distance: NonZeroU8,
        length: usize,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        unpack_with(WideInstructions, packed, distance, length, out)
    }

    /// Made only in functions that are called where the instructions are.
    #[derive(Clone, Copy)]
    struct Instructions;

    impl Moving for Instructions {
        #[inline(always)]
        fn together(self, word: u64) -> (u8, u64) {
            // SAFETY: see `Instructions`.
            unsafe { together(word) }
        }

        #[inline(always)]
        fn apart(self, mask: u8, word: u64) -> u64 {
            // SAFETY: see `Instructions`.
            unsafe { apart(mask, word) }
        }
    }

    #[inline]
    #[target_feature(enable = "ssse3,popcnt")]
    fn together(word: u64) -> (u8, u64) {
        let word = _mm_cvtsi64_si128(word.cast_signed());
        let zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(word, _mm_setzero_si128()));
        let mask = !(zeros as u8);
        let from = _mm_cvtsi64_si128(TOGETHER[usize::from(mask)].cast_signed());
        let moved = _mm_cvtsi128_si64(_mm_shuffle_epi8(word, from));
        (mask, moved.cast_unsigned())
    }

    #[inline]
    #[target_feature(enable = "ssse3,popcnt")]
    fn apart(mask: u8, word: u64) -> u64 {
        let from = _mm_cvtsi64_si128(APART[usize::from(mask)].cast_signed());
        let word = _mm_cvtsi64_si128(word.cast_signed());
        _mm_cvtsi128_si64(_mm_shuffle_epi8(word, from)).cast_unsigned()
    }

    /// As [`Instructions`], where the wide ones are as well.
    #[derive(Clone, Copy)]
    struct WideInstructions;

    impl Moving for WideInstructions {
        #[inline(always)]
        fn together(self, word: u64) -> (u8, u64) {
            Instructions.together(word)
        }

        #[inline(always)]
        fn apart(self, mask: u8, word: u64) -> u64 {
            Instructions.apart(mask, word)
        }

        #[inline(always)]
        fn suppress(
            self,
            block: Block<'_>,
            masks: &mut [u8],
            bytes: &mut [u8],
            end: usize,
        ) -> usize {
            // SAFETY: see `WideInstructions`.
            unsafe { suppress_lines(block, masks, bytes, end) }
        }

        #[inline(always)]
        fn spread(
            self,
            masks: &[u8],
            words: &mut [[u8; WORD]],
            bytes: &[u8],
            taken: usize,
        ) -> Option<usize> {
            // SAFETY: see `WideInstructions`.
            unsafe { spread_lines(masks, words, bytes, taken) }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,ssse3,popcnt")]
    fn spread_lines(
        masks: &[u8],
        words: &mut [[u8; WORD]],
        bytes: &[u8],
        mut taken: usize,
    ) -> Option<usize> {
        let (lines, _) = words.as_flattened_mut().as_chunks_mut::<LINE>();
        let mut done = 0;
        for (line, mask) in lines.iter_mut().zip(masks.as_chunks().0) {
            // The last lines have fewer bytes behind them.
            let Some(ahead) = bytes.get(taken..).and_then(|bytes| bytes.first_chunk()) else {
                break;
            };
            let shown = u64::from_le_bytes(*mask);
            // SAFETY: a vector may hold any bytes, and bytes may be anything.
            *line = unsafe {
                let ahead = transmute::<[u8; LINE], __m512i>(*ahead);
                transmute::<__m512i, [u8; LINE]>(_mm512_maskz_expand_epi8(shown, ahead))
            };
            taken += shown.count_ones() as usize;
            done += LINE / WORD;
        }
        spread(
            Instructions,
            &masks[done..],
            &mut words[done..],
            bytes,
            taken,
        )
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,ssse3,popcnt")]
    fn suppress_lines(
        block: Block<'_>,
        masks: &mut [u8],
        bytes: &mut [u8],
        mut end: usize,
    ) -> usize {
        let (lines, rest) = block.words.as_flattened().as_chunks::<LINE>();
        let earlier = block
            .earlier
            .map(|earlier| earlier.as_flattened().as_chunks::<LINE>().0);
        let (line_masks, rest_masks) = masks.split_at_mut(lines.len() * WORD);
        for (number, (line, mask)) in lines.iter().zip(line_masks.as_chunks_mut().0).enumerate() {
            // SAFETY: a vector may hold any bytes.
            let vector = |line: &[u8; LINE]| unsafe { transmute::<[u8; LINE], __m512i>(*line) };
            let mut line = vector(line);
            if let Some(earlier) = earlier {
                line = _mm512_xor_si512(line, vector(&earlier[number]));
            }
            let shown = _mm512_test_epi8_mask(line, line);
            *mask = shown.to_le_bytes();
            let together = _mm512_maskz_compress_epi8(shown, line);
            if let Some(place) = bytes.get_mut(end..end + LINE) {
                // SAFETY: bytes may be anything.
                let together = unsafe { transmute::<__m512i, [u8; LINE]>(together) };
                place.copy_from_slice(&together);
            }
            end += shown.count_ones() as usize;
        }
        let rest = Block {
            words: rest.as_chunks().0,
            earlier: block.earlier.map(|earlier| &earlier[lines.len() * WORD..]),
        };
        suppress(Instructions, rest, rest_masks, bytes, end)
    }

    /// For each mask where each byte comes from; 0x80 makes it zero.
    static TOGETHER: [u64; 256] = tables().0;
    static APART: [u64; 256] = tables().1;

    const fn tables() -> ([u64; 256], [u64; 256]) {
        const ZEROS: u64 = 0x8080_8080_8080_8080;
        let (mut together, mut apart) = ([ZEROS; 256], [ZEROS; 256]);
        let mut mask = 0;
        while mask < 256 {
            let (mut byte, mut count) = (0, 0);
            while byte < WORD {
                if mask >> byte & 1 == 1 {
                    together[mask] ^= (0x80 ^ byte as u64) << (8 * count);
                    apart[mask] ^= (0x80 ^ count as u64) << (8 * byte);
                    count += 1;
                }
                byte += 1;
            }
            mask += 1;
        }
        (together, apart)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod absent {
    use std::num::NonZeroU8;

    /// There is none.
    #[derive(Debug, Clone, Copy)]
    pub(in super::super) enum Shuffled {}

    impl Shuffled {
        pub(in super::super) fn is_there() -> Option<Self> {
            None
        }

        pub(in super::super) fn pack(self, _: &[u8], _: NonZeroU8, _: &mut [u8]) -> usize {
            match self {}
        }

        pub(in super::super) fn unpack(
            self,
            _: &[u8],
            _: NonZeroU8,
            _: usize,
            _: &mut Vec<u8>,
        ) -> Option<()> {
            match self {}
        }
    }
}
