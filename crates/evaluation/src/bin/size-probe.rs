//! Opens a trace and prints what it cost, as JSON: `size-probe TRACE CULPRIT`.
//! `cargo xtask bench size` starts it, once for each trace.

#![expect(
    clippy::print_stdout,
    reason = "it is a program that prints its findings"
)]

use std::path::PathBuf;

use evaluation::size_bench::probe;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), Some(culprit)) = (arguments.next(), arguments.next()) else {
        return Err("usage: size-probe TRACE CULPRIT".into());
    };
    let probed = probe(&PathBuf::from(folder), &culprit.to_string_lossy())?;
    println!("{}", serde_json::to_string(&probed)?);
    Ok(())
}
