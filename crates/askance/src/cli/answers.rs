//! `askance answers`: what is remembered from earlier sessions, and tests made of it.

use clap::{Args, Subcommand};
use serde::Serialize;

use super::failure::{Exit, Failure};
use super::junit;
use super::memory_file::MemoryFile;
use super::output;
use inquiry::oracle::memory::store::{MemoryError, RememberedAnswer};
use java_names::glob::Glob;

/// List, export or remove the answers that are remembered for a project, or make JUnit tests of answers
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Example: askance answers\n         askance answers export > answers.jsonl\n         askance answers remove --method 'shop.Cart.*'\n         askance answers remove --all\n         askance answers --junit run.askance -o src/test/java\n         askance answers --junit --junit4 -o tests"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,

    #[command(flatten)]
    tests: junit::TestArguments,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show each answer with the call that it is about and where it was given
    List(MemoryFile),
    /// Print each answer as one line of JSON
    Export(MemoryFile),
    /// Forget answers
    Remove(Removal),
}

#[derive(Debug, Args)]
struct Removal {
    #[command(flatten)]
    place: MemoryFile,

    /// Those about methods whose name matches, e.g. `shop.Cart.*`
    #[arg(long, value_name = "GLOB", required_unless_present = "all")]
    method: Option<String>,

    /// All of them
    #[arg(long, conflicts_with = "method")]
    all: bool,
}

#[derive(Debug, Serialize)]
struct Exported<'a> {
    version: u32,
    key: &'a str,
    #[serde(flatten)]
    kept: &'a RememberedAnswer,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match &arguments.what {
        None if arguments.tests.junit => junit::run(&arguments.tests),
        None => list(&arguments.tests.place.all()?),
        Some(What::List(place)) => list(&place.all()?),
        Some(What::Export(place)) => {
            for (key, kept) in &place.all()? {
                let version = 1;
                output::json(&Exported { version, key, kept })?;
            }
            Ok(Exit::Done)
        }
        Some(What::Remove(removal)) => remove(removal),
    }
}

fn list(all: &[(String, RememberedAnswer)]) -> Result<Exit, Failure> {
    if all.is_empty() {
        output::talk("askance: nothing is remembered for this project");
        return Ok(Exit::Nothing);
    }
    for (_, kept) in all {
        let wrong = match &kept.wrong {
            Some(path) => format!(", {path} is wrong"),
            None => String::new(),
        };
        let method = kept.method.split('(').next().unwrap_or_default();
        let line = format!(
            "{:12} {method}: {}{wrong}\n             from {}\n",
            kept.answer, kept.call, kept.from
        );
        output::data(&line)?;
    }
    Ok(Exit::Done)
}

fn remove(removal: &Removal) -> Result<Exit, Failure> {
    let pattern = match &removal.method {
        Some(text) => Some(Glob::new(text).map_err(|error| Failure::mistake(error.to_string()))?),
        None => None,
    };
    let Some(store) = removal.place.open()? else {
        output::talk("askance: nothing is remembered for this project");
        return Ok(Exit::Nothing);
    };
    let is_meant = |kept: &RememberedAnswer| {
        let name = kept.method.split('(').next().unwrap_or_default();
        pattern.as_ref().is_none_or(|pattern| pattern.matches(name))
    };
    let all = store.all();
    let meant = all.into_iter().filter(|(_, kept)| is_meant(kept));
    let keys: Vec<String> = meant.map(|(key, _)| key).collect();
    let removed = store.remove(&keys)?;
    let removed = inquiry::words::count(removed as u64, "answer", "answers");
    output::talk(&format!("askance: {removed} removed"));
    Ok(Exit::Done)
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Failure {
        Failure::mistake(error.to_string())
            .hint("name another file with --memory, or leave memory out with --no-memory")
    }
}
