//! Which fields and elements a call and the calls below it read or wrote.
//!
//! A short call is re-executed, which tells exactly. For a long one that would take too long for a
//! question; there the code tells which fields it can have touched at most.

use std::collections::{HashMap, HashSet};

use debug_engine::view::render::Bounds;
use debug_engine::{ExecutionTree as _, NodeId};
use frame_replay::{Access, HeapVariable, Program, Replay};
use trace_format::ObjectId;

use super::heap::FieldValue;
use super::named_fields::FieldSet;
use super::run::JavaRun;

/// With more calls than this, the code has to tell.
const MOST_CALLS: u32 = 300;
/// With more instructions than this as well: re-executing them takes some ten milliseconds.
const MOST_INSTRUCTIONS: u64 = 200_000;

/// Places in the heap.
#[derive(Default)]
pub(super) struct Places {
    /// The names of the fields of each object.
    fields: HashMap<ObjectId, HashSet<String>>,
    /// Each by its array and index.
    elements: HashSet<(ObjectId, u32)>,
}

/// What a call touched.
pub(super) enum Touched {
    /// These and no others.
    Exactly(Places),
    /// No others than these methods name.
    AtMost(FieldSet),
}

impl Touched {
    /// What these calls touched, with everything below them, to be shown within these bounds.
    pub(super) fn by(run: &JavaRun, nodes: &[NodeId], bounds: Bounds) -> Touched {
        // For one line of many, re-execution costs more than it tells.
        let exactly = (!bounds.purpose.is_brief())
            .then(|| Exactly::by(run, nodes))
            .flatten();
        exactly.map_or_else(|| Self::at_most(run, nodes), Touched::Exactly)
    }

    fn at_most(run: &JavaRun, nodes: &[NodeId]) -> Touched {
        let mut methods: Vec<_> = nodes.iter().map(|&node| run.method(node)).collect();
        methods.sort_unstable_by_key(|method| method.0);
        methods.dedup();
        let mut fields = FieldSet::default();
        for method in methods {
            fields.add(&run.statics_below().reach(run, method).fields);
        }
        Touched::AtMost(fields)
    }

    /// Whether a field of an object may be among them.
    pub(super) fn has(&self, object: ObjectId, field: &FieldValue) -> bool {
        match self {
            Touched::Exactly(places) => places
                .fields
                .get(&object)
                .is_some_and(|names| names.contains(&*field.name)),
            Touched::AtMost(fields) => fields.has(&field.owner, &field.name),
        }
    }

    /// Whether an element of an array is known to be among them.
    pub(super) fn has_element(&self, array: ObjectId, index: u64) -> bool {
        match (self, u32::try_from(index)) {
            (Touched::Exactly(places), Ok(index)) => places.elements.contains(&(array, index)),
            _ => false,
        }
    }
}

/// Calls while they are re-executed.
struct Exactly<'run> {
    run: &'run JavaRun,
    program: &'run Program,
    instructions: u64,
    places: Places,
}

impl Exactly<'_> {
    /// `None` if there is too much to re-execute, or something that cannot be.
    fn by(run: &JavaRun, nodes: &[NodeId]) -> Option<Places> {
        let calls = |&node: &NodeId| u64::from(run.subtree_size(node));
        if !run.has_state() || nodes.iter().map(calls).sum::<u64>() > u64::from(MOST_CALLS) {
            return None;
        }
        let mut exactly = Exactly {
            run,
            program: run.program(),
            instructions: 0,
            places: Places::default(),
        };
        for &node in nodes {
            for below in node.0..node.0 + run.subtree_size(node) {
                exactly.take_in(NodeId(below))?;
            }
        }
        Some(exactly.places)
    }

    fn take_in(&mut self, node: NodeId) -> Option<()> {
        let call = self.run.call_id(node)?;
        let run = self.run;
        let mut replay = run.executed(Replay::new(run.trace(), self.program, call))?;
        let code = replay.code();
        while let Some(step) = run.executed(replay.step())? {
            self.instructions += 1;
            if self.instructions > MOST_INSTRUCTIONS {
                return None;
            }
            let Some(Access::Read(place, _) | Access::Write(place, _)) = step.access else {
                continue;
            };
            match place {
                HeapVariable::Field { object, field } => {
                    let name = code.field(field)?.name.clone();
                    self.places.fields.entry(object).or_default().insert(name);
                }
                HeapVariable::Element { array, index } => {
                    self.places.elements.insert((array, index));
                }
                HeapVariable::Static { .. } => {}
            }
        }
        Some(())
    }
}
