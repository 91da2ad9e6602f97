//! Going through the run, and saying where that led.

use java_analysis::happening::Happening;
use java_model::run::JavaRun;
use java_model::shown;
use serde_json::{Value, json};
use time_travel::{Arrival, Direction, Step, Stop};
use trace_format::ThreadNumber;
use trace_store::CallOutcome;

use crate::followed::Followed;
use crate::requests::{FrameArguments, ThreadArguments};
use crate::session::{Answer, Refused, Session};
use crate::stop_reason::StopReason;

/// The number by which clients know a thread; they want none to be 0.
pub(crate) fn thread_id(thread: ThreadNumber) -> u32 {
    thread.0 + 1
}

impl Session<'_> {
    /// The stop of a thread: where the session stands, or where another thread was at that time.
    pub(crate) fn stop_of(&self, thread: Option<u32>) -> Result<Stop, Refused> {
        let here = self.here()?;
        match thread {
            Some(id) if id != thread_id(here.thread()) => {
                let held = self.held()?;
                let mut threads = held.run()?.trace().threads();
                let thread = threads.find(|thread| thread_id(*thread) == id);
                let thread = thread.ok_or_else(|| format!("there is no thread {id}"))?;
                let stop = held.traveller()?.thread_at(thread, here.time);
                stop.ok_or_else(|| "this thread has not begun yet".into())
            }
            _ => Ok(here),
        }
    }

    pub(crate) fn travel(&mut self, command: &str, wanted: &ThreadArguments) -> Answer {
        self.look_up_again()?;
        let from = self.stop_of(wanted.thread_id)?;
        let (forwards, backwards) = (Direction::Forwards, Direction::Backwards);
        match command {
            "next" => self.step(&from, Step::Over, forwards)?,
            "stepIn" => self.step(&from, Step::Into, forwards)?,
            "stepOut" => self.step(&from, Step::Out, forwards)?,
            "stepBack" => self.step(&from, Step::Over, backwards)?,
            "reverseContinue" => self.go_on(&from, backwards)?,
            _ => self.go_on(&from, forwards)?,
        }
        Ok(match command {
            "continue" => json!({"allThreadsContinued": true}),
            _ => Value::Null,
        })
    }

    pub(crate) fn step(
        &mut self,
        from: &Stop,
        step: Step,
        direction: Direction,
    ) -> Result<(), Refused> {
        let held = self.held()?;
        let traveller = held.traveller()?;
        let breakpoints = &self.installed.breakpoints;
        match traveller.step_to_breakpoint(from, step, direction, breakpoints) {
            Some(Arrival { stop, breakpoints }) => {
                self.arrive(stop, &StopReason::Step, &breakpoints);
            }
            None => self.arrive(from.clone(), &self.edge(direction), &[]),
        }
        Ok(())
    }

    pub(crate) fn go_on(&mut self, from: &Stop, direction: Direction) -> Result<(), Refused> {
        let held = self.held()?;
        let traveller = held.traveller()?;
        let breakpoints = &self.installed.breakpoints;
        if let Some(met) = traveller.run_to_breakpoint(from, direction, breakpoints) {
            self.arrive(met.stop, &StopReason::Step, &met.breakpoints);
            return Ok(());
        }
        if direction == Direction::Forwards && self.goes_on() {
            self.go_on_with_program(Followed::Stop(from.clone()));
            return Ok(());
        }
        let edge_stop = match direction {
            Direction::Forwards => traveller.thread_end(from.thread()),
            Direction::Backwards => traveller.thread_start(from.thread()),
        };
        let stop = edge_stop.unwrap_or_else(|| from.clone());
        self.arrive(stop, &self.edge(direction), &[]);
        Ok(())
    }

    fn edge(&self, direction: Direction) -> StopReason {
        match direction {
            Direction::Forwards if self.goes_on() => StopReason::EndSoFar,
            Direction::Forwards => StopReason::End,
            Direction::Backwards => StopReason::Beginning,
        }
    }

    /// Stands somewhere from now on, and tells the client.
    pub(crate) fn arrive(&mut self, stop: Stop, reason: &StopReason, met: &[usize]) {
        let met: Vec<_> = met
            .iter()
            .filter_map(|&place| self.installed.marks.get(place))
            .collect();
        let word = match (met.first(), reason) {
            (Some(mark), _) => mark.reason(),
            (
                None,
                StopReason::Step | StopReason::Beginning | StopReason::End | StopReason::EndSoFar,
            ) => "step",
            (None, StopReason::Entry) => "entry",
            (None, StopReason::Symptom(_)) => "exception",
            (None, StopReason::Goto) => "goto",
            (None, StopReason::Restart) => "restart",
            (None, StopReason::Question(_) | StopReason::Paused) => "pause",
        };
        let mut body = json!({
            "reason": word,
            "threadId": thread_id(stop.thread()),
            "allThreadsStopped": true,
        });
        let ids: Vec<u32> = met.iter().map(|mark| mark.id).collect();
        if !ids.is_empty() {
            body["hitBreakpointIds"] = ids.into();
        }
        let told = match reason {
            StopReason::Symptom(sign) => Some(sign.clone()),
            StopReason::Question(words) => Some(words.clone()),
            StopReason::Beginning => Some("the recording of this thread begins here".to_owned()),
            StopReason::End => Some("the recording of this thread ends here".to_owned()),
            StopReason::EndSoFar => Some(
                "no more of this thread is recorded yet; `continue` goes on with it".to_owned(),
            ),
            _ => met.first().and_then(|mark| mark.label.clone()),
        };
        let held = self.held();
        let happened = held
            .as_ref()
            .ok()
            .and_then(|held| happened(held.run().ok()?, &stop));
        if let Some(text) = told.or(happened) {
            body["description"] = text.clone().into();
            body["text"] = text.into();
        }
        if let Some(debuggee) = &mut self.debuggee {
            debuggee.here = Some(stop);
            debuggee.program.followed_from = None;
        }
        self.handles = crate::handles::Handles::default();
        self.tell("stopped", body);
    }

    pub(crate) fn restart_frame(&mut self, wanted: &FrameArguments) -> Answer {
        let node = self.frame(wanted.frame_id)?.node();
        let held = self.held()?;
        let stop = held.traveller()?.first_stop(node);
        let stop = stop.ok_or("the call cannot be read")?;
        self.arrive(stop, &StopReason::Restart, &[]);
        Ok(Value::Null)
    }

    pub(crate) fn go_to(&mut self, wanted: &ThreadArguments) -> Answer {
        let target = self.goto_targets.get(wanted.target_id).copied();
        let target = target.ok_or("there is no such execution")?;
        let held = self.held()?;
        let stop = held.traveller()?.stop(target);
        let stop = stop.ok_or("this execution cannot be read")?;
        self.arrive(stop, &StopReason::Goto, &[]);
        Ok(Value::Null)
    }
}

/// What has just happened at a stop, if it is more than that a line was come to.
fn happened(run: &JavaRun, stop: &Stop) -> Option<String> {
    let routine = || run.routine_of(stop.position.node);
    match stop.moment.what {
        Happening::Ended(CallOutcome::Returned(_)) => Some(format!("{} returns", routine())),
        Happening::Ended(CallOutcome::Threw(exception)) => {
            let class = shown::class_of(run, exception);
            Some(format!(
                "{} throws {}",
                routine(),
                class.as_deref().unwrap_or("something")
            ))
        }
        Happening::Ended(CallOutcome::Open) => Some(format!("{} has not ended", routine())),
        Happening::Call(call) => {
            let node = run.node(call)?;
            Some(format!("back from {}", run.routine_of(node)))
        }
        _ => None,
    }
}
