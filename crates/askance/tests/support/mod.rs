//! Running the executable as a user would.

pub(crate) mod recorded;
pub(crate) mod served;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What the executable said and how it ended.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    /// The last line of the data, as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        let line = self
            .out
            .lines()
            .last()
            .unwrap_or_else(|| panic!("no data; {}", self.err));
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}\n{}", self.err))
    }

    /// Fails unless a program was recorded, however it ended.
    #[track_caller]
    pub(crate) fn recorded(&self) {
        assert!(self.err.contains("the trace is in"), "{}", self.err);
    }

    /// Fails unless it ended with this code and its talk contains this.
    #[track_caller]
    pub(crate) fn refused(&self, code: i32, words: &str) {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        assert!(
            self.err.contains(words),
            "{words:?} is not in: {}",
            self.err
        );
        assert!(
            !self.err.contains("panicked") && !self.err.contains("backtrace"),
            "{}",
            self.err
        );
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        Said {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// What tests set for the executable, so that nothing of the user's is read or written.
pub(crate) fn environment() -> [(&'static str, PathBuf); 3] {
    [
        ("ASKANCE_MEMORY", "off".into()),
        ("XDG_STATE_HOME", own_folder("state")),
        ("XDG_CACHE_HOME", own_folder("cache")),
    ]
}

/// A folder of the tests' own in the place of one of the user's.
fn own_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The executable, in a folder of its own, with nobody at its input.
pub(crate) fn askance(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_askance"));
    as_a_user(&mut command, folder);
    command
}

/// A command as somebody gives it in a folder who has set nothing up, with nobody at its input.
pub(crate) fn as_a_user(command: &mut Command, folder: &Path) {
    command.current_dir(folder).stdin(Stdio::null());
    command
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("CLASSPATH")
        .env_remove("ASKANCE_LOG")
        .envs(environment());
}

/// Runs it to its end.
pub(crate) fn run<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Said {
    askance(folder).args(arguments).output().unwrap().into()
}

#[track_caller]
pub(crate) fn wait_for(what: &str, is_there: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !is_there() {
        assert!(Instant::now() < patience, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The names in a folder.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The folder of the only JVM in a trace.
pub(crate) fn jvm_folder(trace: &Path) -> PathBuf {
    let name = names(trace)
        .into_iter()
        .find(|name| name.starts_with("jvm-"));
    trace.join(name.unwrap())
}

/// Where the answers are kept about the only JVM of a trace, or about an imported tree, which is number 0.
pub(crate) fn answers_file(trace: &Path) -> PathBuf {
    let names = names(trace);
    let number = names.iter().find_map(|name| name.strip_prefix("jvm-"));
    trace.join(format!("session-{}.json", number.unwrap_or("0")))
}

/// Kills the JVM that is being recorded.
pub(crate) fn kill_jvm(trace: &Path) {
    let folder = jvm_folder(trace);
    let number = folder.to_string_lossy();
    let number = number.rsplit_once("jvm-").unwrap().1.parse().unwrap();
    let process = rustix::process::Pid::from_raw(number).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
}

/// Writes a source file into a folder.
pub(crate) fn source(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

pub(crate) const HELLO: &str = "public class Hello { public static void main(String[] args) { System.out.println(twice(args.length)); } static int twice(int n) { return 2 * n; } }";

/// The executable that answers SQL, if it was built: `cargo test --workspace` does that.
pub(crate) fn companion() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_BIN_EXE_askance")).with_file_name("askance-query");
    let beside = Some(beside).filter(|beside| beside.is_file());
    let reason = "askance-query is not built; `cargo build -p askance-query` does it";
    test_support::require(beside, reason)
}
