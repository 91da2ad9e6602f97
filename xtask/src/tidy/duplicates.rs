//! No two public types have the same name: whoever reads `Place` should not have to ask which.

use std::collections::BTreeMap;

use syn::{Ident, Item, Visibility};

use super::finding::Finding;
use super::sources::{attributes, is_for_tests, of_product};
use super::workspace::Workspace;

/// Names that occur twice for a reason.
const ALLOWED: &[(&str, &str)] = &[
    ("Result", "the alias of each crate, for its own error"),
    ("Options", "always qualified by what they are options of"),
    ("Report", "always qualified by the benchmark that it is of"),
    (
        "Row",
        "always qualified by the benchmark whose table has it",
    ),
];

pub(super) fn findings(workspace: &Workspace) -> Vec<Finding> {
    let mut places: BTreeMap<String, Vec<(&str, usize)>> = BTreeMap::new();
    for each in &workspace.crates {
        for source in of_product(each) {
            for (name, line) in public_types(&source.syntax.items) {
                let found = places.entry(name).or_default();
                found.push((&source.path, line));
            }
        }
    }
    let mut findings = Vec::new();
    for (name, found) in places {
        if ALLOWED.iter().any(|(allowed, _)| *allowed == name) {
            continue;
        }
        let Some(((first, first_line), others)) = found.split_first() else {
            continue;
        };
        for (file, line) in others {
            findings.push(Finding {
                file: (*file).to_owned(),
                line: *line,
                what: format!("there is another public type `{name}`, at {first}:{first_line}"),
                hint: "name it after what it is of, or say in xtask/src/tidy/duplicates.rs why not"
                    .to_owned(),
            });
        }
    }
    findings
}

fn public_types(items: &[Item]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for item in items {
        if is_for_tests(attributes(item)) {
            continue;
        }
        let mut add = |visibility: &Visibility, name: &Ident| {
            if matches!(visibility, Visibility::Public(_)) {
                found.push((name.to_string(), name.span().start().line));
            }
        };
        match item {
            Item::Struct(item) => add(&item.vis, &item.ident),
            Item::Enum(item) => add(&item.vis, &item.ident),
            Item::Union(item) => add(&item.vis, &item.ident),
            Item::Trait(item) => add(&item.vis, &item.ident),
            Item::Type(item) => add(&item.vis, &item.ident),
            Item::Mod(item) => {
                if let Some((_, items)) = &item.content {
                    found.extend(public_types(items));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(one: &str, other: &str) -> Vec<String> {
        let workspace = Workspace::made_up([
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("crates/a/src/lib.rs", one),
            ("crates/b/Cargo.toml", "[package]\nname = \"b\"\n"),
            ("crates/b/src/lib.rs", other),
        ]);
        let findings = findings(&workspace).into_iter();
        findings.map(|each| each.to_string()).collect()
    }

    #[test]
    fn a_name_in_two_crates_is_found_at_the_second() {
        let found = found("pub struct Place;", "\npub enum Place {}");
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("crates/b/src/lib.rs:2: "), "{found:?}");
        assert!(found[0].contains("crates/a/src/lib.rs:1"), "{found:?}");
    }

    #[test]
    fn what_others_cannot_name_and_what_has_a_reason_does_not_count() {
        assert!(found("pub struct Place;", "pub(crate) struct Place;").is_empty());
        assert!(found("pub type Result<T> = T;", "pub type Result<T> = T;").is_empty());
        let tests = "#[cfg(test)] mod tests { pub struct Place; }";
        assert!(found("pub struct Place;", tests).is_empty());
    }
}
