//! A run that still goes on: one stands in what is recorded, and goes on with the program where that ends.
//!
//! What is known of such a run is a series of snapshots, each with numbers of its own for the calls. A request works on
//! one of them; between two requests the session goes over to a newer one, and whatever it keeps of calls with it.

use std::io;
use std::time::{Duration, Instant};

use askance_api::live;
use java_analysis::variable::Variable;
use serde_json::json;
use time_travel::{Direction, Traveller};

use crate::followed::{Followed, moved, moved_variable, newest};
use crate::requests::DisconnectArguments;
use crate::session::{Answer, Debuggee, Refused, Session};
use crate::stop_reason::StopReason;

/// Between two looks at a program that runs.
const INTERVAL: Duration = Duration::from_millis(100);
/// Between two looks at a session that others may answer in.
const NEWS_INTERVAL: Duration = Duration::from_millis(400);
/// Looking again takes longer in a large run: no more than one part of so many is spent on it.
const PART: u32 = 5;

impl Session<'_> {
    /// Whether the program still runs, or not everything that it did is known.
    pub(crate) fn goes_on(&self) -> bool {
        let live = self.debuggee.as_ref().map(|debuggee| &debuggee.live);
        live.is_some_and(|live| live.goes_on())
    }

    /// After how long to look again if the client wants nothing.
    pub(crate) fn patience(&self) -> Option<Duration> {
        let debuggee = self.debuggee.as_ref()?;
        Some(if is_over(debuggee) {
            NEWS_INTERVAL
        } else {
            INTERVAL
        })
    }

    /// Looks whether the program has gone on or somebody else has answered, and goes on with it if the client wants
    /// that.
    pub(crate) fn look_again(&mut self) -> io::Result<()> {
        if let Err(Refused(sentence)) = self.look() {
            let output = format!("{sentence}\n");
            self.tell("output", json!({"category": "stderr", "output": output}));
        }
        let has_news = self.debuggee.as_mut().is_some_and(|it| it.news.has_come());
        let told = self.debuggee.as_ref().and_then(|it| it.told_revision);
        if has_news && self.revision() != told {
            self.tell_changed();
        }
        self.send_events()
    }

    fn look(&mut self) -> Result<(), Refused> {
        if self.debuggee.as_ref().is_none_or(is_over) {
            return Ok(());
        }
        self.pass_on_output()?;
        let Some(debuggee) = &mut self.debuggee else {
            return Ok(());
        };
        let has_ended = !debuggee.live.goes_on();
        let now = Instant::now();
        if !has_ended && debuggee.program.next_look.is_some_and(|next| now < next) {
            return Ok(());
        }
        let is_followed = debuggee.program.followed_from.is_some();
        if is_followed || debuggee.live.is_complete() {
            let looked = debuggee.live.look_again();
            looked.map_err(|error| error.to_string())?;
        }
        debuggee.program.has_ended = has_ended;
        self.go_over();
        if is_followed {
            self.look_up_again()?;
            self.follow()?;
        }
        if has_ended {
            self.tell_end();
        }
        if let Some(debuggee) = &mut self.debuggee {
            debuggee.program.next_look = Some(Instant::now() + now.elapsed() * PART);
        }
        Ok(())
    }

    /// Passes on what the program has printed meanwhile.
    fn pass_on_output(&mut self) -> Result<(), Refused> {
        loop {
            let Some(debuggee) = &mut self.debuggee else {
                return Ok(());
            };
            let from = live::From {
                from: Some(debuggee.program.printed),
            };
            // A program that has printed nothing yet has no file for it.
            let Ok(piece) = live::output(&debuggee.live, &from) else {
                return Ok(());
            };
            debuggee.program.printed = piece.next;
            if !piece.text.is_empty() {
                self.tell(
                    "output",
                    json!({"category": "stdout", "output": piece.text}),
                );
            }
            if !piece.more {
                return Ok(());
            }
        }
    }

    fn tell_end(&mut self) {
        let progress = self.debuggee.as_ref().map(|debuggee| {
            let progress = debuggee.live.progress();
            let progress = progress.borrow();
            progress.as_ref().and_then(|known| known.sentence.clone())
        });
        if let Some(sentence) = progress.flatten() {
            let output = format!("askance: {sentence}\n");
            self.tell("output", json!({"category": "stderr", "output": output}));
        }
        self.tell_changed();
    }

    /// Goes on with the program from where somebody stands; what is met is told when it comes.
    pub(crate) fn go_on_with_program(&mut self, from: Followed) {
        if let Some(debuggee) = &mut self.debuggee {
            debuggee.program.followed_from = Some(from);
            debuggee.program.next_look = None;
        }
    }

    /// Looks whether a breakpoint was met in what is known now.
    fn follow(&mut self) -> Result<(), Refused> {
        let debuggee = self.debuggee.as_mut().ok_or("nothing is debugged yet")?;
        let Some(followed) = debuggee.program.followed_from.take() else {
            return Ok(());
        };
        let held = self.held()?;
        let traveller = held.traveller()?;
        let from = match &followed {
            Followed::Stop(stop) => Some(stop.clone()),
            Followed::Beginning => self.entry(&traveller),
        };
        let from = from.ok_or("nothing of this run can be shown")?;
        let breakpoints = &self.installed.breakpoints;
        let met = traveller.run_to_breakpoint(&from, Direction::Forwards, breakpoints);
        if let Some(met) = met {
            self.arrive(met.stop, &StopReason::Step, &met.breakpoints);
        } else if self.goes_on() {
            self.go_on_with_program(followed);
        } else if let Followed::Beginning = followed {
            self.arrive_at_symptom()?;
        } else {
            self.go_on(&from, Direction::Forwards)?;
        }
        Ok(())
    }

    /// Stops where the program is by now; the program itself goes on.
    pub(crate) fn pause(&mut self) -> Answer {
        let Some(debuggee) = &mut self.debuggee else {
            return Ok(json!(null));
        };
        let Some(followed) = debuggee.program.followed_from.take() else {
            return Ok(json!(null));
        };
        let looked = debuggee.live.look_again();
        looked.map_err(|error| error.to_string())?;
        self.go_over();
        let held = self.held()?;
        let traveller = held.traveller()?;
        let from = match followed {
            Followed::Stop(stop) => Some(stop),
            Followed::Beginning => self.entry(&traveller),
        };
        let from = from.ok_or("nothing of this run can be shown")?;
        let newest = newest(&traveller, &from).unwrap_or(from);
        self.arrive(newest, &StopReason::Paused, &[]);
        Ok(json!(null))
    }

    /// Ends the program, if this session has started it.
    pub(crate) fn end_program(&mut self, wanted: Option<&DisconnectArguments>) {
        let is_left = wanted.is_some_and(|wanted| wanted.terminate_debuggee == Some(false));
        if let Some(debuggee) = &self.debuggee
            && debuggee.is_launched
            && !is_left
            && debuggee.live.goes_on()
        {
            debuggee.live.stop();
        }
    }

    /// Goes over to the newest snapshot, with all that is kept of calls.
    pub(crate) fn go_over(&mut self) {
        let Some(debuggee) = &mut self.debuggee else {
            return;
        };
        let Some(newer) = debuggee.live.current() else {
            return;
        };
        let known = debuggee.known.replace(newer.clone());
        let Some(known) = known.filter(|known| known.snapshot() != newer.snapshot()) else {
            return;
        };
        let (Ok(from), Ok(to)) = (known.java(), newer.java()) else {
            return;
        };
        let traveller = Traveller::new(to);
        let program = &mut debuggee.program;
        debuggee.here = debuggee
            .here
            .take()
            .and_then(|stop| moved(&traveller, &stop));
        if let Some(Followed::Stop(stop)) = &program.followed_from {
            let stop = moved(&traveller, stop);
            program.followed_from = Some(stop.map_or(Followed::Beginning, Followed::Stop));
        }
        let variable = |variable: &Variable| moved_variable(variable, from, to);
        self.handles.go_over(&traveller, &variable);
        self.installed.go_over(&variable);
        self.goto_targets.clear();
        self.files.clear();
        self.tell_changed();
    }
}

/// Whether nothing more comes from the program.
fn is_over(debuggee: &Debuggee) -> bool {
    debuggee.live.recorded_in().is_none() || debuggee.program.has_ended
}
