//! `askance dap`: editors step through recorded runs, over the Debug Adapter Protocol.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use askance_api::live_run::Progress;
use askance_api::{LiveRun, Phase};
use askance_dap::{AttachArguments, EditorWorkplace, LaunchArguments, LaunchListener};
use clap::Args;

use super::ask;
use super::ask_options::SearchArguments;
use super::failed_tests;
use super::failure::{Exit, Failure};
use super::growing::{self, Views};
use super::live::{self, Started};
use super::loopback::{self, Strangers};
use super::output::{self, Talk};
use super::record;
use super::record_options::RecordArguments;
use super::served;
use super::surroundings::working_directory;
use super::traces;
use crate::web;
use java_model::follow::recorded_bytes;
use java_model::testing::TestPattern;
use launch::command::ProgramToRecord;
use launch::folder::TraceFolder;
use launch::jdk::JdkLocations;
use launch::record::{Request, Streams, TraceDestination};
use launch::test_command::{self, TestExtent};
use trace_format::Libraries;
use trace_format::files::OUTPUT;

/// Between two looks at a program that runs.
const INTERVAL: Duration = Duration::from_millis(100);
/// No more of what a program printed is passed on; the trace has all of it.
const MOST_PRINTED: u64 = 1 << 20;

/// Let an editor step through recorded runs, backwards too, and ask in its debug console: the Debug Adapter Protocol
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance dap\n         askance dap --port 4711\n\nAn editor starts it and speaks with it over standard input and output. With --port it listens on this machine only,\nand prints one line with its address and a token; `launch` and `attach` must carry that token, because whoever can\nlaunch runs programs with your rights. docs/editors.md has the configuration of editors and what each request does."
)]
pub(crate) struct Arguments {
    /// Listen on this port of this machine instead of standard input and output; 0 is any that is free
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    #[command(flatten)]
    search: SearchArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<Exit, Failure> {
    arguments.search.check()?;
    let office = Office::of(arguments.search, Vec::new())?;
    match arguments.port {
        None => {
            let input = BufReader::new(io::stdin());
            let ended = askance_dap::serve(input, io::stdout(), &office);
            office.wait();
            ended.map_err(broken)?;
        }
        Some(port) => {
            let Open {
                office,
                listener,
                address,
            } = Open::of(office, port)?;
            let token = office.token.as_deref().unwrap_or_default();
            output::data(&format!("{address} {token}\n"))?;
            answer(&office, &listener)?;
        }
    }
    Ok(Exit::Done)
}

/// Lets editors into sessions that others see as well, and says on standard error how.
pub(super) fn share(
    open: Vec<(PathBuf, Arc<LiveRun>)>,
    search: &SearchArguments,
    port: u16,
) -> Result<(), Failure> {
    let Open {
        office,
        listener,
        address,
    } = Open::of(Office::of(search.clone(), open)?, port)?;
    let token = office.token.as_deref().unwrap_or_default();
    output::talk(&format!(
        "askance: editors connect to {address} with the token {token}"
    ));
    thread::spawn(move || {
        if let Err(failure) = answer(&office, &listener) {
            output::say_failure(&failure);
        }
    });
    Ok(())
}

/// A port that editors may connect to.
struct Open {
    office: Arc<Office>,
    listener: TcpListener,
    address: SocketAddr,
}

impl Open {
    fn of(office: Office, port: u16) -> Result<Open, Failure> {
        let no_token = |error| Failure::mistake(format!("there is no randomness: {error}"));
        let token = Some(web::secret().map_err(no_token)?);
        let (listener, address) = loopback::listen(port)?;
        let office = Arc::new(Office { token, ..office });
        Ok(Open {
            office,
            listener,
            address,
        })
    }
}

fn broken(error: io::Error) -> Failure {
    Failure::mistake(format!("the connection broke off: {error}"))
}

/// Answers whoever connects, each in a thread of its own, until the process ends.
fn answer(office: &Arc<Office>, listener: &TcpListener) -> Result<(), Failure> {
    loop {
        let client = loopback::next_client(listener, Strangers::Admitted).map_err(broken)?;
        let office = Arc::clone(office);
        thread::spawn(move || {
            if let Err(error) = converse(client, &office) {
                output::talk(&format!("askance: a client broke off: {error}"));
            }
        });
    }
}

fn converse(client: TcpStream, office: &Office) -> io::Result<()> {
    let input = BufReader::new(client.try_clone()?);
    let ended = askance_dap::serve(input, client.try_clone()?, office);
    // Whoever still reads from the stream is to hear of it.
    let _ = client.shutdown(std::net::Shutdown::Both);
    ended
}

/// What editors may work with.
struct Office {
    search: SearchArguments,
    working_directory: PathBuf,
    /// What `launch` and `attach` have to carry, where others could connect.
    token: Option<String>,
    /// The sessions by their traces: clients that look at the same trace share one.
    open: Mutex<Vec<(PathBuf, Arc<LiveRun>)>>,
    /// What was recorded as references, for as long as there are questions.
    references: Mutex<Vec<TraceFolder>>,
    /// Programs that are followed, until their traces are whole.
    running: Mutex<Vec<JoinHandle<()>>>,
}

impl Office {
    fn of(search: SearchArguments, open: Vec<(PathBuf, Arc<LiveRun>)>) -> Result<Office, Failure> {
        Ok(Office {
            search,
            working_directory: working_directory()?,
            token: None,
            open: Mutex::new(open.into_iter().map(canonical).collect()),
            references: Mutex::default(),
            running: Mutex::default(),
        })
    }

