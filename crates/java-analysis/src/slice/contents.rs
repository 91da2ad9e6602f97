//! What library code finds in the objects that it is given: the pieces of which a text was built, the elements of
//! arrays and collections; and what recorded code told it meanwhile.
//!
//! A text that is printed was built somewhere, and whoever only follows what was handed over ends at the builder. What
//! was put into an object, and taken out of it, stands in the trace; of a builder that no other call has seen it does
//! not, and the steps of its own call tell. All of it is followed, whatever part of it mattered: good enough to say
//! which calls had a part in something, too much to tell where a value came from.

use std::collections::{HashMap, HashSet, VecDeque};

use frame_replay::OperandSource;
use trace_format::{ObjectId, TraceTime};
use trace_store::{CallId, CallOutcome, ObjectSlot, SlotValue, Written};

use super::{Graph, Link, Taken, Variable, is_callee, push};
use crate::frames::Frame;
use java_model::shown;

/// No more variables of an object, and of what it is made of, are looked at.
const MOST_VARIABLES: usize = 400;
/// No more writes of one variable: the newest are.
const MOST_WRITES: usize = 200;
/// A call with more steps is not searched for those that built a text.
const MOST_STEPS: u64 = 200_000;

const BUILDERS: [&str; 3] = [
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/util/StringJoiner",
];

impl Graph<'_> {
    /// Adds what was in the objects that a step gave to library code, and what recorded code told that.
    pub(super) fn add_contents(&mut self, call: CallId, step: u64, taken: &mut Taken) {
        self.add_callbacks(call, step, taken);
        for link in self.contents_given(call, step).unwrap_or_default() {
            push(taken, true, link);
        }
    }

    /// Adds the results of recorded calls that library code made during a step: what it was told of order and equality
    /// decided what it did, and texts of objects became part of what it gave.
    pub(super) fn add_callbacks(&mut self, call: CallId, step: u64, taken: &mut Taken) {
        let Some(site) = self.site(call, step) else {
            return;
        };
        let frame = self.frames.get(call).ok();
        let children = frame.and_then(|frame| frame.step(step));
        let children = children.map(|(_, children)| children).unwrap_or_default();
        for child in children {
            let outcome = self.run.trace().outcome(child);
            let gave = matches!(outcome, Ok(CallOutcome::Returned(Some(_))));
            if gave && !is_callee(self.run, child, site) {
                let method = self.run.node(child).map(|node| self.run.method(node));
                let name = method.map(|method| self.run.method_names(method).name);
                push(taken, name == Some("toString"), Link::Return(child));
            }
        }
    }

    /// What was in the objects that a step takes as operands.
    pub(in super::super) fn contents_given(
        &mut self,
        call: CallId,
        step: u64,
    ) -> Option<Vec<Link>> {
        let frame = self.frames.get(call).ok()?;
        let objects = frame.operands(step)?;
        let before = frame.position_before(step)?;
        let at = shown::time(self.run, call.thread, before);
        let mut links = Vec::new();
        for (operand, object) in objects.into_iter().enumerate() {
            let in_trace = match object {
                Some(object) => self.contents(object, at),
                None => Vec::new(),
            };
            match in_trace.is_empty() {
                true => links.extend(self.built_here(call, step, operand)),
                false => links.extend(in_trace),
            }
        }
        Some(links)
    }

    /// What was put into an object until a time, as far as the trace has it.
    fn contents(&mut self, object: ObjectId, at: TraceTime) -> Vec<Link> {
        let mut links = Vec::new();
        if !self.is_container(object) {
            return links;
        }
        let mut open = VecDeque::from([object]);
        let mut seen = HashSet::from([object]);
        let mut looked = 0;
        while let Some(object) = open.pop_front() {
            for (slot, held) in self.variables(object, at) {
                looked += 1;
                if looked > MOST_VARIABLES {
                    return links;
                }
                let value = held.value.object();
                let writes = match slot {
                    // How many there are was written whenever one more or one less was.
                    ObjectSlot::Field(_) => self.writes(object, slot, at),
                    ObjectSlot::Element(_) => held.written.into_iter().collect(),
                };
                for written in writes {
                    links.extend(self.put_at(object, slot, written, value));
                }
                if let Some(inner) = value.filter(|&inner| self.is_container(inner))
                    && seen.insert(inner)
                {
                    open.push_back(inner);
                }
            }
        }
        let mut known = HashSet::new();
        links.retain(|link| known.insert(*link));
        links
    }

    fn variables(&self, object: ObjectId, at: TraceTime) -> Vec<(ObjectSlot, SlotValue)> {
        let trace = self.run.trace();
        let Some(state) = self.run.read(trace.object_state(object, at)) else {
            return Vec::new();
        };
        let Some(length) = state.length else {
            let fields = state.fields.into_iter();
            return fields
                .map(|(field, slot)| (ObjectSlot::Field(field), slot))
                .collect();
        };
        let length = length.min(u32::try_from(MOST_VARIABLES).unwrap_or(u32::MAX));
        let elements = self.run.read(trace.elements_at(object, 0, length, at));
        let elements = (0..).zip(elements.unwrap_or_default());
        elements
            .filter_map(|(index, slot)| Some((ObjectSlot::Element(index), slot?)))
            .collect()
    }

    /// The newest writes of a variable before a time, in no order.
    fn writes(&self, object: ObjectId, slot: ObjectSlot, at: TraceTime) -> Vec<Written> {
        let history = self.run.trace().recorded_writes_of(object, slot);
        let Some(history) = self.run.read(history) else {
            return Vec::new();
        };
        let newest = history.ending_before(at).rev().take(MOST_WRITES);
        newest.map(|entry| entry.written).collect()
    }

    /// The link of a write into something that holds others.
    fn put_at(
        &mut self,
        object: ObjectId,
        slot: ObjectSlot,
        written: Written,
        value: Option<ObjectId>,
    ) -> Option<Link> {
        if written.first_read_by.is_some() {
            return None;
        }
        if !written.by_library {
            let variable = Variable::Slot(object, slot);
            return Some(Link::Written(written.thread, written.position, variable));
        }
        let call = self.run.trace().call_of(written.thread, written.position);
        let call = self.run.read(call).flatten()?;
        let frame = self.frames.get(call).ok()?;
        let (step, _) = frame.step_at(written.position)?;
        let last = frame.flow.sources(step).count().checked_sub(1)?;
        let operand = value.and_then(|value| frame.operand_with(step, value));
        Some(Link::Kept(call, step, operand.unwrap_or(last)))
    }

    /// The steps of a call that built the text which a step takes as an operand.
    fn built_here(&mut self, call: CallId, step: u64, operand: usize) -> Vec<Link> {
        let Ok(frame) = self.frames.get(call) else {
            return Vec::new();
        };
        if step > MOST_STEPS {
            return Vec::new();
        }
        let mut roots = HashMap::new();
        let text = frame.flow.sources(step).nth(operand);
        let Some(text) = text.map(|source| root(frame, source, &mut roots)) else {
            return Vec::new();
        };
        let mut links = Vec::new();
        for earlier in 0..step {
            if changes_builder(frame, earlier)
                && let Some(builder) = frame.flow.sources(earlier).next()
                && root(frame, builder, &mut roots) == text
            {
                let last = frame.flow.sources(earlier).count() - 1;
                links.extend((last > 0).then_some(Link::Kept(call, earlier, last)));
            }
        }
        links
    }

    /// Whether an object holds others, or letters, and says nothing else.
    fn is_container(&self, object: ObjectId) -> bool {
        let class = self.run.read(self.run.trace().class_of(object)).flatten();
        let Some((_, Some(name))) = class else {
            return false;
        };
        name.starts_with('[')
            || name.starts_with("java.util.")
            || BUILDERS.contains(&name.replace('.', "/").as_str())
    }
}

