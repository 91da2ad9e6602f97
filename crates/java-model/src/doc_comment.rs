//! What the author of a method says of it: the first sentence of its comment, found in the source.
//!
//! A comment that belongs to something else would mislead, so it is taken only where the lines between it and the
//! method's code show that they declare this method. What is in doubt is left out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use debug_engine::view::render::{self, shortened};
use java_names::names;
use trace_format::MethodId;

use super::run::JavaRun;
use super::source_text;

/// A declaration that is longer than this is not looked for.
const LONGEST_DECLARATION: usize = 12;
/// More characters of a sentence are not shown.
const LONGEST_SENTENCE: usize = 160;
/// Words that stand before a call, never before the name that a declaration gives.
const NO_TYPES: [&str; 11] = [
    "return", "new", "throw", "else", "case", "yield", "assert", "in", "do", "when", "await",
];

/// The sentences that have been looked for.
#[derive(Default)]
struct Docs(Mutex<HashMap<MethodId, Option<Arc<str>>>>);

/// The first sentence of a method's comment.
#[must_use]
pub(super) fn sentence_of(run: &JavaRun, method: MethodId) -> Option<Arc<str>> {
    let docs = run.facts().get_or_make(Docs::default);
    let known = |docs: &Docs| {
        let docs = docs.0.lock().unwrap_or_else(PoisonError::into_inner);
        docs.get(&method).cloned()
    };
    if let Some(known) = known(docs) {
        return known;
    }
    let found: Option<Arc<str>> = look_for(run, method).map(Into::into);
    let mut all = docs.0.lock().unwrap_or_else(PoisonError::into_inner);
    all.insert(method, found.clone());
    found
}

fn look_for(run: &JavaRun, method: MethodId) -> Option<String> {
    let symbol = run.method_names(method);
    let name = match symbol.name {
        "<init>" => &names::innermost(symbol.class),
        "<clinit>" => return None,
        name if names::lambda_host(name).is_some() => return None,
        name => name,
    };
    let first = usize::try_from(*run.code(method).lines.first()?).ok()?;
    let text = std::fs::read(source_text::file_of(run, method)?).ok()?;
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    first_sentence(&comment_above(&lines, declaration(&lines, first, name)?)?)
}

/// The index of the line that declares a method whose code begins in a line, counted from 1.
fn declaration(lines: &[&str], first: usize, name: &str) -> Option<usize> {
    let code = first.checked_sub(1)?;
    let top = code.saturating_sub(LONGEST_DECLARATION);
    for index in (top..=code).rev() {
        let line = lines.get(index)?;
        if declares(line, name) {
            // What is closed before the code begins is another method.
            let is_closed = index != code && line.contains('{') && line.contains('}');
            return (!is_closed).then_some(index);
        }
        let is_end = index != code && line.trim_start().starts_with('}');
        if is_end {
            return None;
        }
    }
    None
}

/// Whether a line gives the name to something: what stands before it is a type or a modifier.
fn declares(line: &str, name: &str) -> bool {
    let mut from = 0;
    while let Some(found) = line[from..].find(name) {
        let (start, end) = (from + found, from + found + name.len());
        let before = line[..start].trim_end();
        let rest = line[end..].trim_start();
        let is_whole = !line[..start].ends_with(is_name) && !line[end..].starts_with(is_name);
        let word = before.rsplit(|sign| !is_name(sign)).next().unwrap_or("");
        let is_typed = before.ends_with(|sign| is_name(sign) || matches!(sign, '>' | ']'));
        let is_comment = ["*", "//", "/*"]
            .iter()
            .any(|it| before.trim_start().starts_with(it));
        let is_alone = before.is_empty() && name.starts_with(char::is_uppercase);
        let opens = rest.starts_with(['(', '[', '<']) || is_scala(word, rest);
        let is_named = is_typed && !NO_TYPES.contains(&word) || is_alone;
        if is_whole && opens && is_named && !is_comment {
            return true;
        }
        from = end;
    }
    false
}

