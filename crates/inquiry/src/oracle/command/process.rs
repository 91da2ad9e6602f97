//! The command's process, and the lines that go to and fro.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// More than this is no answer.
const LONGEST_LINE: u64 = 1 << 20;
/// How long a command that has been told that nothing more comes may take to end.
const GRACE: Duration = Duration::from_millis(200);

/// Why a command is of no use any more; reads on after "the oracle command".
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("could not be started ({0})")]
    NotStarted(std::io::Error),
    #[error("has not answered within {} seconds", .0.as_secs_f64())]
    Late(Duration),
    #[error("has ended ({0})")]
    Ended(String),
}

/// Ends a command from outside, whatever it and we are doing: a signal that ends us drops nothing.
#[derive(Clone, Default)]
pub struct CommandEnd(Arc<Mutex<Option<Pid>>>);

impl CommandEnd {
    /// Ends the command, and what it has started, if it runs.
    pub fn now(&self) {
        if let Some(group) = self.group().take() {
            // Fails only if it has ended.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    fn group(&self) -> MutexGuard<'_, Option<Pid>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running command. It ends with this.
pub(super) struct Process {
    child: Child,
    end: CommandEnd,
    questions: Option<Sender<String>>,
    answers: Receiver<String>,
}

impl Process {
    pub(super) fn start(command: &str, end: CommandEnd) -> Result<Self, CommandError> {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A group of its own: what the shell started must end with it.
            .process_group(0)
            .spawn()
            .map_err(CommandError::NotStarted)?;
        *end.group() = Some(Pid::from_child(&child));
        let (questions, to_ask) = mpsc::channel::<String>();
        let (told, answers) = mpsc::channel();
        // Both in threads of their own: a command that does not read must not hold us up.
        if let Some(mut input) = child.stdin.take() {
            thread::spawn(move || {
                for question in to_ask {
                    if input.write_all(question.as_bytes()).is_err() || input.flush().is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                let mut output = BufReader::new(output);
                loop {
                    let mut line = Vec::new();
                    match output
                        .by_ref()
                        .take(LONGEST_LINE)
                        .read_until(b'\n', &mut line)
                    {
                        Ok(read) if read > 0 => {}
                        _ => break,
                    }
                    let line = String::from_utf8_lossy(&line).trim().to_owned();
                    if !line.is_empty() && told.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Process {
            child,
            end,
            questions: Some(questions),
            answers,
        })
    }

    /// Sends a line and waits for the one that answers it.
    pub(super) fn exchange(
        &mut self,
        question: String,
        patience: Duration,
    ) -> Result<String, CommandError> {
        // What it said without being asked answers nothing.
        while self.answers.try_recv().is_ok() {}
        if let Some(questions) = &self.questions {
            // Fails only if it reads no more: then no answer will come either.
            let _ = questions.send(question);
        }
        match self.answers.recv_timeout(patience) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(CommandError::Late(patience)),
            Err(RecvTimeoutError::Disconnected) => {
                let how = match self.child.wait() {
                    Ok(status) => status.to_string(),
                    Err(error) => error.to_string(),
                };
                Err(CommandError::Ended(how))
            }
        }
    }
}

impl Drop for Process {
    /// Closes its input, which asks it to end; what does not end is ended.
    fn drop(&mut self) {
        self.questions = None;
        let step = GRACE / 20;
        for _ in 0..20 {
            // Its number may be another's as soon as it was waited for.
            let mut group = self.end.group();
            if !matches!(self.child.try_wait(), Ok(None)) {
                *group = None;
                return;
            }
            drop(group);
            thread::sleep(step);
        }
        self.end.now();
        let _ = self.child.wait();
    }
}
