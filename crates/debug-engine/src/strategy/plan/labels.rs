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
//! dearer is never needed. Neither is one that cannot lead to less than rollout needs: the labels that
//! are seen are worth a share of Σ 2^−x of all answers, and what is outside has to do with the rest.
//! Leaves below v come last, with the labels after everything else there, and never need a table.
//! Labels beyond a bound are left out; a second run, in which one label beyond
//! the bound may be used any number of times, gives a lower bound, and if both agree the optimum is
//! proven.

use std::collections::HashMap;

use serde::Serialize;

use super::SearchSpace;
use super::suspect_tree::SuspectTree;
use crate::strategy::{evaluate_space, halvings, rollout::Rollout};
use crate::tree::NodeId;

/// Tables larger than this are cut, and with them the proof.
const LARGEST_TABLE: usize = 4096;

/// Tables that are cut early still lead close to the optimum, and soon.
const SMALL_TABLE: usize = 256;

/// Labels are bits of a word; one is kept for the overflow.
const LARGEST_LABEL: u32 = 40;

/// What is known about the smallest total of questions over all bug positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Optimum {
    /// The smallest total found; there is a strategy that reaches it.
    pub total: u64,
    /// No strategy is below this.
    pub lower_bound: u64,
    /// Both are the same.
    pub proven: bool,
}

/// The optimum for a space without unanswered questions. If nobody has said that there is a bug, the
/// question that confirms the last suspect is counted.
pub fn optimum(space: &SearchSpace) -> Optimum {
    let reached = rollout_total(space);
    let Some(problem) = Problem::of(space, reached) else {
        let lower_bound = fewest_questions(space.suspects());
        return Optimum {
            total: reached,
            lower_bound,
            proven: reached == lower_bound,
        };
    };
    let tree = &problem.tree;
    let strict = Solver::new(tree, problem.reached, false).solve();
    let total = strict
        .total
        .map_or(problem.reached, |total| total.min(problem.reached));
    let lower_bound = if label_bound(tree) >= inner_nodes(tree) {
        strict.lower_bound(total)
    } else {
        Solver::new(tree, total, true).solve().lower_bound(total)
    };
    let lower_bound = lower_bound.max(fewest_questions(tree.suspects()));
    Optimum {
        total: total + problem.confirmation,
        lower_bound: lower_bound + problem.confirmation,
        proven: total == lower_bound,
    }
}

/// The order in which the optimal strategy asks; `None` if nothing better than rollout is found
/// within the bounds.
pub(in crate::strategy) fn optimal_order(space: &SearchSpace) -> Option<HashMap<NodeId, u64>> {
    let problem = Problem::of(space, rollout_total(space))?;
    let solution = Solver::new(&problem.tree, problem.reached, false).solve();
    solution.total?;
    Some(solution.labels(&problem.tree))
}

/// The best order of questions about single nodes, if its total is smaller than `reached` and it is found
/// within the bounds.
pub(in crate::strategy) fn order_below(
    space: &SearchSpace,
    reached: u64,
) -> Option<HashMap<NodeId, u64>> {
    order_with_tables(space, reached, LARGEST_TABLE)
}

/// A good order whose total is smaller than `reached`, if one is found soon.
pub(in crate::strategy) fn good_order_below(
    space: &SearchSpace,
    reached: u64,
) -> Option<HashMap<NodeId, u64>> {
    order_with_tables(space, reached, SMALL_TABLE)
}

fn order_with_tables(
    space: &SearchSpace,
    reached: u64,
    largest_table: usize,
) -> Option<HashMap<NodeId, u64>> {
    if reached <= fewest_questions(space.suspects()) {
        return None;
    }
    let problem = Problem::of(space, reached)?;
    let solver = Solver {
        largest_table,
        ..Solver::new(&problem.tree, problem.reached, false)
    };
    let solution = solver.solve();
    let is_below = solution.total? < problem.reached;
    is_below.then(|| solution.labels(&problem.tree))
}

/// A search space in terms of labels.
struct Problem {
    tree: SuspectTree,
    /// A total that can be reached, without the confirmation.
    reached: u64,
    /// The question that confirms the root. Without a root that is a suspect it is among the labels.
    confirmation: u64,
}

impl Problem {
    /// `None` if there is nothing to ask, or if the root is known to be wrong but is no suspect: then
    /// the last question need not be asked, which labels cannot express.
    fn of(space: &SearchSpace, reached: u64) -> Option<Self> {
        let tree = SuspectTree::of(space);
        let has_root = tree.nodes.first()?.is_some();
        if space.suspects() == 0 || (!has_root && space.is_known_wrong()) {
            return None;
        }
        let confirmation = u64::from(has_root && !space.is_known_wrong());
        Some(Problem {
            tree,
            reached: reached - confirmation,
            confirmation,
        })
    }
}

