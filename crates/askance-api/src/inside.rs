//! The search for a statement, as the browser drives it: it goes on in the call that was found, until
//! something else is said about a call.

use debug_engine::session::{Answer, Diagnosis, Source, Step};
use debug_engine::transform::kind_of;
use debug_engine::view::AskedView;
use debug_engine::view::render::{Bounds, Sheet};
use debug_engine::{Judgement, NodeId, Session, Target};
use serde::{Deserialize, Serialize};

use crate::failure::ApiError;
use inquiry::inside::session_inside;
use inquiry::words::judgement_word;
use inquiry::words::question_word;
use java_model::calls::{Blamed, Calls, Inside};

/// See the module's header.
pub struct InsideSearch {
    call: NodeId,
    inside: Box<dyn Inside>,
    session: Session,
}

/// What can be said about a piece of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// Look into the call that was found.
    Begin,
    Yes,
    No,
    Unknown,
    Undo,
    /// Leave the call as it was found.
    Leave,
}

/// Where the search in a call stands.
#[derive(Debug, Serialize)]
pub struct InsideView {
    node: u32,
    step: StepView,
    answers: Vec<AnswerView>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum StepView {
    Ask(Box<Asked>),
    Done(Found),
}

#[derive(Debug, Serialize)]
struct Asked {
    prompt: &'static str,
    sheet: Sheet,
    lines: Vec<u32>,
    /// Pieces that can still hold the bug.
    suspects_left: u64,
    questions_left_estimate: u32,
}

#[derive(Debug, Serialize)]
struct Found {
    title: String,
    lines: Vec<u32>,
}

#[derive(Debug, Serialize)]
struct AnswerView {
    judgement: Judgement,
    word: &'static str,
    line: String,
}

impl InsideSearch {
    /// Looks into a call that is known to be wrong.
    pub fn begin(
        among_calls: &Session,
        calls: &dyn Calls,
        call: NodeId,
    ) -> Result<InsideSearch, ApiError> {
        let inside = calls.inside(call, true).ok_or_else(|| {
            ApiError::mistake(format!(
                "call #{call} cannot be taken apart any further: it is one piece, or cannot be re-executed"
            ))
        })?;
        Ok(InsideSearch {
            call,
            session: session_inside(among_calls, call, &*inside)?,
            inside,
        })
    }

    /// Judges the piece in question, or takes the last answer back.
    pub fn answer(&mut self, said: Said) -> Result<(), ApiError> {
        let answer = match said {
            Said::Yes => Answer::Yes,
            Said::No => Answer::No,
            Said::Unknown => Answer::DontKnow,
            Said::Undo if self.session.undo_to_person().is_empty() => {
                return Err(ApiError::mistake(
                    "there is no answer of yours to take back",
                ));
            }
            Said::Undo | Said::Begin | Said::Leave => return Ok(()),
        };
        Ok(self.session.answer(answer)?)
    }

    /// What is to blame inside the call, if that is known by now.
    pub fn blamed(&mut self) -> Option<Blamed> {
        match self.session.poll() {
            Step::Ask(_) => None,
            Step::Done(diagnosis) => Some(self.found(&diagnosis)),
        }
    }

    fn found(&self, diagnosis: &Diagnosis) -> Blamed {
        let pieces = diagnosis.nodes();
        if let [piece] = pieces {
            return self.inside.blamed(*piece);
        }
        let blamed = pieces.iter().map(|&piece| self.inside.blamed(piece));
        let mut lines: Vec<u32> = blamed.flat_map(|blamed| blamed.lines).collect();
        lines.sort_unstable();
        lines.dedup();
        Blamed {
            title: format!("one of {} pieces", pieces.len()),
            lines,
        }
    }

    pub fn view(&mut self) -> InsideView {
        let step = match self.session.poll() {
            Step::Ask(question) => {
                let asked = self.piece(question.target);
                StepView::Ask(Box::new(Asked {
                    prompt: question_word(&asked),
                    sheet: Sheet::of(&asked, Bounds::default()),
                    lines: lines(&asked),
                    suspects_left: question.suspects_left,
                    questions_left_estimate: question.questions_left_estimate,
                }))
            }
            Step::Done(diagnosis) => {
                let Blamed { title, lines } = self.found(&diagnosis);
                StepView::Done(Found { title, lines })
            }
        };
        let by_person = self.session.log().iter();
        let by_person = by_person.filter(|entry| entry.source == Source::Person);
        let answers = by_person.filter_map(|entry| {
            Some(AnswerView {
                judgement: entry.judgement(),
                word: judgement_word(entry.judgement()),
                line: title(&self.piece(entry.target()?)),
            })
        });
        InsideView {
            node: self.call.0,
            step,
            answers: answers.collect(),
        }
    }

    fn piece(&self, target: Target) -> AskedView {
        self.inside.view(target, kind_of(target), Bounds::default())
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
