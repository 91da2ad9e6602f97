//! One conversation: a session about a case from the first question to its end.

use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use debug_engine::oracle::Cascade;
use debug_engine::session::{AnswerSource, Diagnosis, SessionStep};
use debug_engine::{ExecutionTree as _, NodeId, Target, strategy};
use inquiry::command::{Command, Speaker, Verdict};
use inquiry::finding::Finding;
use inquiry::oracle::passing::PassingTests;
use inquiry::{CoverageWanted, Opening, Questioning};
use java_analysis::belief;
use java_analysis::output_symptom::OutputSymptom;
use java_analysis::questions::Questions;
use java_analysis::recording::Recording;
use java_model::run::JavaRun;
use java_model::testing::TestPattern;
use serde::{Deserialize, Serialize};

use super::case::{Case, CorpusPart, MethodName};
use super::person::Person;
use super::ranking::{Top, ochiai, ranked};
use super::recordings::open;
use crate::record_bench::BenchError;

/// Who is still asked after so many questions has gone away.
const MOST_QUESTIONS: usize = 100;
/// What a person says who does not know.
pub(super) const UNKNOWN: &str = "unknown";
/// How wide a terminal is.
const COLUMNS: usize = 100;

/// What the search goes by, besides the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceKind {
    /// The part that calls had in the symptom.
    Slice,
    /// What failing and passing tests ran.
    Tests,
    /// How much code a method has.
    Code,
    /// Passing tests that showed the same behaviour.
    Passing,
    /// The call that gave a failed assertion its value, asked about first.
    Assertion,
}

impl EvidenceKind {
    pub const ALL: [EvidenceKind; 5] = [
        EvidenceKind::Slice,
        EvidenceKind::Tests,
        EvidenceKind::Code,
        EvidenceKind::Passing,
        EvidenceKind::Assertion,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EvidenceKind::Slice => "slice",
            EvidenceKind::Tests => "tests",
            EvidenceKind::Code => "code",
            EvidenceKind::Passing => "passing",
            EvidenceKind::Assertion => "assertion",
        }
    }
}

/// How the person is asked: a strategy, and the kinds of evidence that it does without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manner {
    pub strategy: String,
    pub without: BTreeSet<EvidenceKind>,
}

impl Manner {
    #[must_use]
    pub fn plain(strategy: &str) -> Manner {
        Manner {
            strategy: strategy.to_owned(),
            without: BTreeSet::new(),
        }
    }

    /// The same without a kind of evidence.
    #[must_use]
    pub fn without(mut self, evidence: EvidenceKind) -> Manner {
        self.without.insert(evidence);
        self
    }

    fn uses(&self, evidence: EvidenceKind) -> bool {
        !self.without.contains(&evidence)
    }
}

/// `belief`, or `belief -passing -assertion` without two kinds of evidence.
impl fmt::Display for Manner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.strategy)?;
        let mut without = self.without.iter();
        without.try_for_each(|evidence| write!(f, " -{}", evidence.name()))
    }
}

impl FromStr for Manner {
    type Err = String;

    fn from_str(text: &str) -> Result<Manner, String> {
        let (strategy, rest) = text.split_once(' ').unwrap_or((text, ""));
        strategy::by_name(strategy).map_err(|error| error.to_string())?;
        let mut manner = Manner::plain(strategy);
        for word in rest.split_whitespace() {
            let name = word.trim_start_matches('-');
            let known = EvidenceKind::ALL.into_iter().find(|one| one.name() == name);
            let known = known.ok_or_else(|| format!("there is no evidence {name:?}"))?;
            manner.without.insert(known);
        }
        Ok(manner)
    }
}

/// What came of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskedCase {
    pub part: CorpusPart,
    pub program: String,
    pub name: String,
    pub manner: String,
    pub calls: u32,
    pub questions: Vec<Read>,
    pub outcome: ConversationOutcome,
    /// What was named, or went wrong.
    pub named: String,
    pub culprits: Vec<String>,
    /// By what tests ran, before any answer.
    pub ochiai: Option<Top>,
    /// By all that is believed: before any answer, and after each.
    pub suspects: Vec<Top>,
    pub milliseconds: u64,
}

