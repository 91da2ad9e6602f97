//! Calls taken together as a question shows them: which calls, and the state before the first and
//! after the last.
//!
//! They are a chain, so whatever any of them can reach was changed by them, or by another thread, which is
//! marked; an object's state before is that at the entry of the first call that has it, and its state after that
//! at the exit of the last.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;

use debug_engine::transform::NodeKind;
use debug_engine::view::render::Bounds;
use debug_engine::view::{NamedState, NodeView, StretchView, ValueView};
use debug_engine::{ExecutionTree, NodeId, Target};
use trace_format::{ObjectId, TraceTime, Value};

use super::elsewhere::{self, Shown, object_name};
use super::meanwhile::Others;
use super::method_code::FieldName;
use super::node_view::{followed, static_label};
use super::recording::Recording;
use super::run::JavaRun;
use super::share::Share;
use super::shown::in_list;
use super::touched::Touched;
use super::values::Viewer;
use super::written::Written;

/// Of long stretches, the calls at both ends are looked at, this many at each.
const LOOKED_AT: usize = 500;
/// Of those, this many are listed at each end.
const LISTED: usize = 3;
/// No more objects than this are followed.
const MOST_OBJECTS: usize = 24;

/// Siblings taken together.
#[must_use]
pub fn stretch_view(run: &JavaRun, target: Target, kind: NodeKind, bounds: Bounds) -> StretchView {
    let members = Members::of(run, target);
    StretchView {
        state: states(run, &members, followed(bounds)),
        ..outline(run, &members, target, kind, bounds)
    }
}

/// The same for a run of which nothing is known but the calls one by one: what the first was given,
/// and what became of that in the last.
#[must_use]
pub fn of_views<R: Recording + ?Sized>(
    run: &R,
    target: Target,
    kind: NodeKind,
    bounds: Bounds,
) -> StretchView {
    let members = Members::of(run, target);
    let mut view = outline(run, &members, target, kind, bounds);
    if let [first, .., last] = &view.calls[..] {
        let states = first.arguments.iter().map(|given| {
            let left = last.arguments.iter().find(|left| left.name == given.name);
            let after = left.map(|left| left.state.after.as_ref().unwrap_or(&left.state.before));
            NamedState::compared(
                given.name.clone(),
                given.state.before.clone(),
                after.cloned(),
            )
        });
        view.state = states.collect();
    }
    view
}

fn outline<R: Recording + ?Sized>(
    run: &R,
    members: &Members,
    target: Target,
    kind: NodeKind,
    bounds: Bounds,
) -> StretchView {
    let calls: Vec<NodeView> = members
        .at_ends(LISTED)
        .iter()
        .map(|&node| run.exact_view(node, in_list(bounds)))
        .collect();
    let caller = run.parent(target.first());
    let only = members.only_routine(run);
    StretchView {
        kind,
        first: target.first(),
        last: target.last(),
        title: title(run, members),
        inside: caller.map(|caller| format!("{} #{caller}", run.code_of(caller).routine)),
        file: calls.first().and_then(|call| call.file.clone()),
        lines: match calls.first() {
            Some(call) if only => call.line.into_iter().collect(),
            _ => Vec::new(),
        },
        calls_left_out: members.count.saturating_sub(calls.len() as u64),
        calls,
        state: Vec::new(),
    }
}

/// The calls of a stretch, as far as they are looked at.
struct Members {
    looked_at: Vec<NodeId>,
    count: u64,
}

impl Members {
    fn of<R: ExecutionTree + ?Sized>(tree: &R, target: Target) -> Members {
        let mut looked_at: Vec<NodeId> = Vec::new();
        let mut end = VecDeque::new();
        let mut count = 0;
        let mut next = target.first();
        while next <= target.last() {
            let node = next;
            next = NodeId(node.0 + tree.subtree_size(node).max(1));
            count += 1;
            if looked_at.len() < LOOKED_AT {
                looked_at.push(node);
                continue;
            }
            if end.len() == LOOKED_AT {
                end.pop_front();
            }
            end.push_back(node);
        }
        looked_at.extend(end);
        Members { looked_at, count }
    }

    /// The calls and all below them.
    fn nodes<R: ExecutionTree + ?Sized>(&self, tree: &R) -> Option<Range<u32>> {
        let (first, last) = (self.looked_at.first()?, self.looked_at.last()?);
        Some(first.0..last.0 + tree.subtree_size(*last))
    }

    /// From the beginning of the first to the end of the last, if that has ended.
    fn times(&self, run: &JavaRun) -> Option<Range<TraceTime>> {
        let call = |node: Option<&NodeId>| run.call(*node?);
        let (first, last) = (call(self.looked_at.first())?, call(self.looked_at.last())?);
        let has_ended = last.exit.is_some() || run.ended_by_itself();
        has_ended.then_some(())?;
        Some(first.entry_time..last.exit_time)
    }

    fn at_ends(&self, number: usize) -> Vec<NodeId> {
        let all = &self.looked_at;
        if all.len() <= 2 * number {
            return all.clone();
        }
        let (start, end) = (&all[..number], &all[all.len() - number..]);
        [start, end].concat()
    }

    fn only_routine<R: ExecutionTree + ?Sized>(&self, tree: &R) -> bool {
        let mut methods = self.looked_at.iter().map(|&node| tree.routine(node));
        let first = methods.next();
        methods.all(|method| Some(method) == first)
    }
}

