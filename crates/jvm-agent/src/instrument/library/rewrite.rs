//! Rewrites a followed library class so that it notes its own writes.
//!
//! Only bodies change, as the JVM demands of classes that are already loaded. A write is noted if
//! the object that it goes to has been seen; `AskanceLibrary` looks.

use std::io::Write;

use classfile::{AccessFlags, ClassFile, CodeEditor, Instruction, Snippet, constructor, opcode};
use java_names::descriptor::{self, JavaType};
use trace_format::event::tag;
use trace_format::symbol::Level;

use super::super::InstrumentError;
use super::super::probes::{Probes, element_kind, flavour};
use super::followed::{BUFFER, BUILDER, is_bookkeeping, is_concurrent};
use super::handles::{HandleTarget, Handles};
use super::{Spilled, builders, filled_arrays, may_fill_arrays};
use crate::SymbolTable;

const OBJECT_TYPE: &str = "Ljava/lang/Object;";
const STRING_TYPE: &str = "Ljava/lang/String;";

/// The class, rewritten.
pub(crate) fn instrument_library_class<W: Write>(
    original: &[u8],
    symbols: &mut SymbolTable<W>,
) -> Result<Vec<u8>, InstrumentError> {
    let class = ClassFile::parse(original)?;
    let name = class.name()?.into_owned();
    // Kept, so that readers know which class declares a field that the code names otherwise.
    symbols.class(&name, "", Level::Writes, original)?;
    if name == BUILDER {
        return builders::instrument(class, symbols);
    }
    if name == BUFFER {
        return builders::instrument_buffer(class, symbols);
    }
    let mut writer = ClassWriter {
        handles: Handles::of(&class)?,
        concurrent: is_concurrent(&name),
        class,
        symbols,
        probes: Probes::default(),
        scratch: 0,
        slots: 0,
    };
    for index in 0..writer.class.methods.len() {
        writer.method(index)?;
    }
    Ok(writer.class.write())
}

struct ClassWriter<'a, W> {
    class: ClassFile,
    symbols: &'a mut SymbolTable<W>,
    probes: Probes,
    handles: Handles,
    /// Whether each write is ordered against those of other threads.
    concurrent: bool,
    /// The first local that probes may use, and how many they use.
    scratch: u16,
    slots: u16,
}

