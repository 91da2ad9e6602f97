//! A breakpoint's condition, made ready for very many executions: what it names is looked up once, in the code, and is
//! then found by number, in the slots of a frame and in the fields of its `this`.

use frame_replay::{Datum, MethodCode, Slot, Watched};
use java_model::run::JavaRun;
use java_model::shown;
use trace_format::symbol::FieldSymbol;
use trace_format::{EventPosition, FieldId, ThreadNumber, Value};
use trace_store::ObjectSlot;

use crate::arithmetic;
use crate::expression::Expression;
use crate::syntax::{BinaryOperator, Literal, Node, UnaryOperator};

/// What has to hold.
pub(crate) enum Test {
    /// Whether it does is told by who can look more up.
    Perhaps,
    Always,
    Holds(Operation),
}

pub(crate) enum Operation {
    Constant(Value),
    Local {
        slot: usize,
        descriptor: String,
    },
    /// A field of what a slot holds.
    Field {
        slot: usize,
        field: FieldId,
    },
    Unary(UnaryOperator, Box<Operation>),
    Binary(BinaryOperator, Box<Operation>, Box<Operation>),
    Conditional(Box<Operation>, Box<Operation>, Box<Operation>),
}

/// Where it is asked whether it holds.
pub(crate) struct At<'run, 'here> {
    run: &'run JavaRun,
    thread: ThreadNumber,
    locals: &'here [Slot],
    position: EventPosition,
}

impl<'run, 'here> At<'run, 'here> {
    pub(crate) fn of(run: &'run JavaRun, thread: ThreadNumber, here: &Watched<'here>) -> Self {
        At {
            run,
            thread,
            locals: here.locals,
            position: here.position,
        }
    }

    /// `None` if that is not known.
    fn field(&self, slot: usize, field: FieldId) -> Option<Value> {
        let object = self.locals.get(slot)?.object()?;
        let time = shown::time(self.run, self.thread, self.position);
        let found = self
            .run
            .trace()
            .slot_at(object, ObjectSlot::Field(field), time);
        Some(self.run.read(found)??.value)
    }
}

impl Test {
    pub(crate) fn of(
        run: &JavaRun,
        code: &MethodCode,
        offset: u32,
        condition: Option<&Expression>,
    ) -> Test {
        let Some(condition) = condition else {
            return Test::Always;
        };
        let operation = Operation::of(run, code, offset, condition.root());
        operation.map_or(Test::Perhaps, Test::Holds)
    }

    /// `None` where that cannot be told here.
    pub(crate) fn holds(&self, at: &At<'_, '_>) -> Option<bool> {
        match self {
            Test::Perhaps => None,
            Test::Always => Some(true),
            Test::Holds(operation) => {
                let value = operation.value(at)?;
                Some(value == Value::Boolean(true))
            }
        }
    }
}

impl Operation {
    /// An expression that needs nothing but local variables and fields of `this`; `None` for others.
    fn of(run: &JavaRun, code: &MethodCode, offset: u32, node: &Node) -> Option<Operation> {
        let part = |node: &Node| Some(Box::new(Operation::of(run, code, offset, node)?));
        Some(match node {
            Node::Literal(literal) => Operation::Constant(constant(literal)?),
            Node::Name(name) => {
                let mut named = code
                    .local_names()
                    .iter()
                    .filter(|local| local.name == *name);
                if named.next().is_none() {
                    return field_of_this(run, code, offset, name);
                }
                Operation::local(code, offset, name)?
            }
            Node::Field(whole, name) if **whole == Node::Name("this".to_owned()) => {
                field_of_this(run, code, offset, name)?
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

    fn local(code: &MethodCode, offset: u32, name: &str) -> Option<Operation> {
        let in_scope = code
            .local_names()
            .iter()
            .filter(|local| local.name == *name && local.start <= offset && offset < local.end);
        // Of two with one name, the one that is looked up as well.
        let local = in_scope.max_by_key(|local| local.slot)?;
        Some(Operation::Local {
            slot: usize::from(local.slot),
            descriptor: local.descriptor.clone(),
        })
    }

    /// `None` where it cannot be told here.
    fn value(&self, at: &At<'_, '_>) -> Option<Value> {
        match self {
            Operation::Constant(value) => Some(*value),
            Operation::Local { slot, descriptor } => match at.locals.get(*slot)?.datum() {
                Datum::Value(value) => Some(shown::typed(value, descriptor)),
                _ => None,
            },
            Operation::Field { slot, field } => at.field(*slot, *field),
            Operation::Unary(operator, operand) => arithmetic::unary(*operator, operand.value(at)?),
            Operation::Binary(operator, left, right) => {
                let left = left.value(at)?;
                if let (BinaryOperator::And, Value::Boolean(false))
                | (BinaryOperator::Or, Value::Boolean(true)) = (*operator, left)
                {
                    return Some(left);
                }
                let right = right.value(at)?;
                if let (Value::Ref(left), Value::Ref(right)) = (left, right) {
                    return match operator {
                        BinaryOperator::Equal => Some(Value::Boolean(left == right)),
                        BinaryOperator::NotEqual => Some(Value::Boolean(left != right)),
                        _ => None,
                    };
                }
                arithmetic::binary(*operator, left, right).ok().flatten()
            }
            Operation::Conditional(condition, yes, no) => match condition.value(at)? {
                Value::Boolean(true) => yes.value(at),
                Value::Boolean(false) => no.value(at),
                _ => None,
            },
        }
    }
}

/// A field of the object that a method is called on, if its name means the same one whatever the object's class is.
fn field_of_this(run: &JavaRun, code: &MethodCode, offset: u32, name: &str) -> Option<Operation> {
    let Operation::Local { slot, .. } = Operation::local(code, offset, "this")? else {
        return None;
    };
    let declares = |class: &str| {
        let fields = &run.classes().get(class)?.fields;
        Some(fields.iter().any(|field| field.name == name))
    };
    let mut owner = code.class_name().to_owned();
    while !declares(&owner)? {
        owner = run.classes().get(&owner)?.super_name.clone()?;
    }
    let (trace, field) = (run.trace(), run.field(&owner, name)?);
    let field = trace.resolve_field(field);
    if trace.symbols().field(field)?.is_static {
        return None;
    }
    let hides = |other: &FieldSymbol| {
        let is_other = !other.is_static && trace.resolve_field(other.field) != field;
        is_other && other.name == name && may_be_below(run, &other.owner, code.class_name())
    };
    let is_hidden = trace.symbols().fields().any(hides);
    (!is_hidden).then_some(Operation::Field { slot, field })
}

/// Whether a class is another or one below it. One that is not known may be.
fn may_be_below(run: &JavaRun, class: &str, above: &str) -> bool {
    if run.classes().get(class).is_none() {
        return true;
    }
    let mut class = class.to_owned();
    loop {
        if class == above {
            return true;
        }
        let declared = run.classes().get(&class);
        match declared.and_then(|declared| declared.super_name.clone()) {
            Some(next) => class = next,
            None => return false,
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
