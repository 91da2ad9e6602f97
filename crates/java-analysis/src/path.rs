//! How a path is written: a name, then fields and elements.

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Field(String),
    Index(u32),
    /// A key of a map, as it is shown.
    Key(String),
}

/// The first name and what comes after it.
pub(super) fn split(path: &str) -> Option<(String, Vec<Part>)> {
    // `int[]#7[2]`: brackets before the number belong to the name.
    let name = object_end(path);
    let end = path[name..]
        .find(['.', '['])
        .map_or(path.len(), |at| at + name);
    let (root, mut rest) = path.split_at(end);
    let mut parts = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let end = closing(after)?;
            let inner = after[..end].trim();
            parts.push(match inner.parse() {
                Ok(index) => Part::Index(index),
                Err(_) if inner.is_empty() => return None,
                Err(_) => Part::Key(inner.to_owned()),
            });
            rest = &after[end + 1..];
        } else {
            let after = rest.strip_prefix('.')?;
            let end = after.find(['.', '[']).unwrap_or(after.len());
            if end == 0 {
                return None;
            }
            parts.push(Part::Field(after[..end].to_owned()));
            rest = &after[end..];
        }
    }
    (!root.is_empty()).then(|| (root.to_owned(), parts))
}

/// Where the name of an object ends, its number not counted; the start if the path begins with no object.
fn object_end(path: &str) -> usize {
    let Some(at) = path.find('#') else {
        return 0;
    };
    let name = path[..at].trim_end_matches("[]");
    let is_name = name
        .chars()
        .all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '$' | '.'));
    if is_name { at + 1 } else { 0 }
}

/// The bracket that closes what begins here: not one in quotes, nor one of a pair inside.
fn closing(text: &str) -> Option<usize> {
    let (mut quote, mut open, mut is_escaped) = (None, 0, false);
    for (at, sign) in text.char_indices() {
        match (quote, sign) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(of), _) => quote = quote.filter(|_| sign != of),
            (None, '"' | '\'') => quote = Some(sign),
            (None, '[') => open += 1,
            (None, ']') if open == 0 => return Some(at),
            (None, ']') => open -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, root: &str, parts: &[&str]) {
        let (found, rest) = split(path).unwrap();
        let shown: Vec<String> = rest
            .iter()
            .map(|part| match part {
                Part::Field(name) => format!(".{name}"),
                Part::Index(index) => format!("[{index}]"),
                Part::Key(key) => format!("[{key}]"),
            })
            .collect();
        assert_eq!(
            (found.as_str(), shown),
            (root, parts.iter().map(|p| (*p).to_owned()).collect())
        );
    }

    #[test]
    fn paths() {
        check("i", "i", &[]);
        check("this.next.value", "this", &[".next", ".value"]);
        check("#12.size", "#12", &[".size"]);
        check("int[]#7[2]", "int[]#7", &["[2]"]);
        check("c[2][0].x", "c", &["[2]", "[0]", ".x"]);
        check(
            "this.of[\"a.b]#1\"].x",
            "this",
            &[".of", "[\"a.b]#1\"]", ".x"],
        );
        check("m[Point#5{x=[1]}]", "m", &["[Point#5{x=[1]}]"]);
        check("m[PLUS]['\\'']", "m", &["[PLUS]", "['\\'']"]);
        for bad in ["", ".x", "c[", "c[]", "a..b", "c]"] {
            assert!(split(bad).is_none_or(|(root, _)| root == "c]"), "{bad}");
        }
    }
}
