//! Walking a run by hand: forwards, backwards, into calls and out of them.
//!
//! A stepper stands right after an event of a call. Backwards costs what forwards costs
//! (see [`Moments::last_before`]).

use debug_engine::{ExecutionTree as _, NodeId};
use frame_replay::Program;

use super::happening::{Happening, Moment};
use super::moment::Moments;
use super::variable::{self, PathError, Variable};
use java_model::run::JavaRun;

/// See the module's header.
pub struct Stepper<'run> {
    run: &'run JavaRun,
    program: &'run Program,
    moments: Moments<'run>,
    here: Moment,
}

/// Why a step could not be made, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stuck {
    #[error("there is no such call")]
    NoCall,
    #[error("the call has ended; `out` goes on in its caller")]
    Ended,
    #[error("this is where the call began; `out` goes to its caller")]
    Began,
    #[error("no call is made in what is left of this line")]
    NoCallHere,
    #[error("nothing recorded called this")]
    NoCaller,
    #[error("the call does not come to line {0} any more")]
    NoLine(u32),
    #[error("the call was not at line {0} before")]
    NoLineBefore(u32),
    #[error("{0} is not written any more in this call")]
    NoWrite(String),
    #[error("{0} was not written before in this call")]
    NoWriteBefore(String),
    #[error("the call has no event {0}")]
    NoEvent(u64),
    #[error("{sentence}; {hint}", sentence = .0.sentence, hint = .0.hint)]
    Path(#[from] PathError),
}

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepDirection {
    On,
    Back,
}

impl<'run> Stepper<'run> {
    /// Stands at the entry of a call.
    pub fn new(run: &'run JavaRun, program: &'run Program, node: NodeId) -> Result<Self, Stuck> {
        let mut moments = Moments::of(run, program, node).ok_or(Stuck::NoCall)?;
        let here = moments.at(0).ok_or(Stuck::NoCall)?;
        Ok(Stepper {
            run,
            program,
            moments,
            here,
        })
    }

    #[must_use]
    pub fn node(&self) -> NodeId {
        self.moments.node()
    }

    #[must_use]
    pub fn here(&self) -> &Moment {
        &self.here
    }

    /// The call being walked, for views.
    pub fn moments(&mut self) -> &mut Moments<'run> {
        &mut self.moments
    }

    /// To the next line that control comes to, over calls; to the end after the last.
    pub fn next_line(&mut self) -> Result<(), Stuck> {
        self.on(is_stop).ok_or(Stuck::Ended)
    }

    /// To the line before.
    pub fn previous_line(&mut self) -> Result<(), Stuck> {
        self.back(is_stop).ok_or(Stuck::Began)
    }

    /// Into the next call that the line makes, or that another thread makes of what the line hands over.
    pub fn into_call(&mut self) -> Result<(), Stuck> {
        let mut next = self.moments.at(self.here.event + 1);
        while let Some(moment) = next {
            match moment.what {
                Happening::Call(call) | Happening::HandedOver(call) => {
                    let node = self.run.node(call).ok_or(Stuck::NoCall)?;
                    *self = Stepper::new(self.run, self.program, node)?;
                    return Ok(());
                }
                Happening::Line | Happening::Ended(_) => break,
                _ => next = self.moments.next(),
            }
        }
        Err(Stuck::NoCallHere)
    }

    /// To the caller, right after the call; of a call that was handed over, to where it was.
    pub fn out(&mut self) -> Result<(), Stuck> {
        let this = self.run.call_id(self.node()).ok_or(Stuck::NoCaller)?;
        let (from, made) = match self.run.handed_over_by(self.node()) {
            Some(by) => (Some(by), Happening::HandedOver(this)),
            None => (self.run.parent(self.node()), Happening::Call(this)),
        };
        let from = from.ok_or(Stuck::NoCaller)?;
        let mut moments = Moments::of(self.run, self.program, from).ok_or(Stuck::NoCaller)?;
        let here = moments.find(|moment| moment.what == made);
        self.here = here.ok_or(Stuck::NoCaller)?;
        self.moments = moments;
        Ok(())
    }

    /// To the next time (or the last time before) that control comes to a line.
    pub fn to_line(&mut self, line: u32, way: StepDirection) -> Result<(), Stuck> {
        let is_it = |moment: &Moment| moment.what == Happening::Line && moment.line == Some(line);
        match way {
            StepDirection::On => self.on(is_it).ok_or(Stuck::NoLine(line)),
            StepDirection::Back => self.back(is_it).ok_or(Stuck::NoLineBefore(line)),
        }
    }

    /// To the next (or last) write of a variable by this call itself.
    pub fn to_write(&mut self, path: &str, way: StepDirection) -> Result<(), Stuck> {
        let node = self.node();
        let found = variable::find(self.run, self.program, path, Some(node), None)?;
        let run = self.run;
        let is_it = |moment: &Moment| match (&moment.what, &found.variable) {
            (Happening::Write(write), variable) => variable.is_at(run, write.place),
            (Happening::Local(local), Variable::Local { node: of, name }) => {
                *of == node && local.name == *name
            }
            _ => false,
        };
        match way {
            StepDirection::On => self.on(is_it).ok_or(Stuck::NoWrite(found.label)),
            StepDirection::Back => self.back(is_it).ok_or(Stuck::NoWriteBefore(found.label)),
        }
    }

    /// To right after an event.
    pub fn to_event(&mut self, event: u64) -> Result<(), Stuck> {
        self.here = self.moments.at(event).ok_or(Stuck::NoEvent(event))?;
        Ok(())
    }

    fn on(&mut self, is_it: impl Fn(&Moment) -> bool) -> Option<()> {
        let mut next = self.moments.at(self.here.event + 1);
        while let Some(moment) = next {
            if is_it(&moment) {
                self.here = moment;
                return Some(());
            }
            next = self.moments.next();
        }
        None
    }

    fn back(&mut self, is_it: impl Fn(&Moment) -> bool) -> Option<()> {
        self.here = self.moments.last_before(self.here.event, is_it)?;
        Some(())
    }
}

/// Where stepping by lines stops.
fn is_stop(moment: &Moment) -> bool {
    matches!(
        moment.what,
        Happening::Line | Happening::Ended(_) | Happening::Entered
    )
}
