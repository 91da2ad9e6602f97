//! Recording a program: compile if needed, put the recorder in, run, note what happened.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use trace_format::secret::SecretNames;
use trace_store::StoreError;

use super::command::{CommandLine, Program, TOOL_OPTIONS};
use super::compile::{self, CompileError, Compiled};
use super::folder::{FolderError, TraceFolder};
use super::jdk::{HOW_TO_GET_ONE, Jdk, Machine};
use super::options::RecordOptions;
use super::process::{self, ProgramEnd};
use super::run_file::{RunFile, Word};
use super::{Listener, agent, install, java_line, scrub};
use crate::interrupt;

/// Why nothing was recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Agent(#[from] agent::AgentError),
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("there is no JDK to compile {} with", .0.display())]
    NoJdk(PathBuf),
    #[error("{} could not be started: {source}", .program.to_string_lossy())]
    NotStarted {
        program: OsString,
        source: io::Error,
    },
    #[error("the trace in {} could not be finished: {source}", .path.display())]
    Unfinished { path: PathBuf, source: io::Error },
    #[error("the secrets in the trace could not be overwritten: {0}")]
    Secrets(#[from] StoreError),
    #[error("{0}")]
    NothingRecorded(String, ProgramEnd),
    #[error("interrupted")]
    Interrupted,
}

impl RecordError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            RecordError::Agent(_) => {
                format!(
                    "build it with `cargo build -p jvm-agent`, or set {} to its path",
                    agent::VARIABLE
                )
            }
            RecordError::Compile(CompileError::Missing(_)) => {
                "name a .java file, or put a command behind `--`".to_owned()
            }
            RecordError::Compile(CompileError::NoMain(_)) => {
                "name the file whose class has `public static void main(String[] args)`".to_owned()
            }
            RecordError::Compile(CompileError::Rejected { .. }) => {
                "fix what javac says, or compile it yourself and record `-- java -cp CLASSES Main`"
                    .to_owned()
            }
            RecordError::Folder(_) => "name another folder with -o".to_owned(),
            RecordError::NoJdk(_) => format!("get one: {HOW_TO_GET_ONE}"),
            RecordError::NotStarted { .. } => "check the command behind `--`".to_owned(),
            RecordError::NothingRecorded(_, end) if end.success() => {
                "record other classes with --include GLOB".to_owned()
            }
            RecordError::NothingRecorded(..) => "try the command without askance first".to_owned(),
            RecordError::Secrets(_) => "remove the trace".to_owned(),
            RecordError::Compile(_) | RecordError::Unfinished { .. } | RecordError::Interrupted => {
                return None;
            }
        })
    }

    /// Whether the program could not even be started, as opposed to a mistake in the call.
    #[must_use]
    pub fn not_started(&self) -> bool {
        match self {
            RecordError::NoJdk(_) | RecordError::NotStarted { .. } | RecordError::Agent(_) => true,
            RecordError::Compile(CompileError::Javac { .. }) => true,
            RecordError::NothingRecorded(_, end) => !end.success(),
            _ => false,
        }
    }
}

/// Where the trace goes.
#[derive(Clone, Debug)]
pub enum Output {
    /// Where the user says.
    Named(PathBuf),
    /// `./<main>.askance`.
    Beside,
    /// A folder among the temporary files.
    Temporary,
}

/// What happens to the program's standard streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Streams {
    /// They are ours.
    Inherited,
    /// Nobody hears it. If our input is a file, it reads that file from its beginning.
    Quiet,
    /// What it says goes into [`OUTPUT`] in the trace's folder; it reads a file, or nothing.
    Files { input: Option<PathBuf> },
}

/// What a program says that is asked about while it runs.
pub const OUTPUT: &str = "output.txt";

/// What to record.
#[derive(Clone, Debug)]
pub struct Request {
    pub program: Program,
    pub working_directory: PathBuf,
    pub output: Output,
    pub streams: Streams,
    pub options: RecordOptions,
}

/// A finished recording. The folder goes away unless it is kept.
#[derive(Debug)]
pub struct Recorded {
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
    machine: &Machine,
    listener: &mut dyn Listener,
) -> Result<Recorded, RecordError> {
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
    machine: &Machine,
    listener: &mut dyn Listener,
) -> Result<Running, RecordError> {
    Ok(Ready::new(request, machine, listener)?.start())
}

