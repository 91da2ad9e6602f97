//! Straight-line code to insert, built instruction by instruction.
//!
//! The builder counts the operand stack as it goes, so that the editor knows how much more
//! stack the method needs. A snippet must not jump: frames inside it would need types that
//! only an analysis could give.

use crate::bytes::Writer;
use crate::opcode::{self, Format};
use crate::{ConstantPool, PoolError};
use java_names::descriptor::JavaType;

/// Code without jumps. Methods append one instruction each and can be chained.
///
/// Reuse one with [`Snippet::clear`] where many are built: the editor copies what it is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    bytes: Vec<u8>,
    /// Slots on the stack now, relative to the start.
    depth: i32,
    deepest: i32,
}

impl Snippet {
    pub fn new() -> Self {
        Snippet::default()
    }

    /// Forgets all instructions.
    pub fn clear(&mut self) -> &mut Self {
        self.bytes.clear();
        self.depth = 0;
        self.deepest = 0;
        self
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The stack it needs on top of what is there when it starts.
    pub fn max_stack_extra(&self) -> u16 {
        u16::try_from(self.deepest).unwrap_or(u16::MAX)
    }

    /// How many slots more (or fewer) are on the stack after it than before.
    pub fn stack_change(&self) -> i32 {
        self.depth
    }

    /// An instruction without operands, such as `opcode::DUP` or `opcode::IADD`. Does nothing
    /// for opcodes that need operands.
    pub fn op(&mut self, opcode: u8) -> &mut Self {
        if opcode::format(opcode) == Some(Format::N) {
            self.bytes.put_u8(opcode);
            let (pops, pushes) = stack_effect(opcode);
            self.stack(pops, pushes);
        }
        self
    }

    /// Whatever the builder has no method for; `change` is what the bytes do to the stack.
    pub fn raw(&mut self, bytes: &[u8], change: i32) -> &mut Self {
        self.bytes.put_slice(bytes);
        self.change(change);
        self
    }

    /// All of another snippet.
    pub fn append(&mut self, other: &Snippet) -> &mut Self {
        self.bytes.put_slice(&other.bytes);
        self.deepest = self.deepest.max(self.depth + other.deepest);
        self.depth += other.depth;
        self
    }

    /// Pushes an int in the shortest way; only a large one goes into the pool.
    pub fn push_int(
        &mut self,
        value: i32,
        constants: &mut ConstantPool,
    ) -> Result<&mut Self, PoolError> {
        if let -1..=5 = value {
            self.bytes
                .put_u8((i32::from(opcode::ICONST_0) + value) as u8);
        } else if let Ok(value) = i8::try_from(value) {
            self.bytes.put_slice(&[opcode::BIPUSH, value as u8]);
        } else if let Ok(value) = i16::try_from(value) {
            self.bytes.put_u8(opcode::SIPUSH);
            self.bytes.put_u16(value as u16);
        } else {
            let index = constants.add_integer(value)?;
            return Ok(self.push_constant(index));
        }
        self.change(1);
        Ok(self)
    }

    /// Pushes a long in the shortest way.
    pub fn push_long(
        &mut self,
        value: i64,
        constants: &mut ConstantPool,
    ) -> Result<&mut Self, PoolError> {
        if let 0 | 1 = value {
            return Ok(self.op(opcode::LCONST_0 + value as u8));
        }
        if let Ok(value) = i16::try_from(value) {
            self.push_int(i32::from(value), constants)?;
            return Ok(self.op(opcode::I2L));
        }
        let index = constants.add_long(value)?;
        Ok(self.push_wide_constant(index))
    }

    /// `ldc` or `ldc_w` of an int, float, string, class or method handle.
    pub fn push_constant(&mut self, index: u16) -> &mut Self {
        match u8::try_from(index) {
            Ok(index) => self.bytes.put_slice(&[opcode::LDC, index]),
            Err(_) => {
                self.bytes.put_u8(opcode::LDC_W);
                self.bytes.put_u16(index);
            }
        }
        self.change(1)
    }

    /// `ldc2_w` of a long or double.
    pub fn push_wide_constant(&mut self, index: u16) -> &mut Self {
        self.with_constant(opcode::LDC2_W, index, 0, 2)
    }

    /// Pushes a local of that type. Nothing for `Void`.
    pub fn load(&mut self, kind: JavaType<'_>, local: u16) -> &mut Self {
        if let Some(nth) = type_order(kind) {
            self.local(opcode::ILOAD + nth, opcode::ILOAD_0 + 4 * nth, local);
            self.stack(0, kind.slots());
        }
        self
    }

    /// Pops into a local of that type. Nothing for `Void`.
    pub fn store(&mut self, kind: JavaType<'_>, local: u16) -> &mut Self {
        if let Some(nth) = type_order(kind) {
            self.local(opcode::ISTORE + nth, opcode::ISTORE_0 + 4 * nth, local);
            self.stack(kind.slots(), 0);
        }
        self
    }

    pub fn load_int(&mut self, local: u16) -> &mut Self {
        self.load(JavaType::Int, local)
    }

    pub fn store_int(&mut self, local: u16) -> &mut Self {
        self.store(JavaType::Int, local)
    }

    pub fn load_reference(&mut self, local: u16) -> &mut Self {
        self.load(JavaType::Reference(""), local)
    }

    pub fn store_reference(&mut self, local: u16) -> &mut Self {
        self.store(JavaType::Reference(""), local)
    }

    /// `iinc`.
    pub fn increment(&mut self, local: u16, by: i16) -> &mut Self {
        match (u8::try_from(local), i8::try_from(by)) {
            (Ok(local), Ok(by)) => self.bytes.put_slice(&[opcode::IINC, local, by as u8]),
            _ => {
                self.bytes.put_slice(&[opcode::WIDE, opcode::IINC]);
                self.bytes.put_u16(local);
                self.bytes.put_u16(by as u16);
            }
        }
        self
    }

    /// `pops` are the slots of the arguments, `pushes` those of the result.
    pub fn invoke_static(&mut self, index: u16, pops: u16, pushes: u16) -> &mut Self {
        self.with_constant(opcode::INVOKESTATIC, index, pops, pushes)
    }

    /// `pops` are the slots of the receiver and the arguments, `pushes` those of the result.
    pub fn invoke_virtual(&mut self, index: u16, pops: u16, pushes: u16) -> &mut Self {
        self.with_constant(opcode::INVOKEVIRTUAL, index, pops, pushes)
    }

    /// As [`Snippet::invoke_virtual`].
    pub fn invoke_special(&mut self, index: u16, pops: u16, pushes: u16) -> &mut Self {
        self.with_constant(opcode::INVOKESPECIAL, index, pops, pushes)
    }

    /// As [`Snippet::invoke_virtual`].
    pub fn invoke_interface(&mut self, index: u16, pops: u8, pushes: u16) -> &mut Self {
        self.with_constant(opcode::INVOKEINTERFACE, index, u16::from(pops), pushes);
        self.bytes.put_slice(&[pops, 0]);
        self
    }

    /// `slots` is the size of the field's type, here and below.
    pub fn get_static(&mut self, index: u16, slots: u16) -> &mut Self {
        self.with_constant(opcode::GETSTATIC, index, 0, slots)
    }

    pub fn put_static(&mut self, index: u16, slots: u16) -> &mut Self {
        self.with_constant(opcode::PUTSTATIC, index, slots, 0)
    }

    pub fn get_field(&mut self, index: u16, slots: u16) -> &mut Self {
        self.with_constant(opcode::GETFIELD, index, 1, slots)
    }

    pub fn put_field(&mut self, index: u16, slots: u16) -> &mut Self {
        self.with_constant(opcode::PUTFIELD, index, 1 + slots, 0)
    }

    pub fn check_cast(&mut self, class: u16) -> &mut Self {
        self.with_constant(opcode::CHECKCAST, class, 1, 1)
    }

    /// An instruction with a two-byte constant index that pops and then pushes so many slots.
    pub fn with_constant(&mut self, opcode: u8, index: u16, pops: u16, pushes: u16) -> &mut Self {
        self.bytes.put_u8(opcode);
        self.bytes.put_u16(index);
        self.stack(pops, pushes)
    }

    fn local(&mut self, general: u8, first_short: u8, local: u16) {
        match u8::try_from(local) {
            Ok(local @ 0..=3) => self.bytes.put_u8(first_short + local),
            Ok(local) => self.bytes.put_slice(&[general, local]),
            Err(_) => {
                self.bytes.put_slice(&[opcode::WIDE, general]);
                self.bytes.put_u16(local);
            }
        }
    }

    fn stack(&mut self, pops: u16, pushes: u16) -> &mut Self {
        self.depth -= i32::from(pops);
        self.change(i32::from(pushes))
    }

    fn change(&mut self, change: i32) -> &mut Self {
        self.depth = self.depth.saturating_add(change);
        self.deepest = self.deepest.max(self.depth);
        self
    }
}

/// Where a type stands in the order of the load and store opcodes.
fn type_order(kind: JavaType<'_>) -> Option<u8> {
    Some(match kind {
        JavaType::Void => return None,
        JavaType::Long => 1,
        JavaType::Float => 2,
        JavaType::Double => 3,
        JavaType::Reference(_) => 4,
        _ => 0,
    })
}

/// Slots popped and pushed by an instruction without operands.
pub(crate) fn stack_effect(code: u8) -> (u16, u16) {
    use crate::opcode::*;
    match code {
        ACONST_NULL..=ICONST_5 | FCONST_0..=FCONST_2 => (0, 1),
        LCONST_0 | LCONST_1 | DCONST_0 | DCONST_1 => (0, 2),
        IALOAD | FALOAD | AALOAD..=SALOAD => (2, 1),
        LALOAD | DALOAD => (2, 2),
        IASTORE | FASTORE | AASTORE..=SASTORE => (3, 0),
        LASTORE | DASTORE => (4, 0),
        POP | MONITORENTER | MONITOREXIT | ATHROW => (1, 0),
        IRETURN | FRETURN | ARETURN => (1, 0),
        POP2 | LRETURN | DRETURN => (2, 0),
        DUP => (1, 2),
        DUP_X1 => (2, 3),
        DUP_X2 => (3, 4),
        DUP2 => (2, 4),
        DUP2_X1 => (3, 5),
        DUP2_X2 => (4, 6),
        SWAP => (2, 2),
        INEG | FNEG | I2F | F2I | I2B..=I2S | ARRAYLENGTH => (1, 1),
        LNEG | DNEG | L2D | D2L => (2, 2),
        IADD..=DREM if code % 2 == IADD % 2 => (2, 1),
        IADD..=DREM => (4, 2),
        ISHL | ISHR | IUSHR | IAND | IOR | IXOR => (2, 1),
        LSHL | LSHR | LUSHR => (3, 2),
        LAND | LOR | LXOR => (4, 2),
        I2L | I2D | F2L | F2D => (1, 2),
        L2I | L2F | D2I | D2F => (2, 1),
        LCMP | DCMPL | DCMPG => (4, 1),
        FCMPL | FCMPG => (2, 1),
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_form_is_taken() {
        let mut pool = ConstantPool::new();
        let mut check = |value: i32, expected: &[u8]| {
            let mut snippet = Snippet::new();
            snippet.push_int(value, &mut pool).unwrap();
            assert_eq!(snippet.bytes(), expected);
            assert_eq!(snippet.max_stack_extra(), 1);
        };
        check(-1, &[opcode::ICONST_M1]);
        check(5, &[opcode::ICONST_5]);
        check(-128, &[opcode::BIPUSH, 0x80]);
        check(128, &[opcode::SIPUSH, 0, 128]);
        check(32768, &[opcode::LDC, 1]);

        let mut snippet = Snippet::new();
        snippet.load_int(3).store_int(4).store_int(256);
        snippet
            .increment(1, -1)
            .increment(1, 128)
            .push_constant(256);
        let expected = [
            opcode::ILOAD_3,
            opcode::ISTORE,
            4,
            opcode::WIDE,
            opcode::ISTORE,
            1,
            0,
            opcode::IINC,
            1,
            0xFF,
            opcode::WIDE,
            opcode::IINC,
            0,
            1,
            0,
            128,
            opcode::LDC_W,
            1,
            0,
        ];
        assert_eq!(snippet.bytes(), expected);
    }

    #[test]
    fn the_stack_is_counted() {
        let mut snippet = Snippet::new();
        snippet.op(opcode::POP2).op(opcode::LCONST_0);
        assert_eq!(snippet.max_stack_extra(), 0);
        snippet.load(JavaType::Double, 0).op(opcode::DUP2_X2);
        assert_eq!(snippet.max_stack_extra(), 4);
        snippet.op(opcode::DMUL).invoke_static(1, 2, 0);
        assert_eq!((snippet.max_stack_extra(), snippet.stack_change()), (4, 0));
        let copy = snippet.clone();
        snippet.op(opcode::DUP).append(&copy);
        assert_eq!(snippet.max_stack_extra(), 5);
    }
}
