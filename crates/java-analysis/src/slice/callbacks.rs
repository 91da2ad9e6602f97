//! Slices through library code that calls back: what a lambda, a comparator or an `equals` was given.

use trace_format::{ObjectId, Value};
use trace_store::CallId;

use super::{Graph, Link, Taken};

const NOT_FOLLOWED: &str = "library code gave it";

impl Graph<'_> {
    /// What library code, called by a step of the caller, gave a call in a local: what a lambda captured when it
    /// was made, what the step was given, or what library objects keep.
    pub(super) fn given_by_library(
        &mut self,
        call: CallId,
        local: u16,
        (caller, step): (CallId, u64),
    ) -> Result<Taken, String> {
        let (number, value) = self.argument(call, local).ok_or(NOT_FOLLOWED)?;
        let mut taken = Taken::default();
        if let Some((lambda, captured)) = self.lambda_of(call, caller, step) {
            let (made_by, made_at, receives) = lambda;
            if number < captured {
                self.operand(made_by, made_at, number, &mut taken)?;
                return Ok(taken);
            }
            if receives {
                self.operand(caller, step, 1 + number - captured, &mut taken)?;
                return Ok(taken);
            }
        }
        let object = value.object().ok_or(NOT_FOLLOWED)?;
        if let Some(earlier) = self.child_with(caller, step, object, Some(call)) {
            taken.values.push(Link::Return(earlier));
            return Ok(taken);
        }
        if let Some(operand) = self.frames.get(caller)?.operand_with(step, object) {
            self.operand(caller, step, operand, &mut taken)?;
            return Ok(taken);
        }
        let put = self.put(caller, step, object).ok_or(NOT_FOLLOWED)?;
        taken.values.push(put);
        Ok(taken)
    }

    /// The number of the argument in a local, `this` counted, and the argument.
    fn argument(&self, call: CallId, local: u16) -> Option<(usize, Value)> {
        let called = self.run.read(self.run.trace().call(call))?;
        let all = called.this.map(Value::Ref).into_iter();
        let mut slot = 0;
        for (number, value) in all.chain(called.arguments.iter().copied()).enumerate() {
            if slot == local {
                return Some((number, value));
            }
            slot += if value.kind().size() == 8 { 2 } else { 1 };
        }
        None
    }

    /// If a call is a lambda's body and only one lambda can be meant: the step that made the lambda, whether
    /// the calling step called it directly, and how many values it captured.
    fn lambda_of(
        &mut self,
        call: CallId,
        caller: CallId,
        step: u64,
    ) -> Option<((CallId, u64, bool), usize)> {
        let method = self.run.read(self.run.trace().call(call))?.method;
        if !self.run.method_names(method).name.starts_with("lambda$") {
            return None;
        }
        let operands: Vec<Option<ObjectId>> = self.frames.get(caller).ok()?.operands(step)?;
        let is_lambda = |object: &Option<ObjectId>| object.is_some_and(|it| self.is_lambda(it));
        let mut lambdas = (0..operands.len()).filter(|at| is_lambda(&operands[*at]));
        let (operand, None) = (lambdas.next()?, lambdas.next()) else {
            return None;
        };
        let (made_by, made_at) = self.giver(caller, step, operand)?;
        let site = self.site(made_by, made_at)?;
        let captured = site.parameters.len();
        site.owner.is_empty().then_some(())?;
        Some(((made_by, made_at, operand == 0), captured))
    }
}
