//! No text below the command line names one of its options: a browser, an editor or another program that shows the
//! text has none.
//!
//! The terminal's dialogue and its screen may: whoever reads them has called the command, and can call it again.
//!
//! The options are those that the command line's own structures declare (`#[arg(long)]`), so that what git, Maven
//! or a JVM is told does not count.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Field, Item, Lit, LitStr, Meta};

use super::finding::Finding;
use super::sources::{attributes, is_for_tests, of_product};
use super::workspace::{Source, Workspace};

/// The crate with the command line, and the folders of it that may speak of its options.
const COMMAND_LINE: (&str, [&str; 3]) = ("askance", ["cli/", "dialogue/", "tui/"]);

/// Crates that speak of options for a reason.
const EXEMPT: &[(&str, &str)] = &[
    ("java-launcher", "writes command lines of JVMs"),
    ("jvm-agent", "reads and writes options of JVMs"),
    ("evaluation", "runs the tool as a user does"),
    ("fuzzing", "runs the tool as a user does"),
    ("test-support", "runs tools"),
    ("xtask", "is a command line of its own"),
];

pub(super) fn findings(workspace: &Workspace) -> Vec<Finding> {
    let declared = declared(workspace);
    let mut findings = Vec::new();
    for each in &workspace.crates {
        if EXEMPT.iter().any(|(name, _)| *name == each.name) {
            continue;
        }
        for source in of_product(each) {
            if each.name == COMMAND_LINE.0 && is_command_line(source) {
                continue;
            }
            for (text, line) in texts(source) {
                if let Some(option) = named(&text, &declared) {
                    findings.push(Finding {
                        file: source.path.clone(),
                        line,
                        what: format!("a text names the option --{option}"),
                        hint: "say what is meant; the command line adds how to ask for it"
                            .to_owned(),
                    });
                }
            }
        }
    }
    findings
}

fn is_command_line(source: &Source) -> bool {
    let mut folders = COMMAND_LINE.1.iter();
    folders.any(|folder| source.below_src.starts_with(folder)) || source.below_src == "main.rs"
}

/// The long names of the command line's options.
fn declared(workspace: &Workspace) -> BTreeSet<String> {
    let mut declared = Declared::default();
    for each in &workspace.crates {
        if each.name == COMMAND_LINE.0 {
            for source in of_product(each) {
                declared.visit_file(&source.syntax);
            }
        }
    }
    declared.0
}

#[derive(Default)]
struct Declared(BTreeSet<String>);

impl<'ast> Visit<'ast> for Declared {
    fn visit_field(&mut self, field: &'ast Field) {
        for attribute in &field.attrs {
            let Meta::List(list) = &attribute.meta else {
                continue;
            };
            if !list.path.is_ident("arg") {
                continue;
            }
            let tokens: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
            for (at, token) in tokens.iter().enumerate() {
                if matches!(token, TokenTree::Ident(name) if name == "long") {
                    let given = tokens.get(at + 2).and_then(text_of);
                    let own = || {
                        let name = field.ident.as_ref()?.to_string();
                        Some(name.trim_start_matches("r#").replace('_', "-"))
                    };
                    self.0.extend(given.or_else(own));
                }
            }
        }
        visit::visit_field(self, field);
    }
}

fn text_of(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else {
        return None;
    };
    match Lit::new(literal.clone()) {
        Lit::Str(text) => Some(text.value()),
        _ => None,
    }
}

/// The first option that a text names.
fn named<'a>(text: &str, declared: &'a BTreeSet<String>) -> Option<&'a String> {
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let before = rest[..at].chars().next_back();
        let name: String = rest[at + 2..]
            .chars()
            .take_while(|each| each.is_ascii_alphanumeric() || *each == '-')
            .collect();
        let begins = before.is_none_or(|before| !before.is_alphanumeric() && before != '-');
        if begins && let Some(option) = declared.get(&name) {
            return Some(option);
        }
        rest = &rest[at + 2..];
    }
    None
}

/// The texts in the code of a source, with their lines. Comments are none.
fn texts(source: &Source) -> Vec<(String, usize)> {
    let mut reader = Texts::default();
    for item in &source.syntax.items {
        reader.visit_item(item);
    }
    reader.0
}

#[derive(Default)]
struct Texts(Vec<(String, usize)>);

impl Texts {
    fn read_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.read_tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Lit::Str(text) = Lit::new(literal) {
                        self.visit_lit_str(&text);
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Texts {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_lit_str(&mut self, text: &'ast LitStr) {
        self.0.push((text.value(), text.span().start().line));
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        self.read_tokens(invoked.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        // Comments are attributes to a compiler; what an error says is one as well, and is read by people.
        if let Meta::List(list) = &attribute.meta {
            self.read_tokens(list.tokens.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLI: (&str, &str) = (
        "crates/askance/src/cli/mod.rs",
        "struct A {\n #[arg(long)]\n time_limit: u8,\n #[arg(short, long = \"trust\")]\n t: u8,\n}\n\
         const HELP: &str = \"see --trust\";",
    );
    const MANIFEST: (&str, &str) = (
        "crates/askance/Cargo.toml",
        "[package]\nname = \"askance\"\n",
    );

    fn found(text: &str) -> Vec<(usize, String)> {
        let workspace = Workspace::made_up([
            MANIFEST,
            CLI,
            ("crates/low/Cargo.toml", "[package]\nname = \"low\"\n"),
            ("crates/low/src/lib.rs", text),
        ]);
        let findings = findings(&workspace).into_iter();
        findings.map(|each| (each.line, each.what)).collect()
    }

    #[test]
    fn an_option_in_a_text_is_found_where_the_text_is() {
        let option = |line, name| (line, format!("a text names the option --{name}"));
        assert_eq!(
            found("fn f() {\n  let a = \"use `--time-limit` for more\";\n}"),
            [option(2, "time-limit")]
        );
        assert_eq!(
            found("fn f() {\n  g(&format!(\"--trust {x} matches nothing\"));\n}"),
            [option(2, "trust")]
        );
        assert_eq!(
            found("#[derive(Error)]\nenum E {\n  #[error(\"raise --time-limit\")]\n  Late,\n}"),
            [option(3, "time-limit")]
        );
    }

    #[test]
    fn options_of_others_comments_and_tests_do_not_count() {
        assert_eq!(
            found("const GIT: &str = \"--quiet --trusty x--trust\";"),
            []
        );
        assert_eq!(found("/// See `--trust`.\nfn f() {} // --trust"), []);
        assert_eq!(
            found("#[cfg(test)]\nmod tests { const A: &str = \"--trust\"; }"),
            []
        );
    }
}
