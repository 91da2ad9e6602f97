//! How a path is written: a name, then fields and elements.

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Field(String),
    Index(u32),
}

/// The first name and what comes after it.
pub(super) fn split(path: &str) -> Option<(String, Vec<Part>)> {
    // `int[]#7[2]`: brackets before the number belong to the name.
    let name = path.rfind('#').map_or(0, |at| at + 1);
    let end = path[name..]
        .find(['.', '['])
        .map_or(path.len(), |at| at + name);
    let (root, mut rest) = path.split_at(end);
    let mut parts = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (index, after) = after.split_once(']')?;
            parts.push(Part::Index(index.trim().parse().ok()?));
            rest = after;
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
        for bad in ["", ".x", "c[", "c[x]", "a..b", "c]"] {
            assert!(split(bad).is_none_or(|(root, _)| root == "c]"), "{bad}");
        }
    }
}
