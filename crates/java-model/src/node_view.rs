//! A call as a question shows it: what it was given, how it ended, what it changed.
//!
//! Values are followed further than they are shown, so that a change deep inside is found and
//! named; the renderer cuts what is too much for a line.

use debug_engine::view::render::{self, Bounds, Purpose};
use debug_engine::view::{
    NamedState, NodeView, OutcomeView, StateView, Submitted, ValueKind, ValueView,
};
use debug_engine::{ExecutionTree as _, Judgement, NodeId};
use trace_format::{TraceTime, Value};
use trace_store::{Call, CallOutcome as Ended};

use super::doc_comment;
use super::guidance;
use super::method_code::{FieldName, MethodInfo};
use super::run::JavaRun;
use super::share::Share;
use super::shown;
use super::snapshot::{Snapshot, Span, sharing};
use super::statics::own;
use super::values::Viewer;
use java_names::names;

/// How much further values are followed than they are shown.
const DEEPER: usize = 2;
const WIDER: usize = 500;
/// The same for one line of many.
const WIDER_IN_LINE: usize = 32;

/// The call behind a node, for a person.
#[must_use]
pub fn node_view(run: &JavaRun, node: NodeId, bounds: Bounds) -> NodeView {
    view_of(
        run,
        node,
        run.read_call(node),
        Following::further(bounds),
        Extent::Whole,
    )
}

/// How far values are shown, and how far they are followed for that.
#[derive(Clone, Copy)]
pub struct Following {
    pub shown: Bounds,
    pub bounds: Bounds,
}

impl Following {
    /// Exactly as far as they are shown.
    pub(super) fn exactly(shown: Bounds) -> Following {
        Following {
            shown,
            bounds: shown,
        }
    }

    /// Further, so that a change deep inside is found; no further where only what is shown counts.
    pub fn further(shown: Bounds) -> Following {
        if !shown.purpose.looks_further() {
            return Following::exactly(shown);
        }
        let bounds = Bounds {
            depth: shown.depth.saturating_add(DEEPER),
            width: shown.width.max(match shown.purpose.is_brief() {
                true => WIDER_IN_LINE,
                false => WIDER,
            }),
            ..shown
        };
        Following { shown, bounds }
    }
}

/// The same with values followed exactly as far as the bounds say, for programs.
#[must_use]
pub fn exact_view(run: &JavaRun, node: NodeId, bounds: Bounds) -> NodeView {
    view_of(
        run,
        node,
        run.read_call(node),
        Following::exactly(bounds),
        Extent::Whole,
    )
}

/// The call as one of several that are taken together: what it was given and how it ended. What it changed is told of
/// all of them.
#[must_use]
pub fn member_view(run: &JavaRun, node: NodeId, bounds: Bounds) -> NodeView {
    view_of(
        run,
        node,
        run.read_call(node),
        Following::exactly(bounds),
        Extent::Member,
    )
}

/// The call as it was at a time inside it: what stands for its exit is that time.
#[must_use]
pub fn view_until(run: &JavaRun, node: NodeId, until: TraceTime, bounds: Bounds) -> NodeView {
    let call = run.read_call(node).map(|call| Call {
        exit: call.exit.or(Some(call.entry)),
        exit_time: until,
        outcome: Ended::Open,
        ..call
    });
    view_of(
        run,
        node,
        call,
        Following::exactly(bounds),
        Extent::Beginning,
    )
}

/// How much of a call is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All of it, with the effects of what it handed over to other threads.
    Whole,
    /// What happened until some time.
    Beginning,
    /// What it was given and how it ended.
    Member,
}

fn view_of(
    run: &JavaRun,
    node: NodeId,
    call: Result<Call, String>,
    Following { shown, bounds }: Following,
    extent: Extent,
) -> NodeView {
    let unreadable = run.times_unreadable();
    let method = run.method(node);
    let symbol = run.method_names(method);
    let code = run.code(method);
    let mut view = NodeView {
        node,
        routine: run.routine_named(method),
        class: names::class(symbol.class),
        method: run.method_named(method),
        declared_by: None,
        file: run
            .classes()
            .get(symbol.class)
            .and_then(|class| class.source_file.clone()),
        line: code.lines.first().copied(),
        this: None,
        arguments: Vec::new(),
        outcome: OutcomeView::Open,
        statics: Vec::new(),
        elsewhere: Vec::new(),
        submitted: None,
        outlived: false,
        began_before_kept: run.began_before_kept(node),
        unreadable: None,
        doc: None,
        guidance: None,
        judgement: Judgement::Undefined,
        judged_by: None,
    };
    let call =
        call.map_err(|reason| view.outcome = OutcomeView::Returned(ValueView::unreadable(reason)));
    if let Ok(mut call) = call {
        let is_cut_by_end = call.exit.is_none() && run.ended_by_itself();
        if is_cut_by_end {
            // Its state after is that at the end of its thread, which `exit_time` is.
            call.exit = Some(call.entry);
        }
        view.submitted = submitted(run, node, &call);
        let whole_end = run.whole_end(&call);
        if extent != Extent::Beginning && whole_end > call.exit_time {
            view.outlived = true;
            call.exit_time = whole_end;
        }
        let span = Span {
            nodes: node.0..node.0 + run.subtree_size(node),
            start: call.entry_time,
            end: call.exit.map(|_| call.exit_time),
        };
        let states = States {
            run,
            call: &call,
            is_cut_by_end,
            extent,
            snapshot: Snapshot::of(run, span, &[node], bounds),
            bounds,
        };
        states.fill(&mut view, &code, symbol.name);
        let receiver = call.this.filter(|_| symbol.name != "<init>");
        view.declared_by = receiver.and_then(|this| run.overridden_in(this, call.method));
        sharing::mark_call(&mut view, shown);
        if extent == Extent::Whole && shown.purpose == Purpose::Question {
            view.doc = doc_comment::sentence_of(run, method).map(|it| it.to_string());
            view.guidance = guidance::guidance(run, &call);
        }
    }
    run.chosen_fields().apply(&mut view);
    view.unreadable = run.unreadable_since(unreadable);
    view
}

