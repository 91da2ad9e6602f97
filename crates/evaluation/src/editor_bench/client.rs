//! An editor that measures.

use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::record_bench::BenchError;

/// What an answer took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub(super) clock: Duration,
    /// Of the adapter.
    pub(super) cpu: Duration,
}

/// `askance dap`, driven over its streams.
pub(super) struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
    stopped: Option<Value>,
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Client {
    pub(super) fn start(executable: &Path) -> Result<Client, BenchError> {
        let mut command = Command::new(executable);
        command.arg("dap").stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let missing = || io::Error::other("the adapter has no streams");
        Ok(Client {
            child,
            input: input.ok_or_else(missing)?,
            output: BufReader::new(output.ok_or_else(missing)?),
            last: 0,
            stopped: None,
        })
    }

    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    /// From the first request to the first stop.
    pub(super) fn attach(&mut self, trace: &Path) -> Result<(), BenchError> {
        self.ask("initialize", json!({"adapterID": "askance"}))?;
        self.ask("attach", json!({"trace": trace}))?;
        self.travel("configurationDone", json!({}))
    }

    /// Asks for something, and fails if it is refused.
    pub(super) fn ask(&mut self, command: &str, arguments: Value) -> Result<Value, BenchError> {
        self.last += 1;
        let request = json!({
            "seq": self.last,
            "type": "request",
            "command": command,
            "arguments": arguments,
        });
        let body = request.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        self.input.flush()?;
        loop {
            let mut message = self.receive()?;
            if message["type"] == "response" {
                return match message["success"] == true {
                    true => Ok(message["body"].take()),
                    false => Err(io::Error::other(format!("{command}: {message}")).into()),
                };
            }
            self.note(message);
        }
    }

    /// Goes somewhere: until the client hears of the stop.
    pub(super) fn travel(&mut self, command: &str, mut arguments: Value) -> Result<(), BenchError> {
        if let Some(stopped) = &self.stopped {
            arguments["threadId"] = stopped["body"]["threadId"].clone();
        }
        self.stopped = None;
        self.ask(command, arguments)?;
        while self.stopped.is_none() {
            let message = self.receive()?;
            self.note(message);
        }
        Ok(())
    }

    pub(super) fn thread(&self) -> Value {
        let stopped = self.stopped.as_ref();
        stopped.map_or(Value::Null, |stopped| stopped["body"]["threadId"].clone())
    }

    /// The outer frames of the stack, and the number of the innermost.
    pub(super) fn frames(&mut self) -> Result<Vec<Value>, BenchError> {
        let wanted = json!({"threadId": self.thread(), "levels": 20});
        let stack = self.ask("stackTrace", wanted)?;
        let frames = stack["stackFrames"].as_array();
        Ok(frames.cloned().unwrap_or_default())
    }

    /// What something costs.
    pub(super) fn measured(
        &mut self,
        work: impl FnOnce(&mut Client) -> Result<(), BenchError>,
    ) -> Result<Cost, BenchError> {
        let (started, before) = (Instant::now(), self.cpu_time());
        work(self)?;
        let clock = started.elapsed();
        let cpu = self.cpu_time().saturating_sub(before);
        Ok(Cost { clock, cpu })
    }

    /// Of threads that live: those that answer do.
    fn cpu_time(&self) -> Duration {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let nanoseconds = tasks.into_iter().flatten().flatten().map(|task| {
            let text = std::fs::read_to_string(task.path().join("schedstat"));
            let text = text.unwrap_or_default();
            let first = text.split_whitespace().next();
            first
                .and_then(|first| first.parse::<u64>().ok())
                .unwrap_or(0)
        });
        Duration::from_nanos(nanoseconds.sum())
    }

    fn note(&mut self, message: Value) {
        if message["event"] == "stopped" {
            self.stopped = Some(message);
        }
    }

    fn receive(&mut self) -> Result<Value, BenchError> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::Error::other("the adapter has gone").into());
            }
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().unwrap_or(0),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body)?;
        Ok(serde_json::from_slice(&body).map_err(io::Error::from)?)
    }
}
