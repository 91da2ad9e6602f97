//! Asking a person, or a script that stands in for one.
//!
//! The engine's session decides what is asked; this module shows the question, takes a line,
//! and feeds the answer. Whoever answers is a [`Person`]: a terminal, a list of scripted lines, or
//! nobody. Answers are kept after each one, so that an interruption at any moment loses nothing.

pub mod script;
mod symptom;
pub mod terminal;
mod turn;
mod zoom;

#[cfg(test)]
mod tests;

use std::io::{self, Write};

use debug_engine::oracle::Cascade;
use debug_engine::session::{Answer, AnswerSource, Diagnosis, LogEntry, Question};
use debug_engine::session::{SessionError, SessionStep};
use debug_engine::transform::kind_of;
use debug_engine::view::render::{self, Bounds};

use inquiry::Questioning;
pub use inquiry::reply;
use inquiry::words::{self, count, judgement_word};
pub use java_analysis::calls::{Blamed, Calls, Inside};
use turn::Turn;
pub(crate) use turn::wider;

/// Who answers.
pub trait Person {
    /// The next line, without its end; `None` if there will be none.
    ///
    /// # Errors
    /// If it cannot be read.
    fn line(&mut self, prompt: &str) -> io::Result<Option<String>>;

    /// Whether anybody is there to be asked at all.
    fn is_there(&self) -> bool {
        true
    }

    /// Whether it can be asked again after a mistake; a script cannot.
    fn can_correct_itself(&self) -> bool {
        false
    }
}

/// Never answers.
pub struct Nobody;

impl Person for Nobody {
    fn line(&mut self, _prompt: &str) -> io::Result<Option<String>> {
        Ok(None)
    }

    fn is_there(&self) -> bool {
        false
    }
}

/// How a dialogue ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// Nothing is left to ask.
    Done(Diagnosis),
    /// There is a question, and nobody to answer it.
    Unanswered(Question),
    /// The person went away.
    Left,
    /// The caller has more to search.
    Grown,
}

/// Why a dialogue broke off.
#[derive(Debug, thiserror::Error)]
pub enum DialogueError {
    #[error("{0}")]
    Session(#[from] SessionError),
    /// A line of a script that cannot be done.
    #[error("{0}")]
    Refused(String),
    #[error("the dialogue cannot go on: {0}")]
    Io(#[from] io::Error),
    #[error("the answers cannot be saved: {0}")]
    Save(io::Error),
}

/// A session, with everything around it.
pub struct Dialogue<'run> {
    pub questioning: &'run mut Questioning,
    pub cascade: Cascade<'run>,
    pub calls: &'run dyn Calls,
    pub person: &'run mut dyn Person,
    /// Where the talk goes.
    pub talk: &'run mut dyn Write,
    /// If there is nobody to ask, take it as "don't know" on behalf of this source and go on.
    pub unknown_from: Option<AnswerSource>,
    /// How many of the session's answers the person has heard of.
    pub heard: usize,
    /// The piece of the buggy call that is to blame, if the search went on inside it.
    pub blamed: Option<Blamed>,
    /// Asked before each step: whether to come back to the caller, who has more to search.
    pub come_back: &'run dyn Fn(&SessionStep) -> bool,
}

impl Dialogue<'_> {
    /// Asks until nothing is left to ask, or nobody is there to answer.
    ///
    /// # Errors
    /// If a scripted line makes no sense, or nothing can be read, written or saved.
    pub fn run(&mut self) -> Result<Ending, DialogueError> {
        let mut unanswered = 0;
        loop {
            let step = self.questioning.hear(&mut self.cascade, self.calls)?;
            self.tell_automatic()?;
            if (self.come_back)(&step) {
                return Ok(Ending::Grown);
            }
            let turn = match &step {
                SessionStep::Ask(question) => {
                    let passes_over = !self.person.is_there() && unanswered < MOST_PASSED_OVER;
                    if let Some(source) = self.unknown_from.filter(|_| passes_over) {
                        self.questioning.pass_over(source)?;
                        self.heard = self.questioning.session().log().len();
                        unanswered += 1;
                        continue;
                    }
                    self.tell_question(question, self.questioning.bounds())?;
                    self.answer(question)?
                }
                SessionStep::Done(diagnosis) => {
                    if unanswered > 0 {
                        let calls = count(unanswered, "call", "calls");
                        writeln!(self.talk, "  unknown: {calls}")?;
                    }
                    self.after(diagnosis)?
                }
            };
            match (turn, step) {
                (Turn::Changed, _) => self.blamed = None,
                (Turn::Left, SessionStep::Ask(_)) => return Ok(Ending::Left),
                (Turn::Silence, SessionStep::Ask(question)) => {
                    return Ok(Ending::Unanswered(question));
                }
                (_, SessionStep::Done(diagnosis)) => return Ok(Ending::Done(diagnosis)),
            }
            self.heard = self.questioning.session().log().len();
        }
    }

