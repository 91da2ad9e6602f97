//! A call cut into pieces: its loops, their iterations, its statements (loop expansion and statement
//! zooming, section 4.4 of *A Generalized Model*).
//!
//! Re-executing the call gives the instructions in order; the loops of its code say where an iteration
//! begins and where a loop is left. Time inside the call is the number of the instruction. A
//! statement is a stretch in which control stays in one line.

use classfile::flow::{ControlFlow, NaturalLoop};
use debug_engine::model::{CodeFragment, ExecutionNode, StatementId};
use debug_engine::transform::NodeKind;
use debug_engine::{NodeId, RoutineId};
use frame_replay::{MethodCode, Program, Replay};
use std::ops::Range;
use trace_store::CallId;

use crate::run::JavaRun;

/// A longer call is not cut.
const LONGEST: u64 = 2_000_000;
/// More pieces than this are too many to be searched.
const MOST: usize = 200_000;

/// The pieces of a call.
pub struct Pieces {
    /// In any order, without the call itself.
    pub found: Vec<(NodeKind, Range<u64>)>,
    /// The calls that it made, each with the number of the instruction that made it.
    pub calls: Vec<(u64, CallId)>,
    /// The line of each instruction that ran.
    lines: Vec<Option<u16>>,
    end: u64,
}

impl Pieces {
    /// The call first, then its pieces.
    pub fn nodes(&self, node: NodeId, routine: RoutineId) -> Vec<ExecutionNode> {
        let whole = (NodeKind::Routine, 0..self.end);
        let pieces = std::iter::once(&whole).chain(&self.found);
        let nodes = pieces.map(|(kind, computation)| ExecutionNode {
            kind: *kind,
            code: lines_in(&self.lines, computation),
            computation: computation.clone(),
            routine,
            call: (*kind == NodeKind::Routine).then_some(node),
        });
        nodes.collect()
    }
}

/// Cuts a call; `None` if it cannot be re-executed to its end, or is too long.
pub fn cut(run: &JavaRun, program: &Program, node: NodeId, statements: bool) -> Option<Pieces> {
    let id = run.call_id(node)?;
    let mut replay = run.executed(Replay::new(run.trace(), program, id))?;
    let code = replay.code();
    let flow = ControlFlow::of(code.code(), code.instructions()).ok()?;
    let loops = flow.loops();
    let mut cutter = Cutter {
        code,
        flow: &flow,
        short: loops
            .iter()
            .map(|found| is_in_one_line(found, &flow, code))
            .collect(),
        loops: &loops,
        found: Vec::new(),
        lines: Vec::new(),
        open: Vec::new(),
        statement: None,
        before: None,
    };
    let mut calls = Vec::new();
    while let Some(step) = run.executed(replay.step())? {
        if step.index == LONGEST || cutter.found.len() > MOST {
            return None;
        }
        cutter.step(step.index, step.instruction, statements);
        calls.extend(replay.children().map(|child| (step.index, child)));
    }
    let end = replay.steps();
    cutter.leave_loops(end, |_| false);
    cutter.end_statement(end);
    Some(Pieces {
        found: cutter.found,
        calls,
        lines: cutter.lines,
        end,
    })
}

/// The lines that ran, as the statements of the engine's model.
fn lines_in(lines: &[Option<u16>], computation: &Range<u64>) -> CodeFragment {
    let place = |step: u64| usize::try_from(step).unwrap_or(usize::MAX).min(lines.len());
    let inside = &lines[place(computation.start)..place(computation.end)];
    let ran = inside.iter().flatten();
    ran.map(|&line| StatementId(line.into())).collect()
}

struct Cutter<'code> {
    code: &'code MethodCode,
    flow: &'code ControlFlow,
    loops: &'code [NaturalLoop],
    /// Which of them stand in one line.
    short: Vec<bool>,
    found: Vec<(NodeKind, Range<u64>)>,
    /// The line of each instruction that ran.
    lines: Vec<Option<u16>>,
    /// The loops that control is in, the innermost last.
    open: Vec<OpenLoop>,
    /// Line and start of the statement that is running.
    statement: Option<(Option<u16>, u64)>,
    before: Option<usize>,
}

/// A loop that control is in.
struct OpenLoop {
    number: usize,
    line: Option<u16>,
    start: u64,
    iteration: u64,
    /// Whether this iteration has done more than decide that the loop goes on.
    has_begun: bool,
}

impl Cutter<'_> {
    fn step(&mut self, step: u64, at: usize, statements: bool) {
        let Some(block) = self.flow.block_of(at) else {
            return;
        };
        let line = self.code.line(at);
        self.lines.push(line);
        let pieces = self.found.len();
        let loops = self.loops;
        self.leave_loops(step, |number| loops[number].blocks.contains(&block));
        let is_start = self.flow.blocks()[block].instructions.start == at;
        let header = loops.iter().position(|found| found.header == block);
        let mut begins = self.found.len() > pieces;
        if let Some(number) = header.filter(|_| is_start) {
            begins = true;
            self.enter_header(number, line, step);
        }
        for open in &mut self.open {
            // In a loop that stands in one line, the header's block is the decision.
            let is_header = block == loops[open.number].header;
            open.has_begun |= line != open.line || (self.short[open.number] && !is_header);
        }
        if statements {
            let goes_back = self.before.is_some_and(|before| at <= before);
            let again = goes_back && self.code.starts_line(at);
            let same = self.statement.is_some_and(|(running, _)| running == line);
            if !same || again || begins {
                self.end_statement(step);
                self.statement = Some((line, step));
            }
        }
        self.before = Some(at);
    }

    fn enter_header(&mut self, number: usize, line: Option<u16>, step: u64) {
        if let Some(open) = self.open.last_mut().filter(|open| open.number == number) {
            let finished = open.iteration..step;
            open.iteration = step;
            open.has_begun = false;
            self.end_statement(step);
            self.found.push((NodeKind::Iteration, finished));
            return;
        }
        self.end_statement(step);
        self.open.push(OpenLoop {
            number,
            line,
            start: step,
            iteration: step,
            has_begun: false,
        });
    }

    /// Ends the innermost loops as long as they do not hold where control is now.
    fn leave_loops(&mut self, step: u64, holds: impl Fn(usize) -> bool) {
        while let Some(open) = self.open.pop() {
            if holds(open.number) {
                self.open.push(open);
                return;
            }
            self.end_statement(step);
            self.found.push((NodeKind::Loop, open.start..step));
            // The last time, a loop only finds that it is over.
            if open.has_begun {
                self.found.push((NodeKind::Iteration, open.iteration..step));
            }
        }
    }

    fn end_statement(&mut self, step: u64) {
        if let Some((Some(_), start)) = self.statement.take()
            && start < step
        {
            self.found.push((NodeKind::Statement, start..step));
        }
    }
}

fn is_in_one_line(found: &NaturalLoop, flow: &ControlFlow, code: &MethodCode) -> bool {
    let blocks = found.blocks.iter();
    let mut lines = blocks
        .flat_map(|&block| flow.blocks()[block].instructions.clone())
        .filter_map(|at| code.line(at));
    let first = lines.next();
    lines.all(|line| Some(line) == first)
}
