//! Does to a class everything the editor can do, all at once.

use std::time::{Duration, Instant};

use classfile::{
    ClassFile, Code, CodeEditor, EditError, Snippet, VerificationType, constructor, opcode,
};
use java_names::descriptor::JavaType;

/// What there was to rewrite, to be sure that every case came up.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) bytes: usize,
    pub(crate) time: Duration,
    pub(crate) classes: usize,
    pub(crate) methods: usize,
    pub(crate) constructors: usize,
    pub(crate) caught: usize,
    pub(crate) jumpy: usize,
    pub(crate) blown_up: usize,
    pub(crate) wide_gotos: usize,
    pub(crate) end_stubs: usize,
    pub(crate) start_stubs: usize,
    pub(crate) old_methods: usize,
    pub(crate) too_large: usize,
}

pub(crate) fn rewrite_class(bytes: &[u8], tally: &mut Tally) -> Vec<u8> {
    let start = Instant::now();
    let mut class = ClassFile::parse(bytes).unwrap();
    tally.bytes += bytes.len();
    tally.classes += 1;
    let mut spent = Duration::ZERO;
    for index in 0..class.methods.len() {
        let Some(code) = class.code(&class.methods[index]).unwrap() else {
            continue;
        };
        tally.methods += 1;
        tally.old_methods += usize::from(class.major < 50);
        let paused = Instant::now();
        let blow_up = is_jumpy(&code) && {
            tally.jumpy += 1;
            tally.jumpy.is_multiple_of(8)
        };
        spent += paused.elapsed();
        match rewrite_method(&mut class, index, &code, blow_up, tally) {
            Ok(new) => {
                let paused = Instant::now();
                count_jumps(&new, tally);
                spent += paused.elapsed();
                class.set_code(index, &new).unwrap();
            }
            Err(EditError::TooLarge(_)) => tally.too_large += 1,
            Err(error) => panic!("{}: {error}", class.name().unwrap()),
        }
    }
    let written = class.write();
    tally.time += start.elapsed() - spent;
    written
}

pub(crate) fn rewrite_method(
    class: &mut ClassFile,
    index: usize,
    code: &Code,
    blow_up: bool,
    tally: &mut Tally,
) -> Result<Code, EditError> {
    let method = &class.methods[index];
    let is_constructor = class.method_name(method)? == "<init>";
    let mut editor = CodeEditor::new(class, method, code)?;
    let object = class.constants.add_class("java/lang/Object")?;
    let first = editor.extra_locals(&[
        VerificationType::Integer,
        VerificationType::Object(object),
        VerificationType::Long,
    ]);
    let scratch = editor.scratch_locals(2);
    let [reference, long] = [first + 1, first + 2];

    let mut entry = Snippet::new();
    entry.push_int(100_000, &mut class.constants)?;
    entry.store_int(first);
    entry.op(opcode::ACONST_NULL).store_reference(reference);
    entry.push_long(-5, &mut class.constants)?;
    entry.store(JavaType::Long, long);
    editor.at_entry(&entry);

    let mut before = Snippet::new();
    before.load_reference(reference).store_reference(scratch);
    before.load_int(first).op(opcode::POP);
    let mut after = Snippet::new();
    after
        .load(JavaType::Long, long)
        .store(JavaType::Long, scratch);
    after.op(opcode::NOP);

    let count = editor.instructions().len();
    let every = if blow_up { 7 } else { 1 };
    let padding = if blow_up {
        padding(code, count / 7 + 1)
    } else {
        Snippet::new()
    };
    for each in 0..count {
        let falls_through = editor.instructions()[each].falls_through();
        if each % every == 0 {
            editor.before(each, &before);
            if falls_through {
                editor.after(each, &after);
            }
        }
        if blow_up && each % 7 == 3 {
            // Before some and after others: both must move the labels.
            if falls_through && each % 2 == 0 {
                editor.after(each, &padding);
            } else {
                editor.before(each, &padding);
            }
        }
    }
    tally.blown_up += usize::from(blow_up);

    let from = if is_constructor {
        tally.constructors += 1;
        constructor::super_call(editor.instructions(), &class.constants)
            .map(|call| call + 1)
            .filter(|&from| from < count && editor.this_is_initialized_from(from))
    } else {
        Some(0)
    };
    if let Some(from) = from {
        let mut handler = Snippet::new();
        handler.load_reference(reference).op(opcode::POP);
        handler.increment(first, 300);
        handler.op(opcode::ATHROW);
        editor.catch_all(from, &handler);
        tally.caught += 1;
    }
    editor.finish(&mut class.constants)
}

/// Something long for each of so many places, such that the method stays just legal.
fn padding(code: &Code, places: usize) -> Snippet {
    let room = 60_000usize.saturating_sub(code.bytes.len() * 4) / places;
    let mut padding = Snippet::new();
    for _ in 0..room {
        padding.op(opcode::NOP);
    }
    padding
}

fn is_jumpy(code: &Code) -> bool {
    let instructions = code.instructions().unwrap();
    instructions.len() > 25 && instructions.iter().any(|each| each.is_conditional())
}

/// Conditionals that go to a `goto_w` go through a stub; the originals have none.
fn count_jumps(code: &Code, tally: &mut Tally) {
    let instructions = code.instructions().unwrap();
    let at = |pc| {
        instructions
            .binary_search_by_key(&pc, |each| each.pc)
            .unwrap()
    };
    let wide = |index: usize| instructions[index].opcode == opcode::GOTO_W;
    let mut stubs = std::collections::BTreeSet::new();
    for instruction in &instructions {
        if instruction.is_conditional() {
            let target = at(instruction.branch_target().unwrap());
            if wide(target) {
                stubs.insert(target);
            }
        }
    }
    let at_end = |&&stub: &&usize| instructions[stub].pc as usize > code.bytes.len() / 2;
    let end_stubs = stubs.iter().filter(at_end).count();
    tally.end_stubs += end_stubs;
    tally.start_stubs += stubs.len() - end_stubs;
    tally.wide_gotos += (0..instructions.len()).filter(|&i| wide(i)).count() - stubs.len();
}
