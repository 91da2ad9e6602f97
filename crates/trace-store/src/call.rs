//! A call in full: its columns together with what its own events say.

use std::ops::Range;

use trace_format::event::{self, Event};
use trace_format::{
    EventPosition, MethodId, ObjectId, OpenFrame, Signatures, TraceTime, Value, ValuePosition,
};

use crate::axis::Axis;
use crate::calls::{CallId, ThreadCalls};
use crate::own_events::OwnEvents;
use crate::stream_view::StreamView;
use crate::symbols::Symbols;

/// A call with what it was given and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub id: CallId,
    pub parent: Option<CallId>,
    pub method: MethodId,
    /// Of a constructor: once its super constructor has returned, it is known.
    pub this: Option<ObjectId>,
    /// Without `this`.
    pub arguments: Vec<Value>,
    pub outcome: CallOutcome,
    /// Position of the ENTER.
    pub entry: EventPosition,
    /// Position of the event that ended the call; `None` while it is open.
    pub exit: Option<EventPosition>,
    pub entry_time: TraceTime,
    /// The end of the trace while the call is open.
    pub exit_time: TraceTime,
    /// Calls in the subtree, this one included.
    pub subtree: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOutcome {
    /// `None`: void.
    Returned(Option<Value>),
    Threw(ObjectId),
    /// It was left by an exception before its code could say so.
    Lost,
    /// It had not ended when the recording did, or is running still.
    Open,
}

/// A call in full, from its columns and its events.
pub(crate) fn describe(
    calls: ThreadCalls<'_>,
    axis: &Axis,
    index: u32,
    events: StreamView<'_>,
    symbols: &Symbols,
) -> Option<Call> {
    let method = calls.method(index);
    let entry = calls.entry(index);
    let bytes = events.at(entry.0)?;
    let Ok(Some((Event::Enter { arguments, .. }, _))) = event::decode(bytes, symbols, None) else {
        return None;
    };
    let symbol = symbols.method(method)?;
    let mut values = event::values(arguments, &symbol.entry_kinds);
    let this = if symbol.enters_with_this() {
        values.next().and_then(Value::object)
    } else if symbol.is_constructor() {
        constructed(calls, index, events, symbols)
    } else {
        None
    };
    let arguments = values.collect();
    let exit = calls.exit(index);
    let end = EventPosition(calls.columns.summary.end);
    let id = |index| CallId {
        thread: calls.thread(),
        index,
    };
    Some(Call {
        id: id(index),
        parent: calls.parent(index).map(id),
        method,
        this,
        arguments,
        outcome: outcome(calls, index, events, symbols),
        entry,
        exit,
        entry_time: axis.time(calls.thread(), entry),
        exit_time: axis.time(calls.thread(), exit.unwrap_or(end)),
        subtree: calls.subtree(index),
    })
}

pub(crate) fn outcome(
    calls: ThreadCalls<'_>,
    index: u32,
    events: StreamView<'_>,
    symbols: &Symbols,
) -> CallOutcome {
    let Some(exit) = calls.exit(index) else {
        return CallOutcome::Open;
    };
    if calls.is_lost(index) {
        return CallOutcome::Lost;
    }
    let shape = symbols.frame(calls.method(index));
    match events
        .at(exit.0)
        .map(|bytes| event::decode(bytes, symbols, shape.map(OpenFrame::of)))
    {
        Some(Ok(Some((Event::Exit { value, .. }, _)))) => CallOutcome::Returned(value),
        Some(Ok(Some((Event::Throw { exception, .. }, _)))) => CallOutcome::Threw(exception),
        _ => CallOutcome::Lost,
    }
}

/// The values that the call and its descendants consumed.
pub(crate) fn values(
    calls: ThreadCalls<'_>,
    index: u32,
    values: StreamView<'_>,
) -> Range<ValuePosition> {
    let extent = calls.extent(index);
    let end = extent
        .end
        .map_or(ValuePosition(values.end()), |end| end.values);
    extent.values..end.max(extent.values)
}

/// The object of a constructor: from its THIS, which comes after the super constructor's call.
fn constructed(
    calls: ThreadCalls<'_>,
    index: u32,
    events: StreamView<'_>,
    symbols: &Symbols,
) -> Option<ObjectId> {
    OwnEvents::new(calls, index, events, symbols).find_map(|own| match own.event {
        Some(Event::This { object }) => Some(object),
        _ => None,
    })
}
