//! Running the program to its end.
//!
//! Its three standard streams are ours, untouched, and it stays in our process group: a group of
//! its own would lose the terminal. A time limit is therefore enforced on the program and the
//! processes below it one by one, first asking (a JVM then ends in order and closes its trace),
//! three seconds later by force.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Signal};
use rustix::time::Timespec;

use crate::interrupt;
use crate::lifeline::Lifeline;

/// Between asking a program to end and ending it.
const GRACE: Duration = Duration::from_secs(3);

/// Between two looks at whether a program should still run.
const PAUSE: Duration = Duration::from_millis(20);

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramEnd {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether the time limit ended it.
    pub timed_out: bool,
}

impl ProgramEnd {
    /// A clause: `exit code 1`, `killed by signal 9`.
    #[must_use]
    pub fn describe(&self) -> String {
        let how = match (self.code, self.signal) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("killed by signal {signal}"),
            (None, None) => "an unknown end".to_owned(),
        };
        if self.timed_out {
            format!("{how}, stopped at the time limit")
        } else {
            how
        }
    }

    /// The exit code as shells have it: 128 and the number of the signal that ended it.
    #[must_use]
    pub fn shell_code(&self) -> u8 {
        let code = self.code.or(self.signal.map(|signal| 128 + signal));
        code.map_or(u8::MAX, |code| u8::try_from(code & 0xff).unwrap_or(u8::MAX))
    }

    /// Whether it ended as programs do when all went well.
    #[must_use]
    pub fn success(&self) -> bool {
        self.code == Some(0)
    }
}

/// Runs a command to its end, to the time limit, or until somebody ends us.
///
/// # Errors
/// If it cannot be started.
pub fn run(command: &mut Command, time_limit: Option<Duration>) -> io::Result<ProgramEnd> {
    let mut child = command.spawn()?;
    let _lifeline = Lifeline::of_program(&child);
    let deadline = time_limit.map(|limit| Instant::now() + limit);
    finish(&mut child, deadline, Some(&interrupt::terminated))
}

/// Runs a command to its end, or until somebody interrupts us: then it ends first, with all that it has started.
///
/// # Errors
/// If it cannot be started.
pub fn run_unless_interrupted(command: &mut Command) -> io::Result<ProgramEnd> {
    let _it_ends_first = interrupt::note_only();
    let mut child = command.spawn()?;
    finish(&mut child, None, Some(&interrupt::happened))
}

/// Tells, again and again while a program runs, whether nobody needs it any more.
pub type ShouldStop<'s> = &'s dyn Fn() -> bool;

/// Waits for a program to end by itself, at the deadline, or because it `should_stop`.
///
/// # Errors
/// If the system does not let us wait for it.
pub fn finish(
    child: &mut Child,
    deadline: Option<Instant>,
    should_stop: Option<ShouldStop<'_>>,
) -> io::Result<ProgramEnd> {
    let (status, timed_out) = match wait_until(child, deadline, should_stop)? {
        Some(status) => (status, false),
        None => {
            let told = should_stop.is_some_and(|stop| stop());
            (stop(child)?, !told)
        }
    };
    Ok(ProgramEnd {
        code: status.code(),
        signal: status.signal(),
        timed_out,
    })
}

/// `None` if it is still running at the deadline, or when it should stop.
fn wait_until(
    child: &mut Child,
    deadline: Option<Instant>,
    should_stop: Option<ShouldStop<'_>>,
) -> io::Result<Option<ExitStatus>> {
    // The kernel says when it has ended, unless it is an old one.
    let end = Pid::from_child(child);
    let end = rustix::process::pidfd_open(end, PidfdFlags::empty()).ok();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let stops = should_stop.is_some_and(|stop| stop());
        if stops || left == Some(Duration::ZERO) {
            return Ok(None);
        }
        let pause = left.map_or(PAUSE, |left| PAUSE.min(left));
        match (&end, Timespec::try_from(pause)) {
            (Some(end), Ok(pause)) => {
                // Whatever comes of it, the next look tells.
                let _ = poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&pause));
            }
            _ => std::thread::sleep(pause),
        }
    }
}

fn stop(child: &mut Child) -> io::Result<ExitStatus> {
    let below = descendants(child.id());
    for &pid in &below {
        send(pid, Signal::TERM);
    }
    if let Some(status) = wait_until(child, Some(Instant::now() + GRACE), None)? {
        return Ok(status);
    }
    for &pid in below.iter().chain(&descendants(child.id())) {
        send(pid, Signal::KILL);
    }
    child.wait()
}

fn send(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // It may be gone already, which is what we want.
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// A process and everything below it, as far as `/proc` tells.
fn descendants(root: u32) -> Vec<u32> {
    let parents = parents();
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        next += 1;
        found.extend(
            parents
                .iter()
                .filter(|(_, of)| *of == parent)
                .map(|(pid, _)| *pid),
        );
    }
    found
}

/// Every process with its parent.
fn parents() -> Vec<(u32, u32)> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // `pid (name) state parent …`; the name may hold spaces and brackets.
            let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
            Some((pid, parent))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_code_is_handed_on() {
        let end = run(Command::new("sh").args(["-c", "exit 7"]), None).unwrap();
        assert_eq!(
            end,
            ProgramEnd {
                code: Some(7),
                signal: None,
                timed_out: false
            }
        );
        assert_eq!(end.describe(), "exit code 7");
    }

    #[test]
    fn a_time_limit_ends_a_program_and_what_it_started() {
        let started = Instant::now();
        let end = run(
            Command::new("sh").args(["-c", "sleep 60 & wait"]),
            Some(Duration::from_millis(100)),
        )
        .unwrap();
        assert!(end.timed_out);
        assert_eq!(end.signal, Some(15));
        assert!(started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error() {
        let error = run(&mut Command::new("/no/such/program"), None).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
