//! Asking a person, or a script that stands in for one.
//!
//! The engine's session decides what is asked; this module shows the question, takes a line,
//! and feeds the answer. Whoever answers is a [`Person`]: a terminal, a list of scripted lines, or
//! nobody. Answers are handed to the `save` hook after each one, so that an interruption at any
//! moment loses nothing.

pub mod memory;
pub mod reply;
pub mod script;
pub mod terminal;

use std::collections::BTreeSet;
use std::io::{self, Write};

use debug_engine::oracle::{Cascade, run_automatic};
use debug_engine::session::{Answer, Diagnosis, LogEntry, Question, Source, TrustScope};
use debug_engine::session::{Reason, SessionError, Step};
use debug_engine::view::NodeView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{Judgement, NodeId, RoutineId, Session};

use reply::{Reply, Scope};

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

/// What a dialogue must be able to say about the recorded calls.
pub trait Calls {
    /// The call with its state before and after.
    fn view(&self, node: NodeId, bounds: Bounds) -> NodeView;

    /// Every routine of the same class, or of the same package.
    fn routines_beside(&self, node: NodeId, scope: Scope) -> BTreeSet<RoutineId>;

    /// The source of the call's method, with line numbers, if it is found.
    fn source(&self, node: NodeId) -> Option<String>;
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
}

/// Why a dialogue broke off.
#[derive(Debug, thiserror::Error)]
pub enum DialogueError {
    #[error("{0}")]
    Session(#[from] SessionError),
    #[error("the dialogue cannot go on: {0}")]
    Io(#[from] io::Error),
    #[error("the answers cannot be saved: {0}")]
    Save(io::Error),
}

/// A session, with everything around it.
pub struct Dialogue<'run> {
    pub session: &'run mut Session,
    pub cascade: Cascade<'run>,
    pub calls: &'run dyn Calls,
    pub person: &'run mut dyn Person,
    /// Where the talk goes.
    pub talk: &'run mut dyn Write,
    /// Called after each change.
    pub save: &'run mut dyn FnMut(&Session) -> io::Result<()>,
    /// If there is nobody to ask, take it as "don't know" on behalf of this source and go on.
    pub unknown_from: Option<Source>,
}

impl Dialogue<'_> {
    /// Asks until nothing is left to ask, or nobody is there to answer.
    ///
    /// # Errors
    /// If a scripted line makes no sense, or nothing can be read, written or saved.
    pub fn run(&mut self) -> Result<Ending, DialogueError> {
        let mut heard = self.session.log().len();
        loop {
            let step = run_automatic(self.session, &mut self.cascade)?;
            self.tell_automatic(heard)?;
            let question = match step {
                Step::Done(diagnosis) => return Ok(Ending::Done(diagnosis)),
                Step::Ask(question) => question,
            };
            if let Some(source) = self.unknown_from.filter(|_| !self.person.is_there()) {
                heard = self.session.log().len();
                self.session.answer_from(source, Answer::DontKnow)?;
                continue;
            }
            self.tell_question(&question, Bounds::default())?;
            match self.turn(&question)? {
                Turn::Changed => (self.save)(self.session).map_err(DialogueError::Save)?,
                Turn::Left => return Ok(Ending::Left),
                Turn::Silence => return Ok(Ending::Unanswered(question)),
            }
            heard = self.session.log().len();
        }
    }

