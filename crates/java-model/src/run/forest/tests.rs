//! The forest against a tree that is built node by node.

use std::collections::HashMap;

use proptest::prelude::*;
use trace_format::event::Event;
use trace_format::{EndReason, ObjectId};
use trace_store::sketch::Sketch;

use super::*;

/// What a thread does next.
#[derive(Clone, Copy, Debug)]
enum Does {
    Calls,
    Returns,
    HandsOver,
    /// Begins with one of the tasks that nobody has begun with.
    Begins(usize),
    /// Goes back to what it worked on before.
    Ends,
}

fn doing() -> impl Strategy<Value = Does> {
    prop_oneof![
        4 => Just(Does::Calls),
        3 => Just(Does::Returns),
        2 => Just(Does::HandsOver),
        2 => any::<usize>().prop_map(Does::Begins),
        1 => Just(Does::Ends),
    ]
}

/// A task with the call that handed it over, and where that was.
#[derive(Clone, Copy)]
struct Task {
    object: ObjectId,
    by: Option<(CallId, u64)>,
}

#[derive(Default)]
struct ThreadModel {
    open: Vec<CallId>,
    calls: u32,
    /// Tasks with the depth at which each was begun.
    working: Vec<(Task, usize)>,
}

#[derive(Default)]
struct Model {
    parents: HashMap<CallId, CallId>,
    /// Children with what they are ordered by: their place in the events of their parent's thread.
    children: HashMap<CallId, Vec<(u64, CallId)>>,
    roots: Vec<CallId>,
}

impl Model {
    fn add(&mut self, call: CallId, parent: Option<(CallId, u64)>) {
        match parent {
            Some((parent, place)) => {
                self.parents.insert(call, parent);
                self.children.entry(parent).or_default().push((place, call));
            }
            None => self.roots.push(call),
        }
    }

    fn preorder(&mut self) -> Vec<CallId> {
        self.roots.sort_unstable();
        let mut order = Vec::new();
        let mut open: Vec<CallId> = self.roots.iter().rev().copied().collect();
        while let Some(call) = open.pop() {
            order.push(call);
            let mut below = self.children.get(&call).cloned().unwrap_or_default();
            below.sort_unstable();
            open.extend(below.into_iter().rev().map(|(_, call)| call));
        }
        order
    }

    fn size(&self, call: CallId) -> u32 {
        let below = self.children.get(&call).into_iter().flatten();
        1 + below.map(|&(_, child)| self.size(child)).sum::<u32>()
    }
}

fn check(script: &[(usize, Does)]) {
    let mut sketch = Sketch::new();
    let class = sketch.class("Main");
    let method = sketch.method(class, 8, "work", "()V");
    let threads: Vec<_> = (0..3).map(|n| sketch.thread(&format!("t{n}"))).collect();
    let mut states: Vec<ThreadModel> = threads.iter().map(|_| ThreadModel::default()).collect();
    let mut model = Model::default();
    let mut waiting: Vec<Task> = Vec::new();
    for &(number, does) in script {
        let (thread, state) = (threads[number], &mut states[number]);
        match does {
            Does::Calls => {
                let call = CallId::new(thread, state.calls);
                let place = sketch.position(thread);
                let working = state.working.last();
                let task = working.filter(|(_, depth)| *depth == state.open.len());
                let own = state.open.last().map(|&caller| (caller, place));
                let by = task.and_then(|(task, _)| task.by);
                // What the very call runs that handed it over stands where it was run.
                let by = by.filter(|(by, _)| Some(*by) != own.map(|(caller, _)| caller));
                model.add(call, by.or(own));
                sketch.enter(thread, method, &[]);
                state.calls += 1;
                state.open.push(call);
            }
            Does::Returns => {
                let begun = state.working.last().map_or(0, |(_, depth)| *depth);
                if state.open.len() > begun {
                    sketch.exit(thread, None);
                    state.open.pop();
                }
            }
            Does::HandsOver => {
                sketch.sync(thread);
                let place = sketch.position(thread);
                let working = state.working.last().map(|(task, _)| *task);
                let by = match (state.open.last(), working) {
                    (Some(&call), _) => Some((call, place)),
                    (None, Some(task)) => task.by,
                    (None, None) => None,
                };
                let object = ObjectId(1000 + u32::try_from(place).unwrap() * 4 + thread.0);
                sketch.event(
                    thread,
                    Event::Submit {
                        task: object,
                        is_thread: false,
                    },
                );
                waiting.push(Task { object, by });
            }
            Does::Begins(which) => {
                if waiting.is_empty() {
                    continue;
                }
                let task = waiting.swap_remove(which % waiting.len());
                sketch.sync(thread);
                let depth = u32::try_from(state.open.len()).unwrap();
                sketch.event(
                    thread,
                    Event::Task {
                        task: task.object,
                        depth,
                    },
                );
                state.working.push((task, state.open.len()));
            }
            Does::Ends => {
                let depth = state.open.len();
                if state
                    .working
                    .last()
                    .is_some_and(|(_, begun)| *begun == depth)
                {
                    state.working.pop();
                    let (task, depth) = match state.working.last() {
                        Some((task, depth)) => (task.object, *depth),
                        None => (ObjectId::NULL, 0),
                    };
                    let depth = u32::try_from(depth).unwrap();
                    sketch.event(thread, Event::Task { task, depth });
                }
            }
        }
    }
    let order = model.preorder();
    sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    let trace = Trace::open(sketch.write_run(folder.path()).unwrap()).unwrap();
    let forest = Forest::of(&trace).unwrap().unwrap();

    assert_eq!(forest.len() as usize, order.len());
    for (number, &call) in (0..).zip(&order) {
        assert_eq!(forest.node(call), Some(NodeId(number)), "{call:?}");
        assert_eq!(forest.call(NodeId(number)), Some(call));
        let calls = trace.calls(call.thread).unwrap();
        let own = calls.subtree(call.index);
        assert_eq!(
            forest.size(call, own),
            model.size(call),
            "{call:?} in {order:?}"
        );
        let caller = calls
            .parent(call.index)
            .map(|index| CallId::new(call.thread, index));
        let parent = forest.handed_over_by(call).or(caller);
        assert_eq!(parent, model.parents.get(&call).copied(), "{call:?}");
        let below = order[number as usize..][..model.size(call) as usize].iter();
        let has_open = below
            .clone()
            .any(|call| trace.calls(call.thread).unwrap().is_open(call.index));
        let is_complete = !calls.is_open(call.index) && forest.is_done(call, own);
        assert_eq!(is_complete, !has_open, "{call:?}");
    }
    let visited: Vec<CallId> = forest
        .runs()
        .flat_map(|(_, call, count)| {
            (call.index..call.index + count).map(move |index| CallId::new(call.thread, index))
        })
        .collect();
    assert_eq!(visited, order);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn is_the_tree_of_calls_below_those_that_handed_them_over(
        script in prop::collection::vec((0usize..3, doing()), 0..120)
    ) {
        check(&script);
    }
}
