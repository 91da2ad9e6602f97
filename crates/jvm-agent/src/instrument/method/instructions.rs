//! What is noted of single instructions: loads and stores, new references, constants, locks and calls.

use std::io::Write;

use classfile::{Constant, Instruction, opcode};
use java_names::descriptor::{self, JavaType};
use trace_format::event::tag;

use super::super::probes::{Around, element_kind};
use super::super::{InstrumentError, library};
use super::{MethodWriter, constant_of};

impl<W: Write> MethodWriter<'_, '_, W> {
    pub(super) fn instruction(&mut self, index: usize) -> Result<(), InstrumentError> {
        let instruction = self.editor.instructions()[index].clone();
        self.snippet.clear();
        match instruction.opcode {
            opcode::GETFIELD | opcode::GETSTATIC => self.load(index, &instruction),
            opcode::PUTFIELD | opcode::PUTSTATIC => self.store(index, &instruction),
            opcode::LDC | opcode::LDC_W | opcode::LDC2_W => self.constant(index, &instruction),
            opcode::NEWARRAY | opcode::ANEWARRAY => self.after_reference(index, "newArray"),
            opcode::MULTIANEWARRAY => self.after_reference(index, "valueL"),
            opcode::MONITORENTER => {
                self.note("sync")?;
                self.editor.after(index, &self.snippet);
                Ok(())
            }
            opcode::MONITOREXIT => {
                self.note("sync")?;
                self.editor.before(index, &self.snippet);
                Ok(())
            }
            _ if instruction.is_array_load() => {
                let kind = element_kind(instruction.opcode - opcode::IALOAD);
                match kind {
                    JavaType::Byte | JavaType::Char if self.masks() => {
                        self.text_element(index, kind)
                    }
                    _ => self.after_value(index, kind),
                }
            }
            _ if instruction.is_array_store() => {
                let kind = element_kind(instruction.opcode - opcode::IASTORE);
                let mut around = Around::default();
                if kind.is_reference() && self.scratch.hides_classes() {
                    let object = self.class.constants.add_class("java/lang/Object")?;
                    around.before.check_cast(object);
                }
                let (locals, pool) = (self.locals, &mut self.class.constants);
                self.probes.array_store(&mut around, pool, locals, kind)?;
                self.insert_around(index, &around);
                Ok(())
            }
            _ if instruction.is_invoke() => self.invoke(index, &instruction),
            _ if instruction.is_local_store() => self.local_secret(index),
            _ => Ok(()),
        }
    }

    fn load(&mut self, index: usize, instruction: &Instruction) -> Result<(), InstrumentError> {
        let member = self.class.constants.member_ref(constant_of(instruction))?;
        let descriptor = member.descriptor.to_string();
        let kind = descriptor::parse_field(&descriptor)?;
        let mut secrecy = self.secret_member(&member.name, &kind);
        let volatile = self.is_volatile(&member.owner, &member.name);
        if kind.is_reference() {
            secrecy = secrecy.max(self.becomes_secret(index));
        }
        if let Some(secrecy) = secrecy {
            self.secret_here(secrecy)?;
        }
        let (locals, pool) = (self.locals, &mut self.class.constants);
        self.probes.value(&mut self.snippet, pool, locals, kind)?;
        if volatile {
            // Behind the value: another thread may have written the field since it was read, and what it did before
            // the stamp must not seem to be what the read should have found.
            self.note("sync")?;
        }
        self.editor.after(index, &self.snippet);
        Ok(())
    }

    fn store(&mut self, index: usize, instruction: &Instruction) -> Result<(), InstrumentError> {
        let constant = constant_of(instruction);
        let is_static = instruction.opcode == opcode::PUTSTATIC;
        let member = self.class.constants.member_ref(constant)?;
        let owner = member.owner.to_string();
        let descriptor = member.descriptor.to_string();
        let field = self
            .symbols
            .field(is_static, &owner, &member.name, &descriptor)?
            .ok_or(InstrumentError::OutOfNumbers)?;
        let name = member.name.to_string();
        let volatile = self.is_volatile(&owner, &name);
        let kind = descriptor::parse_field(&descriptor)?;
        self.field_secret(index, &name, &kind)?;
        let event = if is_static {
            tag::PUT_STATIC
        } else {
            tag::PUT_FIELD
        };
        let word = field.0 << 8 | u32::from(event);
        if self.early_writes.contains(&index) {
            self.early_fields.insert(constant, word);
            return Ok(());
        }
        if volatile {
            self.note("sync")?;
            self.editor.before(index, &self.snippet);
        }
        let mut around = Around::default();
        let this = self.this_at(index);
        let (locals, pool) = (self.locals, &mut self.class.constants);
        if is_static {
            self.probes
                .put_static(&mut around, pool, locals, kind, word)?;
        } else {
            self.probes
                .put_field(&mut around, pool, locals, kind, word, this)?;
        }
        self.insert_around(index, &around);
        Ok(())
    }

