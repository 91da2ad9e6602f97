//! Traces whose files were damaged at random: every command says what it can or one sentence, and
//! ends. (What the store makes of damage is tested there; this is what a user would see.)

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Said, askance};
use proptest::prelude::*;
use proptest::sample::Index;

/// No command takes a tenth of this on the whole trace.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone)]
enum Damage {
    Change { at: Index, to: u8 },
    Clear { from: Index, length: usize },
    Cut { at: Index },
    Repeat { from: Index, length: usize },
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => (any::<Index>(), any::<u8>()).prop_map(|(at, to)| Damage::Change { at, to }),
        1 => (any::<Index>(), 1usize..300).prop_map(|(from, length)| Damage::Clear { from, length }),
        1 => any::<Index>().prop_map(|at| Damage::Cut { at }),
        1 => (any::<Index>(), 1usize..300).prop_map(|(from, length)| Damage::Repeat { from, length }),
    ]
}

impl Damage {
    fn strike(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match *self {
            Damage::Change { at, to } => {
                let at = at.index(bytes.len());
                bytes[at] = to;
            }
            Damage::Clear { from, length } => {
                let from = from.index(bytes.len());
                let end = bytes.len().min(from + length);
                bytes[from..end].fill(0);
            }
            Damage::Cut { at } => bytes.truncate(at.index(bytes.len())),
            Damage::Repeat { from, length } => {
                let from = from.index(bytes.len());
                let end = bytes.len().min(from + length);
                let again = bytes[from..end].to_vec();
                bytes.splice(end..end, again);
            }
        }
    }
}

/// All files below a folder, in a settled order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&file, &target).unwrap();
    }
}

fn commands() -> [Vec<&'static str>; 7] {
    [
        vec!["info", "trace"],
        vec!["tree", "trace", "--depth", "3"],
        vec!["show", "trace", "2"],
        vec!["events", "trace", "2"],
        vec!["history", "trace", "2:i"],
        vec!["why", "trace", "2", "return"],
        vec!["ask", "trace", "--non-interactive", "--json"],
    ]
}

/// Runs a command to its end, which must come in time, be an ordinary one, and not be a panic.
fn ends_well(folder: &Path, arguments: &[&str]) {
    let mut command = askance(folder);
    command.args(arguments);
    let error = folder.join("err");
    command.stdout(Stdio::null());
    command.stderr(fs::File::create(&error).unwrap());
    let mut child = command.spawn().unwrap();
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let said = fs::read(&error).unwrap();
    let said = String::from_utf8_lossy(&said);
    assert!(
        status.code().is_some_and(|code| (0..=2).contains(&code)),
        "{arguments:?}: {status}\n{said}"
    );
    assert!(!said.contains("panicked"), "{arguments:?}: {said}");
}

#[test]
fn no_command_breaks_on_a_damaged_trace() {
    let recorded = crate::support::recorded::merge_sort();
    let folder = tempfile::tempdir().unwrap();
    let whole = recorded.folder.path().join("trace");
    // The indexes are files too.
    recorded.shows("show", &["2"]);
    recorded.shows("history", &["2:i"]);
    let names: Vec<PathBuf> = files(&whole)
        .iter()
        .map(|file| file.strip_prefix(&whole).unwrap().to_owned())
        .collect();
    let config = ProptestConfig {
        cases: 30,
        failure_persistence: None,
        max_shrink_iters: 12,
        ..ProptestConfig::default()
    };
    let trace = folder.path().join("trace");
    proptest!(config, |(file in any::<Index>(), strikes in prop::collection::vec(damage(), 1..6))| {
        let _ = fs::remove_dir_all(&trace);
        copy(&whole, &trace);
        let file = trace.join(&names[file.index(names.len())]);
        let mut bytes = fs::read(&file).unwrap();
        strikes.iter().for_each(|damage| damage.strike(&mut bytes));
        fs::write(&file, bytes).unwrap();
        for arguments in commands() {
            ends_well(folder.path(), &arguments);
        }
    });
}

