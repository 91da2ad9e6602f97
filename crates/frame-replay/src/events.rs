//! A call's own events, its children stepped over.
//!
//! Most calls are short: what a step over a child costs decides how fast a trace is replayed. So
//! the piece of the stream in which the last event was found is kept at hand, and of a child's
//! end only what is needed is read.

use trace_format::event::{self, Event, enter_size, size, tag};
use trace_format::{EventPosition, Kind, OpenFrame, Signatures, ValuePosition};
use trace_store::{CallOutcome, Extent, StreamView, Symbols, ThreadCalls};

#[derive(Debug, Clone)]
pub(crate) struct Events<'t> {
    pub(crate) calls: ThreadCalls<'t>,
    symbols: &'t Symbols,
    stream: StreamView<'t>,
    /// The piece that was last read, and where it begins.
    piece: &'t [u8],
    base: u64,
    extent: Extent,
    frame: Option<OpenFrame>,
    position: u64,
    next_child: u32,
    /// Where that lies; beyond everything if there is none.
    next_extent: Extent,
    end_of_children: u32,
    /// The child that was last stepped over.
    passed: Extent,
    done: bool,
}

const NOWHERE: Extent = Extent {
    entry: EventPosition(u64::MAX),
    values: ValuePosition(u64::MAX),
    end: None,
};

/// Before which of the call's own events it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventPlace {
    frame: Option<OpenFrame>,
    position: u64,
    next_child: u32,
    done: bool,
}

/// An own event of the call, or a call that it made.
pub(crate) enum Own<'t> {
    Event(EventPosition, Event<'t>),
    Child(u32),
}

impl<'t> Events<'t> {
    pub(crate) fn new(
        calls: ThreadCalls<'t>,
        symbols: &'t Symbols,
        stream: StreamView<'t>,
        index: u32,
    ) -> Self {
        let mut events = Events {
            calls,
            symbols,
            stream,
            piece: &[],
            base: 0,
            extent: NOWHERE,
            frame: None,
            position: 0,
            next_child: 0,
            next_extent: NOWHERE,
            end_of_children: 0,
            passed: NOWHERE,
            done: true,
        };
        events.turn_to_call(index);
        events
    }

    /// Turns to another call of the thread, and reads what it was entered with: writes to fields of
    /// `this` do not repeat which object that is.
    pub(crate) fn turn_to_call(&mut self, index: u32) {
        let calls = self.calls;
        let method = calls.method(index);
        let shape = self.symbols.frame(method);
        self.extent = calls.extent(index);
        let start = self.extent.entry.0 + enter_size(method) as u64;
        self.frame = shape.map(|shape| OpenFrame::entered(shape, self.at(start)));
        self.position = start + shape.map_or(0, |shape| u64::from(shape.arguments));
        self.end_of_children = calls.subtree_range(index).end;
        self.expect_child(index + 1);
        self.done = shape.is_none();
    }

    /// This is the next child, if the call has one more.
    fn expect_child(&mut self, child: u32) {
        self.next_child = child;
        self.next_extent = if child < self.end_of_children {
            self.calls.extent(child)
        } else {
            NOWHERE
        };
    }

    #[inline]
    pub(crate) fn place(&self) -> EventPlace {
        EventPlace {
            frame: self.frame,
            position: self.position,
            next_child: self.next_child,
            done: self.done,
        }
    }

    /// To a place of the same call.
    pub(crate) fn go_to(&mut self, place: EventPlace) {
        self.frame = place.frame;
        self.position = place.position;
        self.expect_child(place.next_child);
        self.done = place.done;
    }

    /// The bytes from a position to the end of its piece; empty where there are none.
    #[inline]
    fn at(&mut self, position: u64) -> &'t [u8] {
        let ahead = position.wrapping_sub(self.base);
        if ahead < self.piece.len() as u64 {
            return &self.piece[ahead as usize..];
        }
        self.turn_to_piece(position)
    }

    #[cold]
    fn turn_to_piece(&mut self, position: u64) -> &'t [u8] {
        let Some(piece) = self.stream.pieces_from(position).next() else {
            return &[];
        };
        self.piece = piece.bytes;
        self.base = piece.base;
        let ahead = position.checked_sub(piece.base);
        let ahead = ahead.and_then(|ahead| usize::try_from(ahead).ok());
        ahead
            .and_then(|ahead| piece.bytes.get(ahead..))
            .unwrap_or_default()
    }

    pub(crate) fn next(&mut self) -> Option<Own<'t>> {
        if self.done {
            return None;
        }
        let position = self.position;
        if self.next_extent.entry.0 <= position {
            let child = self.next_child;
            self.passed = self.next_extent;
            self.expect_child(child.saturating_add(self.calls.subtree(child)));
            match self.after_passed(child) {
                Some(after) if after > position => self.position = after,
                _ => self.done = true,
            }
            return Some(Own::Child(child));
        }
        if let Some(end) = self.extent.end
            && end.exit.0 == position
        {
            self.done = true;
            if end.is_lost {
                return None;
            }
        }
        let bytes = self.at(position);
        let Ok(Some((event, length))) = event::decode(bytes, self.symbols, self.frame) else {
            self.done = true;
            return None;
        };
        self.position += length as u64;
        if let Event::This { object } = event {
            self.frame.get_or_insert_default().this = object;
        }
        Some(Own::Event(EventPosition(position), event))
    }

    /// Where the events of the child that is being passed end; `None` if it is open.
    fn after_passed(&mut self, child: u32) -> Option<u64> {
        let end = self.passed.end?;
        let exit = end.exit.0;
        if end.is_lost {
            return Some(exit);
        }
        Some(match *self.at(exit).first()? {
            tag::EXIT..tag::ENTER => {
                let shape = self.symbols.frame(self.calls.method(child))?;
                exit + (size::EXIT + shape.returned.map_or(0, Kind::size)) as u64
            }
            tag::THROW => exit + size::THROW as u64,
            _ => return None,
        })
    }

    #[inline]
    pub(crate) fn extent(&self) -> Extent {
        self.extent
    }

    /// Where the child that `next` gave last lies.
    #[inline]
    pub(crate) fn passed(&self) -> Extent {
        self.passed
    }

    /// How a call ended.
    pub(crate) fn outcome(&mut self, call: u32) -> CallOutcome {
        let Some(end) = self.calls.extent(call).end else {
            return CallOutcome::Open;
        };
        if end.is_lost {
            return CallOutcome::Lost;
        }
        let shape = self.symbols.frame(self.calls.method(call));
        match event::decode(self.at(end.exit.0), self.symbols, shape.map(OpenFrame::of)) {
            Ok(Some((Event::Exit { value, .. }, _))) => CallOutcome::Returned(value),
            Ok(Some((Event::Throw { exception, .. }, _))) => CallOutcome::Threw(exception),
            _ => CallOutcome::Lost,
        }
    }

    /// `this` and the arguments of a call, and their kinds.
    pub(crate) fn arguments(&mut self, call: u32) -> (&'t [u8], &'t [Kind]) {
        let number = self.calls.method(call);
        let (Some(method), Some(shape)) = (self.symbols.method(number), self.symbols.frame(number))
        else {
            return (&[], &[]);
        };
        let start = self.calls.entry(call).0 + enter_size(number) as u64;
        match self.at(start).get(..shape.arguments as usize) {
            Some(bytes) => (bytes, &method.entry_kinds),
            None => (&[], &[]),
        }
    }
}
