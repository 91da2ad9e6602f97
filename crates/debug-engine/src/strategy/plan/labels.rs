//! The exact optimum of the average number of questions, by labels.
//!
//! It replaces the enumeration of question sequences in *Hacia una estrategia óptima* (Algorithms
//! 2–4), which is exponential in everything. Each node but the root gets a label d(v): the depth at
//! which it is asked. What a parent can see of the labels below v is
//! out(v) = {d(v)} ∪ {x ∈ V(v) : x < d(v)}, where V(v) is the union of the children's out-sets. The
//! labels are a strategy if and only if these unions are disjoint and d(v) ∉ V(v); the bug in v is
//! then found after max(V(v) ∪ {d(v)}) questions.
//!
//! So the optimum is a minimum over out-sets, computed bottom-up. A set with a subset that is no
//! dearer is never needed. Leaves below v come last, with the labels after everything else there, and
//! never need a table. Labels beyond a bound are left out; a second run, in which one label beyond
//! the bound may be used any number of times, gives a lower bound, and if both agree the optimum is
//! proven.

use std::collections::HashMap;

use serde::Serialize;

use super::SearchSpace;
use super::suspect_tree::SuspectTree;
use crate::tree::NodeId;

/// Tables larger than this are cut, and with them the proof.
const LARGEST_TABLE: usize = 2048;

/// Labels are bits of a word; one is kept for the overflow.
const LARGEST_LABEL: u32 = 40;

/// What is known about the smallest total of questions over all bug positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Optimum {
    /// Some strategy reaches this total, if one was found.
    pub total: Option<u64>,
    /// No strategy is below this.
    pub lower_bound: u64,
    /// Both are the same.
    pub proven: bool,
}

/// The optimum for a space without unanswered questions. If nobody has said that there is a bug, the
/// question that confirms the last suspect is counted.
pub fn optimum(space: &SearchSpace) -> Optimum {
    let tree = SuspectTree::of(space);
    let confirmation = u64::from(!space.is_known_wrong() && space.suspects() > 0);
    let strict = Solver::new(&tree, false).solve();
    let reached = strict.total.map(|total| total + confirmation);
    let is_exact = strict.is_complete && label_bound(&tree) >= inner_nodes(&tree);
    let lower_bound = if let (true, Some(total)) = (is_exact, strict.total) {
        total
    } else {
        let relaxed = Solver::new(&tree, true).solve();
        let known = relaxed.total.filter(|_| relaxed.is_complete).unwrap_or(0);
        known.max(fewest_questions(tree.suspects()))
    };
    let lower_bound = lower_bound + confirmation;
    Optimum {
        total: reached,
        lower_bound,
        proven: reached == Some(lower_bound),
    }
}

/// The order in which the optimal strategy asks; `None` if no plan fits into the bounds.
pub(in crate::strategy) fn optimal_order(space: &SearchSpace) -> Option<HashMap<NodeId, u64>> {
    let tree = SuspectTree::of(space);
    let solver = Solver::new(&tree, false);
    let solution = solver.solve();
    solution.total?;
    Some(solution.labels(&tree))
}

/// Twenty questions: no tree of answers with this many leaves has a smaller sum of depths.
fn fewest_questions(suspects: u64) -> u64 {
    let Some(depth) = suspects.checked_ilog2() else {
        return 0;
    };
    suspects * u64::from(depth) + 2 * (suspects - (1 << depth))
}

fn inner_nodes(tree: &SuspectTree) -> u32 {
    (1..tree.len())
        .filter(|&index| !tree.is_leaf(index))
        .count() as u32
}

/// The largest label that is tried.
fn label_bound(tree: &SuspectTree) -> u32 {
    let widest = (0..tree.len())
        .map(|index| tree.inner_and_leaves(index).0.len())
        .max();
    let guess = super::super::halvings(tree.suspects()) + widest.unwrap_or(0) as u32 + 2;
    guess.min(inner_nodes(tree)).min(LARGEST_LABEL)
}

/// A set of labels that can be seen from above, with the least cost below it.
#[derive(Clone, Copy)]
struct Entry {
    seen: u64,
    cost: u64,
    /// Where it came from: for out-sets, the entry of V; for unions, the union without the last
    /// child.
    from: usize,
    /// For out-sets, the node's own label; for unions, the last child's entry.
    choice: usize,
}

struct Solver<'tree> {
    tree: &'tree SuspectTree,
    labels: u32,
    relaxed: bool,
}

/// The tables of all nodes, from which the labels can be read off.
struct Solution {
    total: Option<u64>,
    is_complete: bool,
    /// Per node, one table of unions after each inner child.
    unions: Vec<Vec<Vec<Entry>>>,
    outs: Vec<Vec<Entry>>,
}

impl<'tree> Solver<'tree> {
    fn new(tree: &'tree SuspectTree, relaxed: bool) -> Self {
        Solver {
            tree,
            labels: label_bound(tree),
            relaxed,
        }
    }

    /// The label that may be used any number of times in the relaxed problem.
    fn overflow(&self) -> u64 {
        if self.relaxed { 1 << self.labels } else { 0 }
    }

