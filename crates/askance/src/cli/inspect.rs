//! Opening a trace that the user named.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use trace_store::StoreError;

use super::failure::{Exit, Failure};
use super::output;
use super::surroundings::working_directory;
use crate::config::Config;
use inquiry::imported::{self, ImportedTree};
use java_analysis::recording::Recording;
use java_model::chosen_fields::ChosenFields;
use java_model::run::{JavaRun, JvmSummary, OpenError};

/// Which trace.
#[derive(Debug, Args)]
pub(crate) struct TraceArguments {
    /// The trace's folder, as `askance record` made it
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,

    /// Which of several recorded JVMs, by process id (default: the one that ran main or tests)
    #[arg(long, value_name = "PID")]
    pub(crate) jvm: Option<u32>,
}

impl TraceArguments {
    /// Opens a recorded run, for what an imported tree cannot tell.
    pub(crate) fn open(&self) -> Result<JavaRun, Failure> {
        match self.open_either()? {
            Opened::Java(run) => Ok(*run),
            Opened::Imported(_) => Err(Failure::mistake(format!(
                "{} is an imported call tree: what happened inside its calls was not recorded",
                self.trace.display()
            ))
            .hint("ask, tree, show, info and eval work on imported trees")),
        }
    }

    /// Opens whatever it is, with folders in which sources may be.
    pub(crate) fn open_with_sources(
        &self,
        source_path: &[PathBuf],
    ) -> Result<Arc<dyn Recording>, Failure> {
        Ok(match self.open_either()? {
            Opened::Java(mut run) => {
                run.add_source_path(source_path);
                Arc::<JavaRun>::from(run)
            }
            Opened::Imported(tree) => Arc::<ImportedTree>::from(tree),
        })
    }

    pub(crate) fn open_either(&self) -> Result<Opened, Failure> {
        open_either(&self.trace, self.jvm)
    }
}

/// Opens a recorded run or an imported tree.
pub(crate) fn open_either(trace: &Path, jvm: Option<u32>) -> Result<Opened, Failure> {
    if ImportedTree::is_at(trace) {
        return Ok(Opened::Imported(Box::new(ImportedTree::open(trace)?)));
    }
    open(trace, jvm).map(|run| Opened::Java(Box::new(run)))
}

/// What a trace can be.
pub(crate) enum Opened {
    Java(Box<JavaRun>),
    Imported(Box<ImportedTree>),
}

impl From<imported::OpenImportedError> for Failure {
    fn from(error: imported::OpenImportedError) -> Failure {
        Failure::mistake(error.to_string()).hint("import it again")
    }
}

/// Opens a trace, telling how far the index is if that takes time.
pub(crate) fn open_quietly(trace: &Path) -> Result<JavaRun, OpenError> {
    let mut progress = Progress::new("indexing");
    JavaRun::open(trace, None, &mut |done, total| progress.at(done, total))
}

/// Opens one of the JVMs of a trace.
pub(crate) fn open_one(trace: &Path, jvm: u32) -> Result<JavaRun, OpenError> {
    let mut progress = Progress::new("indexing");
    JavaRun::open(trace, Some(jvm), &mut |done, total| {
        progress.at(done, total);
    })
}

/// Opens a trace, telling how far the index is if that takes time, and which JVM was chosen if
/// there are several.
pub(crate) fn open(trace: &Path, jvm: Option<u32>) -> Result<JavaRun, Failure> {
    let mut progress = Progress::new("indexing");
    let run = JavaRun::open(trace, jvm, &mut |done, total| progress.at(done, total));
    drop(progress);
    let mut run = run.map_err(Failure::from)?;
    run.show_only(chosen_fields(&settings()?));
    if let Some(damage) = run.damage() {
        output::talk(&format!(
            "askance: {damage}; what is told of it may be incomplete or wrong"
        ));
    }
    // One without a command was started to ask for its version, as build tools do.
    let ran = |jvm: &&JvmSummary| jvm.chosen || !jvm.command.is_empty();
    let jvms: Vec<&JvmSummary> = run.jvms().iter().filter(ran).collect();
    if jvm.is_none() && jvms.len() > 1 {
        output::talk(&format!("askance: {} JVMs were recorded:", jvms.len()));
        for jvm in jvms {
            let mark = if jvm.chosen { "*" } else { " " };
            output::talk(&format!("  {mark} {}  {}", jvm.pid, jvm.command));
        }
        output::talk("  (* is shown; --jvm PID chooses another)");
    }
    Ok(run)
}

/// What the project in the current folder sets.
pub(crate) fn settings() -> Result<Config, Failure> {
    Config::nearest(&working_directory()?).map_err(|error| {
        Failure::mistake(error.to_string()).hint("docs/oracles.md says what it can hold")
    })
}

pub(crate) fn chosen_fields(config: &Config) -> ChosenFields {
    ChosenFields::new(&config.show)
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        let failure = Failure::mistake(error.to_string());
        match error {
            OpenError::Store(StoreError::Missing(_) | StoreError::NotATrace { .. }) => {
                failure.hint("name a folder that `askance record` made")
            }
            OpenError::Store(StoreError::Version { .. }) => {
                failure.hint("record again, or use the version of askance that recorded it")
            }
            OpenError::Store(StoreError::Empty(_)) => failure.hint("record again"),
            OpenError::NoCalls(_) => Failure {
                exit: Exit::Nothing,
                ..failure.hint("record other classes with --include GLOB")
            },
            OpenError::NoJvm { .. } => failure.hint("--jvm takes one of these process ids"),
            OpenError::Damaged { .. } => failure.hint("record again"),
            OpenError::TooManyCalls(_) => failure.hint("record less with --include or --exclude"),
            OpenError::Store(_) => failure,
        }
    }
}

/// A bar on a terminal, a plain line now and then elsewhere, nothing for what is done at once.
pub(crate) struct Progress {
    what: &'static str,
    template: &'static str,
    started: Instant,
    bar: Option<ProgressBar>,
    told: Option<Instant>,
}

const PATIENCE: Duration = Duration::from_millis(500);
const BETWEEN_LINES: Duration = Duration::from_secs(5);

impl Progress {
    /// Of something that is measured in bytes.
    pub(crate) fn new(what: &'static str) -> Progress {
        Progress::with_template(what, "{msg} {bar:40} {bytes}/{total_bytes} {eta}")
    }

    /// Of something that is counted.
    pub(crate) fn counting(what: &'static str) -> Progress {
        Progress::with_template(what, "{msg} {bar:40} {pos}/{len} {eta}")
    }

    fn with_template(what: &'static str, template: &'static str) -> Progress {
        Progress {
            what,
            template,
            started: Instant::now(),
            bar: None,
            told: None,
        }
    }

    pub(crate) fn at(&mut self, done: u64, total: u64) {
        if self.started.elapsed() < PATIENCE {
            return;
        }
        if std::io::stderr().is_terminal() {
            let what = self.what;
            let bar = self.bar.get_or_insert_with(|| {
                let style = ProgressStyle::with_template(self.template);
                let bar = ProgressBar::new(total).with_message(what);
                bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            });
            bar.set_position(done);
        } else if self.told.is_none_or(|told| told.elapsed() >= BETWEEN_LINES) {
            self.told = Some(Instant::now());
            let percent = done.saturating_mul(100).checked_div(total).unwrap_or(0);
            output::talk(&format!("askance: {} {percent} %", self.what));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
