//! The frame of a call and what moves it from one instruction to the next.
//!
//! The state that changes from step to step is apart from the rest, so that it can be kept and put
//! back: it is plain data, as is the place in the input that goes with it. Slots are reached with checks: verified
//! code never leaves its frame, but a class file that comes out of a damaged trace might.

use trace_format::{EventPosition, ObjectId, Value};
use trace_store::{CallId, ObjectContent, Trace};

use crate::code::{MethodCode, Op};
use crate::error::{Disagreement, ReplayError, ReplayObstacle};
use crate::input::{Bookmark, Input, Next};
use crate::program::Program;
use crate::slot::{Slot, Tag};
use crate::step::{Access, CallEnding, Flow, Inside};

/// Rounds of loops that may pass at the end of an unfinished call, where nothing tells whether
/// they still happened.
const MOST_UNSURE_ROUNDS: u64 = 1 << 16;
/// Rounds of loops in any call: more than a recorded program can have run.
const MOST_ROUNDS: u64 = 1 << 40;
const LENGTHS: usize = 16;
const TEXTS: usize = 8;

pub(crate) struct Machine<'t> {
    pub(crate) trace: &'t Trace,
    pub(crate) program: &'t Program,
    pub(crate) code: &'t MethodCode,
    pub(crate) state: State,
    pub(crate) input: Input<'t>,
    /// It had not ended when the recording did.
    pub(crate) is_open: bool,
    /// It ended without an event of its own.
    pub(crate) is_lost: bool,
    /// The heap access of the last step.
    pub(crate) access: Option<Access>,
    /// When the last read was.
    pub(crate) read_at: EventPosition,
    /// The calls made by the last step.
    pub(crate) children: Vec<u32>,
    lengths: [(ObjectId, u32); LENGTHS],
    /// What characters and bytes were lately read of.
    texts: [ObjectId; TEXTS],
    rounds: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct State {
    /// The next instruction.
    pub(crate) at: usize,
    /// Instructions executed so far.
    pub(crate) step: u64,
    /// Locals, then the operand stack.
    pub(crate) slots: Vec<Slot>,
    pub(crate) top: usize,
    pub(crate) fresh: u64,
    /// The last step led into a handler.
    pub(crate) caught: bool,
    pub(crate) ended: Option<CallEnding>,
    broken: bool,
}

/// Where a replay stood. It is plain data: another replay of the same call can go on from it.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    pub(crate) state: State,
    pub(crate) input: Bookmark,
}

impl Checkpoint {
    /// How many instructions had been executed.
    pub fn step(&self) -> u64 {
        self.state.step
    }

    /// What it takes in memory, in bytes.
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.state.slots.len() * size_of::<Slot>()
    }
}

impl<'t> Machine<'t> {
    pub(crate) fn new(
        trace: &'t Trace,
        program: &'t Program,
        id: CallId,
    ) -> Result<Self, ReplayError> {
        let mut input = Input::new(trace, id)?;
        let calls = input.calls();
        let code = program.code(trace, calls.method(id.index))?;
        let mut slots = Vec::new();
        enter(&mut slots, code, &mut input, id);
        let (is_open, is_lost) = input.ending();
        Ok(Machine {
            trace,
            program,
            state: State {
                at: 0,
                step: 0,
                slots,
                top: code.max_locals,
                fresh: 0,
                caught: false,
                ended: None,
                broken: false,
            },
            input,
            code,
            is_open,
            is_lost,
            access: None,
            read_at: EventPosition(0),
            children: Vec::new(),
            lengths: [(ObjectId::NULL, 0); LENGTHS],
            texts: [ObjectId::NULL; TEXTS],
            rounds: 0,
        })
    }

    /// Turns to another call of the same trace: as a new machine, but with what can be used again.
    pub(crate) fn turn_to(&mut self, id: CallId) -> Result<(), ReplayError> {
        self.input.turn_to(self.trace, id)?;
        let calls = self.input.calls();
        self.code = self.program.code(self.trace, calls.method(id.index))?;
        let state = &mut self.state;
        enter(&mut state.slots, self.code, &mut self.input, id);
        (state.at, state.step, state.top) = (0, 0, self.code.max_locals);
        (state.fresh, state.caught, state.ended, state.broken) = (0, false, None, false);
        (self.is_open, self.is_lost) = self.input.ending();
        self.access = None;
        self.texts = [ObjectId::NULL; TEXTS];
        self.children.clear();
        self.rounds = 0;
        Ok(())
    }

