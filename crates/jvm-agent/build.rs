//! Makes a table of the Java classes that are kept in `java-runtime/classes`, which become a part of the library.
//!
//! It lists whatever is there: a class that has not been compiled yet is missing from the table, but does not keep
//! `cargo xtask runtime`, which compiles it and is built together with this crate, from being built.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let kept = Path::new("../../java-runtime/classes");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", kept.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("java_classes.rs"), table(&kept.canonicalize()?)?)
}

/// An expression: each class's name and its bytes.
fn table(kept: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(kept)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == "class") {
            files.push(path);
        }
    }
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        let class = file.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("java/lang/{class}");
        let path = file.display().to_string();
        // Writing to a string cannot fail.
        let _ = writeln!(table, "    (c{name:?}, include_bytes!({path:?})),");
    }
    table.push_str("]\n");
    Ok(table)
}
