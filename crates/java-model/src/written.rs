//! Which objects some calls wrote to, told by what was recorded of them.
//!
//! What was not written cannot have changed. So a view follows these objects wherever they lie, be it the last of a
//! million elements, and need not spend its room on the others.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use debug_engine::NodeId;
use debug_engine::view::render::Bounds;
use trace_format::ObjectId;
use trace_format::event::{Event, Write, WriteTarget};

use super::run::JavaRun;

/// What more calls or events than these wrote is not looked for: reading them takes some milliseconds.
const MOST: Limits = Limits {
    calls: 2_000,
    events: 10_000,
};
/// The same for one line of many.
const FEW: Limits = Limits {
    calls: 100,
    events: 1_000,
};
/// Of one array, this many elements are told apart.
const MOST_ELEMENTS: usize = 64;

struct Limits {
    calls: u32,
    events: usize,
}

/// What some calls wrote to.
#[derive(Default)]
pub(super) struct WrittenObjects {
    objects: HashMap<ObjectId, WrittenParts>,
    /// Those that recorded code wrote to itself, in the order of its first writes.
    by_program: Vec<ObjectId>,
    by_library: bool,
}

#[derive(Default)]
struct WrittenParts {
    elements: BTreeSet<u32>,
    by_program: bool,
}

impl WrittenObjects {
    /// What the calls of a range of nodes wrote, to be shown within these bounds; `None` if that is too much to look
    /// for, or was not recorded.
    pub(super) fn by(run: &JavaRun, nodes: Range<u32>, bounds: Bounds) -> Option<WrittenObjects> {
        let limits = match bounds.purpose.is_brief() {
            true => FEW,
            false => MOST,
        };
        if !run.has_state() || nodes.end.saturating_sub(nodes.start) > limits.calls {
            return None;
        }
        let mut written = WrittenObjects::default();
        let mut left = limits.events;
        for node in nodes {
            let call = run.call_id(NodeId(node))?;
            for own in run.read(run.trace().own_events(call))? {
                left = left.checked_sub(1)?;
                if let Some(Event::Write(write)) = own.event {
                    written.take_in(&write);
                }
            }
        }
        Some(written)
    }

    fn take_in(&mut self, write: &Write<'_>) {
        let (object, elements) = match write.target {
            WriteTarget::Field { object, .. } => (object, 0..0),
            WriteTarget::Element { array, index, .. } => (array, index..index.saturating_add(1)),
            WriteTarget::Range(range) => (range.array, range.indices()),
            WriteTarget::Static { .. } => return,
        };
        let places = self.objects.entry(object).or_default();
        let room = MOST_ELEMENTS.saturating_sub(places.elements.len());
        places.elements.extend(elements.take(room));
        self.by_library |= write.by_library;
        if !write.by_library && !std::mem::replace(&mut places.by_program, true) {
            self.by_program.push(object);
        }
    }

    pub(super) fn has(&self, object: ObjectId) -> bool {
        self.objects.contains_key(&object)
    }

    /// The elements of an array that were written, from this one on.
    pub(super) fn elements_from(
        &self,
        array: ObjectId,
        first: u32,
    ) -> impl Iterator<Item = u32> + '_ {
        let places = self.objects.get(&array).into_iter();
        places.flat_map(move |places| places.elements.range(first..).copied())
    }

    /// The objects that recorded code wrote to itself, in the order of its first writes.
    pub(super) fn by_program(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.by_program.iter().copied()
    }

    /// Whether a collection may have changed inside: library code wrote something.
    pub(super) fn in_collections(&self) -> bool {
        self.by_library
    }
}