    fn solve(&self) -> Solution {
        let len = self.tree.len();
        let mut solution = Solution {
            total: None,
            is_complete: true,
            unions: vec![Vec::new(); len],
            outs: vec![Vec::new(); len],
        };
        for index in (0..len).rev() {
            if index > 0 && self.tree.is_leaf(index) {
                continue;
            }
            self.unite_children(index, &mut solution);
            if index > 0 {
                self.label_node(index, &mut solution);
            }
        }
        let root = solution.unions.first().and_then(|unions| unions.last());
        solution.total = root.and_then(|table| table.iter().map(|entry| entry.cost).min());
        solution
    }

    fn unite_children(&self, index: usize, solution: &mut Solution) {
        let (inner, leaves) = self.tree.inner_and_leaves(index);
        let mut unions = vec![vec![Entry {
            seen: 0,
            cost: 0,
            from: 0,
            choice: 0,
        }]];
        for child in inner {
            let so_far = &unions[unions.len() - 1];
            let mut table = Vec::new();
            for (from, left) in so_far.iter().enumerate() {
                for (choice, right) in solution.outs[child].iter().enumerate() {
                    if left.seen & right.seen & !self.overflow() == 0 {
                        let seen = left.seen | right.seen;
                        table.push(Entry {
                            seen,
                            cost: left.cost + right.cost,
                            from,
                            choice,
                        });
                    }
                }
                solution.is_complete &= thin_out_if_large(&mut table);
            }
            solution.is_complete &= thin_out(&mut table);
            unions.push(table);
        }
        if index == 0 {
            let own = u64::from(self.tree.nodes[0].is_some());
            let last = unions.len() - 1;
            for entry in &mut unions[last] {
                let after = highest_label(entry.seen);
                entry.cost += own * (after + leaves) + leaf_cost(after, leaves);
            }
        }
        solution.unions[index] = unions;
    }

    fn label_node(&self, index: usize, solution: &mut Solution) {
        let (_, leaves) = self.tree.inner_and_leaves(index);
        let unions = &solution.unions[index];
        let mut table = Vec::new();
        let labels = self.labels + u32::from(self.relaxed);
        for (from, entry) in unions[unions.len() - 1].iter().enumerate() {
            for label in 0..labels {
                let bit = 1u64 << label;
                if entry.seen & bit & !self.overflow() != 0 {
                    continue;
                }
                let seen = bit | (entry.seen & (bit - 1));
                let after = highest_label(entry.seen | bit);
                let cost = entry.cost + after + leaves + leaf_cost(after, leaves);
                table.push(Entry {
                    seen,
                    cost,
                    from,
                    choice: label as usize,
                });
            }
        }
        solution.is_complete &= thin_out(&mut table);
        solution.outs[index] = table;
    }
}

impl Solution {
    /// Follows the choices back down. Leaves are labelled after everything that is seen at their
    /// parent.
    fn labels(&self, tree: &SuspectTree) -> HashMap<NodeId, u64> {
        let mut labels = HashMap::new();
        let root_table = &self.unions[0][self.unions[0].len() - 1];
        let best = (0..root_table.len()).min_by_key(|&entry| root_table[entry].cost);
        let Some(best) = best else { return labels };
        // A node, its entry in the table of all its children, and its own label.
        let mut open = vec![(0, best, None)];
        while let Some((index, entry, label)) = open.pop() {
            if let (Some(node), Some(label)) = (tree.nodes[index], label) {
                labels.insert(node, label);
            }
            let unions = &self.unions[index];
            let seen = unions[unions.len() - 1][entry].seen;
            let after = highest_label(seen).max(label.unwrap_or(0));
            let leaves = tree.children[index]
                .iter()
                .filter(|&&child| tree.is_leaf(child));
            for (label, &leaf) in (after + 1..).zip(leaves) {
                labels.extend(tree.nodes[leaf].map(|node| (node, label)));
            }
            let (inner, _) = tree.inner_and_leaves(index);
            let mut at = entry;
            for (stage, &child) in inner.iter().enumerate().rev() {
                let union = unions[stage + 1][at];
                let out = self.outs[child][union.choice];
                open.push((child, out.from, Some(out.choice as u64 + 1)));
                at = union.from;
            }
        }
        labels
    }
}

/// The largest label in a set, counted from 1; 0 for none.
fn highest_label(seen: u64) -> u64 {
    u64::from(u64::BITS - seen.leading_zeros())
}

/// The cost of leaves with the labels `after + 1 ..= after + leaves`.
fn leaf_cost(after: u64, leaves: u64) -> u64 {
    leaves * after + leaves * (leaves + 1) / 2
}

fn thin_out_if_large(table: &mut Vec<Entry>) -> bool {
    table.len() < 32 * LARGEST_TABLE || thin_out(table)
}

/// Drops every entry that another one makes useless, and says whether that was enough.
fn thin_out(table: &mut Vec<Entry>) -> bool {
    table.sort_unstable_by_key(|entry| (entry.cost, entry.seen.count_ones(), entry.seen));
    let mut kept: Vec<Entry> = Vec::new();
    let mut is_complete = true;
    for entry in table.iter() {
        if kept.iter().any(|better| better.seen & !entry.seen == 0) {
            continue;
        }
        if kept.len() == LARGEST_TABLE {
            is_complete = false;
            break;
        }
        kept.push(*entry);
    }
    *table = kept;
    is_complete
}
