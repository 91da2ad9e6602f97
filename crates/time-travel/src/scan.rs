//! Whether a call can be hit by a breakpoint at lines, told by executing it and nothing else: no event is made, and no
//! variable is looked up but those that the condition names. Most calls of a long run are passed over by that.

use std::collections::HashMap;
use std::ops::ControlFlow;

use frame_replay::{Datum, MethodCode, Runner, Slot};
use java_model::shown;
use trace_format::{MethodId, Value};
use trace_store::CallId;

use crate::arithmetic;
use crate::breakpoint::{Breakpoint, BreakpointKind};
use crate::expression::Expression;
use crate::stepping::Traveller;
use crate::syntax::{BinaryOperator, Literal, Node, UnaryOperator};

/// So many instructions are executed between two looks at the clock.
const BETWEEN_LOOKS: u32 = 1 << 14;

/// See the module's header.
pub(crate) struct Scan<'run> {
    traveller: Traveller<'run>,
    runner: Runner<'run>,
    methods: HashMap<MethodId, Watched>,
}

/// A method, as far as a breakpoint is about it.
struct Watched {
    instructions: Vec<WatchedInstruction>,
}

#[derive(Default)]
struct WatchedInstruction {
    line: Option<u16>,
    starts_line: bool,
    /// What has to hold where control comes to it as to a line; `None` where the breakpoint is not.
    condition: Option<Test>,
}

/// A condition on slots.
enum Test {
    /// Whether it holds is told by who can look more up.
    Perhaps,
    Holds(Operation),
}

enum Operation {
    Constant(Value),
    Local { slot: usize, descriptor: String },
    Unary(UnaryOperator, Box<Operation>),
    Binary(BinaryOperator, Box<Operation>, Box<Operation>),
    Conditional(Box<Operation>, Box<Operation>, Box<Operation>),
}

impl<'run> Scan<'run> {
    /// `None` for a breakpoint that is not about lines.
    pub(crate) fn of(traveller: Traveller<'run>, breakpoint: &Breakpoint) -> Option<Self> {
        let run = traveller.run();
        let methods: Vec<MethodId> = match breakpoint.kind() {
            BreakpointKind::Line { methods, .. } => methods.clone(),
            BreakpointKind::Instructions(places) => places.iter().map(|place| place.0).collect(),
            _ => return None,
        };
        let watched = methods.into_iter().filter_map(|method| {
            let code = run.program().code(run.trace(), method).ok()?;
            Some((method, Watched::of(code, breakpoint)))
        });
        Some(Scan {
            traveller,
            runner: Runner::new(run.trace(), run.program()),
            methods: watched.collect(),
        })
    }

