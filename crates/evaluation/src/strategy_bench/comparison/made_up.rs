//! Trees that no program made, as `askance import` reads them: the extremes, and chance.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// How many calls each has.
const CALLS: usize = 300;
/// With the same seed the trees are the same.
const SEED: u64 = 1;

/// Each with its name.
pub(super) fn all() -> Vec<(&'static str, String)> {
    vec![
        ("a path", lines(|call| call - 1)),
        ("a star", lines(|_| 0)),
        ("binary", lines(|call| (call - 1) / 2)),
        ("by chance", lines(|call| chance(call) % call)),
    ]
}

fn chance(call: usize) -> usize {
    let mut hash = DefaultHasher::new();
    (SEED, call).hash(&mut hash);
    hash.finish() as usize
}

/// `parent` tells the parent of each call but the first, in any order; the lines are in preorder.
fn lines(parent: impl Fn(usize) -> usize) -> String {
    let mut children = vec![Vec::new(); CALLS];
    for call in 1..CALLS {
        children[parent(call)].push(call);
    }
    let mut text = String::new();
    let mut todo = vec![(0, None)];
    let mut next = 1;
    while let Some((call, parent)) = todo.pop() {
        let parent: Option<usize> = parent;
        let parent = parent.map_or("null".to_owned(), |parent| parent.to_string());
        let _ = writeln!(
            text,
            r#"{{"id":{next},"parent":{parent},"name":"f{call}"}}"#
        );
        todo.extend(
            children[call]
                .iter()
                .rev()
                .map(|&child| (child, Some(next))),
        );
        next += 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_tree_in_preorder() {
        let binary = &all()[2].1;
        let first: Vec<&str> = binary.lines().take(3).collect();
        assert_eq!(
            first,
            [
                r#"{"id":1,"parent":null,"name":"f0"}"#,
                r#"{"id":2,"parent":1,"name":"f1"}"#,
                r#"{"id":3,"parent":2,"name":"f3"}"#,
            ]
        );
        assert_eq!(binary.lines().count(), CALLS);
    }
}
