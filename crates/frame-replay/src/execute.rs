//! One instruction: what stays inside the frame is done here, the rest in [`heap`](crate::heap),
//! [`invoke`](crate::invoke) and [`exceptions`](crate::exceptions).

use classfile::opcode as o;

use crate::arithmetic::{compare, idiv, irem, ishl, ishr, iushr, ldiv, lrem, lshl, lshr, lushr};
use crate::code::{MethodCode, Op, pseudo};
use crate::error::ReplayError;
use crate::exceptions::Cause;
use crate::machine::Machine;
use crate::slot::{Slot, Tag};
use crate::step::{Flow, Inside};

/// `binary!(self, pop_slot, get, push, |a, b| …)`: two operands in, one result out.
macro_rules! binary {
    ($self:ident, $pop:ident, $get:ident, $push:ident, |$a:ident, $b:ident| $result:expr) => {{
        let $b = $self.$pop().$get();
        let $a = $self.$pop().$get();
        $self.$push($result);
    }};
}

macro_rules! unary {
    ($self:ident, $pop:ident, $get:ident, $push:ident, |$a:ident| $result:expr) => {{
        let $a = $self.$pop().$get();
        $self.$push($result);
    }};
}

/// A division, which may throw.
macro_rules! divide {
    ($self:ident, $code:ident, $pop:ident, $get:ident, $push:ident, $divide:ident) => {{
        let b = $self.$pop().$get();
        let a = $self.$pop().$get();
        match $divide(a, b) {
            Some(result) => $self.$push(result),
            None => return $self.raise($code, Cause::Computed("java/lang/ArithmeticException")),
        }
    }};
}

/// A shift, whose distance is an int.
macro_rules! shift {
    ($self:ident, $pop:ident, $get:ident, $push:ident, $shift:ident) => {{
        let by = $self.pop_int();
        let a = $self.$pop().$get();
        $self.$push($shift(a, by));
    }};
}

macro_rules! jump_if {
    ($self:ident, $op:ident, $condition:expr) => {
        if $condition {
            return Inside::To($op.a as usize);
        }
    };
}

macro_rules! compare_zero {
    ($self:ident, $op:ident, $operator:tt) => {{
        let a = $self.pop_int();
        jump_if!($self, $op, a $operator 0)
    }};
}

macro_rules! compare_ints {
    ($self:ident, $op:ident, $operator:tt) => {{
        let b = $self.pop_int();
        let a = $self.pop_int();
        jump_if!($self, $op, a $operator b)
    }};
}