    /// Whether a call may be hit. One that cannot be executed again may be, and one that takes too long.
    pub(crate) fn may_hit(&mut self, call: CallId, mut is_over: impl FnMut() -> bool) -> bool {
        let Some(calls) = self.traveller.calls(call.thread) else {
            return true;
        };
        let Some(watched) = self.methods.get(&calls.method(call.index)) else {
            return true;
        };
        let (mut line, mut before, mut steps) = (None, None, 0_u32);
        let mut may_hit = false;
        let run = self.runner.run_shown(call, |at, locals| {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(BETWEEN_LOOKS) && is_over() {
                may_hit = true;
            }
            let Some(instruction) = watched.instructions.get(at) else {
                return ControlFlow::Continue(());
            };
            // As the walk by events tells that control comes to a line.
            let again = before.is_some_and(|before| at <= before) && instruction.starts_line;
            before = Some(at);
            if instruction.line.is_some() && (again || instruction.line != line) {
                line = instruction.line;
                may_hit |= match &instruction.condition {
                    None => false,
                    Some(test) => test.may_hold(locals),
                };
            }
            match may_hit {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        may_hit || run.is_err()
    }
}

impl Watched {
    fn of(code: &MethodCode, breakpoint: &Breakpoint) -> Watched {
        let is_watched = |at: usize, offset: u32| match breakpoint.kind() {
            BreakpointKind::Line { line, .. } => code.line(at).map(u32::from) == Some(*line),
            BreakpointKind::Instructions(places) => {
                places.binary_search(&(code.method(), offset)).is_ok()
            }
            _ => false,
        };
        let instructions = code.instructions().iter().enumerate();
        let watched = instructions.map(|(at, instruction)| WatchedInstruction {
            line: code.line(at),
            starts_line: code.starts_line(at),
            condition: is_watched(at, instruction.pc)
                .then(|| Test::of(code, instruction.pc, breakpoint.condition.as_ref())),
        });
        Watched {
            instructions: watched.collect(),
        }
    }
}

impl Test {
    fn of(code: &MethodCode, offset: u32, condition: Option<&Expression>) -> Test {
        let operation = condition.and_then(|it| Operation::of(code, offset, it.root()));
        operation.map_or(Test::Perhaps, Test::Holds)
    }

    fn may_hold(&self, locals: &[Slot]) -> bool {
        match self {
            Test::Perhaps => true,
            // What cannot be told from the slots alone may hold.
            Test::Holds(operation) => {
                let value = operation.value(locals);
                value.is_none_or(|value| value == Value::Boolean(true))
            }
        }
    }
}

impl Operation {
    /// An expression that needs nothing but local variables; `None` for others.
    fn of(code: &MethodCode, offset: u32, node: &Node) -> Option<Operation> {
        let part = |node: &Node| Some(Box::new(Operation::of(code, offset, node)?));
        Some(match node {
            Node::Literal(literal) => Operation::Constant(constant(literal)?),
            Node::Name(name) => {
                let in_scope = code.local_names().iter().filter(|local| {
                    local.name == *name && local.start <= offset && offset < local.end
                });
                // Of two with one name, the one that is looked up as well.
                let local = in_scope.max_by_key(|local| local.slot)?;
                Operation::Local {
                    slot: usize::from(local.slot),
                    descriptor: local.descriptor.clone(),
                }
            }
            Node::Unary(operator, operand) => Operation::Unary(*operator, part(operand)?),
            Node::Binary(operator, left, right) => {
                Operation::Binary(*operator, part(left)?, part(right)?)
            }
            Node::Conditional(condition, yes, no) => {
                Operation::Conditional(part(condition)?, part(yes)?, part(no)?)
            }
            _ => return None,
        })
    }

    /// `None` where the slots alone do not tell.
    fn value(&self, locals: &[Slot]) -> Option<Value> {
        match self {
            Operation::Constant(value) => Some(*value),
            Operation::Local { slot, descriptor } => match locals.get(*slot)?.datum() {
                Datum::Value(value) => Some(shown::typed(value, descriptor)),
                _ => None,
            },
            Operation::Unary(operator, operand) => {
                arithmetic::unary(*operator, operand.value(locals)?)
            }
            Operation::Binary(operator, left, right) => {
                let left = left.value(locals)?;
                if let (BinaryOperator::And, Value::Boolean(false))
                | (BinaryOperator::Or, Value::Boolean(true)) = (*operator, left)
                {
                    return Some(left);
                }
                let right = right.value(locals)?;
                if let (Value::Ref(left), Value::Ref(right)) = (left, right) {
                    return match operator {
                        BinaryOperator::Equal => Some(Value::Boolean(left == right)),
                        BinaryOperator::NotEqual => Some(Value::Boolean(left != right)),
                        _ => None,
                    };
                }
                arithmetic::binary(*operator, left, right).ok().flatten()
            }
            Operation::Conditional(condition, yes, no) => match condition.value(locals)? {
                Value::Boolean(true) => yes.value(locals),
                Value::Boolean(false) => no.value(locals),
                _ => None,
            },
        }
    }
}

fn constant(literal: &Literal) -> Option<Value> {
    Some(match literal {
        Literal::Null => Value::NULL,
        Literal::Boolean(value) => Value::Boolean(*value),
        Literal::Char(unit) => Value::Char(*unit),
        Literal::Int(value) => Value::Int(*value),
        Literal::Long(value) => Value::Long(*value),
        Literal::Float(value) => Value::Float(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::Text(_) => return None,
    })
}
