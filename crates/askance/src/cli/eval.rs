//! `askance eval`: how many questions each strategy needs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use debug_engine::evaluate::{Evaluation, Experiment};
use debug_engine::strategy::{self, CoverageMetric, Optimum, StrategyInfo};
use debug_engine::{ExecutionTree, SessionOptions};
use serde::Serialize;

use super::ask_options::TRANSFORMATIONS;
use super::failure::{Exit, Failure};
use super::inspect::{Opened, Progress, open_either};
use super::output;
use inquiry::chosen_transformations::ChosenTransformations;
use inquiry::imported::ImportedTree;
use java_analysis::coverage::CallCoverage;
use java_analysis::recording::Recording;
use java_model::run::JavaRun;

/// Count the questions that each strategy needs, each call in turn taken as the buggy one
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance eval run.askance\n         askance eval run.askance --strategies top-down,dq-hirunkitti,ranges --root known\n         askance eval run.askance --transform balance --json\n\nThe buggy call and its callers are answered with no, all other calls with yes. A trusted call is never\nthe buggy one and never asked about. The optimum is that of questions about single calls of the\nrecorded tree; ranges and transformations can be below it."
)]
pub(crate) struct Arguments {
    /// The traces' folders, as `askance record` or `askance import` made them
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<PathBuf>,

    /// Which strategies: their names, or all
    #[arg(long, value_name = "all|NAME,…", default_value = "all")]
    strategies: String,

    /// How the tree is changed before it is searched: a list of names, such as balance,closed;
    /// `help` explains them
    #[arg(long, value_name = "NAMES", value_parser = TRANSFORMATIONS)]
    transform: Option<ChosenTransformations>,

    /// Whether it is known from the start that the run went wrong
    #[arg(long, value_enum, default_value_t = Root::Unknown)]
    root: Root,

