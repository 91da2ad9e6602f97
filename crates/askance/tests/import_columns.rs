//! The files of an imported tree: small where the file says little, and readable in all their versions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::support::{Said, run};

fn import(folder: &Path, lines: &str) {
    std::fs::write(folder.join("calls.jsonl"), lines).unwrap();
    let said = run(folder, ["import", "calls.jsonl", "-o", "t"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
}

/// A caller and its callees, with these numbers, the names of so many routines in turn, and a text where
/// `says` has one.
fn star(
    calls: u64,
    id: impl Fn(u64) -> u64,
    routines: u64,
    says: impl Fn(u64) -> String,
) -> String {
    let mut lines = String::new();
    for call in 0..calls {
        let parent = if call == 0 {
            "null".to_owned()
        } else {
            id(0).to_string()
        };
        let (number, routine, text) = (id(call), call % routines, says(call));
        let _ = writeln!(
            lines,
            r#"{{"id":{number},"parent":{parent},"name":"m{routine}"{text}}}"#
        );
    }
    lines
}

fn nothing(_: u64) -> String {
    String::new()
}

/// The sizes of the files in the folder of the tree.
fn files(folder: &Path) -> BTreeMap<String, u64> {
    let files = std::fs::read_dir(folder.join("t/imported")).unwrap();
    let sizes = files.map(|file| {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        (name, file.metadata().unwrap().len())
    });
    sizes.collect()
}

fn show(folder: &Path, call: u32) -> Said {
    run(folder, ["show", "t", &format!("#{call}")])
}

#[test]
fn a_tree_without_texts_takes_fourteen_bytes_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let calls = 6400;
    import(folder.path(), &star(calls, |call| call + 5, 100, nothing));
    let files = files(folder.path());
    let besides = ["tree.json", "names", "names_at", "chains"];
    let columns = files
        .iter()
        .filter(|(name, _)| !besides.contains(&name.as_str()));
    let bytes: u64 = columns.map(|(_, bytes)| bytes).sum();
    assert_eq!(bytes, calls * 14 + calls / 64 * 4, "{files:?}");
    let said = show(folder.path(), 6399);
    assert!(said.out.contains("m99"), "{}", said.out);
}

#[test]
fn numbers_and_texts_may_begin_late() {
    let folder = tempfile::tempdir().unwrap();
    let id = |call| if call < 7 { call } else { call + 100 };
    let says = |call| match call {
        0..8 => String::new(),
        call => format!(r#","returns":{}"#, call * 1000),
    };
    import(folder.path(), &star(10, id, 3, says));
    let files = files(folder.path());
    assert_eq!((files["ids"], files["texts_at"]), (80, 88));
    for call in 0..10 {
        let said = show(folder.path(), call);
        let returned = format!("→ {}", call * 1000);
        assert_eq!(said.out.contains(&returned), call >= 8, "{}", said.out);
    }
    let tree = run(folder.path(), ["tree", "t", "--json"]).out;
    for call in 0..10 {
        assert!(tree.contains(&format!("m{}", call % 3)), "{tree}");
    }
}

#[test]
fn many_routines_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let calls = 40_000;
    import(folder.path(), &star(calls, |call| call, calls, nothing));
    assert_eq!(files(folder.path())["routines"], 3 * calls);
    for call in [0, 5, 32_767, 32_768, 39_999] {
        let said = show(folder.path(), call);
        assert!(
            said.out.contains(&format!("#{call} m{call}\n")),
            "{}",
            said.out
        );
    }
}

/// The largest number that there is, as the first and as a later one.
#[test]
fn numbers_may_be_large() {
    for first in [u64::MAX, u64::MAX - 1] {
        let folder = tempfile::tempdir().unwrap();
        let calls = u64::MAX - first + 1;
        import(folder.path(), &star(calls, |call| first + call, 1, nothing));
        assert_eq!(show(folder.path(), 0).code, Some(0));
    }
}

/// The first version had wide columns and said nothing about them.
#[test]
fn trees_of_the_first_version_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let state = |call| format!(r#","before":{{"x":{call}}},"after":{{"x":{}}}"#, call + 1);
    import(folder, &star(40, |call| call * 2, 7, state));
    let everything = |folder| {
        let tree = run(folder, ["tree", "t", "--json"]).out;
        let eval = run(folder, ["eval", "t", "--strategies", "ranges", "--json"]).json();
        (tree, eval["strategies"][0]["average"].clone())
    };
    let new = everything(folder);
    let column = folder.join("t/imported/routines");
    let narrow = std::fs::read(&column).unwrap();
    let wide = narrow.as_chunks::<2>().0.iter().flat_map(|&entry| {
        let entry = u16::from_le_bytes(entry);
        let (routine, chained) = (entry & 0x7fff, entry >> 15);
        (u32::from(routine) | u32::from(chained) << 31).to_le_bytes()
    });
    std::fs::write(&column, wide.collect::<Vec<u8>>()).unwrap();
    let describe = |version: u32| {
        let json =
            format!(r#"{{"version":{version},"from":"calls.jsonl","nodes":40,"routines":7}}"#);
        std::fs::write(folder.join("t/imported/tree.json"), json).unwrap();
    };
    describe(1);
    assert_eq!(everything(folder), new);
    describe(3);
    show(folder, 0).refused(2, "made by a newer version of askance");
}
