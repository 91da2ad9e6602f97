//! `askance debug`: record, then ask; or ask while the program runs.

use std::path::PathBuf;

use clap::Args;

use super::ask;
use super::ask_options::AskArguments;
use super::failure::{Exit, Failure};
use super::live::{self, LiveArguments};
use super::record::{record_and_open, working_directory};
use super::record_options::{ProgramArguments, RecordArguments};
use crate::launch::record::{Output, Request};

/// Record a run of a program, then ask about its calls until the wrong one is found
#[derive(Debug, Args)]
#[command(
    override_usage = "askance debug [OPTIONS] FILE.java [-- ARGS…]\n       askance debug [OPTIONS] -- COMMAND…",
    after_help = "Example: askance debug Main.java\n         askance debug --reference fixed/Main.java buggy/Main.java\n         askance debug -- java -cp out shop.Main 10 20\n         askance debug --live --stop-when-found -- java -cp out shop.Server"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,

    /// Where the trace goes (default: a temporary folder, which is named)
    #[arg(short, long, value_name = "TRACE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    record: RecordArguments,

    #[command(flatten)]
    ask: AskArguments,

    #[command(flatten)]
    live: LiveArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let program = arguments.program.program()?;
    let script = arguments.ask.check()?;
    let request = Request {
        program,
        working_directory: working_directory()?,
        output: arguments.output.map_or(Output::Temporary, Output::Named),
        streams: arguments.live.streams()?,
        options: arguments.record.options(),
    };
    if arguments.live.live {
        return live::debug(&request, &arguments.live, &arguments.ask, script);
    }
    let run = record_and_open(&request)?;
    ask::converse(run, &arguments.ask, script)
}