/// `def total = …`, `def total: Int = …`
fn is_scala(word: &str, rest: &str) -> bool {
    word == "def" && rest.starts_with(['=', ':', '{'])
}

fn is_name(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '$')
}

/// The text of the comment that ends right above a declaration, annotations between them.
fn comment_above(lines: &[&str], declaration: usize) -> Option<String> {
    let mut index = declaration;
    loop {
        index = index.checked_sub(1)?;
        let line = lines.get(index)?.trim();
        if line.ends_with("*/") {
            return block(lines, index);
        }
        if line.starts_with("///") {
            return marked_lines(lines, index);
        }
        let is_between = line.starts_with('@') || line.ends_with(',') && line.contains('=');
        if !is_between || declaration - index > LONGEST_DECLARATION {
            return None;
        }
    }
}

/// `/** … */`, without its stars.
fn block(lines: &[&str], last: usize) -> Option<String> {
    let first = (0..=last)
        .rev()
        .find(|&index| lines[index].contains("/*"))?;
    let begin = lines[first].trim_start();
    if !begin.starts_with("/**") {
        return None;
    }
    let inside = lines[first..=last].iter().map(|line| {
        let line = line.trim().trim_start_matches("/**");
        let line = line.strip_suffix("*/").unwrap_or(line);
        line.trim_start_matches('*').trim().to_owned()
    });
    Some(until_tags(inside))
}

/// `/// …`
fn marked_lines(lines: &[&str], last: usize) -> Option<String> {
    let is_marked = |index: &usize| lines[*index].trim_start().starts_with("///");
    let first = (0..=last).rev().take_while(is_marked).last()?;
    let inside = lines[first..=last].iter();
    let inside = inside.map(|line| line.trim().trim_start_matches('/').trim().to_owned());
    Some(until_tags(inside))
}

/// What comes before the first `@param` and the like.
fn until_tags(lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.take_while(|line| !line.starts_with('@')).collect();
    lines.join("\n")
}

fn first_sentence(comment: &str) -> Option<String> {
    let paragraphs = plain(comment);
    let paragraph = paragraphs.trim_start().split("\n\n").next()?;
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let text = words.join(" ");
    let ends = text.match_indices(". ").map(|(place, _)| place + 1);
    let begins_anew = |&place: &usize| !text[place..].trim_start().starts_with(char::is_lowercase);
    let end = ends.into_iter().find(begins_anew).unwrap_or(text.len());
    let sentence = render::visible(text[..end].trim()).into_owned();
    (!sentence.is_empty()).then(|| shortened(&sentence, LONGEST_SENTENCE))
}

/// A comment without marks: `{@code x}` and `{@link A#b}` as what they show, tags of HTML left out; a paragraph of HTML
/// is a blank line.
fn plain(comment: &str) -> String {
    let mut out = String::new();
    let mut rest = comment;
    while let Some(place) = rest.find(['{', '<', '&']) {
        out.push_str(&rest[..place]);
        rest = &rest[place..];
        let (text, length) = inline_tag(rest)
            .or_else(|| html_tag(rest))
            .or_else(|| entity(rest))
            .unwrap_or_else(|| (rest[..1].to_owned(), 1));
        out.push_str(&text);
        rest = &rest[length..];
    }
    out + rest
}

/// What `{@name …}` shows, and how long it is.
fn inline_tag(text: &str) -> Option<(String, usize)> {
    let inside = text.strip_prefix("{@")?;
    let mut depth = 1;
    let end = inside.char_indices().find_map(|(place, sign)| {
        depth += i32::from(sign == '{') - i32::from(sign == '}');
        (depth == 0).then_some(place)
    })?;
    let length = "{@".len() + end + 1;
    let inside = &inside[..end];
    let (name, content) = inside
        .split_once(char::is_whitespace)
        .unwrap_or((inside, ""));
    let content = content.trim();
    let shown = match name {
        "inheritDoc" => String::new(),
        "return" => format!("Returns {}", plain(content)),
        "link" | "linkplain" | "value" => match content.split_once([' ', '\n']) {
            Some((_, label)) if !content.contains('(') => label.trim().to_owned(),
            _ => content.trim_start_matches('#').replace('#', "."),
        },
        _ => content.to_owned(),
    };
    Some((shown, length))
}

