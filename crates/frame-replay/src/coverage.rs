//! What of a method's code a call covered: lines, control-flow edges, def-use chains.
//!
//! A def-use chain is covered when a load reads what a store (or the entry of the method) gave the
//! local, and an edge when control went along it; both as the static analysis names them, so that
//! covered ones can be counted among all.

use classfile::flow::{ControlFlow, Definition, Edge, EdgeKind};
use std::collections::BTreeSet;
use trace_store::{CallId, Trace};

use crate::code::MethodCode;
use crate::error::ReplayError;
use crate::machine::Machine;
use crate::program::Program;
use crate::step::{CallEnding, Flow};

/// See the module's header. Blocks and instructions are named by their indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeCoverage {
    pub ending: CallEnding,
    /// Executed instructions.
    pub steps: u64,
    pub instructions: BTreeSet<usize>,
    pub lines: BTreeSet<u16>,
    /// A block and the number of the edge among its successors.
    pub edges: BTreeSet<(usize, usize)>,
    /// Those of the edges that were taken where control could have gone elsewhere: outcomes of conditions and
    /// switches, and exceptions that were caught.
    pub outcomes: BTreeSet<(usize, usize)>,
    pub chains: BTreeSet<(Definition, usize)>,
}

/// A line that control came to, in the order of execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExecutedLine {
    pub line: u16,
    /// The step at which it was entered.
    pub step: u64,
}

/// Which instructions of a method a call executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executed {
    /// Of each instruction whether it was.
    pub instructions: Vec<bool>,
    /// How many were, each time counted.
    pub steps: u64,
}

impl CodeCoverage {
    pub fn of(trace: &Trace, program: &Program, id: CallId) -> Result<CodeCoverage, ReplayError> {
        let mut machine = Machine::new(trace, program, id)?;
        let code = machine.code;
        let flow =
            ControlFlow::of(&code.code, &code.instructions).map_err(|error| ReplayError::Code {
                method: code.label.clone(),
                error,
            })?;
        let mut collector = Collector::new(code, &flow);
        loop {
            if let Some(ending) = machine.state.ended {
                return Ok(collector.finish(ending, machine.state.step));
            }
            let at = machine.state.at;
            let key = machine.state.slots.get(machine.state.top.wrapping_sub(1));
            let key = key.map_or(0, |slot| slot.int());
            let went = machine.step(code)?;
            collector.step(at, key, went);
        }
    }

    /// Which instructions of its method a call executed, by their indices: quicker to find than all that it covered.
    /// `None` if it executed more than `most` in all.
    pub fn executed_instructions(
        trace: &Trace,
        program: &Program,
        id: CallId,
        most: u64,
    ) -> Result<Option<Executed>, ReplayError> {
        let mut machine = Machine::new(trace, program, id)?;
        let code = machine.code;
        let mut instructions = vec![false; code.instructions.len()];
        while machine.state.ended.is_none() {
            if machine.state.step >= most {
                return Ok(None);
            }
            instructions[machine.state.at] = true;
            machine.step(code)?;
        }
        Ok(Some(Executed {
            instructions,
            steps: machine.state.step,
        }))
    }

    /// The lines in the order in which control came to them, at most `limit`.
    pub fn executed_lines(
        trace: &Trace,
        program: &Program,
        id: CallId,
        limit: usize,
    ) -> Result<Vec<ExecutedLine>, ReplayError> {
        let mut machine = Machine::new(trace, program, id)?;
        let code = machine.code;
        let mut lines: Vec<ExecutedLine> = Vec::new();
        let mut before = None;
        while machine.state.ended.is_none() && lines.len() < limit {
            let at = machine.state.at;
            if let Some(line) = code.line(at) {
                // A jump back to the beginning of the same line enters it again.
                let again = before.is_some_and(|before| at <= before) && code.starts_line(at);
                let step = machine.state.step;
                if again || lines.last().is_none_or(|last| last.line != line) {
                    lines.push(ExecutedLine { line, step });
                }
            }
            before = Some(at);
            machine.step(code)?;
        }
        Ok(lines)
    }
}

