//! Handlers in code without frames, for which the verifier infers what locals hold.
//!
//! Where control comes together, and at a handler with all that it covers, that verifier compares what a local may
//! hold, and loads both classes if they differ. One handler for a whole method would have it load classes that nothing
//! needs, one of which may not be there at all: a program may run well without a library of which it only makes use
//! where it is. So the code is divided into parts throughout which every local has its reference from one place, and
//! each part gets a handler of its own. (What a local does not hold where the verifier comes first is not compared any
//! more, whatever it holds later: so this is mostly about parameters that are set.)

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{CodeEditor, EditError};
use crate::flow::{ControlFlow, EdgeKind};
use crate::{Instruction, opcode};

/// Of all locals at the starts of all blocks.
const MOST_ORIGINS: usize = 1 << 22;

/// Where a local has its reference from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It holds none, or the verifier does not know which.
    Nothing,
    /// The caller.
    Caller,
    /// This instruction.
    Store(usize),
    /// The verifier has compared what comes to the start of this block anyway.
    Joined(usize),
}

/// What the locals hold that are set in more than one place. Not there where nothing has come yet.
type State = Option<Vec<Origin>>;

impl CodeEditor<'_> {
    /// Whether the verifier infers what locals hold, as there are no frames to tell it.
    pub fn infers_types(&self) -> bool {
        !self.has_frames()
    }

    /// The code from an instruction on, in parts that one handler each can cover.
    pub(super) fn handled_parts(&self, from: usize) -> Result<Vec<Range<usize>>, EditError> {
        let whole = from..self.instructions.len();
        if !self.infers_types() {
            return Ok(vec![whole]);
        }
        let locals = self.locals_set_twice()?;
        let flow = ControlFlow::of(self.code, &self.instructions)?;
        // Code so large that looking through it would take long is left to the verifier.
        if locals.is_empty() || locals.len() * flow.blocks().len() > MOST_ORIGINS {
            return Ok(vec![whole]);
        }
        Ok(Origins::of(self, flow, locals).parts(whole))
    }

    /// Locals that get a reference in several places, the caller being one, with whether it is.
    fn locals_set_twice(&self) -> Result<BTreeMap<u16, bool>, EditError> {
        let mut given = BTreeSet::new();
        let mut local = 0;
        // Only what is a reference matters here, so they can be to any class.
        for each in self.initial_locals(|_| Ok(0))? {
            if each.is_reference() {
                given.insert(local);
            }
            local += each.slots();
        }
        let mut places: BTreeMap<u16, usize> = given.iter().map(|&local| (local, 1)).collect();
        for local in self.instructions.iter().filter_map(stored_reference) {
            *places.entry(local).or_default() += 1;
        }
        let twice = places.into_iter().filter(|&(_, places)| places > 1);
        Ok(twice
            .map(|(local, _)| (local, given.contains(&local)))
            .collect())
    }
}

/// The origins of some locals throughout a method.
struct Origins<'e> {
    instructions: &'e [Instruction],
    /// Where a local's origin stands in a state.
    places: BTreeMap<u16, usize>,
    flow: ControlFlow,
    /// The handlers that cover a block, as blocks.
    handlers: Vec<Vec<usize>>,
    at_start: Vec<State>,
}

impl<'e> Origins<'e> {
    fn of(editor: &'e CodeEditor<'_>, flow: ControlFlow, locals: BTreeMap<u16, bool>) -> Self {
        let block_at = |pc: u16| flow.block_of(editor.index_checked(pc.into()));
        let mut handlers = vec![Vec::new(); flow.blocks().len()];
        for range in &editor.code.exceptions {
            let end = block_at(range.end).unwrap_or(handlers.len());
            // Unlike the JVM, the verifier takes every instruction for one that may throw.
            if let (Some(start), Some(handler)) = (block_at(range.start), block_at(range.handler)) {
                for covered in &mut handlers[start..end] {
                    covered.push(handler);
                }
            }
        }
        let entry = locals.values().map(|&is_given| match is_given {
            true => Origin::Caller,
            false => Origin::Nothing,
        });
        let mut at_start = vec![None; flow.blocks().len()];
        at_start[0] = Some(entry.collect());
        let mut origins = Origins {
            instructions: &editor.instructions,
            places: (0..)
                .zip(locals.into_keys())
                .map(|(at, local)| (local, at))
                .collect(),
            flow,
            handlers,
            at_start,
        };
        origins.solve();
        origins
    }

