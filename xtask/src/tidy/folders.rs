//! The modules right below a crate's root, each taken with everything below it, do not depend on each other in a
//! circle either. Files may be free of cycles while two folders still need each other: then neither can be read,
//! or moved, without the other.

use std::collections::BTreeMap;

use super::cycles::{Cycle, Edges, cycles, told};
use super::finding::Finding;
use super::paths::Graph;
use super::workspace::Workspace;

pub(super) fn between_folders(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for each in &workspace.crates {
        let graph = Graph::of(each);
        let mut edges = Edges::<String>::new();
        // Where the first use of one folder in another is.
        let mut places: BTreeMap<(String, String), (String, usize)> = BTreeMap::new();
        for (from, targets) in &graph.edges {
            for (to, line) in targets {
                // What stands in the root belongs to no folder.
                let (Some(one), Some(other)) = (from.first(), to.first()) else {
                    continue;
                };
                if one != other {
                    let targets = edges.entry(one.clone()).or_default();
                    targets.insert(other.clone());
                    let file = graph.files.get(from).cloned().unwrap_or_default();
                    places
                        .entry((one.clone(), other.clone()))
                        .or_insert((file, *line));
                }
            }
        }
        for Cycle { way, members } in cycles(&edges) {
            let key = (way[0].clone(), way[1 % way.len()].clone());
            let (file, line) = places.get(&key).cloned().unwrap_or_default();
            findings.push(Finding {
                file,
                line,
                what: format!(
                    "folders of {} depend on each other, {}",
                    each.name,
                    told(&way, members, String::clone)
                ),
                hint: "move the thin end of it to where it is needed".to_owned(),
            });
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(super::super::cycles::between_modules(&workspace), []);
        let found = between_folders(&workspace);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].file, "crates/a/src/x/high.rs");
        assert!(found[0].what.contains("x → y → x"), "{}", found[0]);
    }
}
