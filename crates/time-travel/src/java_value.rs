//! What is known of a value.

use trace_format::Value;

/// What an expression or a variable has for a value.
#[derive(Clone, Debug, PartialEq)]
pub enum JavaValue {
    Known(Value),
    /// A string that is no object of the recording: a constant, or what an expression made.
    Text(String),
    /// A class constant, by its name.
    Class(String),
}
