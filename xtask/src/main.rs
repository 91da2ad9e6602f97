//! What is done to this repository by hand or by a server: `cargo xtask --help`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it talks to a person"
)]

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod checks;
mod dist;
mod fuzz;
mod integrations;
mod page;
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
    #[command(disable_help_flag = true)]
    Bench {
        /// What to measure and how: `cargo xtask bench help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Compile the recorder's Java side, which is kept compiled in the repository
    Runtime,
    /// Build the browser page, which is kept built in the repository
    Page,
    /// Check what ARCHITECTURE.md promises: layers, cycles, names, sizes, lines of prose
    Tidy {
        /// Only this check
        check: Option<String>,
        /// Bring the table of crates in ARCHITECTURE.md up to date first
        #[arg(long)]
        write: bool,
    },
    /// Give random inputs to what reads files and requests that nobody vouches for
    Fuzz {
        /// How many inputs each target gets
        #[arg(long, default_value_t = 100_000)]
        runs: u64,
        /// Only this target: class_file, events, trace_folder, api_bodies, dap_requests, jdwp_commands
        #[arg(long)]
        target: Option<String>,
        /// The same number makes the same inputs
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Run the target once, with the content of this file, and let it panic
        #[arg(long, requires = "target")]
        input: Option<PathBuf>,
    },
    /// Make what is handed out, in target/dist-files: tarball, Debian package, checksums, list of parts
    Dist {
        /// Where the files will be downloaded from: makes an install script and a Homebrew formula as well
        #[arg(long, value_name = "URL")]
        url: Option<String>,
        /// A kind of machine, as Rust names it; may be given several times (default: this one)
        #[arg(long, value_name = "TRIPLE")]
        target: Vec<String>,
        /// Build for this version of the C library, with `cargo zigbuild`; other machines' executables need it too
        #[arg(long, value_name = "VERSION")]
        glibc: Option<String>,
        /// Pack the executables of this folder instead of building them
        #[arg(long, value_name = "FOLDER", conflicts_with = "glibc")]
        built: Option<PathBuf>,
    },
    /// Build the plugins for Maven and Gradle and the listener for JUnit, and use them from a project
    Integrations {
        /// Use this executable instead of building one
        #[arg(long, value_name = "FILE")]
        built: Option<PathBuf>,
    },
    /// Check the formatting and the lints, then run all tests
    Ci,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Setup => setup::run(),
        Task::Test { filter } => checks::test(filter.as_deref()),
        Task::Bench { arguments } => bench::run(&arguments),
        Task::Runtime => runtime::compile(),
        Task::Page => page::build(),
        Task::Tidy { check, write } => tidy::run(check.as_deref(), write),
        Task::Fuzz {
            runs,
            target,
            seed,
            input,
        } => fuzz::run(runs, target.as_deref(), seed, input.as_deref()),
        Task::Dist {
            url,
            target,
            glibc,
            built,
        } => dist::run(url.as_deref(), target, &dist::Source::of(built, glibc)),
        Task::Integrations { built } => integrations::run(built),
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
