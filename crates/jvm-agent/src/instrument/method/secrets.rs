//! Where a method gets hold of a secret: the recorder must be told before it describes the value.
//!
//! A secret is text that is held under a secret's name: a field, a variable, what a getter of that name gives,
//! or what belongs to a key of that name (`getProperty("db.password")`). From there on the object itself
//! is known. What the JDK makes of its characters is a secret, too; see [`Flow`].

use std::io::Write;

use classfile::{ClassFile, Code, Constant, Instruction, Method, ParseError, Snippet, opcode};
use java_names::descriptor::{JavaType, MethodType};
use trace_format::secret::{Secrecy, SecretNames};

use super::{InstrumentError, MethodWriter, constant_of};

/// What a library method does with the text that it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// Its result is made of it.
    Result,
    /// Its result is a character of the receiver.
    Character,
    /// It goes into the receiver.
    Receiver,
    /// It goes from one argument into another.
    Arguments { from: usize, to: usize },
    /// It goes from the receiver into an argument.
    Argument(usize),
}

impl Flow {
    fn of(owner: &str, name: &str, signature: &MethodType<'_>) -> Option<Flow> {
        let gives_text = may_hold_text(&signature.result);
        match (owner, name) {
            ("java/lang/System", "arraycopy") => Some(Flow::Arguments { from: 0, to: 2 }),
            ("java/lang/String", "getChars") => Some(Flow::Argument(2)),
            ("java/lang/String", "charAt") => Some(Flow::Character),
            ("java/lang/String" | "java/util/Arrays" | "[C" | "[B", _) if gives_text => {
                Some(Flow::Result)
            }
            ("java/lang/String", "<init>") => Some(Flow::Result),
            ("java/lang/StringBuilder" | "java/lang/StringBuffer", name) => match name {
                "append" | "insert" | "replace" => Some(Flow::Receiver),
                "toString" | "substring" | "<init>" => Some(Flow::Result),
                "charAt" => Some(Flow::Character),
                _ => None,
            },
            ("", "makeConcatWithConstants" | "makeConcat") => Some(Flow::Result),
            _ => None,
        }
    }
}

/// What a method's code names that is a secret.
#[derive(Debug, Default)]
pub(super) struct NamedSecrets {
    /// Nothing is masked at all.
    off: bool,
    /// The locals of parameters.
    pub(super) parameters: Vec<(u16, Secrecy)>,
    variables: Vec<SecretVariable>,
    /// The method gives a secret.
    pub(super) result: Option<Secrecy>,
}

#[derive(Debug)]
struct SecretVariable {
    local: u16,
    /// From where to where it is one.
    start: u32,
    end: u32,
    secrecy: Secrecy,
}

