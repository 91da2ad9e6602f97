//! A question as the page shows it: short, because every answer brings the next one.

use std::sync::Arc;

use debug_engine::Target;
use debug_engine::session::Question;
use debug_engine::view::render::{self, Bounds, Sheet};
use schemars::JsonSchema;
use serde::Serialize;

use crate::questioning::SharedQuestioning;
use crate::run_snapshot::RunSnapshot;
use inquiry::explained::{CallWeight, rounded};
use inquiry::words::standing_of;
use inquiry::words::{WHICH_IS_WRONG, question_word};

#[derive(Debug, Serialize, JsonSchema)]
pub struct AskedQuestion {
    #[serde(flatten)]
    question: Question,
    /// The call that made what is asked about.
    parent: Option<u32>,
    /// The question in words.
    prompt: &'static str,
    /// What is asked about in one line.
    line: Arc<str>,
    /// Where the question is about a list of calls: each of them in one line, in the list's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    list: Vec<ListedCall>,
    /// Why it is asked, if more than the number of suspects decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// What calls weigh to the strategy, if it halves weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Weights>,
    /// The same, laid out as the terminal does it.
    sheet: Sheet,
    /// Where in a recursion it is.
    level: Option<String>,
}

/// What calls weigh, each with everything below it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Weights {
    all: String,
    /// In the order of the tree; of many, those nearest to half.
    calls: Vec<WeighedCall>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct WeighedCall {
    node: u32,
    weight: String,
    line: Arc<str>,
}

impl Weights {
    fn of(run: &RunSnapshot, questioning: &SharedQuestioning) -> Option<Self> {
        let (all, calls) = questioning.weights()?;
        let calls = calls
            .into_iter()
            .map(|CallWeight { node, weight }| WeighedCall {
                node: node.0,
                weight: rounded(weight),
                line: crate::tree::line(run, node),
            });
        Some(Weights {
            all: rounded(all),
            calls: calls.collect(),
        })
    }
}

/// A call of a list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedCall {
    node: u32,
    line: Arc<str>,
}

impl AskedQuestion {
    pub fn of(run: &RunSnapshot, questioning: &SharedQuestioning, question: Question) -> Self {
        let bounds = Bounds::of_question();
        let asked = questioning.asked(question.target, question.kind, bounds);
        let line = || render::asked_in_one_line(&asked, bounds);
        // Calls taken together stand in the list of answers with the same line.
        let line = match question.target {
            Target::Node(_) => line().into(),
            several => run.lines().of(several, line),
        };
        let list = match question.is_list() {
            true => questioning.listed(&question, bounds),
            false => Vec::new(),
        };
        let list = list.into_iter().map(|(node, line)| ListedCall {
            node: node.0,
            line: line.into(),
        });
        AskedQuestion {
            list: list.collect(),
            why: questioning.why_asked(&question),
            weights: Weights::of(run, questioning),
            parent: run.recording().parent(question.node).map(|node| node.0),
            prompt: match question.is_list() {
                true => WHICH_IS_WRONG,
                false => question_word(&asked),
            },
            line,
            sheet: Sheet::of(&asked, bounds),
            level: standing_of(&**questioning.session().tree(), question.target),
            question,
        }
    }
}
