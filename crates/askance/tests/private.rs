//! What other users of the machine can see of a recording: nothing, neither on the disk nor on a port.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::recorded::merge_sort;
use crate::support::{Said, as_a_user, askance};
use test_support::workspace_root;

/// Nobody in particular.
const ANOTHER: &str = "65534";

/// A folder that everybody can look into, with a home, a folder for temporary files, and one to work in.
struct Machine(tempfile::TempDir);

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().unwrap();
        let machine = Machine(folder);
        open_to_all(machine.0.path(), 0o755);
        for name in ["home", "project", "tmp"] {
            let path = machine.0.path().join(name);
            fs::create_dir(&path).unwrap();
            let mode = if name == "tmp" { 0o1777 } else { 0o755 };
            open_to_all(&path, mode);
        }
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, words: &[&str]) -> Said {
        let mut command = Command::new("sh");
        command.args(["-c", "umask 022; exec \"$0\" \"$@\""]);
        command.arg(env!("CARGO_BIN_EXE_askance")).args(words);
        as_a_user(&mut command, &self.path("project"));
        for name in ["XDG_STATE_HOME", "XDG_CACHE_HOME", "ASKANCE_MEMORY"] {
            command.env_remove(name);
        }
        command.env("HOME", self.path("home"));
        command.env("TMPDIR", self.path("tmp"));
        command.output().unwrap().into()
    }

    /// The files that others can read: all folders on the way to them are open.
    fn exposed(&self) -> BTreeSet<PathBuf> {
        let mut exposed = BTreeSet::new();
        let mut open = vec![self.0.path().to_owned()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let Ok(metadata) = entry.metadata() else {
                    continue; // it has gone
                };
                if metadata.is_dir() && metadata.mode() & 0o001 != 0 {
                    open.push(entry.path());
                } else if metadata.is_file() && metadata.mode() & 0o044 != 0 {
                    exposed.insert(entry.path());
                }
            }
        }
        exposed
    }
}

fn open_to_all(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// The same command as another user gives it, where we may do that.
fn as_another_user(words: &[&str]) -> Option<Command> {
    let mut command = match rustix::process::geteuid().is_root() {
        true => Command::new("setpriv"),
        false => Command::new("sudo"),
    };
    match rustix::process::geteuid().is_root() {
        true => command.args([
            "--reuid",
            ANOTHER,
            "--regid",
            ANOTHER,
            "--clear-groups",
            "--",
        ]),
        false => command.args(["-n", "-u", "nobody", "--"]),
    };
    let mut trial = Command::new(command.get_program());
    let may = trial.args(command.get_args()).arg("true").output();
    if !may.is_ok_and(|output| output.status.success()) {
        test_support::skip("nothing can be run as another user here: neither as root nor by sudo");
        return None;
    }
    command.args(words).stdin(Stdio::null());
    Some(command)
}

#[test]
fn nobody_else_can_read_what_is_on_the_disk() {
    let machine = &Machine::new();
    let [fixed, buggy] = ["fixed", "buggy"].map(|version| {
        let file = workspace_root().join(format!("examples/merge-sort/{version}/Main.java"));
        file.display().to_string()
    });
    let done = AtomicBool::new(false);
    let exposed = std::thread::scope(|scope| {
        // Also what is there for a moment.
        let watch = scope.spawn(|| {
            let mut exposed = machine.exposed();
            while !done.load(Ordering::SeqCst) {
                exposed.extend(machine.exposed());
                std::thread::sleep(Duration::from_millis(2));
            }
            exposed
        });
        let debug = ["debug", "--non-interactive", "--json", "--reference"];
        let said = machine.run(&[&debug[..], &[&fixed, &buggy]].concat());
        assert_eq!(said.json()["outcome"], "found", "{}", said.err);
        machine.run(&["record", "-o", "t", &buggy]).recorded();
        fs::write(machine.path("project/answers"), "n\nn\nn\n").unwrap();
        let said = machine.run(&["ask", "t", "--answers", "answers"]);
        assert!(said.err.contains("answer"), "{}", said.err);
        done.store(true, Ordering::SeqCst);
        watch.join().unwrap()
    });
    let ours: Vec<&PathBuf> = exposed
        .iter()
        .filter(|path| !path.ends_with("project/answers"))
        .collect();
    assert!(ours.is_empty(), "{ours:#?}");
    assert!(machine.path("project/t").is_dir());
    assert!(machine.path("home/.local/state/askance/traces").is_dir());

    let path = machine.0.path().to_string_lossy().into_owned();
    let Some(mut find) = as_another_user(&["find", &path, "-type", "f", "-readable"]) else {
        return;
    };
    let found = find.output().unwrap();
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    let found: Vec<&str> = found.lines().collect();
    assert_eq!(found, [format!("{path}/project/answers")]);
}

/// What comes back from a port when somebody says these words to it, as this user or as another one.
fn said_to(address: &str, words: &str, other: bool) -> Option<String> {
    let port = address.rsplit(':').next().unwrap();
    let script = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{port} && printf '{words}' >&3 && timeout 5 head -c 14 <&3"
    );
    let words = ["bash", "-c", &script];
    let mut command = match other {
        true => as_another_user(&words)?,
        false => {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]);
            command
        }
    };
    let said = command.output().unwrap();
    Some(String::from_utf8_lossy(&said.stdout).into_owned())
}

/// A command that serves a recording, and the address that it prints.
fn serving(words: &[&str]) -> (std::process::Child, String) {
    let mut command = askance(merge_sort().folder.path());
    command.args(words);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    let out = child.stdout.as_mut().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line).unwrap();
    (child, line.trim().to_owned())
}

#[test]
fn nobody_else_is_heard_on_a_port() {
    let (mut jdwp, address) = serving(&["jdwp", "trace"]);
    let (mut page, url) = serving(&["serve", "trace", "--no-open"]);
    let (host, path) = url
        .strip_prefix("http://")
        .unwrap()
        .split_once('/')
        .unwrap();
    let request = format!("GET /{path} HTTP/1.1\\r\\nHost: {host}\\r\\n\\r\\n");
    let talks = [
        (address.as_str(), "JDWP-Handshake", "JDWP-Handshake"),
        // The secret does not help them: it is on the command line of the browser, for all to see.
        (host, request.as_str(), "HTTP/1.1 200 O"),
    ];
    for (address, words, answer) in talks {
        assert_eq!(said_to(address, words, false).as_deref(), Some(answer));
        if let Some(heard) = said_to(address, words, true) {
            assert_eq!(heard, "", "{address}");
        }
        // It goes on for whoever may.
        assert_eq!(said_to(address, words, false).as_deref(), Some(answer));
    }
    for child in [&mut jdwp, &mut page] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
