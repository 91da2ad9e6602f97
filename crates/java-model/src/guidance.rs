//! Whether a call failed because of what it was given.
//!
//! Who is asked about a call that a `NullPointerException` left says "wrong", and a call is blamed that was only handed
//! a null. The question then offers the other answer. It does so only where re-executing the call shows it: the
//! argument itself, as it came in, was used where nothing can be, or decided that the call refused it.

use std::collections::HashSet;

use classfile::opcode as o;
use frame_replay::{DataFlow, MethodCode, OperandSource};
use java_names::descriptor;
use trace_format::Value;
use trace_store::{Call, CallId, CallOutcome};

use super::run::JavaRun;
use super::shown;

/// Longer calls are not looked into: the question is waited for.
const MOST_STEPS: u32 = 20_000;
/// Nor are longer ways of an exception.
const MOST_CALLS: usize = 20;

/// Exceptions by which a method says that it was called wrongly.
const REFUSALS: [&str; 5] = [
    "java.lang.IllegalArgumentException",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.StringIndexOutOfBoundsException",
    NULL_POINTER,
];
const NULL_POINTER: &str = "java.lang.NullPointerException";
const OUT_OF_BOUNDS: &str = "java.lang.ArrayIndexOutOfBoundsException";

/// What the question about a call offers, if the call failed by what it was given.
#[must_use]
pub(super) fn guidance(run: &JavaRun, call: &Call) -> Option<String> {
    let CallOutcome::Threw(exception) = call.outcome else {
        return None;
    };
    let class = shown::class_of(run, exception)?;
    if !run.has_state() || !REFUSALS.contains(&&*class) {
        return None;
    }
    let argument = Failure { run, class }.argument(call, MOST_CALLS)?;
    let name = run.code(call.method).parameters.get(argument)?.clone();
    let given = match call.arguments.get(argument)? {
        value if *value == Value::NULL => " = null".to_owned(),
        Value::Ref(_) => String::new(),
        plain => format!(" = {}", super::values::primitive(*plain)),
    };
    Some(format!(
        "It threw because of {name}{given}, which it was given. Should it have been called like this? \
         If not, answer i (inadmissible)."
    ))
}

/// An exception on its way.
struct Failure<'run> {
    run: &'run JavaRun,
    class: String,
}

/// A call, re-executed.
struct Executed<'run> {
    call: &'run Call,
    code: &'run MethodCode,
    flow: DataFlow,
    last: u64,
}

impl Failure<'_> {
    /// The argument because of which a call failed, by its place; `None` if that is not certain.
    fn argument(&self, call: &Call, most_calls: usize) -> Option<usize> {
        let program = self.run.program();
        let flow =
            self.run
                .executed(DataFlow::of(self.run.trace(), program, call.id, MOST_STEPS))?;
        flow.ending?;
        let executed = Executed {
            call,
            code: self
                .run
                .executed(program.code(self.run.trace(), call.method))?,
            last: flow.len().checked_sub(1)?,
            flow,
        };
        match executed.opcode(executed.last)? {
            o::ATHROW => executed.refused(),
            o::INVOKEVIRTUAL | o::INVOKESPECIAL | o::INVOKESTATIC | o::INVOKEINTERFACE => executed
                .dereferenced(&self.class)
                .or_else(|| executed.checked(&self.class))
                .or_else(|| self.passed_on(&executed, most_calls)),
            _ => executed
                .dereferenced(&self.class)
                .or_else(|| executed.index(&self.class)),
        }
    }

    /// It gave the argument on to a call that failed because of it.
    fn passed_on(&self, executed: &Executed<'_>, most_calls: usize) -> Option<usize> {
        let trace = self.run.trace();
        let children = self.run.read(trace.children(executed.call.id))?;
        let last: CallId = children.last()?;
        let callee = self.run.read(trace.call(last))?;
        let is_it = callee.outcome == executed.call.outcome;
        let inner = self.argument(&callee, most_calls.checked_sub(1).filter(|_| is_it)?)?;
        let site = executed.site()?;
        // Something else was called, which called back.
        let symbol = self.run.method_names(callee.method);
        if (symbol.name, symbol.descriptor) != (&*site.name, &*site.descriptor) {
            return None;
        }
        executed.given(inner + usize::from(site.has_receiver))
    }
}

