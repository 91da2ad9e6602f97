//! The definitions of *A Generalized Model for Algorithmic Debugging*, taken at their word.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::sync::Arc;

use crate::support::sketches;
use debug_engine::model::{
    self, CodeFragment, ExecutionNode, GeneralTree, InnerNodes, ModelError, StatementId,
    buggy_code, is_buggy, is_traceable,
};
use debug_engine::transform::{NodeKind, Transformations};
use debug_engine::tree::SketchTree;
use debug_engine::{Answer, ExecutionTree, Judgement, NodeId, RoutineId, SessionOptions, strategy};
use proptest::prelude::*;

fn code(statements: std::ops::Range<u64>) -> CodeFragment {
    statements.map(StatementId).collect()
}

fn node(kind: NodeKind, computation: std::ops::Range<u64>) -> ExecutionNode {
    ExecutionNode {
        kind,
        code: code(computation.clone()),
        computation,
        routine: RoutineId(0),
        call: None,
    }
}

/// Example 2: `x++; y++; x=x+y;`, the first two together, and two of the three alone.
#[test]
fn example_2() {
    let statements = |computation| node(NodeKind::Statement, computation);
    // Given out of order: node 4, node 3, node 2, node 1 of the paper.
    let nodes = vec![
        statements(1..2),
        statements(2..3),
        statements(0..2),
        statements(0..3),
    ];
    let tree = GeneralTree::new(nodes).unwrap();
    let depends: Vec<_> = (0..4).map(|n| tree.parent(NodeId(n))).collect();
    assert_eq!(
        depends,
        [None, Some(NodeId(0)), Some(NodeId(1)), Some(NodeId(0))]
    );
    assert!(tree.directly_depends(NodeId(0), NodeId(1)));
    assert!(!tree.directly_depends(NodeId(0), NodeId(2)), "intransitive");
    // Node 2 without node 4 is `x++`.
    assert_eq!(buggy_code(&tree, &tree, NodeId(1)), code(0..1));
    assert_eq!(buggy_code(&tree, &tree, NodeId(0)), code(0..0));
    assert!(tree.chained_to_next(NodeId(1)));
    assert!(!tree.is_routine_tree());
}

#[test]
fn overlapping_computations_are_no_tree() {
    let nodes = |second| {
        vec![
            node(NodeKind::Routine, 0..4),
            node(NodeKind::Routine, second),
        ]
    };
    let refused = GeneralTree::new(nodes(2..6)).unwrap_err();
    assert_eq!(refused, ModelError::Overlap(0, 1));
    assert_eq!(GeneralTree::new(nodes(3..3)), Err(ModelError::Empty(1)));
    assert!(GeneralTree::new(nodes(4..6)).is_ok());
    assert!(GeneralTree::new(nodes(0..4)).unwrap().is_routine_tree());
}

/// A call with a loop of four iterations of two statements each, and a statement before and after it.
struct Body;

impl InnerNodes for Body {
    fn inside(&self, call: NodeId) -> Option<Vec<ExecutionNode>> {
        let mut nodes = vec![
            node(NodeKind::Routine, 0..10),
            node(NodeKind::Statement, 0..1),
            node(NodeKind::Loop, 1..9),
            node(NodeKind::Statement, 9..10),
        ];
        for iteration in 0..4 {
            let start = 1 + 2 * iteration;
            nodes.push(node(NodeKind::Iteration, start..start + 2));
            nodes.push(node(NodeKind::Statement, start..start + 1));
            nodes.push(node(NodeKind::Statement, start + 1..start + 2));
        }
        (call == NodeId(7)).then_some(nodes)
    }
}

/// Zooming into a buggy call, with any strategy, leads to the statement that is to blame.
#[test]
fn zooming_finds_the_statement() {
    assert!(GeneralTree::zoom(NodeId(1), &Body).is_none());
    let tree = Arc::new(GeneralTree::zoom(NodeId(7), &Body).unwrap().unwrap());
    for info in strategy::ALL {
        for transformations in [Transformations::default(), Transformations::balanced()] {
            for bug in 0..10 {
                let options = SessionOptions {
                    root_is_wrong: true,
                    strategy: info.name.to_owned(),
                    transformations: transformations.clone(),
                    ..SessionOptions::default()
                };
                let mut oracle = |target: debug_engine::Target| {
                    let inside = |node| tree.node(node).computation.contains(&bug);
                    if target.members(&*tree).any(inside) {
                        Answer::No
                    } else {
                        Answer::Yes
                    }
                };
                let found = model::debug(Arc::clone(&tree), options, &mut oracle).unwrap();
                assert_eq!(found, Some(code(bug..bug + 1)), "{}", info.name);
            }
        }
    }
}

/// Computations for the nodes of a sketch: entering and leaving takes a tick each.
fn computations(tree: &SketchTree) -> Vec<ExecutionNode> {
    let tree: &dyn ExecutionTree = tree;
    let mut nodes = Vec::new();
    let mut time = 0;
    let mut open: Vec<(u32, usize)> = Vec::new();
    for position in 0..=tree.len() {
        while open.last().is_some_and(|&(end, _)| end <= position) {
            let (_, index) = open.pop().unwrap();
            time += 1;
            let node: &mut ExecutionNode = &mut nodes[index];
            node.computation.end = time;
        }
        if position < tree.len() {
            time += 1;
            let mut new = node(NodeKind::Routine, time..time);
            new.code = code(0..0);
            nodes.push(new);
            open.push((tree.range(NodeId(position)).end, position as usize));
        }
    }
    nodes
}

proptest! {
    #![proptest_config(support::config(64))]

    /// Definition 7 word by word: n depends on n' if n' is a subcomputation of n, and no third node
    /// lies between.
    #[test]
    fn parents_are_direct_dependencies(
        tree in sketches(16, true),
        order in prop::collection::vec(any::<u32>(), 16),
    ) {
        let nodes = computations(&tree);
        let mut shuffled: Vec<_> = nodes.iter().cloned().zip(order).collect();
        shuffled.sort_by_key(|&(_, key)| key);
        let built = GeneralTree::new(shuffled.into_iter().map(|(node, _)| node).collect()).unwrap();
        let inside = |outer: &ExecutionNode, inner: &ExecutionNode| {
            outer.computation != inner.computation
                && outer.computation.start <= inner.computation.start
                && inner.computation.end <= outer.computation.end
        };
        for outer in (0..built.len()).map(NodeId) {
            for inner in (0..built.len()).map(NodeId) {
                let (n, m) = (built.node(outer), built.node(inner));
                let between = nodes.iter().any(|third| inside(n, third) && inside(third, m));
                let depends = inside(n, m) && !between;
                prop_assert_eq!(built.directly_depends(outer, inner), depends);
            }
        }
        for node in (0..built.len()).map(NodeId) {
            prop_assert_eq!(built.parent(node), tree.parent(node));
        }
    }

    /// Theorem 2 of *A Generalized Model* (completeness), and what makes top-down strategies find something: with a
    /// wrong root there is a traceable buggy node.
    #[test]
    fn a_wrong_root_has_a_traceable_buggy_node(tree in sketches(24, false), wrong in any::<u64>()) {
        let judgement = |node: NodeId| match node.0 == 0 || wrong >> node.0 & 1 == 1 {
            true => Judgement::Wrong,
            false => Judgement::Correct,
        };
        let all = || (0..tree.len()).map(NodeId);
        prop_assert!(all().any(|node| is_traceable(&tree, node, &judgement)));
        for node in all().filter(|&node| is_traceable(&tree, node, &judgement)) {
            prop_assert!(is_buggy(&tree, node, &judgement));
        }
    }
}
