//! Calls opened for slicing: each with its data flow, and a replay to look at single steps.
//!
//! A call is opened when a slice first comes to it. What is open is bounded by the number of
//! instructions that it took; a slice that needs more says so. Who must be quick bounds what is opened in all, by
//! instructions as well: what is found then does not depend on how busy the machine is.

use std::collections::HashMap;

use debug_engine::view::ValueView;
use debug_engine::view::render::Bounds;
use frame_replay::{
    Access, DataFlow, Datum, MethodCode, Program, Replay, ReplayError, ReplayStep, Slot,
};
use trace_format::{EventPosition, ObjectId};
use trace_store::{Call, CallId};

use super::happening::replay_sentence;
use super::holder::holder_of;
use java_model::run::JavaRun;
use java_model::shown;

/// A longer call is not sliced.
const LONGEST: u32 = 10_000_000;
/// Instructions of all calls that are open at a time.
const MOST_OPEN: u64 = 30_000_000;

/// What opening a call takes besides its instructions, in instructions.
const OPENING: u64 = 200;

/// Why a call is not open, as a sentence.
enum Unopened {
    TooLong(String),
    Unreadable(String),
}

pub(super) struct Frame<'run> {
    pub(super) call: Call,
    pub(super) code: &'run MethodCode,
    pub(super) flow: DataFlow,
    replay: Replay<'run>,
}

pub(super) struct Frames<'run> {
    run: &'run JavaRun,
    program: &'run Program,
    open: HashMap<CallId, Result<Frame<'run>, String>>,
    instructions: u64,
    /// Instructions of all calls that were opened or tried,
    spent: u64,
    /// and how many there may be.
    most: u64,
}

impl<'run> Frames<'run> {
    pub(super) fn new(run: &'run JavaRun, program: &'run Program) -> Self {
        Frames {
            run,
            program,
            open: HashMap::new(),
            instructions: 0,
            spent: 0,
            most: u64::MAX,
        }
    }

    /// Opens no more calls when they have taken so many instructions from now on.
    pub(super) fn spend_at_most(&mut self, instructions: u64) {
        self.most = self.spent.saturating_add(instructions);
    }

    /// Whether all that may be opened has been.
    pub(super) fn is_spent(&self) -> bool {
        self.spent >= self.most
    }

    /// A call, opened; why not, as a sentence.
    pub(super) fn get(&mut self, id: CallId) -> Result<&mut Frame<'run>, String> {
        if !self.open.contains_key(&id) {
            if self.instructions > MOST_OPEN {
                self.open.clear();
                self.instructions = 0;
            }
            let left = self.most.saturating_sub(self.spent);
            let longest = LONGEST.min(u32::try_from(left).unwrap_or(u32::MAX));
            let frame = self.frame(id, longest);
            self.spent += OPENING;
            match &frame {
                Ok(frame) => {
                    self.spent += frame.flow.len();
                    self.instructions += frame.flow.len();
                }
                Err(Unopened::TooLong(_)) => self.spent += u64::from(longest),
                Err(Unopened::Unreadable(_)) => {}
            }
            let frame = frame.map_err(|unopened| match unopened {
                Unopened::TooLong(sentence) | Unopened::Unreadable(sentence) => sentence,
            });
            self.open.insert(id, frame);
        }
        match self.open.get_mut(&id) {
            Some(Ok(frame)) => Ok(frame),
            Some(Err(sentence)) => Err(sentence.clone()),
            None => Err("the call cannot be read".to_owned()),
        }
    }

    fn frame(&self, id: CallId, longest: u32) -> Result<Frame<'run>, Unopened> {
        let trace = self.run.trace();
        let unread = |error: ReplayError| {
            let sentence = replay_sentence(&error);
            self.run.executed::<()>(Err(error));
            Unopened::Unreadable(sentence)
        };
        let call = trace.call(id).map_err(|error| unread(error.into()))?;
        let flow = DataFlow::of(trace, self.program, id, longest).map_err(unread)?;
        if flow.ending.is_none() {
            let sentence = format!("call {id} is too long to be followed");
            return Err(Unopened::TooLong(sentence));
        }
        let replay = Replay::new(trace, self.program, id).map_err(unread)?;
        Ok(Frame {
            call,
            code: replay.code(),
            flow,
            replay,
        })
    }
}

