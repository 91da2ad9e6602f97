//! The chains of real methods, compared with a slower and simpler way to find them.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::common;

use std::collections::BTreeSet;
use std::fs;

use classfile::flow::{ControlFlow, DefUse, Definition};
use classfile::{ClassFile, Code, Instruction, opcode};

#[test]
fn chains_of_real_methods() {
    let files = common::files_below(&common::class_files());
    let mut pairs = 0;
    for file in files.iter().step_by(23) {
        let class = ClassFile::parse(&fs::read(file).unwrap()).unwrap();
        for method in &class.methods {
            let Some(code) = class.code(method).unwrap() else {
                continue;
            };
            let instructions = code.instructions().unwrap();
            let graph = ControlFlow::of(&code, &instructions).unwrap();
            let chains = DefUse::of(&instructions, &graph);
            let expected = naive(&code, &instructions);
            for (index, expected) in expected.iter().enumerate() {
                let found = chains.definitions_of(index);
                assert!(found.iter().eq(expected), "{} {index}", file.display());
                pairs += found.len();
            }
            assert_eq!(
                chains.pairs().count(),
                expected.iter().map(|e| e.len()).sum::<usize>()
            );
        }
    }
    assert!(pairs > 10_000, "{pairs}");
}

/// What reaches each instruction that reads a local, found instruction by instruction.
fn naive(code: &Code, instructions: &[Instruction]) -> Vec<BTreeSet<Definition>> {
    type State = BTreeSet<(u16, Definition)>;
    let at = |pc: u32| instructions.partition_point(|each| each.pc < pc);
    let entry: State = (0..code.max_locals)
        .map(|local| (local, Definition::Entry(local)))
        .collect();
    let mut before: Vec<Option<State>> = vec![None; instructions.len()];
    before[0] = Some(entry);
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        let instruction = &instructions[index];
        let state = before[index].clone().unwrap();
        let mut after = state.clone();
        if let Some(local) = instruction.local_index()
            && (instruction.is_local_store() || instruction.opcode == opcode::IINC)
        {
            let wide = instruction.name().starts_with(['l', 'd']);
            after.retain(|&(other, _)| other != local && !(wide && other == local + 1));
            after.insert((local, Definition::Instruction(index)));
        }
        let mut next: Vec<(usize, &State)> = Vec::new();
        if instruction.falls_through() {
            next.push((index + 1, &after));
        }
        next.extend(instruction.targets().map(|target| (at(target), &after)));
        for range in &code.exceptions {
            let covered = (range.start.into()..range.end.into()).contains(&instruction.pc);
            if covered && instruction.can_throw() {
                next.push((at(range.handler.into()), &state));
            }
        }
        for (to, state) in next {
            let is_new = before[to].is_none();
            let known = before[to].get_or_insert_default();
            let size = known.len();
            known.extend(state);
            if is_new || known.len() > size {
                open.push(to);
            }
        }
    }
    let reads = |index: usize| {
        let local = instructions[index].local_index();
        local.filter(|_| !instructions[index].is_local_store())
    };
    (0..instructions.len())
        .map(|index| {
            let reaching = before[index].iter().flatten();
            let wanted = reaching.filter(|&&(local, _)| Some(local) == reads(index));
            wanted.map(|&(_, definition)| definition).collect()
        })
        .collect()
}