fn submitted(run: &JavaRun, node: NodeId, call: &Call) -> Option<Submitted> {
    let by = run.handed_over_by(node)?;
    Some(Submitted {
        thread: run.thread_name(call.id.thread),
        by,
        routine: run.routine_named(run.method(by)),
    })
}

/// A view for text: statics that the method reads stand beside its arguments, because they are
/// inputs too.
#[must_use]
pub fn with_statics_as_inputs(mut view: NodeView) -> NodeView {
    let (read, changed) = view
        .statics
        .into_iter()
        .partition(|state| state.state.after.is_none());
    view.statics = changed;
    view.arguments.extend(read);
    view
}

/// A call in one line, for lists.
#[must_use]
pub fn call_line(run: &JavaRun, node: NodeId) -> String {
    let view = with_statics_as_inputs(node_view(run, node, shown::BRIEF));
    render::one_line(&view, shown::BRIEF)
}

struct States<'run> {
    run: &'run JavaRun,
    call: &'run Call,
    /// The program ended in the call.
    is_cut_by_end: bool,
    extent: Extent,
    snapshot: Snapshot<'run>,
    bounds: Bounds,
}

impl States<'_> {
    fn fill(&self, view: &mut NodeView, code: &MethodInfo, name: &str) {
        let is_constructor = name == "<init>";
        if let Some(this) = self.call.this.filter(|_| !is_constructor) {
            view.this = Some(self.snapshot.state(Value::Ref(this)));
        }
        for (number, &value) in self.call.arguments.iter().enumerate() {
            let name = code
                .parameters
                .get(number)
                .cloned()
                .unwrap_or_else(|| format!("arg{number}"));
            view.arguments.push(NamedState {
                name,
                state: self.snapshot.state(value),
            });
        }
        view.outcome = self.outcome(is_constructor);
        if self.extent != Extent::Member {
            view.statics = self.statics(code);
            view.elsewhere = self.elsewhere(view);
        }
    }

    /// What the call changed and none of the values shown has in it.
    fn elsewhere(&self, view: &NodeView) -> Vec<NamedState> {
        let named = view.arguments.iter().chain(&view.statics);
        let states = named.map(|named| &named.state).chain(&view.this);
        self.snapshot.unshown(states)
    }

    fn outcome(&self, is_constructor: bool) -> OutcomeView {
        let exit = self.call.exit_time;
        match self.call.outcome {
            Ended::Open if self.is_cut_by_end => OutcomeView::ProgramEnded,
            Ended::Open => OutcomeView::Open,
            Ended::Lost => OutcomeView::Thrown(ValueView {
                class: Some("an exception that was not recorded".to_owned()),
                ..ValueView::leaf(ValueKind::Opaque, "")
            }),
            Ended::Threw(exception) => {
                OutcomeView::Thrown(Viewer::new(self.run, exit, self.bounds).exception(exception))
            }
            Ended::Returned(Some(value)) => OutcomeView::Returned(self.snapshot.after(value)),
            Ended::Returned(None) => match self.call.this.filter(|_| is_constructor) {
                Some(made) => OutcomeView::Returned(self.snapshot.after(Value::Ref(made))),
                None => OutcomeView::Void,
            },
        }
    }

    /// Statics that changed, with both states, and those that the method itself reads, with the
    /// state at entry only.
    fn statics(&self, code: &MethodInfo) -> Vec<NamedState> {
        let named_here: Vec<FieldName> = code
            .statics
            .iter()
            .filter_map(|name| own(self.run, name))
            .collect();
        let mut found = Vec::new();
        let reach = self.run.statics_below().reach(self.run, self.call.method);
        let share = Share::among(reach.statics.len());
        for name in &reach.statics {
            let Some(state) = self.snapshot.static_state(name, &share) else {
                continue;
            };
            let changed = state
                .after
                .as_ref()
                .is_some_and(|after| *after != state.before);
            if self.bounds.purpose.looks_further() && only_begins_to_be(name, &state) {
                continue;
            }
            let is_input = named_here.contains(name) && !self.is_final(name);
            if changed || state.before.kind == ValueKind::Unreadable {
                found.push(NamedState {
                    name: static_label(name),
                    state,
                });
            } else if is_input {
                let state = StateView {
                    after: None,
                    ..state
                };
                found.push(NamedState {
                    name: static_label(name),
                    state,
                });
            }
        }
        found
    }

    fn is_final(&self, name: &FieldName) -> bool {
        self.run
            .classes()
            .declaring(&name.owner, &name.name)
            .is_some_and(|(_, field)| field.is_final)
    }
}

/// Whether a static is a constant of an enum that was loaded meanwhile, and all that can be shown of it is its name.
fn only_begins_to_be(name: &FieldName, state: &StateView) -> bool {
    let after = state.after.as_ref();
    state.before.kind == ValueKind::Null
        && after.is_some_and(|after| {
            after.kind == ValueKind::Constant
                && after.children.is_empty()
                && *after.text == *name.name
        })
}

/// `Main.total`.
pub fn static_label(name: &FieldName) -> String {
    format!("{}.{}", names::simple_class(&name.owner), name.name)
}
