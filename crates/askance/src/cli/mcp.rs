//! `askance mcp`: an agent asks, answers and looks, over standard input and output.

use std::ffi::OsString;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use debug_engine::session::Confidence;
use trace_store::RunFolder;

use super::ask_options::SearchArguments;
use super::dap;
use super::failure::{Exit, Failure};
use super::output::{self, Talk};
use super::record;
use super::record_options::RecordArguments;
use super::serve;
use super::served;
use super::surroundings::working_directory;
use askance_api::LiveRun;
use askance_mcp::{OpenWanted, RecordWanted, RecordedRun, Workplace, name_of};
use inquiry::chosen_transformations::ChosenTransformations;
use inquiry::imported::ImportedTree;
use java_names::glob::Glob;
use launch::command::ProgramToRecord;
use launch::folder::TraceFolder;
use launch::jdk::JdkLocations;
use launch::record::{Request, Streams, TraceDestination};
use launch::scratch;
use trace_format::files::OUTPUT;

/// No more of what a program printed is told.
const MOST_OUTPUT: u64 = 4000;
/// A program that an agent runs is stopped after this, unless it says otherwise.
const USUAL_TIME_LIMIT: f64 = 60.0;
const LONGEST_TIME_LIMIT: f64 = 3600.0;

/// Let an AI agent ask, answer and look, over the Model Context Protocol on standard input and output
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance mcp run.askance\n         askance mcp --folder traces --allow-record\n         askance mcp run.askance --page --dap 4711\n\nThe agent can open the traces that are named here, and those in --folder; nothing else. Its answers are kept\nin the trace as an agent's, with its confidence; `askance ask` and `askance serve` go on with them, and what a\nperson says there is not overruled. docs/mcp.md lists the tools."
)]
pub(crate) struct Arguments {
    /// Traces that may be opened, as `askance record` made them
    #[arg(value_name = "TRACE")]
    traces: Vec<PathBuf>,

    /// Traces in this folder may be opened too, and recordings go there
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Let the agent run programs and record them: any command, in the current folder, with your rights
    #[arg(long)]
    allow_record: bool,

    /// Serve the page for the named traces as well, so that a person answers in the same sessions; its address is
    /// printed on standard error
    #[arg(long, requires = "traces")]
    page: bool,

    /// The page's port (default: any that is free)
    #[arg(long, value_name = "N", default_value_t = 0, requires = "page")]
    port: u16,

    /// Let editors into the same sessions as well, on this port of this machine (0: any that is free); the address and
    /// the token are printed on standard error
    #[arg(long, value_name = "N", requires = "traces")]
    dap: Option<u16>,