fn rollout_total(space: &SearchSpace) -> u64 {
    evaluate_space(space.fork(), &mut Rollout).total
}

/// Twenty questions: no tree of answers with this many leaves has a smaller sum of depths.
pub fn fewest_questions(suspects: u64) -> u64 {
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
    let guess = halvings(tree.suspects()) + widest.unwrap_or(0) as u32 + 2;
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
    /// Suspects in each subtree.
    sizes: Vec<u64>,
    /// A total that can be reached; nothing above it is of interest.
    reached: u64,
    labels: u32,
    relaxed: bool,
    largest_table: usize,
}

/// The tables of all nodes, from which the labels can be read off.
struct Solution {
    total: Option<u64>,
    /// No strategy that the cut tables left out has a smaller total; infinite if nothing was cut.
    left_out: f64,
    /// Per node, one table of unions after each inner child.
    unions: Vec<Vec<Vec<Entry>>>,
    outs: Vec<Vec<Entry>>,
}

impl<'tree> Solver<'tree> {
    fn new(tree: &'tree SuspectTree, reached: u64, relaxed: bool) -> Self {
        let mut sizes = vec![1; tree.len()];
        for index in (0..tree.len()).rev() {
            sizes[index] += tree.children[index]
                .iter()
                .map(|&child| sizes[child])
                .sum::<u64>();
        }
        Solver {
            tree,
            sizes,
            reached,
            labels: label_bound(tree),
            relaxed,
            largest_table: LARGEST_TABLE,
        }
    }

    /// No strategy with these labels on `inside` suspects has a smaller total: the others are at
    /// best spread evenly over what the labels leave (Kraft's inequality).
    fn least_total(&self, entry: &Entry, inside: u64) -> f64 {
        let outside = (self.tree.suspects() - inside) as f64;
        let mut share = 1.0;
        let mut labels = entry.seen;
        while labels != 0 {
            share -= (-f64::from(labels.trailing_zeros()) - 1.0).exp2();
            labels &= labels - 1;
        }
        if outside == 0.0 {
            return entry.cost as f64;
        }
        entry.cost as f64 + outside * (outside / share.max(f64::MIN_POSITIVE)).log2()
    }

    /// Drops every entry that cannot lead below what is reached or that another one makes useless. If
    /// the table is still too large it is cut; gives the least total that this may have cost.
    fn thin_out(&self, table: &mut Vec<Entry>, inside: u64) -> f64 {
        let limit = self.reached as f64 + 1e-6;
        let mut bounded: Vec<(f64, Entry)> = table
            .iter()
            .map(|entry| (self.least_total(entry, inside), *entry))
            .filter(|(least, _)| *least <= limit)
            .collect();
        bounded.sort_unstable_by(|(a, left), (b, right)| {
            let key = |entry: &Entry| (entry.cost, entry.seen.count_ones(), entry.seen);
            a.total_cmp(b).then_with(|| key(left).cmp(&key(right)))
        });
        table.clear();
        for (least, entry) in bounded {
            let is_useless = table
                .iter()
                .any(|kept| kept.seen & !entry.seen == 0 && kept.cost <= entry.cost);
            if is_useless {
                continue;
            }
            if table.len() == self.largest_table {
                return least;
            }
            table.push(entry);
        }
        f64::INFINITY
    }

    /// The label that may be used any number of times in the relaxed problem.
    fn overflow(&self) -> u64 {
        if self.relaxed { 1 << self.labels } else { 0 }
    }

    fn solve(&self) -> Solution {
        let len = self.tree.len();
        let mut solution = Solution {
            total: None,
            left_out: f64::INFINITY,
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
        let mut inside = 0;
        for child in inner {
            inside += self.sizes[child];
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
                if table.len() > 64 * self.largest_table {
                    solution.note(self.thin_out(&mut table, inside));
                }
            }
            solution.note(self.thin_out(&mut table, inside));
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
        solution.note(self.thin_out(&mut table, self.sizes[index]));
        solution.outs[index] = table;
    }
}

impl Solution {
    fn note(&mut self, left_out: f64) {
        self.left_out = self.left_out.min(left_out);
    }

    /// No strategy has a smaller total, if all labels were allowed and `reached` can be reached.
    fn lower_bound(&self, reached: u64) -> u64 {
        // Whatever was dropped because it cannot beat `reached` does not count; rounding must not
        // raise the bound.
        let found = self.total.unwrap_or(reached).min(reached);
        if self.left_out.is_infinite() {
            found
        } else {
            found.min((self.left_out - 1e-6).ceil() as u64)
        }
    }

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
