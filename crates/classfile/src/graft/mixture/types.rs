//! What locals and stack hold at each instruction of a mixture, as the verifier sees it.
//!
//! Types flow along the code from the method's parameters. Where two ways meet with different classes, the frames that
//! the compiler left in either version tell what is common to them; what they do not tell is an `Object`. A JVM
//! verifies what comes of it.

use java_names::descriptor::{self, JavaType};

use super::sequence::Sequence;
use super::slots::{Hint, kind_of, types_to_slots};
use crate::graft::GraftError;
use crate::{
    ClassFile, Constant, Instruction, Method, Operand, ParseError, VerificationType, opcode,
};

use VerificationType::{
    Double, Float, Integer, Long, Null, Object, Top, Uninitialized, UninitializedThis,
};

/// By slots: what takes two is followed by [`Top`]. A new object goes by the number of the instruction that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub(super) locals: Vec<VerificationType>,
    pub(super) stack: Vec<VerificationType>,
}

/// What the method's locals hold when it starts.
pub(super) fn at_start(
    class: &mut ClassFile,
    method: &Method,
) -> Result<Vec<VerificationType>, GraftError> {
    let descriptor = class.method_descriptor(method)?.into_owned();
    let receiver = match (method.access.is_static(), &*class.method_name(method)?) {
        (true, _) => None,
        (false, "<init>") => Some(UninitializedThis),
        (false, _) => Some(Object(class.this_class)),
    };
    crate::stack_map::initial_locals(receiver, &descriptor, |name| {
        Ok::<u16, GraftError>(class.constants.add_class(name)?)
    })
}

pub(super) struct Inference {
    /// Before each instruction; `None` if it is never reached.
    pub(super) states: Vec<Option<State>>,
    pub(super) max_stack: u16,
}

/// The kinds of value in the order of the instruction set.
const KINDS: [VerificationType; 4] = [Integer, Long, Float, Double];

impl Inference {
    pub(super) fn of(
        class: &mut ClassFile,
        initial: &[VerificationType],
        sequence: &Sequence,
    ) -> Result<Inference, GraftError> {
        let mut locals = types_to_slots(initial);
        locals.resize(usize::from(sequence.max_locals), Top);
        let mut inference = Inference {
            states: vec![None; sequence.steps.len()],
            max_stack: 0,
        };
        let object = class.constants.add_class("java/lang/Object")?;
        let throwable = class.constants.add_class("java/lang/Throwable")?;
        let start = State {
            locals,
            stack: Vec::new(),
        };
        let mut open = vec![(0, start)];
        while let Some((at, state)) = open.pop() {
            let Some(step) = sequence.steps.get(at) else {
                return Err(GraftError::Mixture("control leaves the code"));
            };
            let depth = u16::try_from(state.stack.len()).unwrap_or(u16::MAX);
            inference.max_stack = inference.max_stack.max(depth);
            let known = inference.states[at].take();
            let merged = match &known {
                None => state,
                Some(known) => merged(known, &state, &step.hints, object)?,
            };
            let is_known = known.as_ref() == Some(&merged);
            inference.states[at] = Some(merged.clone());
            if is_known {
                continue;
            }
            for &number in &step.covered {
                let handler = &sequence.handlers[number];
                let thrown = match handler.catch_type {
                    0 => throwable,
                    class => class,
                };
                let state = State {
                    locals: merged.locals.clone(),
                    stack: vec![Object(thrown)],
                };
                open.push((handler.target, state));
            }
            let mut machine = Machine {
                class,
                state: merged,
                sequence,
            };
            machine.step(at, &step.instruction)?;
            let after = machine.state;
            for &target in &step.targets {
                open.push((target, after.clone()));
            }
            if step.instruction.falls_through() {
                open.push((at + 1, after));
            }
        }
        // Nothing is pushed without being seen by the next instruction, but for what ends the method.
        Ok(inference)
    }
}

/// What is known where two ways meet.
fn merged(one: &State, other: &State, hints: &[Hint], object: u16) -> Result<State, GraftError> {
    if one.stack.len() != other.stack.len() {
        return Err(GraftError::Mixture("the stack has another height"));
    }
    let merge = |one: &[VerificationType],
                 other: &[VerificationType],
                 hint: &dyn Fn(&Hint) -> Vec<VerificationType>| {
        let hints: Vec<Vec<VerificationType>> = hints.iter().map(hint).collect();
        let pairs = one.iter().zip(other).enumerate();
        let merged = pairs.map(|(at, (&one, &other))| {
            let told = hints.iter().filter_map(|hint| hint.get(at).copied());
            common(one, other, told, object)
        });
        merged.collect::<Vec<_>>()
    };
    Ok(State {
        locals: merge(&one.locals, &other.locals, &|hint| hint.locals.clone()),
        stack: merge(&one.stack, &other.stack, &|hint| hint.stack.clone()),
    })
}

