//! The stack of a position: the calls around it up to the thread's outermost one, each with the line that it stands on
//! and the variables that it has there.

use debug_engine::NodeId;
use frame_replay::{Datum, MethodCode, Slot};
use java_analysis::happening::{LocalAt, Moment};
use java_analysis::moment::Moments;
use java_analysis::variable::Variable;
use java_model::run::JavaRun;
use java_model::shown;
use trace_format::{ThreadNumber, TraceTime, Value};
use trace_store::{Call, CallId, CallOutcome};

use crate::java_value::JavaValue;
use crate::position::{Position, Stop};
use crate::stepping::Traveller;

/// A call of the stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Where the call stands: the innermost where the traveller does, the others in the call of the next.
    pub position: Position,
    pub call: CallId,
    pub moment: Moment,
    /// The time of the whole stack.
    pub time: TraceTime,
}

/// A variable of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameVariable {
    pub name: String,
    /// Its type in the JVM's notation; empty if it is not known.
    pub descriptor: String,
    /// What it holds; why that is not known otherwise.
    pub value: Result<JavaValue, String>,
    pub is_parameter: bool,
}

impl Frame {
    #[must_use]
    pub fn of(stop: &Stop) -> Frame {
        Frame {
            position: stop.position,
            call: stop.call,
            moment: stop.moment.clone(),
            time: stop.time,
        }
    }

    #[must_use]
    pub fn node(&self) -> NodeId {
        self.position.node
    }

    #[must_use]
    pub fn thread(&self) -> ThreadNumber {
        self.call.thread
    }

    /// A variable of it, for what is asked about variables.
    #[must_use]
    pub fn variable(&self, name: &str) -> Variable {
        Variable::Local {
            node: self.node(),
            name: name.to_owned(),
        }
    }
}

/// How many calls are on the stack.
#[must_use]
pub fn depth(traveller: &Traveller<'_>, stop: &Stop) -> u32 {
    let calls = traveller.calls(stop.thread());
    calls.map_or(1, |calls| calls.depth(stop.call.index))
}

/// A page of the stack, from the innermost call outwards.
#[must_use]
pub fn stack(traveller: &Traveller<'_>, stop: &Stop, skip: usize, most: usize) -> Vec<Frame> {
    let Some(calls) = traveller.calls(stop.thread()) else {
        return Vec::new();
    };
    let mut frames = Vec::new();
    let mut inner = stop.call;
    if skip == 0 && most > 0 {
        frames.push(Frame::of(stop));
    }
    let mut number = 0;
    while let Some(parent) = calls.parent(inner.index) {
        number += 1;
        let end = skip.saturating_add(most);
        if number >= end {
            break;
        }
        let outer = CallId::new(inner.thread, parent);
        if number >= skip
            && let Some((moments, moment)) = traveller.in_caller(inner)
        {
            frames.push(Frame {
                position: Position {
                    node: moments.node(),
                    event: moment.event,
                },
                call: outer,
                moment,
                time: stop.time,
            });
        }
        inner = outer;
    }
    frames
}

/// The variables that have a name in a frame: `this` first, then parameters and locals in the order of their slots.
#[must_use]
pub fn variables(traveller: &Traveller<'_>, frame: &Frame) -> Vec<FrameVariable> {
    CallVariables::new(*traveller).of(frame)
}

/// The variables of one frame after the other. Of later and later frames of the same call, it is executed again once.
pub(crate) struct CallVariables<'run> {
    traveller: Traveller<'run>,
    moments: Option<Moments<'run>>,
}

impl<'run> CallVariables<'run> {
    pub(crate) fn new(traveller: Traveller<'run>) -> Self {
        CallVariables {
            traveller,
            moments: None,
        }
    }