/// Whether a step adds to a text that is being built, or changes it.
fn changes_builder(frame: &Frame<'_>, step: u64) -> bool {
    let site = frame
        .instruction(step)
        .and_then(|at| frame.code.invoked_by(at));
    site.is_some_and(|site| {
        site.has_receiver
            && BUILDERS.contains(&site.owner.as_str())
            && site.name != "<init>"
            && !site.descriptor.ends_with(")Ljava/lang/String;")
    })
}

/// Where an operand was first had by its call: builders give back themselves.
fn root(
    frame: &Frame<'_>,
    source: OperandSource,
    known: &mut HashMap<OperandSource, OperandSource>,
) -> OperandSource {
    let mut way = Vec::new();
    let mut place = source;
    let root = loop {
        if let Some(&root) = known.get(&place) {
            break root;
        }
        way.push(place);
        let OperandSource::Step(step) = place else {
            break place;
        };
        let Some(at) = frame.instruction(step) else {
            break place;
        };
        let Some(instruction) = frame.code.instructions().get(at) else {
            break place;
        };
        let passes_on = instruction.is_local_load()
            || instruction.is_local_store()
            || changes_builder(frame, step);
        match frame.flow.sources(step).next().filter(|_| passes_on) {
            Some(before) => place = before,
            None => break place,
        }
    };
    known.extend(way.into_iter().map(|place| (place, root)));
    root
}
