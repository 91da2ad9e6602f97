//! The whole run as an icicle: calls side by side in the order of execution, each as wide as its
//! subtree has calls, and below it what it called.
//!
//! A picture has as many columns as the screen, whatever the size of the run. So only calls that are
//! wide enough to be seen are told apart and opened; neighbours that are narrower become one block.
//! The work is bounded by the picture, not by the run: the next child that matters is found from
//! both sides at once, along the siblings and up from the position, whichever is shorter.

use crate::tree::{ExecutionTree, NodeId};

/// What part of the run is looked at, and how closely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The call in the first row; without it, all calls that nobody called.
    pub top: Option<NodeId>,
    /// The first position in preorder that is in sight.
    pub from: u32,
    /// The first one that no longer is.
    pub to: u32,
    /// How many rows there is room for.
    pub rows: usize,
    /// How many calls a subtree must have to be drawn by itself.
    pub narrowest: u32,
}

/// A rectangle of the picture: the calls `first.0 .. end`, as wide as it is drawn even if a part of
/// it is out of sight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IcicleBlock {
    /// The call, or the first of the neighbours that are drawn together.
    pub first: NodeId,
    /// Where the block ends.
    pub end: u32,
    /// Whether it is one call; otherwise it stands for several, and is not opened.
    pub is_one: bool,
}

impl IcicleBlock {
    /// How many calls it stands for, everything below included.
    pub fn calls(self) -> u32 {
        self.end - self.first.0
    }
}

/// The rows of the picture from the top, each from left to right. Rows without a block are left out.
pub fn icicle(tree: &dyn ExecutionTree, window: Window) -> Vec<Vec<IcicleBlock>> {
    let window = Window {
        narrowest: window.narrowest.max(1),
        ..window
    };
    let mut rows = Vec::new();
    let mut row = Vec::new();
    match window.top {
        Some(top) => row.extend(alone(tree, top, window)),
        None => siblings(tree, None, window, &mut row),
    }
    while !row.is_empty() && rows.len() < window.rows {
        let mut below = Vec::new();
        for block in row.iter().filter(|block| block.is_one) {
            siblings(tree, Some(block.first), window, &mut below);
        }
        rows.push(std::mem::replace(&mut row, below));
    }
    rows
}

fn alone(tree: &dyn ExecutionTree, top: NodeId, window: Window) -> Option<IcicleBlock> {
    let range = tree.range(top);
    let in_sight = range.start < window.to && range.end > window.from;
    in_sight.then_some(IcicleBlock {
        first: top,
        end: range.end,
        is_one: true,
    })
}

/// Adds the blocks of a call's children, or of the roots.
fn siblings(
    tree: &dyn ExecutionTree,
    parent: Option<NodeId>,
    window: Window,
    row: &mut Vec<IcicleBlock>,
) {
    let (start, end) = match parent {
        Some(parent) => (parent.0 + 1, tree.range(parent).end),
        None => (0, tree.len()),
    };
    let last = end.min(window.to);
    if start >= last || end <= window.from {
        return;
    }
    let mut next = sibling_at(tree, parent, NodeId(start), window.from.max(start));
    while next.0 < last {
        let size = tree.subtree_size(next).max(1);
        let mut block = IcicleBlock {
            first: next,
            end: next.0 + size,
            is_one: true,
        };
        if size < window.narrowest {
            // Everything up to the next sibling that could be seen, or up to the narrowest width.
            let reach = (next.0 + window.narrowest).min(end);
            let after = if reach == end {
                end
            } else {
                sibling_at(tree, parent, next, reach).0
            };
            block.end = block.end.max(after);
            block.is_one = block.end == next.0 + size;
        }
        row.push(block);
        next = NodeId(block.end);
    }
}

/// The sibling of `from`, itself included, whose subtree holds `position`.
fn sibling_at(
    tree: &dyn ExecutionTree,
    parent: Option<NodeId>,
    from: NodeId,
    position: u32,
) -> NodeId {
    let is_below = |node: NodeId| parent.is_none_or(|parent| node > parent);
    let mut ahead = from;
    let mut above = NodeId(position);
    loop {
        let next = ahead.0 + tree.subtree_size(ahead).max(1);
        if next > position {
            return ahead;
        }
        ahead = NodeId(next);
        let Some(up) = tree.parent(above).filter(|&up| is_below(up)) else {
            return above;
        };
        let jump = tree.jump(above);
        above = jump.filter(|&far| far < up && is_below(far)).unwrap_or(up);
    }
}
