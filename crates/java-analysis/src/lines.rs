//! The lines of a call that can be to blame.
//!
//! The buggy code of a call is what it executed itself, without its children (Lemma 1 of *A
//! Generalized Model for Algorithmic Debugging*): the lines that re-executing the call comes to.
//! A slice narrows them to those that had a part in what the call did: its result, its writes,
//! its calls, or only the value that somebody pointed at.
//!
//! Bugs of omission must not fall through: a wrong decision leaves no trace in the data that was
//! not computed. So every decision of the call belongs to its slice, with all that it depends on.

use std::collections::{BTreeSet, HashMap};

use classfile::Instruction;
use debug_engine::{ExecutionTree, NodeId};
use frame_replay::{Access, CodeCoverage, DataFlow, HeapVariable, OperandSource, Program, Replay};
use trace_format::{EventPosition, ObjectId};
use trace_store::{CallId, ObjectSlot};

use super::moment::Moments;
use super::variable::{self, Variable};
use java_model::run::JavaRun;
use java_model::shown;

/// A longer call is not sliced; the lines that ran are all that is told of it.
const LONGEST: u32 = 20_000_000;
/// A longer call is not sliced from a single value: that takes a look-up for each thing it read.
const LONGEST_BY_VALUE: u64 = 500_000;

/// See the module's header. Lines are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallLines {
    /// Lines that ran; empty if the call cannot be re-executed.
    pub executed: Vec<u32>,
    /// Lines that had a part in the result; empty if that could not be told.
    pub slice: Vec<u32>,
    /// The narrowest set that holds the bug, if the call does.
    pub narrowest: Vec<u32>,
}

impl CallLines {
    /// Leaves of the narrowest set only these lines, if any of them is in it, or at least ran.
    pub fn narrow_to(&mut self, lines: &[u32]) {
        let of = |among: &[u32]| {
            let some = among.iter().copied().filter(|line| lines.contains(line));
            Some(some.collect::<Vec<u32>>()).filter(|some| !some.is_empty())
        };
        if let Some(some) = of(&self.narrowest).or_else(|| of(&self.executed)) {
            self.narrowest = some;
        }
    }
}

/// The lines of a node's call. `wrong` is the path of a value that is known to be wrong.
#[must_use]
pub fn of_call(run: &JavaRun, program: &Program, node: NodeId, wrong: Option<&str>) -> CallLines {
    let whole = || run.code(run.method(node)).lines.clone();
    let Some(id) = run.call_id(node) else {
        return CallLines::default();
    };
    let Ok(coverage) = CodeCoverage::of(run.trace(), program, id) else {
        return CallLines {
            narrowest: whole(),
            ..CallLines::default()
        };
    };
    let executed: Vec<u32> = coverage.lines.iter().map(|&line| line.into()).collect();
    let slice = slice(run, program, node, id, wrong).unwrap_or_default();
    let narrowest = if slice.is_empty() { &executed } else { &slice };
    let narrowest = if narrowest.is_empty() {
        whole()
    } else {
        narrowest.clone()
    };
    CallLines {
        executed,
        slice,
        narrowest,
    }
}

fn slice(
    run: &JavaRun,
    program: &Program,
    node: NodeId,
    id: CallId,
    wrong: Option<&str>,
) -> Option<Vec<u32>> {
    let flow = run.executed(DataFlow::of(run.trace(), program, id, LONGEST))?;
    flow.ending?;
    let code = run.executed(program.code(run.trace(), run.method(node)))?;
    let instructions = code.instructions();
    let at = |step: u64| instructions.get(flow.instruction(step)?);
    let mut marks = Marks::new(&flow);
    let by_value = wrong
        .filter(|_| flow.len() <= LONGEST_BY_VALUE)
        .and_then(|path| Heap::of(run, program, node, path));
    for step in 0..flow.len() {
        let Some(instruction) = at(step) else {
            continue;
        };
        let is_last = step + 1 == flow.len();
        let decides = instruction.is_conditional() || instruction.switch().is_some();
        let is_effect = match &by_value {
            Some(heap) => heap.starts.contains(&step),
            None => is_last || is_write(instruction) || instruction.is_invoke(),
        };
        if decides || is_effect {
            marks.mark(step);
        }
    }
    marks.spread(by_value.as_ref());
    let lines: BTreeSet<u32> = (0..flow.len())
        .filter(|&step| marks.has(step))
        .filter_map(|step| code.line(flow.instruction(step)?))
        .map(u32::from)
        .collect();
    Some(lines.into_iter().collect())
}

fn is_write(instruction: &Instruction) -> bool {
    use classfile::opcode::{PUTFIELD, PUTSTATIC};
    instruction.is_array_store() || matches!(instruction.opcode, PUTFIELD | PUTSTATIC)
}

/// Which steps belong to the slice.
struct Marks<'flow> {
    flow: &'flow DataFlow,
    marked: Vec<bool>,
    open: Vec<u64>,
}

impl<'flow> Marks<'flow> {
    fn new(flow: &'flow DataFlow) -> Self {
        Marks {
            flow,
            marked: vec![false; usize::try_from(flow.len()).unwrap_or(0)],
            open: Vec::new(),
        }
    }

    fn has(&self, step: u64) -> bool {
        usize::try_from(step).is_ok_and(|step| self.marked.get(step) == Some(&true))
    }

    fn mark(&mut self, step: u64) {
        let place = usize::try_from(step).ok();
        if let Some(mark) = place.and_then(|step| self.marked.get_mut(step))
            && !*mark
        {
            *mark = true;
            self.open.push(step);
        }
    }

