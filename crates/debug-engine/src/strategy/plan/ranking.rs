//! The optimum of the worst case: edge ranking of trees (Lam and Yue; Mozes, Onak and Weimann).
//!
//! Each node but the root gets a rank, and between two nodes of equal rank there is one of larger
//! rank on the path; asking the largest rank first, as many questions are needed as there are ranks.
//! Bottom-up, each node keeps the set of ranks that can be seen from above, and of all possible sets
//! the one that is smallest as a binary number; that is also the best for everything above.

use std::collections::HashMap;

use super::SearchSpace;
use super::suspect_tree::SuspectTree;
use crate::tree::NodeId;

/// The smallest number of questions that always suffices, and with it the order that reaches it.
struct Ranking {
    questions: u64,
    /// Rank of each node, by index; 0 for the root.
    ranks: Vec<usize>,
}

/// The number of questions that the best strategy needs for the worst bug position. If nobody has
/// said that there is a bug, the question that confirms the last suspect is counted. (If the root is
/// known to be wrong but is no suspect, one question less may do: the last one follows.)
pub fn worst_case_optimum(space: &SearchSpace) -> u64 {
    let tree = SuspectTree::of(space);
    let has_root = tree.nodes.first().is_some_and(Option::is_some);
    let confirmation = u64::from(has_root && !space.is_known_wrong());
    rank(&tree).questions + confirmation
}

/// The order in which the best strategy for the worst case asks.
pub(in crate::strategy) fn worst_case_order(space: &SearchSpace) -> HashMap<NodeId, u64> {
    let tree = SuspectTree::of(space);
    let Ranking { questions, ranks } = rank(&tree);
    let order = |rank: usize| questions - rank as u64;
    let nodes = tree.nodes.iter().zip(ranks);
    nodes
        .filter_map(|(node, rank)| node.map(|node| (node, order(rank))))
        .collect()
}

/// A set of ranks; the rank is the index plus one.
type Ranks = Vec<bool>;

fn rank(tree: &SuspectTree) -> Ranking {
    let mut seen: Vec<Ranks> = vec![Ranks::new(); tree.len()];
    let mut ranks = vec![0; tree.len()];
    for index in (0..tree.len()).rev() {
        let children = &tree.children[index];
        let below: Vec<&Ranks> = children.iter().map(|&child| &seen[child]).collect();
        let (smallest, chosen) = smallest_feasible(&below);
        for (&child, rank) in children.iter().zip(chosen) {
            ranks[child] = rank;
        }
        seen[index] = smallest;
    }
    let questions = seen.first().map_or(0, Vec::len) as u64;
    Ranking { questions, ranks }
}

/// The smallest set that can be seen above children with these sets, and the children's ranks.
fn smallest_feasible(below: &[&Ranks]) -> (Ranks, Vec<usize>) {
    if below.is_empty() {
        return (Ranks::new(), Vec::new());
    }
    let mut length = below
        .iter()
        .map(|ranks| ranks.len())
        .max()
        .unwrap_or(0)
        .max(1);
    let (mut set, mut best) = loop {
        let set = vec![true; length];
        match assign(&set, below) {
            Some(ranks) => break (set, ranks),
            None => length += 1,
        }
    };
    for bit in (0..length).rev() {
        set[bit] = false;
        match assign(&set, below) {
            Some(ranks) => best = ranks,
            None => set[bit] = true,
        }
    }
    let used = set.iter().rposition(|&bit| bit).map_or(0, |last| last + 1);
    set.truncate(used);
    (set, best)
}

/// Gives each child a rank such that `set` is what is seen above, if there is a way.
fn assign(set: &Ranks, below: &[&Ranks]) -> Option<Vec<usize>> {
    let mut chosen = vec![0; below.len()];
    let mut left = below.len();
    let holds = |child: usize, bit: usize| below[child].get(bit).copied().unwrap_or(false);
    for bit in (0..set.len()).rev() {
        let open = |chosen: &[usize]| {
            let open = chosen.iter().enumerate().filter(|(_, rank)| **rank == 0);
            open.map(|(child, _)| child).collect::<Vec<_>>()
        };
        let unranked = open(&chosen);
        let holders = unranked.iter().filter(|&&child| holds(child, bit)).count();
        match (set[bit], holders) {
            (false, 0) | (true, 1) => {}
            (true, 0) => {
                // The child that would show most of what comes below this bit hides it best.
                let hidden = |child: usize| below[child].iter().take(bit).rev();
                let child = unranked.into_iter().max_by(|&a, &b| {
                    let padded = |child: usize| {
                        let len = below[child].len().min(bit);
                        std::iter::repeat_n(&false, bit - len).chain(hidden(child))
                    };
                    padded(a).cmp(padded(b)).then(b.cmp(&a))
                });
                if let Some(child) = child {
                    chosen[child] = bit + 1;
                    left -= 1;
                }
            }
            _ => return None,
        }
    }
    (left == 0).then_some(chosen)
}
