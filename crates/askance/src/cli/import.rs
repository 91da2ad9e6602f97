//! `askance import`: a call tree from elsewhere.

use std::path::PathBuf;

use clap::Args;

use super::failure::{Exit, Failure};
use super::inspect::Progress;
use super::output;
use inquiry::imported::{self, ImportError};
use inquiry::words::count;
use launch::folder::{FolderError, TraceFolder};
use launch::interrupt;
use trace_format::files;

/// Take in a call tree that another tool wrote, to ask about it or to try strategies on it
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance import calls.jsonl -o calls.askance && askance ask calls.askance\n\nOne JSON object a line, in preorder (a call comes after its caller and before the caller's next call):\n  {\"id\":1,\"parent\":null,\"name\":\"Main.main\",\"before\":{\"x\":1},\"after\":{\"x\":2},\"returns\":7,\"lines\":[3,4],\"trusted\":false}\n`id`, `parent` and `name` are needed. Siblings are chained where the state before one is the state after\nthe one before it. A trusted call is never asked about and never to blame."
)]
pub(crate) struct Arguments {
    /// The file
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,

    /// Where the trace goes
    #[arg(short, long, value_name = "TRACE")]
    output: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if !arguments.file.is_file() {
        let file = arguments.file.display();
        return Err(Failure::mistake(format!("there is no file {file}")));
    }
    // An interruption must not leave half a tree behind.
    let guard = interrupt::leave_to_children();
    let folder = TraceFolder::create(&arguments.output)?;
    let inside = folder.path().join(files::IMPORTED);
    std::fs::create_dir(&inside).map_err(|source| FolderError::Unwritable {
        path: inside.clone(),
        source,
    })?;
    let mut progress = Progress::new("importing");
    let imported = imported::import(&arguments.file, &inside, &mut |done, total| {
        progress.at(done, total);
        !interrupt::happened()
    });
    drop(progress);
    let imported = imported?;
    let _ = folder.keep();
    drop(guard);
    output::talk(&format!(
        "askance: {} of {} in {}",
        count(imported.calls.into(), "call", "calls"),
        count(imported.routines.into(), "routine", "routines"),
        arguments.output.display()
    ));
    Ok(Exit::Done)
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Failure {
        Failure::mistake(error.to_string()).hint("-o names a folder that is new or holds a trace")
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Failure {
        let failure = Failure::mistake(error.to_string());
        match error {
            ImportError::Interrupted => Failure {
                exit: Exit::Interrupted,
                ..failure
            },
            ImportError::NotJson { .. } | ImportError::NotACall { .. } | ImportError::Empty(_) => {
                failure.hint(
                    "a line is a JSON object such as {\"id\":1,\"parent\":null,\"name\":\"main\"}",
                )
            }
            ImportError::UnknownParent { .. } | ImportError::NotPreorder { .. } => failure
                .hint("a call comes right after its caller and all that was called before it"),
            _ => failure,
        }
    }
}
