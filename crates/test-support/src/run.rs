//! Runs programs with a time limit and keeps what they print.
//!
//! Each program gets a process group of its own, so that a limit also ends what it has started
//! (a recorder starts a JVM, a build tool starts several).

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use wait_timeout::ChildExt;

use crate::Jdk;

/// Long enough for anything that is meant to end.
const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(120);

/// How a program ended, and what it printed until then.
#[derive(Debug, Clone)]
pub struct Finished {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub status: ExitStatus,
    /// The time limit was reached and the program killed.
    pub timed_out: bool,
    pub elapsed: Duration,
}

impl Finished {
    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// The exit code, unless a signal ended the program.
    pub fn exit_code(&self) -> Option<i32> {
        self.status.code()
    }

    /// The signal that ended the program, if one did.
    pub fn signal(&self) -> Option<i32> {
        self.status.signal()
    }
}

/// A `java` command line to be run.
///
/// ```no_run
/// # use test_support::{Jdk, Run};
/// let finished = Run::new(&Jdk::default()).class_path(["classes"]).main_class("Main").run()?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Run {
    java: PathBuf,
    prefix: Vec<OsString>,
    jvm_args: Vec<OsString>,
    class_path: Vec<PathBuf>,
    main_class: String,
    args: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    current_dir: Option<PathBuf>,
    stdin: Vec<u8>,
    time_limit: Duration,
}

impl Run {
    pub fn new(jdk: &Jdk) -> Run {
        Run {
            java: jdk.java(),
            prefix: Vec::new(),
            jvm_args: Vec::new(),
            class_path: Vec::new(),
            main_class: "Main".to_owned(),
            args: Vec::new(),
            environment: Vec::new(),
            current_dir: None,
            stdin: Vec::new(),
            time_limit: DEFAULT_TIME_LIMIT,
        }
    }

    /// Words before the `java` command, such as a recorder and its options.
    pub fn prefix<S: Into<OsString>>(mut self, words: impl IntoIterator<Item = S>) -> Run {
        self.prefix.extend(words.into_iter().map(Into::into));
        self
    }

    pub fn jvm_arg(mut self, arg: impl Into<OsString>) -> Run {
        self.jvm_args.push(arg.into());
        self
    }

    pub fn class_path<P: Into<PathBuf>>(mut self, entries: impl IntoIterator<Item = P>) -> Run {
        self.class_path.extend(entries.into_iter().map(Into::into));
        self
    }

    /// `Main` unless said otherwise.
    pub fn main_class(mut self, name: &str) -> Run {
        name.clone_into(&mut self.main_class);
        self
    }

    pub fn arg(mut self, arg: impl Into<OsString>) -> Run {
        self.args.push(arg.into());
        self
    }

    pub fn args<S: Into<OsString>>(mut self, args: impl IntoIterator<Item = S>) -> Run {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    pub fn env(mut self, key: impl Into<OsString>, value: impl Into<OsString>) -> Run {
        self.environment.push((key.into(), value.into()));
        self
    }

    pub fn current_dir(mut self, dir: impl AsRef<Path>) -> Run {
        self.current_dir = Some(dir.as_ref().to_path_buf());
        self
    }

    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Run {
        self.stdin = bytes.into();
        self
    }

    pub fn time_limit(mut self, limit: Duration) -> Run {
        self.time_limit = limit;
        self
    }

    /// The whole command line, prefix first.
    pub fn command_line(&self) -> Vec<OsString> {
        let mut words = self.prefix.clone();
        words.push(self.java.clone().into_os_string());
        words.extend(self.jvm_args.iter().cloned());
        if !self.class_path.is_empty() {
            words.push("-cp".into());
            words.push(join_class_path(&self.class_path));
        }
        words.push((&self.main_class).into());
        words.extend(self.args.iter().cloned());
        words
    }

    pub fn run(&self) -> io::Result<Finished> {
        let words = self.command_line();
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .envs(self.environment.iter().cloned());
        if let Some(dir) = &self.current_dir {
            command.current_dir(dir);
        }
        run_command(&mut command, &self.stdin, self.time_limit)
    }
}

/// Runs any command to its end, or to the time limit.
pub fn run_command(
    command: &mut Command,
    stdin: &[u8],
    time_limit: Duration,
) -> io::Result<Finished> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut input), Some(output), Some(errors)) = pipes else {
        return Err(io::Error::other("a pipe of the child is missing"));
    };

    thread::scope(|scope| {
        // The program may end without having read its input: a broken pipe is not our failure.
        scope.spawn(move || drop(input.write_all(stdin)));
        let stdout = scope.spawn(move || read_all(output));
        let stderr = scope.spawn(move || read_all(errors));

        let (status, timed_out) = wait_or_kill(&mut child, time_limit)?;
        let elapsed = start.elapsed();
        let lost = |_| io::Error::other("a reader thread panicked");
        Ok(Finished {
            stdout: stdout.join().map_err(lost)??,
            stderr: stderr.join().map_err(lost)??,
            status,
            timed_out,
            elapsed,
        })
    })
}

fn wait_or_kill(child: &mut Child, time_limit: Duration) -> io::Result<(ExitStatus, bool)> {
    if let Some(status) = child.wait_timeout(time_limit)? {
        return Ok((status, false));
    }
    match i32::try_from(child.id()) {
        Ok(group) => killpg(Pid::from_raw(group), Signal::SIGKILL)?,
        Err(_) => child.kill()?,
    }
    Ok((child.wait()?, true))
}

fn read_all(mut pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(crate) fn join_class_path<P: AsRef<OsStr>>(entries: &[P]) -> OsString {
    let mut joined = OsString::new();
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            joined.push(":");
        }
        joined.push(entry);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_input_and_exit_code() {
        let finished = run_command(
            &mut shell("cat; echo oops >&2; exit 3"),
            b"hello",
            DEFAULT_TIME_LIMIT,
        )
        .unwrap();
        assert_eq!(finished.stdout_text(), "hello");
        assert_eq!(finished.stderr_text(), "oops\n");
        assert_eq!(finished.exit_code(), Some(3));
        assert!(!finished.timed_out);
    }

    #[test]
    fn unread_input_is_no_error() {
        let finished = run_command(&mut shell("exit 0"), &[b'x'; 1 << 20], DEFAULT_TIME_LIMIT);
        assert_eq!(finished.unwrap().exit_code(), Some(0));
    }

    #[test]
    fn the_limit_ends_grandchildren_too() {
        let finished = run_command(
            &mut shell("echo started; sleep 60 & wait"),
            b"",
            Duration::from_millis(300),
        )
        .unwrap();
        assert!(finished.timed_out);
        assert_eq!(finished.signal(), Some(9));
        assert_eq!(finished.stdout_text(), "started\n");
        assert!(finished.elapsed < Duration::from_secs(30));
    }

    #[test]
    fn command_line_has_everything_in_order() {
        let run = Run {
            java: "java".into(),
            ..Run::new(&Jdk::default())
        }
        .prefix(["recorder", "--"])
        .jvm_arg("-Xmx64m")
        .class_path(["a", "b.jar"])
        .arg("1");
        assert_eq!(
            run.command_line(),
            [
                "recorder", "--", "java", "-Xmx64m", "-cp", "a:b.jar", "Main", "1"
            ]
        );
    }
}
