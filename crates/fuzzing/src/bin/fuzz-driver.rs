//! Runs fuzz targets on a stable compiler: `cargo xtask fuzz --help`.

#![expect(clippy::print_stdout, reason = "it talks to a person")]

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use fuzzing::driver::{self, MemoryGauge, Options};
use fuzzing::{FuzzTarget, TARGETS, named};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const MEMORY: MemoryGauge = MemoryGauge {
    reset: || ALLOCATED.reset_peak_usage(),
    peak: || ALLOCATED.peak_usage(),
};

#[derive(Parser)]
struct Arguments {
    /// How many inputs each target gets
    #[arg(long, default_value_t = 100_000)]
    runs: u64,
    /// Only this target
    #[arg(long)]
    target: Option<String>,
    /// The same number makes the same inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Run the target once, with the content of this file, and let it panic
    #[arg(long, requires = "target")]
    input: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing was found.
fn run(arguments: &Arguments) -> Result<bool> {
    let targets: Vec<&FuzzTarget> =
        match &arguments.target {
            Some(name) => {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                vec![named(name).with_context(|| {
                    format!("there is no target {name}, but {}", names.join(", "))
                })?]
            }
            None => TARGETS.iter().collect(),
        };
    if let (Some(file), Some(target)) = (&arguments.input, targets.first()) {
        let input =
            std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        driver::run_once(target, &input);
        return Ok(true);
    }
    let findings = test_support::target_dir().join("fuzz-findings");
    let mut is_clean = true;
    for target in targets {
        let options = Options {
            runs: arguments.runs,
            seed: arguments.seed,
            findings: findings.clone(),
        };
        let mut news = |report: &driver::FuzzReport| println!("{}: so far {report}", target.name);
        let report = driver::run(target, &options, &MEMORY, &mut news)?;
        println!("{}: {report}", target.name);
        for (finding, times) in &report.findings {
            println!("  {times} times: {finding}");
        }
        if !report.findings.is_empty() {
            let folder = findings.join(target.name);
            println!("  the inputs are in {}", folder.display());
            is_clean = false;
        }
    }
    Ok(is_clean)
}
