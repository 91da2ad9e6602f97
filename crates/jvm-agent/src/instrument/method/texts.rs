//! What objects say of themselves is noted where a call gets them and where it gives them back.
//!
//! Which objects are meant is found out when the code runs, by their classes; here only those are left out that
//! cannot be meant. On entry the probes stand before the call's ENTER, and on exit before its EXIT, so that the texts
//! belong to the states before and after.

use std::io::Write;

use classfile::opcode;
use java_names::descriptor::{self, JavaType};

use super::MethodWriter;
use crate::instrument::InstrumentError;

impl<W: Write> MethodWriter<'_, '_, W> {
    /// Appends to the snippet: these arguments are asked.
    pub(super) fn texts_of(
        &mut self,
        arguments: &[(JavaType<'_>, u16)],
    ) -> Result<(), InstrumentError> {
        if !self.context.wanted.texts {
            return Ok(());
        }
        for &(kind, local) in arguments {
            if may_say_text(kind) {
                self.snippet.load_reference(local);
                let pool = &mut self.class.constants;
                self.probes.text(&mut self.snippet, pool)?;
            }
        }
        Ok(())
    }

    /// Appends to the snippet: what is returned is asked, and so are the arguments that are still there. A
    /// constructor's object is not: it may be one of a subclass, and not be finished.
    pub(super) fn texts_at_exit(
        &mut self,
        index: usize,
        result: JavaType<'_>,
    ) -> Result<(), InstrumentError> {
        if !self.context.wanted.texts {
            return Ok(());
        }
        if may_say_text(result) {
            self.snippet.op(opcode::DUP);
            let pool = &mut self.class.constants;
            self.probes.text(&mut self.snippet, pool)?;
        }
        let symbol = self.context.symbol;
        let mut kept = Vec::new();
        let mut local = u16::from(!symbol.is_static());
        if symbol.enters_with_this() {
            kept.push((JavaType::Reference(""), 0));
        }
        for parameter in descriptor::parse_method(&symbol.descriptor)?.parameters {
            kept.push((parameter, local));
            local += parameter.slots();
        }
        kept.retain(|&(kind, local)| {
            may_say_text(kind) && !self.is_assigned(local) && self.is_kept(local, index)
        });
        self.texts_of(&kept)
    }

    /// Whether the method stores something to a local, and it may hold anything in the end.
    fn is_assigned(&self, local: u16) -> bool {
        let mut instructions = self.editor.instructions().iter();
        instructions.any(|instruction| {
            let stored = instruction.local_index();
            let stored = stored.filter(|_| instruction.is_local_store());
            stored.is_some_and(|stored| stored == local || local.checked_sub(1) == Some(stored))
        })
    }
}

/// Strings and arrays are shown with their content, whatever the user wants.
fn may_say_text(kind: JavaType<'_>) -> bool {
    match kind {
        JavaType::Reference(descriptor) => {
            descriptor != "Ljava/lang/String;" && !descriptor.starts_with('[')
        }
        _ => false,
    }
}
