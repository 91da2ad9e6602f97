//! `StringBuilder` and `StringBuffer`: their text is written by helpers all over the JDK, so each
//! method that changes it tells, when it returns, from where on the text is another.

use std::io::Write;

use classfile::{
    ClassFile, Code, CodeEditor, Instruction, Method, Snippet, VerificationType, opcode,
};
use trace_format::FieldId;
use trace_format::event::tag;

use super::super::InstrumentError;
use super::super::probes::Probes;
use super::followed::BUILDER;
use crate::SymbolTable;

const TYPE: &str = "Ljava/lang/AbstractStringBuilder;";
const COUNT: &str = "count";
/// The fields that make up the text, in the order in which the probe takes their numbers. Up to Java 8 there is no
/// coder, and the value is an array of characters.
const FIELDS: [&str; 3] = ["value", "coder", COUNT];

/// Which part of the text a method may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// From where the text ended before.
    End,
    /// From the index on that is the first argument.
    From,
    /// One character, at the index that is the first argument.
    One,
    All,
}

fn changed_part(name: &str, sets_count: bool) -> Option<Part> {
    match name {
        "setCharAt" => Some(Part::One),
        "reverse" => Some(Part::All),
        "insert" | "delete" | "deleteCharAt" | "replace" => sets_count.then_some(Part::From),
        _ => sets_count.then_some(Part::End),
    }
}

/// The class [`BUILDER`], rewritten.
pub(super) fn instrument<W: Write>(
    mut class: ClassFile,
    symbols: &mut SymbolTable<W>,
) -> Result<Vec<u8>, InstrumentError> {
    let words = words(&class, symbols)?;
    let mut probes = Probes::default();
    for index in 0..class.methods.len() {
        let method = class.methods[index].clone();
        let name = class.method_name(&method)?.into_owned();
        let Some(code) = class.code(&method)? else {
            continue;
        };
        if method.access.is_static() || name == "<init>" {
            continue;
        }
        let sets_count = sets_count(&class, &code.instructions()?)?;
        if let Some(part) = changed_part(&name, sets_count) {
            let edited = note_change(&mut class, &method, &code, part, &words, &mut probes)?;
            class.set_code(index, &edited)?;
        }
    }
    Ok(class.write())
}

/// The class [`BUFFER`](super::followed::BUFFER), rewritten where it stores characters without its superclass.
pub(super) fn instrument_buffer<W: Write>(
    mut class: ClassFile,
    symbols: &mut SymbolTable<W>,
) -> Result<Vec<u8>, InstrumentError> {
    let mut probes = Probes::default();
    for index in 0..class.methods.len() {
        let method = class.methods[index].clone();
        let Some(code) = class.code(&method)? else {
            continue;
        };
        let stores = code
            .instructions()?
            .iter()
            .any(|each| each.opcode == opcode::CASTORE);
        if stores && class.method_name(&method)? == "setCharAt" {
            let value = symbols.field(false, BUILDER, FIELDS[0], "[C")?;
            let words = [word(value)?, 0, 0];
            let edited = note_change(&mut class, &method, &code, Part::One, &words, &mut probes)?;
            class.set_code(index, &edited)?;
        }
    }
    Ok(class.write())
}

/// The first word of the events that tell of a field.
fn word(field: Option<FieldId>) -> Result<i32, InstrumentError> {
    let field = field.ok_or(InstrumentError::OutOfNumbers)?;
    let word = field.0 << 8 | u32::from(tag::PUT_FIELD | tag::BY_LIBRARY);
    Ok(word.cast_signed())
}

/// The first words of the events that tell of the fields; 0 for a field that is not there.
fn words<W: Write>(
    class: &ClassFile,
    symbols: &mut SymbolTable<W>,
) -> Result<[i32; 3], InstrumentError> {
    let mut words = [0; 3];
    for declared in &class.fields {
        let name = class.constants.utf8(declared.name)?;
        let Some(at) = FIELDS.iter().position(|field| *field == name) else {
            continue;
        };
        let descriptor = class.constants.utf8(declared.descriptor)?;
        words[at] = word(symbols.field(false, BUILDER, &name, &descriptor)?)?;
    }
    Ok(words)
}

fn sets_count(class: &ClassFile, instructions: &[Instruction]) -> Result<bool, InstrumentError> {
    for instruction in instructions {
        if instruction.opcode == opcode::PUTFIELD
            && let Some(constant) = instruction.cp_index()
            && class.constants.member_ref(constant)?.name == COUNT
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn note_change(
    class: &mut ClassFile,
    method: &Method,
    code: &Code,
    part: Part,
    words: &[i32],
    probes: &mut Probes,
) -> Result<Code, InstrumentError> {
    let mut editor = CodeEditor::new(class, method, code)?;
    let from = editor.extra_locals(&[VerificationType::Integer]);
    let pool = &mut class.constants;
    let mut snippet = Snippet::new();
    match part {
        Part::End => {
            let count = pool.add_field_ref(BUILDER, COUNT, "I")?;
            snippet.load_reference(0).get_field(count, 1);
        }
        Part::From | Part::One => {
            snippet.load_int(1);
        }
        Part::All => {
            snippet.push_int(0, pool)?;
        }
    }
    snippet.store_int(from);
    editor.at_entry(&snippet);
    snippet.clear();
    snippet.load_reference(0).load_int(from);
    for word in words {
        snippet.push_int(*word, pool)?;
    }
    let probe = match part {
        Part::End => "appended",
        Part::One => "characterSet",
        Part::From | Part::All => "rewritten",
    };
    let parameters = [TYPE, "I", "I", "I", "I"];
    probes.call_library(&mut snippet, pool, probe, &parameters)?;
    for at in 0..editor.instructions().len() {
        if editor.instructions()[at].is_return() {
            editor.before(at, &snippet);
        }
    }
    Ok(editor.finish(pool)?)
}
