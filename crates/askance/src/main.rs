//! The executable: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    launch::interrupt::listen();
    askance::cli::explain_lost_files();
    askance::cli::run(std::env::args_os())
}