fn common(
    one: VerificationType,
    other: VerificationType,
    told: impl Iterator<Item = VerificationType>,
    object: u16,
) -> VerificationType {
    let is_made = |kind: VerificationType| matches!(kind, Null | Object(_));
    match (one, other) {
        _ if one == other => one,
        (Null, Object(_)) => other,
        (Object(_), Null) => one,
        _ if is_made(one) && is_made(other) => {
            let mut told = told.filter(|kind| matches!(kind, Object(_)));
            let first = told.next();
            // What was agreed upon before stays, so that this comes to an end.
            match first.into_iter().chain(told).find(|kind| *kind == one) {
                Some(known) => known,
                None if one == Object(object) => one,
                None => first.unwrap_or(Object(object)),
            }
        }
        _ => Top,
    }
}

/// Executes instructions on types.
struct Machine<'m> {
    class: &'m mut ClassFile,
    state: State,
    sequence: &'m Sequence,
}

impl Machine<'_> {
    fn push(&mut self, kind: VerificationType) {
        self.state.stack.push(kind);
        if kind.slots() == 2 {
            self.state.stack.push(Top);
        }
    }

    fn pop(&mut self, slots: usize) -> Result<(), GraftError> {
        let left = self.state.stack.len().checked_sub(slots);
        let left = left.ok_or(GraftError::Mixture("the stack is empty"))?;
        self.state.stack.truncate(left);
        Ok(())
    }

    fn top(&self, below: usize) -> Result<VerificationType, GraftError> {
        let stack = &self.state.stack;
        let at = stack.len().checked_sub(below + 1);
        at.map(|at| stack[at])
            .ok_or(GraftError::Mixture("the stack is empty"))
    }

    /// Pops so many slots and pushes something.
    fn becomes(&mut self, slots: usize, kind: VerificationType) -> Result<(), GraftError> {
        self.pop(slots)?;
        self.push(kind);
        Ok(())
    }

    fn object(&mut self, name: &str) -> Result<VerificationType, GraftError> {
        Ok(Object(self.class.constants.add_class(name)?))
    }

    fn of_descriptor(
        &mut self,
        kind: JavaType<'_>,
    ) -> Result<Option<VerificationType>, GraftError> {
        Ok(Some(match kind {
            JavaType::Void => return Ok(None),
            JavaType::Float => Float,
            JavaType::Long => Long,
            JavaType::Double => Double,
            other => match other.class_name() {
                Some(name) => self.object(name)?,
                None => Integer,
            },
        }))
    }

    fn step(&mut self, at: usize, instruction: &Instruction) -> Result<(), GraftError> {
        let code = instruction.opcode;
        match code {
            opcode::NOP | opcode::IINC | opcode::GOTO | opcode::GOTO_W => {}
            opcode::INEG..=opcode::DNEG | opcode::I2B..=opcode::I2S => {}
            opcode::ACONST_NULL => self.push(Null),
            opcode::ICONST_M1..=opcode::ICONST_5 | opcode::BIPUSH | opcode::SIPUSH => {
                self.push(Integer)
            }
            opcode::LCONST_0 | opcode::LCONST_1 => self.push(Long),
            opcode::FCONST_0..=opcode::FCONST_2 => self.push(Float),
            opcode::DCONST_0 | opcode::DCONST_1 => self.push(Double),
            opcode::LDC..=opcode::LDC2_W => self.load_constant(instruction)?,
            opcode::ILOAD..=opcode::ALOAD_3 => self.load(instruction)?,
            opcode::AALOAD => self.load_element()?,
            opcode::LALOAD => self.becomes(2, Long)?,
            opcode::FALOAD => self.becomes(2, Float)?,
            opcode::DALOAD => self.becomes(2, Double)?,
            opcode::IALOAD | opcode::BALOAD..=opcode::SALOAD => self.becomes(2, Integer)?,
            opcode::ISTORE..=opcode::ASTORE_3 => self.store(instruction)?,
            opcode::LASTORE | opcode::DASTORE => self.pop(4)?,
            opcode::IASTORE..=opcode::SASTORE => self.pop(3)?,
            opcode::POP..=opcode::SWAP => self.shuffle(code)?,
            opcode::IADD..=opcode::DREM => {
                let kind = KINDS[usize::from((code - opcode::IADD) % 4)];
                self.becomes(2 * usize::from(kind.slots()), kind)?;
            }
            opcode::LSHL | opcode::LSHR | opcode::LUSHR => self.becomes(3, Long)?,
            opcode::LAND | opcode::LOR | opcode::LXOR => self.becomes(4, Long)?,
            opcode::ISHL..=opcode::IXOR => self.becomes(2, Integer)?,
            opcode::I2L | opcode::F2L => self.becomes(1, Long)?,
            opcode::I2F => self.becomes(1, Float)?,
            opcode::I2D | opcode::F2D => self.becomes(1, Double)?,
            opcode::L2I | opcode::D2I => self.becomes(2, Integer)?,
            opcode::L2F | opcode::D2F => self.becomes(2, Float)?,
            opcode::L2D => self.becomes(2, Double)?,
            opcode::D2L => self.becomes(2, Long)?,
            opcode::F2I => self.becomes(1, Integer)?,
            opcode::LCMP | opcode::DCMPL | opcode::DCMPG => self.becomes(4, Integer)?,
            opcode::FCMPL | opcode::FCMPG => self.becomes(2, Integer)?,
            opcode::IFEQ..=opcode::IFLE | opcode::IFNULL | opcode::IFNONNULL => self.pop(1)?,
            opcode::IF_ICMPEQ..=opcode::IF_ACMPNE => self.pop(2)?,
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => self.pop(1)?,
            opcode::IRETURN..=opcode::RETURN | opcode::ATHROW => {}
            opcode::MONITORENTER | opcode::MONITOREXIT => self.pop(1)?,
            opcode::GETSTATIC..=opcode::PUTFIELD => self.field(instruction)?,
            opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => self.invoke(instruction)?,
            opcode::NEW => {
                let made = u16::try_from(at).map_err(|_| GraftError::Mixture("it is too long"))?;
                self.push(Uninitialized(made));
            }
            opcode::NEWARRAY..=opcode::INSTANCEOF | opcode::MULTIANEWARRAY => {
                self.array_or_cast(instruction)?
            }
            _ => return Err(GraftError::Mixture("it has subroutines")),
        }
        Ok(())
    }

    fn load_constant(&mut self, instruction: &Instruction) -> Result<(), GraftError> {
        let index = instruction.cp_index().unwrap_or_default();
        let kind = match self.class.constants.get(index)? {
            Constant::Integer(_) => Integer,
            Constant::Float(_) => Float,
            Constant::Long(_) => Long,
            Constant::Double(_) => Double,
            Constant::Class { .. } => self.object("java/lang/Class")?,
            Constant::MethodType { .. } => self.object("java/lang/invoke/MethodType")?,
            Constant::MethodHandle { .. } => self.object("java/lang/invoke/MethodHandle")?,
            Constant::Dynamic { name_and_type, .. } => {
                let (_, descriptor) = self.class.constants.name_and_type(name_and_type)?;
                let descriptor = descriptor.into_owned();
                let kind = descriptor::parse_field(&descriptor).map_err(ParseError::from)?;
                self.of_descriptor(kind)?.unwrap_or(Top)
            }
            _ => self.object("java/lang/String")?,
        };
        self.push(kind);
        Ok(())
    }

    fn load(&mut self, instruction: &Instruction) -> Result<(), GraftError> {
        let local = usize::from(instruction.local_index().unwrap_or_default());
        let held = self.state.locals.get(local).copied().unwrap_or(Top);
        let wanted = instruction.name().chars().next();
        if held == Top || Some(kind_of(held)) != wanted {
            return Err(GraftError::Mixture("a local holds something else"));
        }
        self.push(held);
        Ok(())
    }

    fn store(&mut self, instruction: &Instruction) -> Result<(), GraftError> {
        let local = usize::from(instruction.local_index().unwrap_or_default());
        let kind = match instruction.name().chars().next() {
            Some('i') => Integer,
            Some('l') => Long,
            Some('f') => Float,
            Some('d') => Double,
            _ => self.top(0)?,
        };
        self.pop(usize::from(kind.slots()))?;
        let locals = &mut self.state.locals;
        if local + usize::from(kind.slots()) > locals.len() {
            return Err(GraftError::Mixture("there is no such local"));
        }
        // Half of what took two slots is nothing.
        if local > 0 && locals[local - 1].slots() == 2 {
            locals[local - 1] = Top;
        }
        locals[local] = kind;
        if kind.slots() == 2 {
            locals[local + 1] = Top;
        }
        Ok(())
    }

    fn load_element(&mut self) -> Result<(), GraftError> {
        let element = match self.top(1)? {
            Object(array) => {
                let name = self.class.constants.class_name(array)?.into_owned();
                let element = name.strip_prefix('[');
                let element = element.ok_or(GraftError::Mixture("no array is read"))?;
                let inside = element
                    .strip_prefix('L')
                    .and_then(|one| one.strip_suffix(';'));
                self.object(inside.unwrap_or(element))?
            }
            other => other,
        };
        self.becomes(2, element)
    }

    /// Everything but loads and stores that only moves what is on the stack.
    fn shuffle(&mut self, code: u8) -> Result<(), GraftError> {
        let (count, below) = match code {
            opcode::POP => return self.pop(1),
            opcode::POP2 => return self.pop(2),
            opcode::SWAP => {
                let (top, next) = (self.top(0)?, self.top(1)?);
                self.pop(2)?;
                self.state.stack.extend([top, next]);
                return Ok(());
            }
            opcode::DUP => (1, 0),
            opcode::DUP_X1 => (1, 1),
            opcode::DUP_X2 => (1, 2),
            opcode::DUP2 => (2, 0),
            opcode::DUP2_X1 => (2, 1),
            _ => (2, 2),
        };
        let stack = &mut self.state.stack;
        let from = stack.len().checked_sub(count + below);
        let from = from.ok_or(GraftError::Mixture("the stack is empty"))?;
        let copied: Vec<VerificationType> = stack[from + below..].to_vec();
        stack.splice(from..from, copied);
        Ok(())
    }

    fn field(&mut self, instruction: &Instruction) -> Result<(), GraftError> {
        let index = instruction.cp_index().unwrap_or_default();
        let descriptor = self
            .class
            .constants
            .member_ref(index)?
            .descriptor
            .into_owned();
        let kind = descriptor::parse_field(&descriptor).map_err(ParseError::from)?;
        let kind = self.of_descriptor(kind)?.unwrap_or(Top);
        let slots = usize::from(kind.slots());
        match instruction.opcode {
            opcode::GETSTATIC => self.push(kind),
            opcode::PUTSTATIC => self.pop(slots)?,
            opcode::GETFIELD => self.becomes(1, kind)?,
            _ => self.pop(slots + 1)?,
        }
        Ok(())
    }

    fn invoke(&mut self, instruction: &Instruction) -> Result<(), GraftError> {
        let index = instruction.cp_index().unwrap_or_default();
        let constants = &self.class.constants;
        let (name, descriptor) = match constants.get(index)? {
            Constant::InvokeDynamic { name_and_type, .. } => {
                constants.name_and_type(name_and_type)?
            }
            _ => {
                let member = constants.member_ref(index)?;
                (member.name, member.descriptor)
            }
        };
        let (name, descriptor) = (name.into_owned(), descriptor.into_owned());
        let method = descriptor::parse_method(&descriptor).map_err(ParseError::from)?;
        self.pop(method.parameter_slots() as usize)?;
        if !matches!(
            instruction.opcode,
            opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC
        ) {
            let receiver = self.top(0)?;
            self.pop(1)?;
            if name == "<init>" {
                self.initialise(receiver)?;
            }
        }
        if let Some(kind) = self.of_descriptor(method.result)? {
            self.push(kind);
        }
        Ok(())
    }

    /// What was only made is an object from now on, wherever it is held.
    fn initialise(&mut self, made: VerificationType) -> Result<(), GraftError> {
        let class = match made {
            UninitializedThis => self.class.this_class,
            Uninitialized(at) => {
                let new = self.sequence.steps.get(usize::from(at));
                new.and_then(|step| step.instruction.cp_index())
                    .unwrap_or_default()
            }
            _ => return Err(GraftError::Mixture("an object is initialised twice")),
        };
        let State { locals, stack } = &mut self.state;
        for held in locals.iter_mut().chain(stack) {
            if *held == made {
                *held = Object(class);
            }
        }
        Ok(())
    }

    fn array_or_cast(&mut self, instruction: &Instruction) -> Result<(), GraftError> {
        match (&instruction.operand, instruction.opcode) {
            (_, opcode::ARRAYLENGTH | opcode::INSTANCEOF) => self.becomes(1, Integer),
            (Operand::ArrayType(kind), _) => {
                const LETTERS: &[u8] = b"ZCFDBSIJ";
                let letter = LETTERS.get(usize::from(kind.wrapping_sub(4)));
                let letter = letter.ok_or(GraftError::Mixture("no such array"))?;
                let array = self.object(&format!("[{}", char::from(*letter)))?;
                self.becomes(1, array)
            }
            (Operand::Constant(class), opcode::ANEWARRAY) => {
                let name = self.class.constants.class_name(*class)?.into_owned();
                let array = match name.starts_with('[') {
                    true => format!("[{name}"),
                    false => format!("[L{name};"),
                };
                let array = self.object(&array)?;
                self.becomes(1, array)
            }
            (Operand::Constant(class), _) => self.becomes(1, Object(*class)),
            (Operand::MultiArray { class, dimensions }, _) => {
                self.becomes(usize::from(*dimensions), Object(*class))
            }
            _ => Err(GraftError::Mixture("no such instruction")),
        }
    }
}
