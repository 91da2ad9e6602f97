//! Which modules of a crate use items of which others.
//!
//! Modules are files; what is declared inside a file belongs to it. An edge goes from the module that names an item
//! to the module that *defines* it, through all re-exports on the way. So these are no edges: a `mod` declaration; a
//! re-export (`pub use`, `pub(crate) use`) as such; a `use` that names a module, until something of it is named. A
//! parent that only declares its children and passes their items on therefore depends on none of them, and a child
//! that takes such an item by way of its parent depends on the sibling that defines it. A parent whose own code
//! names an item of a child does depend on it. What only tests have is left out, and methods that are called on
//! values are not seen: they belong to whoever defined the type, and an edge to that one is there already.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Item, ItemMod, ItemUse, UseTree, Visibility};

use super::sources::{attributes, is_for_tests, module_path, of_product};
use super::workspace::Crate;

/// How many imports a name is followed through: more is a circle of globs.
const LONGEST_WAY: usize = 16;

pub(super) type Module = Vec<String>;

/// The modules of a crate and what they use of each other.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The file of each module.
    pub(super) files: BTreeMap<Module, String>,
    /// From a module to another, with the first line that needs it.
    pub(super) edges: BTreeMap<Module, BTreeMap<Module, usize>>,
}

#[derive(Debug, Default)]
struct Known {
    /// Child modules that are files.
    children: BTreeSet<String>,
    defined: BTreeSet<String>,
    /// Names that a `use` brings, with what they stand for.
    imports: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    /// What is named, in code and in imports that stay private.
    named: Vec<(Vec<String>, usize)>,
    private_globs: Vec<(Vec<String>, usize)>,
}

impl Graph {
    pub(super) fn of(of: &Crate) -> Graph {
        let sources = of_product(of);
        let has_library = sources.iter().any(|source| source.below_src == "lib.rs");
        let mut graph = Graph::default();
        let mut modules: BTreeMap<Module, Known> = BTreeMap::new();
        for source in sources {
            // An executable of a crate with a library is a crate of its own.
            let is_executable = source.below_src.starts_with("bin/")
                || (has_library && source.below_src == "main.rs");
            if !is_executable {
                let path = module_path(&source.below_src);
                let mut reader = Reader::default();
                reader.read_items(&source.syntax.items);
                modules.insert(path.clone(), reader.known);
                graph.files.insert(path, source.path.clone());
            }
        }
        let all = Modules(&modules);
        for (module, known) in &modules {
            let edges = graph.edges.entry(module.clone()).or_default();
            let mut add = |target: Module, line: usize| {
                if target != *module {
                    let first = edges.entry(target).or_insert(line);
                    *first = line.min(*first);
                }
            };
            for (path, line) in &known.named {
                if let Some(Found::Item(target)) = all.find(module, path, 0) {
                    add(target, *line);
                }
            }
            for (path, line) in &known.private_globs {
                if let Some(Found::Module(target)) = all.find(module, path, 0)
                    && modules
                        .get(&target)
                        .is_some_and(|known| !known.defined.is_empty())
                {
                    add(target, *line);
                }
            }
        }
        graph
    }
}

enum Found {
    Module(Module),
    /// An item of this module.
    Item(Module),
}

struct Modules<'a>(&'a BTreeMap<Module, Known>);

impl Modules<'_> {
    /// What a path stands for in a module; `None` if it is another crate's, or nothing that a `use` tells of.
    fn find(&self, from: &Module, path: &[String], way: usize) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        let mut current = match &**first {
            "crate" => Found::Module(Vec::new()),
            "self" => Found::Module(from.clone()),
            "super" => Found::Module(parent(from)?),
            name => self.name_in(from, name, way)?,
        };
        for name in rest {
            let Found::Module(module) = current else {
                break;
            };
            current = match &**name {
                "super" => Found::Module(parent(&module)?),
                "self" => Found::Module(module),
                // What no `use` and no item tells of was made by a macro there.
                name => match self.name_in(&module, name, way) {
                    Some(found) => found,
                    None => Found::Item(module),
                },
            };
        }
        Some(current)
    }

    fn name_in(&self, module: &Module, name: &str, way: usize) -> Option<Found> {
        if way > LONGEST_WAY {
            return None;
        }
        let known = self.0.get(module)?;
        if known.children.contains(name) {
            let mut child = module.clone();
            child.push(name.to_owned());
            if self.0.contains_key(&child) {
                return Some(Found::Module(child));
            }
        }
        if known.defined.contains(name) {
            return Some(Found::Item(module.clone()));
        }
        if let Some(path) = known.imports.get(name) {
            // `use x::y` may be about another crate `x`, which a path that begins with itself would never tell.
            let is_itself = path.len() == 1 && path[0] == name;
            return (!is_itself).then(|| self.find(module, path, way + 1))?;
        }
        known.globs.iter().find_map(|glob| {
            let Some(Found::Module(target)) = self.find(module, glob, way + 1) else {
                return None;
            };
            (target != *module).then(|| self.name_in(&target, name, way + 1))?
        })
    }
}

