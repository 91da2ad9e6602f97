//! Calls: their children are stepped over, their results taken from where they stand.
//!
//! A child belongs to the instruction at which no value was read since: every call that returns
//! leaves at least a byte among the values, except where one known method is sure to be reached,
//! and that is then looked for by its number.

use trace_format::{Kind, MethodId};
use trace_store::CallOutcome;

use crate::code::{MethodCode, Op};
use crate::error::{ReplayError, ReplayObstacle};
use crate::exceptions::Cause;
use crate::input::Next;
use crate::machine::Machine;
use crate::site::{CallRole, InvokeSite};
use crate::slot::{Slot, Tag};
use crate::step::{CallEnding, Flow};

impl Machine<'_> {
    pub(crate) fn invoke(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let site = &code.invokes[op.a as usize];
        let receiver = match site.slots.checked_sub(1) {
            Some(below) if site.has_receiver => self.peek(below),
            _ => Slot::EMPTY,
        };
        if receiver.is_null() {
            self.loaders();
            return self.raise(code, Cause::NULL);
        }
        let flow = match site.role {
            CallRole::Sure(target) => self.sure_call(code, site, target),
            CallRole::Ordinary => {
                if site.result == Some(Kind::Char) {
                    self.reads_text_of(receiver.object().unwrap_or_default());
                }
                self.ordinary_call(code, site)
            }
            CallRole::Allocation => self.allocation(code, site, receiver),
            CallRole::UnnamedAllocation => self.unnamed_allocation(code, site),
            CallRole::Super => self.super_call(code, site),
        }?;
        self.input.settle();
        Ok(flow)
    }

    fn ordinary_call(&mut self, code: &MethodCode, site: &InvokeSite) -> Result<Flow, ReplayError> {
        if self.all_children() {
            return Ok(Flow::Ended(CallEnding::Open));
        }
        let value = self.input.value(site.result.unwrap_or(Kind::Byte));
        let Some(value) = value else {
            return self.missing(
                code,
                Cause::Called,
                ReplayObstacle::NoValue,
                "the result of a call",
            );
        };
        self.drop_slots(site.slots);
        match site.result {
            Some(_) => self.push_value(value),
            None if value.bits() != 1 => {
                let expected = "the return of a call (1)";
                return Err(self.disagreement(ReplayObstacle::Call, expected, value));
            }
            None => {}
        }
        Ok(self.on())
    }

    fn sure_call(
        &mut self,
        code: &MethodCode,
        site: &InvokeSite,
        target: MethodId,
    ) -> Result<Flow, ReplayError> {
        while let Some(child) = self.input.due_child() {
            let is_it = self.input.calls().method(child) == target;
            if is_it {
                self.check_arguments(code, site, child)?;
            }
            if self.take(child) {
                return Ok(Flow::Ended(CallEnding::Open));
            }
            if !is_it {
                continue;
            }
            return match self.input.outcome(child) {
                CallOutcome::Returned(value) => {
                    self.drop_slots(site.slots);
                    if let Some(value) = value {
                        self.push_value(value);
                    }
                    Ok(self.on())
                }
                CallOutcome::Threw(_) | CallOutcome::Lost => self.raise(code, Cause::Called),
                CallOutcome::Open => Ok(Flow::Ended(CallEnding::Open)),
            };
        }
        self.missing(
            code,
            Cause::Called,
            ReplayObstacle::Call,
            "a call of this class's own method",
        )
    }

    /// The child's arguments must be the operands.
    fn check_arguments(
        &mut self,
        code: &MethodCode,
        site: &InvokeSite,
        child: u32,
    ) -> Result<(), ReplayError> {
        let mut at = self.state.top.saturating_sub(site.slots);
        for (number, value) in self.input.arguments(child).enumerate() {
            let slot = self.state.slots.get(at).copied().unwrap_or(Slot::EMPTY);
            if !self.agrees(code, slot, value)? {
                let expected = format!("{slot:?} as argument {number} of {}", site.name);
                return Err(self.disagreement(ReplayObstacle::Call, expected, value));
            }
            at += if value.kind().size() == 8 { 2 } else { 1 };
        }
        Ok(())
    }

    fn allocation(
        &mut self,
        code: &MethodCode,
        site: &InvokeSite,
        receiver: Slot,
    ) -> Result<Flow, ReplayError> {
        if self.all_children() {
            return Ok(Flow::Ended(CallEnding::Open));
        }
        let Some(value) = self.input.value(Kind::Reference) else {
            return self.missing(
                code,
                Cause::Called,
                ReplayObstacle::NoValue,
                "a new object's id",
            );
        };
        self.drop_slots(site.slots);
        match value.object() {
            Some(object) if receiver.tag() == Tag::Fresh => {
                self.name_object(Tag::Fresh, receiver.bits(), object);
                Ok(self.on())
            }
            _ => {
                let expected = format!("an object for {receiver:?}");
                Err(self.disagreement(ReplayObstacle::Call, expected, value))
            }
        }
    }

    fn unnamed_allocation(
        &mut self,
        code: &MethodCode,
        site: &InvokeSite,
    ) -> Result<Flow, ReplayError> {
        self.ordinary_call(code, site)
    }

    fn super_call(&mut self, code: &MethodCode, site: &InvokeSite) -> Result<Flow, ReplayError> {
        if self.all_children() {
            return Ok(Flow::Ended(CallEnding::Open));
        }
        let Next::This(object) = self.input.next() else {
            let what = "the object after its super constructor";
            return self.missing(code, Cause::Called, ReplayObstacle::Call, what);
        };
        self.input.consume();
        self.drop_slots(site.slots);
        self.name_object(Tag::UninitializedThis, 0, object);
        // Fields that were set before `this` was an object are noted now, in no special order.
        for _ in 0..code.early_fields {
            match self.input.next() {
                Next::Write(_, write) if is_field_of(&write, object) => {
                    self.input.consume();
                }
                next => {
                    let expected = "a field that was set before super(…)";
                    return Err(self.disagreement(ReplayObstacle::Write, expected, next));
                }
            }
        }
        Ok(self.on())
    }

    // ---- children

    /// Takes all children that are due. Returns whether one of them is still open.
    pub(crate) fn all_children(&mut self) -> bool {
        while let Some(child) = self.input.due_child() {
            if self.take(child) {
                return true;
            }
        }
        false
    }

    /// Whether the child has not ended, and so neither has this call.
    pub(crate) fn take(&mut self, child: u32) -> bool {
        self.children.push(child);
        !self.input.skip_child()
    }
}

fn is_field_of(write: &trace_format::event::Write<'_>, object: trace_format::ObjectId) -> bool {
    matches!(write.target, trace_format::event::WriteTarget::Field { object: written, .. } if written == object)
}
