//! How a method begins and ends.

use classfile::descriptor::JavaType;
use classfile::{ConstantPool, PoolError, Snippet, opcode};
use trace_format::MethodId;
use trace_format::event::{EnterHead, size};
use trace_format::secret::Secrecy;

use super::secrets::secret_probe;
use super::{
    CALLS, Locals, OBJECT_TYPE, Probes, RECORDER_TYPE, SECRETS, dup, flavour, stream_size,
};

impl Probes {
    /// The method has been entered: recorder and depth into their locals, ENTER into the events.
    pub(in crate::instrument) fn enter(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        method: MethodId,
        arguments: &[(JavaType<'_>, u16)],
        secrets: &[(u16, Secrecy)],
    ) -> Result<(), PoolError> {
        self.call(snippet, pool, CALLS, "begin", &[], RECORDER_TYPE)?;
        snippet.store_reference(locals.recorder);
        for &(local, secrecy) in secrets {
            snippet
                .load_reference(local)
                .load_reference(locals.recorder);
            let parameters = [OBJECT_TYPE, RECORDER_TYPE];
            self.call(
                snippet,
                pool,
                SECRETS,
                secret_probe(secrecy),
                &parameters,
                "V",
            )?;
        }
        let head = EnterHead::of(method);
        let mut at = size::ENTER as i32;
        if let Some(upper) = head.upper {
            snippet.push_int(upper.into(), pool)?;
            snippet.load_reference(locals.recorder);
            snippet.push_int(at, pool)?;
            self.call(
                snippet,
                pool,
                CALLS,
                "argS",
                &["I", RECORDER_TYPE, "I"],
                "V",
            )?;
            at = size::ENTER_FAR as i32;
        }
        for (kind, local) in arguments {
            let (letter, taken) = flavour(*kind);
            snippet.load(*kind, *local).load_reference(locals.recorder);
            snippet.push_int(at, pool)?;
            self.call(
                snippet,
                pool,
                CALLS,
                &format!("arg{letter}"),
                &[taken, RECORDER_TYPE, "I"],
                "V",
            )?;
            at += i32::from(stream_size(*kind));
        }
        snippet.load_reference(locals.recorder);
        snippet.push_int(u16::from_le_bytes(head.word).into(), pool)?;
        snippet.push_int(at, pool)?;
        self.call(
            snippet,
            pool,
            CALLS,
            "enter",
            &[RECORDER_TYPE, "I", "I"],
            "I",
        )?;
        snippet.store_int(locals.depth);
        Ok(())
    }

    /// The method is about to return the value on top of the stack.
    pub(in crate::instrument) fn exit(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        kind: JavaType<'_>,
    ) -> Result<(), PoolError> {
        let (letter, taken) = flavour(kind);
        if kind != JavaType::Void {
            snippet.op(dup(kind));
        }
        snippet
            .load_reference(locals.recorder)
            .load_int(locals.depth);
        self.call(
            snippet,
            pool,
            CALLS,
            &format!("exit{letter}"),
            &[taken, RECORDER_TYPE, "I"],
            "V",
        )
    }

    /// The exception on the stack leaves the method.
    pub(in crate::instrument) fn threw(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
    ) -> Result<(), PoolError> {
        snippet
            .op(opcode::DUP)
            .load_reference(locals.recorder)
            .load_int(locals.depth);
        self.call(
            snippet,
            pool,
            CALLS,
            "threw",
            &[OBJECT_TYPE, RECORDER_TYPE, "I"],
            "V",
        )?;
        snippet.op(opcode::ATHROW);
        Ok(())
    }

    /// The handler at `pc` has caught the exception on the stack, which this consumes.
    pub(in crate::instrument) fn caught(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        pc: u32,
    ) -> Result<(), PoolError> {
        snippet
            .load_reference(locals.recorder)
            .load_int(locals.depth);
        snippet.push_int(pc.cast_signed(), pool)?;
        let parameters = [OBJECT_TYPE, RECORDER_TYPE, "I", "I"];
        self.call(snippet, pool, CALLS, "caught", &parameters, "V")
    }

    /// In a constructor: `this` is an object now.
    pub(in crate::instrument) fn initialized(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
    ) -> Result<(), PoolError> {
        snippet.load_reference(0).load_reference(locals.recorder);
        self.call(
            snippet,
            pool,
            CALLS,
            "initialized",
            &[OBJECT_TYPE, RECORDER_TYPE],
            "V",
        )
    }
}