    #[command(flatten)]
    search: SearchArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<Exit, Failure> {
    arguments.search.check()?;
    let office = Arc::new(Office::of(&arguments)?);
    if arguments.page || arguments.dap.is_some() {
        office.share()?;
    }
    if arguments.page {
        serve_page(&office, arguments.port)?;
    }
    if let Some(port) = arguments.dap {
        dap::share(office.shared().clone(), &office.search, port)?;
    }
    askance_mcp::serve(office)
        .map_err(|error| Failure::mistake(format!("the connection broke off: {error}")))?;
    Ok(Exit::Done)
}

/// Shows the named traces on a page beside.
fn serve_page(office: &Office, port: u16) -> Result<(), Failure> {
    let shared = office.shared();
    let slots = shared.iter().map(|(_, slot)| Arc::clone(slot)).collect();
    drop(shared);
    let server = serve::listen(slots, port)?;
    output::talk(&format!("askance: the page is at {}", server.url()));
    std::thread::spawn(move || {
        if let Err(error) = server.run() {
            output::talk(&format!("askance: the page broke off: {error}"));
        }
    });
    Ok(())
}

/// What the agent may work with.
struct Office {
    named: Vec<PathBuf>,
    /// Where other traces are, and where recordings go.
    folder: Option<PathBuf>,
    /// The folder, if it is only for as long as the server runs.
    _temporary: Option<tempfile::TempDir>,
    may_record: bool,
    working_directory: PathBuf,
    search: SearchArguments,
    /// The sessions that a person sees as well.
    shared: Mutex<Vec<(PathBuf, Arc<LiveRun>)>>,
    /// What was recorded as references, for as long as there are questions.
    references: Mutex<Vec<TraceFolder>>,
}

impl Office {
    fn of(arguments: &Arguments) -> Result<Office, Failure> {
        if arguments.traces.is_empty() && arguments.folder.is_none() && !arguments.allow_record {
            return Err(
                Failure::mistake("there is nothing that the agent could open")
                    .hint("name a trace, a folder of traces with --folder, or add --allow-record"),
            );
        }
        if let Some(missing) = arguments.traces.iter().find(|trace| !is_trace(trace)) {
            return Err(
                Failure::mistake(format!("{} is not a trace", missing.display()))
                    .hint("name a folder that `askance record` made"),
            );
        }
        let unusable = |path: &Path, error: std::io::Error| {
            Failure::mistake(format!("{} cannot be used: {error}", path.display()))
        };
        let mut temporary = None;
        let folder = match &arguments.folder {
            Some(folder) => {
                std::fs::create_dir_all(folder).map_err(|error| unusable(folder, error))?;
                Some(folder.clone())
            }
            None if arguments.allow_record => {
                let made =
                    scratch::folder().map_err(|error| unusable(&std::env::temp_dir(), error))?;
                let path = made.path().to_owned();
                temporary = Some(made);
                Some(path)
            }
            None => None,
        };
        Ok(Office {
            named: arguments.traces.clone(),
            folder,
            _temporary: temporary,
            may_record: arguments.allow_record,
            working_directory: working_directory()?,
            search: arguments.search.clone(),
            shared: Mutex::default(),
            references: Mutex::default(),
        })
    }

    fn shared(&self) -> std::sync::MutexGuard<'_, Vec<(PathBuf, Arc<LiveRun>)>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the named traces, for others beside the agent.
    fn share(&self) -> Result<(), Failure> {
        for trace in &self.named {
            let slot = self.slot(trace, &self.search)?;
            self.shared().push((trace.clone(), slot));
        }
        Ok(())
    }

    /// All traces by name. A name stands for one folder, and never for a way to another.
    fn known(&self) -> Vec<(String, PathBuf)> {
        let mut known: Vec<(String, PathBuf)> = Vec::new();
        let entries = self
            .folder
            .iter()
            .filter_map(|folder| folder.read_dir().ok());
        let mut below: Vec<PathBuf> = entries
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| is_trace(path))
            .collect();
        below.sort();
        for path in self.named.iter().cloned().chain(below) {
            let name = name_of(&path);
            // Two named traces may be called the same.
            let name = match known.iter().any(|(other, _)| *other == name) {
                true => path.display().to_string(),
                false => name,
            };
            known.push((name, path));
        }
        known
    }

    fn slot(&self, trace: &Path, search: &SearchArguments) -> Result<Arc<LiveRun>, Failure> {
        let (served, reference) = served::open(trace, None, search)?;
        let mut references = self
            .references
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        references.extend(reference);
        Ok(Arc::new(LiveRun::complete(served)))
    }

    /// The arguments that the server was started with, as far as the agent does not want otherwise.
    fn search(&self, wanted: &OpenWanted) -> Result<SearchArguments, Failure> {
        let mut search = self.search.clone();
        if let Some(list) = &wanted.transform {
            let parsed = ChosenTransformations::parse(list);
            search.transform = Some(parsed.map_err(|error| Failure::mistake(error.to_string()))?);
        }
        search.strategy = wanted.strategy.clone().or(search.strategy);
        search.root = wanted.root.clone().or(search.root);
        search.test = wanted.test.clone().or(search.test);
        search.check()?;
        Ok(search)
    }

