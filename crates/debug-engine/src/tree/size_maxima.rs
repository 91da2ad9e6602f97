//! Where the largest subtrees are: the maximum of each block of nodes, of each block of blocks, and so
//! on.
//!
//! Among the children of a node and all that is below them, the largest subtree is that of a child. So
//! the heaviest of a hundred million children is found by a look at a few hundred numbers, and the next
//! one by a look at what lies to the left and to the right of it.

use std::ops::Range;

use super::{ExecutionTree, NodeId};

/// Numbers that are summed up in one of the level above.
const FAN: usize = SizeMaxima::BLOCK as usize;

/// The maxima of a tree, over blocks of each level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SizeMaxima {
    /// Of blocks of nodes first.
    levels: Vec<Vec<u32>>,
}

/// A number of some level: level 0 is the sizes themselves.
#[derive(Clone, Copy)]
struct Found {
    size: u32,
    level: usize,
    index: usize,
}

impl SizeMaxima {
    /// Nodes in a block.
    pub const BLOCK: u32 = 64;

    /// Finds the maxima in one pass over the tree.
    pub fn build(tree: &dyn ExecutionTree) -> Self {
        let blocks = (0..tree.len()).step_by(FAN).map(|start| {
            let block = start..start.saturating_add(Self::BLOCK).min(tree.len());
            let sizes = block.map(|node| tree.subtree_size(NodeId(node)));
            sizes.max().unwrap_or(0)
        });
        Self::from_blocks(blocks.collect())
    }

    /// Takes the maximum of each block of [`BLOCK`](Self::BLOCK) nodes.
    pub fn from_blocks(blocks: Vec<u32>) -> Self {
        let mut levels = vec![blocks];
        while let Some(last) = levels.last().filter(|level| level.len() > FAN) {
            let blocks = last.chunks(FAN);
            let maxima = blocks.map(|block| block.iter().copied().max().unwrap_or(0));
            let above = maxima.collect();
            levels.push(above);
        }
        SizeMaxima { levels }
    }

    /// The first of the largest subtrees that begin in a range, and its size. `size` tells the size of the
    /// subtree that begins at a position.
    pub fn first_largest(
        &self,
        range: Range<u32>,
        size: impl Fn(u32) -> u32,
    ) -> Option<(u32, NodeId)> {
        let at = |level: usize, index: usize| match level {
            0 => size(index as u32),
            level => self.levels[level - 1].get(index).copied().unwrap_or(0),
        };
        let range = range.start as usize..range.end as usize;
        let mut best = self.search(0, range, &at)?;
        while best.level > 0 {
            let level = best.level - 1;
            let block = best.index * FAN..(best.index + 1) * FAN;
            let end = match level {
                0 => usize::MAX,
                level => self.levels[level - 1].len(),
            };
            best = largest_of(level, block.start..block.end.min(end), &at)?;
        }
        Some((best.size, NodeId(best.index as u32)))
    }

    /// The numbers up to the first whole block, those of whole blocks by their maxima, and the rest.
    fn search(
        &self,
        level: usize,
        range: Range<usize>,
        at: &impl Fn(usize, usize) -> u32,
    ) -> Option<Found> {
        let whole = range.start.div_ceil(FAN)..range.end / FAN;
        if whole.len() < 2 || level == self.levels.len() {
            return largest_of(level, range, at);
        }
        let before = largest_of(level, range.start..whole.start * FAN, at);
        let after = largest_of(level, whole.end * FAN..range.end, at);
        let inside = self.search(level + 1, whole, at);
        let found = [before, inside, after].into_iter().flatten();
        found.reduce(|first, next| if next.size > first.size { next } else { first })
    }
}

fn largest_of(
    level: usize,
    range: Range<usize>,
    at: &impl Fn(usize, usize) -> u32,
) -> Option<Found> {
    let mut best: Option<Found> = None;
    for index in range {
        let size = at(level, index);
        if best.is_none_or(|best| size > best.size) {
            best = Some(Found { size, level, index });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    fn of(sizes: &[u32]) -> SizeMaxima {
        let blocks = sizes.chunks(FAN).map(|block| block.iter().copied().max());
        SizeMaxima::from_blocks(blocks.flatten().collect())
    }

    proptest! {
        #[test]
        fn the_maxima_know_what_a_scan_finds(
            sizes in prop::collection::vec(1u32..40, 1..9000),
            one in 0usize..9000,
            other in 0usize..9000,
        ) {
            let (one, other) = (one % (sizes.len() + 1), other % (sizes.len() + 1));
            let range = one.min(other)..one.max(other);
            let scanned = range.clone().rev().max_by_key(|&index| sizes[index]);
            let maxima = of(&sizes);
            let found = maxima
                .first_largest(range.start as u32..range.end as u32, |index| sizes[index as usize]);
            let scanned = scanned.map(|index| (sizes[index], NodeId(index as u32)));
            prop_assert_eq!(found, scanned);
        }
    }

    #[test]
    fn few_sizes_are_looked_at() {
        let sizes: Vec<u32> = (0..1 << 20).map(|index| index % 1000).collect();
        let maxima = of(&sizes);
        let looks = Cell::new(0);
        let size = |index: u32| {
            looks.set(looks.get() + 1);
            sizes[index as usize]
        };
        let found = maxima.first_largest(1000..(1 << 20) - 7, size);
        assert_eq!(found, Some((999, NodeId(1999))));
        assert!(looks.get() <= 4 * FAN, "{}", looks.get());
    }
}
