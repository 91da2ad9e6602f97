//! The chains that are found are those that the definition gives, applied to one caller after
//! the other.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common;

use crate::common::{Model, steps};
use proptest::prelude::*;
use trace_format::event::{Event, WriteTarget};
use trace_format::{EndReason, EventPosition, MethodId, ThreadNumber};
use trace_store::{CallId, ChangeKind, Observability, Trace};

/// Each method sees some kinds of changes and not others, as the bits say.
fn sight(bits: u64) -> impl Fn(MethodId, ChangeKind) -> bool {
    move |method, change| {
        let number = match change {
            ChangeKind::Field(field) => field.0,
            ChangeKind::Static(field) => 3 + field.0,
            ChangeKind::Elements(kind) => 6 + u32::from(kind.code()),
        };
        bits.rotate_right(method.0 * 13 + number) & 1 == 1
    }
}

/// A child of a call, and what changed between it and the child before.
struct Child {
    index: u32,
    changes: Vec<ChangeKind>,
    other_threads_ran: bool,
}

fn children(trace: &Trace, id: CallId, order: &[(ThreadNumber, u64)]) -> Vec<Child> {
    let mut children = Vec::new();
    let mut changes = Vec::new();
    let mut after = None;
    for own in trace.own_events(id).unwrap() {
        if let Some(index) = own.child {
            let calls = trace.calls(id.thread).unwrap();
            let ran =
                after.is_some_and(|end| foreign_between(order, id.thread, end, calls.entry(index)));
            children.push(Child {
                index,
                changes: std::mem::take(&mut changes),
                other_threads_ran: ran,
            });
            after = calls.exit(index);
        }
        if let Some(Event::Write(write)) = own.event {
            changes.push(change(trace, write.target));
        }
    }
    children
}

fn change(trace: &Trace, target: WriteTarget<'_>) -> ChangeKind {
    match target {
        WriteTarget::Field { field, .. } => ChangeKind::Field(trace.resolve_field(field)),
        WriteTarget::Static { field, .. } => ChangeKind::Static(trace.resolve_field(field)),
        WriteTarget::Element { value, .. } => ChangeKind::Elements(value.kind()),
        WriteTarget::Range(range) => ChangeKind::Elements(range.elements.kind),
    }
}

/// Whether another thread did anything between two positions of a thread.
fn foreign_between(
    order: &[(ThreadNumber, u64)],
    thread: ThreadNumber,
    from: EventPosition,
    to: EventPosition,
) -> bool {
    let place = |at: EventPosition| order.iter().position(|&event| event == (thread, at.0));
    let between = place(from).unwrap()..place(to).unwrap();
    order[between].iter().any(|(other, _)| *other != thread)
}

/// Nothing that any of these siblings can see changed between them.
fn is_chain(
    trace: &Trace,
    thread: ThreadNumber,
    siblings: &[Child],
    sight: &dyn Observability,
) -> bool {
    let calls = trace.calls(thread).unwrap();
    let mut gaps = siblings[1..].iter();
    gaps.all(|gap| {
        !gap.other_threads_ran
            && gap.changes.iter().all(|&change| {
                let mut members = siblings.iter();
                members.all(|member| !sight.sees(calls.method(member.index), change))
            })
    })
}

/// The chain of each sibling: as long as it can be, from the left.
fn chains_of(
    trace: &Trace,
    thread: ThreadNumber,
    siblings: &[Child],
    sight: &dyn Observability,
) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < siblings.len() {
        let mut end = start;
        while end + 1 < siblings.len() && is_chain(trace, thread, &siblings[start..end + 2], sight)
        {
            end += 1;
        }
        let ends = (siblings[start].index, siblings[end].index);
        found.extend((start..=end).map(|_| ends));
        start = end + 1;
    }
    found
}

fn check(model: &Model, trace: &Trace, sight: &dyn Observability) {
    let is_alone = model.calls.len() == 1;
    for (number, calls) in (0u32..).zip(&model.calls) {
        let thread = ThreadNumber(number);
        for parent in 0..calls.len() as u32 {
            let id = CallId::new(thread, parent);
            let siblings = children(trace, id, &model.order);
            let expected = chains_of(trace, thread, &siblings, sight);
            for (sibling, (first, last)) in siblings.iter().zip(expected) {
                let id = CallId::new(thread, sibling.index);
                let found = trace.chain_around(id, sight).unwrap();
                let (found_first, found_last) = found.unwrap_or((id.index, id.index));
                if is_alone {
                    assert_eq!((found_first, found_last), (first, last), "{id:?}");
                } else {
                    // A chunk's beginning counts as a place where others may have run.
                    let at = |index| siblings.iter().position(|child| child.index == index);
                    let chain = at(found_first).unwrap()..=at(found_last).unwrap();
                    assert!(chain.contains(&at(sibling.index).unwrap()));
                    assert!(is_chain(trace, thread, &siblings[chain], sight), "{id:?}");
                }
            }
            if calls[parent as usize].parent.is_none() {
                assert_eq!(trace.chain_around(id, sight).unwrap(), None, "a root");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn they_are_what_the_definition_says(
        threads in 1usize..3, chunk in 1usize..300, ended: bool, sees: u64, rare: u64,
        steps in steps(80),
    ) {
        let mut model = Model::new(threads, chunk);
        steps.iter().for_each(|step| model.take(step));
        if ended {
            model.sketch.end(EndReason::Exit);
        }
        let folder = tempfile::tempdir().unwrap();
        let jvm = model.sketch.write_run(folder.path()).unwrap();
        let sight = sight(sees & rare);
        let mut trace = Trace::open(&jvm).unwrap();
        trace.set_hierarchy(common::hierarchy);
        check(&model, &trace, &sight);
    }
}