fn parent(module: &Module) -> Option<Module> {
    let (_, parent) = module.split_last()?;
    Some(parent.to_vec())
}

#[derive(Debug, Default)]
struct Reader {
    known: Known,
    /// How many modules inside the file the reader is in.
    depth: usize,
}

impl Reader {
    fn read_items(&mut self, items: &[Item]) {
        for item in items {
            self.visit_item(item);
        }
    }

    /// As seen from the file: modules inside it are a part of it.
    fn seen_from_file(&self, path: Vec<String>) -> Vec<String> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let inside = supers.min(self.depth);
        if inside == 0 {
            return path;
        }
        let mut outside = path[inside..].to_vec();
        if outside.first().is_none_or(|first| first != "super") {
            outside.insert(0, "self".to_owned());
        }
        outside
    }

    fn read_use(&mut self, tree: &UseTree, before: &[String], is_private: bool) {
        let line = tree.span().start().line;
        let with = |name: String| {
            let mut path = before.to_vec();
            path.push(name);
            path
        };
        match tree {
            UseTree::Path(path) => {
                self.read_use(&path.tree, &with(path.ident.to_string()), is_private);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.read_use(tree, before, is_private);
                }
            }
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = before.last().cloned() {
                    self.import(last, before.to_vec(), line, is_private);
                }
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                self.import(name.clone(), with(name), line, is_private);
            }
            UseTree::Rename(rename) => {
                let path = match rename.ident == "self" {
                    true => before.to_vec(),
                    false => with(rename.ident.to_string()),
                };
                self.import(rename.rename.to_string(), path, line, is_private);
            }
            UseTree::Glob(_) => {
                let path = self.seen_from_file(before.to_vec());
                if is_private {
                    self.known.private_globs.push((path.clone(), line));
                }
                self.known.globs.push(path);
            }
        }
    }

    fn import(&mut self, name: String, path: Vec<String>, line: usize, is_private: bool) {
        let path = self.seen_from_file(path);
        if is_private {
            self.known.named.push((path.clone(), line));
        }
        self.known.imports.insert(name, path);
    }

    fn define(&mut self, name: &syn::Ident) {
        self.known.defined.insert(name.to_string());
    }

    /// Names in what is given to a macro: `a::b::c`, whatever else stands around it.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut line = 0;
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.name(std::mem::take(&mut path), line);
                    }
                    line = name.span().start().line;
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.name(std::mem::take(&mut path), line);
                    colons = 0;
                    self.read_tokens(group.stream());
                }
                _ => {
                    self.name(std::mem::take(&mut path), line);
                    colons = 0;
                }
            }
        }
        self.name(path, line);
    }

    fn name(&mut self, path: Vec<String>, line: usize) {
        if !path.is_empty() {
            let path = self.seen_from_file(path);
            self.known.named.push((path, line));
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_for_tests(attributes(item)) {
            return;
        }
        match item {
            Item::Const(item) => self.define(&item.ident),
            Item::Enum(item) => self.define(&item.ident),
            Item::Fn(item) => self.define(&item.sig.ident),
            Item::Static(item) => self.define(&item.ident),
            Item::Struct(item) => self.define(&item.ident),
            Item::Trait(item) => self.define(&item.ident),
            Item::Type(item) => self.define(&item.ident),
            Item::Union(item) => self.define(&item.ident),
            Item::Macro(item) => item.ident.iter().for_each(|name| self.define(name)),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        match &item.content {
            None => {
                let name = item.ident.to_string();
                self.known.children.insert(name);
            }
            Some((_, items)) => {
                self.define(&item.ident);
                self.depth += 1;
                self.read_items(items);
                self.depth -= 1;
            }
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_private = matches!(item.vis, Visibility::Inherited);
        self.read_use(&item.tree, &[], is_private);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|each| each.ident.to_string());
        self.name(names.collect(), path.span().start().line);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        self.visit_path(&invoked.path);
        self.read_tokens(invoked.tokens.clone());
    }

    /// `pub(in crate::a)` is about who sees it.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    /// What attributes say is for macros and lints.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Workspace;
    use super::*;

    /// The edges of a crate, as `from -> to` in lines.
    #[track_caller]
    fn check<const N: usize>(files: [(&str, &str); N], edges: &[&str]) {
        let texts = files.iter().map(|(path, text)| {
            let path = format!("crates/a/src/{path}");
            (path, (*text).to_owned())
        });
        let manifest = (
            "crates/a/Cargo.toml".to_owned(),
            "[package]\nname = \"a\"\n".to_owned(),
        );
        let workspace = Workspace::of(texts.chain([manifest]).collect()).unwrap();
        let graph = Graph::of(&workspace.crates[0]);
        let name = |module: &Module| match module.is_empty() {
            true => "crate".to_owned(),
            false => module.join("::"),
        };
        let mut found = Vec::new();
        for (from, targets) in &graph.edges {
            for to in targets.keys() {
                found.push(format!("{} -> {}", name(from), name(to)));
            }
        }
        assert_eq!(found, edges);
    }

    #[test]
    fn an_item_that_is_imported_is_an_edge() {
        check(
            [
                ("lib.rs", "mod x; mod y;"),
                ("x.rs", "use crate::y::Y; use super::y::{Z as W, self};"),
                ("y.rs", "pub struct Y; pub struct Z;"),
            ],
            &["x -> y"],
        );
    }

    #[test]
    fn declarations_and_re_exports_are_no_edges() {
        check(
            [
                ("lib.rs", "mod x; pub use x::X; pub(crate) use x::other;"),
                ("x.rs", "pub struct X; pub fn other() {}"),
            ],
            &[],
        );
    }

    #[test]
    fn a_re_export_is_followed_to_where_the_item_is() {
        check(
            [
                ("lib.rs", "mod x; mod y; pub use x::X;"),
                ("x.rs", "pub struct X;"),
                ("y.rs", "use crate::X; fn f() -> crate::X { X }"),
            ],
            &["y -> x"],
        );
    }

    #[test]
    fn a_parent_that_uses_what_it_passes_on_depends_on_it() {
        check(
            [
                ("lib.rs", "mod x; pub use x::X; fn f() -> X { todo!() }"),
                ("x.rs", "use super::f; pub struct X;"),
            ],
            &["crate -> x", "x -> crate"],
        );
    }

    #[test]
    fn paths_in_code_and_in_macros_are_edges() {
        check(
            [
                ("lib.rs", "mod x; mod y; mod z;"),
                (
                    "x.rs",
                    "fn f() { crate::y::g(); println!(\"{}\", super::z::Z); }",
                ),
                ("y.rs", "pub fn g() {}"),
                ("z.rs", "pub const Z: u8 = 0;"),
            ],
            &["x -> y", "x -> z"],
        );
    }

    #[test]
    fn a_module_that_is_imported_is_an_edge_when_something_of_it_is_named() {
        check(
            [
                ("lib.rs", "mod x; mod y;"),
                ("x.rs", "use crate::y; fn f() { y::inner::g(); }"),
                ("y/mod.rs", "pub mod inner; pub struct Own;"),
                ("y/inner.rs", "pub fn g() {}"),
            ],
            &["x -> y::inner"],
        );
    }

    #[test]
    fn tests_are_left_out_and_modules_inside_a_file_belong_to_it() {
        check(
            [
                ("lib.rs", "mod x; mod y;"),
                (
                    "x.rs",
                    "mod inside { use super::own; use super::super::y::Y; } fn own() {}
                     #[cfg(test)] mod tests { use crate::y::g; }",
                ),
                (
                    "y.rs",
                    "pub struct Y; pub fn g() {} #[cfg(test)] use crate::x::own;",
                ),
            ],
            &["x -> y"],
        );
    }

    #[test]
    fn a_glob_is_an_edge_to_what_is_defined_there() {
        check(
            [
                ("lib.rs", "mod x; mod y; mod facade;"),
                (
                    "x.rs",
                    "use crate::y::*; use crate::facade::*; fn f() -> Other {}",
                ),
                ("y.rs", "pub struct Y;"),
                ("facade.rs", "mod z; pub use z::Other;"),
                ("facade/z.rs", "pub struct Other;"),
            ],
            &["x -> facade::z", "x -> y"],
        );
    }
}
