//! Asks a model person about recorded cases and prints what came of each, one line of JSON each:
//! `conversation-probe MANNER CASE…`. `cargo xtask bench conversation` starts it, once for each manner of asking.

#![expect(
    clippy::print_stdout,
    reason = "it is a program that prints its findings"
)]

use std::path::PathBuf;

use evaluation::conversation_bench::{AskedCase, Manner, ask_all};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let manner = arguments
        .next()
        .and_then(|manner| manner.into_string().ok());
    let manner: Manner = manner
        .ok_or("usage: conversation-probe MANNER CASE…")?
        .parse()?;
    let cases: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    ask_all(&cases, &manner, &|asked: AskedCase| {
        if let Ok(line) = serde_json::to_string(&asked) {
            println!("{line}");
        }
    });
    Ok(())
}
