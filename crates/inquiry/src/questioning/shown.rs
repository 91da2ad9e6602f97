//! A question as a person reads it: what a terminal shows, and what is counted when somebody measures how much there
//! is to read.

use std::fmt::Write as _;

use debug_engine::session::{Answer, AnswerSource, LogEntry, Question, Reason};
use debug_engine::transform::kind_of;
use debug_engine::view::render::{self, Bounds};

use super::Questioning;
use crate::words::{self, count, judgement_word, said_by, standing_of};
use java_analysis::calls::Calls;

/// What can be answered to a call, and what to a list of them; in full, and for whoever has answered before.
const ANSWERS: [&str; 2] = [
    "[y]es [n]o [d]on't know [t]rust [i]nadmissible [u]ndo [?] > ",
    "[y/n/d/t/i/u/?] > ",
];
const ANSWERS_TO_LIST: [&str; 2] = [
    "[y] all right [n NUMBER] wrong one [d]on't know [t]rust [u]ndo [?] > ",
    "[y/n NUMBER/d/t/u/?] > ",
];

impl Questioning {
    /// What stands before the answer: what can be said, in full until something was.
    #[must_use]
    pub fn prompt(&self, question: &Question) -> &'static str {
        let answers = self.session().log();
        let has_answered = |entry: &LogEntry| entry.source == AnswerSource::Person;
        let form = usize::from(answers.iter().any(has_answered));
        match question.is_list() {
            true => ANSWERS_TO_LIST[form],
            false => ANSWERS[form],
        }
    }

    /// How much of values and calls is shown.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let usual = Bounds::of_question();
        if !self.chosen_transformations().simplify {
            return usual;
        }
        Bounds {
            width: usual.width / 2,
            depth: 1,
            string: usual.string / 2,
            length: usual.length / 2,
            changes: usual.changes / 2,
            ..usual
        }
    }

    /// The question in lines, from how many suspects are left to what is to be answered.
    #[must_use]
    pub fn text_of(&self, question: &Question, calls: &dyn Calls, bounds: Bounds) -> String {
        let questions_left = u64::from(question.questions_left_estimate.max(1));
        let left = format!(
            "{}, ~{}{}",
            count(question.suspects_left, "suspect", "suspects"),
            count(questions_left, "question", "questions"),
            if question.reason == Reason::Confirmation {
                "; everything below is ruled out"
            } else {
                ""
            },
        );
        if question.is_list() {
            let mut text = left;
            for (number, line) in (1..).zip(list_of(question, calls, bounds)) {
                let _ = write!(text, "\n{number:3}  {line}");
            }
            if self.explains {
                text = text + "\n" + &self.explanation(question, calls, bounds);
            }
            return text + "\n" + words::WHICH_IS_WRONG;
        }
        let asked = calls.view(question.target, question.kind, bounds);
        let brief = render::asked_briefly(&asked, bounds);
        let shown = brief.unwrap_or_else(|| render::asked(&asked, bounds));
        let mut text = format!("{left}\n{shown}\n");
        let session = self.session();
        // Writing into a string does not fail.
        if let Some(standing) = standing_of(&**session.tree(), question.target) {
            let _ = writeln!(text, "  {standing}");
        }
        if let Some(before) = session.said_before(question.target) {
            let _ = match before.source {
                AnswerSource::Tests => writeln!(text, "  ({})", said_by(before)),
                _ => {
                    let word = judgement_word(before.judgement());
                    writeln!(text, "  called {word} before ({})", said_by(before))
                }
            };
        }
        if let Some(reason) = self.why_asked(question) {
            let _ = writeln!(text, "  ({reason})");
        }
        if self.explains {
            let _ = writeln!(text, "{}", self.explanation(question, calls, bounds));
        }
        text + words::question_word(&asked)
    }
}

/// The calls of a list to be looked over, each in one line.
pub fn list_of(question: &Question, calls: &dyn Calls, bounds: Bounds) -> Vec<String> {
    let asked = question
        .targets()
        .map(|target| calls.view(target, kind_of(target), bounds));
    render::asked_in_list(&asked.collect::<Vec<_>>(), bounds)
}

/// The answers so far in one line each, numbered as they are taken back. What does not count any more says so.
#[must_use]
pub fn answer_lines(questioning: &Questioning, calls: &dyn Calls, bounds: Bounds) -> Vec<String> {
    let session = questioning.session();
    let entries = session.log().iter().enumerate();
    let lines = entries.map(|(place, entry)| {
        let about = match entry.target() {
            Some(target) => {
                let asked = calls.view(target, kind_of(target), bounds);
                render::asked_in_one_line(&asked, bounds)
            }
            None => match &entry.answer {
                Answer::OneOf(calls) => words::one_of(calls.len()),
                _ => {
                    let methods = entry.trusted_routines(&**session.tree()).len() as u64;
                    count(methods, "method", "methods")
                }
            },
        };
        let word = match entry.answer {
            Answer::TakenBack => "taken back",
            _ => judgement_word(entry.judgement()),
        };
        let (number, source) = (place + 1, said_by(entry));
        let is_over = entry.answer != Answer::TakenBack && !session.is_in_force(place);
        let over = if is_over { ", no longer" } else { "" };
        format!("{number:2}  {word} ({source}{over}): {about}")
    });
    lines.collect()
}
