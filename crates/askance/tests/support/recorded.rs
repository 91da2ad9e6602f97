//! Recordings to look back at, made once for all tests of a binary.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::sync::OnceLock;

use super::{Said, askance, run};
use test_support::{Example, ExampleVersion};

/// An example's buggy version, recorded once for all tests of this file.
pub(crate) struct Recorded {
    pub(crate) folder: tempfile::TempDir,
}

impl Recorded {
    pub(crate) fn new(name: &str) -> Recorded {
        let examples = Example::all().unwrap();
        let example = examples
            .into_iter()
            .find(|example| example.name == name)
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = example
            .main_file(ExampleVersion::Buggy)
            .display()
            .to_string();
        let said = run(folder.path(), ["record", "-o", "trace", file.as_str()]);
        said.recorded();
        Recorded { folder }
    }

    /// A copy of the trace under another name: answers are kept in it.
    pub(crate) fn copy(&self, name: &str) -> String {
        let copy = self.folder.path().join(name);
        copy_folder(&self.folder.path().join("trace"), &copy);
        copy.to_str().unwrap().to_owned()
    }

    pub(crate) fn say(&self, command: &str, arguments: &[&str]) -> Said {
        let all = [&[command, "trace"], arguments].concat();
        run(self.folder.path(), all)
    }

    #[track_caller]
    pub(crate) fn shows(&self, command: &str, arguments: &[&str]) -> String {
        let said = self.say(command, arguments);
        assert_eq!(said.code, Some(0), "{}", said.err);
        said.out
    }
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

pub(crate) fn merge_sort() -> &'static Recorded {
    static RECORDED: OnceLock<Recorded> = OnceLock::new();
    RECORDED.get_or_init(|| Recorded::new("merge-sort"))
}

pub(crate) fn two_threads() -> &'static Recorded {
    static RECORDED: OnceLock<Recorded> = OnceLock::new();
    RECORDED.get_or_init(|| Recorded::new("two-threads"))
}

/// Runs the prompt with a script at its input.
pub(crate) fn step(recorded: &Recorded, node: &str, script: &str) -> Said {
    let mut command = askance(recorded.folder.path());
    command.args(["step", "trace", node]).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap().into()
}
