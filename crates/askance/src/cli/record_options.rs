//! What to run and how to record it: the arguments that `debug` and `record` share.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Args;
use trace_format::secret::NamePattern;

use super::failure::Failure;
use crate::config::Config;
use java_model::show::Show;

use super::amounts::{parse_seconds, parse_size};
use super::choices;
use java_names::glob::Glob;
use launch::command::ProgramToRecord;
use launch::project;
use trace_format::{Detail, JdkState, RecordOptions, WhenFull};

/// Chunks are up to 256 KB and an eighth of a ring is given up at once: with less, not much would be left.
const SMALLEST_RING: u64 = 4 << 20;

/// The program: a source file with its arguments, or a command.
#[derive(Debug, Args)]
pub(crate) struct ProgramArguments {
    /// A Java source file with a main method; it is compiled first
    #[arg(value_name = "FILE.java")]
    file: Option<PathBuf>,

    /// Without FILE.java the command to record, e.g. `-- java -cp out Main`; with it the program's
    /// arguments
    #[arg(last = true, value_name = "COMMAND | ARGS")]
    rest: Vec<OsString>,
}

impl ProgramArguments {
    /// Whether neither a file nor a command was named.
    pub(crate) fn is_empty(&self) -> bool {
        self.file.is_none() && self.rest.is_empty()
    }

    /// What the user wants to be run.
    pub(crate) fn program(self) -> Result<ProgramToRecord, Failure> {
        match self.file {
            Some(file) if file.extension() == Some(OsStr::new("java")) => {
                Ok(ProgramToRecord::JavaFile {
                    file,
                    arguments: self.rest,
                })
            }
            Some(other) => Err(Failure::mistake(format!(
                "{} is not a .java file",
                other.display()
            ))
            .hint("put a command behind `--`, e.g. askance record -- java -cp out Main")),
            None if self.rest.is_empty() => Err(Failure::mistake("there is nothing to run")
                .hint("name a .java file, or put a command behind `--`")),
            None => Ok(ProgramToRecord::Command(self.rest)),
        }
    }
}

/// How to record.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Record options")]
pub(crate) struct RecordArguments {
    /// Record only classes whose name matches, e.g. `shop.*` (repeatable; default: your own code, that is class
    /// folders, the jar that is started, jars built here and packages whose sources are here)
    #[arg(long, value_name = "GLOB", value_parser = class_pattern)]
    include: Vec<String>,

    /// Do not record classes whose name matches (repeatable)
    #[arg(long, value_name = "GLOB", value_parser = class_pattern)]
    exclude: Vec<String>,

    /// Record libraries as well as your own code; the JDK, test frameworks and build tools are left out
    #[arg(long, conflicts_with = "include")]
    record_libraries: bool,

    /// Count classes whose name matches as your own code, wherever they come from, besides those that
    /// `suspect` in askance.toml names (repeatable)
    #[arg(long, value_name = "GLOB", value_parser = class_pattern)]
    suspect: Vec<String>,

    /// The most that the trace may take on disk, e.g. 500M or 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_trace: Option<u64>,

    /// What to do when the trace has the size of --max-trace
    #[arg(long, value_name = "WHAT", value_parser = choices::when_full(), default_value = "stop")]
    when_full: WhenFull,

    /// Stop the program after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<f64>,

    /// How much of each call to record
    #[arg(long, value_name = "DETAIL", value_parser = choices::detail(), default_value = "full")]
    detail: Detail,

    /// Whether to record the state of the JDK's collections
    #[arg(long, value_name = "STATE", value_parser = choices::jdk_state(), default_value = "on")]
    jdk_state: JdkState,

    /// Keep the text of fields, variables and keys with this name out of the trace, besides those whose names are
    /// usual for secrets (*password*, *secret*, *token?, …) and those of askance.toml; `token?` means texts of
    /// at least 16 characters, `!token` makes an exception (repeatable)
    #[arg(long, value_name = "PATTERN", value_parser = secret_pattern)]
    mask: Vec<String>,

    /// Record all values, secrets too
    #[arg(long, conflicts_with = "mask")]
    no_mask: bool,
}

impl RecordArguments {
    /// Those of a program that records by itself.
    pub(crate) fn of_classes(include: &[String], exclude: &[String], time_limit: f64) -> Self {
        RecordArguments {
            include: include.to_vec(),
            exclude: exclude.to_vec(),
            time_limit: Some(time_limit),
            ..RecordArguments::default()
        }
    }

    /// Those of an editor, where somebody sees what runs.
    pub(crate) fn of_editor(
        include: &[String],
        exclude: &[String],
        time_limit: Option<f64>,
    ) -> Self {
        RecordArguments {
            time_limit,
            ..RecordArguments::of_classes(include, exclude, 0.0)
        }
    }

    /// Together with the settings that hold in the folder where the program runs.
    pub(crate) fn options(self, folder: &Path) -> Result<RecordOptions, Failure> {
        self.check_size()?;
        let config = Config::nearest(folder)?;
        let mask = match self.no_mask {
            true => Vec::new(),
            false => config.secrets.patterns(&self.mask),
        };
        let says_text = |show: &Show| show.to_string.then(|| show.class.clone());
        let mut options = RecordOptions {
            mask,
            texts: config.show.iter().filter_map(says_text).collect(),
            include: self.include,
            exclude: self.exclude,
            max_trace: self.max_trace,
            when_full: self.when_full,
            time_limit: self.time_limit,
            detail: self.detail,
            jdk_state: self.jdk_state,
            suspect: config.suspect.into_iter().chain(self.suspect).collect(),
            ..RecordOptions::default()
        };
        if options.include.is_empty() && !self.record_libraries {
            project::record_own_code_only(&mut options, folder);
        }
        Ok(options)
    }
}

impl RecordArguments {
    pub(crate) fn keeps_the_newest(&self) -> bool {
        self.when_full == WhenFull::Ring
    }

    fn check_size(&self) -> Result<(), Failure> {
        match (self.when_full, self.max_trace) {
            (WhenFull::Ring, None) => Err(Failure::mistake("--when-full ring needs a size")
                .hint("say how much may be kept, e.g. --max-trace 500M --when-full ring")),
            (WhenFull::Ring, Some(size)) if size < SMALLEST_RING => Err(Failure::mistake(
                "--when-full ring needs a --max-trace of at least 4M",
            )),
            _ => Ok(()),
        }
    }
}

fn secret_pattern(text: &str) -> Result<String, String> {
    NamePattern::new(text)
        .map(|_| text.to_owned())
        .map_err(|error| error.to_string())
}

fn class_pattern(text: &str) -> Result<String, String> {
    Glob::new(text)
        .map(|glob| glob.to_string())
        .map_err(|error| error.to_string())
}
