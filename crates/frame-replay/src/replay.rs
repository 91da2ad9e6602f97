//! One call, walked forwards and backwards.

use std::ops::ControlFlow;

use trace_format::EventPosition;
use trace_store::{CallId, Trace};

use crate::checkpoints::Checkpoints;
use crate::code::MethodCode;
use crate::error::ReplayError;
use crate::machine::{Checkpoint, Machine};
use crate::program::Program;
use crate::slot::Slot;
use crate::step::{Access, CallEnding, ReplayStep};

/// So many instructions are executed at most until somebody who watches is asked whether to go on.
const BETWEEN_LOOKS: u64 = 1 << 14;

/// A call being re-executed. It stands *before* an instruction, or at the end.
///
/// ```no_run
/// # use frame_replay::{Program, Replay};
/// # use trace_store::{CallId, Trace};
/// # fn show(trace: &Trace, call: CallId) -> Result<(), frame_replay::ReplayError> {
/// let program = Program::of(trace);
/// let mut replay = Replay::new(trace, &program, call)?;
/// while let Some(step) = replay.step()? {
///     println!("line {:?}: {:?}", step.line, step.access);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Replay<'t> {
    id: CallId,
    machine: Machine<'t>,
    checkpoints: Checkpoints,
}

/// A local variable that has a name where the replay stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedLocal<'c> {
    pub name: &'c str,
    pub descriptor: &'c str,
    pub slot: u16,
    pub value: Slot,
}

impl<'t> Replay<'t> {
    /// `program` must be of this trace.
    pub fn new(trace: &'t Trace, program: &'t Program, id: CallId) -> Result<Self, ReplayError> {
        let machine = Machine::new(trace, program, id)?;
        Ok(Replay {
            id,
            checkpoints: Checkpoints::new(machine.checkpoint()),
            machine,
        })
    }

    /// Runs a call from start to end and gives how it ended and how many instructions it took.
    /// Keeps nothing on the way. For many calls, a [`Runner`] is quicker.
    pub fn run(
        trace: &'t Trace,
        program: &'t Program,
        id: CallId,
    ) -> Result<(CallEnding, u64), ReplayError> {
        Runner::new(trace, program).run(id)
    }

    pub fn call(&self) -> CallId {
        self.id
    }

