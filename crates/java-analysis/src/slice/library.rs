//! Slices through library code: what it was given, and what it kept and gave back.

use frame_replay::InvokeSite;
use trace_format::{Kind, ObjectId, Value};
use trace_store::{CallId, CallOutcome};

use super::{Graph, Link, Taken};
use crate::library_objects::{self, Sought};
use java_model::shown;

const NOT_FOLLOWED: &str = "what library code keeps inside its objects is not followed";
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
/// Library classes whose methods calculate, if they are given something besides the object that is asked.
const CALCULATING: [&str; 2] = ["java/math/", "java/time/"];
/// Steps by which library objects were got from one another: an entry of an iterator of a set of a map.
const MOST_KEEPERS: usize = 8;
/// Variables that an object went through from one library call to the next.
const MOST_MOVES: usize = 16;

/// Whether library code makes another value of several that it is given, as `Math.min` and `BigDecimal.add` do: what it
/// is called with was the caller's choice. What is made of one alone is only another form of it, and `charAt` reads an
/// element.
fn computes(site: &InvokeSite) -> bool {
    let takes_several = usize::from(site.has_receiver) + site.parameters.len() > 1;
    match site.result {
        None => false,
        Some(Kind::Reference) => {
            let calculates = CALCULATING
                .iter()
                .any(|owner| site.owner.starts_with(owner));
            calculates && site.has_receiver && takes_several
        }
        Some(_) => takes_several && site.name != "charAt",
    }
}

impl<'run> Graph<'run> {
    /// What was given to library code to keep.
    pub(super) fn kept(
        &mut self,
        call: CallId,
        step: u64,
        operand: usize,
    ) -> Result<Taken, String> {
        let mut taken = Taken::default();
        self.operand(call, step, operand, &mut taken)?;
        Ok(taken)
    }

    /// What one operand of a step was made of.
    pub(super) fn operand(
        &mut self,
        call: CallId,
        step: u64,
        operand: usize,
        taken: &mut Taken,
    ) -> Result<(), String> {
        let frame = self.frames.get(call)?;
        let source = frame.flow.sources(step).nth(operand);
        let source = source.ok_or("the argument was not found where the call was made")?;
        self.look_through(call, source, true, taken)
    }

    /// A call of library code: of what it kept, if that can be told; else made of what it was given and, unless its
    /// class never changes, of what library code keeps.
    pub(super) fn library(&mut self, call: CallId, step: u64) -> Result<Taken, String> {
        let mut taken = self.operands(call, step, Some(0))?;
        if let Some(values) = self.given_back(call, step) {
            taken.addresses.splice(0..0, taken.values);
            taken.addresses.retain(|link| !values.contains(link));
            taken.values = values;
            return Ok(taken);
        }
        taken.computed |= self.site(call, step).is_some_and(computes);
        let given = self.frames.get(call)?.top_after(step);
        let given = given.and_then(|slot| slot.object());
        let keeps =
            |site: &InvokeSite| site.has_receiver && !UNCHANGING.contains(&site.owner.as_str());
        if self.site(call, step).is_some_and(keeps) && !given.is_some_and(|it| self.is_part(it)) {
            taken.trouble = Some(NOT_FOLLOWED.to_owned());
        }
        Ok(taken)
    }

    /// Whether it is known where library code had from what it gave back.
    pub(super) fn is_given_back(&mut self, call: CallId, step: u64) -> bool {
        self.given_back(call, step).is_some()
    }

    /// Where something came from that library code had from elsewhere and only passed on.
    fn given_back(&mut self, call: CallId, step: u64) -> Option<Vec<Link>> {
        if let Some(child) = self.result_of_lambda(call, step) {
            return Some(vec![Link::Return(child)]);
        }
        let frame = self.frames.get(call).ok()?;
        let value = frame.top_after(step)?.object()?;
        let site = self.site(call, step)?;
        site.result.filter(|kind| *kind == Kind::Reference)?;
        let (has_receiver, is_new) = (site.has_receiver, site.owner.is_empty());
        if is_new {
            return None;
        }
        if let Some(child) = self.child_with(call, step, value, None) {
            return Some(vec![Link::Return(child)]);
        }
        if has_receiver && let Some(put) = self.put(call, step, value) {
            return Some(vec![put]);
        }
        // As `Optional.orElse` and `Objects.requireNonNull` do. A builder gives back itself.
        let operand = self.frames.get(call).ok()?.operand_with(step, value)?;
        if has_receiver && operand == 0 {
            return None;
        }
        let mut taken = Taken::default();
        self.operand(call, step, operand, &mut taken).ok()?;
        Some(taken.values)
    }

    /// Where an object came from that library code kept until a step.
    pub(super) fn put(&mut self, call: CallId, step: u64, value: ObjectId) -> Option<Link> {
        let frame = self.frames.get(call).ok()?;
        let mut operands = frame.operands(step)?.into_iter();
        let before = frame.position_before(step)?;
        let sought = Sought {
            value,
            from: operands.next().flatten(),
            with: operands.flatten().collect(),
            with_texts: frame.constant_operands(step),
            at: shown::time(self.run, call.thread, before),
        };
        self.put_into(call, step, &sought)
    }

