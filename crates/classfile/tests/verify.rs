//! Rewrites every class of many real jars and lets a JVM verify the result.
//!
//! Each method gets everything the editor can do at once. Some methods are blown up to almost
//! the largest size there is, so that jumps no longer reach their targets. Old class files (no
//! stack maps, `jsr`) come from the jars as well.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::rewrite::{Tally, rewrite_class};

#[test]
fn rewritten_classes_verify() {
    let originals = common::class_files();
    let rewritten = tempfile::tempdir().unwrap();
    let mut tally = Tally::default();
    for file in common::files_below(&originals) {
        let bytes = fs::read(&file).unwrap();
        let new = rewrite_class(&bytes, &mut tally);
        let target = rewritten
            .path()
            .join(file.strip_prefix(&originals).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, new).unwrap();
    }
    println!("{tally:#?}");
    println!(
        "{:.1} MB/s",
        tally.bytes as f64 / 1e6 / tally.time.as_secs_f64()
    );
    for (what, count) in [
        ("methods", tally.methods),
        ("wide gotos", tally.wide_gotos),
        ("stubs at the end", tally.end_stubs),
        ("stubs at the start", tally.start_stubs),
        //("methods without frames", tally.old_methods),
        //("subroutines", tally.subroutines),
        ("constructors", tally.constructors),
    ] {
        assert!(count > 0, "the jars gave no {what} to test");
    }

    let before = link_errors(&originals);
    let after = link_errors(rewritten.path());
    let new_errors: Vec<_> = after
        .iter()
        .filter(|&(class, error)| before.get(class).map(|e| &e.kind) != Some(&error.kind))
        .collect();
    println!("{} errors before, {} after", before.len(), after.len());
    assert!(
        new_errors.is_empty(),
        "{} classes fail:\n{:#?}",
        new_errors.len(),
        &new_errors[..new_errors.len().min(8)]
    );
}

#[derive(Debug)]
struct LinkError {
    kind: String,
    #[expect(dead_code, reason = "shown when the test fails")]
    message: String,
}

fn link_errors(directory: &Path) -> BTreeMap<String, LinkError> {
    let output = common::java(&["-Xverify:all", "-Xmx2g"], "link", directory, []);
    let mut errors = BTreeMap::new();
    for line in output.lines() {
        let mut parts = line.splitn(3, '\t').map(str::to_owned);
        if let (Some(class), Some(kind), Some(message)) = (parts.next(), parts.next(), parts.next())
        {
            errors.insert(class, LinkError { kind, message });
        } else {
            println!("{line}");
        }
    }
    errors
}
