//! What is noted of a method's execution, and where.
//!
//! The rule (see `docs/trace-format.md`): a call notes what it could not know by itself, and every write to the heap.
//! Whatever re-execution can infer is not noted.

mod hashes;
mod instructions;
mod scratch;
mod secrets;
mod texts;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Write;
use std::ops::Range;

use classfile::{
    AccessFlags, ClassFile, Code, CodeEditor, ExceptionRange, Instruction, Method, Snippet,
    VerificationType, constructor, opcode,
};
use java_names::descriptor::{self, JavaType};
use trace_format::event::size;
use trace_format::symbol::{Level, MethodSymbol};

use super::probes::{Locals, Probes, ThisLocal};
use super::{InstrumentError, OwnCalls, RECORDER, RecordedDetail};
use crate::{SymbolTable, streams};
use scratch::ScratchLocals;
use secrets::NamedSecrets;

pub(super) struct MethodContext<'a> {
    pub(super) class_name: &'a str,
    pub(super) own_calls: &'a OwnCalls,
    pub(super) wanted: RecordedDetail<'a>,
    pub(super) symbol: &'a MethodSymbol,
    pub(super) method: &'a Method,
    pub(super) code: &'a Code,
}

/// The method's code with its probes.
pub(super) fn instrument<W: Write>(
    class: &mut ClassFile,
    context: &MethodContext<'_>,
    probes: &mut Probes,
    symbols: &mut SymbolTable<W>,
) -> Result<Code, InstrumentError> {
    let editor = CodeEditor::new(class, context.method, context.code)?;
    let mut writer = MethodWriter::new(class, context, editor, probes, symbols)?;
    writer.entry()?;
    writer.handlers()?;
    writer.exits()?;
    if context.symbol.level == Level::Full {
        writer.checks()?;
        for index in 0..writer.editor.instructions().len() {
            if !writer.silent.contains(&index) {
                writer.instruction(index)?;
            }
        }
    }
    writer.construction()?;
    writer.catch_all()?;
    let MethodWriter {
        mut editor,
        class,
        scratch,
        ..
    } = writer;
    editor.scratch_locals(scratch.slots());
    Ok(editor.finish(&mut class.constants)?)
}

struct MethodWriter<'a, 'c, W> {
    class: &'a mut ClassFile,
    context: &'a MethodContext<'c>,
    editor: CodeEditor<'c>,
    probes: &'a mut Probes,
    symbols: &'a mut SymbolTable<W>,
    locals: Locals,
    scratch: ScratchLocals,
    /// In a constructor: the calls of `this(…)` or `super(…)`.
    super_calls: Vec<usize>,
    /// The `<init>` calls after which the new object is on top of the stack.
    allocations: HashSet<usize>,
    /// Instructions that set fields of `this` before it is an object (by `this$0 = …` and the like).
    early_writes: HashSet<usize>,
    /// These fields, constant index and event word. They are noted afterwards.
    early_fields: BTreeMap<u16, u32>,
    volatile_fields: HashSet<String>,
    /// Where local 0 can be had for `this`, by instruction; worked out when it is first needed.
    this_local: OnceCell<Vec<ThisLocal>>,
    /// Instructions that get no probes.
    silent: HashSet<usize>,
    secrets: NamedSecrets,
    /// The value that is noted next is a character of what this local holds.
    character_of: Option<u16>,
    snippet: Snippet,
}