impl Machine<'_> {
    /// Executes an instruction that needs nothing but the frame, and cannot fail. Most do not.
    #[inline(always)]
    pub(crate) fn execute_inside(&mut self, op: Op) -> Inside {
        match op.code {
            o::NOP => {}
            o::ACONST_NULL => self.push(Tag::Reference, 0),
            pseudo::INT => self.push_int(op.b),
            pseudo::FLOAT => self.push(Tag::Float, u64::from(op.b.cast_unsigned())),
            pseudo::LONG => self.push_long(wide_bits(op).cast_signed()),
            pseudo::DOUBLE => self.push_double(f64::from_bits(wide_bits(op))),
            pseudo::LOAD => {
                let slot = self.local(op.a);
                self.push_slot(slot.at(self.state.step));
            }
            pseudo::LOAD2 => {
                let slot = self.local(op.a);
                self.push_slot(slot.at(self.state.step));
                self.push_slot(Slot::EMPTY);
            }
            pseudo::STORE => {
                let slot = self.pop();
                self.set_local(op.a, slot.at(self.state.step));
            }
            pseudo::STORE2 => {
                let slot = self.pop2();
                self.set_local(op.a + 1, Slot::EMPTY);
                self.set_local(op.a, slot.at(self.state.step));
            }
            o::IINC => {
                let number = self.local(op.a).int().wrapping_add(op.b);
                let bits = u64::from(number.cast_unsigned());
                self.set_local(op.a, Slot::new(Tag::Int, bits, self.state.step));
            }

            o::IADD => binary!(self, pop, int, push_int, |a, b| a.wrapping_add(b)),
            o::LADD => binary!(self, pop2, long, push_long, |a, b| a.wrapping_add(b)),
            o::FADD => binary!(self, pop, float, push_float, |a, b| a + b),
            o::DADD => binary!(self, pop2, double, push_double, |a, b| a + b),
            o::ISUB => binary!(self, pop, int, push_int, |a, b| a.wrapping_sub(b)),
            o::LSUB => binary!(self, pop2, long, push_long, |a, b| a.wrapping_sub(b)),
            o::FSUB => binary!(self, pop, float, push_float, |a, b| a - b),
            o::DSUB => binary!(self, pop2, double, push_double, |a, b| a - b),
            o::IMUL => binary!(self, pop, int, push_int, |a, b| a.wrapping_mul(b)),
            o::LMUL => binary!(self, pop2, long, push_long, |a, b| a.wrapping_mul(b)),
            o::FMUL => binary!(self, pop, float, push_float, |a, b| a * b),
            o::DMUL => binary!(self, pop2, double, push_double, |a, b| a * b),
            o::FDIV => binary!(self, pop, float, push_float, |a, b| a / b),
            o::DDIV => binary!(self, pop2, double, push_double, |a, b| a / b),
            o::FREM => binary!(self, pop, float, push_float, |a, b| a % b),
            o::DREM => binary!(self, pop2, double, push_double, |a, b| a % b),
            o::INEG => unary!(self, pop, int, push_int, |a| a.wrapping_neg()),
            o::LNEG => unary!(self, pop2, long, push_long, |a| a.wrapping_neg()),
            o::FNEG => unary!(self, pop, float, push_float, |a| -a),
            o::DNEG => unary!(self, pop2, double, push_double, |a| -a),
            o::ISHL => shift!(self, pop, int, push_int, ishl),
            o::LSHL => shift!(self, pop2, long, push_long, lshl),
            o::ISHR => shift!(self, pop, int, push_int, ishr),
            o::LSHR => shift!(self, pop2, long, push_long, lshr),
            o::IUSHR => shift!(self, pop, int, push_int, iushr),
            o::LUSHR => shift!(self, pop2, long, push_long, lushr),
            o::IAND => binary!(self, pop, int, push_int, |a, b| a & b),
            o::LAND => binary!(self, pop2, long, push_long, |a, b| a & b),
            o::IOR => binary!(self, pop, int, push_int, |a, b| a | b),
            o::LOR => binary!(self, pop2, long, push_long, |a, b| a | b),
            o::IXOR => binary!(self, pop, int, push_int, |a, b| a ^ b),
            o::LXOR => binary!(self, pop2, long, push_long, |a, b| a ^ b),

            o::I2L => unary!(self, pop, int, push_long, |a| i64::from(a)),
            o::I2F => unary!(self, pop, int, push_float, |a| a as f32),
            o::I2D => unary!(self, pop, int, push_double, |a| f64::from(a)),
            o::L2I => unary!(self, pop2, long, push_int, |a| a as i32),
            o::L2F => unary!(self, pop2, long, push_float, |a| a as f32),
            o::L2D => unary!(self, pop2, long, push_double, |a| a as f64),
            o::F2I => unary!(self, pop, float, push_int, |a| a as i32),
            o::F2L => unary!(self, pop, float, push_long, |a| a as i64),
            o::F2D => unary!(self, pop, float, push_double, |a| f64::from(a)),
            o::D2I => unary!(self, pop2, double, push_int, |a| a as i32),
            o::D2L => unary!(self, pop2, double, push_long, |a| a as i64),
            o::D2F => unary!(self, pop2, double, push_float, |a| a as f32),
            o::I2B => unary!(self, pop, int, push_int, |a| i32::from(a as i8)),
            o::I2C => unary!(self, pop, int, push_int, |a| i32::from(a as u16)),
            o::I2S => unary!(self, pop, int, push_int, |a| i32::from(a as i16)),
            o::LCMP => binary!(self, pop2, long, push_int, |a, b| compare(a, b, 0)),
            o::FCMPL => binary!(self, pop, float, push_int, |a, b| compare(a, b, -1)),
            o::FCMPG => binary!(self, pop, float, push_int, |a, b| compare(a, b, 1)),
            o::DCMPL => binary!(self, pop2, double, push_int, |a, b| compare(a, b, -1)),
            o::DCMPG => binary!(self, pop2, double, push_int, |a, b| compare(a, b, 1)),

            o::IFEQ => compare_zero!(self, op, ==),
            o::IFNE => compare_zero!(self, op, !=),
            o::IFLT => compare_zero!(self, op, <),
            o::IFGE => compare_zero!(self, op, >=),
            o::IFGT => compare_zero!(self, op, >),
            o::IFLE => compare_zero!(self, op, <=),
            o::IF_ICMPEQ => compare_ints!(self, op, ==),
            o::IF_ICMPNE => compare_ints!(self, op, !=),
            o::IF_ICMPLT => compare_ints!(self, op, <),
            o::IF_ICMPGE => compare_ints!(self, op, >=),
            o::IF_ICMPGT => compare_ints!(self, op, >),
            o::IF_ICMPLE => compare_ints!(self, op, <=),
            o::IFNULL => jump_if!(self, op, self.pop().is_null()),
            o::IFNONNULL => jump_if!(self, op, !self.pop().is_null()),
            o::GOTO | o::GOTO_W => return Inside::To(op.a as usize),
            o::JSR | o::JSR_W => {
                self.push(Tag::ReturnAddress, self.state.at as u64 + 1);
                return Inside::To(op.a as usize);
            }
            o::RET => return Inside::To(self.local(op.a).bits() as usize),
            o::POP => self.drop_slots(1),
            o::POP2 => self.drop_slots(2),
            o::DUP..=o::SWAP => self.shuffle(op.code),

            _ => return Inside::No,
        }
        Inside::On
    }

    /// Executes one of the others.
    pub(crate) fn execute(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        match op.code {
            pseudo::CONSTANT => return self.push_constant(code, op),
            pseudo::DYNAMIC => return self.push_dynamic(code, op),
            o::IDIV => divide!(self, code, pop, int, push_int, idiv),
            o::LDIV => divide!(self, code, pop2, long, push_long, ldiv),
            o::IREM => divide!(self, code, pop, int, push_int, irem),
            o::LREM => divide!(self, code, pop2, long, push_long, lrem),
            o::IF_ACMPEQ | o::IF_ACMPNE => {
                let (b, a) = (self.pop(), self.pop());
                let same = self.is_same(code, a, b)?;
                if same == (op.code == o::IF_ACMPEQ) {
                    return Ok(Flow::To(op.a as usize));
                }
            }
            o::TABLESWITCH | o::LOOKUPSWITCH => {
                let key = self.pop_int();
                return Ok(Flow::To(code.switches[op.a as usize].target(key) as usize));
            }

            o::IRETURN..=o::RETURN => return self.returns(code),
            o::ATHROW => return self.throws(code),
            o::INVOKEVIRTUAL..=o::INVOKEDYNAMIC => return self.invoke(code, op),
            o::IALOAD..=o::SALOAD => return self.load_element(code, op),
            o::IASTORE..=o::SASTORE => return self.store_element(code, op),
            o::GETFIELD => return self.get_field(code, op),
            o::GETSTATIC => return self.get_static(code, op),
            o::PUTFIELD => return self.put_field(code, op),
            o::PUTSTATIC => return self.put_static(code, op),
            o::NEW => return self.new_object(code, op),
            o::NEWARRAY | o::ANEWARRAY => return self.new_array(code, op),
            o::MULTIANEWARRAY => return self.new_arrays(code, op),
            o::ARRAYLENGTH => return self.array_length(code),
            o::CHECKCAST => return self.check_cast(code, op),
            o::INSTANCEOF => return self.instance_of(code, op),
            o::MONITORENTER | o::MONITOREXIT => {
                if self.pop().is_null() {
                    return self.raise(code, Cause::NULL);
                }
            }
            _ => return Err(self.bad_operation(op)),
        }
        Ok(self.on())
    }

    /// `dup` and its kin move slots as they are: whoever wrote them stays their origin.
    fn shuffle(&mut self, code: u8) {
        // How many slots are copied, and how many they jump over.
        let (count, over) = match code {
            o::DUP => (1, 0),
            o::DUP_X1 => (1, 1),
            o::DUP_X2 => (1, 2),
            o::DUP2 => (2, 0),
            o::DUP2_X1 => (2, 1),
            o::DUP2_X2 => (2, 2),
            _ => {
                let (b, a) = (self.pop(), self.pop());
                self.push_slot(b);
                self.push_slot(a);
                return;
            }
        };
        let mut moved = [Slot::EMPTY; 4];
        let taken = count + over;
        for at in (0..taken).rev() {
            moved[at] = self.pop();
        }
        for slot in &moved[over..taken] {
            self.push_slot(*slot);
        }
        for slot in &moved[..taken] {
            self.push_slot(*slot);
        }
    }
}

fn wide_bits(op: Op) -> u64 {
    u64::from(op.b.cast_unsigned()) << 32 | u64::from(op.a)
}
