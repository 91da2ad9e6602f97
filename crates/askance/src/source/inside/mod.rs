//! The inside of a call, as a tree of loops, iterations and statements that can be asked about like a
//! run: the search goes on in a buggy call until it comes to a statement.
//!
//! Only the call that is looked into is re-executed, and only while it is looked into.

mod pieces;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use debug_engine::transform::NodeKind;
use debug_engine::transform::model::{GeneralTree, buggy_code};
use debug_engine::view::render::{Bounds, mark_changes};
use debug_engine::view::{AskedView, NamedState, StateView, StretchView, ValueView};
use debug_engine::{ExecutionTree, NodeId, RoutineId, Target};
use frame_replay::{Ending, Program, Replay};
use trace_format::{EventPosition, Value};

use super::glob::Glob;
use super::node_view::{followed, static_label};
use super::recording::Recording as _;
use super::run::{JavaRun, routine};
use super::shown;
use super::statics::own;
use crate::source::calls::{Blamed, Calls, Inside, Scope};

/// Of the calls that a piece made, this many are listed at each end.
const LISTED: usize = 3;

/// A call that is looked into.
pub struct InsideCall {
    run: Arc<JavaRun>,
    program: Program,
    node: NodeId,
    tree: Arc<GeneralTree>,
    calls: Vec<(u64, NodeId)>,
}

impl InsideCall {
    /// Cuts a call into pieces, down to statements if wanted and possible; `None` if it cannot be
    /// re-executed, or has no more than one piece.
    #[must_use]
    pub fn of(run: Arc<JavaRun>, node: NodeId, statements: bool) -> Option<InsideCall> {
        let program = Program::of(run.trace());
        let routine = routine(run.method(node));
        let cut = |statements| pieces::cut(&run, &program, node, routine, statements);
        let found = match statements {
            true => cut(true).or_else(|| cut(false)),
            false => cut(false),
        }?;
        let tree = GeneralTree::new(found.nodes).ok()?;
        let calls = found.calls.into_iter();
        let calls = calls.filter_map(|(step, call)| Some((step, run.node(call)?)));
        let calls = calls.collect();
        (tree.len() > 1).then(|| InsideCall {
            tree: Arc::new(tree),
            calls,
            program,
            node,
            run,
        })
    }

    fn computation(&self, target: Target) -> Range<u64> {
        let start = self.tree.node(target.first()).computation.start;
        start..self.tree.node(target.last()).computation.end
    }

    fn lines(&self, target: Target) -> Vec<u32> {
        let tree: &dyn ExecutionTree = &*self.tree;
        let code = target
            .members(tree)
            .flat_map(|node| self.tree.node(node).code.clone());
        let lines: BTreeSet<u32> = code.filter_map(|line| u32::try_from(line.0).ok()).collect();
        lines.into_iter().collect()
    }

    /// Which of the iterations of its loop a node is, from 1.
    fn number(&self, iteration: NodeId) -> usize {
        let tree: &dyn ExecutionTree = &*self.tree;
        let Some(parent) = tree.parent(iteration) else {
            return 1;
        };
        let siblings = tree.children(parent);
        let before = siblings.take_while(|&node| node < iteration);
        let is_iteration = |node: &NodeId| self.tree.node(*node).kind == NodeKind::Iteration;
        before.filter(is_iteration).count() + 1
    }

    fn title(&self, target: Target) -> String {
        let kind = |node| self.tree.node(node).kind;
        let tree: &dyn ExecutionTree = &*self.tree;
        let all = |wanted| target.members(tree).all(|node| kind(node) == wanted);
        let lines = self.lines(target);
        if all(NodeKind::Iteration) {
            let parent = tree.parent(target.first());
            let of = parent.map_or(String::new(), |parent| {
                format!(" of the loop in {}", line_words(&self.lines(parent.into())))
            });
            let (first, last) = (self.number(target.first()), self.number(target.last()));
            return if first == last {
                format!("iteration {first}{of}")
            } else {
                format!("iterations {first}–{last}{of}")
            };
        }
        match (target, kind(target.first())) {
            (Target::Node(_), NodeKind::Loop) => format!("the loop in {}", line_words(&lines)),
            (Target::Node(_), NodeKind::Routine) => "the whole call".to_owned(),
            _ => line_words(&lines),
        }
    }

    /// What the piece made of the variables.
    fn state(&self, steps: &Range<u64>, bounds: Bounds) -> Option<Vec<NamedState>> {
        let call = self.run.call_id(self.node)?;
        let mut replay = Replay::new(self.run.trace(), &self.program, call).ok()?;
        replay.seek(steps.start).ok()?;
        let before = self.locals(&replay, replay.position(), bounds);
        let start = replay.position();
        replay.seek(steps.end).ok()?;
        let end = replay.position();
        let ending = replay.ending();
        // The last instruction leaves the call; its locals are those before it.
        if ending.is_some() {
            replay.seek(steps.end.saturating_sub(1)).ok()?;
        }
        let after = self.locals(&replay, end, bounds);
        let mut states: Vec<NamedState> = Vec::new();
        for (name, value) in &before {
            let later = after.iter().find(|(other, _)| other == name);
            let later = later.map(|(_, value)| value.clone());
            states.push(named(name.clone(), value.clone(), later));
        }
        for (name, value) in after {
            if !before.iter().any(|(known, _)| *known == name) {
                states.push(named(name, unset(), Some(value)));
            }
        }
        states.extend(self.statics(start, end, bounds));
        let thread = call.thread;
        let at = shown::time(&self.run, thread, end);
        match ending {
            Some(Ending::Returned(Some(value))) => {
                let value = shown::value(&self.run, value, at, bounds);
                states.push(named("the result".to_owned(), unset(), Some(value)));
            }
            Some(Ending::Threw(exception)) => {
                let value = shown::value(&self.run, Value::Ref(exception), at, bounds);
                states.push(named("what is thrown".to_owned(), unset(), Some(value)));
            }
            _ => {}
        }
        Some(states)
    }

