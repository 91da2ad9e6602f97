//! Java class files: read, edited, written.
//!
//! The crate serves the recorder, which inserts probes into other people's classes while they
//! are being loaded. That sets its rules:
//!
//! * Arbitrary bytes are answered with an error, never with a panic: we run inside a JVM that
//!   is not ours.
//! * What is not edited is kept byte for byte. The constant pool only grows, at its end, so
//!   every index in an attribute that we do not understand stays right.
//! * No type is computed by data-flow analysis there. Stack map frames are carried over from the
//!   original; the [`CodeEditor`] only accepts insertions for which that is enough. (Code that is
//!   mixed of two versions, for an experiment, needs frames of its own: `graft`. Code from before
//!   frames is looked through for what its locals are set to, not for types: `editor/inferred.rs`.)
//!
//! It knows nothing of traces, of recording or of the JVM's interfaces, and does no I/O.

mod access;
pub mod alignment;
mod annotations;
mod attribute;
mod bytes;
mod class;
mod code;
pub mod constructor;
mod editor;
mod error;
pub mod flow;
pub mod graft;
mod instruction;
pub mod normal_form;
pub mod opcode;
pub mod pairing;
mod pool;
mod renaming;
mod snippet;
pub mod stack_map;

pub use access::AccessFlags;
pub use annotations::{Annotation, Element};
pub use attribute::Attribute;
pub use class::{ClassFile, Field, Method};
pub use code::{Code, ExceptionRange, LineNumber, LocalVariable};
pub use editor::{CodeEditor, EditError};
pub use error::ParseError;
pub use instruction::{Instruction, Operand, Switch};
pub use pool::{Constant, ConstantPool, MemberRef, PoolError};
pub use renaming::Renaming;
pub use snippet::Snippet;
pub use stack_map::VerificationType;
