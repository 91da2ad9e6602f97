//! Why a call could not be replayed to its end.

use std::fmt;

use classfile::ParseError;
use thiserror::Error;
use trace_store::StoreError;

#[derive(Debug, Error)]
pub enum ReplayError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0} was recorded without the values that it consumed")]
    NotInFull(String),
    #[error("the beginning of this call was given up to keep the trace's size")]
    BeginningGivenUp,
    #[error("what this call read was given up to keep the trace's size")]
    ValuesGivenUp,
    #[error("the class file of {method} is not in the trace")]
    NoClassFile { method: String },
    #[error("the code of {method} cannot be read: {error}")]
    Code { method: String, error: ParseError },
    #[error("{0}")]
    Disagreement(Box<Disagreement>),
}

impl ReplayError {
    /// For counting: what kind of trouble it is.
    pub fn reason(&self) -> ReplayObstacle {
        match self {
            ReplayError::Store(_) => ReplayObstacle::Trace,
            ReplayError::NotInFull(_) => ReplayObstacle::NotInFull,
            ReplayError::BeginningGivenUp | ReplayError::ValuesGivenUp => ReplayObstacle::GivenUp,
            ReplayError::NoClassFile { .. } | ReplayError::Code { .. } => ReplayObstacle::Code,
            ReplayError::Disagreement(disagreement) => disagreement.reason,
        }
    }
}

/// Trace and code say different things about an instruction, or not enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// `a/b/C.method(I)V`.
    pub method: String,
    /// Bytecode offset.
    pub pc: u32,
    pub instruction: &'static str,
    /// Instructions executed before this one.
    pub step: u64,
    pub reason: ReplayObstacle,
    pub expected: String,
    pub found: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement {
            method,
            pc,
            instruction,
            step,
            reason,
            expected,
            found,
        } = self;
        write!(
            f,
            "{method} at offset {pc} ({instruction}, step {step}): expected {expected}, found {found}"
        )?;
        if *reason == ReplayObstacle::Masked {
            write!(f, " (it read a masked value)")?;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReplayObstacle {
    /// The trace cannot be read.
    Trace,
    /// Recorded with less than everything; nothing is wrong.
    NotInFull,
    /// Given up to keep the trace's size; nothing is wrong.
    GivenUp,
    /// The class file cannot be used.
    Code,
    /// A value that the code consumes is not there.
    NoValue,
    /// A heap write differs from the recorded one.
    Write,
    /// A call differs from the recorded one.
    Call,
    /// An exception was computed, none recorded; or the other way round.
    Exception,
    /// Recorded and computed ends differ.
    Ending,
    /// The type of an object cannot be told from the trace.
    UnknownType,
    /// The identity of an object cannot be told from the trace.
    UnknownIdentity,
    /// The length of an array cannot be told from the trace.
    UnknownLength,
    /// The code does what no verified code does.
    BadCode,
    /// It read of a secret, of which the trace has zeros.
    Masked,
    /// It computes on and on without meeting anything recorded.
    Endless,
}
