//! What keeps secrets out of the trace.

use classfile::descriptor::JavaType;
use classfile::{ConstantPool, PoolError, Snippet, opcode};
use trace_format::secret::Secrecy;

use super::{Locals, OBJECT_TYPE, Probes, RECORDER_TYPE, SECRETS, flavour};

impl Probes {
    /// The reference on top of the stack is a secret.
    pub(in crate::instrument) fn secret(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        secrecy: Secrecy,
    ) -> Result<(), PoolError> {
        snippet.op(opcode::DUP).load_reference(locals.recorder);
        let parameters = [OBJECT_TYPE, RECORDER_TYPE];
        let probe = secret_probe(secrecy);
        self.call(snippet, pool, SECRETS, probe, &parameters, "V")
    }

    /// What is below the top of the stack is made of what is on top; both are consumed.
    pub(in crate::instrument) fn carried(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
    ) -> Result<(), PoolError> {
        snippet.load_reference(locals.recorder);
        let parameters = [OBJECT_TYPE, OBJECT_TYPE, RECORDER_TYPE];
        self.call(snippet, pool, SECRETS, "carried", &parameters, "V")
    }

    /// The character or byte on top of the stack is one of what a local holds.
    pub(in crate::instrument) fn character(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        kind: JavaType<'_>,
        holder: u16,
    ) -> Result<(), PoolError> {
        let (letter, taken) = flavour(kind);
        snippet
            .op(opcode::DUP)
            .load_reference(holder)
            .load_reference(locals.recorder);
        let parameters = [taken, OBJECT_TYPE, RECORDER_TYPE];
        self.call(
            snippet,
            pool,
            SECRETS,
            &format!("value{letter}"),
            &parameters,
            "V",
        )
    }
}

/// What notes a secret at sight.
pub(super) fn secret_probe(secrecy: Secrecy) -> &'static str {
    match secrecy {
        Secrecy::Sure => "secret",
        Secrecy::IfLong => "secretIfLong",
    }
}
