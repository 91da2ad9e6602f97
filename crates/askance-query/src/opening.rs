//! What the words of a command line name: traces, or exports of them in folders and object stores.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use java_model::run::{Chosen, OpenError};
use tokio::runtime::Runtime;
use trace_store::StoreError;

use crate::database::Database;
use crate::exported_runs;
use crate::failure::QueryFailure;
use crate::place::Place;

/// Opens what was named.
///
/// # Errors
/// If it cannot be read, or both traces and exports were named.
pub(crate) fn named(
    words: &[String],
    jvm: Option<u32>,
    memory: usize,
    threads: &Runtime,
) -> Result<Database, QueryFailure> {
    let exports = words.iter().filter(|word| names_export(word));
    let places: Vec<Place> = exports
        .map(|word| Place::named(word))
        .collect::<Result<_, _>>()?;
    if places.is_empty() {
        let folders: Vec<PathBuf> = words.iter().map(PathBuf::from).collect();
        return traces(&folders, jvm, memory);
    }
    if places.len() < words.len() {
        return Err(
            QueryFailure::new("traces and exports cannot be asked together")
                .hint("export the traces as well: askance export TRACE --parquet FOLDER"),
        );
    }
    if jvm.is_some() {
        return Err(
            QueryFailure::new("an export has one JVM of each trace only")
                .hint("choose it when the trace is exported"),
        );
    }
    let runs = threads.block_on(exported_runs::find(&places))?;
    Database::of_exports(runs, &places, memory)
}

/// Opens traces.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn traces(
    folders: &[PathBuf],
    jvm: Option<u32>,
    memory: usize,
) -> Result<Database, QueryFailure> {
    let mut is_told = false;
    Database::open(folders, jvm, memory, &mut |_, _| {
        let mut talk = io::stderr().lock();
        if !std::mem::replace(&mut is_told, true) && io::stderr().is_terminal() {
            let _ = writeln!(talk, "askance: indexing the trace");
        }
    })
}

/// Whether a word names a place for exports: a URL, or a folder that is no trace.
fn names_export(word: &str) -> bool {
    let is_no_trace = || {
        let opened = Chosen::of(Path::new(word), None);
        let no_trace = matches!(opened, Err(OpenError::Store(StoreError::NotATrace { .. })));
        no_trace && Path::new(word).is_dir()
    };
    Place::is_url(word) || is_no_trace()
}
