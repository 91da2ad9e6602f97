//! How to ask: the arguments that `debug`, `ask` and `serve` share.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, IsTerminal as _};
use std::ops::Deref;
use std::path::PathBuf;

use clap::Args;
use debug_engine::NodeId;
use debug_engine::session::Confidence;
use debug_engine::strategy;

use super::amounts::{parse_seconds, parse_size};
use super::failure::Failure;
use super::inspect::{chosen_fields, settings};
use super::named::Named;
use super::output::shell_word;
use super::reference;
use super::who::Who;
use crate::dialogue::script::Script;
use inquiry::chosen_transformations::{self, ChosenTransformations};
use inquiry::words::strategies;
use inquiry::{CoverageWanted, Opening, RANGES};
use java_analysis::belief::EvidenceUsed;
use java_analysis::recording::Recording;
use java_model::run::JavaRun;
use java_names::glob::Glob;

/// What is wrong with what the program printed.
#[derive(Clone, Debug, Args)]
pub(crate) struct OutputArguments {
    /// What the program should have printed to standard output: the first line that is another shows what is wrong
    #[arg(long, value_name = "FILE", conflicts_with = "wrong_output")]
    pub(crate) expect_output: Option<PathBuf>,

    /// A text that the program printed and should not have; if it stands in several lines, the last is meant
    #[arg(long, value_name = "TEXT")]
    pub(crate) wrong_output: Option<String>,
}

impl fmt::Display for OutputArguments {
    /// As it is typed behind a command.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.expect_output {
            write!(out, " --expect-output {}", shell_word(file))?;
        }
        if let Some(text) = &self.wrong_output {
            write!(out, " --wrong-output {}", shell_word(text))?;
        }
        Ok(())
    }
}

/// How to search, whoever answers and wherever the questions are shown.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Ask options")]
pub(crate) struct SearchArguments {
    /// How the next question is chosen
    #[arg(long, value_name = "NAME", value_parser = STRATEGIES, help = strategy_help())]
    pub(crate) strategy: Option<String>,

    /// Search another tree of the same execution: a list of names, such as balance,loops or
    /// inline=shop.*; `help` explains them
    #[arg(long, value_name = "NAMES", value_parser = TRANSFORMATIONS)]
    pub(crate) transform: Option<ChosenTransformations>,

    /// For the strategies that weigh coverage: how much a piece of code counts after each call
    /// found right that ran it [default: 0.5 for edges, 0.6 for definition-use chains]
    #[arg(long, value_name = "0..1", value_parser = proportion)]
    pub(crate) coverage_p: Option<f64>,

    /// Search only below this call: a node number, or a method such as `sort` or `MergeSort.sort`
    /// (its first call)
    #[arg(long, value_name = "METHOD | NODE", conflicts_with_all = ["expect_output", "wrong_output"])]
    pub(crate) root: Option<String>,

    /// Which failed test to ask about: a class, or one test such as `CartTest#total`, or one run of a
    /// test that ran several times, `CartTest#total[2]` [default: the first that failed]
    #[arg(long, value_name = "CLASS#METHOD", conflicts_with = "root")]
    pub(crate) test: Option<String>,

    /// Ask about every failed test in turn
    #[arg(long, conflicts_with = "root")]
    pub(crate) all_tests: bool,

    #[command(flatten)]
    pub(crate) output: OutputArguments,

    /// What the run should never have done, as an SQL query that should find nothing and has a column node: a call
    /// inside which it finds something is wrong (docs/query.md)
    #[arg(long, value_name = "SQL")]
    pub(crate) never: Option<String>,

    /// Never ask about classes whose name matches; the calls below them are still asked about
    /// (repeatable)
    #[arg(long, value_name = "GLOB", value_parser = glob)]
    pub(crate) trust: Vec<Glob>,

    /// Answer from another version of the program: a .java file, a class path that takes the place
    /// of the command's own (of a test runner's: goes before it), a revision such as git:HEAD~3, or the trace
    /// of another run, whose command may give the program other properties or arguments
    #[arg(long, value_name = "CLASSPATH | FILE.java | git:REV | TRACE")]
    pub(crate) reference: Option<PathBuf>,

    /// With --reference git:REV: the command that builds the program in the checked-out revision,
    /// e.g. `javac -g -d out src/*.java`
    #[arg(long, value_name = "COMMAND", requires = "reference")]
    pub(crate) build: Option<String>,

    /// What counts besides how well a question splits the suspects. `cost`: how much has to be read to answer;
    /// of questions that tell about the same, the shorter one is asked
    #[arg(long, value_enum, value_name = "WEIGHT")]
    pub(crate) weigh: Option<Weight>,