    pub fn code(&self) -> &'t MethodCode {
        self.machine.code
    }

    // ---- walking

    /// Executes the next instruction; `None` at the end.
    pub fn step(&mut self) -> Result<Option<ReplayStep>, ReplayError> {
        if self.machine.state.ended.is_some() {
            return Ok(None);
        }
        let code = self.machine.code;
        self.advance(code).map(Some)
    }

    fn advance(&mut self, code: &MethodCode) -> Result<ReplayStep, ReplayError> {
        let (index, instruction) = (self.machine.state.step, self.machine.state.at);
        let position = self.machine.input.position();
        let flow = self.machine.step(code)?;
        self.checkpoints.pass(&self.machine);
        Ok(ReplayStep {
            index,
            instruction,
            pc: code.instructions[instruction].pc,
            line: code.line(instruction),
            position,
            access: self.machine.access,
            flow,
        })
    }

    /// Goes to before the step of that number, backwards or forwards; to the end if the call has
    /// fewer. Returns the number of the step it stands before.
    pub fn seek(&mut self, step: u64) -> Result<u64, ReplayError> {
        let now = self.machine.state.step;
        let nearest = self.checkpoints.before(step);
        if step < now || nearest.step() > now {
            self.machine.restore(nearest);
            self.checkpoints.went();
        }
        let code = self.machine.code;
        while self.machine.state.step < step && self.machine.state.ended.is_none() {
            self.advance(code)?;
        }
        Ok(self.machine.state.step)
    }

    /// Goes one instruction back; `false` at the start.
    pub fn back(&mut self) -> Result<bool, ReplayError> {
        match self.machine.state.step.checked_sub(1) {
            Some(step) => self.seek(step).map(|_| true),
            None => Ok(false),
        }
    }

    /// Goes to before the first instruction at which everything before `position` has happened.
    pub fn seek_position(&mut self, position: EventPosition) -> Result<u64, ReplayError> {
        let nearest = self.checkpoints.before_position(position);
        self.machine.restore(nearest);
        self.checkpoints.went();
        let code = self.machine.code;
        while self.machine.input.position() < position && self.machine.state.ended.is_none() {
            self.advance(code)?;
        }
        Ok(self.machine.state.step)
    }

    /// The step at which the event at a position happened; afterwards the replay stands behind it. `None` if the call
    /// has no such step.
    pub fn step_at(&mut self, position: EventPosition) -> Result<Option<ReplayStep>, ReplayError> {
        let after = self.seek_position(position)?;
        // Only the instruction that did it brings the time past it.
        if self.position() > position || self.ending().is_some() {
            let Some(before) = after.checked_sub(1) else {
                return Ok(None);
            };
            self.seek(before)?;
        }
        while let Some(step) = self.step()? {
            if self.position() > position || self.ending().is_some() {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Runs to the end and tells how the call ended.
    pub fn finish(&mut self) -> Result<CallEnding, ReplayError> {
        let _replaying = tracing::debug_span!("replay", call = self.call().number()).entered();
        let last = self.checkpoints.last();
        if last.step() > self.machine.state.step {
            self.machine.restore(last);
            self.checkpoints.went();
        }
        let code = self.machine.code;
        loop {
            if let Some(ending) = self.machine.state.ended {
                self.machine.check_ending(ending)?;
                return Ok(ending);
            }
            self.advance(code)?;
        }
    }

    /// Where it stands, to be kept for [`resume`](Self::resume).
    pub fn checkpoint(&self) -> Checkpoint {
        self.machine.checkpoint()
    }

    /// Goes to where a replay of the same call stood, this one or another.
    pub fn resume(&mut self, checkpoint: &Checkpoint) {
        self.machine.restore(checkpoint);
        self.checkpoints.went_to(checkpoint);
    }

    // ---- where it stands

    /// How many instructions have been executed.
    pub fn steps(&self) -> u64 {
        self.machine.state.step
    }

    /// How the call ended, if the replay stands at its end.
    pub fn ending(&self) -> Option<CallEnding> {
        self.machine.state.ended
    }

    /// The instruction to be executed next, by its index; `None` at the end.
    pub fn instruction(&self) -> Option<usize> {
        let state = &self.machine.state;
        state.ended.is_none().then_some(state.at)
    }

    /// The line of the instruction to be executed next.
    pub fn line(&self) -> Option<u16> {
        self.machine.code.line(self.instruction()?)
    }

    /// The time: what the heap holds now is the state at this position of the thread's events.
    pub fn position(&self) -> EventPosition {
        self.machine.input.position()
    }

    /// The calls that the last executed step made, by their numbers in the thread.
    pub fn children(&self) -> impl Iterator<Item = CallId> + '_ {
        let children = self.machine.children.iter();
        children.map(|child| CallId::new(self.id.thread, *child))
    }

    /// All slots of the locals.
    pub fn locals(&self) -> &[Slot] {
        &self.machine.state.slots[..self.machine.code.max_locals]
    }

    /// The operand stack, its top last.
    pub fn stack(&self) -> &[Slot] {
        let state = &self.machine.state;
        &state.slots[self.machine.code.max_locals..state.top]
    }

    /// The operands that the instruction to be executed next will pop, in the order in which they
    /// were pushed.
    pub fn operands(&self) -> &[Slot] {
        let Some(instruction) = self.instruction() else {
            return &[];
        };
        let stack = self.stack();
        let count = self.machine.code.operand_slots(instruction);
        &stack[stack.len().saturating_sub(count)..]
    }

    /// The local variables that have a name and a value here, in the order of their slots.
    pub fn named_locals(&self) -> Vec<NamedLocal<'_>> {
        let code = &self.machine.code;
        let Some(at) = self.instruction() else {
            return Vec::new();
        };
        let pc = code.instructions[at].pc;
        let locals = self.locals();
        let mut named: Vec<_> = code
            .local_names()
            .iter()
            .filter(|local| local.start <= pc && pc < local.end)
            .filter_map(|local| {
                Some(NamedLocal {
                    name: &local.name,
                    descriptor: &local.descriptor,
                    slot: local.slot,
                    value: *locals.get(usize::from(local.slot))?,
                })
            })
            .collect();
        named.sort_by_key(|local| local.slot);
        named
    }

    /// The text of a string constant or name of a class constant that a slot holds.
    pub fn constant_text(&self, slot: Slot) -> Option<&str> {
        match slot.datum() {
            crate::Datum::Constant(number) => Some(&self.machine.code.constant(number)?.text),
            _ => None,
        }
    }
}

