//! Where a method gets hold of a secret: the recorder must be told before it describes the value.
//!
//! A secret is text that is held under a secret's name: a field, a variable, what a getter of that name gives,
//! or what belongs to a key of that name (`getProperty("db.password")`). From there on the object itself
//! is known. What the JDK makes of its characters is a secret, too; see [`Flow`].

use std::io::Write;

use classfile::descriptor::{JavaType, MethodType};
use classfile::{ClassFile, Code, Constant, Instruction, Method, ParseError, Snippet, opcode};
use trace_format::secret::SecretNames;

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
    pub(super) parameters: Vec<u16>,
    /// Local, and from where to where it is one.
    variables: Vec<(u16, u32, u32)>,
    /// The method gives a secret.
    pub(super) result: bool,
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
            result: may_hold_text(result) && is_getter(names, &class.method_name(method)?),
            ..NamedSecrets::default()
        };
        for variable in code.local_variables(&class.constants)? {
            let is_text = |kind: JavaType<'_>| may_hold_text(&kind);
            if names.contains(&variable.name)
                && classfile::descriptor::parse_field(&variable.descriptor).is_ok_and(is_text)
            {
                found
                    .variables
                    .push((variable.slot, variable.start, variable.end));
            }
        }
        let declared = declared_parameters(class, method);
        for (number, (kind, local)) in arguments.iter().enumerate() {
            let by_variable = found
                .variables
                .iter()
                .any(|&(slot, start, _)| slot == *local && start == 0);
            let by_declaration = declared
                .get(number)
                .is_some_and(|name| names.contains(name));
            if may_hold_text(kind) && (by_variable || by_declaration) {
                found.parameters.push(*local);
            }
        }
        Ok(found)
    }

    /// Whether an instruction stores into a secret variable. A variable begins behind its first store.
    fn is_stored_by(&self, instruction: &Instruction) -> bool {
        let local = instruction
            .local_index()
            .filter(|_| instruction.is_local_store());
        local.is_some_and(|local| {
            self.variables.iter().any(|&(slot, start, end)| {
                slot == local && (start..end.max(start + 1)).contains(&instruction.end())
            })
        })
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

fn is_getter(names: &SecretNames, method: &str) -> bool {
    ["get", "read"]
        .iter()
        .filter_map(|prefix| method.strip_prefix(prefix))
        .any(|name| names.contains(name))
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
    fn tell_secret(&mut self, snippet: &mut Snippet) -> Result<(), InstrumentError> {
        let (locals, pool) = (self.locals, &mut self.class.constants);
        Ok(self.probes.secret(snippet, pool, locals)?)
    }

    fn secret_before(&mut self, index: usize) -> Result<(), InstrumentError> {
        let mut snippet = Snippet::new();
        self.tell_secret(&mut snippet)?;
        self.editor.before(index, &snippet);
        Ok(())
    }

    /// Adds to what runs behind an instruction that the reference which it made is a secret.
    pub(super) fn secret_here(&mut self) -> Result<(), InstrumentError> {
        let mut snippet = std::mem::take(&mut self.snippet);
        let told = self.tell_secret(&mut snippet);
        self.snippet = snippet;
        told
    }

    pub(super) fn is_secret_member(&self, name: &str, kind: &JavaType<'_>) -> bool {
        may_hold_text(kind) && self.context.wanted.secrets.contains(name)
    }

    /// Whether what an instruction leaves on the stack goes straight under a secret's name.
    pub(super) fn becomes_secret(&self, index: usize) -> bool {
        if self.secrets.off {
            return false;
        }
        let mut following = self.editor.instructions()[index + 1..].iter();
        let next = following.find(|instruction| instruction.opcode != opcode::CHECKCAST);
        next.is_some_and(|next| match next.opcode {
            opcode::PUTFIELD | opcode::PUTSTATIC => {
                let member = self.class.constants.member_ref(constant_of(next));
                member.is_ok_and(|member| {
                    let kind = classfile::descriptor::parse_field(&member.descriptor);
                    kind.is_ok_and(|kind| self.is_secret_member(&member.name, &kind))
                })
            }
            opcode::ARETURN => self.secrets.result,
            _ => self.secrets.is_stored_by(next),
        })
    }

    /// Before a variable is set, or a value returned, that is a secret.
    pub(super) fn local_secret(&mut self, index: usize) -> Result<(), InstrumentError> {
        let instruction = &self.editor.instructions()[index];
        if self.secrets.is_stored_by(instruction) {
            self.secret_before(index)?;
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
        if self.is_secret_member(name, kind) {
            self.secret_before(index)?;
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
        let key_is_secret = self.names_secret_key(index, signature);
        if key_is_secret
            && signature.parameters.len() == 2
            && signature.parameters.last().is_some_and(may_hold_text)
        {
            self.secret_before(index)?;
        }
        if let Some(flow) = Flow::of(owner, name, signature) {
            self.flow(index, name, signature, flow)?;
        }
        let getter = is_getter(self.context.wanted.secrets, name);
        if may_hold_text(&signature.result)
            && (key_is_secret || getter || self.becomes_secret(index))
        {
            self.secret_here()?;
        }
        Ok(())
    }

    /// `get("password")`, `put("password", x)`: the key is a constant right before the last argument.
    fn names_secret_key(&self, index: usize, signature: &MethodType<'_>) -> bool {
        let back = match signature.parameters.len() {
            1 => 1,
            2 if self.is_one_push(index.wrapping_sub(1)) => 2,
            _ => return false,
        };
        let instructions = self.editor.instructions();
        let Some(key) = index.checked_sub(back).and_then(|at| instructions.get(at)) else {
            return false;
        };
        if !may_hold_text(&signature.parameters[0])
            || !matches!(key.opcode, opcode::LDC | opcode::LDC_W)
        {
            return false;
        }
        match self.class.constants.get(constant_of(key)) {
            Ok(Constant::String { utf8 }) => {
                let text = self.class.constants.utf8(utf8);
                text.is_ok_and(|text| self.context.wanted.secrets.contains(&text))
            }
            _ => false,
        }
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
        // The first two scratch locals serve probes of other instructions, those that follow keep the arguments for
        // `watch_arrays`.
        let slots: u16 = signature.parameters.iter().map(|kind| kind.slots()).sum();
        let receiver = self.locals.scratch + 2 + slots;
        let mut arguments = Vec::new();
        let mut local = receiver + 1;
        for parameter in &signature.parameters {
            arguments.push((*parameter, local));
            local += parameter.slots();
        }
        self.scratch_slots = self.scratch_slots.max(local - self.locals.scratch);
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
