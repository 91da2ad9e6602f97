//! A class file is parsed, every table of it read, every method edited as a recorder edits it, and written again.

use anyhow::{Context, Result};
use classfile::flow::{ControlFlow, DefUse};
use classfile::{
    ClassFile, Code, CodeEditor, EditError, Snippet, VerificationType, constructor, opcode,
};
use java_names::descriptor::JavaType;

use crate::recorded;

pub(super) const WORDS: &[&[u8]] = &[
    b"Code",
    b"StackMapTable",
    b"LineNumberTable",
    b"LocalVariableTable",
    b"<init>",
    b"(IJLjava/lang/Object;)V",
    &[opcode::GOTO_W],
    &[0xc4, 0x84], // a wide iinc
    &[0xaa],       // tableswitch
    &[0xab],       // lookupswitch
];

/// More methods than these of one class are left alone: a class that names very many is only slower.
const MOST_METHODS: usize = 200;

pub(super) fn run(bytes: &[u8]) {
    let Ok(mut class) = ClassFile::parse(bytes) else {
        return;
    };
    assert_eq!(class.write(), bytes, "what is not edited is kept");
    look_at_names(&class);
    for index in 0..class.methods.len().min(MOST_METHODS) {
        let Ok(Some(code)) = class.code(&class.methods[index]) else {
            continue;
        };
        look_at_code(&class, &code);
        if let Ok(edited) = edit(&mut class, index, &code) {
            let set = class.set_code(index, &edited);
            assert!(set.is_ok(), "a method that has code takes other code");
        }
    }
    let written = class.write();
    let again = ClassFile::parse(&written);
    assert!(
        again.is_ok_and(|again| again == class),
        "an edited class is read as it was written"
    );
}

fn look_at_names(class: &ClassFile) {
    let _ = (class.name(), class.super_name(), class.source_file());
    for (index, _) in class.constants.iter() {
        let _ = class.constants.class_name(index);
        let _ = class.constants.member_ref(index);
    }
    for field in &class.fields {
        let _ = (class.field_name(field), class.field_descriptor(field));
        let _ = class.annotations(&field.attributes);
    }
    for method in &class.methods {
        let _ = (class.method_name(method), class.method_descriptor(method));
        let _ = class.annotations(&method.attributes);
    }
}

fn look_at_code(class: &ClassFile, code: &Code) {
    let _ = code.line_numbers(&class.constants);
    let _ = code.local_variables(&class.constants);
    let Ok(instructions) = code.instructions() else {
        return;
    };
    let _ = constructor::super_calls(&instructions, &class.constants);
    if let Ok(graph) = ControlFlow::of(code, &instructions) {
        let _ = graph.loops();
        let _ = DefUse::of(&instructions, &graph).pairs().count();
    }
}

/// Does to a method what the recorder does: locals that live throughout, code at the entry, before and after
/// instructions, and a handler of everything.
fn edit(class: &mut ClassFile, index: usize, code: &Code) -> Result<Code, EditError> {
    let method = &class.methods[index];
    let is_constructor = class.method_name(method)? == "<init>";
    let mut editor = CodeEditor::new(class, method, code)?;
    let object = class.constants.add_class("java/lang/Object")?;
    let number =
        editor.extra_locals(&[VerificationType::Integer, VerificationType::Object(object)]);
    let scratch = editor.scratch_locals(2);
    let reference = number.saturating_add(1);

    let mut entry = Snippet::new();
    entry.push_int(100_000, &mut class.constants)?;
    entry.store_int(number);
    entry.op(opcode::ACONST_NULL).store_reference(reference);
    editor.at_entry(&entry);

    let mut before = Snippet::new();
    before.load_int(number).op(opcode::POP);
    let mut after = Snippet::new();
    after.push_long(-5, &mut class.constants)?;
    after.store(JavaType::Long, scratch);
    let count = editor.instructions().len();
    for each in 0..count {
        editor.before(each, &before);
        if editor.instructions()[each].falls_through() {
            editor.after(each, &after);
        }
    }
    let from = if is_constructor {
        constructor::super_call(editor.instructions(), &class.constants)
            .map(|call| call + 1)
            .filter(|&from| from < count && editor.this_is_initialized_from(from))
    } else {
        Some(0)
    };
    if let Some(from) = from {
        let mut handler = Snippet::new();
        handler.increment(number, 300);
        handler.op(opcode::ATHROW);
        editor.catch_all(from, &handler);
    }
    editor.finish(&mut class.constants)
}

/// The classes of the example programs, which javac compiles, and those of the recorder's Java side.
pub(super) fn seeds() -> Result<Vec<Vec<u8>>> {
    let folders = recorded::class_folders()?;
    let mut seeds = Vec::new();
    for folder in folders {
        let files = recorded::files_below(&folder)?;
        let classes = files.into_iter().filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "class")
        });
        for file in classes {
            let bytes = std::fs::read(&file);
            seeds.push(bytes.with_context(|| format!("cannot read {}", file.display()))?);
        }
    }
    Ok(seeds)
}