impl<W: Write> ClassWriter<'_, W> {
    fn method(&mut self, index: usize) -> Result<(), InstrumentError> {
        let method = self.class.methods[index].clone();
        let Some(code) = self.class.code(&method)? else {
            return Ok(());
        };
        let is_constructor = self.class.method_name(&method)? == "<init>";
        let mut editor = CodeEditor::new(&self.class, &method, &code)?;
        let objects_from = if is_constructor {
            match constructor::super_calls(editor.instructions(), &self.class.constants).last() {
                Some(call) => call + 1,
                None => return Ok(()),
            }
        } else {
            0
        };
        self.scratch = editor.extra_locals(&[]);
        self.slots = 4;
        if method.access.contains(AccessFlags::SYNCHRONIZED) {
            let mut snippet = Snippet::new();
            self.order(&mut snippet)?;
            editor.at_entry(&snippet);
        }
        for at in objects_from..editor.instructions().len() {
            self.instruction(&mut editor, at)?;
        }
        editor.scratch_locals(self.slots);
        let edited = editor.finish(&mut self.class.constants)?;
        self.class.set_code(index, &edited)?;
        Ok(())
    }

    fn instruction(
        &mut self,
        editor: &mut CodeEditor<'_>,
        at: usize,
    ) -> Result<(), InstrumentError> {
        let instruction = editor.instructions()[at].clone();
        match instruction.opcode {
            opcode::PUTFIELD => self.field_write(editor, at, &instruction),
            // Where the lock is held and the handler that releases it is in force.
            opcode::MONITORENTER => {
                let mut snippet = Snippet::new();
                self.order(&mut snippet)?;
                editor.before(at + 1, &snippet);
                Ok(())
            }
            _ if instruction.is_array_store() => self.array_store(editor, at, &instruction),
            _ if instruction.is_invoke() => {
                let place = self.handles.place(&self.class, editor.instructions(), at)?;
                match place {
                    Some(place) => self.write_by_handle(editor, at, &instruction, &place),
                    None => self.fill(editor, at, &instruction),
                }
            }
            _ => Ok(()),
        }
    }

    /// What this thread did before is ordered against what others do from here on.
    fn order(&mut self, snippet: &mut Snippet) -> Result<(), InstrumentError> {
        let pool = &mut self.class.constants;
        Ok(self.probes.call_library(snippet, pool, "order", &[])?)
    }

    fn field_write(
        &mut self,
        editor: &mut CodeEditor<'_>,
        at: usize,
        instruction: &Instruction,
    ) -> Result<(), InstrumentError> {
        let constant = instruction.cp_index().unwrap_or(0);
        let member = self.class.constants.member_ref(constant)?;
        if is_bookkeeping(&member.name) {
            return Ok(());
        }
        let (owner, name) = (member.owner.to_string(), member.name.to_string());
        let descriptor = member.descriptor.to_string();
        let kind = descriptor::parse_field(&descriptor)?;
        let mut snippet = Snippet::new();
        if self.concurrent {
            let (object, value) = (self.scratch, self.scratch + 1);
            snippet.store(kind, value).op(opcode::DUP);
            snippet.store_reference(object).load(kind, value);
            editor.before(at, &snippet);
            snippet.clear();
            snippet.load_reference(object);
            self.changed_field(&mut snippet, &name)?;
            editor.after(at, &snippet);
            return Ok(());
        }
        let field = self
            .symbols
            .field(false, &owner, &name, &descriptor)?
            .ok_or(InstrumentError::OutOfNumbers)?;
        let word = field.0 << 8 | u32::from(tag::PUT_FIELD | tag::BY_LIBRARY);
        let (letter, taken) = flavour(kind);
        let wide = kind.slots() == 2;
        if wide {
            snippet
                .store(kind, self.scratch)
                .op(opcode::DUP)
                .load(kind, self.scratch);
        } else {
            snippet.op(opcode::DUP2);
        }
        let pool = &mut self.class.constants;
        snippet.push_int(word.cast_signed(), pool)?;
        let parameters = [OBJECT_TYPE, taken, "I"];
        let probe = format!("put{letter}");
        self.probes
            .call_library(&mut snippet, pool, &probe, &parameters)?;
        if wide {
            snippet.load(kind, self.scratch);
        }
        editor.before(at, &snippet);
        Ok(())
    }

    /// With the object on the stack: one of its fields has changed.
    fn changed_field(&mut self, snippet: &mut Snippet, name: &str) -> Result<(), InstrumentError> {
        let pool = &mut self.class.constants;
        let name = pool.add_string(name)?;
        snippet.push_constant(name);
        let parameters = [OBJECT_TYPE, STRING_TYPE];
        Ok(self
            .probes
            .call_library(snippet, pool, "changed", &parameters)?)
    }

    fn array_store(
        &mut self,
        editor: &mut CodeEditor<'_>,
        at: usize,
        instruction: &Instruction,
    ) -> Result<(), InstrumentError> {
        let kind = element_kind(instruction.opcode - opcode::IASTORE);
        let (array, index, value) = (self.scratch, self.scratch + 1, self.scratch + 2);
        let mut snippet = Snippet::new();
        snippet
            .store(kind, value)
            .store_int(index)
            .store_reference(array);
        snippet
            .load_reference(array)
            .load_int(index)
            .load(kind, value);
        editor.before(at, &snippet);
        snippet.clear();
        self.changed_element(&mut snippet, array, index)?;
        editor.after(at, &snippet);
        Ok(())
    }

    fn changed_element(
        &mut self,
        snippet: &mut Snippet,
        array: u16,
        index: u16,
    ) -> Result<(), InstrumentError> {
        snippet.load_reference(array).load_int(index);
        let pool = &mut self.class.constants;
        if self.concurrent {
            let parameters = [OBJECT_TYPE, "I"];
            self.probes
                .call_library(snippet, pool, "changed", &parameters)?;
        } else {
            snippet.push_int(1, pool)?;
            let parameters = [OBJECT_TYPE, "I", "I"];
            self.probes
                .call_library(snippet, pool, "filled", &parameters)?;
        }
        Ok(())
    }

    /// Around a call of a `VarHandle` or of `Unsafe` that may write.
    fn write_by_handle(
        &mut self,
        editor: &mut CodeEditor<'_>,
        at: usize,
        instruction: &Instruction,
        place: &HandleTarget,
    ) -> Result<(), InstrumentError> {
        let constant = instruction.cp_index().unwrap_or(0);
        let descriptor = self.class.constants.member_ref(constant)?;
        let descriptor = descriptor.descriptor.to_string();
        let signature = descriptor::parse_method(&descriptor)?;
        let spilled = Spilled::new(&signature, self.scratch);
        self.slots = self.slots.max(spilled.slots);
        editor.before(at, &spilled.snippet);
        let local = |argument: usize| spilled.arguments[argument].1;
        let mut snippet = Snippet::new();
        match place {
            HandleTarget::Field(name) => {
                snippet.load_reference(local(0));
                self.changed_field(&mut snippet, name)?;
            }
            HandleTarget::Element => self.changed_element(&mut snippet, local(0), local(1))?,
            HandleTarget::Offset => {
                snippet
                    .load_reference(local(0))
                    .load(JavaType::Long, local(1));
                let (pool, parameters) = (&mut self.class.constants, [OBJECT_TYPE, "J"]);
                self.probes
                    .call_library(&mut snippet, pool, "changed", &parameters)?;
            }
        }
        editor.after(at, &snippet);
        Ok(())
    }

    /// Around a call that fills an array.
    fn fill(
        &mut self,
        editor: &mut CodeEditor<'_>,
        at: usize,
        instruction: &Instruction,
    ) -> Result<(), InstrumentError> {
        let member = self
            .class
            .constants
            .member_ref(instruction.cp_index().unwrap_or(0))?;
        let (owner, name) = (member.owner.to_string(), member.name.to_string());
        let descriptor = member.descriptor.to_string();
        let signature = descriptor::parse_method(&descriptor)?;
        if !matches!(owner.as_str(), "java/lang/System" | "java/util/Arrays")
            || !may_fill_arrays(&owner, &name, &signature)
        {
            return Ok(());
        }
        let spilled = Spilled::new(&signature, self.scratch);
        self.slots = self.slots.max(spilled.slots);
        editor.before(at, &spilled.snippet);
        let mut snippet = Snippet::new();
        if self.concurrent {
            self.order(&mut snippet)?;
        }
        let spilled = spilled.arguments;
        for array in filled_arrays(&name, &signature) {
            snippet.load_reference(spilled[array.parameter].1);
            let pool = &mut self.class.constants;
            match array.part {
                Some(part) => part
                    .map(|parameter| spilled[parameter].1)
                    .load(&mut snippet),
                None => {
                    snippet.push_int(0, pool)?;
                    snippet.push_int(i32::MAX, pool)?;
                }
            }
            let parameters = [OBJECT_TYPE, "I", "I"];
            self.probes
                .call_library(&mut snippet, pool, "filled", &parameters)?;
        }
        editor.after(at, &snippet);
        Ok(())
    }
}