impl NamedSecrets {
    pub(super) fn of(
        names: &SecretNames,
        class: &ClassFile,
        method: &Method,
        code: &Code,
        arguments: &[(JavaType<'_>, u16)],
        result: &JavaType<'_>,
    ) -> Result<Self, ParseError> {
        if names.is_empty() {
            return Ok(NamedSecrets {
                off: true,
                ..NamedSecrets::default()
            });
        }
        let mut found = NamedSecrets {
            result: getter(names, &class.method_name(method)?).filter(|_| may_hold_text(result)),
            ..NamedSecrets::default()
        };
        for variable in code.local_variables(&class.constants)? {
            let is_text = |kind: JavaType<'_>| may_hold_text(&kind);
            if let Some(secrecy) = names.secrecy(&variable.name)
                && java_names::descriptor::parse_field(&variable.descriptor).is_ok_and(is_text)
            {
                found.variables.push(SecretVariable {
                    local: variable.slot,
                    start: variable.start,
                    end: variable.end,
                    secrecy,
                });
            }
        }
        let declared = declared_parameters(class, method);
        for (number, (kind, local)) in arguments.iter().enumerate() {
            let mut variables = found.variables.iter();
            let by_variable = variables
                .find(|variable| variable.local == *local && variable.start == 0)
                .map(|variable| variable.secrecy);
            let by_declaration = declared.get(number).and_then(|name| names.secrecy(name));
            if may_hold_text(kind)
                && let Some(secrecy) = by_variable.max(by_declaration)
            {
                found.parameters.push((*local, secrecy));
            }
        }
        Ok(found)
    }

    /// Whether an instruction stores into a secret variable. A variable begins behind its first store.
    fn stored_by(&self, instruction: &Instruction) -> Option<Secrecy> {
        let local = instruction
            .local_index()
            .filter(|_| instruction.is_local_store())?;
        let is_it = |variable: &&SecretVariable| {
            let scope = variable.start..variable.end.max(variable.start + 1);
            variable.local == local && scope.contains(&instruction.end())
        };
        Some(self.variables.iter().find(is_it)?.secrecy)
    }
}

/// Names from `MethodParameters`, which is there even without debug information if the compiler was asked.
fn declared_parameters(class: &ClassFile, method: &Method) -> Vec<String> {
    let Some(attribute) = class.attribute(&method.attributes, b"MethodParameters") else {
        return Vec::new();
    };
    let entries = attribute
        .bytes
        .get(1..)
        .unwrap_or_default()
        .as_chunks::<4>()
        .0;
    let name = |entry: &[u8; 4]| {
        let name = class
            .constants
            .utf8(u16::from_be_bytes([entry[0], entry[1]]));
        name.map(|name| name.into_owned()).unwrap_or_default()
    };
    entries.iter().map(name).collect()
}

/// Whether a method of this name gives a secret.
fn getter(names: &SecretNames, method: &str) -> Option<Secrecy> {
    ["get", "read"]
        .iter()
        .filter_map(|prefix| method.strip_prefix(prefix))
        .find_map(|name| names.secrecy(name))
}

/// Whether a value of this static type may be text.
fn may_hold_text(kind: &JavaType<'_>) -> bool {
    const TYPES: &[&str] = &[
        "Ljava/lang/String;",
        "Ljava/lang/Object;",
        "Ljava/lang/CharSequence;",
        "Ljava/lang/StringBuilder;",
        "Ljava/lang/StringBuffer;",
        "[C",
        "[B",
        "[Ljava/lang/String;",
        "[Ljava/lang/Object;",
    ];
    matches!(kind, JavaType::Reference(descriptor) if TYPES.contains(descriptor))
}

impl<W: Write> MethodWriter<'_, '_, W> {
    /// The value on top of the stack is a secret.
    fn tell_secret(
        &mut self,
        snippet: &mut Snippet,
        secrecy: Secrecy,
    ) -> Result<(), InstrumentError> {
        let (locals, pool) = (self.locals, &mut self.class.constants);
        Ok(self.probes.secret(snippet, pool, locals, secrecy)?)
    }

    fn secret_before(&mut self, index: usize, secrecy: Secrecy) -> Result<(), InstrumentError> {
        let mut snippet = Snippet::new();
        self.tell_secret(&mut snippet, secrecy)?;
        self.editor.before(index, &snippet);
        Ok(())
    }

    /// Adds to what runs behind an instruction that the reference which it made is a secret.
    pub(super) fn secret_here(&mut self, secrecy: Secrecy) -> Result<(), InstrumentError> {
        let mut snippet = std::mem::take(&mut self.snippet);
        let told = self.tell_secret(&mut snippet, secrecy);
        self.snippet = snippet;
        told
    }

    pub(super) fn secret_member(&self, name: &str, kind: &JavaType<'_>) -> Option<Secrecy> {
        let secrecy = self.context.wanted.secrets.secrecy(name)?;
        may_hold_text(kind).then_some(secrecy)
    }

    /// Whether what an instruction leaves on the stack goes straight under a secret's name.
    pub(super) fn becomes_secret(&self, index: usize) -> Option<Secrecy> {
        if self.secrets.off {
            return None;
        }
        let mut following = self.editor.instructions()[index + 1..].iter();
        let next = following.find(|instruction| instruction.opcode != opcode::CHECKCAST)?;
        match next.opcode {
            opcode::PUTFIELD | opcode::PUTSTATIC => {
                let member = self.class.constants.member_ref(constant_of(next)).ok()?;
                let kind = java_names::descriptor::parse_field(&member.descriptor).ok()?;
                self.secret_member(&member.name, &kind)
            }
            opcode::ARETURN => self.secrets.result,
            _ => self.secrets.stored_by(next),
        }
    }

    /// Before a variable is set, or a value returned, that is a secret.
    pub(super) fn local_secret(&mut self, index: usize) -> Result<(), InstrumentError> {
        let instruction = &self.editor.instructions()[index];
        if let Some(secrecy) = self.secrets.stored_by(instruction) {
            self.secret_before(index, secrecy)?;
        }
        Ok(())
    }

    /// Before a field is set that is a secret.
    pub(super) fn field_secret(
        &mut self,
        index: usize,
        name: &str,
        kind: &JavaType<'_>,
    ) -> Result<(), InstrumentError> {
        if let Some(secrecy) = self.secret_member(name, kind) {
            self.secret_before(index, secrecy)?;
        }
        Ok(())
    }

    /// Around a call: what belongs to a secret key, what a getter gives, and what is made of a secret.
    pub(super) fn call_secrets(
        &mut self,
        index: usize,
        owner: &str,
        name: &str,
        signature: &MethodType<'_>,
    ) -> Result<(), InstrumentError> {
        if self.secrets.off {
            return Ok(());
        }
        let by_key = self.secret_key(index, signature);
        if let Some(secrecy) = by_key
            && signature.parameters.len() == 2
            && signature.parameters.last().is_some_and(may_hold_text)
        {
            self.secret_before(index, secrecy)?;
        }
        if let Some(flow) = Flow::of(owner, name, signature) {
            self.flow(index, name, signature, flow)?;
        }
        let by_getter = getter(self.context.wanted.secrets, name);
        let secrecy = by_key.max(by_getter).max(self.becomes_secret(index));
        if let Some(secrecy) = secrecy.filter(|_| may_hold_text(&signature.result)) {
            self.secret_here(secrecy)?;
        }
        Ok(())
    }

    /// `get("password")`, `put("password", x)`: the key is a constant right before the last argument.
    fn secret_key(&self, index: usize, signature: &MethodType<'_>) -> Option<Secrecy> {
        let back = match signature.parameters.len() {
            1 => 1,
            2 if self.is_one_push(index.wrapping_sub(1)) => 2,
            _ => return None,
        };
        let key = self.editor.instructions().get(index.checked_sub(back)?)?;
        let is_constant = matches!(key.opcode, opcode::LDC | opcode::LDC_W);
        if !is_constant || !may_hold_text(&signature.parameters[0]) {
            return None;
        }
        let Ok(Constant::String { utf8 }) = self.class.constants.get(constant_of(key)) else {
            return None;
        };
        let text = self.class.constants.utf8(utf8).ok()?;
        self.context.wanted.secrets.secrecy(&text)
    }

    fn is_one_push(&self, index: usize) -> bool {
        let instruction = self.editor.instructions().get(index);
        instruction.is_some_and(|instruction| {
            instruction.is_local_load()
                || matches!(
                    instruction.opcode,
                    opcode::LDC | opcode::LDC_W | opcode::GETSTATIC | opcode::ACONST_NULL
                )
        })
    }

    /// Keeps the operands across the call, and tells what they go into.
    fn flow(
        &mut self,
        index: usize,
        name: &str,
        signature: &MethodType<'_>,
        flow: Flow,
    ) -> Result<(), InstrumentError> {
        let is_static = matches!(
            self.editor.instructions()[index].opcode,
            opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC
        );
        let has_receiver = !is_static && name != "<init>";
        if name == "<init>" && !self.allocations.contains(&index) {
            return Ok(());
        }
        // Behind those that keep the arguments for `watch_arrays`.
        let slots = signature.parameters.iter().map(|kind| kind.slots()).sum();
        let receiver = self.scratch.keep(&signature.parameters, 1, slots);
        let mut arguments = Vec::new();
        let mut local = receiver + 1;
        for parameter in &signature.parameters {
            arguments.push((*parameter, local));
            local += parameter.slots();
        }
        let mut before = Snippet::new();
        for (kind, local) in arguments.iter().rev() {
            before.store(*kind, *local);
        }
        if has_receiver {
            before.op(opcode::DUP).store_reference(receiver);
        }
        for (kind, local) in &arguments {
            before.load(*kind, *local);
        }
        let texts = arguments
            .iter()
            .filter(|(kind, _)| may_hold_text(kind))
            .map(|(_, local)| *local);
        let (locals, pool) = (self.locals, &mut self.class.constants);
        match flow {
            Flow::Result => {
                for source in has_receiver.then_some(receiver).into_iter().chain(texts) {
                    self.snippet.op(opcode::DUP).load_reference(source);
                    self.probes.carried(&mut self.snippet, pool, locals)?;
                }
            }
            Flow::Character => self.character_of = Some(receiver),
            Flow::Receiver => {
                for source in texts {
                    before.load_reference(receiver).load_reference(source);
                    self.probes.carried(&mut before, pool, locals)?;
                }
            }
            Flow::Arguments { from, to } => {
                if let (Some(&(_, from)), Some(&(_, to))) = (arguments.get(from), arguments.get(to))
                {
                    before.load_reference(to).load_reference(from);
                    self.probes.carried(&mut before, pool, locals)?;
                }
            }
            Flow::Argument(to) => {
                if let Some(&(_, to)) = arguments.get(to) {
                    before.load_reference(to).load_reference(receiver);
                    self.probes.carried(&mut before, pool, locals)?;
                }
            }
        }
        self.editor.before(index, &before);
        Ok(())
    }

    /// An element of a char[] or byte[], which may be a secret's.
    pub(super) fn text_element(
        &mut self,
        index: usize,
        kind: JavaType<'_>,
    ) -> Result<(), InstrumentError> {
        let array = self.locals.scratch;
        let mut before = Snippet::new();
        before
            .op(opcode::DUP2)
            .op(opcode::POP)
            .store_reference(array);
        self.editor.before(index, &before);
        self.character(index, kind, array)
    }

    /// Notes the character or byte on top of the stack, unless what it is from is a secret.
    pub(super) fn character(
        &mut self,
        index: usize,
        kind: JavaType<'_>,
        holder: u16,
    ) -> Result<(), InstrumentError> {
        let (locals, pool) = (self.locals, &mut self.class.constants);
        self.probes
            .character(&mut self.snippet, pool, locals, kind, holder)?;
        self.editor.after(index, &self.snippet);
        Ok(())
    }

    pub(super) fn masks(&self) -> bool {
        !self.secrets.off
    }
}
