//! `askance traces`: what `debug` has kept, and how large it is.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use clap::Args;
use serde::Serialize;

use super::failure::{Exit, Failure};
use super::output;
use super::record::bytes;
use inquiry::words::count;
use launch::kept_traces::{KeepLimits, KeptTrace, KeptTraces};
use launch::record::TraceDestination;

/// List the traces that `debug` has kept, the newest first, or remove them
///
/// Each `debug` without -o keeps its trace in a folder of its own. What nobody has used for 30 days is removed by the
/// next one, and the oldest if all take more than 20 GB; the newest always stays.
#[derive(Debug, Args)]
#[command(after_help = "Example: askance traces\n         askance traces --clean")]
pub(crate) struct Arguments {
    /// Remove all but the newest, and but those that were written to in the last hour
    #[arg(long)]
    clean: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is kept, or was removed.
#[derive(Debug, Serialize)]
struct TraceList {
    version: u32,
    folder: Option<String>,
    traces: Vec<ListedTrace>,
    removed: Vec<ListedTrace>,
}

#[derive(Debug, Serialize)]
struct ListedTrace {
    path: String,
    command: Option<String>,
    bytes: u64,
    /// Seconds since it was written to.
    age: u64,
}

/// Where `debug` puts its trace if nobody says it. This is when what is too old or too much goes.
pub(super) fn kept() -> TraceDestination {
    if let Some(traces) = KeptTraces::this() {
        match traces.tidy(KeepLimits::default()) {
            Ok(removed) if !removed.is_empty() => output::talk(&format!(
                "askance: {}",
                removal(&removed.iter().map(ListedTrace::new).collect::<Vec<_>>())
            )),
            Ok(_) => {}
            Err(error) => output::talk(&format!(
                "askance: old traces in {} cannot be removed: {error}",
                traces.folder().display()
            )),
        }
    }
    TraceDestination::Kept
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut list = TraceList {
        version: 1,
        folder: None,
        traces: Vec::new(),
        removed: Vec::new(),
    };
    if let Some(kept) = KeptTraces::this() {
        let unusable = |error| {
            let folder = kept.folder().display();
            Failure::mistake(format!("{folder} cannot be tidied: {error}"))
        };
        if arguments.clean {
            let removed = kept.tidy(KeepLimits::NOTHING).map_err(unusable)?;
            list.removed = removed.iter().map(ListedTrace::new).collect();
        }
        list.traces = kept
            .list()
            .map_err(unusable)?
            .iter()
            .map(ListedTrace::new)
            .collect();
        list.folder = Some(kept.folder().display().to_string());
    }
    if arguments.json {
        output::json(&list)?;
    } else {
        if arguments.clean {
            output::talk(&format!("askance: {}", removal(&list.removed)));
        }
        output::data(&describe(&list))?;
    }
    Ok(Exit::Done)
}

impl ListedTrace {
    fn new(trace: &KeptTrace) -> ListedTrace {
        let age = SystemTime::now().duration_since(trace.changed);
        ListedTrace {
            path: trace.path.display().to_string(),
            command: trace.run.as_ref().map(|run| run.command.join(" ")),
            bytes: trace.bytes,
            age: age.unwrap_or_default().as_secs(),
        }
    }
}

fn removal(removed: &[ListedTrace]) -> String {
    let sum = removed.iter().map(|trace| trace.bytes).sum();
    let number = u64::try_from(removed.len()).unwrap_or(u64::MAX);
    let traces = count(number, "old trace", "old traces");
    format!("{traces} removed, {}", bytes(sum))
}

fn describe(list: &TraceList) -> String {
    let mut text = String::new();
    for trace in &list.traces {
        let age = ago(Duration::from_secs(trace.age));
        let command = trace.command.as_deref().unwrap_or("nothing is known of it");
        let _ = writeln!(
            text,
            "{:>10}  {age:>14}  {}",
            bytes(trace.bytes),
            trace.path
        );
        let _ = writeln!(text, "{:28}{command}", "");
    }
    let sum: u64 = list.traces.iter().map(|trace| trace.bytes).sum();
    let _ = match &list.folder {
        Some(folder) if list.traces.is_empty() => writeln!(text, "No trace is kept in {folder}."),
        Some(folder) => writeln!(text, "{:>10}  in {folder}", bytes(sum)),
        None => writeln!(text, "No trace is kept: there is no home folder."),
    };
    text
}

fn ago(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    match minutes {
        0 => "just now".to_owned(),
        1..60 => format!("{minutes} min ago"),
        60..2880 => format!("{} h ago", minutes / 60),
        _ => format!("{} days ago", minutes / (24 * 60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(path: &str, bytes: u64, age: u64) -> ListedTrace {
        ListedTrace {
            path: path.to_owned(),
            command: Some("java -cp out Main".to_owned()),
            bytes,
            age,
        }
    }

    #[test]
    fn traces_are_listed_with_size_and_age() {
        let list = TraceList {
            version: 1,
            folder: Some("/state".to_owned()),
            traces: vec![
                trace("/state/Main-2.askance", 70_000, 30),
                trace("/state/Main.askance", 3_000_000_000, 7200),
                trace("/state/Old.askance", 12, 900_000),
            ],
            removed: Vec::new(),
        };
        insta::assert_snapshot!(describe(&list), @r"
           68.4 KB        just now  /state/Main-2.askance
                                    java -cp out Main
            2.8 GB         2 h ago  /state/Main.askance
                                    java -cp out Main
          12 bytes     10 days ago  /state/Old.askance
                                    java -cp out Main
            2.8 GB  in /state
        ");
        assert_eq!(removal(&list.traces), "3 old traces removed, 2.8 GB");
    }
}
