//! How instrumented code calls the classes of the Java side: one function per kind of probe, each
//! appending a few instructions to a snippet. What they all need is here, with the probes that are no more than a call.

use std::collections::HashMap;

use classfile::descriptor::JavaType;
use classfile::{ConstantPool, PoolError, Snippet, opcode};

use super::RECORDER;

mod calls;
mod secrets;
mod writes;

/// The class that notes how calls begin and end.
const CALLS: &str = "java/lang/AskanceCalls";
/// The class that notes what a frame could not compute.
const VALUES: &str = "java/lang/AskanceValues";
/// The class that notes writes of fields and array elements.
const WRITES: &str = "java/lang/AskanceWrites";
/// The class that knows the recorders of all threads.
const THREADS: &str = "java/lang/AskanceThreads";
/// The class that notes what library code did.
pub(super) const LIBRARY: &str = "java/lang/AskanceLibrary";
/// The class that keeps secrets out of the trace.
const SECRETS: &str = "java/lang/AskanceSecrets";
/// The class that notes what objects say of themselves.
const TEXTS: &str = "java/lang/AskanceTexts";
/// The class that notes what is handed over to other threads.
pub(super) const TASKS: &str = "java/lang/AskanceTasks";
const RECORDER_TYPE: &str = "Ljava/lang/AskanceRecorder;";
const OBJECT_TYPE: &str = "Ljava/lang/Object;";

/// A static method of the Java side, which an instruction needs by itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe {
    class: &'static str,
    name: &'static str,
}

/// Orders what the thread did before against what other threads do after.
pub(super) const SYNC: Probe = Probe {
    class: THREADS,
    name: "sync",
};
/// Makes room for what the frame may write until it looks again.
pub(super) const CHECK: Probe = Probe {
    class: RECORDER,
    name: "check",
};
/// A call without result has returned.
pub(super) const RETURNED: Probe = Probe {
    class: VALUES,
    name: "returned",
};
/// A reference that the frame could not compute.
pub(super) const REFERENCE_VALUE: Probe = Probe {
    class: VALUES,
    name: "valueL",
};
pub(super) const NEW_ARRAY: Probe = Probe {
    class: VALUES,
    name: "newArray",
};
/// A constant of the class's pool is used.
pub(super) const CONSTANT: Probe = Probe {
    class: VALUES,
    name: "constant",
};

/// The recorder's methods that a class refers to, in its constant pool.
#[derive(Debug, Default)]
pub(super) struct Probes {
    methods: HashMap<(&'static str, String, String), u16>,
}

/// Where a method keeps its recorder and its depth, and what it may use for the moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Locals {
    pub(super) recorder: u16,
    pub(super) depth: u16,
    pub(super) scratch: u16,
}

/// Whether local 0 holds the call's `this`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThisLocal {
    Holds,
    DoesNot,
}

/// What is inserted on both sides of an instruction.
#[derive(Debug, Default)]
pub(super) struct Around {
    pub(super) before: Snippet,
    pub(super) after: Snippet,
}

/// The letter by which the recorder's methods are told apart, and the type that they take.
pub(super) fn flavour(kind: JavaType<'_>) -> (char, &'static str) {
    match kind {
        JavaType::Boolean | JavaType::Byte => ('B', "I"),
        JavaType::Char | JavaType::Short => ('S', "I"),
        JavaType::Int => ('I', "I"),
        JavaType::Float => ('F', "F"),
        JavaType::Long => ('J', "J"),
        JavaType::Double => ('D', "D"),
        JavaType::Reference(_) => ('L', OBJECT_TYPE),
        JavaType::Void => ('V', ""),
    }
}

/// The size of a value in a stream.
pub(super) fn stream_size(kind: JavaType<'_>) -> u16 {
    match kind {
        JavaType::Void => 0,
        JavaType::Boolean | JavaType::Byte => 1,
        JavaType::Char | JavaType::Short => 2,
        JavaType::Int | JavaType::Float | JavaType::Reference(_) => 4,
        JavaType::Long | JavaType::Double => 8,
    }
}

/// What duplicates a value of this type on top of the stack.
pub(super) fn dup(kind: JavaType<'_>) -> u8 {
    if kind.slots() == 2 {
        opcode::DUP2
    } else {
        opcode::DUP
    }
}

impl Probes {
    /// `invokestatic` of a method of the Java side.
    pub(super) fn call(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        class: &'static str,
        name: &str,
        parameters: &[&str],
        result: &str,
    ) -> Result<(), PoolError> {
        let descriptor = format!("({}){result}", parameters.concat());
        let slots = |t: &&str| match *t {
            "J" | "D" => 2,
            "V" | "" => 0,
            _ => 1,
        };
        let pops = parameters.iter().map(slots).sum();
        let pushes = slots(&result);
        let key = (class, name.to_owned(), descriptor);
        let index = match self.methods.get(&key) {
            Some(index) => *index,
            None => {
                let index = pool.add_method_ref(class, name, &key.2)?;
                self.methods.insert(key, index);
                index
            }
        };
        snippet.invoke_static(index, pops, pushes);
        Ok(())
    }

    /// The value on top of the stack is one that the frame could not compute.
    pub(super) fn value(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        kind: JavaType<'_>,
    ) -> Result<(), PoolError> {
        let (letter, taken) = flavour(kind);
        snippet.op(dup(kind)).load_reference(locals.recorder);
        self.call(
            snippet,
            pool,
            VALUES,
            &format!("value{letter}"),
            &[taken, RECORDER_TYPE],
            "V",
        )
    }

    /// `probe(Object, recorder)` with the reference on top of the stack.
    pub(super) fn reference(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        probe: Probe,
    ) -> Result<(), PoolError> {
        snippet.op(opcode::DUP).load_reference(locals.recorder);
        self.call(
            snippet,
            pool,
            probe.class,
            probe.name,
            &[OBJECT_TYPE, RECORDER_TYPE],
            "V",
        )
    }

    /// `probe(recorder)`.
    pub(super) fn note(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        probe: Probe,
    ) -> Result<(), PoolError> {
        snippet.load_reference(locals.recorder);
        self.call(
            snippet,
            pool,
            probe.class,
            probe.name,
            &[RECORDER_TYPE],
            "V",
        )
    }

    /// The reference on top of the stack, which this consumes, is asked what it says of itself.
    pub(super) fn text(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
    ) -> Result<(), PoolError> {
        self.call(snippet, pool, TEXTS, "note", &[OBJECT_TYPE], "V")
    }

    /// The array in a local was in the hands of library code.
    pub(super) fn handed_out(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        array: u16,
        part: Option<(u16, u16)>,
    ) -> Result<(), PoolError> {
        snippet.load_reference(array);
        match part {
            Some((from, count)) => {
                snippet
                    .load_int(from)
                    .load_int(count)
                    .load_reference(locals.recorder);
                let parameters = [OBJECT_TYPE, "I", "I", RECORDER_TYPE];
                self.call(snippet, pool, LIBRARY, "handedOut", &parameters, "V")
            }
            None => {
                snippet.load_reference(locals.recorder);
                self.call(
                    snippet,
                    pool,
                    LIBRARY,
                    "handedOut",
                    &[OBJECT_TYPE, RECORDER_TYPE],
                    "V",
                )
            }
        }
    }
}