impl<'a, 'c, W: Write> MethodWriter<'a, 'c, W> {
    fn new(
        class: &'a mut ClassFile,
        context: &'a MethodContext<'c>,
        mut editor: CodeEditor<'c>,
        probes: &'a mut Probes,
        symbols: &'a mut SymbolTable<W>,
    ) -> Result<Self, InstrumentError> {
        let recorder_class = class.constants.add_class(RECORDER)?;
        let recorder = editor.extra_locals(&[
            VerificationType::Object(recorder_class),
            VerificationType::Integer,
        ]);
        let locals = Locals {
            recorder,
            depth: recorder + 1,
            scratch: recorder + 2,
        };
        let infers_types = editor.infers_types();
        let super_calls = if context.symbol.is_constructor() {
            constructor::super_calls(editor.instructions(), &class.constants)
        } else {
            Vec::new()
        };
        let early_writes = if context.symbol.is_constructor() {
            let (instructions, constants) = (editor.instructions(), &class.constants);
            constructor::early_writes(context.class_name, context.code, instructions, constants)
        } else {
            HashSet::new()
        };
        let allocations = constructor::allocation_sites(editor.instructions(), &class.constants)
            .into_iter()
            .filter(|site| site.dup)
            .map(|site| site.init)
            .collect();
        let mut volatile_fields = HashSet::new();
        for field in &class.fields {
            if field.access.contains(AccessFlags::VOLATILE) {
                volatile_fields.insert(class.field_name(field)?.into_owned());
            }
        }
        Ok(MethodWriter {
            class,
            context,
            editor,
            probes,
            symbols,
            locals,
            scratch: ScratchLocals::new(locals.scratch, infers_types),
            super_calls,
            allocations,
            early_writes,
            early_fields: BTreeMap::new(),
            volatile_fields,
            this_local: OnceCell::new(),
            silent: HashSet::new(),
            secrets: NamedSecrets::default(),
            character_of: None,
            snippet: Snippet::new(),
        })
    }

    fn entry(&mut self) -> Result<(), InstrumentError> {
        let descriptor = self.context.symbol.descriptor.as_str();
        let mut arguments = Vec::new();
        let mut local = 0;
        if !self.context.symbol.is_static() {
            if !self.context.symbol.is_constructor() {
                arguments.push((JavaType::Reference(""), 0));
            }
            local = 1;
        }
        for parameter in descriptor::parse_method(descriptor)?.parameters {
            arguments.push((parameter, local));
            local += parameter.slots();
        }
        let result = descriptor::parse_method(descriptor)?.result;
        let own = if self.context.symbol.enters_with_this() {
            1
        } else {
            0
        };
        self.secrets = NamedSecrets::of(
            self.context.wanted.secrets,
            self.class,
            self.context.method,
            self.context.code,
            &arguments[own..],
            &result,
        )?;
        self.snippet.clear();
        self.texts_of(&arguments)?;
        self.probes.enter(
            &mut self.snippet,
            &mut self.class.constants,
            self.locals,
            self.context.symbol.method,
            &arguments,
            &self.secrets.parameters,
        )?;
        if self.context.method.access.is_synchronized() {
            self.note("sync")?;
        }
        self.editor.at_entry(&self.snippet);
        Ok(())
    }

    /// A handler tells that it was entered: that is how a re-execution knows that, and where,
    /// a call threw, and how calls that were cut short are told to have ended.
    fn handlers(&mut self) -> Result<(), InstrumentError> {
        let handlers: BTreeSet<u16> = self
            .context
            .code
            .exceptions
            .iter()
            .map(|range| range.handler)
            .collect();
        for handler in handlers {
            let pc = u32::from(handler);
            let at = self.index_of(pc);
            self.snippet.clear();
            let releasing = self.releasing_handler(handler);
            let (locals, pool) = (self.locals, &mut self.class.constants);
            match releasing {
                Some((exception, end)) => {
                    self.snippet.load_reference(exception);
                    self.probes.caught(&mut self.snippet, pool, locals, pc)?;
                    self.editor.before(end, &self.snippet);
                    self.silent.extend(at..end);
                }
                None => {
                    self.snippet.op(opcode::DUP);
                    self.probes.caught(&mut self.snippet, pool, locals, pc)?;
                    self.editor.before(at, &self.snippet);
                    self.editor.uncover_before(at);
                }
            }
        }
        Ok(())
    }

