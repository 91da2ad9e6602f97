//! Real class files to test with: those of the jars that are installed on the machine.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]
#![allow(dead_code, reason = "each test program uses its part")]

pub(crate) mod rewrite;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const JARS: &str = "/usr/share/java";

/// A directory with one directory of class files per jar. Made once and kept.
pub(crate) fn class_files() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("classes-of-jars");
    if directory.is_dir() {
        return directory;
    }
    let mut jars: Vec<PathBuf> = fs::read_dir(JARS)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    // Links are other names of jars that are there anyway.
    jars.retain(|path| path.extension().is_some_and(|ext| ext == "jar") && !path.is_symlink());
    jars.sort();
    assert!(
        !jars.is_empty(),
        "no jars in {JARS}: install some with `cargo xtask setup`"
    );
    let parent = directory.parent().unwrap();
    let fresh = tempfile::tempdir_in(parent).unwrap();
    let arguments = jars.iter().map(|jar| jar.to_str().unwrap());
    java(&[], "extract", fresh.path(), arguments);
    // Another test may have been faster.
    let _ = fs::rename(fresh.path(), &directory);
    assert!(directory.is_dir());
    directory
}

/// Runs `Loader.java`; returns what it printed.
pub(crate) fn java<'a>(
    options: &[&str],
    mode: &str,
    directory: &Path,
    arguments: impl IntoIterator<Item = &'a str>,
) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Loader.java");
    let output = Command::new("java")
        .args(options)
        .arg(source)
        .arg(mode)
        .arg(directory)
        .args(arguments)
        .output()
        .expect("java is on the PATH");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// All class files below a directory, in order.
pub(crate) fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn write_at(directory: &Path, relative: &Path, bytes: &[u8]) {
    let file = directory.join(relative);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}
