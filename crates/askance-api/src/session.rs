//! The session: the open question or the diagnosis, the answers so far, and everything that changes it.

use std::sync::Arc;
use std::time::Duration;

use debug_engine::session::{Answer, AnswerSource, LogEntry, SessionStep};
use debug_engine::transform::kind_of;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{Judgement, RoutineId, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::question::AskedQuestion;
use super::tree::line;
use crate::failure::ApiError;
use crate::inside::{self, InsideView};
use crate::live_run::LiveRun;
use crate::output::is_zero;
use crate::questioning::{SharedQuestioning, Speaker};
use crate::run_snapshot::RunSnapshot;
use inquiry::command::{Command, Reach, Verdict};
use inquiry::finding::{DiagnosisKind, Finding, all_calls_of};
use inquiry::words::{judgement_word, one_of, said_by};
use java_analysis::output_symptom::OutputPointer;

/// No more answers than this are listed, the latest.
const MOST_ANSWERS: usize = 500;
/// So long a click waits for those who answer before a person. What takes longer is told when it is known.
const PATIENCE: Duration = Duration::from_millis(60);
/// Trust in more methods than these is told by their number.
const MOST_NAMED: usize = 8;

/// Where the session stands.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionView {
    revision: u64,
    /// Those who answer before a person are being heard about what is asked.
    thinking: bool,
    /// What went wrong while they were heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
    /// Numbers of calls are those of this snapshot of a growing run.
    snapshot: u64,
    /// The revision since which the same is asked.
    asked_since: u64,
    step: StepView,
    answers: Vec<AnswerView>,
    can_undo: bool,
    /// Answers that were forgotten just now and can be brought back.
    #[serde(skip_serializing_if = "is_zero")]
    forgotten: usize,
    strategy: &'static str,
    /// The transformations that are on, as a list.
    transform: String,
    /// Calls that can still hold the bug.
    suspects: u64,
    /// The search in the call that was found, if it goes on there.
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<InsideView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum StepView {
    Ask(Box<AskedQuestion>),
    Done(Ended),
}

#[derive(Debug, Serialize, JsonSchema)]
struct Ended {
    outcome: DiagnosisKind,
    node: Option<u32>,
    /// The call in one line, or why a method is to blame.
    line: Arc<str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct AnswerView {
    /// Its place in the log: what takes it back.
    place: usize,
    /// The call, or the first of the calls that it is about.
    node: Option<u32>,
    last: Option<u32>,
    /// The call that made them.
    parent: Option<u32>,
    judgement: Judgement,
    word: &'static str,
    source: String,
    by_person: bool,
    line: Arc<str>,
    /// A later answer about the same has taken its place.
    overruled: bool,
}

pub fn standing(run: &RunSnapshot) -> Result<SessionText, ApiError> {
    shown_now(run, &mut run.heard_within(PATIENCE))
}

/// A session as text, which is made once for each of its revisions.
pub type SessionText = Box<RawValue>;

fn shown_now(
    run: &RunSnapshot,
    questioning: &mut SharedQuestioning,
) -> Result<SessionText, ApiError> {
    if let Some(shown) = questioning.shown() {
        return Ok(shown);
    }
    let shown = to_raw_value(&view(run, questioning))
        .map_err(|error| ApiError::ours(format!("the session cannot be told: {error}")))?;
    questioning.keep_shown(shown.clone());
    Ok(shown)
}

fn view(run: &RunSnapshot, questioning: &mut SharedQuestioning) -> SessionView {
    let step = match questioning.step() {
        SessionStep::Ask(question) => {
            StepView::Ask(Box::new(AskedQuestion::of(run, questioning, question)))
        }
        SessionStep::Done(diagnosis) => {
            let finding = Finding::of(questioning.session(), &diagnosis);
            StepView::Done(ended(run, finding))
        }
    };
    let inside = questioning.inside_view();
    let session = questioning.session();
    let log = session.log();
    let first = log.len().saturating_sub(MOST_ANSWERS);
    let answers = log.iter().enumerate().skip(first);
    let answers = answers.map(|(place, entry)| answered(run, questioning, place, entry));
    SessionView {
        revision: questioning.revision(),
        thinking: questioning.is_thinking(),
        trouble: questioning.trouble().map(str::to_owned),
        snapshot: run.snapshot(),
        asked_since: questioning.asked_since(),
        step,
        answers: answers.collect(),
        forgotten: questioning.forgotten(),
        can_undo: log.iter().any(|entry| entry.source == AnswerSource::Person),
        strategy: session.strategy_name(),
        transform: questioning.chosen_transformations().to_string(),
        suspects: session.space().suspects(),
        inside,
    }
}

fn ended(run: &RunSnapshot, finding: Finding) -> Ended {
    let (node, line) = match finding {
        Finding::Call(node) => (Some(node.0), line(run, node)),
        Finding::Method { first, calls } => {
            let routine = run.recording().code_of(first).routine;
            (None, all_calls_of(calls, &routine).into())
        }
        Finding::Suspects(_) | Finding::Nothing => (None, "".into()),
    };
    Ended {
        outcome: finding.kind(),
        node,
        line,
    }
}

fn answered(
    run: &RunSnapshot,
    questioning: &SharedQuestioning,
    place: usize,
    entry: &LogEntry,
) -> AnswerView {
    let line = match entry.target() {
        Some(Target::Node(node)) => line(run, node),
        Some(target) => run.lines().of(target, || {
            let asked = questioning.asked(target, kind_of(target), Bounds::default());
            render::asked_in_one_line(&asked, Bounds::default())
        }),
        None => match &entry.answer {
            Answer::OneOf(calls) => one_of(calls.len()).into(),
            _ => {
                let tree = questioning.session().tree();
                methods(run, &entry.trusted_routines(&**tree)).into()
            }
        },
    };
    AnswerView {
        place,
        node: entry.node.map(|node| node.0),
        last: entry.last.map(|node| node.0),
        parent: entry
            .node
            .and_then(|node| run.recording().parent(node))
            .map(|node| node.0),
        judgement: entry.judgement(),
        word: judgement_word(entry.judgement()),
        source: said_by(entry),
        by_person: entry.source == AnswerSource::Person,
        line,
        overruled: !questioning.session().is_in_force(place),
    }
}

/// Methods by their names, as far as there is room for them.
fn methods(run: &RunSnapshot, routines: &[RoutineId]) -> String {
    let named = routines.iter().take(MOST_NAMED);
    let mut text = named
        .map(|&routine| run.recording().routine_name(routine))
        .collect::<Vec<_>>()
        .join(", ");
    let left = routines.len().saturating_sub(MOST_NAMED);
    if left > 0 {
        text.push_str(&format!(" and {left} more"));
    }
    text
}

/// What can be said to a question.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SessionRequest {
    Yes,
    No,
    Unknown,
    Trust,
    TrustClass,
    TrustPackage,
    Inadmissible,
    Wrong,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Saying {
    pub revision: u64,
    pub answer: SessionRequest,
    /// With `wrong`: the value that shows it.
    pub path: Option<String>,
    /// Another call than the one in question.
    pub node: Option<u32>,
}

pub fn answer(slot: &LiveRun, said: Saying) -> Result<SessionText, ApiError> {
    change(slot, move |run, questioning| {
        say(run, questioning, &said, Speaker::PERSON)
    })
}

pub fn say(
    run: &RunSnapshot,
    questioning: &mut SharedQuestioning,
    said: &Saying,
    by: Speaker,
) -> Result<(), ApiError> {
    let verdict = match said.answer {
        SessionRequest::Yes => Verdict::Right,
        SessionRequest::No => match &said.path {
            Some(path) => Verdict::WrongPart(path.clone()),
            None => Verdict::Wrong,
        },
        SessionRequest::Unknown => Verdict::Unknown,
        SessionRequest::Inadmissible => Verdict::Inadmissible,
        SessionRequest::Trust => Verdict::Trust(Reach::Method),
        SessionRequest::TrustClass => Verdict::Trust(Reach::Class),
        SessionRequest::TrustPackage => Verdict::Trust(Reach::Package),
        SessionRequest::Wrong => Verdict::WrongPart(said.path.clone().unwrap_or_default()),
    };
    let printed = match &verdict {
        Verdict::WrongPart(path) => OutputPointer::parse(path),
        _ => None,
    };
    let command = match (printed, said.node) {
        (Some(at), _) => Command::WrongOutput(at),
        (None, Some(number)) => Command::Judge(run.node(number)?.into(), verdict),
        (None, None) => Command::Answer(verdict),
    };
    questioning.apply(Some(said.revision), command, by)?;
    Ok(())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TakingBack {
    revision: u64,
    /// Which answer; without it, the last.
    place: Option<usize>,
    /// Instead: all trust in the method of this call.
    trust: Option<u32>,
}

pub fn undo(slot: &LiveRun, which: TakingBack) -> Result<SessionText, ApiError> {
    change(slot, move |run, questioning| {
        let command = match (which.place, which.trust) {
            (_, Some(number)) => Command::TakeBackTrust(Some(run.node(number)?)),
            (Some(place), None) => Command::TakeBack(place),
            (None, None) => Command::Undo,
        };
        questioning.apply(Some(which.revision), command, Speaker::PERSON)
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct About {
    node: u32,
}

pub fn ask(slot: &LiveRun, about: About) -> Result<SessionText, ApiError> {
    change(slot, move |run, questioning| {
        let command = Command::AskAbout(run.node(about.node)?.into());
        questioning.apply(None, command, Speaker::PERSON)
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Doubt {
    revision: u64,
}

pub fn revise(slot: &LiveRun, doubt: Doubt) -> Result<SessionText, ApiError> {
    change(slot, move |_, questioning| {
        questioning.apply(Some(doubt.revision), Command::Revise, Speaker::PERSON)
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Named {
    name: String,
}

pub fn strategy(slot: &LiveRun, named: Named) -> Result<SessionText, ApiError> {
    change(slot, move |_, questioning| {
        questioning.apply(None, Command::Strategy(named.name), Speaker::PERSON)
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Switched {
    /// As `--transform` takes it; a minus sign switches off.
    list: String,
}

pub fn transform(slot: &LiveRun, switched: Switched) -> Result<SessionText, ApiError> {
    change(slot, move |_, questioning| {
        questioning.apply(None, Command::Transform(switched.list), Speaker::PERSON)
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Restart {}

pub fn restart(slot: &LiveRun, _: Restart) -> Result<SessionText, ApiError> {
    change(slot, |_, questioning| questioning.restart())
}

/// Takes back that the session was started anew.
pub fn bring_back(slot: &LiveRun, _: Restart) -> Result<SessionText, ApiError> {
    change(slot, |_, questioning| questioning.bring_back())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidInside {
    revision: u64,
    said: inside::InsideRequest,
}

pub fn inside(slot: &LiveRun, told: SaidInside) -> Result<SessionText, ApiError> {
    change(slot, move |_, questioning| {
        questioning.apply(Some(told.revision), told.said.into(), Speaker::PERSON)
    })
}

/// Changes the session, goes over to what was recorded meanwhile, and shows where it stands then.
fn change<T>(
    slot: &LiveRun,
    change: impl FnOnce(&RunSnapshot, &mut SharedQuestioning) -> Result<T, ApiError>,
) -> Result<SessionText, ApiError> {
    let run = slot.change(|run, questioning| change(run, questioning).map(drop))?;
    let mut questioning = run.heard_within(PATIENCE);
    shown_now(&run, &mut questioning)
}