struct Collector<'c> {
    code: &'c MethodCode,
    flow: &'c ControlFlow,
    executed: Vec<bool>,
    /// What gave each local its value.
    given: Vec<Definition>,
    edges: BTreeSet<(usize, usize)>,
    chains: BTreeSet<(Definition, usize)>,
}

impl<'c> Collector<'c> {
    fn new(code: &'c MethodCode, flow: &'c ControlFlow) -> Self {
        let given = (0..code.max_locals).map(|local| Definition::Entry(local as u16));
        Collector {
            code,
            flow,
            executed: vec![false; code.instructions.len()],
            given: given.collect(),
            edges: BTreeSet::new(),
            chains: BTreeSet::new(),
        }
    }

    fn step(&mut self, at: usize, key: i32, went: Flow) {
        self.executed[at] = true;
        let instruction = &self.code.instructions[at];
        if let Some(local) = instruction.local_index() {
            let stores = instruction.is_local_store();
            let increments = instruction.opcode == classfile::opcode::IINC;
            if let Some(given) = self.given.get_mut(usize::from(local)) {
                if !stores {
                    self.chains.insert((*given, at));
                }
                if stores || increments {
                    *given = Definition::Instruction(at);
                }
            }
            if self.code.ops[at].code == crate::code::pseudo::STORE2
                && let Some(second) = self.given.get_mut(usize::from(local) + 1)
            {
                *second = Definition::Instruction(at);
            }
        }
        let (to, caught) = match went {
            Flow::To(to) => (to, false),
            Flow::Caught { handler, .. } => (handler, true),
            Flow::Ended(_) => return,
        };
        self.edge(at, to, caught, key);
    }

    fn edge(&mut self, at: usize, to: usize, caught: bool, key: i32) {
        let (Some(from), Some(block)) = (self.flow.block_of(at), self.flow.block_of(to)) else {
            return;
        };
        let range = &self.flow.blocks()[from].instructions;
        if !caught && at + 1 != range.end {
            return;
        }
        let successors = &self.flow.blocks()[from].successors;
        let along = |wanted: &dyn Fn(EdgeKind) -> bool| {
            let mut edges = successors.iter();
            edges.position(|edge| edge.to == block && wanted(edge.kind))
        };
        let is_exception = |kind: EdgeKind| matches!(kind, EdgeKind::Exception(_));
        let found = if caught {
            along(&is_exception)
        } else if at + 1 != to {
            along(&|kind| kind == EdgeKind::Case(key))
                .or_else(|| along(&|kind| kind == EdgeKind::Default))
                .or_else(|| along(&|kind| kind == EdgeKind::Jump))
                .or_else(|| along(&|kind| kind == EdgeKind::SubroutineReturn))
        } else {
            along(&|kind| kind == EdgeKind::FallThrough)
                .or_else(|| along(&|kind| kind == EdgeKind::Case(key)))
                .or_else(|| along(&|kind| !is_exception(kind)))
        };
        if let Some(edge) = found {
            self.edges.insert((from, edge));
        }
    }

    fn outcomes(&self) -> BTreeSet<(usize, usize)> {
        let is_caught = |edge: &Edge| matches!(edge.kind, EdgeKind::Exception(_));
        let was_decided = |&&(from, number): &&(usize, usize)| {
            let successors = &self.flow.blocks()[from].successors;
            let others = successors.iter().filter(|edge| !is_caught(edge)).count();
            others > 1 || is_caught(&successors[number])
        };
        self.edges.iter().filter(was_decided).copied().collect()
    }

    fn finish(self, ending: CallEnding, steps: u64) -> CodeCoverage {
        let executed = self.executed.iter().enumerate();
        let instructions: BTreeSet<_> = executed
            .filter(|(_, ran)| **ran)
            .map(|(at, _)| at)
            .collect();
        let lines = instructions.iter().filter_map(|at| self.code.line(*at));
        CodeCoverage {
            ending,
            steps,
            lines: lines.collect(),
            instructions,
            outcomes: self.outcomes(),
            edges: self.edges,
            chains: self.chains,
        }
    }
}
