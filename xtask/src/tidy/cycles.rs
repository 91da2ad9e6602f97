//! No module depends on itself by way of its siblings, and no crate by way of others.
//!
//! [`paths`](super::paths) says what an edge between modules is. What is compared are siblings, at every depth, each
//! taken with everything below it: files may be free of cycles while two folders still need each other, and then
//! neither can be read, or moved, without the other. A module and what is below it are one thing. A child is a part of
//! its parent's text that got a file of its own; that it takes its parent's types, and the parent calls it, is how
//! Rust is written (`impl` blocks of a type in several files), and neither can be moved without the other anyway.
//!
//! Between crates, what only tests depend on counts as well: cargo allows it, but such tests are built last of all and
//! run against another build of the crate.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::finding::Finding;
use super::paths::{Graph, Module};
use super::workspace::Workspace;

const HINT: &str = "move what both need into a module of its own, or one of them into the other";

/// Between siblings, each taken with everything below it.
pub(super) fn between_modules(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for each in &workspace.crates {
        let graph = Graph::of(each);
        let mut edges = Edges::<Module>::new();
        // Where the first use of one sibling in another is.
        let mut places: BTreeMap<(Module, Module), (&String, usize)> = BTreeMap::new();
        for (from, targets) in &graph.edges {
            for (to, line) in targets {
                if let Some((one, other)) = siblings(from, to)
                    && let Some(file) = graph.files.get(from)
                {
                    edges.entry(one.clone()).or_default().insert(other.clone());
                    places.entry((one, other)).or_insert((file, *line));
                }
            }
        }
        for Cycle { way, members } in cycles(&edges) {
            let key = (way[0].clone(), way[1 % way.len()].clone());
            let place = places.get(&key);
            findings.push(Finding {
                file: place.map_or_else(String::new, |(file, _)| (*file).clone()),
                line: place.map_or(1, |(_, line)| *line),
                what: format!(
                    "modules of {} depend on each other, {}",
                    each.name,
                    told(&way, members, |module| module.join("::"))
                ),
                hint: HINT.to_owned(),
            });
        }
    }
    findings
}

/// The two modules below the nearest one that both are in, each of which has one of both in it. There are none
/// where one of both is in the other.
fn siblings(one: &Module, other: &Module) -> Option<(Module, Module)> {
    let common = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    Some((one.get(..=common)?.to_vec(), other.get(..=common)?.to_vec()))
}

pub(super) fn between_crates(workspace: &Workspace) -> Vec<Finding> {
    let edges = workspace.crates.iter().map(|each| {
        let all = each.dependencies.iter().chain(&each.test_dependencies);
        (each.name.clone(), all.cloned().collect())
    });
    let manifests: BTreeMap<&String, &String> = workspace
        .crates
        .iter()
        .map(|each| (&each.name, &each.manifest))
        .collect();
    let cycles = cycles(&edges.collect());
    let finding = |Cycle { way, members }: Cycle<String>| Finding {
        file: manifests
            .get(&way[0])
            .map_or_else(String::new, |manifest| (*manifest).clone()),
        line: 1,
        what: format!(
            "crates depend on each other, {}",
            told(&way, members, String::clone)
        ),
        hint: "move what the tests need below both".to_owned(),
    };
    cycles.into_iter().map(finding).collect()
}

fn told<T>(way: &[T], members: usize, name: impl Fn(&T) -> String) -> String {
    let mut names: Vec<String> = way.iter().map(&name).collect();
    names.extend(way.first().map(&name));
    let way = names.join(" → ");
    match members {
        few if few < names.len() => way,
        many => format!("{many} of them, such as {way}"),
    }
}

/// Nodes that reach each other.
#[derive(Debug, PartialEq, Eq)]
struct Cycle<T> {
    /// A shortest way from one of them to itself.
    way: Vec<T>,
    members: usize,
}

type Edges<T> = BTreeMap<T, BTreeSet<T>>;

/// One cycle for each set of nodes that all reach each other.
fn cycles<T: Ord + Clone>(edges: &Edges<T>) -> Vec<Cycle<T>> {
    let mut left: BTreeSet<&T> = edges.keys().collect();
    let mut found = Vec::new();
    while let Some(node) = left.pop_first() {
        let reached = reach(edges, node);
        let members: Vec<&T> = reached
            .iter()
            .copied()
            .filter(|other| *other != node && reach(edges, other).contains(node))
            .collect();
        if members.is_empty() {
            continue;
        }
        for member in &members {
            left.remove(*member);
        }
        let all = [node].into_iter().chain(members.iter().copied());
        let ways = all.filter_map(|start| shortest(edges, start));
        if let Some(way) = ways.min_by_key(Vec::len) {
            let members = members.len() + 1;
            found.push(Cycle { way, members });
        }
    }
    found
}

