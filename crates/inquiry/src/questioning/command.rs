//! Everything that can be said to a session, whoever says it and wherever: one [`Command`], one meaning.
//!
//! The terminal, scripts, the full screen, the page and agents translate keys, lines and JSON into commands, and
//! show what came of them. What a command does, when it is refused, and the sentences about both are here and
//! nowhere else.

use std::io;

use debug_engine::session::{AnswerSource, Confidence, SessionError};
use debug_engine::{NodeId, Target};

use super::chosen_transformations::TransformError;
use crate::words::sentence;
use java_analysis::output_symptom::OutputPointer;

/// What can be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Answers the open question: inside a call, if one is being looked into. Of a list of calls it is said of all.
    Answer(Verdict),
    /// Says something of the call with this number in the list that the open question is about.
    AnswerOne(usize, Verdict),
    /// Judges this, asked about or not.
    Judge(Target, Verdict),
    /// What was printed there is wrong.
    WrongOutput(OutputPointer),
    /// Takes back the last answer of whoever says so.
    Undo,
    /// Takes back the answer at this place of the log.
    TakeBack(usize),
    /// Takes back all trust in the method of a call, or all trust that was given.
    TakeBackTrust(Option<NodeId>),
    /// Makes this the next question.
    AskAbout(Target),
    /// What was found is not the bug.
    Revise,
    /// Goes on with the strategy of this name.
    Strategy(String),
    /// Switches transformations: a list such as `balance,-loops`.
    Transform(String),
    /// Goes on inside the call that was found, down to its statements or to its loops only.
    LookInside { statements: bool },
    /// Leaves the call as it was found.
    LeaveInside,
}

/// What can be said of a call, or of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Right,
    Wrong,
    /// It is wrong, and the value at this path shows it.
    WrongPart(String),
    Unknown,
    /// It should never have been called like this.
    Inadmissible,
    /// Never ask about these methods.
    Trust(Reach),
}

/// How far trust reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Method,
    Class,
    Package,
}

/// Who says it, and how sure they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speaker {
    pub source: AnswerSource,
    pub confidence: Option<Confidence>,
}

impl Speaker {
    /// A person, or a script that stands in for one.
    pub const PERSON: Speaker = Speaker {
        source: AnswerSource::Person,
        confidence: None,
    };

    /// A program that drives the session.
    pub const AGENT: Speaker = Speaker {
        source: AnswerSource::Agent,
        confidence: None,
    };
}

/// What came of a command that was not refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// A sentence for whoever said it, if there is something to know.
    pub notice: Option<String>,
}

/// Why a command was not carried out: one sentence, without its full stop. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("there is no answer of yours to take back")]
    NothingToUndo,
    #[error("there is no answer {}", .0 + 1)]
    NoSuchAnswer(usize),
    #[error("no trust was given that could be taken back")]
    NoTrust,
    #[error("methods that the compiler made are never asked about")]
    MadeByCompiler,
    #[error("somebody else gave this trust, and only a person can take it back")]
    TrustOfOthers,
    #[error("there is no answer left to doubt")]
    NothingToDoubt,
    #[error("nothing has been found yet")]
    NothingFound,
    #[error("no single call was found")]
    NoSingleCall,
    #[error(
        "call #{0} cannot be taken apart any further: it is one piece, or cannot be re-executed"
    )]
    OnePiece(NodeId),
    #[error("no call is being looked into")]
    NotInside,
    #[error("no call was recorded that could have printed it")]
    NothingRecorded,
    #[error("which value is wrong?")]
    NoPath,
    /// The sentence of whoever knows the values.
    #[error("{0}")]
    NoSuchValue(String),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Transform(#[from] TransformError),
    /// It was carried out, but is not kept.
    #[error("the answers cannot be saved: {0}")]
    Unsaved(io::Error),
}

impl Refusal {
    /// The sentence as a person reads it in a terminal. What others say begins as they say it: with a path, a name.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Refusal::Session(_) | Refusal::Transform(_) | Refusal::NoSuchValue(_) => {
                format!("{self}.")
            }
            own => sentence(&own.to_string()),
        }
    }

    /// Whether a script cannot go on: what follows was written for another question. What only has no effect is
    /// told and passed over.
    #[must_use]
    pub fn ends_a_script(&self) -> bool {
        use Refusal::{
            NoSingleCall, NoSuchAnswer, NoSuchValue, NoTrust, NothingFound, NothingToDoubt,
            NothingToUndo, OnePiece,
        };
        let passed_over = matches!(
            self,
            NothingToUndo
                | NoSuchAnswer(_)
                | NoTrust
                | NothingToDoubt
                | NothingFound
                | NoSingleCall
                | OnePiece(_)
                | Refusal::Transform(_)
        );
        matches!(self, NoSuchValue(_)) || !passed_over
    }
}
