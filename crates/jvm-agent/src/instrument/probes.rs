//! How instrumented code calls the recorder's Java class: one function per kind of probe, each
//! appending a few instructions to a snippet.

use std::collections::HashMap;

use classfile::{ConstantPool, PoolError, Snippet, opcode};
use java_names::descriptor::JavaType;

use trace_format::MethodId;
use trace_format::event::{EnterHead, size};
use trace_format::secret::Secrecy;

use super::RECORDER;
use super::filled_part::FilledPart;

/// The class that notes what library code did.
const LIBRARY: &str = "java/lang/AskanceLibrary";
/// The class that keeps secrets out of the trace.
const SECRETS: &str = "java/lang/AskanceSecrets";
/// The class that notes what objects say of themselves.
const TEXTS: &str = "java/lang/AskanceTexts";
/// The class that notes what is handed over to other threads.
const TASKS: &str = "java/lang/AskanceTasks";
/// The class that gives threads room for recorded frames.
const STACKS: &str = "java/lang/AskanceStacks";
/// The class that brings the recorder into what the program starts.
const CHILDREN: &str = "java/lang/AskanceChildren";
/// The class that keeps what the program prints.
const OUTPUT: &str = "java/lang/AskanceOutput";
const HASHES: &str = "java/lang/AskanceHashes";
const RECORDER_TYPE: &str = "Ljava/lang/AskanceRecorder;";
const OBJECT_TYPE: &str = "Ljava/lang/Object;";

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
    /// `invokestatic` of the recorder's method `name`.
    pub(super) fn call(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        name: &str,
        parameters: &[&str],
        result: &str,
    ) -> Result<(), PoolError> {
        self.call_in(RECORDER, snippet, pool, name, parameters, result)
    }

    /// `invokestatic` of a method that notes what library code did.
    pub(super) fn call_library(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        name: &str,
        parameters: &[&str],
    ) -> Result<(), PoolError> {
        self.call_in(LIBRARY, snippet, pool, name, parameters, "V")
    }

    /// `invokestatic` of a method that notes what is handed over to other threads.
    pub(super) fn call_tasks(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        name: &str,
        parameters: &[&str],
        result: &str,
    ) -> Result<(), PoolError> {
        self.call_in(TASKS, snippet, pool, name, parameters, result)
    }

    /// `invokestatic` of the method that makes a thread's stack larger.
    pub(super) fn call_stacks(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        name: &str,
        parameters: &[&str],
    ) -> Result<(), PoolError> {
        self.call_in(STACKS, snippet, pool, name, parameters, "V")
    }

    /// `invokestatic` of a method that brings the recorder into what the program starts.
    pub(super) fn call_children(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        name: &str,
        parameters: &[&str],
        result: &str,
    ) -> Result<(), PoolError> {
        self.call_in(CHILDREN, snippet, pool, name, parameters, result)
    }

    /// `invokestatic` of a method that sees what was printed.
    pub(super) fn call_output(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        parameters: &[&str],
    ) -> Result<(), PoolError> {
        self.call_in(OUTPUT, snippet, pool, "wrote", parameters, "V")
    }

    /// `invokestatic` of a method that looks at an object of whose identity hash something depends.
    pub(super) fn call_hashes(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        name: &str,
    ) -> Result<(), PoolError> {
        self.call_in(HASHES, snippet, pool, name, &["Ljava/lang/Object;"], "V")
    }

    fn call_in(
        &mut self,
        class: &'static str,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
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

    /// The method has been entered: recorder and depth into their locals, ENTER into the events.
    pub(super) fn enter(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        method: MethodId,
        arguments: &[(JavaType<'_>, u16)],
        secrets: &[(u16, Secrecy)],
    ) -> Result<(), PoolError> {
        self.call(snippet, pool, "begin", &[], RECORDER_TYPE)?;
        snippet.store_reference(locals.recorder);
        for &(local, secrecy) in secrets {
            snippet
                .load_reference(local)
                .load_reference(locals.recorder);
            let parameters = [OBJECT_TYPE, RECORDER_TYPE];
            self.call_in(
                SECRETS,
                snippet,
                pool,
                secret_probe(secrecy),
                &parameters,
                "V",
            )?;
        }
        let head = EnterHead::of(method);
        let mut at = size::ENTER as i32;
        if let Some(upper) = head.upper {
            snippet.push_int(upper.into(), pool)?;
            snippet.load_reference(locals.recorder);
            snippet.push_int(at, pool)?;
            self.call(snippet, pool, "argS", &["I", RECORDER_TYPE, "I"], "V")?;
            at = size::ENTER_FAR as i32;
        }
        for (kind, local) in arguments {
            let (letter, taken) = flavour(*kind);
            snippet.load(*kind, *local).load_reference(locals.recorder);
            snippet.push_int(at, pool)?;
            self.call(
                snippet,
                pool,
                &format!("arg{letter}"),
                &[taken, RECORDER_TYPE, "I"],
                "V",
            )?;
            at += i32::from(stream_size(*kind));
        }
        snippet.load_reference(locals.recorder);
        snippet.push_int(u16::from_le_bytes(head.word).into(), pool)?;
        snippet.push_int(at, pool)?;
        self.call(snippet, pool, "enter", &[RECORDER_TYPE, "I", "I"], "I")?;
        snippet.store_int(locals.depth);
        Ok(())
    }

    /// The method is about to return the value on top of the stack.
    pub(super) fn exit(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        kind: JavaType<'_>,
    ) -> Result<(), PoolError> {
        let (letter, taken) = flavour(kind);
        if kind != JavaType::Void {
            snippet.op(dup(kind));
        }
        snippet
            .load_reference(locals.recorder)
            .load_int(locals.depth);
        self.call(
            snippet,
            pool,
            &format!("exit{letter}"),
            &[taken, RECORDER_TYPE, "I"],
            "V",
        )
    }

    /// The exception on the stack leaves the method.
    pub(super) fn threw(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
    ) -> Result<(), PoolError> {
        snippet
            .op(opcode::DUP)
            .load_reference(locals.recorder)
            .load_int(locals.depth);
        self.call(
            snippet,
            pool,
            "threw",
            &[OBJECT_TYPE, RECORDER_TYPE, "I"],
            "V",
        )?;
        snippet.op(opcode::ATHROW);
        Ok(())
    }

    /// The handler at `pc` has caught the exception on the stack, which this consumes.
    pub(super) fn caught(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        pc: u32,
    ) -> Result<(), PoolError> {
        snippet
            .load_reference(locals.recorder)
            .load_int(locals.depth);
        snippet.push_int(pc.cast_signed(), pool)?;
        let parameters = [OBJECT_TYPE, RECORDER_TYPE, "I", "I"];
        self.call(snippet, pool, "caught", &parameters, "V")
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
            &format!("value{letter}"),
            &[taken, RECORDER_TYPE],
            "V",
        )
    }

    /// `name(Object, recorder)` with the reference on top of the stack.
    pub(super) fn reference(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        name: &str,
    ) -> Result<(), PoolError> {
        snippet.op(opcode::DUP).load_reference(locals.recorder);
        self.call(snippet, pool, name, &[OBJECT_TYPE, RECORDER_TYPE], "V")
    }

    /// `name(recorder)`.
    pub(super) fn note(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        name: &str,
    ) -> Result<(), PoolError> {
        snippet.load_reference(locals.recorder);
        self.call(snippet, pool, name, &[RECORDER_TYPE], "V")
    }

    /// In a constructor: `this` is an object now.
    pub(super) fn initialized(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
    ) -> Result<(), PoolError> {
        snippet.load_reference(0).load_reference(locals.recorder);
        self.call(
            snippet,
            pool,
            "initialized",
            &[OBJECT_TYPE, RECORDER_TYPE],
            "V",
        )
    }

    /// Around a putfield, whose object and value are on the stack: copies them, and notes the copies
    /// once the write is done.
    pub(super) fn put_field(
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
    pub(super) fn note_field(
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
        self.call(snippet, pool, &format!("put{letter}"), &parameters, "V")
    }

    /// Around a putstatic.
    pub(super) fn put_static(
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
            &format!("set{letter}"),
            &parameters,
            "V",
        )
    }

    /// Around an array store, whose array, index and value are on the stack.
    pub(super) fn array_store(
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
            &format!("store{letter}"),
            &parameters,
            "V",
        )
    }

    /// The reference on top of the stack is a secret.
    pub(super) fn secret(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        secrecy: Secrecy,
    ) -> Result<(), PoolError> {
        snippet.op(opcode::DUP).load_reference(locals.recorder);
        let parameters = [OBJECT_TYPE, RECORDER_TYPE];
        let probe = secret_probe(secrecy);
        self.call_in(SECRETS, snippet, pool, probe, &parameters, "V")
    }

    /// The reference on top of the stack, which this consumes, is asked what it says of itself.
    pub(super) fn text(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
    ) -> Result<(), PoolError> {
        self.call_in(TEXTS, snippet, pool, "note", &[OBJECT_TYPE], "V")
    }

    /// What is below the top of the stack is made of what is on top; both are consumed.
    pub(super) fn carried(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
    ) -> Result<(), PoolError> {
        snippet.load_reference(locals.recorder);
        let parameters = [OBJECT_TYPE, OBJECT_TYPE, RECORDER_TYPE];
        self.call_in(SECRETS, snippet, pool, "carried", &parameters, "V")
    }

    /// The character or byte on top of the stack is one of what a local holds.
    pub(super) fn character(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        kind: JavaType<'_>,
        holder: u16,
    ) -> Result<(), PoolError> {
        let (letter, taken) = flavour(kind);
        snippet
            .op(opcode::DUP)
            .load_reference(holder)
            .load_reference(locals.recorder);
        let parameters = [taken, OBJECT_TYPE, RECORDER_TYPE];
        self.call_in(
            SECRETS,
            snippet,
            pool,
            &format!("value{letter}"),
            &parameters,
            "V",
        )
    }

    /// The array in a local was in the hands of library code.
    pub(super) fn handed_out(
        &mut self,
        snippet: &mut Snippet,
        pool: &mut ConstantPool,
        locals: Locals,
        array: u16,
        part: Option<FilledPart<u16>>,
    ) -> Result<(), PoolError> {
        snippet.load_reference(array);
        match part {
            Some(part) => {
                part.load(snippet);
                snippet.load_reference(locals.recorder);
                let parameters = [OBJECT_TYPE, "I", "I", RECORDER_TYPE];
                self.call_library(snippet, pool, "handedOut", &parameters)
            }
            None => {
                snippet.load_reference(locals.recorder);
                self.call_library(snippet, pool, "handedOut", &[OBJECT_TYPE, RECORDER_TYPE])
            }
        }
    }
}

fn secret_probe(secrecy: Secrecy) -> &'static str {
    match secrecy {
        Secrecy::Sure => "secret",
        Secrecy::IfDrawn => "secretIfDrawn",
    }
}

/// The element types in the order of the array opcodes. `baload` and `bastore` also serve booleans.
pub(super) fn element_kind(position: u8) -> JavaType<'static> {
    match position {
        0 => JavaType::Int,
        1 => JavaType::Long,
        2 => JavaType::Float,
        3 => JavaType::Double,
        4 => JavaType::Reference(""),
        5 => JavaType::Byte,
        6 => JavaType::Char,
        _ => JavaType::Short,
    }
}
