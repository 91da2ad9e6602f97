//! Asks a model person about recorded cases and prints what came of each, one line of JSON each:
//! `conversation-probe MANNER CASE…`. `cargo xtask bench conversation` starts it, once for each manner of asking.
//!
//! `conversation-probe evidence CASE…` asks nothing and prints what is known of each method before any answer, with
//! whether it is to blame: what the weights of belief are made of.

#![expect(
    clippy::print_stdout,
    reason = "it is a program that prints its findings"
)]

use std::path::PathBuf;

use evaluation::conversation_bench::{AskedCase, Manner, ask_all, evidence};

/// Instead of a manner.
const EVIDENCE: &str = "evidence";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let manner = arguments
        .next()
        .and_then(|manner| manner.into_string().ok());
    let manner = manner.ok_or("usage: conversation-probe MANNER CASE…")?;
    let cases: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if manner == EVIDENCE {
        for case in &cases {
            println!("{}", serde_json::to_string(&evidence(case)?)?);
        }
        return Ok(());
    }
    let manner: Manner = manner.parse()?;
    ask_all(&cases, &manner, &|asked: AskedCase| {
        if let Ok(line) = serde_json::to_string(&asked) {
            println!("{line}");
        }
    });
    Ok(())
}
