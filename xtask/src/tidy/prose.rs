//! No line of prose is so long that no diff can show what changed in it.
//!
//! Prose is Markdown outside blocks of code and tables, and comments. A line does not count that is only long because
//! of an address, which cannot be broken.

use super::finding::Finding;
use super::workspace::Workspace;

const MOST_COLUMNS: usize = 120;

pub(super) fn findings(workspace: &Workspace) -> Vec<Finding> {
    let texts = workspace.texts.iter();
    texts
        .flat_map(|(file, text)| {
            let lines = match file.rsplit_once('.').map(|(_, extension)| extension) {
                Some("md") => in_markdown(text),
                Some("toml" | "yml" | "yaml" | "sh") => in_comments(text, &["#"], None),
                Some("rs") => in_comments(text, &["//"], Some(" // ")),
                _ => in_comments(text, &["//", "*", "/*", "<!--"], Some(" // ")),
            };
            lines.into_iter().map(|(line, columns)| Finding {
                file: file.clone(),
                line,
                what: format!("a line of prose has {columns} columns"),
                hint: format!("break it before column {MOST_COLUMNS}"),
            })
        })
        .collect()
}

/// The long lines and how long they are.
fn in_markdown(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        let begin = line.trim_start();
        if begin.starts_with("```") || begin.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code && !begin.starts_with('|') && !line.starts_with("    ") {
            found.extend(long(line).map(|columns| (number, columns)));
        }
    }
    found
}

/// The same in a language with comments: whole lines, and what stands behind code.
fn in_comments(text: &str, marks: &[&str], behind: Option<&str>) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        let begin = line.trim_start();
        let is_comment = marks.iter().any(|mark| begin.starts_with(mark));
        if is_comment {
            let words = begin.trim_start_matches(['/', '!', '*', '#', ' ']);
            if words.starts_with("```") {
                is_code = !is_code;
                continue;
            }
            if is_code || words.starts_with('|') {
                continue;
            }
        } else {
            is_code = false;
        }
        let is_behind = || {
            behind.is_some_and(|mark| {
                line.match_indices(mark).any(|(at, _)| {
                    // Outside a text, as far as quotation marks tell.
                    line[..at].matches('"').count().is_multiple_of(2)
                })
            })
        };
        if is_comment || is_behind() {
            found.extend(long(line).map(|columns| (number, columns)));
        }
    }
    found
}

/// How long a line is, if it is too long also without its addresses.
fn long(line: &str) -> Option<usize> {
    let columns = line.chars().count();
    (columns > MOST_COLUMNS && without_addresses(line).chars().count() > MOST_COLUMNS)
        .then_some(columns)
}

fn without_addresses(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("](") {
        kept.push_str(&rest[..at + 2]);
        rest = &rest[at + 2..];
        let end = rest.find(')').unwrap_or(rest.len());
        rest = &rest[end..];
    }
    kept.push_str(rest);
    let words = kept.split(' ').filter(|word| !word.contains("://"));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [usize; 0] = [];

    fn found(file: &str, text: &str) -> Vec<usize> {
        let workspace = Workspace::made_up([(file, text)]);
        let findings = findings(&workspace).into_iter();
        findings.map(|each| each.line).collect()
    }

    fn words(columns: usize) -> String {
        "word ".repeat(columns / 5)
    }

    #[test]
    fn long_prose_is_found_in_markdown() {
        let long = words(130);
        assert_eq!(found("a.md", &format!("# A\n\n{long}\nshort\n")), [3]);
        assert_eq!(found("a.md", &format!("{}\n", words(120))), NONE);
    }

    #[test]
    fn code_tables_and_addresses_may_be_long() {
        let long = words(130);
        assert_eq!(found("a.md", &format!("```\n{long}\n```\n")), NONE);
        assert_eq!(found("a.md", &format!("| a | {long} |\n")), NONE);
        let address = "x/".repeat(60);
        assert_eq!(
            found("a.md", &format!("See [there]({address}) for it.\n")),
            NONE
        );
        assert_eq!(
            found("a.md", &format!("See http://{address} for it.\n")),
            NONE
        );
        assert_eq!(found("a.md", &format!("```\n```\n{long}\n")), [3]);
    }

    #[test]
    fn comments_are_prose_and_code_is_not() {
        let long = words(130);
        assert_eq!(found("a.rs", &format!("/// {long}\nfn f() {{}}\n")), [1]);
        assert_eq!(found("a.rs", &format!("let a = \"{long}\";\n")), NONE);
        assert_eq!(found("a.rs", &format!("let a = \"x // {long}\";\n")), NONE);
        assert_eq!(found("a.rs", &format!("let a = 1; // {long}\n")), [1]);
        assert_eq!(found("a.toml", &format!("# {long}\na = \"{long}\"\n")), [1]);
        assert_eq!(found("a.java", &format!(" * {long}\n")), [1]);
    }

    #[test]
    fn columns_are_characters() {
        assert_eq!(found("a.md", &"ä".repeat(120)), NONE);
        assert_eq!(found("a.md", &"ä".repeat(121)), [1]);
    }
}
