//! Recursion, folded: a path of ten thousand calls that repeat each other is one line.
//!
//! A path repeats itself if each of its calls is of the same routine as the call so many levels
//! above it: one level for a routine that calls itself, two for a pair that call each other. Which of
//! several children the path goes on with is decided by their weight: runs that never end, and
//! stacks that overflow, have all their weight below one child.

use serde::Serialize;

use crate::tree::{ExecutionTree, NodeId, RoutineId};

/// No more levels than this are counted in one direction.
pub const MOST_LEVELS: u32 = 100_000;
/// Fewer repetitions than this are no more to read than what would be said instead.
const LEAST_REPETITIONS: u32 = 8;
/// So many routines may take turns.
const MOST_ROUTINES: usize = 4;

/// A stretch of a path that repeats itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Recursion {
    /// Its outermost call.
    pub first: NodeId,
    /// Its innermost call.
    pub last: NodeId,
    /// Calls from the one to the other, both included.
    pub levels: u32,
    /// Which of them the call is that was asked about, from 1.
    pub level: u32,
    /// How many routines take turns.
    pub routines: usize,
    /// Whether there may be more levels than were counted.
    pub is_cut: bool,
}

/// The recursion that a call is part of, if it is deep enough to be worth folding.
pub fn around(tree: &dyn ExecutionTree, node: NodeId) -> Option<Recursion> {
    let routines = period(tree, node)?;
    let (first, above) = climb(tree, node, routines);
    let (last, below) = descend(tree, node, routines);
    let levels = above + below + 1;
    let is_deep = levels >= LEAST_REPETITIONS * routines as u32;
    is_deep.then_some(Recursion {
        first,
        last,
        levels,
        level: above + 1,
        routines,
        is_cut: above >= MOST_LEVELS || below >= MOST_LEVELS,
    })
}

/// The recursion that begins with a call.
pub fn from(tree: &dyn ExecutionTree, node: NodeId) -> Option<Recursion> {
    around(tree, node).filter(|recursion| recursion.first == node)
}

/// How many levels below a call, or else above it, the same routine comes again.
fn period(tree: &dyn ExecutionTree, node: NodeId) -> Option<usize> {
    let routine = tree.routine(node);
    let mut below = Some(node);
    let mut above = Some(node);
    for distance in 1..=MOST_ROUTINES {
        below = below.and_then(|node| heaviest_child(tree, node));
        above = above.and_then(|node| tree.parent(node));
        let is_same = |node: NodeId| tree.routine(node) == routine;
        if below.is_some_and(is_same) || above.is_some_and(is_same) {
            return Some(distance);
        }
    }
    None
}

/// The outermost call of the path, and how many levels above it is.
fn climb(tree: &dyn ExecutionTree, node: NodeId, routines: usize) -> (NodeId, u32) {
    // The routines of the calls between here and the end of the path, the nearest last.
    let mut turn = turn(tree, node, routines);
    turn.reverse();
    let (mut first, mut levels) = (node, 0);
    while levels < MOST_LEVELS
        && let Some(parent) = tree.parent(first)
        && tree.routine(parent) == turn[levels as usize % routines]
        && heaviest_child(tree, parent) == Some(first)
    {
        first = parent;
        levels += 1;
    }
    (first, levels)
}

/// The innermost call of the path, and how many levels below it is.
fn descend(tree: &dyn ExecutionTree, node: NodeId, routines: usize) -> (NodeId, u32) {
    let mut turn = turn(tree, node, routines);
    turn.rotate_left(1);
    let (mut last, mut levels) = (node, 0);
    while levels < MOST_LEVELS
        && let Some(child) = heaviest_child(tree, last)
        && tree.routine(child) == turn[levels as usize % routines]
    {
        last = child;
        levels += 1;
    }
    (last, levels)
}

/// The routines that take turns, this call's first.
fn turn(tree: &dyn ExecutionTree, node: NodeId, routines: usize) -> Vec<RoutineId> {
    let below = std::iter::successors(Some(node), |&node| heaviest_child(tree, node));
    let mut turn: Vec<RoutineId> = below
        .take(routines)
        .map(|node| tree.routine(node))
        .collect();
    if turn.len() < routines || !repeats(tree, node, &turn) {
        // The path ends here: what is above tells the same.
        let above = std::iter::successors(Some(node), |&node| tree.parent(node));
        turn = above
            .take(routines)
            .map(|node| tree.routine(node))
            .collect();
        turn[1..].reverse();
    }
    turn
}

/// Whether the call that comes after one turn is of the first routine again.
fn repeats(tree: &dyn ExecutionTree, node: NodeId, turn: &[RoutineId]) -> bool {
    let mut path = std::iter::successors(Some(node), |&node| heaviest_child(tree, node));
    path.nth(turn.len())
        .is_some_and(|node| tree.routine(node) == turn[0])
}

/// Siblings that are compared before the first of them is taken.
const MOST_CHILDREN: usize = 64;

fn heaviest_child(tree: &dyn ExecutionTree, node: NodeId) -> Option<NodeId> {
    let children = tree.children(node).take(MOST_CHILDREN);
    // Of equally heavy ones the last.
    children.max_by_key(|&child| tree.subtree_size(child))
}
