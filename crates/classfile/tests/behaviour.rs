//! Rewritten code does what the original does, and the inserted code runs when it should.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::rewrite::{Tally, rewrite_class};
use classfile::{
    AccessFlags, Attribute, ClassFile, Code, CodeEditor, ConstantPool, Method, Snippet,
    VerificationType, constructor, opcode,
};

#[test]
fn probed_program_prints_the_same() {
    let original = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Fixture.java");
    run(Command::new("javac")
        .arg("-g")
        .arg("-d")
        .arg(original.path())
        .arg(source));
    let plain = main(original.path());
    for padding in [0, 700] {
        let probed = tempfile::tempdir().unwrap();
        for file in common::files_below(original.path()) {
            let relative = file.strip_prefix(original.path()).unwrap();
            let bytes = fs::read(&file).unwrap();
            let bytes = match relative.to_str() {
                Some("Fixture.class") => probe_class(&bytes, padding),
                _ => bytes,
            };
            common::write_at(probed.path(), relative, &bytes);
        }
        // The refused argument leaves one constructor through its handler; the other constructor
        // is still in its call of `this(…)`, which no handler can cover.
        let expected = plain.replace(
            "entries 0, steps false, escapes 0",
            "entries 1, steps true, escapes 1",
        );
        assert_eq!(
            main(probed.path()),
            expected,
            "with {padding} bytes of padding"
        );
    }
}

/// Calls `Probe` at entry, around every instruction, and when an exception leaves.
fn probe_class(bytes: &[u8], padding: usize) -> Vec<u8> {
    let mut class = ClassFile::parse(bytes).unwrap();
    for index in 0..class.methods.len() {
        let method = class.methods[index].clone();
        if let Some(code) = class.code(&method).unwrap() {
            let code = probe_method(&mut class, &method, &code, padding);
            class.set_code(index, &code).unwrap();
        }
    }
    class.write()
}

fn probe_method(class: &mut ClassFile, method: &Method, code: &Code, padding: usize) -> Code {
    let name = class.method_name(method).unwrap().into_owned();
    let mut editor = CodeEditor::new(class, method, code).unwrap();
    let constants = &mut class.constants;
    let enter = constants
        .add_method_ref("Probe", "enter", "(Ljava/lang/String;)I")
        .unwrap();
    let step = constants.add_method_ref("Probe", "step", "(II)V").unwrap();
    let escape = constants
        .add_method_ref("Probe", "escape", "(II)V")
        .unwrap();
    let token = editor.extra_locals(&[VerificationType::Integer]);

    let mut snippet = Snippet::new();
    snippet.push_constant(constants.add_string(&name).unwrap());
    snippet.invoke_static(enter, 1, 1).store_int(token);
    editor.at_entry(&snippet);

    let hash = java_hash(&name);
    snippet
        .clear()
        .load_int(token)
        .push_int(hash, constants)
        .unwrap();
    snippet.invoke_static(step, 2, 0);
    for _ in 0..padding.min(50_000 / editor.instructions().len()) {
        snippet.op(opcode::NOP);
    }
    for each in 0..editor.instructions().len() {
        editor.before(each, &snippet);
    }

    let from = match name.as_str() {
        "<init>" => constructor::super_call(editor.instructions(), constants).unwrap() + 1,
        _ => 0,
    };
    assert!(editor.this_is_initialized_from(from));
    snippet
        .clear()
        .load_int(token)
        .push_int(hash, constants)
        .unwrap();
    snippet.invoke_static(escape, 2, 0).op(opcode::ATHROW);
    editor.catch_all(from, &snippet);
    editor.finish(constants).unwrap()
}

fn java_hash(text: &str) -> i32 {
    let next = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(unit.into());
    text.encode_utf16().fold(0, next)
}

