//! No crate has more lines than a person can know.
//!
//! Lines of the product are those below `src`, comments included, but for modules that only tests have.

use super::finding::Finding;
use super::sources::{lines_for_tests, of_product};
use super::workspace::{Crate, Workspace};

const MOST_LINES: usize = 15_000;

pub(super) fn findings(workspace: &Workspace) -> Vec<Finding> {
    above(workspace, MOST_LINES)
}

fn above(workspace: &Workspace, most: usize) -> Vec<Finding> {
    let sized = workspace
        .crates
        .iter()
        .map(|each| (each, product_lines(each)));
    sized
        .filter(|(_, lines)| *lines > most)
        .map(|(each, lines)| Finding {
            file: each.manifest.clone(),
            line: 1,
            what: format!(
                "{} has {lines} lines of product code, above {most}",
                each.name
            ),
            hint: "split it where ARCHITECTURE.md has a seam".to_owned(),
        })
        .collect()
}

pub(super) fn product_lines(of: &Crate) -> usize {
    let sources = of_product(of).into_iter();
    sources
        .map(|source| {
            let all = source.text.lines().count();
            all.saturating_sub(lines_for_tests(source))
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tests_do_not_count() {
        let workspace = Workspace::made_up([
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            (
                "crates/a/src/lib.rs",
                "//! A crate.\nfn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n",
            ),
            ("crates/a/tests/t.rs", "fn t() {}\n"),
        ]);
        assert_eq!(product_lines(&workspace.crates[0]), 3);
        assert_eq!(above(&workspace, 3), []);
        let found = above(&workspace, 2);
        assert_eq!(found.len(), 1);
        assert!(found[0].what.contains("a has 3 lines"), "{}", found[0]);
    }
}