    /// How many bug positions are tried, spread evenly over the run; 0 for all of them (default: all
    /// up to 10000, 1000 of more)
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// Print one line of JSON a trace
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Root {
    Known,
    Unknown,
}

/// With more bug positions than this, only some are tried.
const MOST_TRIED: u64 = 10_000;
const SAMPLED: u64 = 1_000;
/// The optimum of larger trees is not looked for.
const LARGEST_OPTIMUM: u64 = 1_000;

/// What is told about one trace.
#[derive(Debug, Serialize)]
struct Report {
    version: u32,
    trace: String,
    nodes: u32,
    /// Calls that can be the buggy one.
    candidates: u64,
    root: Root,
    transform: Vec<String>,
    /// How many candidates were tried, if not all: totals are over these.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<usize>,
    strategies: Vec<Row>,
    optimum: OptimumInfo,
}

#[derive(Debug, Serialize)]
struct Row {
    name: &'static str,
    total: u64,
    average: f64,
    worst: u64,
    select_us_mean: f64,
    select_us_worst: f64,
}

/// For all candidates, also if only some were tried.
#[derive(Debug, Serialize)]
struct OptimumInfo {
    /// `null` if the tree is too large for it.
    total: Option<u64>,
    lower_bound: u64,
    proven: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let strategies = strategies(&arguments.strategies)?;
    check(arguments.transform.as_ref())?;
    for trace in &arguments.traces {
        let report = report(arguments, trace, &strategies)?;
        if arguments.json {
            output::json(&report)?;
        } else {
            output::data(&describe(&report))?;
        }
    }
    Ok(Exit::Done)
}

/// Positions of the bug are calls here, and each strategy asks in its own way.
fn check(wanted: Option<&ChosenTransformations>) -> Result<(), Failure> {
    match wanted {
        Some(wanted) if wanted.statements => Err(Failure::mistake(
            "statements are not counted: the bug is looked for among calls",
        )),
        Some(wanted) if wanted.ranges => {
            Err(Failure::mistake("ranges is a strategy here").hint("--strategies ranges"))
        }
        _ => Ok(()),
    }
}

fn names(wanted: &ChosenTransformations) -> Vec<String> {
    let list = wanted.to_string();
    let names = list.split(',').filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

fn strategies(list: &str) -> Result<Vec<&'static StrategyInfo>, Failure> {
    if list == "all" {
        return Ok(strategy::ALL.iter().collect());
    }
    let names = list.split(',').map(str::trim);
    names
        .map(|name| {
            let found = strategy::ALL.iter().find(|info| info.name == name);
            found.ok_or_else(|| {
                Failure::mistake(format!("there is no strategy {name:?}")).hint(format!(
                    "--strategies takes all, or some of {}",
                    strategy::names()
                ))
            })
        })
        .collect()
}

fn report(
    arguments: &Arguments,
    trace: &Path,
    strategies: &[&'static StrategyInfo],
) -> Result<Report, Failure> {
    let mut coverage = None;
    let run: Arc<dyn Recording> = match open_either(trace, None)? {
        Opened::Java(run) => {
            let run: Arc<JavaRun> = Arc::from(run);
            if strategies
                .iter()
                .any(|info| strategy::uses_coverage(info.name))
            {
                coverage = Some(Arc::clone(&run));
            }
            run
        }
        Opened::Imported(tree) => Arc::<ImportedTree>::from(tree),
    };
    let wanted = arguments.transform.clone().unwrap_or_default();
    let options = SessionOptions {
        root_is_wrong: arguments.root == Root::Known,
        trusted: run.never_asked(),
        transformations: wanted.transformations(&|glob| run.routines_named(glob)),
        ..SessionOptions::default()
    };
    let nodes = run.len();
    let tree: Arc<dyn ExecutionTree> = run;
    let mut experiment = Experiment::new(tree, &options);
    if let Some(run) = coverage {
        for metric in CoverageMetric::ALL {
            let coverage = CallCoverage::new(Arc::clone(&run), metric);
            experiment.set_coverage(metric, Arc::new(coverage), None);
        }
    }
    match arguments.sample {
        Some(0) => {}
        Some(size) => experiment.sample(size),
        None if experiment.candidates() > MOST_TRIED => experiment.sample(SAMPLED),
        None => {}
    }
    Ok(Report {
        version: 1,
        trace: trace.display().to_string(),
        nodes,
        candidates: experiment.candidates(),
        root: arguments.root,
        transform: names(&wanted),
        sample: experiment.sample_size(),
        strategies: strategies
            .iter()
            .map(|info| row(&experiment, info))
            .collect(),
        optimum: optimum(&experiment),
    })
}

fn row(experiment: &Experiment, info: &'static StrategyInfo) -> Row {
    let mut progress = Progress::counting(info.name);
    let all = experiment.sample_size().map(|size| size as u64);
    let all = all.unwrap_or_else(|| experiment.candidates());
    let mut strategy = (info.create)();
    let watched = experiment.watched(&mut *strategy, &mut |done| {
        progress.at(done, all);
        true
    });
    let evaluation: Evaluation = watched.unwrap_or_default();
    let micros = |time: std::time::Duration| time.as_secs_f64() * 1e6;
    Row {
        name: info.name,
        total: evaluation.total,
        average: evaluation.average(),
        worst: evaluation.worst,
        select_us_mean: micros(evaluation.choosing) / evaluation.choices.max(1) as f64,
        select_us_worst: micros(evaluation.slowest),
    }
}

fn optimum(experiment: &Experiment) -> OptimumInfo {
    let candidates = experiment.candidates();
    if candidates > LARGEST_OPTIMUM {
        return OptimumInfo {
            total: None,
            lower_bound: strategy::fewest_questions(candidates),
            proven: false,
        };
    }
    let Optimum {
        total,
        lower_bound,
        proven,
    } = experiment.optimum();
    OptimumInfo {
        total: Some(total),
        lower_bound,
        proven,
    }
}

fn describe(report: &Report) -> String {
    let mut text = format!(
        "{}: {} calls, the bug can be in {} of them",
        report.trace, report.nodes, report.candidates
    );
    if let Some(sample) = report.sample {
        let _ = write!(text, "; {sample} were tried");
    }
    if !report.transform.is_empty() {
        let _ = write!(text, "; transformed by {}", report.transform.join(", "));
    }
    let _ = write!(
        text,
        "\n  {:20} {:>9} {:>9} {:>12} {:>10}\n",
        "strategy", "average", "worst", "total", "µs each"
    );
    for row in &report.strategies {
        let _ = writeln!(
            text,
            "  {:20} {:>9.2} {:>9} {:>12} {:>10.1}",
            row.name, row.average, row.worst, row.total, row.select_us_mean
        );
    }
    let per_candidate = |total: u64| total as f64 / report.candidates.max(1) as f64;
    let lower_bound = report.optimum.lower_bound;
    let _ = match report.optimum.total {
        Some(total) if report.optimum.proven => writeln!(
            text,
            "  {:20} {:>9.2} {:>9} {total:>12}   (proven)",
            "optimum",
            per_candidate(total),
            ""
        ),
        Some(total) => writeln!(
            text,
            "  the optimum's total is between {lower_bound} and {total}"
        ),
        None => writeln!(
            text,
            "  no strategy about single calls is below {:.2} on average",
            per_candidate(lower_bound)
        ),
    };
    text
}