    /// Waits for programs that were followed: their traces are kept.
    fn wait(&self) {
        let running = self.running.lock();
        let running = std::mem::take(&mut *running.unwrap_or_else(PoisonError::into_inner));
        for driver in running {
            let _ = driver.join();
        }
    }

    fn check_token(&self, given: Option<&str>) -> Result<(), Failure> {
        let is_right = |token: &String| web::is_same(given.unwrap_or_default(), token);
        match self.token.as_ref().is_none_or(is_right) {
            true => Ok(()),
            false => Err(Failure::mistake("the token is missing or wrong")
                .hint("give the one that `askance dap --port` printed, as \"token\"")),
        }
    }

    fn search(
        &self,
        test: Option<&String>,
        reference: Option<&String>,
        sources: &[PathBuf],
    ) -> SearchArguments {
        let mut search = self.search.clone();
        search.test = test.cloned().or(search.test);
        search.reference = reference.map(PathBuf::from).or(search.reference);
        let sources = sources
            .iter()
            .map(|folder| self.working_directory.join(folder));
        search.source_path.extend(sources);
        search
    }

    fn keep(
        &self,
        folder: &Path,
        served: (askance_api::RunSnapshot, Option<TraceFolder>),
    ) -> Arc<LiveRun> {
        let (served, reference) = served;
        self.references().extend(reference);
        let live = Arc::new(LiveRun::complete(served));
        let open = self.open.lock();
        let mut open = open.unwrap_or_else(PoisonError::into_inner);
        open.push((folder.to_owned(), Arc::clone(&live)));
        live
    }

