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
//! the original plus the extra locals, which is why a snippet may not jump. (In code without
//! frames the verifier infers them, and [`inferred`] sees to it that it need not infer more.)

mod emit;
mod inferred;
mod layout;
mod locals;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;

use thiserror::Error;

use crate::stack_map::StackMap;
use crate::{
    ClassFile, Code, ConstantPool, Instruction, Method, ParseError, PoolError, Snippet,
    VerificationType,
};
use java_names::modified_utf8;
use layout::Layout;

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
    #[error("the method's stack map frames would be too large")]
    StackMapTooLarge,
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
    method: MethodFacts,
    instructions: Vec<Instruction>,
    /// Instruction that starts at a pc, or [`NOWHERE`]; the end of the code is one too.
    index_at: Vec<u32>,
    attributes: KnownAttributes<'c>,

    /// The bytes of all snippets but the handler's, in the order in which they were given.
    inserted: Vec<u8>,
    insertions: Vec<Insertion>,
    entry: Vec<u8>,
    extra_locals: Vec<(u16, VerificationType)>,
    next_local: u16,
    deepest_snippet: u16,
    handler: Option<CatchAll>,
    /// Instructions before which the method's own exception ranges are interrupted.
    uncovered: BTreeSet<usize>,
    misuse: Option<EditError>,
}

/// What of the method's declaration decides its first frame.
#[derive(Debug, Clone)]
struct MethodFacts {
    major: u16,
    receiver: Option<VerificationType>,
    descriptor: String,
}

