//! Paths that repeat themselves are found from any of their calls.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use debug_engine::tree::SketchTree;
use debug_engine::view::recursion::{self, Recursion};
use debug_engine::{ExecutionTree, NodeId, RoutineId};

/// A path whose calls are of these routines, each with one more child, of routine 99, before the next.
fn path(routines: &[u32]) -> SketchTree {
    let mut parents = Vec::new();
    let mut all = Vec::new();
    let mut caller = None;
    for &routine in routines {
        let node = NodeId(parents.len() as u32);
        parents.push(caller);
        all.push(RoutineId(routine));
        parents.push(Some(node));
        all.push(RoutineId(99));
        caller = Some(node);
    }
    SketchTree::from_parents(parents)
        .unwrap()
        .with_routines(all)
}

fn around(routines: &[u32], level: usize) -> Option<Recursion> {
    let tree = path(routines);
    recursion::around(&tree, NodeId(level as u32 * 2))
}

#[test]
fn a_routine_that_calls_itself_is_one_stretch_from_each_of_its_levels() {
    let mut routines = vec![1, 2];
    routines.extend([3; 20]);
    routines.extend([4]);
    for level in 0..routines.len() {
        let found = around(&routines, level);
        let expected = (2..22).contains(&level).then(|| Recursion {
            first: NodeId(4),
            last: NodeId(42),
            levels: 20,
            level: level as u32 - 1,
            routines: 1,
            is_cut: false,
        });
        assert_eq!(found, expected, "level {level}");
    }
}

#[test]
fn routines_that_take_turns_are_one_stretch() {
    let mut routines = vec![1];
    routines.extend([2, 3, 4].repeat(10));
    for level in 1..31 {
        let found = around(&routines, level).unwrap();
        assert_eq!((found.first, found.last), (NodeId(2), NodeId(60)));
        assert_eq!((found.levels, found.routines), (30, 3));
        assert_eq!(found.level, level as u32);
    }
}

#[test]
fn what_is_not_deep_is_not_folded() {
    assert_eq!(around(&[1, 2, 2, 2, 3], 2), None);
    assert_eq!(around(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 4), None);
    let tree = path(&[1; 3]);
    assert_eq!(tree.len(), 6);
}
