//! Common mistakes, made on purpose: a line of a program with one operator, constant or name in it
//! exchanged for a similar one.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// What is exchanged for what.
const EXCHANGES: &[(&str, &str)] = &[
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" == ", " != "),
    (" != ", " == "),
    (" && ", " || "),
    (" || ", " && "),
    (" + 1", ""),
    (" - 1", ""),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    ("++;", "--;"),
    ("--;", "++;"),
    ("++)", "+= 2)"),
    (" = 0;", " = 1;"),
    ("return -1;", "return 0;"),
    (".left", ".right"),
    (".right", ".left"),
    ("rotateLeft(", "rotateRight("),
    ("rotateRight(", "rotateLeft("),
];

/// A program text with a mistake in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutation {
    /// Counted from 1.
    pub line: u32,
    pub text: String,
}

/// The mutations of a text: those of different lines first, in an order that mixes lines and exchanges
/// and never changes.
pub fn mutations(text: &str) -> Vec<Mutation> {
    let mut all: Vec<(u64, Mutation)> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| is_code(line))
        .flat_map(|(number, line)| of_line(text, number, line))
        .collect();
    all.sort_by_key(|(order, _)| *order);
    let mut seen = HashSet::new();
    let (first, rest): (Vec<_>, Vec<_>) = all
        .into_iter()
        .map(|(_, mutation)| mutation)
        .partition(|mutation| seen.insert(mutation.line));
    first.into_iter().chain(rest).collect()
}

fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.starts_with('*') && !line.starts_with('/') && !line.starts_with("import ")
}

fn of_line(text: &str, number: u32, line: &str) -> Vec<(u64, Mutation)> {
    let mut found = Vec::new();
    for (index, (from, to)) in EXCHANGES.iter().enumerate() {
        for (at, _) in line.match_indices(from) {
            let changed = format!("{}{to}{}", &line[..at], &line[at + from.len()..]);
            let mut hasher = DefaultHasher::new();
            (number, index, at).hash(&mut hasher);
            found.push((
                hasher.finish(),
                Mutation {
                    line: number,
                    text: with_line(text, number, &changed),
                },
            ));
        }
    }
    found
}

fn with_line(text: &str, number: u32, line: &str) -> String {
    let lines = (1..).zip(text.lines());
    lines
        .flat_map(|(at, old)| [if at == number { line } else { old }, "\n"])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mutation_changes_one_line_of_code() {
        let text = "/** a < b */\nint f(int a) {\n    return a < 0 ? a - 1 : a + 1;\n}\n";
        let found = mutations(text);
        // `<`, and each of `- 1` and `+ 1` gone or turned.
        assert_eq!(found.len(), 5);
        for mutation in found {
            let pairs = text.lines().zip(mutation.text.lines());
            let changed: Vec<u32> = (1..)
                .zip(pairs)
                .filter(|(_, (old, new))| old != new)
                .map(|(number, _)| number)
                .collect();
            assert_eq!(changed, [mutation.line]);
            assert_eq!(mutation.line, 3);
        }
    }

    #[test]
    fn different_lines_come_first() {
        let lines: Vec<u32> = mutations("a < b + 1\nc == d - 1\n")
            .iter()
            .map(|mutation| mutation.line)
            .collect();
        assert_eq!(lines[..2].iter().collect::<HashSet<_>>().len(), 2);
    }
}