    /// Takes lines until one of them changes the session.
    fn turn(&mut self, question: &Question) -> Result<Turn, DialogueError> {
        let mut bounds = Bounds::default();
        loop {
            let Some(line) = self.person.line(PROMPT)? else {
                return Ok(Turn::Silence);
            };
            let Some(reply) = reply::parse(&line) else {
                writeln!(self.talk, "That is no answer; ? lists what can be said.")?;
                continue;
            };
            match reply {
                Reply::Nothing => {}
                Reply::Leave => return Ok(Turn::Left),
                Reply::Help => writeln!(self.talk, "{}", reply::HELP)?,
                Reply::More => {
                    bounds = wider(bounds);
                    self.tell_question(question, bounds)?;
                }
                Reply::Source => match self.calls.source(question.node) {
                    Some(source) => writeln!(self.talk, "{source}")?,
                    None => writeln!(
                        self.talk,
                        "The source was not found; name its folder with --source-path."
                    )?,
                },
                Reply::Undo => {
                    if self.session.undo_to_person().is_empty() {
                        writeln!(self.talk, "There is no answer of yours to take back.")?;
                    } else {
                        return Ok(Turn::Changed);
                    }
                }
                Reply::Go(node) => match self.session.ask_about(node) {
                    Ok(()) => return Ok(Turn::Changed),
                    Err(error) if self.person.can_correct_itself() => {
                        writeln!(self.talk, "{error}.")?
                    }
                    Err(error) => return Err(error.into()),
                },
                Reply::Answer(answer) => {
                    self.session.answer(answer)?;
                    return Ok(Turn::Changed);
                }
                Reply::Trust(scope) => {
                    let routines = self.calls.routines_beside(question.node, scope);
                    self.session
                        .answer(Answer::Trust(TrustScope::Routines(routines)))?;
                    return Ok(Turn::Changed);
                }
            }
        }
    }

    fn tell_question(&mut self, question: &Question, bounds: Bounds) -> io::Result<()> {
        let view = self.calls.view(question.node, bounds);
        let left = question.suspects_left;
        writeln!(
            self.talk,
            "\n{}, {} left{}",
            count(left, "suspect", "suspects"),
            about(question.questions_left_estimate),
            if question.reason == Reason::Confirmation {
                "; everything below is ruled out"
            } else {
                ""
            },
        )?;
        writeln!(self.talk, "{}", render::multi_line(&view, bounds))?;
        writeln!(self.talk, "{}", ask_words(&view))
    }

    /// Tells the answers that were given without asking, from this one on.
    fn tell_automatic(&mut self, from: usize) -> io::Result<()> {
        for entry in self.session.log().get(from..).unwrap_or_default() {
            if let Some(line) = told(entry, self.calls) {
                writeln!(self.talk, "{line}")?;
            }
        }
        Ok(())
    }
}

const PROMPT: &str = "[y]es [n]o [d]on't know [t]rust [i]nadmissible [u]ndo [?] > ";

enum Turn {
    Changed,
    Left,
    Silence,
}

/// An automatic answer in one line, with where it came from.
fn told(entry: &LogEntry, calls: &dyn Calls) -> Option<String> {
    let node = entry.node?;
    let view = calls.view(node, Bounds::default());
    Some(format!(
        "  {} ({}): {}",
        judgement_word(entry.judgement()),
        source_word(entry.source),
        render::one_line(&view, Bounds::default())
    ))
}

/// How a judgement is said.
#[must_use]
pub fn judgement_word(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Undefined => "not judged",
        Judgement::Correct => "right",
        Judgement::Wrong => "wrong",
        Judgement::Trusted => "trusted",
        Judgement::Inadmissible => "inadmissible",
        Judgement::Unknown => "unknown",
    }
}

/// How a source is said.
#[must_use]
pub fn source_word(source: Source) -> &'static str {
    match source {
        Source::Person => "you",
        Source::Reference => "reference",
        Source::Memory => "remembered",
        Source::Trusted => "trusted code",
        Source::Tests => "passing tests",
        Source::Command => "oracle command",
        Source::Run => "the run itself",
    }
}

fn ask_words(view: &NodeView) -> &'static str {
    use debug_engine::view::Outcome;
    match view.outcome {
        Outcome::Open => "Should this call still have been running?",
        _ => "Is this right?",
    }
}

/// `1 suspect`, `7 suspects`.
#[must_use]
pub fn count(number: u64, one: &str, many: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{number} {many}")
    }
}

fn about(questions: u32) -> String {
    match questions {
        0 | 1 => "about one question".to_owned(),
        more => format!("about {more} questions"),
    }
}

fn wider(bounds: Bounds) -> Bounds {
    Bounds {
        width: bounds.width.saturating_mul(4),
        depth: bounds.depth.saturating_add(2),
        string: bounds.string.saturating_mul(4),
        changes: bounds.changes.saturating_mul(4),
    }
}
