//! A bitmap that can count: which nodes carry no weight, and how many of them lie before a position.

/// Few, as a search with trusted routines counts more than anything else.
const WORDS_PER_BLOCK: usize = 2;

/// A set of positions with O(1) rank. Takes no memory while it is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct RankBitmap {
    words: Vec<u64>,
    /// Members before each block of [`WORDS_PER_BLOCK`] words.
    blocks: Vec<u32>,
}

impl RankBitmap {
    /// Builds the set from positions below `len`, in any order.
    pub(super) fn build(len: u32, fill: impl FnOnce(&mut dyn FnMut(u32))) -> Self {
        let mut words = Vec::new();
        fill(&mut |position: u32| {
            if words.is_empty() {
                words = vec![0u64; len as usize / 64 + 1];
            }
            words[position as usize / 64] |= 1 << (position % 64);
        });
        let mut before = 0;
        let blocks = words
            .chunks(WORDS_PER_BLOCK)
            .map(|block| {
                let here = before;
                before += block.iter().map(|word| word.count_ones()).sum::<u32>();
                here
            })
            .collect();
        RankBitmap { words, blocks }
    }

    pub(super) fn contains(&self, position: u32) -> bool {
        let word = self.words.get(position as usize / 64);
        word.is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    /// How many members are smaller than `position`.
    pub(super) fn count_before(&self, position: u32) -> u32 {
        if self.words.is_empty() {
            return 0;
        }
        let word = position as usize / 64;
        let block = word / WORDS_PER_BLOCK;
        let whole: u32 = self.words[block * WORDS_PER_BLOCK..word]
            .iter()
            .map(|word| word.count_ones())
            .sum();
        let part = self.words[word] & ((1u64 << (position % 64)) - 1);
        self.blocks[block] + whole + part.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rank_is_a_count(members in prop::collection::btree_set(0u32..700, 0..100)) {
            let bitmap = RankBitmap::build(700, |mark| members.iter().copied().for_each(mark));
            for position in 0..=700 {
                prop_assert_eq!(bitmap.contains(position), members.contains(&position));
                prop_assert_eq!(
                    bitmap.count_before(position) as usize,
                    members.range(..position).count()
                );
            }
        }
    }
}
