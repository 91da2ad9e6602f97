//! Automatic answers, tried in order before a person is asked: whatever knows something of the intended
//! model (Definition 5 of *A Generalized Model*).
//!
//! trusted code → remembered answers → a reference version → passing tests → an external command.
//! An oracle that has nothing to say gives `None` and the next one is tried. One that knows that it
//! cannot know (say, a reference run without a matching call) should also give `None`, unless the
//! person must not be bothered: then `DontKnow`.

use crate::session::{
    Answer, AnswerSource, Confidence, LogEntry, Reason, Session, SessionError, SessionStep,
};
use crate::tree::{NodeId, Target};

/// Something that can judge nodes by itself. Front ends answer on several threads, so it may be sent
/// from one to another.
pub trait Oracle: Send {
    /// Under which name its answers are kept.
    fn source(&self) -> AnswerSource;

    /// Its answer about a node, if it has one.
    fn judge(&mut self, node: NodeId) -> Option<Answer>;

    /// How sure it was of the answer that it gave last, if it says so.
    fn confidence(&self) -> Option<Confidence> {
        None
    }

    /// Its answer about siblings taken together. Few oracles have one.
    fn judge_range(&mut self, _first: NodeId, _last: NodeId) -> Option<Answer> {
        None
    }

    /// Its answer about the piece of a call in which these calls were made.
    fn judge_piece(&mut self, _first: NodeId, _last: NodeId) -> Option<Answer> {
        None
    }
}

/// Oracles in the order in which they are asked.
#[derive(Default)]
pub struct Cascade<'oracle> {
    oracles: Vec<Box<dyn Oracle + 'oracle>>,
}

impl<'oracle> Cascade<'oracle> {
    /// A cascade that answers nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an oracle behind the others.
    pub fn push(&mut self, oracle: impl Oracle + 'oracle) -> &mut Self {
        self.oracles.push(Box::new(oracle));
        self
    }

    /// The first answer that any oracle gives.
    pub fn judge(&mut self, target: impl Into<Target>) -> Option<LogEntry> {
        self.judge_without(target, None)
    }

    /// The same without the oracles of a source.
    pub fn judge_without(
        &mut self,
        target: impl Into<Target>,
        without: Option<AnswerSource>,
    ) -> Option<LogEntry> {
        let target = target.into();
        let oracles = self.oracles.iter_mut();
        let mut heard = oracles.filter(|oracle| Some(oracle.source()) != without);
        heard.find_map(|oracle| {
            let answer = match target {
                Target::Node(node) => oracle.judge(node),
                Target::Range { first, last } => oracle.judge_range(first, last),
                Target::Piece { first, last } => oracle.judge_piece(first, last),
            };
            let entry = LogEntry::about(target, answer?, oracle.source());
            Some(entry.with_confidence(oracle.confidence()))
        })
    }
}

impl<'oracle, One: Oracle + 'oracle> FromIterator<One> for Cascade<'oracle> {
    fn from_iter<Many: IntoIterator<Item = One>>(oracles: Many) -> Self {
        let mut cascade = Cascade::new();
        for oracle in oracles {
            cascade.push(oracle);
        }
        cascade
    }
}

/// Answers from the cascade until it has no answer to the open question, or the session is done and rests neither on
/// what was presumed nor on how something was set up. A question that a person has asked to be asked is left to
/// that person.
pub fn run_automatic(
    session: &mut Session,
    cascade: &mut Cascade<'_>,
) -> Result<SessionStep, SessionError> {
    loop {
        let step = session.poll();
        let SessionStep::Ask(question) = &step else {
            if session.reopen_presumptions() || session.ask_about_set_up()? {
                continue;
            }
            return Ok(step);
        };
        if question.reason == Reason::Requested {
            return Ok(step);
        }
        let targets = question.targets();
        let heard =
            targets.filter_map(|target| cascade.judge_without(target, not_heard(session, target)));
        let heard: Vec<LogEntry> = heard.collect();
        if heard.is_empty() {
            return Ok(step);
        }
        for entry in heard {
            session.judge_as(entry)?;
        }
    }
}

/// Who is not heard about a target: passing tests say again what they said before it was doubted.
pub fn not_heard(session: &Session, target: Target) -> Option<AnswerSource> {
    session
        .is_presumption_doubted(target)
        .then_some(AnswerSource::Tests)
}