    fn program(&self, wanted: &LaunchArguments, folder: &Path) -> Result<ProgramToRecord, Failure> {
        let words = |words: &[String]| words.iter().map(OsString::from).collect::<Vec<_>>();
        match (&wanted.program, &wanted.test) {
            _ if !wanted.command.is_empty() => Ok(ProgramToRecord::Command(words(&wanted.command))),
            (Some(program), _) if program.ends_with(".java") => Ok(ProgramToRecord::JavaFile {
                file: folder.join(program),
                arguments: words(&wanted.args),
            }),
            (Some(main), _) => {
                let class_path = wanted.class_path.as_deref().unwrap_or(".");
                let mut command =
                    words(&["java".into(), "-cp".into(), class_path.into(), main.clone()]);
                command.extend(words(&wanted.args));
                Ok(ProgramToRecord::Command(command))
            }
            (None, Some(test)) => {
                let Some(class_path) = &wanted.class_path else {
                    return Err(Failure::mistake("a test needs a class path")
                        .hint("give \"classPath\", with the JUnit that runs it"));
                };
                let test = TestPattern::parse(test);
                let words = test_command::words(class_path.as_ref(), &test, TestExtent::Method);
                let mistake = |error: test_command::TestCommandError| {
                    Failure::mistake(error.to_string()).hint(error.hint())
                };
                words.map(ProgramToRecord::Command).map_err(mistake)
            }
            (None, None) => Err(Failure::mistake("there is nothing to run")
                .hint("give \"program\" (a .java file or a main class), \"test\" or \"command\"")),
        }
    }

    fn record(
        &self,
        wanted: &LaunchArguments,
        listener: &dyn LaunchListener,
    ) -> Result<Arc<LiveRun>, Failure> {
        self.check_token(wanted.token.as_deref())?;
        let folder = match &wanted.cwd {
            Some(folder) => self.working_directory.join(folder),
            None => self.working_directory.clone(),
        };
        let limit = wanted
            .time_limit
            .filter(|limit| limit.is_finite() && *limit > 0.0);
        let mut options =
            RecordArguments::of_editor(&wanted.include, &wanted.exclude, limit).options(&folder)?;
        if wanted.reference.is_some() {
            // Code that differs is a suspect wherever it is.
            options.libraries = Libraries::Full;
        }
        let request = Request {
            environment: environment(&wanted.env),
            program: self.program(wanted, &folder)?,
            output: match &wanted.trace {
                Some(trace) => TraceDestination::Named(folder.join(trace)),
                None => traces::kept(),
            },
            working_directory: folder,
            streams: Streams::Files { input: None },
            options,
        };
        if wanted.live {
            return self.follow(&request, wanted, listener);
        }
        listener.progress("starting the program");
        let running = launch::record::start(&request, &JdkLocations::this(), &mut Talk)?;
        let mut printed = Printed::new(running.folder());
        let started = Instant::now();
        while !running.is_gone() {
            if listener.is_cancelled() {
                running.stop();
            }
            printed.pass_on(listener);
            let bytes = record::bytes(recorded_bytes(running.folder()));
            let seconds = started.elapsed().as_secs();
            listener.progress(&format!("recording: {bytes}, {seconds} s"));
            thread::sleep(INTERVAL);
        }
        let recorded = running.wait()?;
        printed.pass_on(listener);
        listener.progress("making the index");
        let search = self.search(
            wanted.test.as_ref(),
            wanted.reference.as_ref(),
            &wanted.source_path,
        );
        let run = failed_tests::in_any_jvm(record::open(&recorded)?, &search)?;
        let ended = recorded.end.describe();
        let path = recorded.folder.keep();
        listener.printed(
            &format!(
                "askance: the program ended with {ended}; the trace is in {}\n",
                path.display()
            ),
            true,
        );
        Ok(self.keep(&path, served::recorded(run, &search)?))
    }

