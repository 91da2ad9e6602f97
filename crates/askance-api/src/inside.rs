//! The search for a statement, as the browser drives it: it goes on in the call that was found, until
//! something else is said about a call.

use debug_engine::session::{AnswerSource, SessionStep};
use debug_engine::transform::kind_of;
use debug_engine::view::AskedView;
use debug_engine::view::render::{Bounds, Sheet};
use debug_engine::{Judgement, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use inquiry::command::{Command, Verdict};
use inquiry::inside::InsideSearch;
use inquiry::words::{judgement_word, question_word};
use java_analysis::calls::Blamed;

/// What can be said about a piece of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InsideRequest {
    /// Look into the call that was found.
    Begin,
    Yes,
    No,
    Unknown,
    Undo,
    /// Leave the call as it was found.
    Leave,
}

impl From<InsideRequest> for Command {
    fn from(said: InsideRequest) -> Command {
        match said {
            InsideRequest::Begin => Command::LookInside { statements: true },
            InsideRequest::Yes => Command::Answer(Verdict::Right),
            InsideRequest::No => Command::Answer(Verdict::Wrong),
            InsideRequest::Unknown => Command::Answer(Verdict::Unknown),
            InsideRequest::Undo => Command::Undo,
            InsideRequest::Leave => Command::LeaveInside,
        }
    }
}

/// Where the search in a call stands.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InsideView {
    node: u32,
    step: InsideStep,
    answers: Vec<PieceAnswer>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum InsideStep {
    Ask(Box<PieceAsked>),
    Done(PieceFound),
}

#[derive(Debug, Serialize, JsonSchema)]
struct PieceAsked {
    prompt: &'static str,
    sheet: Sheet,
    lines: Vec<u32>,
    /// Pieces that can still hold the bug.
    suspects_left: u64,
    questions_left_estimate: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PieceFound {
    title: String,
    lines: Vec<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PieceAnswer {
    judgement: Judgement,
    word: &'static str,
    line: String,
}

impl InsideView {
    pub fn of(search: &mut InsideSearch) -> InsideView {
        let blamed = search.blamed();
        let node = search.call().0;
        let (pieces, inside) = search.parts();
        let piece = |target: Target| inside.view(target, kind_of(target), Bounds::default());
        let step = match (pieces.step(), blamed) {
            (SessionStep::Ask(question), _) => {
                let asked = piece(question.target);
                InsideStep::Ask(Box::new(PieceAsked {
                    prompt: question_word(&asked),
                    sheet: Sheet::of(&asked, Bounds::default()),
                    lines: lines(&asked),
                    suspects_left: question.suspects_left,
                    questions_left_estimate: question.questions_left_estimate,
                }))
            }
            (SessionStep::Done(_), blamed) => {
                let (title, lines) = blamed
                    .map(|Blamed { title, lines }| (title, lines))
                    .unwrap_or_default();
                InsideStep::Done(PieceFound { title, lines })
            }
        };
        let by_person = pieces.session().log().iter();
        let by_person = by_person.filter(|entry| entry.source == AnswerSource::Person);
        let answers = by_person.filter_map(|entry| {
            Some(PieceAnswer {
                judgement: entry.judgement(),
                word: judgement_word(entry.judgement()),
                line: title(&piece(entry.target()?)),
            })
        });
        InsideView {
            node,
            step,
            answers: answers.collect(),
        }
    }
}

fn lines(asked: &AskedView) -> Vec<u32> {
    match asked {
        AskedView::Call(_) => Vec::new(),
        AskedView::Stretch(view) => view.lines.clone(),
    }
}

fn title(asked: &AskedView) -> String {
    match asked {
        AskedView::Call(view) => view.routine.clone(),
        AskedView::Stretch(view) => view.title.clone(),
    }
}
