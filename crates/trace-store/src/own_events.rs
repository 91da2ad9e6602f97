//! The events of one call, without those of the calls that it made.

use trace_format::event::{self, Event};
use trace_format::{EventPosition, OpenFrame, Signatures};

use crate::calls::ThreadCalls;
use crate::stream_view::StreamView;
use crate::symbols::Symbols;

/// An event of a call, or a call that it made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnEvent<'a> {
    pub position: EventPosition,
    /// `None`: `child` was called here.
    pub event: Option<Event<'a>>,
    pub child: Option<u32>,
}

/// From after the call's ENTER to the event that ends it, which comes last if it is the call's
/// own. Children are stepped over by their columns, however long they are.
#[derive(Debug, Clone)]
pub struct OwnEvents<'a> {
    calls: ThreadCalls<'a>,
    events: StreamView<'a>,
    symbols: &'a Symbols,
    index: u32,
    frame: Option<OpenFrame>,
    position: u64,
    next_child: u32,
    done: bool,
}

/// A place among the events of a call, as plain data.
#[derive(Debug, Clone, Copy)]
pub struct OwnPlace {
    frame: Option<OpenFrame>,
    position: u64,
    next_child: u32,
    done: bool,
}

impl<'a> OwnEvents<'a> {
    pub(crate) fn new(
        calls: ThreadCalls<'a>,
        index: u32,
        events: StreamView<'a>,
        symbols: &'a Symbols,
    ) -> Self {
        let method = calls.method(index);
        let arguments_at = calls.entry(index).0 + event::enter_size(method) as u64;
        let frame = symbols.frame(method).map(|shape| {
            let arguments = events.at(arguments_at);
            OpenFrame::entered(shape, arguments.unwrap_or_default())
        });
        let arguments = frame.map_or(0, |frame| u64::from(frame.shape.arguments));
        let position = arguments_at + arguments;
        let next_child = index + 1;
        Self {
            calls,
            events,
            symbols,
            index,
            frame,
            position,
            next_child,
            done: frame.is_none(),
        }
    }

    /// Where it stands, to be kept for [`go_to`](Self::go_to).
    pub fn place(&self) -> OwnPlace {
        OwnPlace {
            frame: self.frame,
            position: self.position,
            next_child: self.next_child,
            done: self.done,
        }
    }

    /// To where the events of the same call were walked to before.
    pub fn go_to(&mut self, place: OwnPlace) {
        self.frame = place.frame;
        self.position = place.position;
        self.next_child = place.next_child;
        self.done = place.done;
    }

    fn child(&mut self) -> Option<u32> {
        let range = self.calls.subtree_range(self.index);
        (self.next_child < range.end).then_some(self.next_child)
    }

    /// The position after everything that belongs to a child; `None` if it is open.
    fn after(&self, child: u32) -> Option<u64> {
        let exit = self.calls.exit(child)?.0;
        if self.calls.is_lost(child) {
            return Some(exit);
        }
        let shape = self.symbols.frame(self.calls.method(child));
        let bytes = self.events.at(exit)?;
        let (_, length) = event::skim(bytes, self.symbols, shape).ok()??;
        Some(exit + length as u64)
    }

    fn ends(&self, position: u64) -> bool {
        self.calls
            .exit(self.index)
            .is_some_and(|exit| exit.0 == position)
    }
}

impl<'a> Iterator for OwnEvents<'a> {
    type Item = OwnEvent<'a>;

    fn next(&mut self) -> Option<OwnEvent<'a>> {
        if self.done {
            return None;
        }
        let position = EventPosition(self.position);
        if let Some(child) = self
            .child()
            .filter(|&child| self.calls.entry(child) <= position)
        {
            self.next_child = child.saturating_add(self.calls.subtree(child));
            match self.after(child) {
                Some(after) if after > self.position => self.position = after,
                _ => self.done = true,
            }
            return Some(OwnEvent {
                position,
                event: None,
                child: Some(child),
            });
        }
        let ends = self.ends(self.position);
        self.done = ends;
        if ends && self.calls.is_lost(self.index) {
            return None;
        }
        let decoded = self
            .events
            .at(self.position)
            .map(|bytes| event::decode(bytes, self.symbols, self.frame));
        let Some(Ok(Some((event, length)))) = decoded else {
            self.done = true;
            return None;
        };
        self.position += length as u64;
        if let (Event::This { object }, Some(frame)) = (event, &mut self.frame) {
            frame.this = object;
        }
        Some(OwnEvent {
            position,
            event: Some(event),
            child: None,
        })
    }
}