    fn request(&self, wanted: &RecordWanted) -> Result<Request, Failure> {
        let words = |words: &[String]| words.iter().map(OsString::from).collect();
        let program = match (&wanted.java_file, &wanted.command) {
            (Some(file), None) => ProgramToRecord::JavaFile {
                file: self.working_directory.join(file),
                arguments: words(&wanted.arguments),
            },
            (None, Some(command)) if !command.is_empty() => {
                ProgramToRecord::Command(words(command))
            }
            _ => {
                return Err(Failure::mistake(
                    "either java_file or command says what to run",
                ));
            }
        };
        let mut patterns = wanted.include.iter().chain(&wanted.exclude);
        if let Some(wrong) = patterns.find(|pattern| Glob::new(pattern).is_err()) {
            return Err(Failure::mistake(format!(
                "{wrong:?} is no pattern of class names"
            )));
        }
        let limit = wanted.time_limit.unwrap_or(USUAL_TIME_LIMIT);
        if !(limit > 0.0 && limit <= LONGEST_TIME_LIMIT) {
            return Err(Failure::mistake(format!(
                "time_limit is a number of seconds up to {LONGEST_TIME_LIMIT}"
            )));
        }
        Ok(Request {
            environment: std::collections::BTreeMap::new(),
            program,
            working_directory: self.working_directory.clone(),
            output: TraceDestination::Named(self.place(wanted.name.as_deref())?),
            streams: Streams::Files { input: None },
            options: RecordArguments::of_classes(&wanted.include, &wanted.exclude, limit)
                .options(&self.working_directory)?,
        })
    }

    /// Where a recording goes: in the folder and nowhere else.
    fn place(&self, name: Option<&str>) -> Result<PathBuf, Failure> {
        let folder = self.folder.as_deref().unwrap_or(Path::new("."));
        let plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
        match name {
            Some(name) if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) => {
                Err(Failure::mistake(format!(
                    "{name:?} is no name for a trace; letters, digits, - and _ are"
                )))
            }
            Some(name) => Ok(folder.join(name).with_extension("askance")),
            None => {
                let names = (1u32..).map(|number| folder.join(format!("run{number}.askance")));
                let mut free = names.into_iter().filter(|path| !path.exists());
                Ok(free.next().unwrap_or_else(|| folder.join("run.askance")))
            }
        }
    }

    fn run(&self, wanted: &RecordWanted) -> Result<RecordedRun, Failure> {
        let request = self.request(wanted)?;
        let recorded = launch::record::record(&request, &JdkLocations::this(), &mut Talk)?;
        let traces = record::recorded_jvms(&recorded)?;
        let ended = recorded.end.describe();
        let path = recorded.folder.keep();
        Ok(RecordedRun {
            trace: name_of(&path),
            ended,
            bytes: traces.iter().map(|trace| trace.file_bytes()).sum(),
            output: end_of(&path.join(OUTPUT)),
        })
    }
}

impl Workplace for Office {
    fn least_confidence(&self) -> Confidence {
        self.search.min_confidence
    }

    fn traces(&self) -> Vec<String> {
        self.known().into_iter().map(|(name, _)| name).collect()
    }

    fn open(&self, wanted: &OpenWanted) -> Result<Arc<LiveRun>, String> {
        let known = self.known();
        let found = known.into_iter().find(|(name, _)| *name == wanted.trace);
        let Some((_, path)) = found else {
            return Err(format!(
                "there is no trace {:?}; list_traces lists them",
                wanted.trace
            ));
        };
        let shared = self.shared();
        if let Some((_, slot)) = shared.iter().find(|(trace, _)| *trace == path) {
            return Ok(Arc::clone(slot));
        }
        drop(shared);
        let search = self
            .search(wanted)
            .map_err(|failure| failure.in_one_sentence())?;
        self.slot(&path, &search)
            .map_err(|failure| failure.in_one_sentence())
    }

    fn may_record(&self) -> bool {
        self.may_record
    }

    fn record(&self, wanted: &RecordWanted) -> Result<RecordedRun, String> {
        self.run(wanted)
            .map_err(|failure| failure.in_one_sentence())
    }
}

fn is_trace(path: &Path) -> bool {
    ImportedTree::is_at(path) || RunFolder::open(path).is_ok()
}

/// The end of a file, as text.
fn end_of(path: &Path) -> String {
    let read = || -> std::io::Result<String> {
        let mut file = std::fs::File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(MOST_OUTPUT)))?;
        let mut bytes = Vec::new();
        file.take(MOST_OUTPUT).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    read().unwrap_or_default()
}
