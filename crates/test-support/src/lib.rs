//! What tests and benchmarks need from the outside world: JDKs, compiled Java, runs with a time
//! limit, the example programs with their planted bugs, and Java libraries of Debian and Maven.
//!
//! Nothing here knows about traces or the debugger, so every crate's tests can use it. Functions
//! that reach outside return a `Result`; a test unwraps it, a tool can report it.

mod artifact;
mod cargo;
mod example;
mod fixture;
mod jdk;
mod library;
mod linking;
mod maven;
mod npm;
mod run;
mod skips;
mod web_ui;
pub mod workloads;

pub use artifact::{Artifact, CoordinatesError, fetch as fetch_artifacts};
pub use cargo::{CommandError, build_tool, cargo, command_line, recorder_library, run_shown};
pub use example::{Example, ExampleError, ExampleVersion};
pub use fixture::{Classes, Fixture, FixtureError};
pub use jdk::{Jdk, JdkError};
pub use library::{JUnit, JaCoCo, Library};
pub use linking::link_all;
pub use maven::{FetchError, fetch_missing as fetch_missing_libraries};
pub use npm::{npm, npm_package};
pub use run::{Finished, Run, run_command};
pub use skips::{forget_skips, if_there, require, skip, skipped};
pub use web_ui::{build_page, web_ui};

use std::path::{Path, PathBuf};

/// The root of this repository.
pub fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest
        .ancestors()
        .nth(2)
        .unwrap_or(manifest)
        .to_path_buf()
}

/// Cargo's target folder, where everything that can be made again is kept.
pub fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => workspace_root().join(dir),
        None => workspace_root().join("target"),
    }
}
