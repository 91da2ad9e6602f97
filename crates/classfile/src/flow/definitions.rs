//! Which assignments of a local variable a use of it may see: reaching definitions.
//!
//! Each local is solved by itself, over the blocks in which it matters. A handler sees the
//! local as it was before any of the instructions that can throw, so for an exception edge the
//! states inside the block count, not the one at its end.

use std::collections::BTreeMap;

use super::{ControlFlow, EdgeKind};
use crate::{Instruction, opcode};

/// What gives a local its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Definition {
    /// The local has it when the method starts: a parameter or the receiver.
    Entry(u16),
    /// A store or `iinc`, by its index.
    Instruction(usize),
}

/// The definitions that reach each use of a local, and the other way round.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DefUse {
    definitions: BTreeMap<usize, Vec<Definition>>,
    uses: BTreeMap<Definition, Vec<usize>>,
}

impl DefUse {
    /// `instructions` must be those that the graph was made of.
    pub fn of(instructions: &[Instruction], graph: &ControlFlow) -> DefUse {
        let mut touching: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
        for (index, instruction) in instructions.iter().enumerate() {
            let Some(local) = instruction.local_index() else {
                continue;
            };
            touching.entry(local).or_default().push(index);
            if let Some(second) = second_half(instruction) {
                touching.entry(second).or_default().push(index);
            }
        }
        let mut result = DefUse::default();
        for (local, touching) in touching {
            let mut one = OneLocal::new(local, &touching, instructions, graph);
            one.solve();
            one.collect(&mut result);
        }
        for (&reader, definitions) in &result.definitions {
            for &definition in definitions {
                result.uses.entry(definition).or_default().push(reader);
            }
        }
        result
    }

    /// What may have given the local the value that this load, `iinc` or `ret` reads; in
    /// order. Empty for other instructions and unreachable ones.
    pub fn definitions_of(&self, reader: usize) -> &[Definition] {
        self.definitions.get(&reader).map_or(&[], Vec::as_slice)
    }

    /// The instructions that may read what this definition gave the local; in order.
    pub fn uses_of(&self, definition: Definition) -> &[usize] {
        self.uses.get(&definition).map_or(&[], Vec::as_slice)
    }

    /// All pairs of a definition and a use.
    pub fn pairs(&self) -> impl Iterator<Item = (Definition, usize)> {
        let each = self.uses.iter();
        each.flat_map(|(&definition, uses)| uses.iter().map(move |&reader| (definition, reader)))
    }
}

/// The local that holds the other half of a long or double that is stored.
fn second_half(instruction: &Instruction) -> Option<u16> {
    let wide = matches!(
        instruction.opcode,
        opcode::LSTORE
            | opcode::DSTORE
            | opcode::LSTORE_0..=opcode::LSTORE_3
            | opcode::DSTORE_0..=opcode::DSTORE_3
    );
    instruction.local_index().filter(|_| wide)?.checked_add(1)
}

fn is_definition(instruction: &Instruction) -> bool {
    instruction.is_local_store() || instruction.opcode == opcode::IINC
}

/// A set of definitions of one local, as bits. The first is the entry's.
type Set = Vec<u64>;

struct OneLocal<'i> {
    local: u16,
    instructions: &'i [Instruction],
    graph: &'i ControlFlow,
    /// Definition number of instructions that define or destroy the local.
    number: BTreeMap<usize, usize>,
    definitions: Vec<Definition>,
    /// What reaches the start of each block; empty where nothing has yet.
    reaching: Vec<Set>,
}

impl<'i> OneLocal<'i> {
    fn new(
        local: u16,
        touching: &[usize],
        instructions: &'i [Instruction],
        graph: &'i ControlFlow,
    ) -> Self {
        let mut definitions = vec![Definition::Entry(local)];
        let mut number = BTreeMap::new();
        for &index in touching {
            if is_definition(&instructions[index]) {
                number.insert(index, definitions.len());
                definitions.push(Definition::Instruction(index));
            }
        }
        OneLocal {
            local,
            instructions,
            graph,
            number,
            definitions,
            reaching: vec![Set::new(); graph.blocks().len()],
        }
    }

    fn solve(&mut self) {
        if self.reaching.is_empty() {
            return;
        }
        let mut entry = vec![0; self.definitions.len().div_ceil(64)];
        entry[0] = 1;
        self.reaching[0] = entry;
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            let (at_end, thrown) = self.through(block);
            for edge in &self.graph.blocks()[block].successors {
                let state = match edge.kind {
                    EdgeKind::Exception(_) => &thrown,
                    _ => &at_end,
                };
                if unite(&mut self.reaching[edge.to], state) {
                    open.push(edge.to);
                }
            }
        }
    }

    /// The state at the end of a block, and the union of those from which it can throw.
    fn through(&self, block: usize) -> (Set, Set) {
        let mut state = self.reaching[block].clone();
        let range = self.graph.blocks()[block].instructions.clone();
        let mut thrown = Set::new();
        let mut from = range.start;
        let throws = |range: std::ops::Range<usize>| {
            self.instructions[range].iter().any(Instruction::can_throw)
        };
        for (&index, &number) in self.number.range(range.clone()) {
            if throws(from..index) {
                unite(&mut thrown, &state);
            }
            state.fill(0);
            state[number / 64] |= 1 << (number % 64);
            from = index;
        }
        if throws(from..range.end) {
            unite(&mut thrown, &state);
        }
        (state, thrown)
    }

    fn collect(&self, result: &mut DefUse) {
        for (block, reaching) in self.graph.blocks().iter().zip(&self.reaching) {
            if reaching.is_empty() {
                continue;
            }
            let mut state = reaching.clone();
            for index in block.instructions.clone() {
                let instruction = &self.instructions[index];
                if instruction.local_index() == Some(self.local) && !instruction.is_local_store() {
                    let bits = (0..self.definitions.len())
                        .filter(|number| state[number / 64] >> (number % 64) & 1 == 1);
                    let found = bits.map(|number| self.definitions[number]).collect();
                    result.definitions.insert(index, found);
                }
                if let Some(number) = self.number.get(&index) {
                    state.fill(0);
                    state[number / 64] |= 1 << (number % 64);
                }
            }
        }
    }
}

/// Adds what is missing; says whether anything was. An empty set stands for one of any size.
fn unite(into: &mut Set, from: &Set) -> bool {
    if into.is_empty() {
        into.clone_from(from);
        return !from.is_empty();
    }
    let mut grown = false;
    for (into, from) in into.iter_mut().zip(from) {
        grown |= *from & !*into != 0;
        *into |= from;
    }
    grown
}