    fn solve(&mut self) {
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            let Some(mut state) = self.at_start[block].clone() else {
                continue;
            };
            let mut reach = |block: usize, state: &[Origin]| {
                if join(&mut self.at_start[block], state, block) {
                    open.push(block);
                }
            };
            let mut is_news = true;
            for index in self.flow.blocks()[block].instructions.clone() {
                if std::mem::take(&mut is_news) {
                    for &handler in &self.handlers[block] {
                        reach(handler, &state);
                    }
                }
                is_news = execute(self.instructions, index, &self.places, &mut state);
            }
            for edge in &self.flow.blocks()[block].successors {
                if !matches!(edge.kind, EdgeKind::Exception(_)) {
                    reach(edge.to, &state);
                }
            }
        }
    }

    /// Divides a range of instructions.
    fn parts(&self, whole: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = whole.start;
        let mut seen = vec![Origin::Nothing; self.places.len()];
        let mut is_compared = vec![true; seen.len()];
        for (block, at_start) in self.flow.blocks().iter().zip(&self.at_start) {
            // What is never reached is never compared.
            let Some(mut state) = at_start.clone() else {
                continue;
            };
            let mut is_news = true;
            for index in block.instructions.clone() {
                if index == whole.start && self.is_entered_at(index) {
                    is_compared = state.iter().map(|&each| each != Origin::Nothing).collect();
                }
                if whole.contains(&index)
                    && std::mem::take(&mut is_news)
                    && !take_in(&mut seen, &state, &is_compared)
                {
                    parts.push(start..index);
                    start = index;
                    seen.clone_from(&state);
                    is_compared.fill(true);
                }
                is_news |= execute(self.instructions, index, &self.places, &mut state);
            }
        }
        parts.push(start..whole.end);
        parts
    }

    /// Whether the code from an instruction on is reached through that instruction only, so that the verifier, which
    /// follows the code, sees it first.
    fn is_entered_at(&self, first: usize) -> bool {
        let before = self.flow.blocks().iter().enumerate();
        let mut before = before.take_while(|(_, block)| block.instructions.start < first);
        before.all(|(number, block)| {
            let jumps = block.successors.iter().map(|edge| edge.to);
            let mut reached = jumps.chain(self.handlers[number].iter().copied());
            reached.all(|block| self.flow.blocks()[block].instructions.start <= first)
        })
    }
}

/// Makes of what the locals hold what they hold behind an instruction; says whether it sets one of them.
fn execute(
    instructions: &[Instruction],
    index: usize,
    places: &BTreeMap<u16, usize>,
    state: &mut [Origin],
) -> bool {
    let instruction = &instructions[index];
    let Some(local) = instruction
        .local_index()
        .filter(|_| instruction.is_local_store())
    else {
        return false;
    };
    let origin = match stored_reference(instruction) {
        Some(_) => Origin::Store(index),
        None => Origin::Nothing,
    };
    let other_half = local.checked_add(1).filter(|_| is_wide_store(instruction));
    let mut sets_one = false;
    for set in [Some(local), other_half].into_iter().flatten() {
        if let Some(&place) = places.get(&set) {
            state[place] = origin;
            sets_one = true;
        }
    }
    sets_one
}

/// Adds a state to those that come to a block; says whether that makes a difference.
fn join(into: &mut State, from: &[Origin], block: usize) -> bool {
    let Some(into) = into else {
        *into = Some(from.to_vec());
        return true;
    };
    let mut changed = false;
    for (into, &from) in into.iter_mut().zip(from) {
        let joined = match (*into, from) {
            (Origin::Nothing, _) | (_, Origin::Nothing) => Origin::Nothing,
            (known, from) if known == from => known,
            _ => Origin::Joined(block),
        };
        changed |= joined != *into;
        *into = joined;
    }
    changed
}

/// Whether a handler that covers what was seen can cover this state as well, which is then seen, as far as locals are
/// compared.
fn take_in(seen: &mut [Origin], state: &[Origin], is_compared: &[bool]) -> bool {
    let differ = |((seen, state), is_compared): ((&Origin, &Origin), &bool)| {
        *is_compared && seen != state && *seen != Origin::Nothing && *state != Origin::Nothing
    };
    if seen.iter().zip(state).zip(is_compared).any(differ) {
        return false;
    }
    for (seen, &state) in seen.iter_mut().zip(state) {
        if *seen == Origin::Nothing {
            *seen = state;
        }
    }
    true
}

/// The local that the instruction stores a reference to.
fn stored_reference(instruction: &Instruction) -> Option<u16> {
    let stores = matches!(
        instruction.opcode,
        opcode::ASTORE | opcode::ASTORE_0..=opcode::ASTORE_3
    );
    instruction.local_index().filter(|_| stores)
}

fn is_wide_store(instruction: &Instruction) -> bool {
    matches!(
        instruction.opcode,
        opcode::LSTORE
            | opcode::DSTORE
            | opcode::LSTORE_0..=opcode::LSTORE_3
            | opcode::DSTORE_0..=opcode::DSTORE_3
    )
}
