//! What tools give where the browser's interface says it otherwise: shorter, and as text.

use debug_engine::view::render;
use schemars::JsonSchema;
use serde::Serialize;

use askance_api::events::EventRow;
use askance_api::inside::InsideView;
use askance_api::node::{Caller, NodeShown, Where};
use askance_api::tree::CallStanding;
use inquiry::contradictions::Contradicted;

/// No more callers than this are told.
const MOST_CALLERS: usize = 30;

/// What can be opened, and what is open.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Traces {
    pub(super) traces: Vec<TraceName>,
    /// Whether the tool `record` is there.
    pub(super) may_record: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TraceName {
    pub(super) trace: String,
    /// The number of the session about it, if one is open.
    pub(super) session: Option<u32>,
}

/// A recorded run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RecordedRun {
    /// The name to open it by.
    pub trace: String,
    /// How the program ended.
    pub ended: String,
    pub bytes: u64,
    /// The end of what it printed.
    pub output: String,
}

/// A session that was opened.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Opened {
    /// Calls in the execution tree.
    pub(super) calls: u32,
    /// The recorded command, if there was one.
    pub(super) command: Option<String>,
    /// Whether the inside of calls was recorded: events, histories, where values came from.
    pub(super) recorded: bool,
    /// The failed test that is asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<FailedTest>,
    #[serde(flatten)]
    pub(super) step: Step,
}

/// A test, and how it failed.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FailedTest {
    pub(super) test: String,
    /// The exception and its message, or what became of it otherwise.
    pub(super) message: String,
    /// What the assertion expected, as its message says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected: Option<String>,
    /// What it found instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) actual: Option<String>,
}

/// Where a session stands.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Step {
    pub(super) session: u32,
    /// Goes with every answer.
    pub(super) revision: u64,
    /// `question`, or the outcome: `found`, `found_method` (all suspects are calls of one method), `suspects` (what is
    /// known does not tell them apart) or `none`.
    pub(super) state: &'static str,
    pub(super) question: Option<QuestionTold>,
    /// The call that was found, in one line; the tool `diagnosis` has more.
    pub(super) found: Option<String>,
    /// The search inside the call that was found, if look_inside began it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inside: Option<InsideView>,
    /// Calls that can still hold the bug.
    pub(super) suspects: u64,
    pub(super) answers: AnswerCounts,
    /// Answers that later ones contradict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) contradicted: Vec<Contradicted>,
}

/// How many answers are from whom.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct AnswerCounts {
    pub(super) agent: usize,
    pub(super) person: usize,
    pub(super) automatic: usize,
}

/// A question: did this do what it should?
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct QuestionTold {
    /// The call, or the first of the calls that it is about.
    pub(super) node: u32,
    /// The last of them, if there are several.
    pub(super) last: Option<u32>,
    /// The call that made it.
    pub(super) parent: Option<u32>,
    pub(super) prompt: &'static str,
    /// What is asked about: arguments, result, and what it changed, each under the path that an answer `wrong` names.
    pub(super) text: String,
    /// Where it asks whether one of several calls is wrong: their nodes. `yes` says that all are right; of one of
    /// them say `no` with its node.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) calls: Vec<u32>,
    /// Why it is asked, if more than the number of suspects decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    /// What was said of it before that was taken back, and by whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) said_before: Option<String>,
    pub(super) suspects_after_yes: u64,
    pub(super) suspects_after_no: u64,
    /// About how many questions are still to come, this one included.
    pub(super) questions_left: u32,
}

/// A page of the answers.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Answers {
    pub(super) from: usize,
    /// How many there are in all.
    pub(super) count: usize,
    pub(super) answers: Vec<AnswerTold>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AnswerTold {
    /// Its place: what undo takes.
    pub(super) place: usize,
    pub(super) node: Option<u32>,
    pub(super) last: Option<u32>,
    pub(super) judgement: &'static str,
    /// Who said it, and how sure they were.
    pub(super) source: String,
    /// A later answer about the same has taken its place.
    pub(super) overruled: bool,
}

/// A call at a moment.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CallTold {
    pub(super) node: u32,
    pub(super) routine: String,
    pub(super) descriptor: String,
    #[serde(flatten)]
    pub(super) stands: CallStanding,
    /// The callers, nearest first, as far as they are listed.
    pub(super) callers: Vec<Caller>,
    /// Calls below it.
    pub(super) below: u32,
    pub(super) complete: bool,
    /// Arguments, result, and what it changed.
    pub(super) text: String,
    /// The event, if it was asked for, and the local variables right after it.
    pub(super) event: Option<EventRow>,
    pub(super) locals: Vec<LocalTold>,
    pub(super) note: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LocalTold {
    pub(super) name: String,
    pub(super) value: String,
}

impl CallTold {
    pub(super) fn of(shown: NodeShown, wanted: &Where) -> CallTold {
        let bounds = wanted.bounds();
        let locals = shown.locals.iter().map(|local| LocalTold {
            name: local.name.clone(),
            value: render::value(&local.value, bounds),
        });
        CallTold {
            node: shown.call.node.0,
            text: render::multi_line(&shown.call, bounds),
            locals: locals.collect(),
            routine: shown.call.routine,
            descriptor: shown.descriptor,
            stands: CallStanding {
                judgement: shown.call.judgement,
                suspect: shown.suspect,
                suspects: shown.suspects,
            },
            callers: shown.callers.into_iter().take(MOST_CALLERS).collect(),
            below: shown.below,
            complete: shown.complete,
            event: shown.event,
            note: shown.note,
        }
    }
}

/// The source of what a call ran.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SourceTold {
    pub(super) routine: String,
    pub(super) file: Option<String>,
    /// The method, or as much of it as there is room for.
    pub(super) text: Option<String>,
}

/// A session that is open no longer.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Closed {
    pub(super) session: u32,
}
