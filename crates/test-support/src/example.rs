//! The programs under `examples/`: each has a buggy version, a fixed twin, and a `model.json` that
//! says which method is to blame and what both versions print. Tests over all of them start here.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::{Classes, Fixture, FixtureError, Jdk, workspace_root};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExampleVersion {
    Buggy,
    Fixed,
}

/// An example program and its planted bug.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The name of its folder.
    #[serde(skip)]
    pub name: String,
    #[serde(skip)]
    dir: PathBuf,
    /// The class, method and descriptor (in the JVM's notation) to blame.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    /// The file that the bug is in, and the lines of it that are wrong.
    pub file: String,
    pub lines: Vec<u32>,
    /// The sort of mistake, in a few words.
    pub kind: String,
    /// For a program whose buggy version never ends: the seconds after which to give up.
    time_limit: Option<u64>,
    pub buggy_output: String,
    /// Absent where the buggy version never ends.
    pub buggy_exit: Option<i32>,
    pub buggy_stderr_contains: Option<String>,
    pub fixed_output: String,
    pub fixed_exit: i32,
}

#[derive(Debug, thiserror::Error)]
pub enum ExampleError {
    #[error("{path}: {source}")]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{path}: {source}")]
    Model {
        path: PathBuf,
        source: serde_json::Error,
    },
}

impl Example {
    /// Every example, in the order of their names.
    pub fn all() -> Result<Vec<Example>, ExampleError> {
        let root = workspace_root().join("examples");
        let entries = fs::read_dir(&root).map_err(|source| ExampleError::Io {
            path: root.clone(),
            source,
        })?;
        let mut dirs: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.join("model.json").is_file())
            .collect();
        dirs.sort();
        dirs.iter().map(|dir| Example::read(dir)).collect()
    }

    pub fn named(name: &str) -> Result<Example, ExampleError> {
        Example::read(&workspace_root().join("examples").join(name))
    }

    fn read(dir: &Path) -> Result<Example, ExampleError> {
        let path = dir.join("model.json");
        let text = fs::read_to_string(&path).map_err(|source| ExampleError::Io {
            path: path.clone(),
            source,
        })?;
        let mut example: Example =
            serde_json::from_str(&text).map_err(|source| ExampleError::Model {
                path: path.clone(),
                source,
            })?;
        example.name = dir
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        example.dir = dir.to_path_buf();
        Ok(example)
    }

    /// The folder with the sources of one version.
    pub fn source_dir(&self, version: ExampleVersion) -> PathBuf {
        self.dir.join(match version {
            ExampleVersion::Buggy => "buggy",
            ExampleVersion::Fixed => "fixed",
        })
    }

    /// The file with `main`.
    pub fn main_file(&self, version: ExampleVersion) -> PathBuf {
        self.source_dir(version).join("Main.java")
    }

    pub fn compile(&self, version: ExampleVersion) -> Result<Classes, FixtureError> {
        self.fixture(version).compile()
    }

    /// Compiled so that this Java runs it.
    pub fn compile_for(&self, version: ExampleVersion, jdk: &Jdk) -> Result<Classes, FixtureError> {
        self.fixture(version).compile_for(jdk)
    }

    fn fixture(&self, version: ExampleVersion) -> Fixture {
        Fixture::new().path(self.source_dir(version))
    }

    /// Set for a program whose buggy version never ends by itself.
    pub fn time_limit(&self) -> Option<Duration> {
        self.time_limit.map(Duration::from_secs)
    }
}