/// A question that was read, and what was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Read {
    pub characters: usize,
    /// In a terminal of 100 columns.
    pub lines: usize,
    pub answer: String,
    /// What it was about, in one line.
    pub about: String,
    pub text: String,
}

/// How a conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConversationOutcome {
    /// A method that is to blame was named.
    Right,
    /// Another one was.
    Wrong,
    /// Calls were left that the answers do not tell apart, with one to blame among them.
    Among,
    /// Without one.
    NotAmong,
    /// Every call was said to be right.
    Nothing,
    /// The person gave up.
    TooMany,
    /// It broke off.
    Failed,
}

/// Asks about every case, several at a time; `tell` hears of each as it ends.
pub fn ask_all(cases: &[PathBuf], manner: &Manner, tell: &(dyn Fn(AskedCase) + Sync)) {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(folder) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Ok(case) = Case::read(folder) {
                        tell(ask(folder, &case, manner));
                    }
                }
            });
        }
    });
}

/// Asks about one; what breaks off says so.
fn ask(folder: &Path, case: &Case, manner: &Manner) -> AskedCase {
    let start = Instant::now();
    let mut asked = AskedCase {
        part: case.part,
        program: case.program.clone(),
        name: case.name.clone(),
        manner: manner.to_string(),
        calls: 0,
        questions: Vec::new(),
        outcome: ConversationOutcome::Failed,
        named: String::new(),
        culprits: case.culprits.clone(),
        ochiai: None,
        suspects: Vec::new(),
        milliseconds: 0,
    };
    let conversed = catch_unwind(AssertUnwindSafe(|| {
        converse(folder, case, manner, &mut asked)
    }));
    match conversed {
        Ok(Ok(())) => {}
        Ok(Err(error)) => asked.named = error.to_string(),
        Err(_) => "it panicked".clone_into(&mut asked.named),
    }
    asked.milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    asked
}

fn converse(
    folder: &Path,
    case: &Case,
    manner: &Manner,
    asked: &mut AskedCase,
) -> Result<(), BenchError> {
    let mut run = open(&folder.join("trace"))?;
    run.add_source_path(&case.sources);
    let run = Arc::new(run);
    asked.calls = run.len();
    asked.ochiai = ochiai(&run, case);
    let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&run);
    let questions = Questions::hurried(Arc::clone(&recording));
    let mut person = Person::new(Arc::clone(&run), case, folder);
    let mut cascade = Cascade::new();
    let has_failed = run.failed_tests(None).next().is_some();
    if manner.uses(EvidenceKind::Passing) && has_failed {
        cascade.push(PassingTests::of(&run));
    }
    let mut questioning = start(&run, &recording, case, manner, &questions)?;
    asked.suspects.push(ranked(&run, &questioning, case));
    let diagnosis = loop {
        let question = match questioning.hear(&mut cascade, &questions)? {
            SessionStep::Ask(question) => question,
            SessionStep::Done(diagnosis) => break Some(diagnosis),
        };
        if asked.questions.len() == MOST_QUESTIONS {
            break None;
        }
        let text = questioning.text_of(&question, &questions, questioning.bounds());
        let text = text + "\n" + questioning.prompt(&question);
        let said = person.answer(&question)?;
        asked.questions.push(Read {
            characters: text.chars().count(),
            lines: lines(&text),
            answer: word(&said),
            about: text.lines().nth(1).unwrap_or_default().to_owned(),
            text,
        });
        questioning.apply(&questions, said, Speaker::PERSON)?;
        asked.suspects.push(ranked(&run, &questioning, case));
    };
    person.keep()?;
    (asked.outcome, asked.named) = match diagnosis {
        Some(diagnosis) => outcome(&run, &questioning, &diagnosis, case),
        None => (ConversationOutcome::TooMany, String::new()),
    };
    if matches!(
        asked.outcome,
        ConversationOutcome::Right | ConversationOutcome::Wrong
    ) {
        asked.suspects.pop();
        let is_right = asked.outcome == ConversationOutcome::Right;
        asked.suspects.push(Top::found(is_right));
    }
    Ok(())
}