fn main(directory: &Path) -> String {
    run(Command::new("java")
        .arg("-Xverify:all")
        .arg("-cp")
        .arg(directory)
        .arg("Fixture"))
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// A large program of the newest class file version, with all its methods rewritten.
#[test]
fn rewritten_compiler_compiles() {
    let original = tempfile::tempdir().unwrap();
    let rewritten = tempfile::tempdir().unwrap();
    common::java(&[], "module", original.path(), ["jdk.compiler"]);
    let mut tally = Tally::default();
    for file in common::files_below(original.path()) {
        let relative = file.strip_prefix(original.path()).unwrap();
        let bytes = rewrite_class(&fs::read(&file).unwrap(), &mut tally);
        common::write_at(rewritten.path(), relative, &bytes);
    }
    assert!(tally.methods > 5000);

    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Fixture.java");
    let [expected, found] = [original.path(), rewritten.path()].map(|compiler| {
        let output = tempfile::tempdir().unwrap();
        let patch = format!("jdk.compiler={}", compiler.display());
        run(Command::new("java")
            .args(["-Xverify:all", "--patch-module", &patch])
            .args(["-m", "jdk.compiler/com.sun.tools.javac.Main", "-g", "-d"])
            .arg(output.path())
            .arg(&source));
        let files = common::files_below(output.path());
        let bytes: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
        bytes
    });
    assert!(expected == found);
}

/// `jsr` and `ret` are gone since version 51, so no compiler at hand writes them.
#[test]
fn subroutines_run() {
    let code = Code {
        max_stack: 2,
        max_locals: 2,
        bytes: vec![
            opcode::JSR,
            0,
            8, // 0: to 8
            opcode::JSR,
            0,
            5,               // 3: to 8
            opcode::ILOAD_0, // 6
            opcode::IRETURN,
            opcode::ASTORE_1, // 8
            opcode::IINC,
            0,
            3,
            opcode::RET,
            1,
        ],
        ..Code::default()
    };
    for (version, padding) in [(48, 0), (49, 10), (49, 17_000)] {
        let mut class = class_with_method(version, &code);
        let mut editor = CodeEditor::new(&class, &class.methods[0], &code).unwrap();
        let count = editor.extra_locals(&[VerificationType::Integer]);
        let mut snippet = Snippet::new();
        snippet.op(opcode::ICONST_0).store_int(count);
        editor.at_entry(&snippet);
        snippet.clear();
        for _ in 0..padding {
            snippet.op(opcode::NOP);
        }
        editor.before(1, &snippet);
        editor.before(3, &snippet);
        snippet.clear().increment(count, 100);
        for index in [0, 1, 3, 4] {
            editor.before(index, &snippet);
        }
        // Runs when the subroutine comes back.
        snippet.clear().increment(count, 1000);
        editor.after(0, &snippet);
        snippet.clear().load_int(count).op(opcode::IADD);
        editor.before(3, &snippet);
        snippet.clear().op(opcode::ATHROW);
        editor.catch_all(0, &snippet);
        let edited = editor.finish(&mut class.constants).unwrap();
        let wide = edited.instructions().unwrap();
        let wide = wide.iter().any(|each| each.opcode == opcode::JSR_W);
        assert_eq!(wide, padding > 10_000);
        class.set_code(0, &edited).unwrap();

        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("Made.class"), class.write()).unwrap();
        let printed = common::java(
            &["-Xverify:all"],
            "call",
            directory.path(),
            ["Made", "f", "40"],
        );
        // 40 + 2 * 3, and the counter: 100 for each of the two jsr, the store twice and the
        // return, 1000 for the way back from the first.
        assert_eq!(printed.trim(), (46 + 500 + 1000).to_string());
    }
}

/// `public class Made { public static int f(int) { … } }`
fn class_with_method(major: u16, code: &Code) -> ClassFile {
    let mut constants = ConstantPool::new();
    let mut utf8 = |text| constants.add_utf8(text).unwrap();
    let [name, descriptor, attribute] = [utf8("f"), utf8("(I)I"), utf8("Code")];
    let mut class = ClassFile {
        minor: 0,
        major,
        this_class: constants.add_class("Made").unwrap(),
        super_class: constants.add_class("java/lang/Object").unwrap(),
        access: AccessFlags(0x21),
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![Method {
            access: AccessFlags(AccessFlags::PUBLIC | AccessFlags::STATIC),
            name,
            descriptor,
            attributes: vec![Attribute {
                name: attribute,
                bytes: Vec::new(),
            }],
        }],
        attributes: Vec::new(),
        constants,
    };
    class.set_code(0, code).unwrap();
    class
}
