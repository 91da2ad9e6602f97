//! Benchmarks: builds what is measured, measures, and writes the tables.

use anyhow::{Context, Result};
use clap::Subcommand;
use evaluation::record_bench;
use test_support::{Jdk, target_dir, workspace_root};

use crate::process::{cargo, run as run_command};

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// What recording costs; the table goes into docs/benchmarks.md
    Record {
        /// How often each workload is run plain, in full detail and with calls only
        #[arg(long, default_value_t = 3)]
        rounds: usize,
        /// Workloads to measure; the table is then printed and not written
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// The Java version to measure on, if not the default one
        #[arg(long, value_name = "VERSION")]
        jdk: Option<u32>,
        /// Multiply the amount of work; for trials, the table is then not written
        #[arg(long, default_value_t = 1.0)]
        scale: f64,
    },
}

pub(crate) fn run(bench: &Bench) -> Result<()> {
    let Bench::Record {
        rounds,
        only,
        jdk,
        scale,
    } = bench;
    let jdk = match jdk {
        Some(version) => Jdk::version(*version)
            .with_context(|| format!("no Java {version} was found; `cargo xtask setup` may help"))?
            .clone(),
        None => Jdk::compiler()
            .context("no JDK was found; `cargo xtask setup` installs one")?
            .clone(),
    };
    run_command(&mut cargo([
        "build",
        "--release",
        "--package",
        "jvm-agent",
        "--package",
        "askance",
    ]))?;
    let options = record_bench::Options {
        recorder: target_dir().join("release/askance"),
        jdk,
        rounds: *rounds,
        only: only.clone(),
        scale: *scale,
    };
    let report = record_bench::run(&options, |line| eprintln!("{line}"))?;
    println!("{}", report.to_markdown());
    if only.is_empty() && *scale == 1.0 {
        let document = workspace_root().join("docs/benchmarks.md");
        record_bench::write_into(&document, &report)
            .with_context(|| format!("cannot write {}", document.display()))?;
        eprintln!("written to {}", document.display());
    }
    Ok(())
}