/// The attributes of the code that are carried over; all others hold pcs that we could not
/// put right, or type annotations, which nobody can see at run time.
#[derive(Debug, Clone, Default)]
struct KnownAttributes<'c> {
    /// Index of the name, and the table.
    stack_map: Option<(u16, &'c [u8])>,
    lines: Vec<(u16, &'c [u8])>,
    /// `LocalVariableTable` and `LocalVariableTypeTable`, which have the same form.
    variables: Vec<(u16, &'c [u8])>,
}

/// A piece of [`CodeEditor::inserted`] and where it goes. Ordered by place.
#[derive(Debug, Clone, Copy)]
struct Insertion {
    instruction: u32,
    after: bool,
    start: u32,
    end: u32,
}

#[derive(Debug, Clone)]
struct CatchAll {
    /// What is covered; each part has its copy of the handler.
    parts: Vec<Range<usize>>,
    bytes: Vec<u8>,
    max_stack: u16,
}

impl CatchAll {
    fn new(parts: Vec<Range<usize>>, handler: &Snippet) -> CatchAll {
        CatchAll {
            parts,
            bytes: handler.bytes().to_vec(),
            max_stack: handler.max_stack_extra().saturating_add(1),
        }
    }

    fn len(&self) -> usize {
        self.parts.len() * self.bytes.len()
    }
}

const NOWHERE: u32 = u32::MAX;

impl<'c> CodeEditor<'c> {
    /// `code` must be that of `method` in `class`. The class is only looked at, so that its
    /// constant pool can be added to while snippets are being built.
    pub fn new(class: &ClassFile, method: &Method, code: &'c Code) -> Result<Self, EditError> {
        let instructions = code.instructions()?;
        let mut index_at = vec![NOWHERE; code.bytes.len() + 1];
        for (index, instruction) in instructions.iter().enumerate() {
            index_at[instruction.pc as usize] = index as u32;
        }
        index_at[code.bytes.len()] = instructions.len() as u32;
        let editor = CodeEditor {
            code,
            method: MethodFacts::of(class, method)?,
            instructions,
            index_at,
            attributes: KnownAttributes::of(code, &class.constants)?,
            inserted: Vec::new(),
            insertions: Vec::new(),
            entry: Vec::new(),
            extra_locals: Vec::new(),
            next_local: code.max_locals,
            deepest_snippet: 0,
            handler: None,
            uncovered: BTreeSet::new(),
            misuse: None,
        };
        editor.check_references()?;
        Ok(editor)
    }

    /// The original instructions; indices below count in this list.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// Runs once when the method starts. A jump to the first instruction does not run it.
    pub fn at_entry(&mut self, snippet: &Snippet) {
        self.entry.extend_from_slice(snippet.bytes());
        self.deepest_snippet = self.deepest_snippet.max(snippet.max_stack_extra());
    }

    /// Runs before the instruction, however it is reached. Several snippets run in the order
    /// in which they were given, here and below.
    pub fn before(&mut self, instruction: usize, snippet: &Snippet) {
        self.insert(instruction, false, snippet);
    }

    /// What is thrown by the snippets before this instruction does not go to the method's own
    /// handlers. Needed at the start of a handler that lies in its own range, as compilers
    /// write for `synchronized`: a snippet that throws there would be entered again for ever.
    pub fn uncover_before(&mut self, instruction: usize) {
        self.uncovered.insert(instruction);
    }

    /// Runs when control falls through from this instruction to the next; a jump to the next
    /// one does not run it. An error after a goto, switch, return or athrow.
    pub fn after(&mut self, instruction: usize, snippet: &Snippet) {
        match self.instructions.get(instruction) {
            Some(found) if !found.falls_through() => {
                self.misused(EditError::NoFallThrough(instruction));
            }
            _ => self.insert(instruction, true, snippet),
        }
    }

    /// New locals that the entry snippet sets and that stay alive, with the same types, to the
    /// end of the method: every frame gets them. Returns the index of the first; call it
    /// before building the snippets that use them.
    pub fn extra_locals(&mut self, types: &[VerificationType]) -> u16 {
        let first = self.next_local;
        for &each in types {
            let local = self.scratch_locals(each.slots());
            self.extra_locals.push((local, each));
        }
        first
    }

    /// More locals, for use within one snippet only: no frame knows them. Returns the index
    /// of the first.
    pub fn scratch_locals(&mut self, slots: u16) -> u16 {
        let first = self.next_local;
        match first.checked_add(slots) {
            Some(next) => self.next_local = next,
            None => self.misused(EditError::FrameTooLarge),
        }
        first
    }

    /// Catches everything thrown from the label of `from` (0: right after the entry snippet)
    /// to the end of the code that the method itself does not catch. The snippet starts with
    /// the exception on the stack and only the extra locals, and must end in `athrow`. At most
    /// one; a second replaces it. Where there are no frames, it may come to stand in several places.
    pub fn catch_all(&mut self, from: usize, handler: &Snippet) {
        if from >= self.instructions.len() {
            return self.misused(EditError::NoSuchInstruction(from));
        }
        match self.handled_parts(from) {
            Ok(parts) => self.handler = Some(CatchAll::new(parts, handler)),
            Err(error) => self.misused(error),
        }
    }

    /// Whether the frames agree that `this` is initialised at the label of an instruction and
    /// at all later ones. True outside constructors and where there are no frames.
    pub fn this_is_initialized_from(&self, instruction: usize) -> bool {
        let constructor = self.method.receiver == Some(VerificationType::UninitializedThis);
        let Some((_, table)) = self.attributes.stack_map.filter(|_| constructor) else {
            return true;
        };
        // Only the receiver matters here, so the parameters can be of any class.
        let locals = self.initial_locals(|_| Ok(0));
        let Ok(map) = locals.and_then(|locals| Ok(StackMap::parse(table, &locals)?)) else {
            return false;
        };
        map.frames()
            .filter(|frame| self.index_of(frame.pc).is_none_or(|i| i >= instruction))
            .all(|frame| !frame.locals.contains(&VerificationType::UninitializedThis))
    }

    /// The edited code, to be given to [`ClassFile::set_code`].
    pub fn finish(mut self, constants: &mut ConstantPool) -> Result<Code, EditError> {
        if let Some(misuse) = self.misuse.take() {
            return Err(misuse);
        }
        self.insertions
            .sort_by_key(|each| (each.instruction, each.after));
        let layout = Layout::of(&self)?;
        let handler_stack = self.handler.as_ref().map_or(0, |handler| handler.max_stack);
        Ok(Code {
            max_stack: self
                .code
                .max_stack
                .checked_add(self.deepest_snippet)
                .ok_or(EditError::FrameTooLarge)?
                .max(handler_stack),
            max_locals: self.next_local,
            bytes: self.emit(&layout),
            exceptions: self.exception_table(&layout),
            attributes: self.tables(&layout, constants)?,
        })
    }

    fn insert(&mut self, instruction: usize, after: bool, snippet: &Snippet) {
        if instruction >= self.instructions.len() {
            return self.misused(EditError::NoSuchInstruction(instruction));
        }
        let start = self.inserted.len();
        self.inserted.extend_from_slice(snippet.bytes());
        self.insertions.push(Insertion {
            instruction: instruction as u32,
            after,
            start: start as u32,
            end: self.inserted.len() as u32,
        });
        self.deepest_snippet = self.deepest_snippet.max(snippet.max_stack_extra());
    }

    fn misused(&mut self, how: EditError) {
        self.misuse.get_or_insert(how);
    }

    fn index_of(&self, pc: u32) -> Option<usize> {
        match self.index_at.get(pc as usize) {
            Some(&index) if index != NOWHERE => Some(index as usize),
            _ => None,
        }
    }

    /// Every pc that the layout will look up must be the start of an instruction.
    fn check_references(&self) -> Result<(), ParseError> {
        let len = self.code.bytes.len() as u32;
        let check = |pc: u32, what| match self.index_of(pc) {
            Some(_) if pc < len => Ok(()),
            _ => Err(ParseError::BadPc { pc, what }),
        };
        if self.instructions.is_empty() || len > u32::from(u16::MAX) {
            return Err(ParseError::BadInstruction { pc: 0 });
        }
        for instruction in &self.instructions {
            for target in instruction.targets() {
                check(target, "a jump")?;
            }
        }
        for range in &self.code.exceptions {
            check(range.start.into(), "an exception range")?;
            check(range.handler.into(), "an exception range")?;
            if range.end <= range.start || self.index_of(range.end.into()).is_none() {
                return Err(ParseError::BadPc {
                    pc: range.end.into(),
                    what: "an exception range",
                });
            }
        }
        Ok(())
    }
}

impl MethodFacts {
    fn of(class: &ClassFile, method: &Method) -> Result<Self, ParseError> {
        let name = class.constants.utf8_bytes(method.name)?;
        let descriptor = class.constants.utf8_bytes(method.descriptor)?;
        let text = modified_utf8::decode(descriptor);
        if *modified_utf8::encode(&text) != *descriptor {
            return Err(ParseError::BadDescriptor);
        }
        let receiver = if method.access.is_static() {
            None
        } else if name == b"<init>" && class.super_class != 0 {
            Some(VerificationType::UninitializedThis)
        } else {
            Some(VerificationType::Object(class.this_class))
        };
        Ok(MethodFacts {
            major: class.major,
            receiver,
            descriptor: text.into_owned(),
        })
    }
}

impl<'c> KnownAttributes<'c> {
    fn of(code: &'c Code, constants: &ConstantPool) -> Result<Self, ParseError> {
        let mut known = KnownAttributes::default();
        for attribute in &code.attributes {
            let found = (attribute.name, attribute.bytes.as_slice());
            match constants.utf8_bytes(attribute.name)? {
                b"StackMapTable" => known.stack_map = Some(found),
                b"LineNumberTable" => known.lines.push(found),
                b"LocalVariableTable" | b"LocalVariableTypeTable" => known.variables.push(found),
                _ => {}
            }
        }
        Ok(known)
    }
}
