//! The executable: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    askance_query::command_line::run(std::env::args_os())
}
