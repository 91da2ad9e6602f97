//! The pieces of one call, and how each of them is shown: which lines and calls, the state before and
//! the state after.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use debug_engine::model::GeneralTree;
use debug_engine::transform::NodeKind;
use debug_engine::view::render::Bounds;
use debug_engine::view::{CallRangeView, NamedState, ValueView};
use debug_engine::{ExecutionTree, NodeId, Target};
use frame_replay::{CallEnding, Replay};
use trace_format::Value;

use crate::recording::Recording as _;
use java_model::node_view::{Following, static_label};
use java_model::run::{JavaRun, routine};
use java_model::share::Share;
use java_model::shown;
use java_model::snapshot::{Held, Snapshot, Span, sharing, unreadable_state};
use java_model::statics::own;
use java_model::{loops, pieces};

/// See the module's header.
pub struct CallPieces {
    node: NodeId,
    tree: Arc<GeneralTree>,
    /// The calls that it made, each with the number of the instruction that made it.
    calls: Vec<(u64, NodeId)>,
}

impl CallPieces {
    /// Cuts a call, down to statements if wanted and possible; `None` if it cannot be re-executed.
    #[must_use]
    pub fn of(run: &JavaRun, node: NodeId, statements: bool) -> Option<CallPieces> {
        let cut = |statements| pieces::cut(run, run.program(), node, statements);
        let found = match statements {
            true => cut(true).or_else(|| cut(false)),
            false => cut(false),
        }?;
        let nodes = found.nodes(node, routine(run.method(node)));
        Some(CallPieces {
            tree: Arc::new(GeneralTree::new(nodes).ok()?),
            calls: loops::numbered(run, &found.calls),
            node,
        })
    }

    /// The call that the pieces are of.
    pub(super) fn call(&self) -> NodeId {
        self.node
    }

    /// The call, its loops, their iterations, its statements.
    pub(super) fn tree(&self) -> &Arc<GeneralTree> {
        &self.tree
    }

    /// The piece in which just these calls were made: the outermost, if there are several.
    #[must_use]
    pub fn piece(&self, piece: Target) -> Option<Target> {
        let tree: &dyn ExecutionTree = &*self.tree;
        let made_in = |node: NodeId| loops::made_in(&self.calls, &self.tree.node(node).computation);
        let is_iteration = |node: &NodeId| self.tree.node(*node).kind == NodeKind::Iteration;
        (1..tree.len()).map(NodeId).find_map(|node| {
            let (first, last) = made_in(node)?;
            if first != piece.first() || last > piece.last() {
                return None;
            }
            if last == piece.last() {
                return Some(Target::Node(node));
            }
            let siblings = tree.children(tree.parent(node)?);
            let ends = |&sibling: &NodeId| made_in(sibling).is_some_and(|m| m.1 == piece.last());
            let end = siblings.skip_while(|&s| s <= node).find(ends)?;
            (is_iteration(&node) && is_iteration(&end)).then(|| Target::between(node, end))
        })
    }