impl Executed<'_> {
    fn opcode(&self, step: u64) -> Option<u8> {
        let instruction = self.flow.instruction(step)?;
        Some(self.code.instructions().get(instruction)?.opcode)
    }

    fn site(&self) -> Option<&frame_replay::InvokeSite> {
        self.code.invoked_by(self.flow.instruction(self.last)?)
    }

    /// The argument that an operand of the last step is, just as it came in.
    fn given(&self, operand: usize) -> Option<usize> {
        let sources: Vec<OperandSource> = self.flow.sources(self.last).collect();
        let OperandSource::Step(step) = *sources.get(operand)? else {
            return None;
        };
        match self.flow.sources(step).next()? {
            OperandSource::Local(local) => self.argument_in(local),
            OperandSource::Step(_) => None,
        }
    }

    /// The argument that a local holds at the beginning.
    fn argument_in(&self, local: u16) -> Option<usize> {
        let symbol = self.code.label();
        let signature = descriptor::parse_method(&symbol[symbol.find('(')?..]).ok()?;
        let mut at = u16::from(!self.code.is_static());
        for (place, parameter) in signature.parameters.iter().enumerate() {
            if at == local {
                return Some(place);
            }
            at += parameter.slots();
        }
        None
    }

    fn is_null(&self, argument: &usize) -> bool {
        self.call.arguments.get(*argument) == Some(&Value::NULL)
    }

    /// A null argument was used as an object: of every instruction that does so it is the first operand.
    fn dereferenced(&self, class: &str) -> Option<usize> {
        let opcode = self.opcode(self.last)?;
        let is_dereference = matches!(
            opcode,
            o::GETFIELD
                | o::PUTFIELD
                | o::INVOKEVIRTUAL
                | o::INVOKESPECIAL
                | o::INVOKEINTERFACE
                | o::ARRAYLENGTH
                | o::MONITORENTER
                | o::IALOAD..=o::SALOAD
                | o::IASTORE..=o::SASTORE
        );
        let is_meant = class == NULL_POINTER && is_dereference;
        self.given(0)
            .filter(|argument| is_meant && self.is_null(argument))
    }

    /// A null argument was given to a method that only looks for nulls.
    fn checked(&self, class: &str) -> Option<usize> {
        let site = self.site().filter(|_| class == NULL_POINTER)?;
        let is_check = matches!(
            (&*site.owner, &*site.name),
            ("java/util/Objects", "requireNonNull")
                | (
                    "kotlin/jvm/internal/Intrinsics",
                    "checkNotNullParameter" | "checkParameterIsNotNull"
                )
        );
        self.given(0)
            .filter(|argument| is_check && self.is_null(argument))
    }

    /// An argument was the index of an element that an array does not have.
    fn index(&self, class: &str) -> Option<usize> {
        let opcode = self.opcode(self.last)?;
        let is_access = matches!(opcode, o::IALOAD..=o::SALOAD | o::IASTORE..=o::SASTORE);
        self.given(1)
            .filter(|_| is_access && class == OUT_OF_BOUNDS)
    }

    /// The step that began to make an object whose constructor a step calls: what lies between them makes what the
    /// constructor is given.
    fn begun(&self, constructed: u64) -> Option<u64> {
        let mut open = i32::from(self.constructs(constructed));
        (0..constructed).rev().find(|&step| {
            open += i32::from(self.constructs(step));
            open -= i32::from(self.opcode(step) == Some(o::NEW));
            open == 0
        })
    }

    fn constructs(&self, step: u64) -> bool {
        let instruction = self.flow.instruction(step);
        let site = instruction.and_then(|instruction| self.code.invoked_by(instruction));
        site.is_some_and(|site| site.name == "<init>")
    }

    /// The call itself threw an exception that it had just made, because of a condition in which an argument is.
    fn refused(&self) -> Option<usize> {
        let Some(OperandSource::Step(made)) = self.flow.sources(self.last).next() else {
            return None;
        };
        let begun = self.begun(made).filter(|_| self.constructs(made))?;
        let decision = (0..begun)
            .rev()
            .find(|&step| self.opcode(step).is_some_and(decides));
        let mut next = vec![decision?];
        let mut seen: HashSet<u64> = next.iter().copied().collect();
        let mut found = Vec::new();
        while let Some(step) = next.pop() {
            for source in self.flow.sources(step) {
                match source {
                    OperandSource::Local(local) => found.extend(self.argument_in(local)),
                    OperandSource::Step(step) if seen.insert(step) => next.push(step),
                    OperandSource::Step(_) => {}
                }
            }
        }
        found.into_iter().min()
    }
}

fn decides(opcode: u8) -> bool {
    matches!(
        opcode,
        o::IFEQ..=o::IF_ACMPNE | o::IFNULL | o::IFNONNULL | o::TABLESWITCH | o::LOOKUPSWITCH
    )
}
