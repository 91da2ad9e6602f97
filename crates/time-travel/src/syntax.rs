//! What an expression is made of.

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
