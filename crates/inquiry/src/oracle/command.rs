//! A command of the user's that answers: one JSON object a question at its input, one a line at its
//! output.
//!
//! It is started at the first question and stays until the last. A command that answers too late,
//! or ends, is not asked again: a late answer could be taken for the answer to another question.
//! One that answers something else than an answer has not answered this question; the next oracle,
//! or the person, gets it.

mod process;
mod question;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use debug_engine::oracle::Oracle;
use debug_engine::session::{Answer, AnswerSource, Confidence, TrustScope, ValuePath};
use debug_engine::{NodeId, Target};
use serde::Deserialize;

use java_analysis::recording::Recording;
pub use process::CommandEnd;
use process::{CommandError, Process};

/// An external command that judges calls of a run.
pub struct CommandOracle<'talk> {
    run: Arc<dyn Recording>,
    command: SharedCommand<'talk>,
    /// How sure it was of its last answer.
    confidence: Option<Confidence>,
}

/// The command, for one oracle after the other: it runs on while the tree that is asked about grows.
pub type SharedCommand<'talk> = Arc<Mutex<OracleCommand<'talk>>>;

/// The command, and what became of it.
pub struct OracleCommand<'talk> {
    line: String,
    patience: Duration,
    /// Less sure answers are not taken.
    least: Confidence,
    state: State,
    end: CommandEnd,
    /// What sees to its end as long as it is there.
    _ender: Box<dyn Send + 'talk>,
    /// Told what goes wrong.
    complain: Box<dyn FnMut(&str) + Send + 'talk>,
}

enum State {
    NotStarted,
    Running(Process),
    GivenUp,
}

/// What the command says.
#[derive(Debug, Deserialize)]
struct Reply {
    answer: Word,
    /// The path of the value that is wrong.
    #[serde(default)]
    wrong: Option<String>,
    /// How sure it is, from 0 to 1.
    #[serde(default)]
    confidence: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Yes,
    No,
    Unknown,
    Trust,
    Inadmissible,
}

impl<'talk> CommandOracle<'talk> {
    pub fn new(run: Arc<dyn Recording>, command: SharedCommand<'talk>) -> Self {
        CommandOracle {
            run,
            command,
            confidence: None,
        }
    }

    fn ask(&mut self, target: Target) -> Option<Answer> {
        let mut command = self.command.lock().unwrap_or_else(PoisonError::into_inner);
        let (answer, confidence) = command.ask(|| question::question_json(&*self.run, target))?;
        self.confidence = confidence;
        Some(answer)
    }
}

impl<'talk> OracleCommand<'talk> {
    /// `line` is a shell's command line; an answer may take as long as `patience`.
    pub fn new(
        line: String,
        patience: Duration,
        complain: impl FnMut(&str) + Send + 'talk,
    ) -> Self {
        OracleCommand {
            line,
            patience,
            least: Confidence::NONE,
            state: State::NotStarted,
            end: CommandEnd::default(),
            _ender: Box::new(()),
            complain: Box::new(complain),
        }
    }

    /// The same, which `end` ends; `ender` is kept as long as this is.
    #[must_use]
    pub fn ended_by(self, end: CommandEnd, ender: impl Send + 'talk) -> Self {
        OracleCommand {
            end,
            _ender: Box::new(ender),
            ..self
        }
    }

    /// The same, which leaves to others what it is less sure of than this.
    #[must_use]
    pub fn at_least(self, least: Confidence) -> Self {
        OracleCommand { least, ..self }
    }

    #[must_use]
    pub fn shared(self) -> SharedCommand<'talk> {
        Arc::new(Mutex::new(self))
    }

    fn ask(&mut self, question: impl FnOnce() -> String) -> Option<(Answer, Option<Confidence>)> {
        if matches!(self.state, State::NotStarted) {
            match Process::start(&self.line, self.end.clone()) {
                Ok(process) => self.state = State::Running(process),
                Err(error) => self.give_up(&error),
            }
        }
        let State::Running(process) = &mut self.state else {
            return None;
        };
        match process.exchange(question(), self.patience) {
            Ok(line) => self.understand(&line),
            Err(error) => {
                self.give_up(&error);
                None
            }
        }
    }

    fn give_up(&mut self, error: &CommandError) {
        self.state = State::GivenUp;
        (self.complain)(&format!(
            "the oracle command {error}; it is not asked any more"
        ));
    }

    fn understand(&mut self, line: &str) -> Option<(Answer, Option<Confidence>)> {
        match meant(line) {
            Ok(Some((_, confidence))) if confidence.unwrap_or(Confidence::UNSAID) < self.least => {
                let sure = confidence.unwrap_or(Confidence::UNSAID);
                (self.complain)(&format!(
                    "the oracle command is only {sure} sure of an answer, less than counts; it is left to others"
                ));
                None
            }
            Ok(answer) => answer,
            Err(error) => {
                let shown: String = line.chars().take(MOST_SHOWN).collect();
                (self.complain)(&format!(
                    "the oracle command said {shown:?}, which is no answer ({error}); one looks like {EXAMPLE}"
                ));
                None
            }
        }
    }
}

/// What a line says; nothing, if it says that it does not know.
fn meant(line: &str) -> Result<Option<(Answer, Option<Confidence>)>, String> {
    let reply: Reply = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let answer = match (reply.answer, reply.wrong) {
        (Word::Yes, _) => Answer::Yes,
        (Word::No, Some(path)) => Answer::WrongPart(ValuePath(path)),
        (Word::No, None) => Answer::No,
        (Word::Unknown, _) => return Ok(None),
        (Word::Trust, _) => Answer::Trust(TrustScope::Routine),
        (Word::Inadmissible, _) => Answer::Inadmissible,
    };
    let confidence = match reply.confidence {
        None => None,
        Some(share) => {
            Some(Confidence::from_share(share).ok_or("a confidence is a number from 0 to 1")?)
        }
    };
    Ok(Some((answer, confidence)))
}

const MOST_SHOWN: usize = 80;
const EXAMPLE: &str = r#"{"answer":"yes"}"#;

impl Oracle for CommandOracle<'_> {
    fn source(&self) -> AnswerSource {
        AnswerSource::Command
    }

    fn confidence(&self) -> Option<Confidence> {
        self.confidence
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        self.ask(Target::Node(node))
    }

    fn judge_range(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        self.ask(Target::Range { first, last })
    }

    fn judge_piece(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        self.ask(Target::Piece { first, last })
    }
}

#[cfg(test)]
mod tests;
