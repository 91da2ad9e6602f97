//! The executable that answers SQL, which lies beside the tool's own.
//!
//! What it is made of is larger than the rest of Askance, so a checkout builds it when it is first needed, and again
//! when the tool is newer. A release has both in the same folder.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::Listener;
use crate::process::{self, ProgramEnd, ShouldStop};

const NAME: &str = "askance-query";

/// The environment variable that names the executable.
pub const VARIABLE: &str = "ASKANCE_QUERY";

/// Why there is no such executable.
#[derive(Debug, thiserror::Error)]
pub enum CompanionError {
    #[error("{NAME} is not beside {}", .0.display())]
    NotThere(PathBuf),
    #[error("{VARIABLE} names {}, which is not a file", .0.display())]
    NotNamed(PathBuf),
    #[error("{NAME} cannot be built: {0}")]
    NotBuilt(String),
    #[error("where this executable lies cannot be told: {0}")]
    Nowhere(#[source] io::Error),
    #[error("{NAME} is not built yet")]
    NotYet,
    #[error("{NAME} cannot be started: {0}")]
    NotStarted(#[source] io::Error),
    /// What it said.
    #[error("{sentence}")]
    Refused {
        sentence: String,
        hint: Option<String>,
    },
    #[error("the query was not answered within {} seconds", .0.as_secs())]
    TooLong(Duration),
    #[error("the query was stopped: nobody waits for it any more")]
    Stopped,
}

impl CompanionError {
    /// What to do.
    #[must_use]
    pub fn hint(&self) -> &str {
        match self {
            CompanionError::NotThere(_) => {
                "`cargo install --path crates/askance-query` in a checkout puts it there"
            }
            CompanionError::NotNamed(_) => "name the executable, or nothing",
            CompanionError::NotYet => {
                "`askance query --schema` builds it, once, which takes some minutes"
            }
            CompanionError::Refused { hint, .. } => {
                hint.as_deref().unwrap_or("docs/query.md lists the tables")
            }
            CompanionError::TooLong(_) => {
                "ask for less, or `askance query` in a terminal, which waits"
            }
            CompanionError::Stopped => "ask again",
            CompanionError::NotBuilt(_)
            | CompanionError::Nowhere(_)
            | CompanionError::NotStarted(_) => "cargo build -p askance-query says more",
        }
    }
}

/// Something that is asked of a recorded run.
pub struct Query<'a> {
    pub trace: &'a Path,
    /// The process id of the JVM.
    pub jvm: u32,
    pub sql: &'a str,
    pub most_rows: usize,
    pub time_limit: Duration,
    /// Whether nobody waits for the answer any more.
    pub should_stop: ShouldStop<'a>,
}

/// How long the executable may take to say what it knows without a trace.
const LONGEST_LISTING: Duration = Duration::from_secs(20);

/// Asks, and gives the rows as a JSON array of objects.
///
/// # Errors
/// If there is no such executable yet, or it does not answer.
pub fn ask(query: &Query<'_>) -> Result<String, CompanionError> {
    answered_about("rows", query)
}

fn answered_about(what: &str, query: &Query<'_>) -> Result<String, CompanionError> {
    let mut command = Command::new(there()?);
    command.args([what, "--"]).arg(query.trace);
    command.args([query.jvm.to_string(), query.most_rows.to_string()]);
    command.arg(query.sql);
    answered(&mut command, query.time_limit, query.should_stop)
}

/// Asks for the calls in which a query finds something, and gives them as a JSON object.
///
/// # Errors
/// If there is no such executable yet, or it does not answer.
pub fn calls_found(query: &Query<'_>) -> Result<String, CompanionError> {
    answered_about("calls", query)
}

/// The tables and views that can be asked, as a JSON object.
///
/// # Errors
/// If there is no such executable yet, or it does not answer.
pub fn catalogue() -> Result<String, CompanionError> {
    let mut command = Command::new(there()?);
    command.arg("catalogue");
    answered(&mut command, LONGEST_LISTING, &|| false)
}

/// Runs the executable, and gives what it printed.
fn answered(
    command: &mut Command,
    time_limit: Duration,
    should_stop: ShouldStop<'_>,
) -> Result<String, CompanionError> {
    let files = || Ok((tempfile::tempfile()?, tempfile::tempfile()?));
    let (answer, talk): (File, File) = files().map_err(CompanionError::NotStarted)?;
    let copied = |file: &File| file.try_clone().map_err(CompanionError::NotStarted);
    command.stdin(Stdio::null());
    command.stdout(copied(&answer)?).stderr(copied(&talk)?);
    let end = run(command, time_limit, should_stop).map_err(CompanionError::NotStarted)?;
    if end.timed_out {
        return Err(CompanionError::TooLong(time_limit));
    }
    match end.success() {
        true => content(answer).map_err(CompanionError::NotStarted),
        false if should_stop() => Err(CompanionError::Stopped),
        false => Err(refused(&content(talk).unwrap_or_default())),
    }
}

fn run(
    command: &mut Command,
    time_limit: Duration,
    should_stop: ShouldStop<'_>,
) -> io::Result<ProgramEnd> {
    let mut child = command.spawn()?;
    let deadline = Instant::now() + time_limit;
    process::finish(&mut child, Some(deadline), Some(should_stop))
}

fn content(mut file: File) -> io::Result<String> {
    let mut text = String::new();
    file.rewind()?;
    file.read_to_string(&mut text)?;
    Ok(text)
}

/// The sentence that a command line ends with when it is wrong.
fn refused(talk: &str) -> CompanionError {
    let after = |beginning: &str| {
        let mut lines = talk.lines();
        lines.find_map(|line| line.strip_prefix(beginning).map(str::to_owned))
    };
    CompanionError::Refused {
        sentence: after("askance: ").unwrap_or_else(|| talk.trim().to_owned()),
        hint: after("  hint: "),
    }
}

/// The executable, unless it would have to be built first.
fn there() -> Result<PathBuf, CompanionError> {
    if let Some(path) = named()? {
        return Ok(path);
    }
    let tool = tool()?;
    let companion = tool.with_file_name(NAME);
    match (companion.is_file(), Checkout::of(&tool)) {
        (true, _) => Ok(companion),
        (false, Some(_)) => Err(CompanionError::NotYet),
        (false, None) => Err(CompanionError::NotThere(tool)),
    }
}

/// The executable that the environment names.
fn named() -> Result<Option<PathBuf>, CompanionError> {
    let named = std::env::var_os(VARIABLE).filter(|named| !named.is_empty());
    match named.map(PathBuf::from) {
        Some(path) if !path.is_file() => Err(CompanionError::NotNamed(path)),
        path => Ok(path),
    }
}

/// This executable.
fn tool() -> Result<PathBuf, CompanionError> {
    let tool = std::env::current_exe().and_then(|tool| tool.canonicalize());
    tool.map_err(CompanionError::Nowhere)
}

/// The executable that the environment names, or the one beside this one, which is built first where this is a checkout
/// and it is missing or old.
///
/// # Errors
/// If there is none.
pub fn find(listener: &mut dyn Listener) -> Result<PathBuf, CompanionError> {
    if let Some(path) = named()? {
        return Ok(path);
    }
    let tool = tool()?;
    let companion = tool.with_file_name(NAME);
    let Some(checkout) = Checkout::of(&tool) else {
        return match companion.is_file() {
            true => Ok(companion),
            false => Err(CompanionError::NotThere(tool)),
        };
    };
    if modified(&companion).is_none_or(|made| Some(made) < modified(&tool)) {
        if !companion.is_file() {
            listener.say("the part that answers SQL is built first, once; this takes some minutes");
        }
        checkout.build()?;
        // What was not old after all would be tried again each time.
        let touched = std::fs::File::open(&companion);
        let _ = touched.and_then(|file| file.set_modified(SystemTime::now()));
    }
    Ok(companion)
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// The repository that an executable was built in, with the profile.
struct Checkout {
    root: PathBuf,
    profile: String,
}

impl Checkout {
    /// By where cargo puts executables: `target/PROFILE/askance`.
    fn of(tool: &Path) -> Option<Checkout> {
        let folder = tool.parent()?;
        let root = folder.parent()?.parent()?;
        let manifest = root.join("crates").join(NAME).join("Cargo.toml");
        manifest.is_file().then_some(())?;
        let profile = match folder.file_name()?.to_str()? {
            "debug" => "dev",
            other => other,
        };
        Some(Checkout {
            root: root.to_owned(),
            profile: profile.to_owned(),
        })
    }

    fn build(&self) -> Result<(), CompanionError> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--quiet", "--package", NAME, "--profile"])
            .arg(&self.profile)
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(CompanionError::NotBuilt(format!(
                "cargo ended with {status}"
            ))),
            Err(error) => Err(CompanionError::NotBuilt(format!("cargo: {error}"))),
        }
    }
}