/// What can be got to from a node, itself only if there is a way back.
fn reach<'a, T: Ord>(edges: &'a Edges<T>, from: &'a T) -> BTreeSet<&'a T> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for target in edges.get(node).into_iter().flatten() {
            if reached.insert(target) {
                open.push(target);
            }
        }
    }
    reached
}

/// A shortest way from a node back to it.
fn shortest<T: Ord + Clone>(edges: &Edges<T>, start: &T) -> Option<Vec<T>> {
    let mut before: BTreeMap<&T, &T> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        for target in edges.get(node).into_iter().flatten() {
            if target == start {
                let mut way = vec![node.clone()];
                let mut at = node;
                while at != start {
                    at = before.get(at)?;
                    way.push(at.clone());
                }
                way.reverse();
                return Some(way);
            }
            if !before.contains_key(target) {
                before.insert(target, node);
                open.push_back(target);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(pairs: &[(u32, u32)]) -> Edges<u32> {
        let mut edges = Edges::new();
        for &(from, to) in pairs {
            edges.entry(from).or_insert_with(BTreeSet::new).insert(to);
            edges.entry(to).or_insert_with(BTreeSet::new);
        }
        edges
    }

    #[test]
    fn what_only_goes_down_has_no_cycle() {
        assert_eq!(cycles(&edges(&[(1, 2), (1, 3), (2, 3), (3, 4)])), []);
    }

    #[test]
    fn each_knot_is_found_once_with_a_shortest_way() {
        let found = cycles(&edges(&[
            (1, 2),
            (2, 3),
            (3, 1),
            (3, 2),
            (3, 4),
            (5, 6),
            (6, 5),
        ]));
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].way.len(), found[0].members), (2, 3));
        assert_eq!((&found[1].way[..], found[1].members), (&[5, 6][..], 2));
    }

    #[test]
    fn a_cycle_of_modules_has_a_place_and_a_way() {
        let workspace = Workspace::made_up([
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("crates/a/src/lib.rs", "mod x;\nmod y;\n"),
            ("crates/a/src/x.rs", "\nuse crate::y::Y;\npub struct X;\n"),
            ("crates/a/src/y.rs", "use crate::x::X;\npub struct Y;\n"),
        ]);
        let found = between_modules(&workspace);
        assert_eq!(found.len(), 1);
        assert_eq!((&*found[0].file, found[0].line), ("crates/a/src/x.rs", 2));
        assert!(found[0].what.contains("x → y → x"), "{}", found[0]);
    }

    #[test]
    fn a_module_and_its_children_are_one_thing() {
        let workspace = Workspace::made_up([
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("crates/a/src/lib.rs", "mod x;"),
            ("crates/a/src/x.rs", "pub mod y; use y::Y; pub struct X;"),
            ("crates/a/src/x/y.rs", "use super::X; pub struct Y;"),
        ]);
        assert_eq!(between_modules(&workspace), []);
    }

    #[test]
    fn children_of_one_parent_must_not_need_each_other() {
        let workspace = Workspace::made_up([
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("crates/a/src/lib.rs", "mod x;"),
            ("crates/a/src/x.rs", "mod y; mod z;"),
            ("crates/a/src/x/y.rs", "use super::z::Z; pub struct Y;"),
            ("crates/a/src/x/z.rs", "use super::y::Y; pub struct Z;"),
        ]);
        let found = between_modules(&workspace);
        assert_eq!(found.len(), 1);
        assert!(found[0].what.contains("x::y → x::z → x::y"), "{}", found[0]);
    }

    #[test]
    fn two_folders_that_need_each_other_are_found_although_no_file_does() {
        let workspace = Workspace::made_up([
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("crates/a/src/lib.rs", "mod x; mod y;"),
            ("crates/a/src/x/mod.rs", "pub mod low; mod high;"),
            ("crates/a/src/x/low.rs", "pub struct Low;"),
            ("crates/a/src/x/high.rs", "use crate::y::middle::Middle;"),
            ("crates/a/src/y/mod.rs", "pub mod middle;"),
            (
                "crates/a/src/y/middle.rs",
                "use crate::x::low::Low; pub struct Middle;",
            ),
        ]);
        let found = between_modules(&workspace);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].file, "crates/a/src/x/high.rs");
        assert!(found[0].what.contains("x → y → x"), "{}", found[0]);
    }

    #[test]
    fn a_test_that_needs_what_is_above_is_a_cycle_of_crates() {
        let workspace = Workspace::made_up([
            (
                "crates/a/Cargo.toml",
                "[package]\nname = \"a\"\n[dev-dependencies]\nb.workspace = true\n",
            ),
            (
                "crates/b/Cargo.toml",
                "[package]\nname = \"b\"\n[dependencies]\na.workspace = true\n",
            ),
        ]);
        let found = between_crates(&workspace);
        assert_eq!(found.len(), 1);
        assert!(found[0].what.contains("a → b → a"), "{}", found[0]);
    }
}
