//! Which lines of a program have changed since a revision, as git tells.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;

use super::worktree::{WorktreeError, git, text};

/// Changed lines by the path of their file in the repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedLines(HashMap<String, Vec<RangeInclusive<u32>>>);

impl ChangedLines {
    /// What has changed between a revision and the working tree of the repository that a folder is in. Where
    /// something was only removed, the lines on both sides count.
    ///
    /// # Errors
    /// If there is no repository, or no such revision.
    pub fn since(revision: &str, inside: &Path) -> Result<ChangedLines, WorktreeError> {
        let top = git(inside, ["rev-parse", "--show-toplevel"])?;
        if !top.status.success() {
            return Err(WorktreeError::NoRepository(inside.to_owned()));
        }
        let commit = format!("{revision}^{{commit}}");
        let words = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ];
        let found = git(inside, words)?;
        let commit = text(&found.stdout);
        if !found.status.success() {
            return Err(WorktreeError::UnknownRevision(revision.to_owned()));
        }
        let words = [
            "-c",
            "core.quotePath=false",
            "diff",
            "--unified=0",
            "--no-color",
            "--no-ext-diff",
            "--no-prefix",
            commit.trim_end(),
        ];
        let diff = git(Path::new(text(&top.stdout).trim_end()), words)?;
        Ok(ChangedLines::parse(&text(&diff.stdout)))
    }

    fn parse(diff: &str) -> ChangedLines {
        let mut changes = ChangedLines::default();
        let mut file: Option<&str> = None;
        // Lines of content begin like headers may; how many there are is told by their hunk.
        let mut content = 0;
        for line in diff.lines() {
            if content > 0 {
                content -= u32::from(!line.starts_with('\\'));
            } else if let Some(path) = line.strip_prefix("+++ ") {
                file = Some(path).filter(|path| *path != "/dev/null");
            } else if let Some((removed, added)) = hunk(line) {
                content = removed.1 + added.1;
                if let Some(file) = file {
                    let (start, count) = added;
                    let lines = match count {
                        0 => start..=start + 1,
                        _ => start..=start + count - 1,
                    };
                    changes.0.entry(file.to_owned()).or_default().push(lines);
                }
            }
        }
        changes
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether something has changed between two lines of a file, which is named from some source folder on:
    /// `shop/Cart.java`.
    #[must_use]
    pub fn touch(&self, file: &str, lines: RangeInclusive<u32>) -> bool {
        let is_file = |path: &str| {
            let before = path.strip_suffix(file);
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let mut changed = self.0.iter().filter(|(path, _)| is_file(path));
        changed.any(|(_, changed)| {
            let mut changed = changed.iter();
            changed.any(|range| range.start() <= lines.end() && lines.start() <= range.end())
        })
    }
}

/// Start and number of the lines on both sides: `@@ -3,2 +3,5 @@`.
fn hunk(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let mut words = line.strip_prefix("@@ -")?.split(' ');
    let side = |word: &str| {
        let (start, count) = word.split_once(',').unwrap_or((word, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    let removed = side(words.next()?)?;
    let added = side(words.next()?.strip_prefix('+')?)?;
    Some((removed, added))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_tell_the_lines() {
        let diff = "diff --git src/shop/Cart.java src/shop/Cart.java
--- src/shop/Cart.java
+++ src/shop/Cart.java
@@ -3,0 +4,2 @@ class Cart {
+++ no header
+two
@@ -9 +11 @@ class Cart {
-old
+new
@@ -20,2 +21,0 @@ class Cart {
-gone
-gone
diff --git a.txt a.txt
--- a.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
";
        let changes = ChangedLines::parse(diff);
        let touch = |first, last| changes.touch("shop/Cart.java", first..=last);
        assert!(!touch(1, 3) && touch(4, 4) && touch(5, 6) && !touch(6, 10));
        assert!(
            touch(11, 11) && !touch(12, 20) && touch(21, 30) && touch(22, 22) && !touch(23, 30)
        );
        assert!(!changes.touch("op/Cart.java", 1..=99) && !changes.touch("Other.java", 1..=99));
        assert!(changes.touch("Cart.java", 4..=4));
        assert_eq!(changes.0.len(), 1);
    }
}
