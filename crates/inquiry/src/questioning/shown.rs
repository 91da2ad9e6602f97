//! A question as a person reads it: what a terminal shows, and what is counted when somebody measures how much there
//! is to read.

use std::fmt::Write as _;

use debug_engine::session::{Answer, AnswerSource, LogEntry, Question, Reason};
use debug_engine::transform::kind_of;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{NodeId, Session, Target};

use super::reply::Topic;
use super::{BELIEF, Questioning};
use crate::suspects::suspects;
use crate::words::{self, count, judgement_word, said_by, standing_of};
use java_analysis::calls::Calls;
use java_analysis::output_symptom::ShownLine;
use trace_format::StandardStream;

/// What is mostly answered to a call, and to a list of them; in words, and for whoever has answered before.
const ANSWERS: [&str; 2] = ["[y]es [n]o [d]on't know [?] > ", "[y/n/d/i/?] > "];
const ANSWERS_TO_LIST: [&str; 2] = [
    "[y] all right [n N] N is wrong [d]on't know [?] > ",
    "[y/n N/d/?] > ",
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

    /// The question in lines: the call or the calls, and what is to be answered. How it was chosen and how far the
    /// search has come does not help to answer it, so that is for whoever wants to see more.
    #[must_use]
    pub fn text_of(&self, question: &Question, calls: &dyn Calls, bounds: Bounds) -> String {
        if question.is_list() {
            let lines = (1..).zip(list_of(question, calls, bounds));
            let mut text: String = lines
                .map(|(number, line)| format!("{number}  {line}\n"))
                .collect();
            if self.explains {
                text = text + &self.explanation(question, calls, bounds) + "\n";
            }
            return text + words::WHICH_IS_WRONG + &left(question, bounds);
        }
        let asked = calls.view(question.target, question.kind, bounds);
        let brief = render::asked_briefly(&asked, bounds);
        let mut text = brief.unwrap_or_else(|| render::asked(&asked, bounds));
        text.push('\n');
        for note in self.notes_about(question, bounds) {
            text = text + "  " + &note + "\n";
        }
        if self.explains {
            text = text + &self.explanation(question, calls, bounds) + "\n";
        }
        text + words::question_word(&asked) + &left(question, bounds)
    }

    /// What else is to be known of the call.
    fn notes_about(&self, question: &Question, bounds: Bounds) -> Vec<String> {
        let session = self.session();
        let mut notes: Vec<String> = standing_of(&**session.tree(), question.target)
            .into_iter()
            .collect();
        if let Some(before) = session.said_before(question.target) {
            match before.source {
                // It is asked about in spite of it.
                AnswerSource::Tests if !bounds.is_wider() => {}
                AnswerSource::Tests => notes.push(format!("({})", said_by(before))),
                _ => {
                    let word = judgement_word(before.judgement());
                    notes.push(format!("called {word} before ({})", said_by(before)));
                }
            }
        }
        let is_told = bounds.is_wider() || !self.is_believing() || question.reason == Reason::SetUp;
        let why = self.why_asked(question).filter(|_| is_told);
        notes.extend(why.map(|why| format!("({why})")));
        notes
    }

    fn is_believing(&self) -> bool {
        self.session().strategy_name() == BELIEF
    }
}

/// ` (7 suspects)`: how many are left, and what else there is to know of them.
fn left(question: &Question, bounds: Bounds) -> String {
    let mut left = count(question.suspects_left, "suspect", "suspects");
    if bounds.is_wider() {
        let questions = u64::from(question.questions_left_estimate.max(1));
        let _ = write!(left, ", ~{}", count(questions, "question", "questions"));
    }
    if question.reason == Reason::Confirmation {
        left.push_str("; everything below is ruled out");
    }
    format!(" ({left})")
}

/// So many suspects are listed.
const MOST_SUSPECTS: usize = 8;
/// So many of the last lines that were printed are shown.
const MOST_PRINTED: usize = 200;

/// What is known beside the question, in lines; values are those of a call.
#[must_use]
pub fn told(
    topic: &Topic,
    session: &Session,
    calls: &dyn Calls,
    node: NodeId,
    bounds: Bounds,
) -> String {
    match topic {
        Topic::Suspects => {
            let lines = suspect_lines(session, calls, bounds);
            if lines.is_empty() {
                return "Nothing is known that would make one call likelier to be wrong than another."
                    .to_owned();
            }
            let lines: Vec<String> = lines.into_iter().map(|line| line.text()).collect();
            lines.join("\n")
        }
        Topic::Output => {
            let (lines, is_more) = calls.last_printed(MOST_PRINTED);
            if lines.is_empty() {
                return "The program printed nothing, or that was not recorded.".to_owned();
            }
            let mut text = printed_lines(&lines).join("\n");
            if is_more {
                text.insert_str(0, "…\n");
            }
            text
        }
        Topic::History(path) => calls.history(node, path).unwrap_or_else(|why| why),
        Topic::Origin(path) => calls.origin(node, path).unwrap_or_else(|why| why),
    }
}

/// A suspect as it stands in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct SuspectLine {
    pub node: NodeId,
    /// From 0 to 1, over all suspects.
    pub likelihood: f64,
    /// The likeliest call of the method.
    pub call: String,
    /// What speaks against it, a sentence without its end.
    pub reason: Option<String>,
}

impl SuspectLine {
    #[must_use]
    pub fn text(&self) -> String {
        let SuspectLine { node, call, .. } = self;
        let reason = self.reason.as_ref();
        let reason = reason.map_or(String::new(), |reason| format!("\n       {reason}"));
        format!("{:3.0} %  #{node} {call}{reason}", 100.0 * self.likelihood)
    }
}

/// The likeliest methods, each by its likeliest call.
#[must_use]
pub fn suspect_lines(session: &Session, calls: &dyn Calls, bounds: Bounds) -> Vec<SuspectLine> {
    let listed = suspects(session, MOST_SUSPECTS).into_iter();
    let lines = listed.map(|suspect| {
        let target = Target::Node(suspect.call);
        let asked = calls.view(target, kind_of(target), bounds);
        SuspectLine {
            node: suspect.call,
            likelihood: suspect.likelihood,
            call: render::asked_in_one_line(&asked, bounds),
            reason: suspect.reasons.into_iter().next(),
        }
    });
    lines.collect()
}

/// What was printed, each line with the number by which it is pointed at.
#[must_use]
pub fn printed_lines(lines: &[ShownLine]) -> Vec<String> {
    let names = lines.iter().map(|line| match line.stream {
        StandardStream::Output => line.number.to_string(),
        StandardStream::Error => format!("error:{}", line.number),
    });
    let names: Vec<String> = names.collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    let texts = lines.iter().map(|line| line.text.chars().map(visible));
    let named = names.iter().zip(texts);
    named
        .map(|(name, text)| format!("{name:>width$}  {}", text.collect::<String>()))
        .collect()
}

/// What a terminal would obey instead of showing it.
fn visible(sign: char) -> char {
    match sign {
        '\t' => ' ',
        sign if sign.is_control() => '\u{fffd}',
        sign => sign,
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
