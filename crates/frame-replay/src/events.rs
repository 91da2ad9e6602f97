//! A call's own events, its children stepped over.
//!
//! Most calls are short: what a step over a child costs decides how fast a trace is replayed. So
//! the piece of the stream in which the last event was found is kept at hand, and of a child's
//! end only what is needed is read.

use trace_format::event::{self, Event, enter_size, size, tag};
use trace_format::{EventPosition, Frame, Kind, Signatures};
use trace_store::{Calls, Outcome, StreamView, Symbols};

#[derive(Debug, Clone)]
pub(crate) struct Events<'t> {
    pub(crate) calls: Calls<'t>,
    symbols: &'t Symbols,
    stream: StreamView<'t>,
    /// The piece that was last read, and where it begins.
    piece: &'t [u8],
    base: u64,
    index: u32,
    frame: Option<Frame>,
    position: u64,
    next_child: u32,
    /// Where that begins; beyond everything if there is none.
    next_child_at: u64,
    end_of_children: u32,
    /// Where the call ends, and whether without an event of its own; `None` while it is open.
    exit: Option<(EventPosition, bool)>,
    done: bool,
}

/// Before which of the call's own events it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventPlace {
    frame: Option<Frame>,
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
        calls: Calls<'t>,
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
            index,
            frame: None,
            position: 0,
            next_child: 0,
            next_child_at: u64::MAX,
            end_of_children: 0,
            exit: None,
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
        let start = calls.entry(index).0 + enter_size(method) as u64;
        self.index = index;
        self.frame = shape.map(|shape| Frame::entered(shape, self.at(start)));
        self.position = start + shape.map_or(0, |shape| u64::from(shape.arguments));
        self.end_of_children = calls.subtree_range(index).end;
        self.exit = calls.exit_and_loss(index);
        self.expect_child(index + 1);
        self.done = shape.is_none();
    }

    /// This is the next child, if the call has one more.
    fn expect_child(&mut self, child: u32) {
        self.next_child = child;
        self.next_child_at = if child < self.end_of_children {
            self.calls.entry(child).0
        } else {
            u64::MAX
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
        if self.next_child_at <= position {
            let child = self.next_child;
            self.expect_child(child.saturating_add(self.calls.subtree(child)));
            match self.after(child) {
                Some(after) if after > position => self.position = after,
                _ => self.done = true,
            }
            return Some(Own::Child(child));
        }
        if let Some((exit, is_lost)) = self.exit
            && exit.0 == position
        {
            self.done = true;
            if is_lost {
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

    /// Where a child's events end; `None` if it is open.
    fn after(&mut self, child: u32) -> Option<u64> {
        let (EventPosition(exit), is_lost) = self.calls.exit_and_loss(child)?;
        if is_lost {
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

    pub(crate) fn index(&self) -> u32 {
        self.index
    }

    /// How a call ended.
    pub(crate) fn outcome(&mut self, call: u32) -> Outcome {
        let Some(exit) = self.calls.exit(call) else {
            return Outcome::Open;
        };
        if self.calls.is_lost(call) {
            return Outcome::Lost;
        }
        let shape = self.symbols.frame(self.calls.method(call));
        match event::decode(self.at(exit.0), self.symbols, shape.map(Frame::of)) {
            Ok(Some((Event::Exit { value, .. }, _))) => Outcome::Returned(value),
            Ok(Some((Event::Throw { exception, .. }, _))) => Outcome::Threw(exception),
            _ => Outcome::Lost,
        }
    }

    /// `this` and the arguments of a call, and their kinds.
    pub(crate) fn arguments(&mut self, call: u32) -> (&'t [u8], &'t [Kind]) {
        let bytes = self.at(self.calls.entry(call).0);
        let method = self.symbols.method(self.calls.method(call));
        match (event::decode(bytes, self.symbols, None), method) {
            (Ok(Some((Event::Enter { arguments, .. }, _))), Some(method)) => {
                (arguments, &method.entry_kinds)
            }
            _ => (&[], &[]),
        }
    }
}
