//! What can be wrong with a class file.

use java_names::descriptor::BadDescriptor;

use thiserror::Error;

/// Why bytes are not a class file, or not one that we understand.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    #[error("the bytes end inside {what}")]
    Truncated { what: &'static str },
    #[error("{count} bytes follow the end of {what}")]
    TrailingBytes { what: &'static str, count: usize },
    #[error("the first four bytes are not those of a class file")]
    BadMagic,
    #[error("constant {index} has the unknown tag {tag}")]
    BadConstantTag { index: u16, tag: u8 },
    #[error("constant {index} is not {expected}")]
    BadConstant { index: u16, expected: &'static str },
    #[error("the byte {opcode:#04x} at pc {pc} is no instruction")]
    BadOpcode { pc: u32, opcode: u8 },
    #[error("the instruction at pc {pc} is malformed")]
    BadInstruction { pc: u32 },
    #[error("no instruction starts at pc {pc}, which {what} refers to")]
    BadPc { pc: u32, what: &'static str },
    #[error("the descriptor is malformed")]
    BadDescriptor,
    #[error("the stack map table is malformed")]
    BadStackMap,
    #[error("there is no method number {0}")]
    NoSuchMethod(usize),
    #[error("class files of version {major}.{minor} have another form of code")]
    AncientCode { major: u16, minor: u16 },
}

impl From<BadDescriptor> for ParseError {
    fn from(_: BadDescriptor) -> Self {
        ParseError::BadDescriptor
    }
}