    /// Whether a call is presumed right if a test that passed in the same run showed the same behaviour of its
    /// method; you can overrule it [default: on, but off with --answers]
    #[arg(long, value_enum, value_name = "on|off", hide_possible_values = true)]
    pub(crate) passing_tests: Option<Switch>,

    /// Ask first about methods that failing tests ran and passing tests did not (Ochiai's measure, which
    /// `askance tree` shows), with any strategy; nothing is ruled out by it
    #[arg(long)]
    pub(crate) spectrum: bool,

    /// Ask first about methods that have changed since a revision of the program's git repository, e.g. HEAD~3 or
    /// main, with any strategy; nothing is ruled out by it
    #[arg(long, value_name = "REV")]
    pub(crate) changed_since: Option<String>,

    /// Answer from a command: it gets one JSON object a question at its input, one a line, and
    /// prints one a line, {"answer":"yes|no|unknown|trust|inadmissible","wrong":"path (optional)",
    /// "confidence":0.8 (optional)}
    #[arg(long, value_name = "COMMAND")]
    pub(crate) oracle_cmd: Option<String>,

    /// How long the command may take for an answer
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, requires = "oracle_cmd")]
    pub(crate) oracle_timeout: f64,

    /// Leave to others what the command or an agent is less sure of than this, from 0 to 1; who does not say how
    /// sure they are counts as 0.5
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = parse_confidence)]
    pub(crate) min_confidence: Confidence,

    /// Where answers are remembered from one session to the next (default: a file for each project
    /// among your state files); what `askance answers` lists
    #[arg(long, value_name = "FILE", conflicts_with = "no_memory")]
    pub(crate) memory: Option<PathBuf>,

    /// Neither use nor keep answers of other sessions
    #[arg(long)]
    pub(crate) no_memory: bool,

    /// Forget the answers that were given earlier
    #[arg(long)]
    pub(crate) fresh: bool,

    /// Where the sources are (repeatable)
    #[arg(long, value_name = "FOLDER")]
    pub(crate) source_path: Vec<PathBuf>,

    /// How much memory is taken for objects that were looked at, so that the next question that shows
    /// them comes sooner
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = parse_size)]
    cache: u64,
}

/// What a question can be weighed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Weight {
    Cost,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

/// Whether programs may be run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Permission {
    On,
    Off,
    Ask,
}

/// How to ask in a terminal.
#[derive(Debug, Args)]
#[command(next_help_heading = "Ask options")]
pub(crate) struct AskArguments {
    #[command(flatten)]
    search: SearchArguments,

    /// Take the answers from a file, one a line: yes, no, unknown, trust, inadmissible, undo (or
    /// their letters); # begins a comment
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,

    /// With --reference: whether to run the program again, with parts of the reference's code in it, to
    /// verify which change is to blame [default: on for FILE.java and tests, ask for other commands, off
    /// with --answers]
    #[arg(
        long,
        value_enum,
        value_name = "on|off|ask",
        hide_possible_values = true,
        requires = "reference"
    )]
    pub(crate) experiments: Option<Permission>,

    /// How long all experiments together may take
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = parse_seconds, requires = "reference")]
    pub(crate) experiment_time: f64,

    /// Ask on the whole screen: the question, the calls, the call that is looked at and its source
    #[arg(long, conflicts_with_all = ["answers", "non_interactive"])]
    pub(crate) tui: bool,

    /// Tell with each question how it was chosen: what calls weigh, and what speaks against them
    #[arg(long, conflicts_with = "tui")]
    pub(crate) explain: bool,

    /// Ask nobody: stop where a person would be asked, and print what is left
    #[arg(long)]
    pub(crate) non_interactive: bool,

    /// End with one line of JSON. Of the buggy call, `executed_lines` ran, `slice_lines` had a
    /// part in what it did, and `lines` is the narrowest set that holds the bug
    #[arg(long)]
    pub(crate) json: bool,
}

/// Everything that is said about the search.
impl Deref for AskArguments {
    type Target = SearchArguments;

    fn deref(&self) -> &SearchArguments {
        &self.search
    }
}

impl AskArguments {
    /// Only what is said about the search.
    pub(crate) fn search(self) -> SearchArguments {
        self.search
    }

    /// Checks what can be checked before anything is recorded or opened.
    pub(crate) fn check(&self) -> Result<Option<Script>, Failure> {
        self.search.check()?;
        if self.tui && !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
            return Err(Failure::mistake("--tui needs a terminal")
                .hint("leave it out, or answer from a file with --answers"));
        }
        match &self.answers {
            None => Ok(None),
            Some(path) => Script::read(path).map(Some).map_err(|error| {
                Failure::mistake(error.to_string())
                    .hint("a line is one of yes, no, unknown, trust, inadmissible, undo")
            }),
        }
    }
}

