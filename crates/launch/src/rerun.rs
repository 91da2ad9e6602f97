//! Running a program again, unrecorded: as it is, or with hybrids in it.
//!
//! Nobody hears such a run; what it printed is handed back. Each has a folder of its own for temporary
//! files, so that several can run at once, and it goes away with the run. What it wrote elsewhere
//! stays: whoever runs a program again has been allowed to.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use trace_format::hybrids::hybrids_option;

use super::class_path::ClassPath;
use super::command::{CommandLine, ProgramToRecord};
use super::jdk::JdkLocations;
use super::process::{self, ProgramEnd, ShouldStop};
use super::record::{Prepared, RecordError, input_again};
use super::{Listener, agent, scratch};

/// Of what a program prints no more than this is looked at.
const MOST_OUTPUT: u64 = 16 << 20;

/// What stands in outputs for the folder of temporary files, which has another name each time.
const TEMPORARY: &str = "/tmp";

/// A program that can be run again and again.
pub struct Rerun {
    /// With the classes that were compiled for it, which must outlive its runs.
    prepared: Prepared,
    working_directory: PathBuf,
    library: PathBuf,
    /// Whether JVMs that the program starts are meant as well.
    with_children: bool,
}

/// What is not as it was in a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Modification<'m> {
    /// A folder of hybrids.
    pub hybrids: Option<&'m Path>,
    /// A folder that is looked through for resources before anything else is.
    pub resources: Option<&'m Path>,
}

/// What one run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    pub end: ProgramEnd,
    pub output: String,
    pub errors: String,
    pub spent: Duration,
}

impl Rerun {
    /// Compiles the program if need be.
    ///
    /// # Errors
    /// If that fails, or there is no agent.
    pub fn new(
        program: &ProgramToRecord,
        working_directory: &Path,
        with_children: bool,
        machine: &JdkLocations,
        listener: &mut dyn Listener,
    ) -> Result<Rerun, RecordError> {
        Ok(Rerun {
            library: agent::find()?,
            prepared: Prepared::new(program, machine, listener)?,
            working_directory: working_directory.to_owned(),
            with_children,
        })
    }

    /// Where it looks for classes and resources, if its command says so.
    #[must_use]
    pub fn class_path(&self) -> Option<ClassPath> {
        let (java, arguments) = self.prepared.words.split_first()?;
        let path = java_launcher::is_java(java)
            .then(|| java_launcher::class_path_of(arguments))
            .flatten()?;
        Some(ClassPath::new(&path).inside(&self.working_directory))
    }

    /// Runs it to its end or to the time limit, with what is changed in it.
    ///
    /// # Errors
    /// If it cannot be started, or there is no place for what it prints.
    pub fn run(
        &self,
        changed: Modification<'_>,
        limit: Duration,
        should_stop: ShouldStop<'_>,
    ) -> io::Result<Observed> {
        let folder = scratch::folder()?;
        let own = folder.path().join("tmp");
        std::fs::create_dir(&own)?;
        let [out, err] = ["out", "err"].map(|name| folder.path().join(name));
        let mut property = OsString::from("-Djava.io.tmpdir=");
        property.push(&own);
        let mut options = vec![property];
        if let Some(hybrids) = changed.hybrids {
            let mut option = OsString::from("-agentpath:");
            option.push(&self.library);
            option.push("=");
            option.push(hybrids_option(hybrids));
            options.push(option);
        }
        let words = match (changed.resources, self.prepared.words.split_first()) {
            (Some(resources), Some((java, arguments))) => {
                let path = resources.as_os_str();
                let rest = java_launcher::with_class_path(arguments, path, true);
                std::iter::once(java.clone()).chain(rest).collect()
            }
            _ => self.prepared.words.clone(),
        };
        let line = CommandLine::with_options(&words, &options, self.with_children);
        let mut command = line.command();
        command
            .current_dir(&self.working_directory)
            .env("TMPDIR", &own)
            .stdin(input_again())
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?);
        let started = Instant::now();
        let mut child = command.spawn()?;
        let end = process::finish(&mut child, Some(started + limit), Some(should_stop))?;
        Ok(Observed {
            end,
            output: text(&out, &own)?,
            errors: text(&err, &own)?,
            spent: started.elapsed(),
        })
    }
}

fn text(file: &Path, own: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(file)?
        .take(MOST_OUTPUT)
        .read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(match own.as_os_str().to_str() {
        Some(own) => text.replace(own, TEMPORARY),
        None => text.into_owned(),
    })
}

impl CommandLine {
    /// The command with options for JVMs in it: for the JVM that it is, or with `everywhere` for each that is
    /// started below it.
    #[must_use]
    pub fn with_options(words: &[OsString], options: &[OsString], everywhere: bool) -> CommandLine {
        match words.split_first() {
            Some((java, arguments)) if java_launcher::is_java(java) && !everywhere => {
                let mut words = vec![java.clone()];
                words.extend(options.iter().cloned());
                words.extend(arguments.iter().cloned());
                CommandLine {
                    words,
                    environment: Vec::new(),
                }
            }
            _ => {
                let name = java_launcher::TOOL_OPTIONS;
                let present = std::env::var_os(name).unwrap_or_default();
                let join = |all: OsString, option: &OsString| java_launcher::joined(all, option);
                let value = options.iter().fold(present, join);
                CommandLine {
                    words: words.to_vec(),
                    environment: vec![(OsStr::new(name).to_owned(), value)],
                }
            }
        }
    }
}
