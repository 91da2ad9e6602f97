//! Replays every call of a trace and prints how that went, as JSON: `replay-probe TRACE`.
//! `cargo xtask bench replay` starts it, once for each trace.

#![expect(
    clippy::print_stdout,
    reason = "it is a program that prints its findings"
)]

use std::path::PathBuf;

use evaluation::replay_bench::probe;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(folder) = std::env::args_os().nth(1) else {
        return Err("usage: replay-probe TRACE".into());
    };
    let replayed = probe(&PathBuf::from(folder))?;
    println!("{}", serde_json::to_string(&replayed)?);
    Ok(())
}
