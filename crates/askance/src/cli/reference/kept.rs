//! A reference's recording, kept in the trace that it was recorded for: who asks again with the same reference need not
//! wait for it again.
//!
//! It is found by a number that is made of what the reference is: the names, sizes and times of its files, or a
//! revision's commit and how it was built. If any of them is another one, the reference is recorded anew.

use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use java_model::stable_hash::StableHasher;
use launch::worktree;
use trace_format::files;

/// With more files than this a reference is recorded each time.
const MOST_FILES: usize = 50_000;

/// Where the recording of a reference is kept in a trace; `None` if it cannot be told whether it is the same reference.
pub(super) fn place(
    trace: &Path,
    working_directory: &Path,
    reference: &Path,
    build: Option<&str>,
) -> Option<PathBuf> {
    let mut hash = StableHasher::new();
    build.hash(&mut hash);
    match super::revision(reference) {
        Some(revision) => worktree::commit(working_directory, revision)?.hash(&mut hash),
        None if super::is_source(reference) => {
            // What stands beside a source file is compiled with it.
            reference.file_name().hash(&mut hash);
            files_below(reference.parent()?, &mut hash)?;
        }
        None => {
            for entry in std::env::split_paths(reference) {
                let entry = match entry.ends_with("*") {
                    true => entry.parent()?.to_owned(),
                    false => entry,
                };
                files_below(&entry, &mut hash)?;
            }
        }
    }
    let name = format!("{:016x}", hash.finish());
    Some(trace.join(files::REFERENCES).join(name))
}

/// Takes names, sizes and times of all files below a folder into a number; `None` if there are too many of them.
fn files_below(folder: &Path, hash: &mut StableHasher) -> Option<()> {
    let folder = std::path::absolute(folder).ok()?;
    let mut found = Vec::new();
    let mut open = vec![folder];
    while let Some(path) = open.pop() {
        let Ok(about) = std::fs::metadata(&path) else {
            found.push((path, 0, None));
            continue;
        };
        if about.is_dir() {
            let entries = std::fs::read_dir(&path).ok()?;
            open.extend(entries.flatten().map(|entry| entry.path()));
        } else {
            found.push((path, about.len(), about.modified().ok()));
        }
        if found.len() + open.len() > MOST_FILES {
            return None;
        }
    }
    found.sort();
    for (path, length, time) in found {
        let since = time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        (path, length, since).hash(hash);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_makes_another_reference() {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("out");
        std::fs::create_dir(&classes).unwrap();
        std::fs::write(classes.join("A.class"), "one").unwrap();
        let place = || place(Path::new("t"), Path::new("."), &classes, None);
        let first = place().unwrap();
        assert_eq!(place(), Some(first.clone()));
        std::fs::write(classes.join("A.class"), "other").unwrap();
        assert_ne!(place(), Some(first));
    }
}