    fn locals(
        &self,
        replay: &Replay<'_>,
        position: EventPosition,
        bounds: Bounds,
    ) -> Vec<(String, ValueView)> {
        let at = shown::time(&self.run, replay.call().thread, position);
        let locals = replay.named_locals();
        let is_set =
            |local: &&frame_replay::NamedLocal<'_>| local.value != frame_replay::Slot::EMPTY;
        let shown = locals.iter().filter(is_set).map(|local| {
            let code = Some(replay.code());
            let value = shown::slot(&self.run, code, local.value, local.descriptor, at, bounds);
            (local.name.to_owned(), value)
        });
        shown.collect()
    }

    /// The statics that the call's own code names and the piece changed.
    fn statics(&self, start: EventPosition, end: EventPosition, bounds: Bounds) -> Vec<NamedState> {
        let run = &self.run;
        let Some(call) = run.call_id(self.node) else {
            return Vec::new();
        };
        let code = run.code(run.method(self.node));
        let mut states = Vec::new();
        for name in code.statics.iter().filter_map(|name| own(run, name)) {
            let at = |position| {
                let time = shown::time(run, call.thread, position);
                let value = run.static_value(&name, time)?;
                Some(shown::value(run, value, time, bounds))
            };
            if let (Some(before), Some(after)) = (at(start), at(end))
                && before != after
            {
                states.push(named(static_label(&name), before, Some(after)));
            }
        }
        states
    }
}

impl Calls for InsideCall {
    fn view(&self, target: Target, _: NodeKind, bounds: Bounds) -> AskedView {
        let steps = self.computation(target);
        let made: Vec<NodeId> = self
            .calls
            .iter()
            .filter(|(step, _)| steps.contains(step))
            .map(|(_, node)| *node)
            .collect();
        let listed = if made.len() <= 2 * LISTED {
            made.clone()
        } else {
            [&made[..LISTED], &made[made.len() - LISTED..]].concat()
        };
        let code = self.run.code_of(self.node);
        AskedView::Stretch(StretchView {
            kind: match target {
                Target::Node(node) => self.tree.node(node).kind,
                Target::Range { .. } => NodeKind::Projection,
            },
            first: self.node,
            last: self.node,
            title: self.title(target),
            inside: Some(code.routine),
            file: code.file,
            lines: self.lines(target),
            calls_left_out: (made.len() - listed.len()) as u64,
            calls: listed
                .iter()
                .map(|&node| self.run.exact_view(node, bounds))
                .collect(),
            state: self.state(&steps, followed(bounds)).unwrap_or_default(),
        })
    }

    fn routines_beside(&self, _: NodeId, _: Scope) -> BTreeSet<RoutineId> {
        BTreeSet::new()
    }

    fn routines_named(&self, _: &Glob) -> BTreeSet<RoutineId> {
        BTreeSet::new()
    }

    fn source(&self, node: NodeId) -> Option<String> {
        self.run.source(self.node, &self.lines(node.into()))
    }

    fn check_path(&self, _: NodeId, _: &str) -> Result<(), String> {
        Ok(())
    }
}

impl Inside for InsideCall {
    fn tree(&self) -> Arc<dyn ExecutionTree> {
        Arc::clone(&self.tree) as Arc<dyn ExecutionTree>
    }

    /// Lemma 1: what ran in it and not in what is inside it.
    fn blamed(&self, node: NodeId) -> Blamed {
        let own = buggy_code(&*self.tree, &*self.tree, node);
        let mut lines: Vec<u32> = own
            .into_iter()
            .filter_map(|line| u32::try_from(line.0).ok())
            .collect();
        if lines.is_empty() {
            lines = self.lines(node.into());
        }
        Blamed {
            title: self.title(node.into()),
            lines,
        }
    }
}

/// `line 12`, `lines 12–16`.
fn line_words(lines: &[u32]) -> String {
    match lines {
        [] => "code without lines".to_owned(),
        [line] => format!("line {line}"),
        [first, .., last] => format!("lines {first}–{last}"),
    }
}

fn unset() -> ValueView {
    ValueView::primitive("not set")
}

fn named(name: String, mut before: ValueView, mut after: Option<ValueView>) -> NamedState {
    if let Some(after) = &mut after {
        mark_changes(&mut before, after);
    }
    NamedState {
        name,
        state: StateView { before, after },
    }
}
