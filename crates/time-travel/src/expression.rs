//! What can be asked about a frame: an expression as Java writes it.

use crate::evaluation::{Evaluated, Evaluation, EvaluationError};
use crate::frames::Frame;
use crate::parser::{self, SyntaxError};
use crate::stepping::Traveller;

/// An expression that was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    pub(crate) root: Node,
}

impl Expression {
    /// # Errors
    /// What cannot be understood, as one sentence.
    pub fn parse(text: &str) -> Result<Expression, SyntaxError> {
        parser::parse(text).map(|root| Expression { root })
    }

    /// Its value in a frame.
    ///
    /// # Errors
    /// Why it has none, as one sentence.
    pub fn evaluate(
        &self,
        traveller: &Traveller<'_>,
        frame: &Frame,
    ) -> Result<Evaluated, EvaluationError> {
        Evaluation::new(traveller, frame).value(&self.root)
    }
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Literal(Literal),
    Name(String),
    /// `#12`: an object as views number it.
    Object(u64),
    Field(Box<Node>, String),
    Element(Box<Node>, Box<Node>),
    Call(Option<Box<Node>>, String, Vec<Node>),
    Unary(UnaryOperator, Box<Node>),
    Binary(BinaryOperator, Box<Node>, Box<Node>),
    InstanceOf(Box<Node>, String),
    Conditional(Box<Node>, Box<Node>, Box<Node>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Null,
    Boolean(bool),
    Char(u16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Text(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOperator {
    Plus,
    Minus,
    Not,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