    fn tell_question(&mut self, question: &Question, bounds: Bounds) -> io::Result<()> {
        let text = self.questioning.text_of(question, self.calls, bounds);
        writeln!(self.talk, "\n{text}")
    }

    /// Tells the answers that were given without asking.
    fn tell_automatic(&mut self) -> io::Result<()> {
        let log = self.questioning.session().log();
        let new = log.get(self.heard..).unwrap_or_default();
        let (presumed, other): (Vec<&LogEntry>, Vec<&LogEntry>) = new
            .iter()
            .partition(|entry| entry.source == AnswerSource::Tests);
        let are_told = presumed.len() <= FEW_PRESUMED;
        let new: Vec<&LogEntry> = match are_told {
            true => new.iter().collect(),
            false => other,
        };
        if !are_told {
            tell_presumed(&mut *self.talk, &presumed)?;
        }
        let (mut lines, mut values) = (0, 0);
        let mut only_counts = self.questioning.only_counts;
        for entry in new.iter().take(MOST_TOLD) {
            if only_counts {
                break;
            }
            lines += 1;
            if let Some(told) = given_answer(entry, self.calls) {
                writeln!(self.talk, "  {}", told.line)?;
                values += told.values;
                only_counts = values > MOST_VALUES_TOLD;
            }
        }
        match new.len() - lines {
            0 => {}
            more if lines > 0 => writeln!(self.talk, "  … and {more} more")?,
            all => {
                let answers = count(all as u64, "answer", "answers");
                writeln!(self.talk, "  {answers} without asking")?;
            }
        }
        self.heard = self.questioning.session().log().len();
        self.questioning.only_counts = only_counts;
        Ok(())
    }
}

/// With more questions than this that nobody can answer, going on is of no use.
const MOST_PASSED_OVER: u64 = 2000;
/// More presumptions than this are counted: whoever wants to see them lists the answers.
const FEW_PRESUMED: usize = 3;

/// How many calls passing tests let presume right, and how many of those are asked about after all.
fn tell_presumed(talk: &mut dyn Write, presumed: &[&LogEntry]) -> io::Result<()> {
    let is_back = |entry: &&&LogEntry| entry.answer == Answer::TakenBack;
    let back = presumed.iter().filter(is_back).count();
    let calls = |number: usize| count(number as u64, "call", "calls");
    if presumed.len() > back {
        let calls = calls(presumed.len() - back);
        writeln!(talk, "  right (presumed: seen in passing tests): {calls}")?;
    }
    if back > 0 {
        let calls = calls(back);
        writeln!(
            talk,
            "  asked after all, as the diagnosis rests on it: {calls}"
        )?;
    }
    Ok(())
}

/// No more automatic answers than this are told at once.
const MOST_TOLD: usize = 40;
/// Nor are any told after so many values were looked at for it: somebody waits for the next question.
const MOST_VALUES_TOLD: usize = 5000;

/// An answer that was given without asking.
struct GivenAnswer {
    line: String,
    /// How many values it is about.
    values: usize,
}

/// An answer in one line, with where it came from.
fn given_answer(entry: &LogEntry, calls: &dyn Calls) -> Option<GivenAnswer> {
    let target = entry.target()?;
    let asked = calls.view(target, kind_of(target), Bounds::default());
    let line = render::asked_in_one_line(&asked, Bounds::default());
    let source = words::said_with(entry, calls.witness(target.first()));
    let line = match entry.answer {
        Answer::TakenBack => format!("asked after all, as the diagnosis rests on it: {line}"),
        _ => format!("{} ({source}): {line}", judgement_word(entry.judgement())),
    };
    let values = asked.values();
    Some(GivenAnswer { line, values })
}