impl SearchArguments {
    /// Checks what can be checked before anything is recorded or opened.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        settings()?;
        if let Some(reference) = &self.reference {
            reference::check(reference, self.build.as_deref())?;
        }
        let ranges = self.transform.as_ref().is_some_and(|chosen| chosen.ranges);
        if let Some(strategy) = self
            .strategy
            .as_ref()
            .filter(|name| ranges && *name != RANGES)
        {
            let sentence =
                format!("--transform ranges chooses the questions itself, and so does {strategy}");
            return Err(Failure::mistake(sentence).hint("leave out one of them"));
        }
        Ok(())
    }

    /// How a session about the run begins. A script stands for a whole dialogue, so it begins at the
    /// beginning.
    pub(crate) fn opening(&self, root: Option<NodeId>, who: &Who) -> Opening {
        Opening {
            root,
            test: None,
            output: None,
            violation: None,
            suspicion: Vec::new(),
            strategy: self.strategy.clone(),
            transform: self.transform.clone(),
            trust: self.trust.clone(),
            weighs_reading: self.weigh == Some(Weight::Cost),
            blameless: BTreeSet::new(),
            evidence: EvidenceUsed::default(),
            coverage: Some(CoverageWanted {
                decay: self.coverage_p,
                // What a script answers must not depend on how fast the machine is.
                at_once: !matches!(who, Who::Terminal),
            }),
            resumes: !self.fresh && !self.all_tests && !matches!(who, Who::Script(_)),
            keeps: matches!(who, Who::Terminal),
            least_sure: self.min_confidence,
            is_read: self.reference.is_none(),
            one_by_one: self.oracle_cmd.is_some(),
            follows_assertion: self.reference.is_none()
                && self.oracle_cmd.is_none()
                && self.strategy.is_none(),
        }
    }

    /// Tells a run what it may keep in memory and where its sources may be.
    pub(crate) fn prepare(&self, run: &mut JavaRun) {
        // Settings that cannot be read were told of when the arguments were checked.
        run.show_only(chosen_fields(&settings().unwrap_or_default()));
        run.add_source_path(&self.source_path);
        run.bound_cache(usize::try_from(self.cache).unwrap_or(usize::MAX));
    }

    /// The node that the search starts from.
    pub(crate) fn root(&self, run: &dyn Recording) -> Result<Option<NodeId>, Failure> {
        let Some(text) = &self.root else {
            return Ok(None);
        };
        node_named(run, text).map(Some)
    }
}

fn parse_confidence(text: &str) -> Result<Confidence, String> {
    let share = text.parse().ok().and_then(Confidence::from_share);
    share.ok_or_else(|| "a confidence is a number from 0 to 1, e.g. 0.7".to_owned())
}

/// A node by its number, or the first call of a method by its name.
pub(crate) fn node_named(run: &dyn Recording, text: &str) -> Result<NodeId, Failure> {
    match text.trim_start_matches('#').parse::<u32>() {
        Ok(number) if number < run.len() => Ok(NodeId(number)),
        Ok(number) => Err(Failure::mistake(format!("there is no node {number}"))
            .hint(format!("nodes are numbered from 0 to {}", run.len().saturating_sub(1)))),
        Err(_) => run.find(text).ok_or_else(|| {
            Failure::mistake(format!("no call of {text:?} was recorded"))
                .hint("name a method as `sort` or `MergeSort.sort`, or a node number that `askance tree` shows")
        }),
    }
}

const STRATEGIES: Named<String> = Named {
    list: strategies,
    parse: strategy_name,
};

pub(crate) const TRANSFORMATIONS: Named<ChosenTransformations> = Named {
    list: chosen_transformations::explained,
    parse: |text| ChosenTransformations::parse(text).map_err(|error| error.to_string()),
};

fn strategy_help() -> String {
    let default = strategy::DEFAULT;
    format!(
        "How the next question is chosen: {}; `help` explains them [default: {default}]",
        strategy::names()
    )
}

fn strategy_name(text: &str) -> Result<String, String> {
    strategy::by_name(text)
        .map(|strategy| strategy.name().to_owned())
        .map_err(|error| error.to_string())
}

fn proportion(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
    number.ok_or_else(|| "a number from 0 to 1 is wanted".to_owned())
}

fn glob(text: &str) -> Result<Glob, String> {
    Glob::new(text).map_err(|error| error.to_string())
}
