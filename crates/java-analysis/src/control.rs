//! Which branch decided that an instruction ran: control dependence.
//!
//! A block depends on a branch if one way out of the branch is sure to lead to the block and the
//! branch itself is not: the block postdominates a successor of the branch, but not the branch.
//! Exceptions are left out of this; nearly every instruction could raise one.

use std::ops::Range;

use classfile::flow::{ControlFlow, EdgeKind};
use frame_replay::{DataFlow, MethodCode};

/// With more blocks than this the sets would take too long.
const MOST_BLOCKS: usize = 3000;

/// For each block the blocks whose last instruction decides about it.
pub(super) struct Control {
    flow: ControlFlow,
    deciders: Vec<Vec<usize>>,
}

impl Control {
    /// `None` if the code is too large or cannot be read.
    pub(super) fn of(code: &MethodCode) -> Option<Control> {
        let flow = ControlFlow::of(code.code(), code.instructions()).ok()?;
        let count = flow.blocks().len();
        if count > MOST_BLOCKS {
            return None;
        }
        let successors: Vec<Vec<usize>> = flow
            .blocks()
            .iter()
            .map(|block| {
                let edges = block.successors.iter();
                let normal = edges.filter(|edge| !matches!(edge.kind, EdgeKind::Exception(_)));
                let mut to: Vec<usize> = normal.map(|edge| edge.to).collect();
                to.sort_unstable();
                to.dedup();
                to
            })
            .collect();
        let postdominators = postdominators(&successors);
        let mut deciders = vec![Vec::new(); count];
        for (branch, ways) in successors.iter().enumerate() {
            if ways.len() < 2 {
                continue;
            }
            for (block, deciders) in deciders.iter_mut().enumerate() {
                let after_one = ways.iter().any(|&way| postdominators[way].has(block));
                let always = block != branch && postdominators[branch].has(block);
                if after_one && !always {
                    deciders.push(branch);
                }
            }
        }
        Some(Control { flow, deciders })
    }

    /// The last time that each branch was come to which decides whether an instruction runs, or about such a branch:
    /// one of them decided that it did not run again.
    pub(super) fn last_decisions(&self, data: &DataFlow, instruction: usize) -> Vec<u64> {
        let mut branches = self.branches_to(instruction);
        let mut last = Vec::new();
        for step in (0..data.len()).rev() {
            if branches.is_empty() {
                break;
            }
            let ended = data.instruction(step).and_then(|at| self.ended_by(at));
            if let Some(place) = branches.iter().position(|&branch| Some(branch) == ended) {
                branches.swap_remove(place);
                last.push(step);
            }
        }
        last
    }

    /// The times that these branches were come to among these steps, but for the last one of each: that one let the
    /// instruction run in the end. At most so many, the latest first.
    pub(super) fn decisions_before_last(
        &self,
        data: &DataFlow,
        instruction: usize,
        steps: Range<u64>,
        most: usize,
    ) -> Vec<u64> {
        let branches = self.branches_to(instruction);
        let mut come_to: Vec<usize> = Vec::new();
        let mut earlier = Vec::new();
        for step in steps.rev() {
            let ended = data.instruction(step).and_then(|at| self.ended_by(at));
            let Some(branch) = ended.filter(|block| branches.contains(block)) else {
                continue;
            };
            if !come_to.contains(&branch) {
                come_to.push(branch);
            } else if earlier.len() < most {
                earlier.push(step);
            } else {
                break;
            }
        }
        earlier
    }

    /// The branches that decide whether an instruction runs, and those that decide about them.
    fn branches_to(&self, instruction: usize) -> Vec<usize> {
        let Some(block) = self.flow.block_of(instruction) else {
            return Vec::new();
        };
        let mut branches = self.deciders[block].clone();
        let mut next = 0;
        while let Some(&branch) = branches.get(next) {
            next += 1;
            for &above in &self.deciders[branch] {
                if !branches.contains(&above) {
                    branches.push(above);
                }
            }
        }
        branches
    }

    /// The block that an instruction is the last one of.
    fn ended_by(&self, instruction: usize) -> Option<usize> {
        let block = self.flow.block_of(instruction)?;
        let is_last = self.flow.blocks()[block].instructions.end == instruction + 1;
        is_last.then_some(block)
    }

    /// The step that decided that `step` ran; `None` if the call's beginning did.
    pub(super) fn decider(&self, data: &DataFlow, step: u64) -> Option<u64> {
        let block = self.flow.block_of(data.instruction(step)?)?;
        let deciders = &self.deciders[block];
        if deciders.is_empty() {
            return None;
        }
        (0..step).rev().find(|&earlier| {
            let ended = data.instruction(earlier).and_then(|at| self.ended_by(at));
            ended.is_some_and(|block| deciders.contains(&block))
        })
    }
}

#[derive(Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn all(count: usize) -> Set {
        Set(vec![u64::MAX; count.div_ceil(64)])
    }

    fn has(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    fn only(count: usize, member: usize) -> Set {
        let mut set = Set(vec![0; count.div_ceil(64)]);
        set.0[member / 64] |= 1 << (member % 64);
        set
    }
}

/// The blocks that every way from a block to the end goes through, itself included.
fn postdominators(successors: &[Vec<usize>]) -> Vec<Set> {
    let count = successors.len();
    let mut sets: Vec<Set> = (0..count)
        .map(|block| {
            if successors[block].is_empty() {
                Set::only(count, block)
            } else {
                Set::all(count)
            }
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..count).rev() {
            let Some((first, rest)) = successors[block].split_first() else {
                continue;
            };
            let mut set = sets[*first].clone();
            for &other in rest {
                for (mine, theirs) in set.0.iter_mut().zip(&sets[other].0) {
                    *mine &= theirs;
                }
            }
            set.0[block / 64] |= 1 << (block % 64);
            if set != sets[block] {
                sets[block] = set;
                changed = true;
            }
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diamond_joins_again() {
        // 0 → 1 or 2 → 3
        let sets = postdominators(&[vec![1, 2], vec![3], vec![3], vec![]]);
        let members = |set: &Set| (0..4).filter(|&b| set.has(b)).collect::<Vec<_>>();
        assert_eq!(members(&sets[0]), [0, 3]);
        assert_eq!(members(&sets[1]), [1, 3]);
    }

    #[test]
    fn a_loop_decides_about_its_body() {
        // 0 → 1; 1 → 2 or 3; 2 → 1
        let sets = postdominators(&[vec![1], vec![2, 3], vec![1], vec![]]);
        let members = |set: &Set| (0..4).filter(|&b| set.has(b)).collect::<Vec<_>>();
        assert_eq!(members(&sets[2]), [1, 2, 3]);
    }
}
