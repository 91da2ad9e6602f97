//! Slices through the heap: who wrote what was read.

use frame_replay::{Access, HeapVariable};
use trace_format::{EventPosition, ThreadNumber, Value};
use trace_store::{CallId, ObjectSlot, SlotValue, Written};

use super::{Graph, Link, Taken, Variable};
use java_model::shown;

impl Graph<'_> {
    /// Who wrote what a step read.
    pub(super) fn read(&mut self, call: CallId, step: u64) -> Result<Link, String> {
        let frame = self.frames.get(call)?;
        let code = frame.code;
        let Some((done, _)) = frame.step(step) else {
            return Ok(Link::Outside(call, step));
        };
        let Some(Access::Read(place, value)) = done.access else {
            return Ok(Link::Outside(call, step));
        };
        let after = frame.position();
        let variable = match place {
            HeapVariable::Element { array, index } => {
                Some(Variable::Slot(array, ObjectSlot::Element(index)))
            }
            HeapVariable::Field { object, field } => {
                let id = code.field(field).and_then(|field| field.id);
                id.map(|id| Variable::Slot(object, ObjectSlot::Field(id)))
            }
            HeapVariable::Static { field } => {
                let id = code.field(field).and_then(|field| field.id);
                id.map(Variable::Static)
            }
        };
        let Some(variable) = variable else {
            return Ok(Link::Outside(call, step));
        };
        // After the step: a read of a static may have initialised its class.
        let at = shown::time(self.run, call.thread, after);
        let unreadable = self.run.times_unreadable();
        if let Some(link) = self.last_write(variable, at, Some(value)) {
            return Ok(link);
        }
        // That a write cannot be read does not mean that there was none.
        match self.run.unreadable_since(unreadable) {
            Some(trouble) => Err(trouble),
            None => Ok(Link::Outside(call, step)),
        }
    }

    /// The last write of a variable before a time; `None` if the variable held something else.
    pub(in super::super) fn last_write(
        &self,
        variable: Variable,
        at: trace_format::TraceTime,
        expected: Option<Value>,
    ) -> Option<Link> {
        let trace = self.run.trace();
        let held = match variable {
            Variable::Slot(object, slot) => trace.slot_at(object, slot, at),
            Variable::Static(field) => trace.static_at(field, at),
        };
        let SlotValue { value, written } = self.run.read(held).flatten()?;
        if expected.is_some_and(|expected| expected.bits() != value.bits()) {
            return None;
        }
        Some(match written {
            None => Link::Initial(variable),
            Some(Written {
                thread,
                position,
                first_read_by: Some(call),
                ..
            }) => Link::WrittenOutside(CallId::new(thread, call), position, variable),
            Some(written) if written.by_library => {
                Link::WrittenByLibrary(written.thread, written.position, variable)
            }
            Some(written) => Link::Written(written.thread, written.position, variable),
        })
    }

    pub(super) fn writer(
        &mut self,
        thread: ThreadNumber,
        position: EventPosition,
        variable: Variable,
    ) -> Result<Taken, String> {
        let call = self.run.trace().call_of(thread, position);
        let Some(call) = call.map_err(|error| format!("who wrote it cannot be read: {error}"))?
        else {
            return Err("it was written outside every recorded call".to_owned());
        };
        let frame = self.frames.get(call)?;
        let Some((step, access)) = frame.step_at(position) else {
            return Err("the instruction that wrote it was not found".to_owned());
        };
        if let Some(Access::Write(..)) = access {
            return self.operands(call, step, None);
        }
        // A field that a constructor set before `super(…)` is noted after it.
        let Variable::Slot(_, ObjectSlot::Field(field)) = variable else {
            return Err("the instruction that wrote it was not found".to_owned());
        };
        let name = shown::field_name(self.run, field);
        let early = (0..step).find(|&earlier| {
            let at = frame.instruction(earlier);
            let site = at.and_then(|at| frame.code.field_of(at));
            site.is_some_and(|site| site.name == name)
        });
        match early {
            Some(early) => self.operands(call, early, None),
            None => Err("the instruction that wrote it was not found".to_owned()),
        }
    }
}
