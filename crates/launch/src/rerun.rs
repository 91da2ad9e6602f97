//! Running a program again, unrecorded: as it is, or with hybrids in it.
//!
//! Nobody hears such a run; what it printed is handed back. Each has a folder of its own for temporary
//! files, so that several can run at once, and it goes away with the run; the program ends at the
//! latest when we do. What it wrote elsewhere stays: whoever runs a program again has been allowed to.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use trace_format::hybrids::hybrids_option;

use super::class_path::ClassPath;
use super::command::{CommandLine, ProgramToRecord};
use super::jdk::JdkLocations;
use super::lifeline::Lifeline;
use super::process::{self, ProgramEnd, ShouldStop};
use super::record::{Prepared, RecordError, input_again};
use super::settings::{self, SettingChange};
use super::{Listener, agent, scratch};

/// Of what a program prints no more than this is looked at.
const MOST_OUTPUT: u64 = 16 << 20;

/// What stands in outputs for the folder of temporary files, which has another name each time.
const TEMPORARY: &str = "/tmp";

/// What stands in outputs for the folder that a version of the project is in.
const PROJECT: &str = "/project";

/// A program that can be run again and again.
pub struct Rerun {
    /// With the classes that were compiled for it, which must outlive its runs.
    prepared: Prepared,
    working_directory: PathBuf,
    /// Where this version of the project is, if the other one is elsewhere.
    project: Option<PathBuf>,
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
    /// What the command gives the program as the other version's command does.
    pub settings: &'m [&'m SettingChange],
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
            project: None,
            with_children,
        })
    }

    /// Says in which folder this version of the project is, where the versions are in folders of their own: programs
    /// print paths, and two that differ in nothing else print the same.
    #[must_use]
    pub fn of_project(self, folder: &Path) -> Rerun {
        Rerun {
            project: Some(folder.to_owned()),
            ..self
        }
    }

    /// Whether two runs of it can go on at once. A build tool has one folder for what it makes.
    #[must_use]
    pub fn may_run_beside_itself(&self) -> bool {
        !self.with_children
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

    /// What its command gives the program, and another version's command otherwise. Where the versions are in folders
    /// of their own the commands are the same but for these folders.
    #[must_use]
    pub fn settings_unlike(&self, other: &Rerun) -> Vec<SettingChange> {
        if self.project.is_some() {
            return Vec::new();
        }
        settings::differing(&self.prepared.words, &other.prepared.words)
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
        let words = settings::with_theirs(&self.prepared.words, changed.settings);
        let words = match (changed.resources, words.split_first()) {
            (Some(resources), Some((java, arguments))) => {
                let path = resources.as_os_str();
                let rest = java_launcher::with_class_path(arguments, path, true);
                std::iter::once(java.clone()).chain(rest).collect()
            }
            _ => words,
        };
        let line = CommandLine::with_options(&words, &options, self.with_children);
        let mut command = line.command();
        command
            .current_dir(&self.working_directory)
            .env("TMPDIR", &own)
            .process_group(0)
            .stdin(input_again())
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?);
        let started = Instant::now();
        let mut child = command.spawn()?;
        let _lifeline = Lifeline::of_group(&child);
        let end = process::finish(&mut child, Some(started + limit), Some(should_stop))?;
        Ok(Observed {
            end,
            output: self.text(&out, &own)?,
            errors: self.text(&err, &own)?,
            spent: started.elapsed(),
        })
    }

    /// What was printed, with the same names for folders that are called otherwise each time.
    fn text(&self, file: &Path, own: &Path) -> io::Result<String> {
        let mut bytes = Vec::new();
        File::open(file)?
            .take(MOST_OUTPUT)
            .read_to_end(&mut bytes)?;
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        let folders = [(Some(own), TEMPORARY), (self.project.as_deref(), PROJECT)];
        for (folder, name) in folders {
            if let Some(folder) = folder.and_then(Path::to_str) {
                text = text.replace(folder, name);
            }
        }
        Ok(text)
    }
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
