//! Recording a program: compile if needed, put the recorder in, run, note what happened.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::command::{CommandLine, ProgramToRecord};
use super::folder::{FolderError, TraceFolder};
use super::jdk::JdkLocations;
use super::kept_traces::KeptTraces;
use super::process::{self, ProgramEnd};
use super::{Listener, agent, room, scrub};
use crate::interrupt;
use trace_format::{RecordOptions, RunFile, files};
use trace_store::{overwrite_run_file, write_run_file};

mod error;
mod prepared;
mod running;

pub use error::RecordError;
pub(crate) use prepared::Prepared;
pub use running::Running;

/// Whoever ends us while a program runs waits so long for its end at most.
const LONGEST_END: Duration = Duration::from_secs(20);

/// Where the trace goes.
#[derive(Clone, Debug)]
pub enum TraceDestination {
    /// Where the user says.
    Named(PathBuf),
    /// `./<main>.askance`.
    Beside,
    /// Among the [traces that are kept](crate::kept_traces) for the user.
    Kept,
    /// A folder among the temporary files, which goes away at the latest when we do.
    Temporary,
}

/// What happens to the program's standard streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Streams {
    /// They are ours.
    Inherited,
    /// Nobody hears it. If our input is a file, it reads that file from its beginning.
    Quiet,
    /// What it says goes into [`files::OUTPUT`] in the trace's folder; it reads a file, or nothing.
    Files { input: Option<PathBuf> },
}

/// What to record.
#[derive(Clone, Debug)]
pub struct Request {
    pub program: ProgramToRecord,
    pub working_directory: PathBuf,
    /// Variables of the environment that are set for the program, or with `None` taken away from it.
    pub environment: BTreeMap<OsString, Option<OsString>>,
    pub output: TraceDestination,
    pub streams: Streams,
    pub options: RecordOptions,
}

/// Gives a command its environment, but for what the recorder has set in it, with what was given there.
fn give(command: &mut Command, environment: &BTreeMap<OsString, Option<OsString>>) {
    let set: Vec<OsString> = command
        .get_envs()
        .map(|(name, _)| name.to_owned())
        .collect();
    for (name, value) in environment {
        match value {
            _ if set.contains(name) => {}
            Some(value) => {
                command.env(name, value);
            }
            None => {
                command.env_remove(name);
            }
        }
    }
}

/// A finished recording. The folder goes away unless it is kept.
#[derive(Debug)]
pub struct FinishedRecording {
    pub folder: TraceFolder,
    pub end: ProgramEnd,
    pub run: RunFile,
}

/// Runs the program under the recorder, to its end.
///
/// # Errors
/// If it cannot be compiled or started, or the trace cannot be written.
pub fn record(
    request: &Request,
    machine: &JdkLocations,
    listener: &mut dyn Listener,
) -> Result<FinishedRecording, RecordError> {
    let _children_get_the_signal = interrupt::leave_to_children();
    let mut ready = Ready::new(request, machine, listener)?;
    let end = process::run(&mut ready.command, ready.limit);
    ready.recorded(end)
}

/// Starts the program under the recorder and comes back at once.
///
/// # Errors
/// As for [`record`], except that a program that cannot be started is known at its end.
pub fn start(
    request: &Request,
    machine: &JdkLocations,
    listener: &mut dyn Listener,
) -> Result<Running, RecordError> {
    Ok(Ready::new(request, machine, listener)?.start())
}

/// A program that is ready to be run, and the folder that waits for its trace.
pub struct Ready {
    command: Command,
    folder: TraceFolder,
    run: RunFile,
    limit: Option<Duration>,
    /// With the classes that were compiled for it, which must outlive it.
    prepared: Prepared,
}

impl Ready {
    /// Compiles the program if need be, and makes the folder.
    ///
    /// # Errors
    /// As for [`record`].
    pub fn new(
        request: &Request,
        machine: &JdkLocations,
        listener: &mut dyn Listener,
    ) -> Result<Ready, RecordError> {
        let library = agent::find()?;
        let prepared = Prepared::new(&request.program, machine, listener)?;
        if interrupt::happened() {
            return Err(RecordError::Interrupted);
        }
        let folder = make_folder(request)?;
        if let Some(place) = folder.answered_before() {
            listener.say(&format!(
                "there are answers about the trace that was in {}; it is kept as {}",
                folder.path().display(),
                place.display()
            ));
        }
        let run = prepared.run_file(request);
        let unfinished = |source| RecordError::Unfinished {
            path: folder.path().to_owned(),
            source,
        };
        write_run_file(folder.path(), &run).map_err(unfinished)?;

        let mut options = request.options.clone();
        options.max_trace = options.max_trace.or_else(|| room::share(folder.path()));
        let recorder = agent::recorder(&library, &options, folder.path());
        let present = |name: &str| match request.environment.get(OsStr::new(name)) {
            Some(given) => given.clone(),
            None => std::env::var_os(name),
        };
        let line = CommandLine::with_recorder(&prepared.words, &recorder, present);
        let mut command = line.command();
        give(&mut command, &request.environment);
        command.current_dir(&request.working_directory);
        connect(&mut command, &request.streams, folder.path()).map_err(unfinished)?;
        Ok(Ready {
            command,
            folder,
            run,
            limit: request.options.time_limit.map(Duration::from_secs_f64),
            prepared,
        })
    }