    fn insert_around(&mut self, index: usize, around: &Around) {
        self.editor.before(index, &around.before);
        self.editor.after(index, &around.after);
    }

    /// The identity of a string or class constant follows from the code, once it is described;
    /// other reference constants are made on the spot.
    fn constant(&mut self, index: usize, instruction: &Instruction) -> Result<(), InstrumentError> {
        match self.class.constants.get(constant_of(instruction))? {
            Constant::String { .. } | Constant::Class { .. } => {
                self.after_reference(index, "constant")
            }
            Constant::MethodHandle { .. } | Constant::MethodType { .. } => {
                self.after_reference(index, "valueL")
            }
            Constant::Dynamic { .. } => {
                let member = self.class.constants.member_ref(constant_of(instruction))?;
                let descriptor = member.descriptor.into_owned();
                self.after_value(index, descriptor::parse_field(&descriptor)?)
            }
            _ => Ok(()),
        }
    }

    fn invoke(&mut self, index: usize, instruction: &Instruction) -> Result<(), InstrumentError> {
        let member = self.class.constants.member_ref(constant_of(instruction))?;
        let owner = member.owner.to_string();
        let name = member.name.to_string();
        let descriptor = member.descriptor.to_string();
        let signature = descriptor::parse_method(&descriptor)?;
        self.look_at_hashes(index, instruction, (&owner, &name, &descriptor), &signature)?;
        let synchronises = library::synchronises(&owner, &name);
        if synchronises {
            self.note("sync")?;
            self.editor.before(index, &self.snippet);
            self.snippet.clear();
        }
        if self.super_calls.contains(&index) {
            return Ok(());
        }
        if owner == self.context.class_name && self.context.own_calls.reaches(&name, &descriptor) {
            return Ok(());
        }
        if library::may_fill_arrays(&owner, &name, &signature) {
            self.watch_arrays(index, &name, &signature)?;
        }
        if synchronises {
            self.note("sync")?;
        }
        self.call_secrets(index, &owner, &name, &signature)?;
        if let Some(holder) = self.character_of.take() {
            return self.character(index, signature.result, holder);
        }
        if self.allocations.contains(&index) {
            self.after_reference(index, "valueL")
        } else if signature.result == JavaType::Void {
            self.note("returned")?;
            self.editor.after(index, &self.snippet);
            Ok(())
        } else {
            self.after_value(index, signature.result)
        }
    }

    /// Library code gets arrays: keep the arguments in scratch locals across the call, and note afterwards what
    /// the arrays hold.
    fn watch_arrays(
        &mut self,
        index: usize,
        name: &str,
        signature: &descriptor::MethodType<'_>,
    ) -> Result<(), InstrumentError> {
        let first = self.scratch.keep(&signature.parameters, 0, 0);
        let spilled = library::Spilled::new(signature, first);
        self.editor.before(index, &spilled.snippet);
        let spilled = spilled.arguments;
        for array in library::filled_arrays(name, signature) {
            let part = array
                .part
                .map(|part| part.map(|parameter| spilled[parameter].1));
            let (locals, pool) = (self.locals, &mut self.class.constants);
            let local = spilled[array.parameter].1;
            self.probes
                .handed_out(&mut self.snippet, pool, locals, local, part)?;
        }
        Ok(())
    }

    fn after_value(&mut self, index: usize, kind: JavaType<'_>) -> Result<(), InstrumentError> {
        let (locals, pool) = (self.locals, &mut self.class.constants);
        self.probes.value(&mut self.snippet, pool, locals, kind)?;
        self.editor.after(index, &self.snippet);
        Ok(())
    }

    fn after_reference(&mut self, index: usize, probe: &str) -> Result<(), InstrumentError> {
        if matches!(
            self.editor.instructions()[index].opcode,
            opcode::NEWARRAY | opcode::ANEWARRAY
        ) && let Some(secrecy) = self.becomes_secret(index)
        {
            self.secret_here(secrecy)?;
        }
        let (locals, pool) = (self.locals, &mut self.class.constants);
        self.probes
            .reference(&mut self.snippet, pool, locals, probe)?;
        self.editor.after(index, &self.snippet);
        Ok(())
    }

    fn is_volatile(&self, owner: &str, name: &str) -> bool {
        owner == self.context.class_name && self.volatile_fields.contains(name)
    }
}
