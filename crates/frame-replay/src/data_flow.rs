//! Which steps each step took its operands from: the data flow inside a frame, ready for slices.
//!
//! Every slot knows the step that wrote it, so the operands of a step name the steps it depends on.
//! Instructions that only move operands (`dup`, `swap`) are not in between.

use trace_store::{CallId, Trace};

use crate::error::ReplayError;
use crate::machine::Machine;
use crate::program::Program;
use crate::slot::Tag;
use crate::step::CallEnding;

/// The data flow of a call. Eight bytes per step and per operand.
#[derive(Debug, Clone)]
pub struct DataFlow {
    pub ending: Option<CallEnding>,
    instructions: Vec<u32>,
    starts: Vec<u32>,
    sources: Vec<u32>,
}

/// Where an operand came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OperandSource {
    /// What the call began with in this local: `this` or an argument.
    Local(u16),
    Step(u64),
}

const LOCAL: u32 = 1 << 31;

impl DataFlow {
    /// Runs a call, at most `limit` steps of it; beyond that [`DataFlow::ending`] is `None`.
    pub fn of(
        trace: &Trace,
        program: &Program,
        id: CallId,
        limit: u32,
    ) -> Result<DataFlow, ReplayError> {
        let _replaying = tracing::debug_span!("replay", call = id.number()).entered();
        let mut machine = Machine::new(trace, program, id)?;
        let code = machine.code;
        let mut flow = DataFlow {
            ending: None,
            instructions: Vec::new(),
            starts: vec![0],
            sources: Vec::new(),
        };
        let limit = limit.min(LOCAL - 1) as usize;
        while flow.instructions.len() < limit {
            if machine.state.ended.is_some() {
                break;
            }
            let at = machine.state.at;
            let instruction = &code.instructions[at];
            if let Some(local) = instruction.local_index()
                && !instruction.is_local_store()
            {
                let slot = machine.state.slots.get(usize::from(local));
                let origin = slot.and_then(|slot| slot.origin());
                let given = LOCAL | u32::from(local);
                flow.sources.push(origin.map_or(given, |step| step as u32));
            }
            let top = machine.state.top;
            let operands = top.saturating_sub(code.operand_slots(at))..top;
            for slot in &machine.state.slots[operands] {
                if slot.tag() != Tag::Empty
                    && let Some(step) = slot.origin()
                {
                    flow.sources.push(step as u32);
                }
            }
            flow.instructions.push(at as u32);
            flow.starts.push(flow.sources.len() as u32);
            machine.step(code)?;
        }
        flow.ending = machine.state.ended;
        Ok(flow)
    }

    /// How many steps there are.
    pub fn len(&self) -> u64 {
        self.instructions.len() as u64
    }

    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// The instruction that a step executed, by its index.
    pub fn instruction(&self, step: u64) -> Option<usize> {
        let instruction = self.instructions.get(usize::try_from(step).ok()?)?;
        Some(*instruction as usize)
    }

    /// Where the operands of a step came from, the local that it reads first.
    pub fn sources(&self, step: u64) -> impl Iterator<Item = OperandSource> + '_ {
        let at = usize::try_from(step).unwrap_or(usize::MAX);
        let range = match (self.starts.get(at), self.starts.get(at.saturating_add(1))) {
            (Some(start), Some(end)) => *start as usize..*end as usize,
            _ => 0..0,
        };
        self.sources[range].iter().map(|source| match source {
            local if local & LOCAL != 0 => OperandSource::Local((local & !LOCAL) as u16),
            step => OperandSource::Step(u64::from(*step)),
        })
    }
}
