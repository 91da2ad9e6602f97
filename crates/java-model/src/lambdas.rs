//! What the object of a lambda does. The JVM makes its class while the program runs and gives it a number for a name;
//! what a person knows of it is where it stands in the source, or which method it refers to. The instruction that made
//! it has that, so the call that made it is re-executed up to there: once for each class, as each instruction has its
//! own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use classfile::{ClassFile, Constant, Method, opcode};
use frame_replay::Replay;
use trace_format::{EventPosition, ObjectId};
use trace_store::CallId;

use super::run::JavaRun;
use java_names::names;

/// No call is re-executed further than so many steps,
const MOST_STEPS: usize = 2_000_000;
/// and no more callers are than this.
const MOST_CALLERS: usize = 3;

/// What is known of the classes of lambdas, by their objects.
#[derive(Default)]
struct Lambdas(Mutex<HashMap<ObjectId, Option<Arc<str>>>>);

impl JavaRun {
    /// `Order::total`, `in main:22`, or `from Comparator.comparing` for what library code made; `None` if the object is
    /// no lambda's or nothing more is known.
    pub(super) fn lambda(&self, object: ObjectId, class: &str) -> Option<Arc<str>> {
        if !names::is_hidden_class(class) {
            return None;
        }
        let (number, _) = self.read(self.trace().class_of(object))??;
        let lambdas = self.facts().get_or_make(Lambdas::default);
        let known = || lambdas.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(label) = known().get(&number) {
            return label.clone();
        }
        let label = self.made(object).map(Arc::<str>::from);
        known().insert(number, label.clone());
        label
    }

    /// What the instruction says that made the object. It was seen first there, or where it was handed over next.
    fn made(&self, object: ObjectId) -> Option<String> {
        let trace = self.trace();
        let seen = self.read(trace.object(object))??;
        let mut call = self.read(trace.call_of(seen.thread, seen.position))??;
        for _ in 0..MOST_CALLERS {
            if let Some(made) = self.made_in(call, object, seen.position) {
                return Some(made);
            }
            call = CallId::new(
                call.thread,
                self.read(trace.calls(call.thread))?.parent(call.index)?,
            );
        }
        None
    }

    /// The same, if this call made it.
    fn made_in(&self, call: CallId, object: ObjectId, seen: EventPosition) -> Option<String> {
        let mut replay = Replay::new(self.trace(), self.program(), call).ok()?;
        let code = replay.code();
        for _ in 0..MOST_STEPS {
            let step = replay.step().ok()??;
            let instruction = code.instructions().get(step.instruction)?;
            let top = replay.stack().last().and_then(|slot| slot.object());
            if instruction.is_invoke() && top == Some(object) {
                return match instruction.opcode {
                    opcode::INVOKEDYNAMIC => {
                        let bytes = self.read(self.trace().class_file(code.class()))??;
                        let class = ClassFile::parse(&bytes).ok()?;
                        let target = lambda_target(&class, instruction.cp_index()?)?;
                        Some(target.label(&class))
                    }
                    _ => {
                        let site = code.invoked_by(step.instruction)?;
                        Some(format!("from {}", names::routine(&site.owner, &site.name)))
                    }
                };
            }
            if replay.position() > seen {
                return None;
            }
        }
        None
    }
}

/// The method that an object runs which an `invokedynamic` makes.
struct LambdaTarget {
    owner: String,
    name: String,
}

fn lambda_target(class: &ClassFile, constant: u16) -> Option<LambdaTarget> {
    let constants = &class.constants;
    let Ok(Constant::InvokeDynamic { bootstrap, .. }) = constants.get(constant) else {
        return None;
    };
    let arguments = class.bootstrap(bootstrap).into_iter().skip(1);
    let mut handles = arguments.filter_map(|argument| match constants.get(argument) {
        Ok(Constant::MethodHandle { reference, .. }) => constants.member_ref(reference).ok(),
        _ => None,
    });
    let handle = handles.next()?;
    Some(LambdaTarget {
        owner: handle.owner.to_string(),
        name: handle.name.to_string(),
    })
}

impl LambdaTarget {
    /// `Order::total`, `Order::new`; `in main:22` for a lambda whose body begins in that line.
    fn label(&self, class: &ClassFile) -> String {
        let owner = names::simple_class(&self.owner);
        let host = match (names::lambda_host(&self.name), &*self.name) {
            (None, "<init>") => return format!("{owner}::new"),
            (None, name) => return format!("{owner}::{name}"),
            (Some("new"), _) => "a constructor",
            (Some("static"), _) => "the static initialiser",
            (Some(host), _) => host,
        };
        match first_line(class, &self.name) {
            Some(line) => format!("in {host}:{line}"),
            None => format!("in {host}"),
        }
    }
}

/// The line in which a method of this name begins.
fn first_line(class: &ClassFile, name: &str) -> Option<u16> {
    let is_meant = |method: &&Method| class.method_name(method).is_ok_and(|it| it == name);
    let method = class.methods.iter().find(is_meant)?;
    let code = class.code(method).ok()??;
    let lines = code.line_numbers(&class.constants).ok()?;
    lines.iter().map(|entry| entry.line).min()
}
