//! Re-executes one recorded call from its recorded inputs.
//!
//! The recorder notes what a call could not know by itself: arguments, loaded values, results of
//! calls, exceptions, its way out. Everything else follows from its code, and this crate computes
//! it: locals and operand stack at every instruction, branches, lines, covered edges, def-use
//! chains, where each operand came from.
//!
//! What is recomputed is checked against what was recorded wherever the two meet: heap writes,
//! arguments of calls, handlers, results. If they disagree, or if the trace cannot decide what
//! happened, the replay stops with an error that says where and why. It never guesses.
//!
//! [`Program`] keeps what is learned about a trace's code and types and is shared by all replays;
//! [`Replay`] is one call, walked forwards and backwards.
//!
//! This crate knows bytecode and one frame at a time. It does not know the call tree beyond a
//! frame's children, the state of the heap, or how anything is shown.

mod arithmetic;
mod checkpoints;
mod code;
mod constants;
mod coverage;
mod data_flow;
mod decode;
mod error;
mod events;
mod exceptions;
mod execute;
mod heap;
mod input;
mod invoke;
mod lock;
mod machine;
mod outside;
mod program;
mod replay;
mod resolution;
pub mod side_by_side;
mod site;
mod slot;
mod step;
mod types;
mod untaken;
mod ways;

pub use code::{LocalName, MethodCode};
pub use coverage::{CodeCoverage, Executed, ExecutedLine};
pub use data_flow::{DataFlow, OperandSource};
pub use error::{Disagreement, ReplayError, ReplayObstacle};
pub use machine::Checkpoint;
pub use outside::{OutsideByKin, OutsideSearch, find_outside_writes, is_searched};
pub use program::Program;
pub use replay::{NamedLocal, Replay, Runner, Watched};
pub use site::{CallRole, ConstantSite, FieldSite, InvokeSite};
pub use slot::{Datum, Slot, Tag};
pub use step::{Access, CallEnding, Flow, HeapVariable, ReplayStep};
pub use untaken::UntakenBranch;
pub use ways::Ways;