impl Frame<'_> {
    /// What a step did, and the calls that it made.
    pub(super) fn step(&mut self, step: u64) -> Option<(ReplayStep, Vec<CallId>)> {
        self.replay.seek(step).ok()?;
        let done = self.replay.step().ok()??;
        Some((done, self.replay.children().collect()))
    }

    /// The time after the step that was looked at last.
    pub(super) fn position(&self) -> EventPosition {
        self.replay.position()
    }

    /// The instruction of a step.
    pub(super) fn instruction(&self, step: u64) -> Option<usize> {
        self.flow.instruction(step)
    }

    pub(super) fn line(&self, step: u64) -> Option<u32> {
        let line = self.code.line(self.instruction(step)?)?;
        Some(line.into())
    }

    /// A local after a step.
    pub(super) fn local_after(&mut self, step: u64, local: u16) -> Option<Slot> {
        self.replay.seek(step + 1).ok()?;
        self.replay.locals().get(usize::from(local)).copied()
    }

    /// The top of the operand stack after a step.
    pub(super) fn top_after(&mut self, step: u64) -> Option<Slot> {
        self.replay.seek(step + 1).ok()?;
        let stack = self.replay.stack().iter().rev();
        stack.copied().find(|slot| *slot != Slot::EMPTY)
    }

    /// The objects that a step takes as operands, in the order of the data flow's sources; `None` for
    /// those that are no objects.
    pub(super) fn operands(&mut self, step: u64) -> Option<Vec<Option<ObjectId>>> {
        self.replay.seek(step).ok()?;
        let slots = self.replay.operands().iter();
        // A long or double is a slot with its value and an empty one.
        let values = slots.filter(|slot| **slot != Slot::EMPTY);
        let object = |slot: &Slot| match slot.datum() {
            Datum::Constant(number) => self.code.constant(number)?.identity(),
            _ => slot.object(),
        };
        Some(values.map(object).collect())
    }

    /// An operand of a step, of this type, as it is shown.
    pub(super) fn operand_view(
        &mut self,
        run: &JavaRun,
        step: u64,
        operand: usize,
        descriptor: &str,
    ) -> Option<ValueView> {
        self.replay.seek(step).ok()?;
        let mut slots = self.replay.operands().iter();
        let slots = slots.by_ref().filter(|slot| **slot != Slot::EMPTY);
        let slot = slots.copied().nth(operand)?;
        let at = shown::time(run, self.call.id.thread, self.replay.position());
        let bounds = Bounds::default();
        Some(shown::slot(
            run,
            Some(self.code),
            slot,
            descriptor,
            at,
            bounds,
        ))
    }

    /// The texts of string constants among the operands of a step: their identity need not be known.
    pub(super) fn constant_operands(&mut self, step: u64) -> Vec<String> {
        if self.replay.seek(step).is_err() {
            return Vec::new();
        }
        let slots = self.replay.operands().iter();
        let texts = slots.filter_map(|slot| self.replay.constant_text(*slot));
        texts.map(str::to_owned).collect()
    }

    /// When a step began.
    pub(super) fn position_before(&mut self, step: u64) -> Option<EventPosition> {
        self.replay.seek(step).ok()?;
        Some(self.replay.position())
    }

    /// Which operand of a step is this object; the last one, if several are.
    pub(super) fn operand_with(&mut self, step: u64, object: ObjectId) -> Option<usize> {
        let operands = self.operands(step)?;
        operands
            .iter()
            .rposition(|operand| *operand == Some(object))
    }

    /// The step at which the event at a position happened, with what it wrote.
    pub(super) fn step_at(&mut self, position: EventPosition) -> Option<(u64, Option<Access>)> {
        let step = self.replay.step_at(position).ok()??;
        Some((step.index, step.access))
    }

    /// What the call calls an object at the step at which an event happened.
    pub(super) fn holder_of(
        &mut self,
        run: &JavaRun,
        object: ObjectId,
        position: EventPosition,
    ) -> Option<String> {
        let (step, _) = self.step_at(position)?;
        self.replay.seek(step).ok()?;
        let at = shown::time(run, self.call.id.thread, position);
        holder_of(run, &self.replay, object, at)
    }

    /// The name and type of the local that a step assigns.
    pub(super) fn assigned(&self, step: u64) -> Option<(u16, String, String)> {
        let instruction = self.code.instructions().get(self.instruction(step)?)?;
        let local = instruction.local_index()?;
        let names = self.code.local_names().iter();
        let is_meant = |name: &&frame_replay::LocalName| {
            name.slot == local && name.start <= instruction.end() && instruction.pc < name.end
        };
        let name = names.filter(is_meant).max_by_key(|name| name.start);
        Some(match name {
            Some(name) => (local, name.name.clone(), name.descriptor.clone()),
            None => (local, format!("local{local}"), String::new()),
        })
    }
}
