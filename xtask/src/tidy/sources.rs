//! What can be told from a source without a compiler: which of its items are tests, and where they are.

use syn::spanned::Spanned;
use syn::{Attribute, Item, Meta};

use super::workspace::{Crate, Source};

/// Whether an item is only there for tests.
pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else {
            return false;
        };
        list.path.is_ident("cfg") && list.tokens.to_string().starts_with("test")
    })
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The sources of a crate that the product is made of: those whose module is not only there for tests.
pub(super) fn of_product(of: &Crate) -> Vec<&Source> {
    let mut tests = Vec::new();
    for source in &of.sources {
        if is_for_tests(&source.syntax.attrs) {
            tests.push(module_path(&source.below_src));
        }
        for item in &source.syntax.items {
            if let Item::Mod(item) = item
                && item.content.is_none()
                && is_for_tests(&item.attrs)
            {
                let mut path = module_path(&source.below_src);
                path.push(item.ident.to_string());
                tests.push(path);
            }
        }
    }
    let is_test = |source: &Source| {
        let path = module_path(&source.below_src);
        tests.iter().any(|test| path.starts_with(test))
    };
    of.sources
        .iter()
        .filter(|source| !is_test(source))
        .collect()
}

/// The module that a file is: `a/b.rs` and `a/b/mod.rs` are `a::b`, `lib.rs` is the crate itself.
pub(super) fn module_path(below_src: &str) -> Vec<String> {
    let path = below_src.strip_suffix(".rs").unwrap_or(below_src);
    let mut names: Vec<String> = path.split('/').map(str::to_owned).collect();
    if names.last().is_some_and(|last| last == "mod")
        || (names.len() == 1 && matches!(&*names[0], "lib" | "main"))
    {
        names.pop();
    }
    names
}

/// How many lines of a source only tests need.
pub(super) fn lines_for_tests(source: &Source) -> usize {
    let items = source.syntax.items.iter();
    let tests = items.filter(|item| is_for_tests(attributes(item)));
    tests
        .map(|item| {
            let span = item.span();
            span.end().line + 1 - span.start().line
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Workspace;
    use super::*;

    #[test]
    fn files_are_modules() {
        assert_eq!(module_path("lib.rs"), Vec::<String>::new());
        assert_eq!(module_path("a.rs"), ["a"]);
        assert_eq!(module_path("a/mod.rs"), ["a"]);
        assert_eq!(module_path("a/b/c.rs"), ["a", "b", "c"]);
    }

    #[test]
    fn a_file_that_is_declared_for_tests_is_one() {
        let workspace = Workspace::made_up([
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            (
                "crates/a/src/lib.rs",
                "mod b;\n#[cfg(test)]\nmod tests {\n  fn t() {}\n}\n",
            ),
            ("crates/a/src/b.rs", "#[cfg(test)]\nmod tests;\n"),
            ("crates/a/src/b/tests.rs", "fn t() {}"),
        ]);
        let product = of_product(&workspace.crates[0]);
        let names: Vec<&str> = product.iter().map(|each| &*each.below_src).collect();
        assert_eq!(names, ["b.rs", "lib.rs"]);
        let lib = product.iter().find(|each| each.below_src == "lib.rs");
        assert_eq!(lib.map(|source| lines_for_tests(source)), Some(4));
    }
}
