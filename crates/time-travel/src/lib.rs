//! A recorded run as a debugger shows a running one: somebody stands somewhere, looks at the stack and its variables,
//! steps by lines, and goes on to a breakpoint; here each of these backwards as well.
//!
//! [`Traveller`] steps, [`Breakpoint`] says where to stop and finds it, [`frames`] is the stack, [`Expression`] is what
//! can be asked about a frame. Nothing here knows a protocol: whatever speaks one translates into these.
//!
//! Where somebody stands is a [`Position`], plain data: nothing is kept open between two steps, and what is walked for
//! one leaves its waypoints with the run for the next.

mod arithmetic;
mod breakpoint;
mod collecting;
mod evaluation;
mod expression;
pub mod frames;
mod hits;
mod java_value;
mod parser;
mod position;
mod scan;
mod search;
mod sifting;
mod slot_condition;
mod stepping;
mod strings;
mod syntax;

pub use breakpoint::{Breakpoint, BreakpointKind, HitCondition, line_methods, methods_writing};
pub use collecting::MOST_HITS;
pub use evaluation::{Evaluated, EvaluationError};
pub use expression::Expression;
pub use hits::{Hits, WithoutValue};
pub use java_value::JavaValue;
pub use parser::SyntaxError;
pub use position::{Direction, Position, Stop};
pub use stepping::{Arrival, Step, Traveller};
