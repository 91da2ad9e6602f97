//! Where control can go in a method: basic blocks and the edges between them.
//!
//! Blocks also end where an exception range starts or ends, so that a block is covered by a
//! handler as a whole or not at all. Only instructions that can throw make exception edges;
//! the JVM's internal errors, which can strike anywhere, do not.
//! A subroutine's `ret` is given an edge to behind every `jsr`: more than can happen, which is
//! what an analysis of old code must live with.

mod definitions;
mod loops;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::{Code, Instruction, Operand, ParseError, opcode};

pub use definitions::{DefUse, Definition};
pub use loops::NaturalLoop;

/// The control-flow graph of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlFlow {
    blocks: Vec<BasicBlock>,
    block_of: Vec<u32>,
}

/// Instructions that run one after the other, unless one throws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasicBlock {
    /// Indices of its instructions.
    pub instructions: Range<usize>,
    /// In the order in which the JVM would try them; exceptions last.
    pub successors: Vec<Edge>,
    /// Blocks with an edge to this one, each once.
    pub predecessors: Vec<usize>,
}

/// A way out of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    pub kind: EdgeKind,
    /// Index of the block it goes to.
    pub to: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EdgeKind {
    /// To the next instruction; of a conditional: not taken.
    FallThrough,
    /// A goto, a jsr or a conditional that is taken.
    Jump,
    /// The case of a switch with that key.
    Case(i32),
    /// The default of a switch.
    Default,
    /// From a `ret` to behind a `jsr`.
    SubroutineReturn,
    /// To the handler of an exception range, with its `catch_type` (0: anything).
    Exception(u16),
}

impl ControlFlow {
    /// `instructions` must be those of `code`.
    pub fn of(code: &Code, instructions: &[Instruction]) -> Result<ControlFlow, ParseError> {
        let places = Places::of(code, instructions)?;
        let starts = places.block_starts(code, instructions)?;
        let mut block_of = vec![0; instructions.len()];
        let mut blocks = Vec::new();
        for (index, block) in block_of.iter_mut().enumerate() {
            if starts[index] {
                blocks.push(BasicBlock {
                    instructions: index..index,
                    successors: Vec::new(),
                    predecessors: Vec::new(),
                });
            }
            if let Some(last) = blocks.last_mut() {
                last.instructions.end = index + 1;
            }
            *block = blocks.len().saturating_sub(1) as u32;
        }
        let mut graph = ControlFlow { blocks, block_of };
        for block in 0..graph.blocks.len() {
            let successors = graph.edges_from(block, code, instructions, &places)?;
            for edge in &successors {
                let known = &mut graph.blocks[edge.to].predecessors;
                if known.last() != Some(&block) {
                    known.push(block);
                }
            }
            graph.blocks[block].successors = successors;
        }
        Ok(graph)
    }

    /// In the order of the code; the method starts with the first.
    pub fn blocks(&self) -> &[BasicBlock] {
        &self.blocks
    }

    /// The block of an instruction.
    pub fn block_of(&self, instruction: usize) -> Option<usize> {
        self.block_of.get(instruction).map(|&block| block as usize)
    }

    fn edges_from(
        &self,
        block: usize,
        code: &Code,
        instructions: &[Instruction],
        places: &Places,
    ) -> Result<Vec<Edge>, ParseError> {
        let range = self.blocks[block].instructions.clone();
        let last = &instructions[range.end - 1];
        let mut edges = Vec::new();
        let mut edge = |kind, instruction: usize| {
            let to = self.block_of[instruction] as usize;
            edges.push(Edge { kind, to });
        };
        let subroutine_call = matches!(last.opcode, opcode::JSR | opcode::JSR_W);
        if last.falls_through() && !subroutine_call && range.end < instructions.len() {
            edge(EdgeKind::FallThrough, range.end);
        }
        match &last.operand {
            Operand::Branch(target) => edge(EdgeKind::Jump, places.target(*target)?),
            Operand::Switch(switch) => {
                for &(key, target) in &switch.cases {
                    edge(EdgeKind::Case(key), places.target(target)?);
                }
                edge(EdgeKind::Default, places.target(switch.default)?);
            }
            _ if last.opcode == opcode::RET => {
                for &call in &places.subroutine_calls {
                    if call + 1 < instructions.len() {
                        edge(EdgeKind::SubroutineReturn, call + 1);
                    }
                }
            }
            _ => {}
        }
        if instructions[range.clone()]
            .iter()
            .any(Instruction::can_throw)
        {
            for handler in &code.exceptions {
                let start = places.target(handler.start.into())?;
                let end = places.index(handler.end.into())?;
                if start <= range.start && range.end <= end {
                    let to = places.target(handler.handler.into())?;
                    edge(EdgeKind::Exception(handler.catch_type), to);
                }
            }
        }
        Ok(edges)
    }
}

/// Which instruction is at a pc, and where subroutines are called.
struct Places {
    index_at: Vec<Option<u32>>,
    subroutine_calls: Vec<usize>,
}

impl Places {
    fn of(code: &Code, instructions: &[Instruction]) -> Result<Places, ParseError> {
        let mut index_at = vec![None; code.bytes.len() + 1];
        let mut subroutine_calls = Vec::new();
        let ends = [code.bytes.len() as u32];
        let pcs = instructions.iter().map(|each| each.pc).chain(ends);
        for (index, pc) in pcs.enumerate() {
            *index_at
                .get_mut(pc as usize)
                .ok_or(ParseError::BadInstruction { pc })? = Some(index as u32);
        }
        for (index, instruction) in instructions.iter().enumerate() {
            if matches!(instruction.opcode, opcode::JSR | opcode::JSR_W) {
                subroutine_calls.push(index);
            }
        }
        Ok(Places {
            index_at,
            subroutine_calls,
        })
    }

    /// The instruction at a pc, or their number for the end of the code.
    fn index(&self, pc: u32) -> Result<usize, ParseError> {
        match self.index_at.get(pc as usize) {
            Some(&Some(index)) => Ok(index as usize),
            _ => Err(ParseError::BadPc {
                pc,
                what: "a jump or exception range",
            }),
        }
    }

    fn target(&self, pc: u32) -> Result<usize, ParseError> {
        self.index(pc).and_then(|index| {
            let inside = pc as usize + 1 < self.index_at.len();
            let what = "a jump or exception range";
            inside
                .then_some(index)
                .ok_or(ParseError::BadPc { pc, what })
        })
    }

    fn block_starts(
        &self,
        code: &Code,
        instructions: &[Instruction],
    ) -> Result<Vec<bool>, ParseError> {
        // One more, for what ends with the code.
        let mut starts = vec![false; instructions.len() + 1];
        starts[0] = true;
        for (index, instruction) in instructions.iter().enumerate() {
            let mut jumps = !instruction.falls_through();
            for target in instruction.targets() {
                starts[self.target(target)?] = true;
                jumps = true;
            }
            starts[index + 1] |= jumps;
        }
        for range in &code.exceptions {
            starts[self.index(range.start.into())?] = true;
            starts[self.index(range.end.into())?] = true;
            starts[self.target(range.handler.into())?] = true;
        }
        Ok(starts)
    }
}
