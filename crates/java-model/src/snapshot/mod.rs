//! One snapshot of values: what a span of the run could see, at its beginning and at its end.
//!
//! A span is a call, calls that follow each other, a loop, an iteration or a statement. Whatever a question about it
//! shows is captured at the same two times, so that an object is never shown in a state that belongs to another
//! moment, whichever way it is reached. What else is known of a value (that it changed, that the span touched it, that
//! somebody else wrote it) is put on the captured value by the variable that it was found in.

pub mod sharing;

use std::ops::Range;

use debug_engine::NodeId;
use debug_engine::view::render::{Bounds, mark_changes};
use debug_engine::view::{NamedState, StateView, ValueView};
use trace_format::{ObjectId, TraceTime, Value};

use super::captured::Capture;
use super::concurrent_writes::Others;
use super::method_code::FieldName;
use super::run::JavaRun;
use super::share::Share;
use super::touched::Touched;
use super::unshown_changes::{self, ShownObjects};
use super::values::Viewer;
use super::written::WrittenObjects;

/// What stands for the value of a static before its class was initialised.
const NOT_INITIALISED: &str = "not initialised";

/// A part of the run that a question is about.
pub struct Span {
    /// The calls that belong to it, with all below them.
    pub nodes: Range<u32>,
    pub start: TraceTime,
    /// `None` if it has not ended.
    pub end: Option<TraceTime>,
}

/// What stands for the state of something that cannot be read.
pub fn unreadable_state(reason: String) -> Vec<NamedState> {
    vec![NamedState {
        name: "the state".to_owned(),
        state: StateView {
            before: ValueView::unreadable(reason),
            after: None,
        },
    }]
}

/// What a variable of a frame holds.
#[derive(Clone, Debug)]
pub enum Held {
    Value(Value),
    /// Something that is no value of the heap: a constant of the code, or nothing yet.
    Text(ValueView),
}

/// See the module's header.
pub struct Snapshot<'run> {
    run: &'run JavaRun,
    span: Span,
    bounds: Bounds,
    others: Option<Others<'run>>,
    touched: Touched,
    written: Option<WrittenObjects>,
}

impl<'run> Snapshot<'run> {
    /// `calls`: those of the span whose reading and writing is marked.
    pub fn of(run: &'run JavaRun, span: Span, calls: &[NodeId], bounds: Bounds) -> Snapshot<'run> {
        Snapshot {
            run,
            others: Others::of(run, span.nodes.clone()),
            touched: Touched::by(run, calls, bounds),
            written: WrittenObjects::by(run, span.nodes.clone(), bounds),
            span,
            bounds,
        }
    }

    fn viewer(&self, time: TraceTime) -> Viewer<'_, JavaRun> {
        Viewer::new(self.run, time, self.bounds)
            .marking(&self.touched)
            .looking_for(self.written.as_ref())
    }

    fn capture(&self, time: TraceTime, value: Value) -> Capture {
        self.viewer(time).capture(value)
    }

    /// A value at the end; at the beginning, if the span has not ended.
    pub(super) fn after(&self, value: Value) -> ValueView {
        let end = self.span.end.unwrap_or(self.span.start);
        self.capture(end, value).view
    }

    /// A value at the beginning and, if it can have changed, at the end.
    pub fn state(&self, value: Value) -> StateView {
        let before = self.capture(self.span.start, value);
        match self.span.end.filter(|_| before.view.id.is_some()) {
            Some(end) => self.compared(before, self.capture(end, value)),
            None => StateView {
                before: before.view,
                after: None,
            },
        }
    }

    /// A value at a time inside the span and at its end; `None` if it cannot have changed.
    pub fn state_since(&self, time: TraceTime, value: Value) -> Option<StateView> {
        let (before, end) = (self.capture(time, value), self.span.end?);
        before.view.id?;
        Some(self.compared(before, self.capture(end, value)))
    }

    /// A variable with what it held at the beginning and at the end, if it was still there.
    pub fn variable(&self, before: Held, after: Option<Held>) -> StateView {
        let capture = |time, held| match held {
            Held::Value(value) => self.capture(time, value),
            Held::Text(view) => Capture::plain(view),
        };
        let before = capture(self.span.start, before);
        match self.span.end.zip(after) {
            Some((end, after)) => self.compared(before, capture(end, after)),
            None => StateView {
                before: before.view,
                after: None,
            },
        }
    }

    /// A static at the beginning and at the end; `None` if it is not known what it held.
    pub fn static_state(&self, name: &FieldName, share: &Share) -> Option<StateView> {
        let capture = |time| match self.run.read_static(name, time) {
            Ok(value) => Some(self.viewer(time).share(share, value?)),
            Err(error) => Some(Capture::plain(ValueView::unreadable(error.to_string()))),
        };
        let before = capture(self.span.start)?;
        let Some(end) = self.span.end else {
            return Some(StateView {
                before: before.view,
                after: None,
            });
        };
        let after = capture(end)?;
        let before = self.first_value(name, before, &after, self.span.start..end);
        let mut state = self.compared(before, after);
        if let (Some(others), Some(after)) = (&self.others, &mut state.after) {
            others.mark_static(name, after, &(self.span.start..end));
        }
        Some(state)
    }

    /// What a static is said to have held before: of one that its class's initialiser set, and that holds again what it
    /// began with, that it was not initialised. It looked unchanged otherwise, whatever became of what it was set to.
    fn first_value(
        &self,
        name: &FieldName,
        before: Capture,
        after: &Capture,
        times: Range<TraceTime>,
    ) -> Capture {
        if before.view != after.view {
            return before;
        }
        match self.run.is_set_anew(name, &times) {
            Ok(false) => before,
            Ok(true) => Capture::plain(ValueView::primitive(NOT_INITIALISED)),
            Err(error) => Capture::plain(ValueView::unreadable(error.to_string())),
        }
    }

    fn compared(&self, mut before: Capture, mut after: Capture) -> StateView {
        mark_changes(&mut before.view, &mut after.view);
        if let (Some(others), Some(end)) = (&self.others, self.span.end) {
            others.mark(&mut after, &(self.span.start..end));
        }
        StateView {
            before: before.view,
            after: Some(after.view),
        }
    }

    /// Whether an object was known when the span began.
    pub fn was_there(&self, object: ObjectId) -> bool {
        unshown_changes::was_there(self.run, object, self.span.start)
    }

    /// Whether the span wrote to an object, as far as that is known.
    pub fn has_written(&self, object: ObjectId) -> bool {
        let written = self.written.as_ref();
        written.is_some_and(|written| written.has(object))
    }

    /// What the span changed and none of the shown states has in it.
    pub fn unshown<'view>(
        &self,
        shown_states: impl Iterator<Item = &'view StateView>,
    ) -> Vec<NamedState> {
        let (Some(written), Some(_)) = (&self.written, self.span.end) else {
            return Vec::new();
        };
        let mut shown = ShownObjects::default();
        shown_states.for_each(|state| shown.take_in(state));
        unshown_changes::changed(self.run, written, shown, self.span.start, |object| {
            self.state(Value::Ref(object))
        })
    }
}