    /// Marks all that the marked steps took from.
    fn spread(&mut self, heap: Option<&Heap>) {
        while let Some(step) = self.open.pop() {
            let flow = self.flow;
            for source in flow.sources(step) {
                if let OperandSource::Step(source) = source {
                    self.mark(source);
                }
            }
            let Some(heap) = heap else { continue };
            if let Some(&writer) = heap.writers.get(&step) {
                self.mark(writer);
            }
            // What library code keeps inside its objects is not followed.
            if heap.library.contains(&step) {
                for &other in &heap.library {
                    self.mark(other);
                }
            }
        }
    }
}

/// What a call did to the heap, step by step.
struct Heap {
    /// Where the slice starts.
    starts: BTreeSet<u64>,
    /// For steps that read something which this call, or one below it, wrote: the step that did.
    writers: HashMap<u64, u64>,
    /// Steps that called something that was not recorded.
    library: BTreeSet<u64>,
}

impl Heap {
    /// Walks the call once. `None` if the value was not given by the call, so that the slice must
    /// start from all that it did.
    fn of(run: &JavaRun, program: &Program, node: NodeId, path: &str) -> Option<Heap> {
        let found = variable::find(run, program, path, Some(node), None).ok()?;
        let steps = Steps::of(run, program, node)?;
        let last = steps.count.checked_sub(1)?;
        let starts = match &found.variable {
            Variable::Return { .. } => BTreeSet::from([last]),
            Variable::Local { node: of, name } if *of == node => {
                let mut moments = Moments::of(run, program, node)?;
                let end = moments.count_events();
                let assigned = moments.last_before(end, |moment| moment.assigns(name))?;
                BTreeSet::from([assigned.step?.checked_sub(1)?])
            }
            Variable::Slot { .. } | Variable::Static { .. } => {
                let history = super::history::writes(run, &found.variable)?;
                let call = run.call(node)?;
                let inside = history
                    .starting_at(call.entry_time)
                    .take_while(|entry| entry.written.time <= call.exit_time)
                    .filter(|entry| entry.written.thread == call.id.thread);
                let written = inside.filter_map(|entry| steps.step_of(entry.written.position));
                let written: BTreeSet<u64> = written.collect();
                if written.is_empty() {
                    return None;
                }
                written
            }
            _ => return None,
        };
        Some(Heap {
            starts,
            writers: steps.writers,
            library: steps.library,
        })
    }
}

/// Where in the trace each step of a call stands.
struct Steps {
    count: u64,
    /// Time before and after a step that took time, and the step, in order.
    times: Vec<(EventPosition, u64)>,
    writers: HashMap<u64, u64>,
    library: BTreeSet<u64>,
}

impl Steps {
    fn of(run: &JavaRun, program: &Program, node: NodeId) -> Option<Steps> {
        let id = run.call_id(node)?;
        let entry = run.call(node)?.entry;
        let mut replay = run.executed(Replay::new(run.trace(), program, id))?;
        let code = replay.code();
        let mut steps = Steps {
            count: 0,
            times: Vec::new(),
            writers: HashMap::new(),
            library: BTreeSet::new(),
        };
        while let Some(Some(step)) = run.executed(replay.step()) {
            steps.count = step.index + 1;
            if replay.position() > step.position {
                steps.times.push((replay.position(), step.index));
            }
            let invokes = code.invoked_by(step.instruction).is_some();
            if invokes && replay.children().next().is_none() {
                steps.library.insert(step.index);
            }
            let Some(Access::Read(place, _)) = step.access else {
                continue;
            };
            let at = shown::time(run, id.thread, step.position);
            let trace = run.trace();
            let field = |number| code.field(number).and_then(|field| field.id);
            let held = match place {
                HeapVariable::Element { array, index } => {
                    slot_at(run, array, ObjectSlot::Element(index), at)
                }
                HeapVariable::Field {
                    object,
                    field: number,
                } => field(number).and_then(|id| slot_at(run, object, ObjectSlot::Field(id), at)),
                HeapVariable::Static { field: number } => {
                    field(number).and_then(|id| run.read(trace.static_at(id, at)).flatten())
                }
            };
            let written = held.and_then(|held| held.written);
            let written = written.filter(|written| written.thread == id.thread);
            if let Some(written) = written.filter(|written| written.position > entry)
                && let Some(writer) = steps.step_of(written.position)
            {
                steps.writers.insert(step.index, writer);
            }
        }
        Some(steps)
    }

    /// The step during which an event of the call, or of one below it, happened.
    fn step_of(&self, position: EventPosition) -> Option<u64> {
        let after = self.times.partition_point(|(end, _)| *end <= position);
        self.times.get(after).map(|(_, step)| *step)
    }
}

fn slot_at(
    run: &JavaRun,
    object: ObjectId,
    slot: ObjectSlot,
    at: trace_format::TraceTime,
) -> Option<trace_store::SlotValue> {
    run.read(run.trace().slot_at(object, slot, at)).flatten()
}

/// The call that gave a value of a call's state: itself, or the one below it that wrote last.
#[must_use]
pub fn producer(run: &JavaRun, program: &Program, node: NodeId, path: &str) -> Option<NodeId> {
    let found = variable::find(run, program, path, Some(node), None).ok()?;
    let end = run.whole_end(&run.call(node)?);
    let written = match found.variable {
        Variable::Slot { object, slot } => slot_at(run, object, slot, end)?.written?,
        Variable::Static { field } => {
            run.read(run.trace().static_at(field, end))
                .flatten()?
                .written?
        }
        _ => return None,
    };
    let writer = run.trace().call_of(written.thread, written.position);
    let writer = run.node(run.read(writer).flatten()?)?;
    let tree: &dyn ExecutionTree = run;
    tree.contains(node, writer).then_some(writer)
}