/// The first constant of each class file gets a tag that no constant has.
fn spoil_class_files(trace: &Path) {
    const BEFORE_CONSTANTS: usize = 10;
    let all = files(trace);
    let classes = all.iter().filter(|file| file.ends_with("classes"));
    for file in classes {
        let mut bytes = fs::read(file).unwrap();
        let begins: Vec<usize> = (0..bytes.len())
            .filter(|&at| bytes[at..].starts_with(&[0xca, 0xfe, 0xba, 0xbe]))
            .collect();
        assert!(!begins.is_empty());
        for begin in begins {
            bytes[begin + BEFORE_CONSTANTS] = u8::MAX;
        }
        fs::write(file, bytes).unwrap();
    }
}

#[test]
fn a_call_whose_code_cannot_be_read_says_so() {
    let recorded = crate::support::recorded::merge_sort();
    let trace = recorded.copy("spoilt");
    spoil_class_files(Path::new(&trace));
    let said = crate::support::run(recorded.folder.path(), ["show", "spoilt", "2"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let told = "some of what was recorded cannot be read: the code of Main.";
    assert!(said.out.contains(told), "{}", said.out);
}

/// What is said where something cannot be trusted.
fn tells_of_damage(said: &Said) -> bool {
    let words = [
        "damaged",
        "cannot be read",
        "cannot read",
        "not a trace",
        "not as it was recorded",
    ];
    words
        .iter()
        .any(|word| said.err.contains(word) || said.out.contains(word))
}

/// What can happen to a file as a whole.
fn accidents(whole: &[u8]) -> Vec<(&'static str, Option<Vec<u8>>)> {
    let (length, third) = (whole.len(), whole.len() / 3);
    let overwritten = |with: u8| {
        let mut bytes = whole.to_vec();
        bytes[third..length - third].fill(with);
        bytes
    };
    vec![
        ("removed", None),
        ("emptied", Some(Vec::new())),
        ("cut", Some(whole[..length / 2].to_vec())),
        ("zeroed", Some(overwritten(0))),
        ("overwritten", Some(overwritten(0xff))),
    ]
}

/// Every file is damaged in every way, and everything asked: an answer is the same as before, or comes with the word
/// that the trace is damaged.
#[test]
fn nothing_is_claimed_of_what_is_damaged() {
    let recorded = crate::support::recorded::merge_sort();
    let asked: Vec<Vec<&str>> = commands()
        .into_iter()
        .chain([
            vec!["show", "trace", "2", "--json"],
            vec!["output", "trace"],
            vec!["suspects", "trace"],
        ])
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    copy(&recorded.folder.path().join("trace"), &trace);
    let before: Vec<Said> = asked
        .iter()
        .map(|words| crate::support::run(folder.path(), words))
        .collect();
    assert!(!before.iter().any(tells_of_damage));
    let whole = folder.path().join("whole");
    copy(&trace, &whole);
    let mut tried = 0;
    for file in files(&whole) {
        let name = file.strip_prefix(&whole).unwrap();
        let bytes = fs::read(&file).unwrap();
        // What is noted of the run as a whole, and what was said in a session, has no seal.
        if bytes.is_empty() || name.components().count() == 1 {
            continue;
        }
        let is_index = name.components().any(|part| part.as_os_str() == "index");
        let all = accidents(&bytes).into_iter();
        // Indexes are many, and none is treated in another way than the others.
        let (skipped, step) = if is_index { (3, 3) } else { (0, 1) };
        for (accident, left) in all.skip(skipped) {
            // Without a seal nobody knows.
            if left.as_ref() == Some(&bytes) || name.ends_with("seal.json") && left.is_none() {
                continue;
            }
            for (words, before) in asked.iter().zip(&before).step_by(step) {
                fs::remove_dir_all(&trace).unwrap();
                copy(&whole, &trace);
                let damaged = trace.join(name);
                match &left {
                    Some(bytes) => fs::write(&damaged, bytes).unwrap(),
                    None => fs::remove_file(&damaged).unwrap(),
                }
                let said = crate::support::run(folder.path(), words);
                let place = format!("{} {accident}, {words:?}", name.display());
                assert!(!said.err.contains("panicked"), "{place}: {}", said.err);
                assert!(
                    said.out == before.out && said.code == before.code
                        || !is_index && tells_of_damage(&said),
                    "{place}: {}\n{}\nbefore:\n{}",
                    said.err,
                    said.out,
                    before.out
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "{tried}");
}