    /// A handler that lies in its own range, as compilers write it to release a lock: the JVM tries again
    /// until the lock is released. A probe in there that overflows the stack would keep it trying, or
    /// the lock locked. So such a handler is told of behind that range, where its exception is in a
    /// local: that local, and the instruction.
    fn releasing_handler(&self, handler: u16) -> Option<(u16, usize)> {
        let covers_itself = |range: &&ExceptionRange| {
            range.handler == handler && (range.start..range.end).contains(&handler)
        };
        let range = self.context.code.exceptions.iter().find(covers_itself)?;
        let first = &self.editor.instructions()[self.index_of(range.handler.into())];
        let exception = first.local_index().filter(|_| first.is_local_store())?;
        let end = self.index_of(range.end.into());
        let is_kept = end < self.editor.instructions().len() && self.is_kept(exception, end);
        is_kept.then_some((exception, end))
    }

    /// Whether the frames let the reference be read from a local there, if it was stored to it.
    fn is_kept(&self, local: u16, index: usize) -> bool {
        let known = self.editor.references_in(local);
        known.is_none_or(|known| known[index])
    }

    fn index_of(&self, pc: u32) -> usize {
        self.editor
            .instructions()
            .partition_point(|instruction| instruction.pc < pc)
    }

    fn exits(&mut self) -> Result<(), InstrumentError> {
        let result = descriptor::parse_method(&self.context.symbol.descriptor)?.result;
        for index in 0..self.editor.instructions().len() {
            if self.editor.instructions()[index].is_return() {
                self.snippet.clear();
                self.texts_at_exit(index, result)?;
                if let Some(secrecy) = self.secrets.result {
                    self.secret_here(secrecy)?;
                }
                if self.context.method.access.is_synchronized() {
                    self.note("sync")?;
                }
                self.probes.exit(
                    &mut self.snippet,
                    &mut self.class.constants,
                    self.locals,
                    result,
                )?;
                self.editor.before(index, &self.snippet);
            }
        }
        Ok(())
    }

    /// Probes of values and writes do not look for room, they rely on the last look: on entry,
    /// on the exit of whatever was called, at a handler, or here, at the head of each loop. So
    /// the method's own probes must fit into what a look guarantees; a giant method looks all
    /// the time.
    fn checks(&mut self) -> Result<(), InstrumentError> {
        let instructions = self.editor.instructions();
        let (events, values) = instructions
            .iter()
            .map(unchecked_bytes)
            .fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
        let writes_unchecked = |i: &Instruction| unchecked_bytes(i) != (0, 0);
        let mut places: BTreeSet<usize> = BTreeSet::new();
        if events.max(values) > GUARANTEED {
            places
                .extend((0..instructions.len()).filter(|at| writes_unchecked(&instructions[*at])));
        } else {
            for (at, instruction) in instructions.iter().enumerate() {
                for target in instruction
                    .targets()
                    .filter(|target| *target <= instruction.pc)
                {
                    let head = instructions.partition_point(|i| i.pc < target);
                    if instructions[head..=at].iter().any(&writes_unchecked) {
                        places.insert(head);
                    }
                }
            }
        }
        self.snippet.clear();
        self.note("check")?;
        for place in places {
            self.editor.before(place, &self.snippet);
        }
        Ok(())
    }

    /// Once `super(…)` has returned, `this` is an object and can be named.
    fn construction(&mut self) -> Result<(), InstrumentError> {
        for call in self.super_calls.clone() {
            if self.stores_to_this(0..call) || !self.is_kept(0, call) {
                return Err(InstrumentError::ThisIsElsewhere);
            }
            self.snippet.clear();
            self.probes
                .initialized(&mut self.snippet, &mut self.class.constants, self.locals)?;
            for (field, word) in self.early_fields.clone() {
                let member = self.class.constants.member_ref(field)?;
                let descriptor = member.descriptor.into_owned();
                let kind = descriptor::parse_field(&descriptor)?;
                self.snippet
                    .load_reference(0)
                    .load_reference(0)
                    .get_field(field, kind.slots());
                self.probes.note_field(
                    &mut self.snippet,
                    &mut self.class.constants,
                    self.locals,
                    kind,
                    word,
                    ThisLocal::Holds,
                )?;
            }
            self.editor.after(call, &self.snippet);
        }
        Ok(())
    }

