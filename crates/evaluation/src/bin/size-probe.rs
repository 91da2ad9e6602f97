//! Opens a trace and prints what it cost, as JSON: `size-probe TRACE CULPRIT`, or `size-probe TRACE`, which makes the
//! tree only. `cargo xtask bench size` and `keep-up` start it, once for each trace.

#![expect(
    clippy::print_stdout,
    reason = "it is a program that prints its findings"
)]

use std::path::Path;

use evaluation::size_bench::{make_tree, probe};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let Some(folder) = arguments.next() else {
        return Err("usage: size-probe TRACE [CULPRIT]".into());
    };
    let folder = Path::new(&folder);
    let json = match arguments.next() {
        Some(culprit) => serde_json::to_string(&probe(folder, &culprit.to_string_lossy())?)?,
        None => serde_json::to_string(&make_tree(folder)?)?,
    };
    println!("{json}");
    Ok(())
}