    /// The same, looked for in all library objects that led to the step: an entry came from an iterator,
    /// this from a set, that from a map.
    fn put_into(&mut self, call: CallId, step: u64, sought: &Sought) -> Option<Link> {
        let mut steps = vec![(call, step)];
        let mut next = 0;
        while let Some(&(call, step)) = steps.get(next) {
            next += 1;
            let operands = self.frames.get(call).ok()?.operands(step)?;
            for (operand, keeper) in operands.into_iter().enumerate() {
                if let Some(keeper) = keeper.filter(|keeper| *keeper != sought.value)
                    && let Some((call, step)) =
                        library_objects::put_by(self.run, &mut self.frames, keeper, sought)
                {
                    let operand = self.frames.get(call).ok()?.operand_with(step, sought.value);
                    return Some(match operand {
                        Some(operand) => Link::Kept(call, step, operand),
                        None => Link::Moved(call, step, sought.value),
                    });
                }
                if steps.len() < MOST_KEEPERS
                    && let Some(giver) = self.giver(call, step, operand)
                    && !steps.contains(&giver)
                {
                    steps.push(giver);
                }
            }
            if let Some((call, step)) = steps.get(next).copied()
                && let Some(link) = self.handed(call, step, sought.value)
            {
                return Some(link);
            }
        }
        None
    }

    /// What an object is that a step gave to library code, or that library code got during it.
    fn handed(&mut self, call: CallId, step: u64, value: ObjectId) -> Option<Link> {
        if let Some(operand) = self.frames.get(call).ok()?.operand_with(step, value) {
            return Some(Link::Kept(call, step, operand));
        }
        let child = self.child_with(call, step, value, None);
        child.map(Link::Return)
    }

    /// Where a step of library code that put an object somewhere had it from: a call that it made, or another
    /// collection, as `addAll` and `sort` do; else it made the object of what it was given.
    pub(super) fn moved(
        &mut self,
        call: CallId,
        step: u64,
        value: ObjectId,
    ) -> Result<Taken, String> {
        let mut taken = self.operands(call, step, Some(0))?;
        let child = self.child_with(call, step, value, None).map(Link::Return);
        if let Some(from) = child.or_else(|| self.put(call, step, value)) {
            taken.addresses.splice(0..0, taken.values);
            taken.values = vec![from];
        } else {
            taken.trouble = Some(NOT_FOLLOWED.to_owned());
        }
        Ok(taken)
    }

    /// The step of library code that gave an operand of a step, through whatever variables.
    pub(super) fn giver(
        &mut self,
        call: CallId,
        step: u64,
        operand: usize,
    ) -> Option<(CallId, u64)> {
        let mut taken = Taken::default();
        self.operand(call, step, operand, &mut taken).ok()?;
        for _ in 0..MOST_MOVES {
            let [link] = taken.values[..] else {
                return None;
            };
            taken = match link {
                Link::Library(call, step) => return Some((call, step)),
                Link::Made(call, step) if self.is_of_library(call, step) => {
                    return Some((call, step));
                }
                Link::Local(..) | Link::Written(..) | Link::Return(_) => self.taken_by(link),
                Link::Argument(call, local) => self.given_by_caller(call, local).ok()??,
                _ => return None,
            };
        }
        None
    }

    /// Whether no recorded constructor ran where a step made an object.
    fn is_of_library(&mut self, call: CallId, step: u64) -> bool {
        let made = self
            .frames
            .get(call)
            .ok()
            .and_then(|frame| frame.step(step));
        made.is_some_and(|(_, children)| children.is_empty())
    }

    /// Whether an object is a part of a collection: an entry, an iterator, a view.
    fn is_part(&self, object: ObjectId) -> bool {
        let class = self.run.read(self.run.trace().class_of(object)).flatten();
        let name = class.and_then(|(_, name)| name).unwrap_or_default();
        name.starts_with("java.util.") && name.contains('$')
    }

    /// The last call during a step, before another, that returned an object.
    pub(super) fn child_with(
        &mut self,
        call: CallId,
        step: u64,
        value: ObjectId,
        before: Option<CallId>,
    ) -> Option<CallId> {
        let (_, children) = self.frames.get(call).ok()?.step(step)?;
        let earlier = children
            .into_iter()
            .filter(|child| before.is_none_or(|before| child.index < before.index));
        let trace = self.run.trace();
        let returned = |child: &CallId| {
            matches!(trace.outcome(*child),
                Ok(CallOutcome::Returned(Some(Value::Ref(object)))) if object == value)
        };
        earlier.rev().find(returned)
    }

    /// The call of the lambda that a step asked for: what that gives is what the step gives.
    fn result_of_lambda(&mut self, call: CallId, step: u64) -> Option<CallId> {
        let site = self.site(call, step)?;
        site.result?;
        if !site.has_receiver {
            return None;
        }
        let receiver = (*self.frames.get(call).ok()?.operands(step)?.first()?)?;
        if !self.is_lambda(receiver) {
            return None;
        }
        let (_, children) = self.frames.get(call).ok()?.step(step)?;
        children.last().copied()
    }

    pub(super) fn is_lambda(&self, object: ObjectId) -> bool {
        let class = self.run.read(self.run.trace().class_of(object)).flatten();
        class.is_some_and(|(_, name)| name.is_some_and(|name| name.contains("$$Lambda")))
    }

    pub(super) fn site(&mut self, call: CallId, step: u64) -> Option<&'run InvokeSite> {
        let frame = self.frames.get(call).ok()?;
        let code = frame.code;
        code.invoked_by(frame.instruction(step)?)
    }
}
