//! Benchmarks: builds what is measured, measures, and writes the tables. `cargo xtask bench` starts it.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it talks to a person"
)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use evaluation::conversation_bench::{self, EvidenceKind, Manner};
use evaluation::hybrid_bench;
use evaluation::regression_bench;
use evaluation::regressions::{self, Regression, Release};
use evaluation::strategy_bench::{Recorder, balancing, comparison, mutants, tested};
use evaluation::{
    array_bench, document, editor_bench, keep_up_bench, live_bench, question_bench, reading_bench,
    record_bench, reference_bench, replay_bench, ring_bench, side_by_side, size_bench,
    verify_bench,
};
use test_support::workloads::Workload;
use test_support::{
    Jdk, Library, build_tool, cargo, fetch_missing_libraries, run_shown, target_dir, workspace_root,
};

#[derive(Parser)]
#[command(bin_name = "cargo xtask bench", about = "Measures Askance")]
struct Arguments {
    #[command(subcommand)]
    what: Bench,
}

#[derive(Subcommand)]
enum Bench {
    /// What recording costs; the table goes into docs/benchmarks.md
    Record {
        /// How often each workload is run plain, in full detail and with calls only
        #[arg(long, default_value_t = 2)]
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
    /// What a ring of the newest calls costs; the table goes into docs/benchmarks.md
    Ring {
        /// How often each workload is recorded, as a whole and in a ring
        #[arg(long, default_value_t = 3)]
        rounds: usize,
        /// Workloads to measure; the table is then printed and not written
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// The size of the ring
        #[arg(long, default_value = "64M")]
        size: String,
    },
    /// How long the first question about an array-heavy run takes; the table goes into docs/benchmarks.md
    Arrays,
    /// What balancing saves on recorded programs; the table goes into docs/strategies.md
    Balancing {
        /// Programs to measure; the table is then printed and not written
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
    },
    /// How many questions each strategy needs; the table goes into docs/strategies.md
    Strategies,
    /// How soon mistakes that were made on purpose are found; the table goes into docs/strategies.md
    Mutants,
    /// Whether the working version of a library finds mistakes in a broken one; the table goes into
    /// docs/benchmarks.md
    Reference {
        /// Libraries to try, or `examples`; the table is then printed and not written
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// The executable to try, if not a release build
        #[arg(long, value_name = "FILE")]
        executable: Option<PathBuf>,
    },
    /// How many questions a person is asked and how much there is to read; the tables go into
    /// docs/conversation.md
    Conversation {
        /// Parts (examples, mutants, regressions) or programs; the tables are then printed and not written
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// No more cases than this of each program; the tables are then printed and not written
        #[arg(long)]
        limit: Option<usize>,
        /// Which mutants are made
        #[arg(long, default_value_t = conversation_bench::SEED)]
        seed: u64,
        /// Where recordings are kept from one measurement to the next [default: target/conversation]
        #[arg(long, value_name = "FOLDER")]
        keep: Option<PathBuf>,
        /// Strategies to ask by, if not those of the tables
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        strategy: Vec<String>,
        /// Do without each kind of evidence in turn, too
        #[arg(long)]
        without_each: bool,
        /// Measure what was built before: to ask again by other parameters, only the probe need be new
        #[arg(long)]
        as_built: bool,
    },
    /// Whether the programs of the corpus of regressions do with each release what is said of them
    CheckRegressions {
        /// Regressions to check, if not all
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
    },
    /// Whether experiments name what is to blame for real regressions; the table goes into docs/regressions.md
    Regressions {
        /// Regressions to try; the table is then printed and not written
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// The executable to try, if not a release build
        #[arg(long, value_name = "FILE")]
        executable: Option<PathBuf>,
    },
    /// Whether JVMs take releases with single methods of other releases; the table goes into docs/regressions.md
    Hybrids {
        /// Regressions whose releases are tried; the table is then printed and not written
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
    },
    /// How long the next question takes on very large trees; the table goes into docs/benchmarks.md
    Questions {
        /// How many calls; fewer for trials, the table is then not written
        #[arg(long, default_value_t = FULL_SIZE)]
        nodes: u32,
    },
    /// How much there is to read in a question; the table goes into docs/benchmarks.md
    Reading {
        /// Examples and workloads to measure; the table is then printed and not written
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// Print this many of the longest questions
        #[arg(long, value_name = "N", default_value_t = 0)]
        longest: usize,
    },
    /// Whether every call replays as it was recorded, and how fast; the table goes into
    /// docs/benchmarks.md
    Replay {
        /// Workloads to measure; the table is then printed and not written
        #[arg(
            long,
            value_delimiter = ',',
            value_name = "NAME,…",
            conflicts_with = "trace"
        )]
        only: Vec<String>,
        /// Replay this trace instead, and print what could not be replayed
        #[arg(long, value_name = "FOLDER")]
        trace: Option<PathBuf>,
    },
    /// Whether the JVM accepts every class of every library when it is rewritten; the table goes into
    /// docs/benchmarks.md
    Verify {
        /// Libraries to verify; the table is then printed and not written
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// The Java versions to verify on, if not all that are found
        #[arg(long, value_delimiter = ',', value_name = "VERSION,…")]
        jdk: Vec<u32>,
    },
    /// What large runs cost to record, to open and to ask about; the tables go into
    /// docs/benchmarks.md
    Size {
        /// Runs to measure (ledger, wide, deep); the tables are then printed and not written
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// Multiply the amount of work; for trials, the tables are then not written
        #[arg(long, default_value_t = 1.0)]
        scale: f64,
    },
    /// Whether the tree is made as fast as a thread is recorded; the table goes into docs/benchmarks.md
    KeepUp {
        /// Rounds of recording and making the tree in turn
        #[arg(long, default_value_t = 5)]
        rounds: usize,
        /// Multiply the amount of work; for trials, the table is then not written
        #[arg(long, default_value_t = 1.0)]
        scale: f64,
    },
    /// How soon questions come while a large run goes on; the table goes into docs/benchmarks.md
    Live {
        /// Multiply the amount of work; for trials, the table is then not written
        #[arg(long, default_value_t = 1.0)]
        scale: f64,
    },
    /// What an editor waits for in a large recorded run; the tables go into docs/benchmarks.md
    Editor {
        /// Multiply the amount of work; for trials, the tables are then not written
        #[arg(long, default_value_t = 1.0)]
        scale: f64,
        /// The executable to measure, if not a release build
        #[arg(long, value_name = "FILE")]
        executable: Option<PathBuf>,
    },
    /// Askance beside a tracer on the Java Platform Debugger Architecture; the table goes into
    /// docs/benchmarks.md
    SideBySide {
        /// When the other tracer is stopped, in seconds
        #[arg(long, default_value_t = 60)]
        limit: u64,
    },
}