/// Begins as the terminal does, with `--expect-output` where the output is wrong. If it is not known what printed it,
/// that is said of `main`.
pub(super) fn start(
    run: &JavaRun,
    recording: &Arc<dyn Recording>,
    case: &Case,
    manner: &Manner,
    questions: &Questions,
) -> Result<Questioning, BenchError> {
    let mut failed = run.failed_tests(None);
    let test = failed.next().map(|test| test.name.to_string());
    let expected = case.expected_output.as_deref();
    let opening = Opening {
        test: test.as_deref().map(TestPattern::parse),
        output: expected.and_then(|expected| OutputSymptom::by_expectation(run, expected).ok()),
        strategy: Some(manner.strategy.clone()),
        is_read: true,
        coverage: Some(CoverageWanted {
            decay: None,
            at_once: true,
        }),
        evidence: belief::EvidenceUsed {
            slice: manner.uses(EvidenceKind::Slice),
            tests: manner.uses(EvidenceKind::Tests),
            code: manner.uses(EvidenceKind::Code),
            ..belief::EvidenceUsed::default()
        },
        follows_assertion: manner.uses(EvidenceKind::Assertion),
        ..Opening::default()
    };
    let mut questioning = Questioning::start(recording, &opening, &mut |_| {})?;
    let is_told = !questioning.session().log().is_empty();
    if let Some(main) = recording
        .find("main")
        .filter(|_| expected.is_some() && !is_told)
    {
        let wrong = Command::Judge(Target::Node(main), Verdict::Wrong);
        let by = Speaker {
            source: AnswerSource::Run,
            confidence: None,
        };
        questioning.apply(questions, wrong, by)?;
    }
    Ok(questioning)
}

fn outcome(
    run: &JavaRun,
    questioning: &Questioning,
    diagnosis: &Diagnosis,
    case: &Case,
) -> (ConversationOutcome, String) {
    let name_of = |node: NodeId| {
        let names = run.method_names(run.method(node));
        MethodName::new(names.class, names.name, names.descriptor)
    };
    match Finding::of(questioning.session(), diagnosis) {
        Finding::Call(node) | Finding::Method { first: node, .. } => {
            let name = name_of(node);
            let is_right = case.blames(&name);
            let outcome = if is_right {
                ConversationOutcome::Right
            } else {
                ConversationOutcome::Wrong
            };
            (outcome, name.full)
        }
        Finding::Suspects(count) => {
            let mut nodes = diagnosis.nodes().iter();
            let is_among = nodes.any(|&node| case.blames(&name_of(node)));
            let outcome = if is_among {
                ConversationOutcome::Among
            } else {
                ConversationOutcome::NotAmong
            };
            (outcome, format!("{count} calls"))
        }
        Finding::Nothing => (ConversationOutcome::Nothing, String::new()),
    }
}

/// What was said, in a word; of a list, with the number.
fn word(said: &Command) -> String {
    let word = |verdict: &Verdict| match verdict {
        Verdict::Right => "right",
        Verdict::Wrong | Verdict::WrongPart(_) => "wrong",
        Verdict::Unknown => UNKNOWN,
        Verdict::Inadmissible => "inadmissible",
        Verdict::Trust(_) => "trusted",
    };
    match said {
        Command::Answer(verdict) => word(verdict).to_owned(),
        Command::AnswerOne(number, verdict) => format!("{} {number}", word(verdict)),
        other => format!("{other:?}"),
    }
}

/// How many lines a text takes in a terminal.
fn lines(text: &str) -> usize {
    let lines = text.lines().map(|line| line.chars().count());
    lines.map(|length| length.div_ceil(COLUMNS).max(1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manner_is_written_and_read() {
        for text in ["ranges", "top-down -passing", "ranges -passing -assertion"] {
            assert_eq!(text.parse::<Manner>().unwrap().to_string(), text);
        }
        assert!("guessing".parse::<Manner>().is_err());
        assert!("ranges -luck".parse::<Manner>().is_err());
    }

    #[test]
    fn long_lines_take_several() {
        assert_eq!(lines("a\n\nb"), 3);
        assert_eq!(lines(&"x".repeat(100)), 1);
        assert_eq!(lines(&"x".repeat(201)), 3);
    }
}
