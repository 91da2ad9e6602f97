//! Natural loops: where a jump goes back to a place that every way to it has passed.
//!
//! A block *dominates* another if every way from the start to that one leads through it. An edge to a
//! block that dominates its source goes back; the loop is that block, its *header*, with everything
//! from which the source can be reached without passing the header. Loops with the same header are
//! one. Compilers of structured languages make no other loops.

use std::collections::BTreeSet;

use super::ControlFlow;

/// A loop of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NaturalLoop {
    /// The block through which it is entered.
    pub header: usize,
    /// All its blocks, the header included.
    pub blocks: BTreeSet<usize>,
}

impl ControlFlow {
    /// The loops, outer ones before those inside them.
    pub fn loops(&self) -> Vec<NaturalLoop> {
        let successors = self.blocks.iter().map(|block| {
            let edges = block.successors.iter();
            edges.map(|edge| edge.to).collect()
        });
        natural_loops(&successors.collect::<Vec<Vec<usize>>>())
    }
}

fn natural_loops(successors: &[Vec<usize>]) -> Vec<NaturalLoop> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, targets) in successors.iter().enumerate() {
        for &to in targets {
            predecessors[to].push(from);
        }
    }
    let order = reverse_postorder(successors);
    let dominator = dominators(&order, &predecessors);
    let dominates = |header: usize, block: usize| {
        let mut above = Some(block);
        while let Some(at) = above {
            if at == header {
                return true;
            }
            above = dominator[at].filter(|&up| up != at);
        }
        false
    };
    let mut loops: Vec<NaturalLoop> = Vec::new();
    for &from in &order {
        for &header in &successors[from] {
            if !dominates(header, from) {
                continue;
            }
            let blocks = body(header, from, &predecessors, &dominator);
            match loops.iter_mut().find(|known| known.header == header) {
                Some(known) => known.blocks.extend(blocks),
                None => loops.push(NaturalLoop { header, blocks }),
            }
        }
    }
    loops.sort_by_key(|found| (std::cmp::Reverse(found.blocks.len()), found.header));
    loops
}

/// The header, and what reaches the end of a back edge without passing it.
fn body(
    header: usize,
    from: usize,
    predecessors: &[Vec<usize>],
    dominator: &[Option<usize>],
) -> BTreeSet<usize> {
    let mut blocks = BTreeSet::from([header, from]);
    let mut open = if from == header { vec![] } else { vec![from] };
    while let Some(block) = open.pop() {
        for &before in &predecessors[block] {
            // Code that is never reached has no dominator.
            if dominator[before].is_some() && blocks.insert(before) {
                open.push(before);
            }
        }
    }
    blocks
}

/// The blocks that can be reached, each before those that it alone leads to.
fn reverse_postorder(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::new();
    if successors.is_empty() {
        return order;
    }
    let mut seen = vec![false; successors.len()];
    let mut open = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, next)) = open.last_mut() {
        match successors[*block].get(*next) {
            Some(&to) => {
                *next += 1;
                if !seen[to] {
                    seen[to] = true;
                    open.push((to, 0));
                }
            }
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The nearest other dominator of each block; its own of the first, none of what is not reached.
/// (The iteration over reverse postorder by Cooper, Harvey and Kennedy.)
fn dominators(order: &[usize], predecessors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut rank = vec![usize::MAX; predecessors.len()];
    for (number, &block) in order.iter().enumerate() {
        rank[block] = number;
    }
    let mut dominator = vec![None; predecessors.len()];
    let Some((&start, rest)) = order.split_first() else {
        return dominator;
    };
    dominator[start] = Some(start);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in rest {
            let mut common: Option<usize> = None;
            for &before in &predecessors[block] {
                if dominator[before].is_some() {
                    common = Some(match common {
                        None => before,
                        Some(other) => meet(before, other, &dominator, &rank),
                    });
                }
            }
            changed |= common != dominator[block];
            dominator[block] = common;
        }
    }
    dominator
}

fn meet(mut one: usize, mut other: usize, dominator: &[Option<usize>], rank: &[usize]) -> usize {
    while one != other {
        let later = if rank[one] > rank[other] {
            &mut one
        } else {
            &mut other
        };
        match dominator[*later] {
            Some(up) => *later = up,
            None => return *later,
        }
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether `to` can be reached from the start without passing `without`.
    fn reaches(successors: &[Vec<usize>], to: usize, without: Option<usize>) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            if Some(block) != without && seen.insert(block) {
                open.extend(&successors[block]);
            }
        }
        seen.contains(&to)
    }

    /// The definition, block by block.
    fn by_definition(successors: &[Vec<usize>]) -> Vec<NaturalLoop> {
        let all = 0..successors.len();
        let dominates = |header: usize, block: usize| {
            reaches(successors, block, None)
                && (header == block || !reaches(successors, block, Some(header)))
        };
        let mut loops = Vec::new();
        for header in all.clone() {
            let goes_back =
                |from: &usize| dominates(header, *from) && successors[*from].contains(&header);
            let ends: Vec<usize> = all.clone().filter(goes_back).collect();
            if ends.is_empty() {
                continue;
            }
            // What reaches an end without passing the header.
            let reaches_end = |block: usize| {
                let mut seen = BTreeSet::from([header]);
                let mut open = vec![block];
                while let Some(block) = open.pop() {
                    if block != header && ends.contains(&block) {
                        return true;
                    }
                    if seen.insert(block) {
                        open.extend(&successors[block]);
                    }
                }
                false
            };
            let in_loop = |block: &usize| {
                *block == header || (reaches(successors, *block, None) && reaches_end(*block))
            };
            loops.push(NaturalLoop {
                header,
                blocks: all.clone().filter(in_loop).collect(),
            });
        }
        loops.sort_by_key(|found| (std::cmp::Reverse(found.blocks.len()), found.header));
        loops
    }

    proptest! {
        #[test]
        fn loops_are_those_of_the_definition(
            edges in prop::collection::vec(prop::collection::vec(0usize..9, 0..3), 1..9)
        ) {
            let count = edges.len();
            let successors: Vec<Vec<usize>> = edges
                .iter()
                .map(|targets| targets.iter().map(|to| to % count).collect())
                .collect();
            prop_assert_eq!(natural_loops(&successors), by_definition(&successors));
        }
    }
}