    /// An exception that leaves the method is its way out. A constructor is covered only from where `this` is an
    /// object: before that, a handler would not pass verification.
    fn catch_all(&mut self) -> Result<(), InstrumentError> {
        let from = match (
            self.context.symbol.is_constructor(),
            self.super_calls.last(),
        ) {
            (false, _) => 0,
            (true, Some(call)) if self.editor.this_is_initialized_from(call + 1) => call + 1,
            (true, _) => return Ok(()),
        };
        self.snippet.clear();
        self.probes
            .threw(&mut self.snippet, &mut self.class.constants, self.locals)?;
        self.editor.catch_all(from, &self.snippet);
        Ok(())
    }

    /// Whether `this` can be had from its local there. Some compilers use the local for something
    /// else once they do not need `this` any more, and some tools leave it out of the frames then.
    fn this_at(&self, index: usize) -> ThisLocal {
        let everywhere = || self.this_by_instruction();
        self.this_local.get_or_init(everywhere)[index]
    }

    fn this_by_instruction(&self) -> Vec<ThisLocal> {
        let symbol = self.context.symbol;
        let instructions = 0..self.editor.instructions().len();
        // The first instruction at which it is an object.
        let first = match self.super_calls.last() {
            _ if symbol.is_static() || self.stores_to_this(instructions.clone()) => None,
            Some(call) => {
                let is_object = self.editor.this_is_initialized_from(call + 1);
                is_object.then_some(call + 1)
            }
            None => (!symbol.is_constructor()).then_some(0),
        };
        let is_known = self.editor.references_in(0);
        let holds = |index: usize| {
            first.is_some_and(|first| index >= first)
                && is_known.as_ref().is_none_or(|known| known[index])
        };
        let this_at = |index| match holds(index) {
            true => ThisLocal::Holds,
            false => ThisLocal::DoesNot,
        };
        instructions.map(this_at).collect()
    }

    fn stores_to_this(&self, instructions: Range<usize>) -> bool {
        let mut instructions = self.editor.instructions()[instructions].iter();
        instructions.any(|each| each.is_local_store() && each.local_index() == Some(0))
    }

    fn note(&mut self, probe: &str) -> Result<(), InstrumentError> {
        let (locals, pool) = (self.locals, &mut self.class.constants);
        Ok(self.probes.note(&mut self.snippet, pool, locals, probe)?)
    }
}

/// What a frame may write to a stream after it looked for room, its ENTER aside.
const GUARANTEED: usize = streams::SLACK - LONGEST_ENTER - 64;
/// 255 slots of arguments.
const LONGEST_ENTER: usize = size::ENTER_FAR + 255 * 4;

/// The most that the probes of an instruction write to the events and to the values.
fn unchecked_bytes(instruction: &Instruction) -> (usize, usize) {
    const WIDEST: usize = 8;
    match instruction.opcode {
        opcode::PUTFIELD => (size::PUT_FIELD + WIDEST, 0),
        opcode::PUTSTATIC => (size::PUT_STATIC + WIDEST, 0),
        _ if instruction.is_array_store() => (size::ARRAY_STORE + WIDEST, 0),
        opcode::GETFIELD | opcode::GETSTATIC => (0, WIDEST),
        opcode::NEWARRAY | opcode::ANEWARRAY | opcode::MULTIANEWARRAY => (0, WIDEST),
        opcode::LDC | opcode::LDC_W | opcode::LDC2_W => (0, WIDEST),
        _ if instruction.is_array_load() || instruction.is_invoke() => (0, WIDEST),
        _ => (0, 0),
    }
}

fn constant_of(instruction: &Instruction) -> u16 {
    instruction.cp_index().unwrap_or(0)
}
