//! What an oracle can say to a question, and who said it.

use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::judgement::{Judgement, ValuePath};
use crate::tree::{NodeId, RoutineId, Target};

/// An answer to "is this node's behaviour right?".
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The behaviour is the intended one.
    Yes,
    /// It is not.
    No,
    /// Leave it for later.
    DontKnow,
    /// Stop asking about this routine, or about a set of routines.
    Trust(TrustScope),
    /// The call should never have been made like this.
    Inadmissible,
    /// It is not right, and this is the part that shows it.
    WrongPart(ValuePath),
    /// Of these calls, each for itself, at least one is not right.
    OneOf(Vec<NodeId>),
    /// What was said before does not count any more. See
    /// [`Session::revise`](super::Session::revise).
    TakenBack,
}

impl Answer {
    /// The judgement that the answer gives to the node it was asked about.
    pub fn judgement(&self) -> Judgement {
        match self {
            Answer::Yes => Judgement::Correct,
            Answer::No | Answer::WrongPart(_) => Judgement::Wrong,
            Answer::DontKnow => Judgement::Unknown,
            Answer::Trust(_) => Judgement::Trusted,
            Answer::Inadmissible => Judgement::Inadmissible,
            Answer::OneOf(_) | Answer::TakenBack => Judgement::Undefined,
        }
    }
}

/// How far a trust answer reaches. Globs over classes and packages are resolved by the caller, who
/// knows the names; the engine gets the routines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrustScope {
    /// The routine of the node in question.
    Routine,
    /// All of these routines.
    Routines(BTreeSet<RoutineId>),
}

/// Who gave an answer.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum AnswerSource {
    /// A person in a dialogue (or a script that stands in for one).
    Person,
    /// The same call in a reference version of the program.
    Reference,
    /// An answer remembered from an earlier session.
    Memory,
    /// A rule that says which code is trusted.
    Trusted,
    /// A passing test that showed the same behaviour.
    Tests,
    /// An external command.
    Command,
    /// A program that drives the session itself, such as a language model behind a protocol.
    Agent,
    /// The run itself: an exception that left the root, a failed test.
    Run,
}

/// How sure somebody is of an answer, in percent. Who does not say so counts as half sure where answers
/// are compared.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Confidence(u8);

impl Confidence {
    /// Not at all.
    pub const NONE: Confidence = Confidence(0);
    /// What is assumed of those who do not say.
    pub const UNSAID: Confidence = Confidence(50);

    /// A share between 0 and 1; `None` if it is none.
    pub fn from_share(share: f64) -> Option<Self> {
        (0.0..=1.0)
            .contains(&share)
            .then(|| Confidence((share * 100.0).round() as u8))
    }

    /// From 0 to 100.
    pub fn percent(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.0)
    }
}

/// One answer as the session keeps it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LogEntry {
    /// The node it is about, or the first of the siblings; `None` for trust that was given without a
    /// question, and for what is said of a list of calls.
    pub node: Option<NodeId>,
    /// The last of the siblings, if it is about several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<NodeId>,
    /// Whether it is about the piece of their caller's code that made these calls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub piece: bool,
    /// What was said.
    pub answer: Answer,
    /// Who said it.
    pub source: AnswerSource,
    /// How sure of it they said they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// Whether it was said in one breath with the entry before it: of another call of the same list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_one_breath: bool,
}

impl LogEntry {
    /// An answer about a target.
    pub fn about(target: Target, answer: Answer, source: AnswerSource) -> Self {
        LogEntry {
            node: Some(target.first()),
            last: target.node().is_none().then(|| target.last()),
            piece: target.is_piece(),
            answer,
            source,
            confidence: None,
            in_one_breath: false,
        }
    }

    /// An answer that is about no call by itself.
    pub fn unaddressed(answer: Answer, source: AnswerSource) -> Self {
        LogEntry {
            node: None,
            last: None,
            piece: false,
            answer,
            source,
            confidence: None,
            in_one_breath: false,
        }
    }

    /// The same answer of somebody who says how sure they are.
    #[must_use]
    pub fn with_confidence(self, confidence: Option<Confidence>) -> Self {
        LogEntry { confidence, ..self }
    }

    /// What it is about.
    pub fn target(&self) -> Option<Target> {
        let first = self.node?;
        let last = self.last.unwrap_or(first);
        Some(match self.piece {
            true => Target::Piece { first, last },
            false => Target::between(first, last),
        })
    }
}