/// `15 calls of Tree.insert`, `7 calls: Tree.insert 4, Tree.rotate 3`.
fn title<R: Recording + ?Sized>(run: &R, members: &Members) -> String {
    const MOST_NAMED: usize = 4;
    let mut counts: Vec<(String, u64)> = Vec::new();
    for &node in &members.looked_at {
        let routine = run.code_of(node).routine;
        match counts.iter_mut().find(|(name, _)| *name == routine) {
            Some((_, count)) => *count += 1,
            None => counts.push((routine, 1)),
        }
    }
    let all = members.count;
    let are_all_known = all == members.looked_at.len() as u64;
    if let ([(only, _)], true) = (&counts[..], are_all_known) {
        return format!("{all} calls of {only}");
    }
    let named = counts.iter().take(MOST_NAMED);
    let named: Vec<String> = named
        .map(|(name, count)| match are_all_known {
            true => format!("{name} ×{count}"),
            false => name.clone(),
        })
        .collect();
    let more = if counts.len() > MOST_NAMED || !are_all_known {
        ", …"
    } else {
        ""
    };
    format!("{all} calls ({}{more})", named.join(", "))
}

/// A variable while it is collected: the first and the last time that a call could see it.
struct Seen {
    name: String,
    entry: TraceTime,
    exit: TraceTime,
    is_closed: bool,
}

fn states(run: &JavaRun, members: &Members, bounds: Bounds) -> Vec<NamedState> {
    let mut objects: Vec<(ObjectId, Seen)> = Vec::new();
    let mut places: HashMap<ObjectId, usize> = HashMap::new();
    let mut statics: BTreeMap<FieldName, Seen> = BTreeMap::new();
    for &node in &members.looked_at {
        let Some(call) = run.call(node) else { continue };
        let is_closed = call.exit.is_some() || run.ended_by_itself();
        let mut see = |object: ObjectId, name: &str| {
            let place = *places.entry(object).or_insert_with(|| {
                let seen = Seen {
                    name: name.to_owned(),
                    entry: call.entry_time,
                    exit: call.exit_time,
                    is_closed,
                };
                objects.push((object, seen));
                objects.len() - 1
            });
            let seen = &mut objects[place].1;
            seen.exit = call.exit_time;
            seen.is_closed = is_closed;
        };
        let names = run.method_names(call.method);
        if let Some(this) = call.this.filter(|_| names.name != "<init>") {
            see(this, "this");
        }
        let code = run.code(call.method);
        for (number, value) in call.arguments.iter().enumerate() {
            if let Value::Ref(object) = value
                && !object.is_null()
            {
                see(
                    *object,
                    code.parameters.get(number).map_or("", String::as_str),
                );
            }
        }
        for name in &run.statics_below().reach(run, call.method).statics {
            let seen = statics.entry(name.clone()).or_insert_with(|| Seen {
                name: static_label(name),
                entry: call.entry_time,
                exit: call.exit_time,
                is_closed,
            });
            seen.exit = call.exit_time;
        }
    }
    let mut uses: HashMap<String, usize> = HashMap::new();
    for (_, seen) in &objects {
        *uses.entry(seen.name.clone()).or_default() += 1;
    }
    let touched = Touched::by(run, &members.looked_at, bounds);
    let others = members.nodes(run).and_then(|own| Others::of(run, own));
    let written = members
        .nodes(run)
        .and_then(|own| Written::by(run, own, bounds));
    let viewer = |at| {
        Viewer::new(run, at, bounds)
            .marking(&touched)
            .looking_for(written.as_ref())
    };
    let view = |value: Value, at| viewer(at).view(value);
    let mut states: Vec<NamedState> = Vec::new();
    for (object, seen) in objects.iter().take(MOST_OBJECTS) {
        let value = Value::Ref(*object);
        let before = view(value, seen.entry);
        if before.id.is_none() {
            continue;
        }
        let after = seen.is_closed.then(|| view(value, seen.exit));
        let is_shared = seen.name.is_empty() || uses.get(&seen.name).is_some_and(|&uses| uses > 1);
        let name = if is_shared {
            object_name(&before)
        } else {
            seen.name.clone()
        };
        let mut state = NamedState::compared(name, before, after);
        if let (Some(others), Some(after)) = (&others, &mut state.state.after) {
            others.mark(value, after, seen.entry..seen.exit);
        }
        states.push(state);
    }
    let share = Share::among(statics.len());
    for (name, seen) in &statics {
        let at = |time| Some(viewer(time).share(&share, run.static_value(name, time)?));
        if let (Some(before), after) = (at(seen.entry), at(seen.exit)) {
            let mut state = NamedState::compared(seen.name.clone(), before, after);
            // What was only read is told by the calls one by one.
            let is_changed = |after: &ValueView| *after != state.state.before;
            if state.state.after.as_ref().is_some_and(is_changed) {
                if let (Some(others), Some(after)) = (&others, &mut state.state.after)
                    && let Some(value) = run.static_value(name, seen.exit)
                {
                    others.mark_static(name, value, after, seen.entry..seen.exit);
                }
                states.push(state);
            }
        }
    }
    if let Some(written) = &written
        && let Some(times) = members.times(run)
    {
        let mut shown = Shown::default();
        states.iter().for_each(|named| shown.take_in(&named.state));
        let view = |time, object| view(Value::Ref(object), time);
        states.extend(elsewhere::changed(run, written, shown, times, view));
    }
    for state in &mut states {
        run.chosen_fields().cut_state(&mut state.state);
    }
    states
}
