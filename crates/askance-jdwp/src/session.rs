//! One client's session: which command is answered by what, and when the run goes on.

use std::io::{self, Read, Write};

use java_model::run::JavaRun;

use crate::event_request::{EventKind, EventRequests, SuspendPolicy};
use crate::machine::{Machine, Place};
use crate::packet::{self, HANDSHAKE, Input, Output, Packet};
use crate::refusal::{Answered, Refusal};
use crate::travelling::{self, Journey};
use crate::{object_reference, reference_type, thread_reference, virtual_machine};

const EVENT: u8 = 64;
const COMPOSITE: u8 = 100;

/// See the module's header.
pub(crate) struct Session<'run, W> {
    machine: Machine<'run>,
    requests: EventRequests,
    journey: Journey,
    output: W,
    /// Of the last packet that began here.
    last: u32,
}

/// What comes after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Nothing,
    /// Somebody was resumed.
    GoOn,
    Leave,
}

impl<'run, W: Write> Session<'run, W> {
    pub(crate) fn new(run: &'run JavaRun, output: W) -> Self {
        Session {
            machine: Machine::new(run),
            requests: EventRequests::default(),
            journey: Journey::default(),
            output,
            last: 0,
        }
    }

    /// Answers until the client leaves or nothing is left to tell.
    pub(crate) fn converse(&mut self, input: &mut impl Read) -> io::Result<()> {
        let mut said = [0; HANDSHAKE.len()];
        if !packet::fill(input, &mut said)? || said != *HANDSHAKE {
            return Err(io::Error::other("what came is not the debug wire protocol"));
        }
        self.output.write_all(HANDSHAKE)?;
        let started = travelling::started(&self.machine);
        self.tell(&started)?;
        while let Some(packet) = packet::receive(input)? {
            let then = self.answer(&packet)?;
            match then {
                Then::Nothing => {}
                Then::GoOn => {
                    if !self.go_on()? {
                        return Ok(());
                    }
                }
                Then::Leave => return Ok(()),
            }
        }
        Ok(())
    }

    fn tell(&mut self, data: &Output) -> io::Result<()> {
        self.last += 1;
        let bytes = packet::command(self.last, EVENT, COMPOSITE, data);
        self.output.write_all(&bytes)?;
        self.output.flush()
    }

    fn answer(&mut self, packet: &Packet) -> io::Result<Then> {
        let mut output = Output::default();
        let mut then = Then::Nothing;
        let answered = self.dispatch(packet, &mut output, &mut then);
        let bytes = packet::reply(packet.id, &answered.map(|()| output));
        self.output.write_all(&bytes)?;
        self.output.flush()?;
        Ok(then)
    }

    fn dispatch(&mut self, packet: &Packet, output: &mut Output, then: &mut Then) -> Answered {
        let mut input = Input::new(&packet.data);
        let input = &mut input;
        let machine = &mut self.machine;
        let (set, command) = (packet.set, packet.command);
        match (set, command) {
            // Leaving, by dispose and by exit.
            (1, 6 | 10) => *then = Then::Leave,
            (1, 8) => machine.suspend_all(),
            (1, 9) => {
                machine.resume_all();
                *then = Then::GoOn;
            }
            (1, _) => virtual_machine::answer(machine, command, input, output)?,
            (2, _) => reference_type::answer(machine, command, input, output)?,
            (3, _) => reference_type::answer_class(machine, command, input, output)?,
            (6, _) => reference_type::answer_method(machine, command, input, output)?,
            (9, _) => object_reference::answer(machine, command, input, output)?,
            (10, _) => object_reference::answer_string(machine, command, input, output)?,
            (11, _) => {
                thread_reference::answer(machine, command, input, output)?;
                if command == 3 {
                    *then = Then::GoOn;
                }
            }
            (12, _) => thread_reference::answer_group(machine, command, input, output)?,
            (13, _) => object_reference::answer_array(machine, command, input, output)?,
            (14, _) => object_reference::answer_loader(machine, command, input, output)?,
            (15, 1) => {
                let id = self.requests.set(machine, input)?.id;
                output.int(id);
                self.journey.expect_classes(machine, &self.requests, id);
            }
            (15, 2) => {
                let kind = EventKind::parse(input.byte()?)?;
                self.requests.clear(kind, input.int()?);
            }
            (15, 3) => self.requests.clear_breakpoints(),
            (16, _) => thread_reference::answer_frame(machine, command, input, output)?,
            (17, _) => object_reference::answer_class_object(machine, command, input, output)?,
            // What would change the run, or make it do something that it did not do.
            _ => return Err(Refusal::NotImplemented),
        }
        if matches!(machine.place(), Place::Dead) && *then == Then::GoOn {
            return Err(Refusal::VirtualMachineDead);
        }
        Ok(())
    }

    /// Goes on to the next event that makes somebody stand still, if the thread of the last one does not. Whether there
    /// may be more.
    fn go_on(&mut self) -> io::Result<bool> {
        while self.machine.suspensions_of(self.machine.current_thread()) == 0 {
            let Some(told) = self.journey.next(&mut self.machine, &mut self.requests) else {
                return Ok(false);
            };
            let is_class = told.policy != SuspendPolicy::Nobody;
            if is_class && matches!(self.machine.place(), Place::Start) {
                self.machine.suspend_all();
            }
            self.tell(&told.data)?;
            if told.is_end {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