    /// Starts a program and shows what is recorded while it runs.
    fn follow(
        &self,
        request: &Request,
        wanted: &LaunchArguments,
        listener: &dyn LaunchListener,
    ) -> Result<Arc<LiveRun>, Failure> {
        let search = self.search(
            wanted.test.as_ref(),
            wanted.reference.as_ref(),
            &wanted.source_path,
        );
        live::check_options(&search)?;
        listener.progress("starting the program");
        let Started {
            running,
            theirs,
            folder,
        } = live::start(request, &search)?;
        let (stop, path) = (running.stopper(), running.folder().to_owned());
        let command = ask::command_of(&search);
        let slot = Arc::new(growing::live_run(
            request, &search, &running, theirs, command,
        )?);
        self.references().extend(folder);
        let driven = Arc::clone(&slot);
        let driver = thread::spawn(move || {
            growing::drive(running, &driven, Views::Taken, &search);
        });
        let drivers = self.running.lock();
        drivers.unwrap_or_else(PoisonError::into_inner).push(driver);
        while slot.is_empty() {
            if listener.is_cancelled() {
                stop();
            }
            let progress = slot.progress().borrow().clone();
            if let Some(Progress {
                phase: Phase::Failed,
                sentence,
                ..
            }) = progress
            {
                let sentence = sentence.unwrap_or_else(|| "nothing was recorded".to_owned());
                return Err(Failure::mistake(sentence));
            }
            listener.progress("waiting for the first call");
            thread::sleep(INTERVAL);
        }
        let open = self.open.lock();
        let mut open = open.unwrap_or_else(PoisonError::into_inner);
        open.push(canonical((path, Arc::clone(&slot))));
        Ok(slot)
    }

    fn references(&self) -> MutexGuard<'_, Vec<TraceFolder>> {
        let references = self.references.lock();
        references.unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, wanted: &AttachArguments) -> Result<Arc<LiveRun>, Failure> {
        self.check_token(wanted.token.as_deref())?;
        if wanted.trace.as_os_str().is_empty() {
            return Err(Failure::mistake("there is nothing to look at")
                .hint("give \"trace\", a folder that `askance record` made"));
        }
        let path = self.working_directory.join(&wanted.trace);
        let path = path.canonicalize().unwrap_or(path);
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, live)) = open.iter().find(|(known, _)| *known == path) {
            return Ok(Arc::clone(live));
        }
        drop(open);
        let search = self.search(
            wanted.test.as_ref(),
            wanted.reference.as_ref(),
            &wanted.source_path,
        );
        Ok(self.keep(&path, served::open(&path, wanted.jvm, &search)?))
    }
}

/// A trace by the path that stands for it, however it is named.
fn canonical((path, live): (PathBuf, Arc<LiveRun>)) -> (PathBuf, Arc<LiveRun>) {
    (path.canonicalize().unwrap_or(path), live)
}

/// Variables of the environment, of which an editor takes some away by giving them no value.
fn environment(wanted: &BTreeMap<String, Option<String>>) -> BTreeMap<OsString, Option<OsString>> {
    let given = wanted.iter();
    let given = given.map(|(name, value)| (name.into(), value.as_ref().map(OsString::from)));
    given.collect()
}

impl EditorWorkplace for Office {
    fn launch(
        &self,
        wanted: &LaunchArguments,
        listener: &dyn LaunchListener,
    ) -> Result<Arc<LiveRun>, String> {
        self.record(wanted, listener)
            .map_err(|failure| failure.in_one_sentence())
    }

    fn attach(&self, wanted: &AttachArguments) -> Result<Arc<LiveRun>, String> {
        self.open(wanted)
            .map_err(|failure| failure.in_one_sentence())
    }
}

/// What a program prints, passed on as it comes.
struct Printed {
    file: PathBuf,
    passed: u64,
}

impl Printed {
    fn new(folder: &Path) -> Printed {
        Printed {
            file: folder.join(OUTPUT),
            passed: 0,
        }
    }

    fn pass_on(&mut self, listener: &dyn LaunchListener) {
        let left = MOST_PRINTED.saturating_sub(self.passed);
        let Ok(mut file) = File::open(&self.file) else {
            return;
        };
        let mut bytes = Vec::new();
        let read = file.seek(SeekFrom::Start(self.passed));
        let read = read.and_then(|_| file.take(left).read_to_end(&mut bytes));
        // A character may be written by halves; the rest comes with the next piece.
        let whole = match str::from_utf8(&bytes) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => bytes.len(),
        };
        if read.is_ok() && whole > 0 {
            self.passed += whole as u64;
            listener.printed(&String::from_utf8_lossy(&bytes[..whole]), false);
        }
    }
}