    /// What will be run.
    #[must_use]
    pub fn run_file(&self) -> &RunFile {
        &self.run
    }

    /// Starts it and comes back at once.
    #[must_use]
    pub fn start(mut self) -> Running {
        let folder = self.folder.path().to_owned();
        let should_stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&should_stop);
        let [gone, ended] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let (at_exit, at_end) = (Arc::clone(&gone), Arc::clone(&ended));
        let finished = Arc::clone(&ended);
        let awaited = interrupt::before_leaving(move || await_end(&finished));
        let waiting = std::thread::spawn(move || {
            let end = self.command.spawn().and_then(|mut child| {
                // Without a lifeline: a program that is asked about while it runs goes on even if we are killed.
                let deadline = self.limit.map(|limit| Instant::now() + limit);
                let should_stop = || told.load(Ordering::SeqCst) || interrupt::terminated();
                process::finish(&mut child, deadline, Some(&should_stop))
            });
            at_exit.store(true, Ordering::SeqCst);
            self.run.no_longer_needed = told.load(Ordering::SeqCst);
            let recorded = self.recorded(end);
            at_end.store(true, Ordering::SeqCst);
            drop(awaited);
            recorded
        });
        Running {
            folder,
            should_stop,
            gone,
            ended,
            waiting,
        }
    }

    /// Notes how it ended.
    fn recorded(mut self, end: io::Result<ProgramEnd>) -> Result<FinishedRecording, RecordError> {
        let end = end.map_err(|source| RecordError::NotStarted {
            program: self.prepared.words.first().cloned().unwrap_or_default(),
            source,
        })?;
        let secrets = scrub::scrub_run(self.folder.path())?;
        scrub::blank_words(&mut self.run.command, &secrets);
        scrub::seal_run(self.folder.path());
        self.run.exit_code = end.code;
        self.run.signal = end.signal;
        self.run.timed_out = end.timed_out;
        let folder = self.folder.path();
        let written =
            write_run_file(folder, &self.run).or_else(|_| overwrite_run_file(folder, &self.run));
        written.map_err(|source| RecordError::Unfinished {
            path: self.folder.path().to_owned(),
            source,
        })?;
        Ok(FinishedRecording {
            folder: self.folder,
            end,
            run: self.run,
        })
    }
}

/// Waits until a program that was told to end has done so, and what is secret in its trace is masked.
fn await_end(ended: &AtomicBool) {
    let patience = Instant::now() + LONGEST_END;
    while !ended.load(Ordering::SeqCst) && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn make_folder(request: &Request) -> Result<TraceFolder, FolderError> {
    let default_name = || {
        let mut name = request.program.short_name();
        name.push(".askance");
        name
    };
    match &request.output {
        TraceDestination::Named(path) => TraceFolder::create(path),
        TraceDestination::Beside => TraceFolder::create(&Path::new(".").join(default_name())),
        TraceDestination::Kept => match KeptTraces::this() {
            Some(traces) => traces.create(&request.program.short_name()),
            None => TraceFolder::temporary(&default_name()),
        },
        TraceDestination::Temporary => TraceFolder::scratch(&default_name()),
    }
}

/// Our input from its beginning, if it is a file.
pub(crate) fn input_again() -> Stdio {
    let again = File::open("/proc/self/fd/0")
        .ok()
        .filter(|file| file.metadata().is_ok_and(|metadata| metadata.is_file()));
    again.map_or_else(Stdio::null, Stdio::from)
}

fn connect(command: &mut Command, streams: &Streams, folder: &Path) -> io::Result<()> {
    match streams {
        Streams::Inherited => {}
        Streams::Quiet => {
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.stdin(input_again());
        }
        Streams::Files { input } => {
            let output = File::create(folder.join(files::OUTPUT))?;
            command.stdout(output.try_clone()?).stderr(output);
            command.stdin(match input {
                Some(path) => Stdio::from(File::open(path)?),
                None => Stdio::null(),
            });
        }
    }
    Ok(())
}