    /// Executes the next instruction. Must not be called after the end.
    #[inline]
    pub(crate) fn step(&mut self, code: &MethodCode) -> Result<Flow, ReplayError> {
        let Some(&op) = code.ops.get(self.state.at) else {
            return Err(self.disagreement(
                ReplayObstacle::BadCode,
                "an instruction",
                "the end of the code",
            ));
        };
        self.access = None;
        self.children.clear();
        if op.handler && !self.state.caught {
            self.pass_handler(code)?;
        }
        self.state.caught = false;
        let flow = match self.execute_inside(op) {
            Inside::On => self.on(),
            Inside::To(at) => Flow::To(at),
            Inside::No => self.execute(code, op)?,
        };
        if self.state.broken {
            return Err(self.disagreement(
                ReplayObstacle::BadCode,
                "verified code",
                "a broken frame",
            ));
        }
        self.state.step += 1;
        match flow {
            Flow::To(at) => {
                if at <= self.state.at {
                    self.round()?;
                }
                self.state.at = at;
            }
            Flow::Caught { handler, .. } => {
                self.state.at = handler;
                self.state.caught = true;
            }
            Flow::Ended(ending) => self.state.ended = Some(ending),
        }
        Ok(flow)
    }

    /// Executes instructions that stay inside the frame, until one is marked that would be the next, or their number is
    /// a multiple of `pause`. Gives the last that was executed, and whether the next has to be executed by a
    /// [`step`](Self::step).
    #[inline]
    pub(crate) fn run_inside(
        &mut self,
        code: &MethodCode,
        marked: &[bool],
        pause: u64,
    ) -> (Option<usize>, bool) {
        let mut last = None;
        // In a call that is open, rounds of loops tell whether it went on.
        while !self.is_open {
            let at = self.state.at;
            let Some(&op) = code.ops.get(at).filter(|op| !op.handler) else {
                break;
            };
            let next = match self.execute_inside(op) {
                Inside::On => at + 1,
                Inside::To(to) => to,
                Inside::No => break,
            };
            self.rounds += u64::from(next <= at);
            self.state.step += 1;
            self.state.at = next;
            self.state.caught = false;
            last = Some(at);
            if self.state.broken {
                break;
            }
            let is_marked = marked.get(next).copied().unwrap_or(true);
            if is_marked || self.state.step.is_multiple_of(pause) {
                return (last, false);
            }
        }
        (last, true)
    }

    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            state: self.state.clone(),
            input: self.input.bookmark(),
        }
    }

    /// Goes back to an earlier state of this call, or on to a later one.
    pub(crate) fn restore(&mut self, checkpoint: &Checkpoint) {
        self.state.clone_from(&checkpoint.state);
        self.input.go_to(&checkpoint.input);
        self.access = None;
        self.children.clear();
    }

    /// A handler that is reached without an exception notes one all the same.
    fn pass_handler(&mut self, code: &MethodCode) -> Result<(), ReplayError> {
        let pc = code.instructions[self.state.at].pc;
        match self.input.next() {
            Next::Catch { handler, .. } if u32::from(handler) == pc => {
                self.input.consume();
                Ok(())
            }
            next => {
                Err(self.disagreement(ReplayObstacle::Exception, "the note of a handler", next))
            }
        }
    }

    fn round(&mut self) -> Result<(), ReplayError> {
        self.rounds += 1;
        let input = &self.input;
        if self.is_open {
            if !input.is_due() || !matches!(input.next(), Next::Nothing) {
                self.rounds = 0;
            } else if self.rounds > MOST_UNSURE_ROUNDS {
                self.state.ended = Some(CallEnding::Open);
            }
        } else if self.rounds > MOST_ROUNDS {
            return Err(self.disagreement(ReplayObstacle::Endless, "an end", "an endless loop"));
        }
        Ok(())
    }

    /// To the instruction after this one.
    #[inline]
    pub(crate) fn on(&self) -> Flow {
        Flow::To(self.state.at + 1)
    }

    // ---- slots

    #[inline]
    pub(crate) fn push_slot(&mut self, slot: Slot) {
        match self.state.slots.get_mut(self.state.top) {
            Some(place) => {
                *place = slot;
                self.state.top += 1;
            }
            None => self.state.broken = true,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, tag: Tag, bits: u64) {
        self.push_slot(Slot::new(tag, bits, self.state.step));
    }

    #[inline]
    pub(crate) fn push_int(&mut self, number: i32) {
        self.push(Tag::Int, u64::from(number.cast_unsigned()));
    }

    #[inline]
    pub(crate) fn push_float(&mut self, number: f32) {
        self.push(Tag::Float, u64::from(number.to_bits()));
    }

    #[inline]
    pub(crate) fn push_long(&mut self, number: i64) {
        self.push(Tag::Long, number.cast_unsigned());
        self.push_slot(Slot::EMPTY);
    }

    #[inline]
    pub(crate) fn push_double(&mut self, number: f64) {
        self.push(Tag::Double, number.to_bits());
        self.push_slot(Slot::EMPTY);
    }

    pub(crate) fn push_value(&mut self, value: Value) {
        self.push_slot(Slot::of_value(value, self.state.step));
        if matches!(value, Value::Long(_) | Value::Double(_)) {
            self.push_slot(Slot::EMPTY);
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Slot {
        if self.state.top <= self.code.max_locals {
            self.state.broken = true;
            return Slot::EMPTY;
        }
        self.state.top -= 1;
        self.state.slots[self.state.top]
    }

    /// A long or double.
    #[inline]
    pub(crate) fn pop2(&mut self) -> Slot {
        self.pop();
        self.pop()
    }

    #[inline]
    pub(crate) fn pop_int(&mut self) -> i32 {
        self.pop().int()
    }

    #[inline]
    pub(crate) fn local(&mut self, local: u32) -> Slot {
        let local = local as usize;
        if local >= self.code.max_locals {
            self.state.broken = true;
            return Slot::EMPTY;
        }
        self.state.slots[local]
    }

    #[inline]
    pub(crate) fn set_local(&mut self, local: u32, slot: Slot) {
        let local = local as usize;
        if local >= self.code.max_locals {
            self.state.broken = true;
            return;
        }
        let slots = &mut self.state.slots;
        slots[local] = slot;
        // A long that loses its second half is no more.
        if let Some(before) = local.checked_sub(1).and_then(|at| slots.get_mut(at))
            && matches!(before.tag(), Tag::Long | Tag::Double)
        {
            *before = Slot::EMPTY;
        }
    }

    /// The slot that many below the top; 0 is the top itself.
    #[inline]
    pub(crate) fn peek(&mut self, below: usize) -> Slot {
        match self.state.top.checked_sub(below + 1) {
            Some(at) if at >= self.code.max_locals => self.state.slots[at],
            _ => {
                self.state.broken = true;
                Slot::EMPTY
            }
        }
    }

    pub(crate) fn drop_slots(&mut self, count: usize) {
        match self.state.top.checked_sub(count) {
            Some(top) if top >= self.code.max_locals => self.state.top = top,
            _ => self.state.broken = true,
        }
    }

    /// Puts an object in place of everything that stood for it.
    pub(crate) fn name_object(&mut self, tag: Tag, bits: u64, object: ObjectId) {
        let named = Slot::new(Tag::Reference, u64::from(object.0), self.state.step);
        for slot in &mut self.state.slots[..self.state.top] {
            if slot.tag() == tag && slot.bits() == bits {
                *slot = named;
            }
        }
    }

    // ---- arrays

    pub(crate) fn remember_length(&mut self, array: ObjectId, length: u32) {
        self.lengths[array.0 as usize % LENGTHS] = (array, length);
    }

    #[inline]
    pub(crate) fn length(&mut self, array: ObjectId) -> Result<Option<u32>, ReplayError> {
        let (known, length) = self.lengths[array.0 as usize % LENGTHS];
        if known == array {
            return Ok(Some(length));
        }
        let length = self.trace.array_length(array)?;
        if let Some(length) = length {
            self.remember_length(array, length);
        }
        Ok(length)
    }

    // ---- errors

    #[cold]
    pub(crate) fn disagreement(
        &self,
        reason: ReplayObstacle,
        expected: impl ToString,
        found: impl ToString,
    ) -> ReplayError {
        let instruction = self.code.instructions.get(self.state.at);
        let reason = if self.holds_secret() {
            ReplayObstacle::Masked
        } else {
            reason
        };
        ReplayError::Disagreement(Box::new(Disagreement {
            method: self.code.label.clone(),
            pc: instruction.map_or(0, |i| i.pc),
            instruction: instruction.map_or("?", |i| i.name()),
            step: self.state.step,
            reason,
            expected: expected.to_string(),
            found: found.to_string(),
        }))
    }

    /// A character or a byte of this object is read.
    #[inline]
    pub(crate) fn reads_text_of(&mut self, object: ObjectId) {
        self.texts[object.0 as usize % TEXTS] = object;
    }

    /// Whether the frame has, or lately read of, a secret. Elements and characters of one are noted as zeros.
    fn holds_secret(&self) -> bool {
        let at_hand = self.state.slots.iter().filter_map(|slot| slot.object());
        let objects = at_hand.chain(self.texts).filter(|object| !object.is_null());
        let mut described = objects.filter_map(|object| self.trace.object(object).ok().flatten());
        described.any(|description| matches!(description.content, ObjectContent::Masked { .. }))
    }

    #[cold]
    pub(crate) fn bad_operation(&self, op: Op) -> ReplayError {
        let found = format!("operation {:#04x}", op.code);
        self.disagreement(ReplayObstacle::BadCode, "an instruction", found)
    }
}

/// The slots of a frame that has just been entered.
fn enter(slots: &mut Vec<Slot>, code: &MethodCode, input: &mut Input<'_>, id: CallId) {
    slots.clear();
    slots.resize(code.max_locals + code.max_stack, Slot::EMPTY);
    let mut local = 0;
    let mut put = |slot: Slot| {
        let two = matches!(slot.tag(), Tag::Long | Tag::Double);
        if let Some(place) = slots.get_mut(local) {
            *place = slot;
        }
        local += if two { 2 } else { 1 };
    };
    if code.is_constructor {
        put(Slot::given(Tag::UninitializedThis, 0));
    }
    for value in input.arguments(id.index) {
        put(Slot::of_argument(value));
    }
}
