//! `askance debug`: record, then ask; or ask while the program runs.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::Args;

use super::ask;
use super::ask_options::{AskArguments, Switch};
use super::failed_tests;
use super::failure::{Exit, Failure};
use super::live::{self, LiveArguments};
use super::output;
use super::record::record_and_open;
use super::record_options::{ProgramArguments, RecordArguments};
use super::surroundings::working_directory;
use super::traces;
use super::web::{self, WebArguments};
use java_model::testing::TestPattern;
use launch::command::ProgramToRecord;
use launch::record::{Request, TraceDestination};
use launch::test_command::{self, TestExtent};
use trace_format::Libraries;

/// Record a run of a program, then ask about its calls until the wrong one is found
#[derive(Debug, Args)]
#[command(
    override_usage = "askance debug [OPTIONS] FILE.java [-- ARGS…]\n       askance debug [OPTIONS] -- COMMAND…\n       askance debug [OPTIONS] --test CLASS[#METHOD] -cp PATH",
    after_help = "Example: askance debug Main.java\n         askance debug --reference fixed/Main.java buggy/Main.java\n         askance debug -- java -cp out shop.Main 10 20\n         askance debug --test 'CartTest#total' -cp out:junit4.jar:hamcrest.jar\n         askance debug -- mvn -q test -Dtest=CartTest\n         askance debug --live --stop-when-found -- java -cp out shop.Server\n         askance debug --web --live -- java -cp out shop.Server"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,

    /// With --test and no command: run this test class with the JUnit that is on this class path
    /// (-cp does as well)
    #[arg(long, value_name = "PATH", requires = "test")]
    class_path: Option<OsString>,

    /// Where the trace goes (default: a folder of your own, which is named; `askance traces` lists them)
    #[arg(short, long, value_name = "TRACE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    record: RecordArguments,

    #[command(flatten)]
    ask: AskArguments,

    #[command(flatten)]
    live: LiveArguments,

    #[command(flatten)]
    web: WebArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let program = match (&arguments.class_path, arguments.program.is_empty()) {
        (Some(class_path), true) => tests_of(class_path, &arguments.ask)?,
        _ => arguments.program.program()?,
    };
    let script = arguments.ask.check()?;
    arguments.web.check()?;
    let working_directory = working_directory()?;
    if arguments.live.live && arguments.record.keeps_the_newest() {
        return Err(Failure::mistake(
            "--live and --when-full ring do not go together: what is asked about could be given up meanwhile",
        ));
    }
    let mut options = arguments.record.options(&working_directory)?;
    if arguments.ask.reference.is_some() {
        // Code that differs is a suspect wherever it is.
        options.libraries = Libraries::Full;
    }
    let request = Request {
        environment: std::collections::BTreeMap::new(),
        program,
        working_directory,
        output: arguments
            .output
            .map_or_else(traces::kept, TraceDestination::Named),
        streams: arguments.live.streams()?,
        options,
    };
    if arguments.web.web {
        let is_live = arguments.live.live;
        return web::debug(&request, &arguments.web, is_live, arguments.ask.search());
    }
    if arguments.live.live {
        return live::debug(&request, &arguments.live, &arguments.ask, script);
    }
    let run = record_and_open(&request)?;
    if arguments.ask.json {
        // What the program printed last need not be a whole line, and we have not seen it.
        output::data("\n")?;
    }
    let run = failed_tests::in_any_jvm(run, &arguments.ask)?;
    ask::converse(run, &arguments.ask, script)
}

/// The command that runs the test which `--test` names.
fn tests_of(class_path: &OsStr, ask: &AskArguments) -> Result<ProgramToRecord, Failure> {
    let test = TestPattern::parse(ask.test.as_deref().unwrap_or_default());
    // Passing tests of the class tell what is right, if that is wanted; they may take long.
    let wants_others = ask.spectrum || ask.all_tests || ask.passing_tests == Some(Switch::On);
    let extent = match wants_others {
        true => TestExtent::Class,
        false => TestExtent::Method,
    };
    match test_command::words(class_path, &test, extent) {
        Ok(words) => Ok(ProgramToRecord::Command(words)),
        Err(error) => Err(Failure::mistake(error.to_string()).hint(error.hint())),
    }
}
