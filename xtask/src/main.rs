//! What is done to this repository by hand or by a server: `cargo xtask --help`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it talks to a person"
)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod checks;
mod process;
mod runtime;
mod setup;
mod tidy;

#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "Chores of the Askance repository")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what the tests need, or say how to get it
    Setup,
    /// Set up, build the agent and the tool, run all tests
    Test {
        /// Run only tests whose name contains this
        filter: Option<String>,
    },
    /// Measure
    Bench {
        #[command(subcommand)]
        what: bench::Bench,
    },
    /// Compile the recorder's Java side, which is kept compiled in the repository
    Runtime,
    /// Check what ARCHITECTURE.md promises: layers, cycles, names, sizes, lines of prose
    Tidy {
        /// Only this check
        check: Option<String>,
        /// Bring the table of crates in ARCHITECTURE.md up to date first
        #[arg(long)]
        write: bool,
    },
    /// Check the formatting and the lints, then run all tests
    Ci,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Setup => setup::run(),
        Task::Test { filter } => checks::test(filter.as_deref()),
        Task::Bench { what } => bench::run(&what),
        Task::Runtime => runtime::compile(),
        Task::Tidy { check, write } => tidy::run(check.as_deref(), write),
        Task::Ci => checks::ci(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
