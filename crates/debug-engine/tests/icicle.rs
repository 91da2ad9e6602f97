//! The icicle against a walk over the whole tree.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use debug_engine::tree::{JumpColumn, SketchTree};
use debug_engine::view::icicle::{IcicleBlock, Window, icicle};
use debug_engine::{ExecutionTree, NodeId};
use proptest::prelude::*;

use crate::support::{WithJumps, config, parents_from_choices};

/// How many calls are above a node, up to `top`; `None` if it is not below `top`.
fn depth(tree: &dyn ExecutionTree, top: Option<NodeId>, node: NodeId) -> Option<usize> {
    let mut above = 0;
    let mut node = node;
    loop {
        if Some(node) == top {
            return Some(above);
        }
        match tree.parent(node) {
            Some(parent) => node = parent,
            None => return top.is_none().then_some(above),
        }
        above += 1;
    }
}

fn in_sight(tree: &dyn ExecutionTree, window: Window, node: NodeId) -> bool {
    let range = tree.range(node);
    range.start < window.to && range.end > window.from
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn at_full_resolution_every_call_in_sight_has_its_block(
        choices in prop::collection::vec(any::<u8>(), 1..120),
        forest: bool,
        from in 0u32..120,
        width in 1u32..120,
        rows in 1usize..12,
        top in prop::option::of(0u32..120),
    ) {
        let sketch = SketchTree::from_parents(parents_from_choices(&choices, forest)).unwrap();
        let tree: &dyn ExecutionTree = &sketch;
        let top = top.map(|top| NodeId(top % tree.len()));
        let window = Window { top, from, to: from + width, rows, narrowest: 1 };
        let mut expected: Vec<Vec<IcicleBlock>> = vec![Vec::new(); rows];
        for node in (0..tree.len()).map(NodeId) {
            if let Some(row) = depth(tree, top, node).filter(|&row| row < rows)
                && in_sight(tree, window, node)
            {
                expected[row].push(IcicleBlock { first: node, end: tree.range(node).end, is_one: true });
            }
        }
        expected.retain(|row| !row.is_empty());
        prop_assert_eq!(icicle(tree, window), expected);
    }

    #[test]
    fn coarse_blocks_are_whole_siblings_and_leave_nothing_wide_out(
        choices in prop::collection::vec(any::<u8>(), 1..200),
        from in 0u32..100,
        width in 1u32..200,
        narrowest in 1u32..30,
    ) {
        let sketch = SketchTree::from_parents(parents_from_choices(&choices, true)).unwrap();
        let jumps = JumpColumn::build(&sketch);
        let window = Window { top: None, from, to: from + width, rows: 300, narrowest };
        let rows = icicle(&sketch, window);
        prop_assert_eq!(&icicle(&WithJumps(sketch.clone(), jumps), window), &rows);
        let tree: &dyn ExecutionTree = &sketch;
        for node in (0..tree.len()).map(NodeId) {
            // A call that is wide enough is drawn by itself, as is everything above it.
            if tree.subtree_size(node) >= narrowest && in_sight(tree, window, node) {
                let row = &rows[depth(tree, None, node).unwrap()];
                prop_assert!(row.iter().any(|block| block.is_one && block.first == node));
            }
        }
        for (depth_of_row, row) in rows.iter().enumerate() {
            prop_assert!(row.is_sorted_by(|one, other| one.end <= other.first.0));
            for pair in row.windows(2) {
                // Two neighbours are together at least as wide as what can be seen.
                if tree.parent(pair[0].first) == tree.parent(pair[1].first) {
                    prop_assert!(pair[1].end - pair[0].first.0 >= narrowest);
                }
            }
            for block in row {
                prop_assert_eq!(depth(tree, None, block.first), Some(depth_of_row));
                // It ends where one of its siblings ends.
                let mut end = block.first.0;
                while end < block.end {
                    prop_assert_eq!(tree.parent(NodeId(end)), tree.parent(block.first));
                    end = tree.range(NodeId(end)).end;
                }
                prop_assert_eq!(end, block.end);
            }
        }
    }
}

#[test]
fn a_picture_of_a_wide_run_has_few_blocks() {
    let children = 1_000_000;
    let parents = std::iter::once(None).chain((0..children).map(|_| Some(NodeId(0))));
    let tree = SketchTree::from_parents(parents).unwrap();
    let window = Window {
        top: None,
        from: 0,
        to: tree.len(),
        rows: 20,
        narrowest: tree.len() / 500,
    };
    let rows = icicle(&tree, window);
    assert_eq!(rows.len(), 2);
    assert!((490..=510).contains(&rows[1].len()), "{}", rows[1].len());
    let calls: u32 = rows[1].iter().map(|block| block.calls()).sum();
    assert_eq!(calls, children);
}
