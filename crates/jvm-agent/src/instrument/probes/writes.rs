//! Writes of fields and array elements.

use classfile::descriptor::JavaType;
use classfile::{ConstantPool, PoolError, Snippet, opcode};

use super::{Around, Locals, OBJECT_TYPE, Probes, RECORDER_TYPE, ThisLocal, WRITES, dup, flavour};

impl Probes {
    /// Around a putfield, whose object and value are on the stack: copies them, and notes the copies
    /// once the write is done.
    pub(in crate::instrument) fn put_field(
        &mut self,
        around: &mut Around,
        pool: &mut ConstantPool,
        locals: Locals,
        kind: JavaType<'_>,
        word: u32,
        this: ThisLocal,
    ) -> Result<(), PoolError> {
        if kind.slots() == 1 {
            around.before.op(opcode::DUP2);
        } else {
            around.before.store(kind, locals.scratch).op(opcode::DUP);
            around.before.load(kind, locals.scratch);
            around.after.load(kind, locals.scratch);
        }
        self.note_field(&mut around.after, pool, locals, kind, word, this)
    }

    /// Notes the object and the value on top of the stack, which it consumes. The recorder compares
    /// the object with `this`; where the code says they are the same, the JIT compiler leaves nothing
    /// of that.
    pub(in crate::instrument) fn note_field(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        kind: JavaType<'_>,
        word: u32,
        this: ThisLocal,
    ) -> Result<(), PoolError> {
        let (letter, taken) = flavour(kind);
        let mut parameters = vec![OBJECT_TYPE, taken];
        if this == ThisLocal::Holds {
            snippet.load_reference(0);
            parameters.push(OBJECT_TYPE);
        }
        snippet.load_reference(locals.recorder);
        snippet.push_int(word.cast_signed(), pool)?;
        parameters.extend([RECORDER_TYPE, "I"]);
        self.call(
            snippet,
            pool,
            WRITES,
            &format!("put{letter}"),
            &parameters,
            "V",
        )
    }

    /// Around a putstatic.
    pub(in crate::instrument) fn put_static(
        &mut self,
        around: &mut Around,
        pool: &mut ConstantPool,
        locals: Locals,
        kind: JavaType<'_>,
        word: u32,
    ) -> Result<(), PoolError> {
        let (letter, taken) = flavour(kind);
        around.before.op(dup(kind));
        around.after.load_reference(locals.recorder);
        around.after.push_int(word.cast_signed(), pool)?;
        let parameters = [taken, RECORDER_TYPE, "I"];
        self.call(
            &mut around.after,
            pool,
            WRITES,
            &format!("set{letter}"),
            &parameters,
            "V",
        )
    }

    /// Around an array store, whose array, index and value are on the stack.
    pub(in crate::instrument) fn array_store(
        &mut self,
        around: &mut Around,
        pool: &mut ConstantPool,
        locals: Locals,
        kind: JavaType<'_>,
    ) -> Result<(), PoolError> {
        let (mut letter, taken) = flavour(kind);
        if kind == JavaType::Char {
            letter = 'C'; // the event names the element type
        }
        around.before.store(kind, locals.scratch).op(opcode::DUP2);
        around.before.load(kind, locals.scratch);
        around
            .after
            .load(kind, locals.scratch)
            .load_reference(locals.recorder);
        let parameters = [OBJECT_TYPE, "I", taken, RECORDER_TYPE];
        self.call(
            &mut around.after,
            pool,
            WRITES,
            &format!("store{letter}"),
            &parameters,
            "V",
        )
    }
}