    /// A piece, or several that follow each other, as a question shows them.
    #[must_use]
    pub fn view(&self, run: &JavaRun, target: Target, bounds: Bounds) -> CallRangeView {
        let steps = self.computation(target);
        let made: Vec<NodeId> = self
            .calls
            .iter()
            .filter(|(step, _)| steps.contains(step))
            .map(|(_, node)| *node)
            .collect();
        let at_each_end = bounds.calls;
        let listed = if made.len() <= at_each_end.saturating_mul(2) {
            made.clone()
        } else {
            [&made[..at_each_end], &made[made.len() - at_each_end..]].concat()
        };
        let code = run.code_of(self.node);
        CallRangeView {
            kind: match target {
                Target::Node(node) => self.tree.node(node).kind,
                _ => NodeKind::Projection,
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
                .map(|&node| run.exact_view(node, shown::in_list(bounds)))
                .collect(),
            state: self
                .state(run, &steps, Following::further(bounds))
                .unwrap_or_else(unreadable_state),
        }
    }

    fn computation(&self, target: Target) -> Range<u64> {
        let start = self.tree.node(target.first()).computation.start;
        start..self.tree.node(target.last()).computation.end
    }

    pub(super) fn lines(&self, target: Target) -> Vec<u32> {
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

    pub(super) fn title(&self, target: Target) -> String {
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
    fn state(
        &self,
        run: &JavaRun,
        steps: &Range<u64>,
        Following { shown, bounds }: Following,
    ) -> Result<Vec<NamedState>, String> {
        let call = run.call_id(self.node);
        let call = call.ok_or_else(|| format!("call {} is not in the trace", self.node))?;
        let replay = Replay::new(run.trace(), run.program(), call);
        let mut replay = replay.map_err(|error| error.to_string())?;
        let seek = |replay: &mut Replay<'_>, step| {
            let sought = replay.seek(step);
            sought.map_err(|error| error.to_string())
        };
        seek(&mut replay, steps.start)?;
        let before = locals(&replay);
        let start = shown::time(run, call.thread, replay.position());
        seek(&mut replay, steps.end)?;
        let end = shown::time(run, call.thread, replay.position());
        let ending = replay.ending();
        // The last instruction leaves the call; its locals are those before it.
        if ending.is_some() {
            seek(&mut replay, steps.end.saturating_sub(1))?;
        }
        let after = locals(&replay);
        let span = Span {
            nodes: self.node.0..self.node.0 + run.subtree_size(self.node),
            start,
            end: Some(end),
        };
        let snapshot = Snapshot::of(run, span, &[], bounds);
        let is_new = |(name, _): &&(String, Held)| !before.iter().any(|(known, _)| known == name);
        let new = after.iter().filter(is_new);
        let new = new.map(|(name, later)| (name, unset(), Some(later)));
        let old = before.iter().map(|(name, held)| {
            let later = after.iter().find(|(other, _)| other == name);
            (name, held.clone(), later.map(|(_, later)| later))
        });
        let mut states: Vec<NamedState> = old
            .chain(new)
            .map(|(name, before, after)| NamedState {
                name: name.clone(),
                state: snapshot.variable(before, after.cloned()),
            })
            .collect();
        states.extend(self.statics(run, &snapshot));
        let ended = match ending {
            Some(CallEnding::Returned(Some(value))) => Some(("the result", value)),
            Some(CallEnding::Threw(exception)) => Some(("what is thrown", Value::Ref(exception))),
            _ => None,
        };
        states.extend(ended.map(|(name, value)| NamedState {
            name: name.to_owned(),
            state: snapshot.variable(unset(), Some(Held::Value(value))),
        }));
        let unshown = snapshot.unshown(states.iter().map(|named| &named.state));
        states.extend(unshown);
        sharing::mark_states(&mut states, shown);
        for state in &mut states {
            run.chosen_fields().cut_state(&mut state.state);
        }
        Ok(states)
    }

    /// The statics that the call's own code names and the piece changed.
    fn statics(&self, run: &JavaRun, snapshot: &Snapshot<'_>) -> Vec<NamedState> {
        let code = run.code(run.method(self.node));
        let names: Vec<_> = code
            .statics
            .iter()
            .filter_map(|name| own(run, name))
            .collect();
        let share = Share::among(names.len());
        let states = names.iter().filter_map(|name| {
            let state = snapshot.static_state(name, &share)?;
            let is_changed = state
                .after
                .as_ref()
                .is_some_and(|after| *after != state.before);
            is_changed.then(|| NamedState {
                name: static_label(name),
                state,
            })
        });
        states.collect()
    }
}

/// The local variables that are set.
fn locals(replay: &Replay<'_>) -> Vec<(String, Held)> {
    let locals = replay.named_locals();
    let is_set = |local: &&frame_replay::NamedLocal<'_>| local.value != frame_replay::Slot::EMPTY;
    let held = locals.iter().filter(is_set).map(|local| {
        let held = shown::held(Some(replay.code()), local.value, local.descriptor);
        (local.name.to_owned(), held)
    });
    held.collect()
}

/// `line 12`, `lines 12–16`.
fn line_words(lines: &[u32]) -> String {
    match lines {
        [] => "code without lines".to_owned(),
        [line] => format!("line {line}"),
        [first, .., last] => format!("lines {first}–{last}"),
    }
}

fn unset() -> Held {
    Held::Text(ValueView::primitive("not set"))
}