    pub(crate) fn traveller(&self) -> Traveller<'run> {
        self.traveller
    }

    pub(crate) fn of(&mut self, frame: &Frame) -> Vec<FrameVariable> {
        let node = frame.node();
        if self
            .moments
            .as_ref()
            .is_none_or(|known| known.node() != node)
        {
            self.moments = self.traveller.moments(node);
        }
        let run = self.traveller.run();
        let Some(moments) = &mut self.moments else {
            return Vec::new();
        };
        let known = moments.locals_onwards(&frame.moment);
        let call = moments.call();
        let info = run.code(call.method);
        if frame.moment.step.is_some() && (info.has_names || !known.is_empty()) {
            let code = moments.code();
            let variable = |local: LocalAt| FrameVariable {
                is_parameter: info.parameters.contains(&local.name),
                value: slot_value(code, local.value, &local.descriptor),
                name: local.name,
                descriptor: local.descriptor,
            };
            return known.into_iter().map(variable).collect();
        }
        given(call, &info.parameters)
    }
}

/// Of a call that cannot be executed again: what it was given is all that is known, and it may have assigned that.
fn given(call: &Call, parameters: &[String]) -> Vec<FrameVariable> {
    let mut variables = Vec::new();
    if let Some(this) = call.this {
        variables.push(FrameVariable {
            name: "this".to_owned(),
            descriptor: String::new(),
            value: Ok(JavaValue::Known(Value::Ref(this))),
            is_parameter: false,
        });
    }
    let given = parameters.iter().zip(&call.arguments);
    variables.extend(given.map(|(name, value)| FrameVariable {
        name: name.clone(),
        descriptor: String::new(),
        value: Ok(JavaValue::Known(*value)),
        is_parameter: true,
    }));
    variables
}

/// Whether the method of a frame declares a variable of this name, wherever in it.
#[must_use]
pub fn is_declared(run: &JavaRun, frame: &Frame, name: &str) -> bool {
    let code = run.program().code(run.trace(), run.method(frame.node()));
    code.is_ok_and(|code| code.local_names().iter().any(|local| local.name == name))
}

/// The slots of a frame before the instruction that it stands at: the one that is executed next in the innermost call,
/// the one that made the next call in the others.
pub struct FrameSlots<'run> {
    /// The byte-code offset of that instruction.
    pub offset: u32,
    slots: Vec<Slot>,
    code: Option<&'run MethodCode>,
}

impl<'run> FrameSlots<'run> {
    /// `None` if the call cannot be executed again.
    #[must_use]
    pub fn of(traveller: &Traveller<'run>, frame: &Frame, is_innermost: bool) -> Option<Self> {
        let mut moments = traveller.moments(frame.node())?;
        let (offset, slots) = moments.slots_at(&frame.moment, !is_innermost)?;
        Some(FrameSlots {
            offset,
            slots,
            code: moments.code(),
        })
    }

    /// What a slot holds, as a variable of this type.
    ///
    /// # Errors
    /// Why that is not known.
    pub fn value(&self, slot: usize, descriptor: &str) -> Result<JavaValue, String> {
        let held = self.slots.get(slot).copied().unwrap_or(Slot::EMPTY);
        slot_value(self.code, held, descriptor)
    }
}

fn slot_value(
    code: Option<&MethodCode>,
    slot: Slot,
    descriptor: &str,
) -> Result<JavaValue, String> {
    match slot.datum() {
        Datum::Value(found) => Ok(JavaValue::Known(shown::typed(found, descriptor))),
        Datum::Constant(number) => match code.and_then(|code| code.constant(number)) {
            Some(constant) if constant.is_class => Ok(JavaValue::Class(constant.text.clone())),
            Some(constant) => Ok(JavaValue::Text(constant.text.clone())),
            None => Err("a constant that cannot be read".to_owned()),
        },
        Datum::Uninitialized => Err("an object that is not initialised yet".to_owned()),
        Datum::ReturnAddress(_) | Datum::Empty => Err("nothing".to_owned()),
    }
}

/// What a call gave back, if the frame stands where it ended.
#[must_use]
pub fn returned(run: &JavaRun, frame: &Frame) -> Option<JavaValue> {
    use java_analysis::happening::Happening;
    let Happening::Ended(CallOutcome::Returned(Some(value))) = frame.moment.what else {
        return None;
    };
    let names = run.method_names(run.method(frame.node()));
    let returns = names.descriptor.rsplit(')').next().unwrap_or("");
    Some(JavaValue::Known(shown::typed(value, returns)))
}
