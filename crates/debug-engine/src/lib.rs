//! Algorithmic debugging without a language, a file or a screen.
//!
//! The engine searches an [execution tree](tree::ExecutionTree) for a *buggy node*: one whose
//! behaviour is wrong although the behaviour of all its children is correct (Definition 9 of
//! *A Generalized Model for Algorithmic Debugging*). It asks about single nodes, and an oracle —
//! a person, a reference version, remembered answers — judges them.
//!
//! What each module knows, and what it must not know:
//!
//! * [`tree`]: the shape of the execution and nothing else; implemented over memory-mapped columns
//!   by whoever holds the trace.
//! * [`transform`]: other trees of the same execution, in which fewer questions are needed.
//! * [`judgement`]: what can be said about a node.
//! * [`strategy`]: which node to ask about next. Sees the [search space](strategy::SearchSpace),
//!   never the trace, never a value.
//! * [`session`]: the dialogue as a state machine: `poll` gives a question or a diagnosis,
//!   `answer` feeds it. No input, no output, no clock.
//! * [`model`]: trees of any pieces of an execution, calls, loops and statements alike, as the definitions have them.
//! * [`oracle`]: automatic answers, tried in order before a person is asked.
//! * [`evaluate`]: how many questions a strategy needs, over all places where the bug may be.
//! * [`view`]: plain data that a front end shows, filled by the crate that knows the language.
//!
//! Nothing here prints, opens, spawns or blocks, so the terminal, the browser, the editor and the
//! tests all drive the same code.

pub mod evaluate;
pub mod judgement;
pub mod model;
pub mod oracle;
pub mod session;
pub mod strategy;
pub mod transform;
pub mod tree;
pub mod view;

pub use judgement::Judgement;
pub use session::{
    Answer, AnswerSource, Diagnosis, LogEntry, Question, Session, SessionOptions, SessionStep,
    TrustScope, ValuePath,
};
pub use tree::{ExecutionTree, NodeId, RoutineId, Target};