/// A program that is being recorded.
#[derive(Debug)]
pub struct Running {
    folder: PathBuf,
    should_stop: Arc<AtomicBool>,
    /// Its process has gone.
    gone: Arc<AtomicBool>,
    /// How it ended is noted, too.
    ended: Arc<AtomicBool>,
    waiting: JoinHandle<Result<Recorded, RecordError>>,
}

impl Running {
    /// Where the trace grows.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether there is nothing left to stop.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.gone.load(Ordering::SeqCst)
    }

    /// Set when it has ended, and how it ended is noted.
    #[must_use]
    pub fn ended(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.ended)
    }

    /// Asks the program to end, and ends it if it does not.
    pub fn stop(&self) {
        self.should_stop.store(true, Ordering::SeqCst);
    }

    /// The same, for whoever does not wait for its end.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + use<> {
        let should_stop = Arc::clone(&self.should_stop);
        move || should_stop.store(true, Ordering::SeqCst)
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// If it could not be started, or its end not be noted.
    pub fn wait(self) -> Result<Recorded, RecordError> {
        let lost = |_| RecordError::Unfinished {
            path: self.folder.clone(),
            source: io::Error::other("nobody waited for the program"),
        };
        self.waiting.join().map_err(lost)?
    }
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
        machine: &Machine,
        listener: &mut dyn Listener,
    ) -> Result<Ready, RecordError> {
        let library = agent::find()?;
        let prepared = Prepared::new(&request.program, machine, listener)?;
        if interrupt::happened() {
            return Err(RecordError::Interrupted);
        }
        let folder = make_folder(request)?;
        let run = prepared.run_file(request);
        let unfinished = |source| RecordError::Unfinished {
            path: folder.path().to_owned(),
            source,
        };
        run.write(folder.path()).map_err(unfinished)?;

        let feature = prepared.jdk.as_ref().and_then(Jdk::feature);
        let jvm_options = agent::jvm_options(&library, &request.options, folder.path(), feature);
        let tool_options = std::env::var_os(TOOL_OPTIONS);
        let line =
            CommandLine::with_recorder(&prepared.words, &jvm_options, tool_options.as_deref());
        let mut command = line.command();
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
        let waiting = std::thread::spawn(move || {
            let end = self.command.spawn().and_then(|mut child| {
                let deadline = self.limit.map(|limit| Instant::now() + limit);
                process::finish(&mut child, deadline, Some(&told))
            });
            at_exit.store(true, Ordering::SeqCst);
            self.run.no_longer_needed = told.load(Ordering::SeqCst);
            let recorded = self.recorded(end);
            at_end.store(true, Ordering::SeqCst);
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
    fn recorded(mut self, end: io::Result<ProgramEnd>) -> Result<Recorded, RecordError> {
        let end = end.map_err(|source| RecordError::NotStarted {
            program: self.prepared.words.first().cloned().unwrap_or_default(),
            source,
        })?;
        let secrets = scrub::scrub_run(self.folder.path())?;
        scrub::blank_words(&mut self.run.command, &secrets);
        self.run.exit_code = end.code;
        self.run.signal = end.signal;
        self.run.timed_out = end.timed_out;
        let folder = self.folder.path();
        let written = self
            .run
            .write(folder)
            .or_else(|_| self.run.overwrite(folder));
        written.map_err(|source| RecordError::Unfinished {
            path: self.folder.path().to_owned(),
            source,
        })?;
        Ok(Recorded {
            folder: self.folder,
            end,
            run: self.run,
        })
    }
}

/// What is written down of a command. A word that is no text is left as it is.
fn without_secrets(words: Vec<OsString>, options: &RecordOptions) -> Vec<OsString> {
    let names = SecretNames::new(&options.mask);
    let text: Vec<String> = words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let masked = names.mask_words(&text);
    let choose = |((word, text), masked): ((OsString, &String), &String)| match text == masked {
        true => word,
        false => masked.into(),
    };
    words
        .into_iter()
        .zip(&text)
        .zip(&masked)
        .map(choose)
        .collect()
}

fn make_folder(request: &Request) -> Result<TraceFolder, FolderError> {
    let default_name = || {
        let mut name = request.program.short_name();
        name.push(".askance");
        name
    };
    match &request.output {
        Output::Named(path) => TraceFolder::create(path),
        Output::Beside => TraceFolder::create(&Path::new(".").join(default_name())),
        Output::Temporary => TraceFolder::temporary(&default_name()),
    }
}

fn connect(command: &mut Command, streams: &Streams, folder: &Path) -> io::Result<()> {
    match streams {
        Streams::Inherited => {}
        Streams::Quiet => {
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let again = File::open("/proc/self/fd/0")
                .ok()
                .filter(|file| file.metadata().is_ok_and(|metadata| metadata.is_file()));
            command.stdin(again.map_or_else(Stdio::null, Stdio::from));
        }
        Streams::Files { input } => {
            let output = File::create(folder.join(OUTPUT))?;
            command.stdout(output.try_clone()?).stderr(output);
            command.stdin(match input {
                Some(path) => Stdio::from(File::open(path)?),
                None => Stdio::null(),
            });
        }
    }
    Ok(())
}

/// A program with everything it needs to run: its words, and its classes if we compiled them.
struct Prepared {
    words: Vec<OsString>,
    jdk: Option<Jdk>,
    compiled: Option<Compiled>,
}

impl Prepared {
    fn new(
        program: &Program,
        machine: &Machine,
        listener: &mut dyn Listener,
    ) -> Result<Prepared, RecordError> {
        match program {
            Program::JavaFile { file, arguments } => {
                let (jdk, compiled) = compiled(file, machine, listener)?;
                let mut words: Vec<OsString> = vec![
                    jdk.java().into(),
                    "-cp".into(),
                    compiled.class_path(),
                    compiled.main_class.clone().into(),
                ];
                words.extend(arguments.iter().cloned());
                Ok(Prepared {
                    words,
                    jdk: Some(jdk),
                    compiled: Some(compiled),
                })
            }
            Program::Command(words) => {
                let java = words.first().filter(|first| java_line::is_java(first));
                let jdk = match java {
                    Some(java) => machine.behind(java),
                    None => machine.jdks().into_iter().next(),
                };
                Ok(Prepared {
                    words: words.clone(),
                    jdk,
                    compiled: None,
                })
            }
            Program::Recompiled { file, words } => {
                let (_, compiled) = compiled(file, machine, listener)?;
                let (java, rest) = words
                    .split_first()
                    .map_or((OsString::new(), &[][..]), |(java, rest)| {
                        (java.clone(), rest)
                    });
                let jdk = machine.behind(&java);
                let mut changed = vec![java];
                changed.extend(java_line::with_class_path(
                    rest,
                    compiled.classes().as_os_str(),
                    true,
                ));
                Ok(Prepared {
                    words: changed,
                    jdk,
                    compiled: Some(compiled),
                })
            }
        }
    }

    fn run_file(&self, request: &Request) -> RunFile {
        let (words, java_file) = match &request.program {
            Program::JavaFile { file, arguments } => {
                let file = file.canonicalize().unwrap_or_else(|_| file.clone());
                let mut words = vec![file.clone().into_os_string()];
                words.extend(arguments.iter().cloned());
                (words, Some(Word::from(&file)))
            }
            Program::Command(words) | Program::Recompiled { words, .. } => (words.clone(), None),
        };
        let words = without_secrets(words, &request.options);
        let (command, exact_command) = RunFile::command_of(&words);
        let started = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        RunFile {
            version: 1,
            command,
            exact_command,
            working_directory: Word::from(&request.working_directory),
            java_file,
            main_class: self
                .compiled
                .as_ref()
                .map(|compiled| compiled.main_class.clone()),
            source_path: self
                .compiled
                .iter()
                .map(|compiled| Word::from(&compiled.source_root))
                .collect(),
            options: request.options.clone(),
            started_ms: u64::try_from(started.as_millis()).unwrap_or(u64::MAX),
            exit_code: None,
            signal: None,
            timed_out: false,
            no_longer_needed: false,
        }
    }
}

fn compiled(
    file: &Path,
    machine: &Machine,
    listener: &mut dyn Listener,
) -> Result<(Jdk, Compiled), RecordError> {
    if !file.is_file() {
        return Err(CompileError::Missing(file.to_owned()).into());
    }
    let jdk =
        install::compiler(machine, listener).ok_or_else(|| RecordError::NoJdk(file.to_owned()))?;
    let compiled = compile::compile(&jdk, file)?;
    Ok((jdk, compiled))
}