/// A step, as far as the heap is concerned.
pub(crate) struct Accessed<'c> {
    pub(crate) step: u64,
    /// When it was done.
    pub(crate) position: EventPosition,
    pub(crate) code: &'c MethodCode,
    pub(crate) access: Option<Access>,
    /// It called, so that other code of the thread ran.
    pub(crate) others_may_write: bool,
}

/// Where a call stands that is watched while it is executed again.
#[derive(Debug, Clone, Copy)]
pub struct Watched<'a> {
    /// The instruction that was executed last, by its index.
    pub last: Option<usize>,
    /// The one that comes next.
    pub at: usize,
    pub locals: &'a [Slot],
    /// The time: what the heap holds is the state at this position of the thread's events.
    pub position: EventPosition,
}

/// Runs one call after the other from start to end.
pub struct Runner<'t> {
    trace: &'t Trace,
    program: &'t Program,
    machine: Option<Machine<'t>>,
    values: u64,
}

impl<'t> Runner<'t> {
    /// `program` must be of this trace.
    pub fn new(trace: &'t Trace, program: &'t Program) -> Self {
        Runner {
            trace,
            program,
            machine: None,
            values: 0,
        }
    }

    /// How many recorded values the calls have consumed so far, those of their children not
    /// counted.
    pub fn values(&self) -> u64 {
        self.values
    }

    /// How the call ended and how many instructions it took.
    pub fn run(&mut self, id: CallId) -> Result<(CallEnding, u64), ReplayError> {
        let machine = self.turn_to(id)?;
        let code = machine.code;
        loop {
            if let Some(ending) = machine.state.ended {
                machine.check_ending(ending)?;
                let (taken, steps) = (machine.input.taken, machine.state.step);
                self.values += taken;
                return Ok((ending, steps));
            }
            machine.step(code)?;
        }
    }

    /// Runs a call and shows where it stands before each of the marked instructions, and now and then in between, until
    /// whoever is shown it has seen enough.
    ///
    /// # Errors
    /// If the call cannot be executed again, or only up to there.
    pub fn run_watched(
        &mut self,
        id: CallId,
        marked: &[bool],
        mut show: impl FnMut(Watched<'_>) -> ControlFlow<()>,
    ) -> Result<(), ReplayError> {
        let machine = self.turn_to(id)?;
        let code = machine.code;
        let mut last = None;
        while machine.state.ended.is_none() {
            let at = machine.state.at;
            let is_marked = marked.get(at).copied().unwrap_or(true);
            if is_marked || machine.state.step.is_multiple_of(BETWEEN_LOOKS) {
                let watched = Watched {
                    last,
                    at,
                    locals: &machine.state.slots[..code.max_locals],
                    position: machine.input.position(),
                };
                if show(watched).is_break() {
                    break;
                }
            }
            let (inside, is_step_due) = machine.run_inside(code, marked, BETWEEN_LOOKS);
            last = inside.or(last);
            if is_step_due {
                last = Some(machine.state.at);
                machine.step(code)?;
            }
        }
        Ok(())
    }

    /// Runs a call and shows each of its steps that reached the heap, or where others may have, until whoever
    /// is shown them has seen enough.
    pub(crate) fn run_accessing(
        &mut self,
        id: CallId,
        mut show: impl FnMut(Accessed<'_>) -> ControlFlow<()>,
    ) -> Result<(), ReplayError> {
        let machine = self.turn_to(id)?;
        let code = machine.code;
        while machine.state.ended.is_none() {
            let (step, at) = (machine.state.step, machine.state.at);
            machine.step(code)?;
            let others_may_write = !machine.children.is_empty() || code.invoked_by(at).is_some();
            if machine.access.is_some() || others_may_write {
                let accessed = Accessed {
                    step,
                    position: match machine.access {
                        Some(Access::Read(..)) => machine.read_at,
                        _ => machine.input.position(),
                    },
                    code,
                    access: machine.access,
                    others_may_write,
                };
                if show(accessed).is_break() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn turn_to(&mut self, id: CallId) -> Result<&mut Machine<'t>, ReplayError> {
        Ok(match &mut self.machine {
            Some(machine) => {
                machine.turn_to(id)?;
                machine
            }
            none => none.insert(Machine::new(self.trace, self.program, id)?),
        })
    }
}