/// The number of calls that is promised to be handled.
const FULL_SIZE: u32 = 100_000_000;

fn main() -> ExitCode {
    match run(&Arguments::parse().what) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(bench: &Bench) -> Result<()> {
    match bench {
        Bench::Record {
            rounds,
            only,
            jdk,
            scale,
        } => record(*rounds, only, *jdk, *scale),
        Bench::Ring { rounds, only, size } => ring(*rounds, only, size),
        Bench::Arrays => arrays(),
        Bench::Balancing { only } => balance(only),
        Bench::Strategies => compare_strategies(),
        Bench::Mutants => find_mutants(),
        Bench::Reference { only, executable } => find_by_reference(only, executable.as_deref()),
        Bench::Conversation {
            only,
            limit,
            seed,
            keep,
            strategy,
            without_each,
            as_built,
        } => {
            if !as_built {
                build_release()?;
                build_probes()?;
            }
            let options = conversation_bench::Options {
                recorder: release_recorder(None)?,
                probe: target_dir().join("release/conversation-probe"),
                only: only.clone(),
                limit: *limit,
                seed: *seed,
                keep: keep
                    .clone()
                    .unwrap_or_else(|| target_dir().join("conversation")),
                manners: manners(strategy, *without_each)?,
            };
            converse(&options, strategy.is_empty())
        }
        Bench::CheckRegressions { only } => check_regressions(only),
        Bench::Regressions { only, executable } => {
            experiment_on_regressions(only, executable.as_deref())
        }
        Bench::Hybrids { only } => link_hybrids(only),
        Bench::Questions { nodes } => time_questions(*nodes),
        Bench::Reading { only, longest } => reading(only, *longest),
        Bench::Replay { only, trace } => replay(only, trace.as_deref()),
        Bench::Verify { only, jdk } => verify(only, jdk),
        Bench::Size { only, scale } => size(only, *scale),
        Bench::KeepUp { rounds, scale } => keep_up(*rounds, *scale),
        Bench::Live { scale } => live(*scale),
        Bench::Editor { scale, executable } => editor(*scale, executable.as_deref()),
        Bench::SideBySide { limit } => compare(*limit),
    }
}

fn record(rounds: usize, only: &[String], jdk: Option<u32>, scale: f64) -> Result<()> {
    let recorder = release_recorder(jdk)?;
    fetch_libraries_of(only)?;
    build_release()?;
    build_probes()?;
    let options = record_bench::Options {
        recorder,
        probes: record_bench::Probes {
            replay: target_dir().join("release/replay-probe"),
            size: target_dir().join("release/size-probe"),
        },
        rounds,
        only: only.to_vec(),
        scale,
    };
    let report = record_bench::run(&options, |line| eprintln!("{line}"))?;
    println!("{}", report.to_markdown());
    if only.is_empty() && scale == 1.0 {
        let document = workspace_root().join("docs/benchmarks.md");
        record_bench::write_into(&document, &report)
            .with_context(|| format!("cannot write {}", document.display()))?;
        eprintln!("written to {}", document.display());
    }
    match report.misbehaving()[..] {
        [] => Ok(()),
        ref workloads => bail!("not as it should be: {}", workloads.join(", ")),
    }
}

/// Gets what the named workloads need, or all of them.
fn fetch_libraries_of(only: &[String]) -> Result<()> {
    let is_wanted =
        |workload: &&Workload| only.is_empty() || only.iter().any(|name| name == workload.name);
    let wanted = Workload::all().iter().filter(is_wanted);
    Ok(fetch_missing_libraries(
        wanted.filter_map(Workload::missing_library),
    )?)
}

fn ring(rounds: usize, only: &[String], size: &str) -> Result<()> {
    let recorder = release_recorder(None)?;
    build_release()?;
    let options = ring_bench::Options {
        recorder,
        rounds,
        only: only.to_vec(),
        size: size.to_owned(),
    };
    let rows = ring_bench::run(&options, |line| eprintln!("{line}"))?;
    let table = ring_bench::to_markdown(&rows, &options);
    let (command, heading) = (ring_bench::COMMAND, ring_bench::HEADING);
    tell_and_write(BENCHMARKS, only.is_empty(), command, heading, &table)
}

fn arrays() -> Result<()> {
    let recorder = release_recorder(None)?;
    build_release()?;
    let rows = array_bench::run(&recorder, |line| eprintln!("{line}"))?;
    let table = array_bench::to_markdown(&rows, &recorder);
    let (command, heading) = (array_bench::COMMAND, array_bench::HEADING);
    tell_and_write(BENCHMARKS, true, command, heading, &table)
}

fn balance(only: &[String]) -> Result<()> {
    let rows = balancing::run(&recorder()?, only, |line| eprintln!("{line}"))?;
    let table = balancing::to_markdown(&rows);
    tell_and_write(
        STRATEGIES,
        only.is_empty(),
        balancing::COMMAND,
        "What balancing saves",
        &table,
    )
}

fn compare_strategies() -> Result<()> {
    build_release()?;
    let columns = comparison::run(&release_recorder(None)?, |line| eprintln!("{line}"))?;
    let table = comparison::to_markdown(&columns);
    tell_and_write(
        STRATEGIES,
        true,
        comparison::COMMAND,
        "All strategies side by side",
        &table,
    )
}

fn find_mutants() -> Result<()> {
    let recorder = recorder()?;
    let mutants = mutants::run(&recorder, |line| eprintln!("{line}"))?;
    let tested = tested::run(&recorder, |line| eprintln!("{line}"))?;
    let table = mutants::to_markdown(&mutants) + &tested::to_markdown(&tested);
    tell_and_write(
        STRATEGIES,
        true,
        mutants::COMMAND,
        "Programs with known mistakes",
        &table,
    )
}

fn find_by_reference(only: &[String], executable: Option<&Path>) -> Result<()> {
    // How far two runs are followed depends on what that costs: as users have it.
    let recorder = chosen_recorder(executable)?;
    let mutants = reference_bench::run(&recorder, only, |line| eprintln!("{line}"))?;
    let table = reference_bench::to_markdown(&mutants);
    let heading = "Mistakes found by a version that works";
    let command = reference_bench::COMMAND;
    tell_and_write(BENCHMARKS, only.is_empty(), command, heading, &table)
}

fn experiment_on_regressions(only: &[String], executable: Option<&Path>) -> Result<()> {
    let recorder = chosen_recorder(executable)?;
    let chosen = Regression::chosen(only)?;
    let references = [Release::Worked, Release::Mended];
    let trials = regression_bench::run(&recorder, &chosen, &references, |line| {
        eprintln!("{line}");
    })?;
    let table = regression_bench::to_markdown(&trials);
    let heading = "Regressions between releases";
    let command = regression_bench::COMMAND;
    tell_and_write(REGRESSIONS, only.is_empty(), command, heading, &table)
}

fn link_hybrids(only: &[String]) -> Result<()> {
    let chosen = Regression::chosen(only)?;
    let rows = hybrid_bench::run(&jdk_of(None)?, &chosen, |line| eprintln!("{line}"))?;
    let table = hybrid_bench::to_markdown(&rows);
    let heading = "Hybrids of releases";
    let command = hybrid_bench::COMMAND;
    tell_and_write(REGRESSIONS, only.is_empty(), command, heading, &table)
}

fn check_regressions(only: &[String]) -> Result<()> {
    let chosen = Regression::chosen(only)?;
    let surprises = regressions::check(&chosen, &jdk_of(None)?, |line| eprintln!("{line}"))?;
    for surprise in &surprises {
        println!("{surprise}");
    }
    match surprises.len() {
        0 => Ok(()),
        count => bail!("{count} runs are not as they should be"),
    }
}

/// By the default strategy and the one that it is compared with, or as is wanted.
fn manners(strategies: &[String], without_each: bool) -> Result<Vec<Manner>> {
    let names: Vec<&str> = match strategies {
        [] => conversation_bench::STRATEGIES.to_vec(),
        chosen => chosen.iter().map(String::as_str).collect(),
    };
    let mut manners = Vec::new();
    for name in names {
        let plain: Manner = name.parse().map_err(anyhow::Error::msg)?;
        let less = EvidenceKind::ALL
            .into_iter()
            .map(|evidence| plain.clone().without(evidence));
        let less: Vec<Manner> = less.filter(|_| without_each).collect();
        manners.push(plain);
        manners.extend(less);
    }
    Ok(manners)
}

fn converse(options: &conversation_bench::Options, is_usual: bool) -> Result<()> {
    let cases = conversation_bench::record(options, &mut |line| eprintln!("{line}"))?;
    eprintln!("asking about {} cases", cases.len());
    let asked = conversation_bench::ask(options, &cases)?;
    let table = conversation_bench::to_markdown(&asked, options.seed);
    let (command, heading) = (conversation_bench::COMMAND, conversation_bench::HEADING);
    let is_whole = is_usual && options.only.is_empty() && options.limit.is_none();
    tell_and_write(CONVERSATION, is_whole, command, heading, &table)
}

fn time_questions(nodes: u32) -> Result<()> {
    let report = question_bench::run(nodes, |line| eprintln!("{line}"));
    let table = question_bench::to_markdown(&report);
    let (command, heading) = (question_bench::COMMAND, "Questions");
    tell_and_write(BENCHMARKS, nodes == FULL_SIZE, command, heading, &table)
}

fn reading(only: &[String], longest: usize) -> Result<()> {
    let wanted: Vec<String> = match only {
        [] => reading_bench::usual().map(str::to_owned).collect(),
        only => only.to_vec(),
    };
    fetch_libraries_of(&wanted)?;
    let rows = reading_bench::run(&recorder()?, only, |line| eprintln!("{line}"))?;
    if let Some(all) = rows.last() {
        let mut questions: Vec<_> = all.questions.iter().collect();
        questions.sort_by_key(|length| std::cmp::Reverse(length.characters));
        for length in questions.into_iter().take(longest) {
            println!("{}\n", length.text);
        }
    }
    let table = reading_bench::to_markdown(&rows);
    let (command, heading) = (reading_bench::COMMAND, reading_bench::HEADING);
    tell_and_write(BENCHMARKS, only.is_empty(), command, heading, &table)
}

fn replay(only: &[String], trace: Option<&Path>) -> Result<()> {
    build_probes()?;
    let probe = target_dir().join("release/replay-probe");
    if let Some(trace) = trace {
        print!("{}", replay_bench::run_probe(&probe, trace)?.to_text());
        return Ok(());
    }
    fetch_libraries_of(only)?;
    build_release()?;
    let options = replay_bench::Options {
        recorder: release_recorder(None)?,
        probe,
        only: only.to_vec(),
    };
    let report = replay_bench::run(&options, |line| eprintln!("{line}"))?;
    println!("{}", report.to_markdown());
    if only.is_empty() {
        let path = workspace_root().join("docs/benchmarks.md");
        replay_bench::write_into(&path, &report)
            .with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("written to {}", path.display());
    }
    Ok(())
}

fn verify(only: &[String], versions: &[u32]) -> Result<()> {
    let is_wanted =
        |library: &&Library| only.is_empty() || only.iter().any(|name| name == library.name);
    fetch_missing_libraries(Library::all().iter().filter(is_wanted))?;
    let recorder = release_recorder(None)?;
    build_release()?;
    let options = verify_bench::Options {
        executable: recorder.executable,
        jdks: jdks_of(versions)?,
        only: only.to_vec(),
    };
    let report = verify_bench::run(&options, |line| eprintln!("{line}"))?;
    println!("{}", report.to_markdown());
    if only.is_empty() && versions.is_empty() {
        let document = workspace_root().join(BENCHMARKS);
        verify_bench::write_into(&document, &report)
            .with_context(|| format!("cannot write {}", document.display()))?;
        eprintln!("written to {}", document.display());
    }
    match report.findings() {
        0 => Ok(()),
        count => bail!("{count} classes fare differently when they are rewritten"),
    }
}

/// One of each supported version that is there, or of those that are asked for.
fn jdks_of(versions: &[u32]) -> Result<Vec<Jdk>> {
    if versions.is_empty() {
        let supported = Jdk::supported().into_iter();
        return Ok(supported.cloned().collect());
    }
    versions
        .iter()
        .map(|version| jdk_of(Some(*version)))
        .collect()
}

fn keep_up(rounds: usize, scale: f64) -> Result<()> {
    let recorder = release_recorder(None)?;
    build_release()?;
    build_probes()?;
    let options = keep_up_bench::Options {
        recorder,
        probe: target_dir().join("release/size-probe"),
        rounds,
        scale,
    };
    let rows = keep_up_bench::run(&options, |line| eprintln!("{line}"))?;
    let table = keep_up_bench::to_markdown(&rows, &options);
    tell_and_write(
        BENCHMARKS,
        scale == 1.0,
        keep_up_bench::COMMAND,
        keep_up_bench::HEADING,
        &table,
    )
}

fn live(scale: f64) -> Result<()> {
    let recorder = release_recorder(None)?;
    build_release()?;
    build_probes()?;
    let options = live_bench::Options {
        recorder,
        oracle: target_dir().join("release/ledger-oracle"),
        scale,
    };
    let report = live_bench::run(&options, |line| eprintln!("{line}"))?;
    println!("{}", report.to_markdown());
    if scale == 1.0 {
        let path = workspace_root().join("docs/benchmarks.md");
        live_bench::write_into(&path, &report)
            .with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("written to {}", path.display());
    }
    Ok(())
}

fn compare(limit: u64) -> Result<()> {
    let recorder = release_recorder(None)?;
    build_release()?;
    build_probes()?;
    let options = side_by_side::Options {
        recorder,
        oracle: target_dir().join("release/ledger-oracle"),
        limit: Duration::from_secs(limit),
    };
    let report = side_by_side::run(&options, |line| eprintln!("{line}"))?;
    println!("{}", report.to_markdown());
    let path = workspace_root().join("docs/benchmarks.md");
    side_by_side::write_into(&path, &report)
        .with_context(|| format!("cannot write {}", path.display()))?;
    eprintln!("written to {}", path.display());
    Ok(())
}

fn editor(scale: f64, executable: Option<&Path>) -> Result<()> {
    let recorder = chosen_recorder(executable)?;
    let options = editor_bench::Options { recorder, scale };
    let report = editor_bench::run(&options, |line| eprintln!("{line}"))?;
    let table = editor_bench::to_markdown(&report);
    let (command, heading) = (editor_bench::COMMAND, editor_bench::HEADING);
    tell_and_write(BENCHMARKS, scale == 1.0, command, heading, &table)
}

fn size(only: &[String], scale: f64) -> Result<()> {
    let recorder = release_recorder(None)?;
    build_release()?;
    build_probes()?;
    let options = size_bench::Options {
        recorder,
        probe: target_dir().join("release/size-probe"),
        only: only.to_vec(),
        scale,
    };
    let report = size_bench::run(&options, |line| eprintln!("{line}"))?;
    println!("{}", report.to_markdown());
    if only.is_empty() && scale == 1.0 {
        let path = workspace_root().join("docs/benchmarks.md");
        size_bench::write_into(&path, &report)
            .with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("written to {}", path.display());
    }
    Ok(())
}

/// Where a table goes.
const STRATEGIES: &str = "docs/strategies.md";
const CONVERSATION: &str = "docs/conversation.md";
const BENCHMARKS: &str = "docs/benchmarks.md";
const REGRESSIONS: &str = "docs/regressions.md";

/// Prints a table and, unless it is that of a trial, writes it into a document.
fn tell_and_write(
    document: &str,
    is_whole: bool,
    command: &str,
    heading: &str,
    table: &str,
) -> Result<()> {
    println!("{table}");
    if is_whole {
        let path = workspace_root().join(document);
        document::write_table(&path, command, heading, table)
            .with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("written to {}", path.display());
    }
    Ok(())
}

/// As users have it, once `build_release` has made it.
fn release_recorder(java_version: Option<u32>) -> Result<Recorder> {
    Ok(Recorder {
        executable: target_dir().join("release/askance"),
        jdk: jdk_of(java_version)?,
    })
}

/// An executable that is there, or else a release build.
fn chosen_recorder(executable: Option<&Path>) -> Result<Recorder> {
    let Some(executable) = executable else {
        build_release()?;
        return release_recorder(None);
    };
    Ok(Recorder {
        executable: executable.to_owned(),
        jdk: jdk_of(None)?,
    })
}

/// Questions are counted here, not time: what is built anyway will do.
fn recorder() -> Result<Recorder> {
    let jdk = jdk_of(None)?;
    build_tool()?;
    Ok(Recorder {
        executable: target_dir().join("debug/askance"),
        jdk,
    })
}

fn jdk_of(version: Option<u32>) -> Result<Jdk> {
    let found = match version {
        Some(version) => Jdk::version(version).with_context(|| {
            format!("no Java {version} was found; `cargo xtask setup` may help")
        })?,
        None => Jdk::compiler().context("no JDK was found; `cargo xtask setup` installs one")?,
    };
    Ok(found.clone())
}

/// The programs that measure in processes of their own.
fn build_probes() -> Result<()> {
    Ok(run_shown(&mut cargo([
        "build",
        "--release",
        "--package",
        "evaluation",
        "--bin",
        "conversation-probe",
        "--bin",
        "ledger-oracle",
        "--bin",
        "replay-probe",
        "--bin",
        "size-probe",
    ]))?)
}

fn build_release() -> Result<()> {
    Ok(run_shown(&mut cargo([
        "build",
        "--release",
        "--package",
        "jvm-agent",
        "--package",
        "askance",
    ]))?)
}
