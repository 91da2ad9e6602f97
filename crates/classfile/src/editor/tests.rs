//! What comes out, byte for byte. Snippets here are constants that tell where they were put;
//! that such code would not verify does not matter.

use super::*;
use crate::{AccessFlags, Attribute, ExceptionRange, opcode};

/// `static void f(int)` with this code in a class of that version.
fn edit(
    major: u16,
    code: &mut Code,
    how: impl FnOnce(&mut CodeEditor<'_>),
) -> Result<Code, EditError> {
    let mut constants = ConstantPool::new();
    let mut utf8 = |text| constants.add_utf8(text).unwrap();
    let [name, descriptor] = [utf8("f"), utf8("(I)V")];
    for attribute in &mut code.attributes {
        attribute.name = match attribute.bytes.len() {
            STACK_MAP_LEN => utf8("StackMapTable"),
            LINES_LEN => utf8("LineNumberTable"),
            _ => utf8("LocalVariableTable"),
        };
    }
    let method = Method {
        access: AccessFlags(AccessFlags::STATIC),
        name,
        descriptor,
        attributes: Vec::new(),
    };
    let mut class = ClassFile {
        minor: 0,
        major,
        constants,
        access: AccessFlags(0),
        this_class: 0,
        super_class: 0,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![method.clone()],
        attributes: Vec::new(),
    };
    let mut editor = CodeEditor::new(&class, &method, code)?;
    how(&mut editor);
    editor.finish(&mut class.constants)
}

const STACK_MAP_LEN: usize = 3;
const LINES_LEN: usize = 10;

/// A loop to its own start: `do n--; while (n != 0);`
fn looping() -> Code {
    let table = |bytes: &[u8]| Attribute {
        name: 0,
        bytes: bytes.to_vec(),
    };
    Code {
        max_stack: 1,
        max_locals: 1,
        bytes: vec![
            opcode::IINC,
            0,
            0xFF,            // 0
            opcode::ILOAD_0, // 3
            opcode::IFNE,
            0xFF,
            0xFC,           // 4
            opcode::RETURN, // 7
        ],
        exceptions: vec![ExceptionRange {
            start: 0,
            end: 3,
            handler: 7,
            catch_type: 0,
        }],
        attributes: vec![
            table(&[0, 1, 0]),
            table(&[0, 2, 0, 0, 0, 50, 0, 7, 0, 51]),
            table(&[0, 1, 0, 3, 0, 5, 0, 0, 0, 0, 0, 0]),
        ],
    }
}

fn marker(opcode: u8) -> Snippet {
    let mut snippet = Snippet::new();
    snippet.op(opcode);
    snippet
}

#[test]
fn everything_moves_to_its_label() {
    let edited = edit(52, &mut looping(), |editor| {
        let first = editor.extra_locals(&[VerificationType::Float]);
        assert_eq!((first, editor.scratch_locals(2)), (1, 2));
        editor.at_entry(&marker(opcode::ICONST_0));
        editor.after(0, &marker(opcode::ICONST_3));
        editor.before(0, &marker(opcode::ICONST_1));
        editor.before(0, &marker(opcode::ICONST_2));
        editor.before(3, &marker(opcode::ICONST_4));
        editor.after(2, &marker(opcode::ICONST_5));
        editor.catch_all(1, &marker(opcode::ATHROW));
    })
    .unwrap();
    let expected = [
        opcode::ICONST_0, // 0, the entry
        opcode::ICONST_1, // 1, label 0
        opcode::ICONST_2,
        opcode::IINC,
        0,
        0xFF, // 3
        opcode::ICONST_3,
        opcode::ILOAD_0, // 7, label 1
        opcode::IFNE,
        0xFF,
        0xF9, // 8, to 1
        opcode::ICONST_5,
        opcode::ICONST_4, // 12, label 3
        opcode::RETURN,
        opcode::ATHROW, // 14
    ];
    assert_eq!(edited.bytes, expected);
    assert_eq!((edited.max_stack, edited.max_locals), (2, 4));
    let range = |start, end, handler| ExceptionRange {
        start,
        end,
        handler,
        catch_type: 0,
    };
    assert_eq!(edited.exceptions, [range(1, 7, 12), range(7, 14, 14)]);
    let tables: Vec<_> = edited
        .attributes
        .iter()
        .map(|a| a.bytes.as_slice())
        .collect();
    // The first line starts with the entry snippet.
    assert_eq!(tables[0], [0, 2, 0, 0, 0, 50, 0, 12, 0, 51]);
    assert_eq!(tables[1], [0, 1, 0, 7, 0, 7, 0, 0, 0, 0, 0, 0]);
    let [throwable_high, throwable_low] = 7u16.to_be_bytes();
    assert_eq!(
        tables[2],
        [
            0,
            2, // two frames
            255,
            0,
            1,
            0,
            2,
            1,
            2,
            0,
            0, // at 1: int float
            255,
            0,
            12,
            0,
            2,
            0,
            2,
            0,
            1,
            7,
            throwable_high,
            throwable_low, // at 14: top float
        ]
    );
}

/// javac writes such handlers for `synchronized`.
#[test]
fn a_handler_in_its_own_range_does_not_catch_what_its_snippets_throw() {
    let range = |start, end, handler| ExceptionRange {
        start,
        end,
        handler,
        catch_type: 0,
    };
    let mut code = looping();
    code.exceptions = vec![range(0, 7, 3), range(3, 4, 7)];
    let edited = edit(52, &mut code, |editor| {
        editor.before(1, &marker(opcode::NOP));
        editor.uncover_before(1);
    })
    .unwrap();
    let parts = [range(0, 3, 3), range(4, 8, 3), range(4, 5, 8)];
    assert_eq!(edited.exceptions, parts);
}

#[test]
fn old_classes_get_no_frames() {
    for (major, without, frames) in [(49, false, 0), (50, true, 0), (50, false, 1), (51, true, 1)] {
        let mut code = looping();
        if without {
            code.attributes.remove(0);
        }
        let edited = edit(major, &mut code, |editor| {
            editor.catch_all(0, &marker(opcode::ATHROW));
        });
        assert_eq!(
            edited.unwrap().attributes.len(),
            2 + frames,
            "{major} {without}"
        );
    }
}

#[test]
fn misuse_is_reported() {
    let check = |how: fn(&mut CodeEditor<'_>), expected: EditError| {
        assert_eq!(edit(52, &mut looping(), how), Err(expected));
    };
    check(
        |editor| editor.after(3, &marker(opcode::NOP)),
        EditError::NoFallThrough(3),
    );
    check(
        |editor| editor.before(4, &marker(opcode::NOP)),
        EditError::NoSuchInstruction(4),
    );
    check(
        |editor| editor.catch_all(4, &marker(opcode::ATHROW)),
        EditError::NoSuchInstruction(4),
    );
    check(
        |editor| {
            editor.scratch_locals(65535);
        },
        EditError::FrameTooLarge,
    );
    check(
        |editor| editor.at_entry(Snippet::new().raw(&[0; 65528], 0)),
        EditError::TooLarge(65536),
    );
}

#[test]
fn a_method_may_be_as_large_as_allowed() {
    let edited = edit(52, &mut looping(), |editor| {
        editor.at_entry(Snippet::new().raw(&[0; 65527], 0));
    });
    assert_eq!(edited.unwrap().bytes.len(), 65535);
}

#[test]
fn far_jumps_go_through_stubs() {
    // The jump is near the end, so that is where its stub goes.
    let edited = edit(52, &mut looping(), |editor| {
        editor.before(1, Snippet::new().raw(&[0; 40_000], 0));
    })
    .unwrap();
    let instructions = edited.instructions().unwrap();
    let [.., jump, _, stub] = instructions.as_slice() else {
        panic!("too few instructions");
    };
    assert_eq!(jump.branch_target(), Some(stub.pc));
    assert_eq!(
        (stub.opcode, stub.branch_target()),
        (opcode::GOTO_W, Some(0))
    );

    // Here both the target and the end are far, and the start is near.
    let mut code = looping();
    code.bytes = vec![
        opcode::ILOAD_0,
        opcode::IFEQ,
        0,
        4,
        opcode::NOP,
        opcode::RETURN,
    ];
    code.exceptions.clear();
    code.attributes.truncate(1);
    code.attributes[0].bytes[2] = 5;
    let edited = edit(52, &mut code, |editor| {
        editor.before(2, Snippet::new().raw(&[0; 40_000], 0));
    })
    .unwrap();
    let instructions = edited.instructions().unwrap();
    let [around, stub, first, jump, ..] = instructions.as_slice() else {
        panic!("too few instructions");
    };
    assert_eq!(around.branch_target(), Some(first.pc));
    assert_eq!(jump.branch_target(), Some(stub.pc));
    assert_eq!(stub.branch_target(), Some(instructions.last().unwrap().pc));
    assert_eq!(edited.attributes[0].bytes[..2], [0, 3], "two more frames");
}
