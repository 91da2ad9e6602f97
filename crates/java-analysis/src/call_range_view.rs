//! Calls taken together as a question shows them: which calls, and the state before the first and
//! after the last.
//!
//! They are a chain, so whatever any of them can reach was changed by them, or by another thread, which is
//! marked. Every object is shown as it was at the entry of the first call and at the exit of the last, whichever of
//! the calls has it; one that came to be in between was not there before.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use debug_engine::transform::NodeKind;
use debug_engine::view::render::Bounds;
use debug_engine::view::{CallRangeView, NamedState, NodeView, StateView, ValueKind, ValueView};
use debug_engine::{ExecutionTree, NodeId, Target};
use trace_format::{ObjectId, TraceTime, Value};

use super::recording::Recording;
use java_model::method_code::FieldName;
use java_model::node_view::{Following, static_label};
use java_model::run::JavaRun;
use java_model::share::Share;
use java_model::shown::in_list;
pub use java_model::snapshot::{Snapshot, Span, sharing, unreadable_state};
use java_model::unshown_changes::{self, ShownObjects, object_name};

/// Of long stretches, the calls at both ends are looked at, this many at each.
const LOOKED_AT: usize = 500;
/// Of the objects that the calls were given, this many are followed.
const MOST_OBJECTS: usize = 24;
/// Beyond these those that were written, up to this many in all.
const MOST_WRITTEN: usize = 64;
/// What stands for an object before it came to be.
const NOT_THERE: &str = "not there yet";

/// Siblings taken together.
#[must_use]
pub fn call_range_view(
    run: &JavaRun,
    target: Target,
    kind: NodeKind,
    bounds: Bounds,
) -> CallRangeView {
    let members = Members::of(run, target);
    CallRangeView {
        state: states(run, &members, Following::further(bounds)),
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
) -> CallRangeView {
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
) -> CallRangeView {
    let calls: Vec<NodeView> = members
        .at_ends(bounds.calls)
        .iter()
        .map(|&node| run.member_view(node, in_list(bounds)))
        .collect();
    let caller = run.parent(target.first());
    let only = members.only_routine(run);
    CallRangeView {
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

    /// From the beginning of the first to the end of the last, with what they handed over to other threads.
    ///
    /// Why that cannot be told otherwise.
    fn span(&self, run: &JavaRun) -> Result<Span, String> {
        let (Some(first), Some(last)) = (self.looked_at.first(), self.looked_at.last()) else {
            return Err("there are no such calls".to_owned());
        };
        let start = run.read_call(*first)?.entry_time;
        let mut end = Some(start);
        for node in &self.looked_at {
            let call = run.read_call(*node)?;
            let has_ended = call.exit.is_some() || run.ended_by_itself();
            let own_end = has_ended.then(|| run.whole_end(&call));
            end = end.zip(own_end).map(|(end, own_end)| end.max(own_end));
        }
        Ok(Span {
            nodes: first.0..last.0 + run.subtree_size(*last),
            start,
            end,
        })
    }

    fn at_ends(&self, number: usize) -> Vec<NodeId> {
        let all = &self.looked_at;
        if all.len() <= number.saturating_mul(2) {
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

/// An object that the calls were given, while such objects are collected.
struct Seen {
    object: ObjectId,
    name: String,
    /// When the first of the calls was given it.
    since: TraceTime,
}

/// What the calls were given, in the order in which they were, and the statics that they can have changed.
fn seen(run: &JavaRun, members: &Members) -> (Vec<Seen>, BTreeSet<Arc<FieldName>>) {
    let mut objects: Vec<Seen> = Vec::new();
    let mut known: HashSet<ObjectId> = HashSet::new();
    let mut statics = BTreeSet::new();
    let mut methods = HashSet::new();
    for &node in &members.looked_at {
        let Some(call) = run.call(node) else { continue };
        let mut see = |object: ObjectId, name: &str| {
            if !object.is_null() && known.insert(object) {
                objects.push(Seen {
                    object,
                    name: name.to_owned(),
                    since: call.entry_time,
                });
            }
        };
        if let Some(this) = call.this
            && run.method_names(call.method).name != "<init>"
        {
            see(this, "this");
        }
        let code = run.code(call.method);
        for (number, value) in call.arguments.iter().enumerate() {
            if let Value::Ref(object) = value {
                let name = code.parameters.get(number);
                see(*object, name.map_or("", String::as_str));
            }
        }
        if methods.insert(call.method) {
            let reach = run.statics_below().reach(run, call.method);
            statics.extend(reach.statics.iter().cloned());
        }
    }
    (objects, statics)
}

fn states(
    run: &JavaRun,
    members: &Members,
    Following { shown, bounds }: Following,
) -> Vec<NamedState> {
    let span = match members.span(run) {
        Ok(span) => span,
        Err(reason) => return unreadable_state(reason),
    };
    let (objects, statics) = seen(run, members);
    let snapshot = Snapshot::of(run, span, &members.looked_at, bounds);
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for seen in &objects {
        *uses.entry(&seen.name).or_default() += 1;
    }
    let mut states: Vec<NamedState> = Vec::new();
    let mut made = Vec::new();
    for (place, seen) in objects.iter().enumerate() {
        let is_shown = place < MOST_OBJECTS || snapshot.has_written(seen.object);
        if !is_shown || states.len() + made.len() >= MOST_WRITTEN {
            continue;
        }
        if !snapshot.was_there(seen.object) {
            made.push(seen);
            continue;
        }
        let state = snapshot.state(Value::Ref(seen.object));
        if state.before.id.is_none() {
            continue;
        }
        let is_shared = seen.name.is_empty() || uses.get(&*seen.name).is_some_and(|&uses| uses > 1);
        let name = match is_shared {
            true => object_name(&state.before),
            false => seen.name.clone(),
        };
        states.push(NamedState { name, state });
    }
    let share = Share::among(statics.len());
    for name in &statics {
        // What was only read is told by the calls one by one.
        if let Some(state) = snapshot.static_state(name, &share)
            && (state.before.kind == ValueKind::Unreadable
                || (state.after.as_ref()).is_some_and(|after| *after != state.before))
        {
            let name = static_label(name);
            states.push(NamedState { name, state });
        }
    }
    let unshown = snapshot.unshown(states.iter().map(|named| &named.state));
    states.extend(unshown);
    states.extend(made_in_between(&snapshot, &states, &made));
    sharing::mark_states(&mut states, shown);
    for state in &mut states {
        run.chosen_fields().cut_state(&mut state.state);
    }
    states
}

/// The objects that came to be after the first call had begun, that later calls changed, and that no shown value
/// has in it.
fn made_in_between(
    snapshot: &Snapshot<'_>,
    states: &[NamedState],
    made: &[&Seen],
) -> Vec<NamedState> {
    let mut shown = ShownObjects::default();
    let named = states.iter();
    named.for_each(|named| shown.take_in_made(&named.state));
    let mut found = Vec::new();
    for seen in made {
        let Some(state) = snapshot.state_since(seen.since, Value::Ref(seen.object)) else {
            continue;
        };
        if shown.has(&state) || !unshown_changes::is_changed(&state) {
            continue;
        }
        shown.take_in_made(&state);
        found.push(NamedState {
            name: object_name(&state.before),
            state: StateView {
                before: ValueView::primitive(NOT_THERE),
                after: state.after,
            },
        });
    }
    found
}
