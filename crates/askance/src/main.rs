//! The executable: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    launch::interrupt::listen();
    let _indexes = launch::interrupt::before_leaving(trace_store::remove_unfinished);
    askance::cli::explain_lost_files();
    askance::cli::run(std::env::args_os())
}