fn html_tag(text: &str) -> Option<(String, usize)> {
    let inside = text.strip_prefix('<')?;
    let is_tag = inside.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '/');
    let end = inside.find('>').filter(|_| is_tag)?;
    let name = inside[..end].trim_matches('/').to_ascii_lowercase();
    let name = name.split_whitespace().next().unwrap_or("");
    let is_break = matches!(
        name,
        "p" | "ul" | "ol" | "pre" | "table" | "h1" | "h2" | "h3" | "dl"
    );
    let text = if is_break { "\n\n" } else { "" };
    Some((text.to_owned(), 1 + end + 1))
}

fn entity(text: &str) -> Option<(String, usize)> {
    const ENTITIES: [(&str, &str); 6] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
        ("&quot;", "\""),
        ("&nbsp;", " "),
        ("&#64;", "@"),
    ];
    let found = ENTITIES.iter().find(|(name, _)| text.starts_with(name));
    found.map(|(name, sign)| ((*sign).to_owned(), name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sentence for the method of this name whose code begins in the line that has `HERE` in it.
    fn check(source: &str, name: &str) -> Option<String> {
        let lines: Vec<&str> = source.lines().collect();
        let first = 1 + lines.iter().position(|line| line.contains("HERE")).unwrap();
        first_sentence(&comment_above(&lines, declaration(&lines, first, name)?)?)
    }

    #[test]
    fn the_first_sentence_is_made_plain() {
        let source = "
            /**
             * Sums up the {@link Order#total totals} of <b>all</b> orders &amp; returns,
             * e.g. {@code a.b}. Nothing else.
             * @param rate what it is multiplied by
             */
            @Override
            @SuppressWarnings(\"x\")
            public <T> int total(
                    double rate) {
                return 1; // HERE
            }";
        assert_eq!(
            check(source, "total").as_deref(),
            Some("Sums up the totals of all orders & returns, e.g. a.b.")
        );
    }

    #[test]
    fn one_line_markdown_kotlin_and_paragraphs() {
        assert_eq!(
            check(
                "/** {@return the size} */\nint size() { return 1; /* HERE */ }",
                "size"
            ),
            Some("Returns the size".to_owned())
        );
        let kotlin = "  /** Doubles [n].\n   *\n   * More. */\n  fun twice(n: Int) = n * 2 // HERE";
        assert_eq!(check(kotlin, "twice").as_deref(), Some("Doubles [n]."));
        let marked = "/// Draws it\n/// twice.\nvoid draw() {\n HERE }";
        assert_eq!(check(marked, "draw").as_deref(), Some("Draws it twice."));
        let html = "/**\n * First<p>\n * second. */\nvoid draw() { HERE }";
        assert_eq!(check(html, "draw").as_deref(), Some("First"));
        let scala = "/** All of it. */\ndef total = // HERE";
        assert_eq!(check(scala, "total").as_deref(), Some("All of it."));
    }

    #[test]
    fn the_comment_of_another_method_is_not_taken() {
        let overload = "
            /** The other one. */
            int f(int a) { return f(a, 1); }
            int f(int a, int b) {
                return a; // HERE
            }";
        assert_eq!(check(overload, "f"), None);
        let above = "
            /** The other one. */
            int f(int a) {
                return 1;
            }
            int g = f(1); // HERE";
        assert_eq!(check(above, "f"), None);
        let recursive = "
            /** Counts down. */
            static int f(int a) {
                return f(a - 1); // HERE
            }";
        assert_eq!(check(recursive, "f").as_deref(), Some("Counts down."));
        let plain = "/* No documentation. */\nint f() { HERE }";
        assert_eq!(check(plain, "f"), None);
        let field = "
            /** Makes one. */
            Account(int n) { this.n = n; }
            int m = 5; // HERE";
        assert_eq!(check(field, "Account"), None);
    }
}
