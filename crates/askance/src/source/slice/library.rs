//! Slices through library code: what it was given, and what it kept and gave back.

use trace_store::CallId;

use super::{Graph, Link, Taken};
use crate::source::kept;
use crate::source::shown;

/// Library classes whose methods depend on nothing but what they are given.
const UNCHANGING: [&str; 8] = [
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Double",
    "java/lang/Boolean",
    "java/lang/Character",
    "java/math/BigInteger",
    "java/math/BigDecimal",
];

impl Graph<'_> {
    /// What was given to library code to keep.
    pub(super) fn kept(
        &mut self,
        call: CallId,
        step: u64,
        operand: usize,
    ) -> Result<Taken, String> {
        let frame = self.frames.get(call)?;
        let source = frame.flow.sources(step).nth(operand);
        let source = source.ok_or("the argument was not found where the call was made")?;
        let mut taken = Taken::default();
        self.look_through(call, source, true, &mut taken)?;
        Ok(taken)
    }

    /// The call that gave library code the object that a step got from it.
    fn put(&mut self, call: CallId, step: u64) -> Option<Link> {
        let frame = self.frames.get(call).ok()?;
        let value = frame.top_after(step)?.object()?;
        let keeper = (*frame.operands(step)?.first()?)?;
        let before = frame.position_before(step)?;
        let before = shown::time(self.run, call.thread, before);
        let (call, step, operand) =
            kept::put_by(self.run, &mut self.frames, keeper, value, before)?;
        Some(Link::Kept(call, step, operand))
    }

    /// A call of library code: of what it kept, if that can be told; else made of what it was given and, unless its
    /// class never changes, of what library code keeps.
    pub(super) fn library(&mut self, call: CallId, step: u64) -> Result<Taken, String> {
        let operands = self.operands(call, step, Some(0))?;
        if self.gives_reference(call, step)?
            && let Some(put) = self.put(call, step)
        {
            let mut addresses = operands.values;
            addresses.extend(operands.addresses);
            return Ok(Taken {
                values: vec![put],
                addresses,
                ..operands
            });
        }
        let mut taken = operands;
        let frame = self.frames.get(call)?;
        let site = frame
            .instruction(step)
            .and_then(|at| frame.code.invoked_by(at));
        if site.is_some_and(|site| site.has_receiver && !UNCHANGING.contains(&site.owner.as_str()))
        {
            taken.trouble =
                Some("what library code keeps inside its objects is not followed".into());
        }
        Ok(taken)
    }

    /// Whether a step calls a method of an object that gives back an object.
    fn gives_reference(&mut self, call: CallId, step: u64) -> Result<bool, String> {
        let frame = self.frames.get(call)?;
        let at = frame.instruction(step);
        let site = at.and_then(|at| frame.code.invoked_by(at));
        Ok(site.is_some_and(|site| {
            site.has_receiver && site.result == Some(trace_format::Kind::Reference)
        }))
    }
}
