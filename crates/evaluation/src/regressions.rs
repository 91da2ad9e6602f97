//! Real regressions between releases of Java libraries: programs that worked, then did not, then did again.
//!
//! `regressions/README.md` says what is kept of each. The jars are no part of the repository: [`fetch`] gets those
//! that a measurement needs, by their coordinates.

mod behaviour;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use test_support::{
    Artifact, Classes, FetchError, Fixture, FixtureError, Jdk, Run, fetch_artifacts, workspace_root,
};

pub use behaviour::{Surprise, check};

/// Programs that end need much less, on a busy machine too.
const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(60);

/// Which of the three releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Release {
    /// The last known one before the mistake was made.
    Worked,
    /// One with the mistake.
    Broken,
    /// One without it again.
    Mended,
}

impl Release {
    pub const ALL: [Release; 3] = [Release::Worked, Release::Broken, Release::Mended];
}

/// A mistake in a release of a library, and a program that shows it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regression {
    /// The name of its file and of the folder with its program.
    #[serde(skip)]
    pub id: String,
    pub library: String,
    /// Where its maintainers speak of it.
    pub issue: String,
    /// The sort of symptom, in a few words.
    pub kind: String,
    /// What is wrong, in a sentence.
    pub what: String,
    #[serde(rename = "A")]
    worked: Vec<Artifact>,
    #[serde(rename = "B")]
    broken: Vec<Artifact>,
    #[serde(rename = "C")]
    mended: Vec<Artifact>,
    /// What the program prints with the releases that work.
    pub good_output: String,
    /// What it prints with the broken one, up to its end or its time limit.
    pub bad_output: String,
    /// A part of what the broken one writes to standard error, where an exception ends the program.
    pub bad_error: Option<String>,
    /// The seconds after which the broken one may be said not to end.
    time_limit: Option<u64>,
    /// What has to be recorded by name, where the library is one that surrounds programs.
    pub include: Option<String>,
    /// Methods of the broken release that the change before it broke, as `package.Class$Inner.method`.
    pub introduced_by: Vec<String>,
    /// Those that the change after it mended. Who names one of these is right as well.
    pub fixed_in: Vec<String>,
    /// Classes whose declaration is the mistake: what they extend, implement or are annotated with.
    #[serde(default)]
    pub declarations: Vec<String>,
    /// Files of the jar that are no classes and are the mistake.
    #[serde(default)]
    pub resources: Vec<String>,
    /// Lines of the broken release's sources, by method; empty where nobody could tell.
    pub culprit_lines: BTreeMap<String, Vec<u32>>,
    /// How many methods ran and are not the same in the two releases, where it was counted.
    pub methods_changed_ran: Option<u32>,
}

#[derive(Debug, thiserror::Error)]
pub enum RegressionError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path}: {source}")]
    Facts {
        path: PathBuf,
        source: serde_json::Error,
    },
    #[error("there is no regression `{0}`; crates/evaluation/regressions has one file for each")]
    Unknown(String),
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("{id}: {source}")]
    Compile { id: String, source: FixtureError },
    #[error("{id}: java cannot be started: {source}")]
    Java { id: String, source: io::Error },
}

impl Regression {
    /// Every regression, in the order of their names.
    pub fn all() -> Result<Vec<Regression>, RegressionError> {
        let root = root();
        let entries = fs::read_dir(&root).map_err(at(&root))?;
        let mut files: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .collect();
        files.sort();
        files.iter().map(|file| Regression::read(file)).collect()
    }

    /// Those with these names; all of them if none is given.
    pub fn chosen(names: &[String]) -> Result<Vec<Regression>, RegressionError> {
        if names.is_empty() {
            return Regression::all();
        }
        names.iter().map(|name| Regression::named(name)).collect()
    }

    pub fn named(id: &str) -> Result<Regression, RegressionError> {
        let file = root().join(format!("{id}.json"));
        if !file.is_file() {
            return Err(RegressionError::Unknown(id.to_owned()));
        }
        Regression::read(&file)
    }

    fn read(file: &Path) -> Result<Regression, RegressionError> {
        let text = fs::read_to_string(file).map_err(at(file))?;
        let mut regression: Regression =
            serde_json::from_str(&text).map_err(|source| RegressionError::Facts {
                path: file.to_path_buf(),
                source,
            })?;
        let id = file.file_stem().unwrap_or_default();
        regression.id = id.to_string_lossy().into_owned();
        Ok(regression)
    }

    /// The folder with the program's source.
    pub fn source_dir(&self) -> PathBuf {
        root().join(&self.id)
    }

    /// The jars of one release, the library's own first.
    pub fn artifacts(&self, release: Release) -> &[Artifact] {
        match release {
            Release::Worked => &self.worked,
            Release::Broken => &self.broken,
            Release::Mended => &self.mended,
        }
    }

    /// The class path of one release, without the program's own classes; see [`fetch`].
    pub fn library_class_path(&self, release: Release) -> Vec<PathBuf> {
        let artifacts = self.artifacts(release).iter();
        artifacts.map(Artifact::jar).collect()
    }

    /// The program, compiled against the release that worked and not again: that is how a new release meets what
    /// was written before it.
    pub fn compile(&self) -> Result<Classes, RegressionError> {
        Fixture::new()
            .path(self.source_dir())
            .class_path(self.library_class_path(Release::Worked))
            .compile()
            .map_err(|source| RegressionError::Compile {
                id: self.id.clone(),
                source,
            })
    }

    /// The command line `java … Main` with one release, ready to be run or prefixed with a recorder.
    pub fn run(&self, jdk: &Jdk, release: Release) -> Result<Run, RegressionError> {
        let run = self.compile()?.run(jdk);
        Ok(run
            .class_path(self.library_class_path(release))
            .time_limit(self.time_limit().unwrap_or(DEFAULT_TIME_LIMIT)))
    }

    /// Set where the broken release never ends by itself.
    pub fn time_limit(&self) -> Option<Duration> {
        self.time_limit.map(Duration::from_secs)
    }

    /// Whether a method, as `package.Class$Inner.method`, was broken or mended.
    pub fn is_to_blame(&self, method: &str) -> bool {
        let mut to_blame = self.introduced_by.iter().chain(&self.fixed_in);
        to_blame.any(|one| one == method)
    }
}

/// Gets the jars of all releases that are not there yet.
pub fn fetch(regressions: &[Regression]) -> Result<(), FetchError> {
    let releases = regressions.iter().flat_map(|regression| {
        Release::ALL
            .into_iter()
            .flat_map(|release| regression.artifacts(release))
    });
    fetch_artifacts(releases)
}

fn root() -> PathBuf {
    workspace_root().join("crates/evaluation/regressions")
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> RegressionError {
    let path = path.to_path_buf();
    move |source| RegressionError::Io { path, source }
}
