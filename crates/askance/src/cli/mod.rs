//! The commands. One file each: its arguments with their help, and what it does.
//!
//! The contract with scripts: stdout is data, stderr is talk; exit code 0 done, 1 no bug found or
//! nothing to ask, 2 a mistake in the call or its input, 3 the recorded program could not be
//! started or the trace was cut short while it was read, 130 interrupted.

mod amounts;
mod answers;
mod ask;
mod ask_options;
mod choices;
mod ci;
mod completions;
mod dap;
mod debug;
mod decided;
mod demo;
mod diff;
mod doctor;
mod eval;
mod events;
mod experiments;
mod failed_tests;
mod failure;
mod growing;
mod history;
mod import;
mod info;
mod inspect;
mod jdwp;
mod junit;
mod live;
mod loopback;
mod mcp;
mod memory_file;
mod named;
mod never;
mod output;
mod printed;
mod query;
mod record;
mod record_options;
mod reference;
mod report;
mod report_file;
mod screen;
mod serve;
mod served;
mod show;
mod step;
mod surroundings;
mod suspects;
mod suspicion;
mod traces;
mod tree;
mod web;
mod who;
mod why;
mod wrong_output;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

pub use failure::{Exit, Failure};

/// Records a run of a Java program, asks about single calls, and names the one that is to blame.
#[derive(Debug, Parser)]
#[command(
    name = "askance",
    version,
    after_help = "Example: askance debug Main.java\n         askance debug --reference old/Main.java Main.java"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Debug(Box<debug::Arguments>),
    Record(record::Arguments),
    Ci(ci::Arguments),
    Ask(ask::Arguments),
    Diff(diff::Arguments),
    Answers(answers::Arguments),
    Serve(serve::Arguments),
    Report(report_file::Arguments),
    Mcp(mcp::Arguments),
    Dap(dap::Arguments),
    Jdwp(jdwp::Arguments),
    Tree(tree::Arguments),
    Show(show::Arguments),
    Events(events::Arguments),
    Output(printed::Arguments),
    History(history::Arguments),
    Why(why::Arguments),
    Step(step::Arguments),
    Suspects(suspects::Arguments),
    Query(query::QueryArguments),
    Export(query::ExportArguments),
    Eval(eval::Arguments),
    Import(import::Arguments),
    Info(info::Arguments),
    Traces(traces::Arguments),
    Demo(demo::Arguments),
    Doctor(doctor::Arguments),
    Completions(completions::Arguments),
    #[command(hide = true)]
    ManPages(completions::ManArguments),
}

/// Runs a command line and gives the exit code of the process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(with_long_class_path(arguments)) {
        Ok(cli) => cli,
        Err(error) => {
            match error.kind() {
                // What `Named` lists is no error, though clap would call it one.
                ErrorKind::DisplayHelp if error.to_string().starts_with(named::CLAP_PREFIX) => {
                    let text = error.to_string();
                    let list = text.strip_prefix(named::CLAP_PREFIX).unwrap_or(&text);
                    let _ = output::data(list);
                }
                _ => {
                    let _ = error.print();
                }
            }
            return if error.use_stderr() {
                Exit::Mistake.into()
            } else {
                Exit::Done.into()
            };
        }
    };
    start_log();
    let result = match cli.command {
        Command::Debug(arguments) => debug::run(*arguments),
        Command::Record(arguments) => record::run(arguments),
        Command::Ci(arguments) => ci::run(arguments),
        Command::Ask(arguments) => ask::run(arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Answers(arguments) => answers::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Report(arguments) => report_file::run(&arguments),
        Command::Mcp(arguments) => mcp::run(arguments),
        Command::Dap(arguments) => dap::run(arguments),
        Command::Jdwp(arguments) => jdwp::run(&arguments),
        Command::Tree(arguments) => tree::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Events(arguments) => events::run(&arguments),
        Command::Output(arguments) => printed::run(&arguments),
        Command::History(arguments) => history::run(&arguments),
        Command::Why(arguments) => why::run(&arguments),
        Command::Step(arguments) => step::run(&arguments),
        Command::Suspects(arguments) => suspects::run(&arguments),
        Command::Query(arguments) => query::run(&arguments),
        Command::Export(arguments) => query::export(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Info(arguments) => info::run(&arguments),
        Command::Traces(arguments) => traces::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::ManPages(arguments) => completions::write_man_pages(&arguments),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::say_failure(&failure);
            failure.exit.into()
        }
    }
}

/// `-cp`, as every Java tool has it, is two letters and therefore no option that clap knows. What stands
/// behind `--` is not ours.
fn with_long_class_path(
    arguments: impl IntoIterator<Item = OsString>,
) -> impl Iterator<Item = OsString> {
    let mut ours = true;
    arguments.into_iter().map(move |word| {
        ours &= word != "--";
        if ours && word == "-cp" {
            "--class-path".into()
        } else {
            word
        }
    })
}

/// Says what has happened if a file of a trace is cut short while it is read.
pub fn explain_lost_files() {
    const WORDS: &str = "askance: a file of the trace got shorter while it was read; \
        is something else writing there?\n";
    // Where it cannot be done the system says "bus error" instead.
    let _ = trace_store::explain_lost_pages(WORDS, Exit::NotStarted.code().into());
}

/// `ASKANCE_LOG=info` shows what takes time inside, `debug` more of it, `trace_store=debug` a part.
fn start_log() {
    let wanted = std::env::var("ASKANCE_LOG").unwrap_or_default();
    if wanted.is_empty() {
        return;
    }
    match EnvFilter::try_new(&wanted) {
        Ok(filter) => {
            let _ = tracing_subscriber::fmt()
                .with_env_filter(filter)
                .with_span_events(FmtSpan::CLOSE)
                .with_writer(std::io::stderr)
                .try_init();
        }
        Err(error) => output::talk(&format!(
            "askance: ASKANCE_LOG={wanted} cannot be understood, so nothing is logged: {error}"
        )),
    }
}
