//! `askance answers --junit`: tests from what was said of calls.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use debug_engine::session::{Answer, AnswerSource, LogEntry, ValuePath};
use debug_engine::{ExecutionTree as _, NodeId, Target};

use super::failure::{Exit, Failure};
use super::memory_file::MemoryFile;
use super::{inspect, output};
use inquiry::junit::{self, LeftOut, Style};
use inquiry::memory::Remembered;
use inquiry::words::count;
use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;

/// Which tests, and where they go.
#[derive(Debug, Args)]
pub(super) struct TestArguments {
    /// Write JUnit tests from every yes and no of a person or an agent: what is right must stay as it was
    /// recorded, what is wrong must not come back
    #[arg(long)]
    pub(super) junit: bool,

    /// The traces whose answers are taken (default: what is remembered for the project, of traces that are
    /// still there)
    #[arg(value_name = "TRACE", requires = "junit")]
    traces: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) place: MemoryFile,

    /// The folder of test sources
    #[arg(
        short,
        long,
        value_name = "FOLDER",
        default_value = "askance-tests",
        requires = "junit"
    )]
    output: PathBuf,

    /// For JUnit 4 (4.13 or later) instead of JUnit 5
    #[arg(long, requires = "junit")]
    junit4: bool,
}

type Said = Vec<(NodeId, Answer)>;

pub(super) fn run(arguments: &TestArguments) -> Result<Exit, Failure> {
    let TestArguments { traces, place, .. } = arguments;
    let mut all: Vec<(JavaRun, Said)> = Vec::new();
    for trace in traces {
        let run = inspect::open(trace, None)?;
        let said = kept_in(&run)?;
        if said.is_empty() {
            output::talk(&format!(
                "askance: no person and no agent has said yes or no to a call of {}; what a file of \
                 answers says is not kept",
                trace.display()
            ));
        }
        all.push((run, said));
    }
    if traces.is_empty() {
        all = remembered(place)?;
    }
    let style = match arguments.junit4 {
        true => Style::Junit4,
        false => Style::Junit5,
    };
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut written = 0;
    for (run, said) in &all {
        let suite = junit::write(run, said, style);
        written += suite.tests;
        for (path, source) in suite.files {
            if files.insert(path.clone(), source).is_some() {
                let sentence = format!(
                    "two traces have answers about the class of {}; one trace at a time, please",
                    path.display()
                );
                return Err(Failure::mistake(sentence).hint("name one trace, and another -o"));
            }
        }
        suite.left_out.iter().for_each(tell_left_out);
    }
    if written == 0 {
        output::talk("askance: no test could be written");
        return Ok(Exit::Nothing);
    }
    for (path, source) in &files {
        let path = arguments.output.join(path);
        save(&path, source)?;
        output::data(&format!("{}\n", path.display()))?;
    }
    let written = count(written as u64, "test", "tests");
    output::talk(&format!("askance: {written} written"));
    Ok(Exit::Done)
}

fn tell_left_out(one: &LeftOut) {
    let LeftOut { node, call, why } = one;
    output::talk(&format!("askance: no test of #{node} {call}: {why}"));
}

fn save(path: &Path, source: &str) -> Result<(), Failure> {
    let failed = |error| {
        let sentence = format!("{} cannot be written: {error}", path.display());
        Failure::mistake(sentence).hint("name another folder with -o")
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, source).map_err(failed)
}

/// What was said of single calls in the session that a trace keeps.
fn kept_in(run: &JavaRun) -> Result<Said, Failure> {
    let remembered = Remembered::read(run.folder(), run.number())
        .map_err(|error| Failure::mistake(format!("the answers kept in this trace {error}")))?;
    let Some(remembered) = remembered else {
        return Ok(Vec::new());
    };
    let was_said = |entry: &LogEntry| {
        matches!(
            entry.source,
            AnswerSource::Person | AnswerSource::Agent | AnswerSource::Memory
        )
    };
    // A later answer about a call takes the place of an earlier one.
    let mut said: BTreeMap<NodeId, Answer> = BTreeMap::new();
    for entry in remembered.session.answers {
        if let Some(Target::Node(node)) = entry.target() {
            match &entry.answer {
                Answer::Yes | Answer::No | Answer::WrongPart(_) if was_said(&entry) => {
                    said.insert(node, entry.answer);
                }
                _ => drop(said.remove(&node)),
            }
        }
    }
    said.retain(|node, _| node.0 < run.len());
    Ok(said.into_iter().collect())
}

/// What is remembered for the project, by the traces that it was said about.
fn remembered(place: &MemoryFile) -> Result<Vec<(JavaRun, Said)>, Failure> {
    let mut by_trace: BTreeMap<(String, u32), Said> = BTreeMap::new();
    let mut homeless = 0;
    for (_, kept) in place.all()? {
        let answer = match (kept.answer.as_str(), kept.wrong) {
            ("yes", _) => Answer::Yes,
            ("no", None) => Answer::No,
            ("no", Some(path)) => Answer::WrongPart(ValuePath(path)),
            _ => continue,
        };
        match kept.place {
            Some((jvm, node)) if Path::new(&kept.from).is_dir() => {
                let said = by_trace.entry((kept.from, jvm)).or_default();
                said.push((NodeId(node), answer));
            }
            _ => homeless += 1,
        }
    }
    if homeless > 0 {
        let answers = count(homeless, "answer", "answers");
        output::talk(&format!(
            "askance: the traces of {answers} are gone, so what the calls were given is not known"
        ));
    }
    let mut all = Vec::new();
    for ((trace, jvm), said) in by_trace {
        match inspect::open_one(Path::new(&trace), jvm) {
            Ok(run) => {
                let said = said.into_iter().filter(|(node, _)| node.0 < run.len());
                let said = said.collect();
                all.push((run, said));
            }
            Err(error) => output::talk(&format!("askance: {trace}: {error}")),
        }
    }
    Ok(all)
}
