//! Answers questions about the run *ledger* truthfully, and writes down when each came and was
//! answered: `ledger-oracle DAY LOG`. `cargo xtask bench live` gives it to `--oracle-cmd`.

#![expect(clippy::print_stdout, reason = "it is a program that answers")]

use std::fs::File;
use std::io::{BufRead, Write};

use evaluation::live_bench::{is_right, now};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(day), Some(log)) = (arguments.next(), arguments.next()) else {
        return Err("usage: ledger-oracle DAY LOG".into());
    };
    let day = day.parse()?;
    let mut log = File::options().create(true).append(true).open(log)?;
    for line in std::io::stdin().lock().lines() {
        let asked_at = now();
        let right = is_right(&serde_json::from_str(&line?)?, day);
        writeln!(log, "{asked_at} {}", now())?;
        println!(r#"{{"answer":"{}"}}"#, if right { "yes" } else { "no" });
    }
    Ok(())
}
