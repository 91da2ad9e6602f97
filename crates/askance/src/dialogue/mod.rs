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
    /// How many of the session's answers the person has heard of.
    pub heard: usize,
}

impl Dialogue<'_> {
    /// Asks until nothing is left to ask, or nobody is there to answer.
    ///
    /// # Errors
    /// If a scripted line makes no sense, or nothing can be read, written or saved.
    pub fn run(&mut self) -> Result<Ending, DialogueError> {
        let mut unanswered = 0;
        loop {
            let step = run_automatic(self.session, &mut self.cascade)?;
            self.tell_automatic()?;
            let question = match step {
                Step::Ask(question) => question,
                Step::Done(diagnosis) => {
                    if unanswered > 0 {
                        let calls = count(unanswered, "call", "calls");
                        writeln!(self.talk, "  unknown: {calls}")?;
                    }
                    return Ok(Ending::Done(diagnosis));
                }
            };
            let passes_over = !self.person.is_there() && unanswered < MOST_PASSED_OVER;
            if let Some(source) = self.unknown_from.filter(|_| passes_over) {
                self.session.answer_from(source, Answer::DontKnow)?;
                self.heard = self.session.log().len();
                unanswered += 1;
                continue;
            }
            self.tell_question(&question, Bounds::default())?;
            match self.turn(&question)? {
                Turn::Changed => (self.save)(self.session).map_err(DialogueError::Save)?,
                Turn::Left => return Ok(Ending::Left),
                Turn::Silence => return Ok(Ending::Unanswered(question)),
            }
            self.heard = self.session.log().len();
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

    /// Tells the answers that were given without asking.
    fn tell_automatic(&mut self) -> io::Result<()> {
        let new = self.session.log().get(self.heard..).unwrap_or_default();
        for entry in new.iter().take(MOST_TOLD) {
            if let Some(line) = told(entry, self.calls) {
                writeln!(self.talk, "{line}")?;
            }
        }
        if new.len() > MOST_TOLD {
            writeln!(self.talk, "  … and {} more", new.len() - MOST_TOLD)?;
        }
        self.heard = self.session.log().len();
        Ok(())
    }
}

/// With more questions than this that nobody can answer, going on is of no use.
const MOST_PASSED_OVER: u64 = 2000;
/// No more automatic answers than this are told at once.
const MOST_TOLD: usize = 40;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use debug_engine::{ExecutionTree, SessionOptions};

    use super::script::Script;
    use super::*;
    use crate::source::questions::Questions;
    use crate::source::sketches::{Sketched, till};

    /// What a dialogue says to these lines, and how it ends.
    fn transcript(lines: &str) -> (String, Ending) {
        let Sketched {
            run,
            folder: _folder,
        } = till();
        let run = Arc::new(run);
        let tree: Arc<dyn ExecutionTree> = Arc::clone(&run) as Arc<dyn ExecutionTree>;
        let options = SessionOptions {
            strategy: "top-down".to_owned(),
            ..SessionOptions::default()
        };
        let mut session = Session::new(tree, options).unwrap();
        let mut talk = Vec::new();
        let ending = Dialogue {
            session: &mut session,
            cascade: Cascade::new(),
            calls: &Questions::new(run),
            person: &mut Script::parse(lines).unwrap(),
            talk: &mut talk,
            save: &mut |_| Ok(()),
            unknown_from: None,
            heard: 0,
        }
        .run()
        .unwrap();
        (String::from_utf8(talk).unwrap().trim().to_owned(), ending)
    }

    #[test]
    fn a_dialogue_from_the_first_question_to_the_bug() {
        let (talk, ending) = transcript("y\nn\ny\ny");
        assert_eq!(ending, Ending::Done(Diagnosis::Found { node: NodeId(2) }));
        insta::assert_snapshot!(talk, @r#"
        6 suspects, about 3 questions left
        #1 new Till (Till.java:7)
          name = "north"
          size = 2
          → Till#7{coins=[0, 0], next=null, name="north"}
          nothing changed
        Is this right?

        5 suspects, about 3 questions left
        #2 Till.add (Till.java:19)
          this = Till#7{coins=[0, 0], next=↑Till#7, name="north"}
          more = [5, 2]
          → true
          changed:
            this.coins: [0, 0] → [5, 2]
            Till.sales: 0 → 1
        Is this right?

        2 suspects, about one question left
        #3 Till.sum (Till.java:13)
          values = [5, 2]
          → 7
          nothing changed
        Is this right?
        "#);
    }

    #[test]
    fn help_source_more_undo_and_going_elsewhere() {
        let (talk, ending) = transcript("?\ns\nm\nu\ny\nu\ng 4\nq");
        assert_eq!(ending, Ending::Left);
        insta::assert_snapshot!(talk, @r#"
        6 suspects, about 3 questions left
        #1 new Till (Till.java:7)
          name = "north"
          size = 2
          → Till#7{coins=[0, 0], next=null, name="north"}
          nothing changed
        Is this right?
          y   yes, this is right
          n   no, this is wrong
          w PATH   no, and this value shows it, e.g. w this.size
          d   don't know: ask about something else
          t   trust this method: never ask about it (t class, t package: all of its class or package)
          i   inadmissible: it should never have been called like this
          u   undo the last answer
          g NODE   ask about this call instead
          m   show more of the values
          s   show the source of the method
          q   leave; the answers are kept
           7 |     Till(String name, int size) {
           8 |         this.name = name;
           9 |         coins = new int[size];
          10 |     }

        6 suspects, about 3 questions left
        #1 new Till (Till.java:7)
          name = "north"
          size = 2
          → Till#7{coins=[0, 0], next=null, name="north"}
          nothing changed
        Is this right?
        There is no answer of yours to take back.

        5 suspects, about 3 questions left
        #2 Till.add (Till.java:19)
          this = Till#7{coins=[0, 0], next=↑Till#7, name="north"}
          more = [5, 2]
          → true
          changed:
            this.coins: [0, 0] → [5, 2]
            Till.sales: 0 → 1
        Is this right?

        6 suspects, about 3 questions left
        #1 new Till (Till.java:7)
          name = "north"
          size = 2
          → Till#7{coins=[0, 0], next=null, name="north"}
          nothing changed
        Is this right?

        6 suspects, about 3 questions left
        #4 Till.pay (Till.java:25)
          this = Till#7{coins=[5, 2], next=↑Till#7, name="north"}
          amount = 100
          → throws java.lang.IllegalStateException("empty")
          nothing changed
        Is this right?
        "#);
    }

    #[test]
    fn trust_in_a_class_ends_the_questions() {
        assert_eq!(transcript("t class").1, Ending::Done(Diagnosis::None));
        assert_eq!(transcript("t package").1, Ending::Done(Diagnosis::None));
    }

    #[test]
    fn when_the_lines_run_out_the_question_stays() {
        let (_, ending) = transcript("y");
        assert!(matches!(ending, Ending::Unanswered(question) if question.node == NodeId(2)));
    }
}
