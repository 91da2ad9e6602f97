use super::*;
use crate::ExceptionRange;

fn code(bytes: &[u8], exceptions: &[(u16, u16, u16)]) -> Code {
    let range = |&(start, end, handler)| ExceptionRange {
        start,
        end,
        handler,
        catch_type: 9,
    };
    Code {
        bytes: bytes.to_vec(),
        exceptions: exceptions.iter().map(range).collect(),
        ..Code::default()
    }
}

/// Blocks and edges, one block per line.
fn check(code: &Code, expected: &str) {
    let instructions = code.instructions().unwrap();
    let graph = ControlFlow::of(code, &instructions).unwrap();
    let mut text = String::new();
    for block in graph.blocks() {
        let edges = block.successors.iter().map(|edge| match edge.kind {
            EdgeKind::FallThrough => format!("-> {}", edge.to),
            other => format!("{other:?} {}", edge.to),
        });
        let edges: Vec<_> = edges.collect();
        text += &format!("{:?}: {}", block.instructions, edges.join(", "));
        text = text.trim_end().to_owned() + "\n";
    }
    assert_eq!(text.trim(), expected.trim());
}

#[test]
fn a_loop_with_a_handler() {
    let code = code(
        &[
            opcode::ILOAD_0, // 0
            opcode::IFEQ,
            0,
            8,               // 1: to 9
            opcode::ILOAD_0, // 4
            opcode::ILOAD_1,
            opcode::IDIV,
            opcode::ISTORE_0,
            opcode::NOP, // 8
            opcode::RETURN,
            opcode::ASTORE_2, // 10
            opcode::GOTO,
            0xFF,
            0xF5, // 11: to 0
        ],
        &[(4, 8, 10)],
    );
    check(
        &code,
        "
0..2: -> 1, Jump 3
2..6: -> 2, Exception(9) 4
6..7: -> 3
7..8:
8..10: Jump 0",
    );
    let instructions = code.instructions().unwrap();
    let graph = ControlFlow::of(&code, &instructions).unwrap();
    assert_eq!(graph.blocks()[3].predecessors, [0, 2]);
    assert_eq!(graph.block_of(5), Some(1));
    let chains = DefUse::of(&instructions, &graph);
    // The store at index 5 is never seen again: an exception strikes before it.
    assert_eq!(chains.definitions_of(0), [Definition::Entry(0)]);
    assert_eq!(chains.uses_of(Definition::Entry(0)), [0, 2]);
    assert_eq!(chains.uses_of(Definition::Instruction(5)), []);
}

#[test]
fn an_increment_is_read_by_itself() {
    let code = code(
        &[
            opcode::ICONST_0,
            opcode::ISTORE_0, // 1
            opcode::IINC,
            0,
            1,               // 2
            opcode::ILOAD_0, // 5
            opcode::IFNE,
            0xFF,
            0xFC, // 6: to 2
            opcode::RETURN,
        ],
        &[],
    );
    let instructions = code.instructions().unwrap();
    let graph = ControlFlow::of(&code, &instructions).unwrap();
    let chains = DefUse::of(&instructions, &graph);
    let [store, increment] = [1, 2].map(Definition::Instruction);
    assert_eq!(chains.definitions_of(2), [store, increment]);
    assert_eq!(chains.definitions_of(3), [increment]);
    let pairs: Vec<_> = chains.pairs().collect();
    assert_eq!(pairs, [(store, 2), (increment, 2), (increment, 3)]);
}

#[test]
fn switches_and_subroutines() {
    let mut bytes = vec![opcode::ILOAD_0, opcode::LOOKUPSWITCH, 0, 0];
    for number in [23i32, 1, 7, 19] {
        bytes.extend(number.to_be_bytes());
    }
    bytes.extend([opcode::JSR, 0, 5, opcode::NOP]); // 20, to 25
    bytes.push(opcode::RETURN); // 24
    bytes.extend([opcode::ASTORE_1, opcode::RET, 1]); // 25
    check(
        &code(&bytes, &[]),
        "
0..2: Case(7) 1, Default 3
2..3: Jump 4
3..4: -> 3
4..5:
5..7: SubroutineReturn 2",
    );
}

#[test]
fn jumps_into_an_instruction_are_refused() {
    for bytes in [
        [opcode::GOTO, 0, 1, opcode::RETURN],
        [opcode::GOTO, 0, 2, opcode::RETURN],
    ] {
        let code = code(&bytes, &[]);
        let instructions = code.instructions().unwrap();
        assert!(ControlFlow::of(&code, &instructions).is_err());
    }
}
