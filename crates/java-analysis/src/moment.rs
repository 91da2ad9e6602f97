//! The events of one call in order, and the moments between them.
//!
//! Lines and local variables come from re-executing the call; writes to the heap, calls and
//! exceptions come from the trace itself, so they are there even where a call cannot be
//! re-executed. Both are walked together: after each instruction, what the trace has up to there
//! is what that instruction did.
//!
//! An event's number counts from the entry, which is 0. To find a number means to walk from the
//! nearest of the waypoints that were kept on the way, by this walk or an earlier one, so going back costs what
//! going on costs, and a call of any length keeps little.

use std::collections::VecDeque;
use std::sync::Arc;

use debug_engine::NodeId;
use frame_replay::{CallRole, Flow, MethodCode, Program, Replay, ReplayError, Slot};
use trace_format::EventPosition;
use trace_format::event::{Event, Write};
use trace_store::{Call, CallId, CallOutcome, OwnEvent, OwnEvents, OwnPlace};

use super::class_loading::{is_out_of_sight, notes_class};
use super::happening::{Happening, LocalAt, Moment, Stored, heap_write, replay_sentence};
use super::holder::holder_of;
use super::waypoints::{KeptWaypoints, Waypoint, Waypoints};
use java_model::run::JavaRun;
use java_model::shown;

/// The first window when looking back.
const WINDOW: u64 = 64;

/// The events of a call, walked forwards and backwards.
pub struct Moments<'run> {
    run: &'run JavaRun,
    node: NodeId,
    call: Call,
    replay: Option<Replay<'run>>,
    /// Why there is no replay, or none from some waypoint on.
    trouble: Option<String>,
    state: State<'run>,
    queue: VecDeque<Moment>,
    waypoints: Arc<Waypoints>,
}

/// Where the walk stands, between two instructions.
struct State<'run> {
    next: u64,
    step: u64,
    replayed: bool,
    ended: bool,
    line: Option<u16>,
    before: Option<usize>,
    own: OwnEvents<'run>,
    ahead: Option<OwnEvent<'run>>,
    /// Before `ahead`.
    own_place: OwnPlace,
}

impl<'run> Moments<'run> {
    /// The events of a node's call; `None` if the trace has no such call. `program` must be of
    /// this run's trace.
    #[must_use]
    pub fn of(run: &'run JavaRun, program: &'run Program, node: NodeId) -> Option<Self> {
        let call = run.call(node)?;
        let mut own = run.read(run.trace().own_events(call.id))?;
        let (replay, trouble) = match Replay::new(run.trace(), program, call.id) {
            Ok(replay) => (Some(replay), None),
            Err(error) => (None, Some(replay_sentence(&error))),
        };
        let own_place = own.place();
        let ahead = own.next();
        let state = State {
            next: 0,
            step: 0,
            replayed: replay.is_some(),
            ended: false,
            line: None,
            before: None,
            own,
            ahead,
            own_place,
        };
        let waypoints = kept_waypoints(run).of(node).unwrap_or_else(|| {
            let start = waypoint(&state, replay.as_ref(), call.entry);
            Arc::new(Waypoints::new(start))
        });
        Some(Moments {
            run,
            node,
            call,
            replay,
            trouble: trouble.or_else(|| waypoints.trouble.clone()),
            waypoints,
            state,
            queue: VecDeque::new(),
        })
    }

    #[must_use]
    pub fn node(&self) -> NodeId {
        self.node
    }

    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    #[must_use]
    pub fn run(&self) -> &'run JavaRun {
        self.run
    }

    /// Why lines and locals are missing, in one sentence; `None` as long as they are not.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The code that runs, if the call can be re-executed.
    #[must_use]
    pub fn code(&self) -> Option<&'run MethodCode> {
        self.replay.as_ref().map(Replay::code)
    }

    /// The moment after the event of that number; `None` if the call has fewer. What follows is
    /// given by `next`.
    pub fn at(&mut self, event: u64) -> Option<Moment> {
        let waypoints = Arc::clone(&self.waypoints);
        if let Some(nearest) = waypoints.before_event(event)
            && (event < self.first_ahead() || nearest.next > self.state.next)
        {
            self.go_to(nearest);
        }
        self.find(|moment| moment.event == event)
    }

    /// Goes to before the event at a position, or some way before it, if that is not far ahead.
    pub fn go_before(&mut self, position: EventPosition) {
        let waypoints = Arc::clone(&self.waypoints);
        let Some(nearest) = waypoints.before_position(position) else {
            return;
        };
        let now = waypoint(&self.state, self.replay.as_ref(), self.call.entry);
        if now.position > position || nearest.next > self.first_ahead() {
            self.go_to(nearest);
        }
    }

    /// How many events the call has.
    pub fn count_events(&mut self) -> u64 {
        self.at(u64::MAX);
        self.state.next
    }

    /// The last moment before an event for which something holds. Looked for in windows that grow,
    /// each walked from the nearest kept waypoint, so it costs about what looking forwards costs.
    pub fn last_before(&mut self, event: u64, is_it: impl Fn(&Moment) -> bool) -> Option<Moment> {
        let mut end = event;
        let mut window = WINDOW;
        while end > 0 {
            let start = end.saturating_sub(window);
            let mut found = None;
            let mut next = self.at(start);
            while let Some(moment) = next {
                if moment.event >= end {
                    break;
                }
                if is_it(&moment) {
                    found = Some(moment);
                }
                next = self.next();
            }
            if found.is_some() {
                return found;
            }
            end = start;
            window *= 2;
        }
        None
    }

    /// The locals that have a name at a moment.
    pub fn locals_at(&mut self, moment: &Moment) -> Vec<LocalAt> {
        let here = self.replay.as_ref().map(Replay::checkpoint);
        let found = self.locals_onwards(moment);
        if let (Some(replay), Some(here)) = (&mut self.replay, here) {
            replay.resume(&here);
        }
        found
    }

    /// The same for whoever walks nothing here: the next moment that is asked about is looked for from this one on.
    pub fn locals_onwards(&mut self, moment: &Moment) -> Vec<LocalAt> {
        // The last instruction leaves the call, but not before the locals were what they were.
        let ended = matches!(moment.what, Happening::Ended(_));
        let found = self.replayed_to(moment, ended, |replay| {
            let named = replay.named_locals();
            let named = named.iter().filter(|local| local.value != Slot::EMPTY);
            let local = named.map(|local| LocalAt {
                name: local.name.to_owned(),
                descriptor: local.descriptor.to_owned(),
                value: local.value,
            });
            local.collect::<Vec<_>>()
        });
        found.unwrap_or_default()
    }

    /// All slots of the frame before an instruction, and that instruction's byte-code offset: the one that is executed
    /// next at a moment, or with `before` the last that was executed by then. At the call's end it is the last.
    pub fn slots_at(&mut self, moment: &Moment, before: bool) -> Option<(u32, Vec<Slot>)> {
        let ended = matches!(moment.what, Happening::Ended(_));
        let here = self.replay.as_ref().map(Replay::checkpoint);
        let found = self.replayed_to(moment, ended || before, |replay| {
            let instruction = replay.code().instructions().get(replay.instruction()?)?;
            Some((instruction.pc, replay.locals().to_vec()))
        });
        if let (Some(replay), Some(here)) = (&mut self.replay, here) {
            replay.resume(&here);
        }
        found?
    }

    /// What a replay shows at a moment, or one instruction before it. It stays there.
    fn replayed_to<T>(
        &mut self,
        moment: &Moment,
        before: bool,
        show: impl FnOnce(&Replay<'_>) -> T,
    ) -> Option<T> {
        let (step, replay) = (moment.step?, self.replay.as_mut()?);
        let step = step.saturating_sub(u64::from(before));
        let here = replay.steps();
        // A long call was walked before: what was kept of that is nearer than its beginning.
        let nearest = self.waypoints.before_event(moment.event);
        let nearest = nearest.and_then(|waypoint| waypoint.checkpoint.as_ref());
        if let Some(nearest) = nearest.filter(|nearest| nearest.step() <= step)
            && (nearest.step() > here || step < here)
        {
            replay.resume(nearest);
        }
        replay.seek(step).is_ok().then(|| show(replay))
    }

    fn first_ahead(&self) -> u64 {
        self.queue
            .front()
            .map_or(self.state.next, |moment| moment.event)
    }

    fn go_to(&mut self, waypoint: &Waypoint) {
        let state = &mut self.state;
        state.next = waypoint.next;
        (state.replayed, state.ended) = (waypoint.replayed, waypoint.ended);
        (state.line, state.before) = (waypoint.line, waypoint.before);
        state.own.go_to(waypoint.own);
        state.own_place = waypoint.own;
        state.ahead = state.own.next();
        self.queue.clear();
        if let (Some(replay), Some(checkpoint)) = (&mut self.replay, &waypoint.checkpoint) {
            replay.resume(checkpoint);
            self.state.step = checkpoint.step();
        }
    }

    fn keep(&mut self) {
        if self.waypoints.is_due(self.state.next) {
            let here = waypoint(&self.state, self.replay.as_ref(), self.call.entry);
            Arc::make_mut(&mut self.waypoints).add(here);
        }
    }

    fn push(&mut self, step: Option<u64>, position: EventPosition, what: Happening) {
        let line = if step.is_some() {
            self.state.line
        } else {
            None
        };
        let next = self.replay.as_ref().filter(|_| step.is_some());
        let offset = next.and_then(|replay| {
            let instruction = replay.code().instructions().get(replay.instruction()?)?;
            Some(instruction.pc)
        });
        self.queue.push_back(Moment {
            event: self.state.next,
            step,
            position,
            line: line.map(u32::from),
            offset,
            what,
        });
        self.state.next += 1;
    }

    /// Executes one instruction, or takes one event where nothing can be executed.
    fn advance(&mut self) {
        if self.state.next == 0 {
            let step = self.state.replayed.then_some(0);
            let start = self.state.ahead.map_or(self.call.entry, |own| own.position);
            return self.push(step, start, Happening::Entered);
        }
        if !self.state.replayed {
            return self.take_event();
        }
        if let Err(error) = self.execute() {
            self.trouble = Some(replay_sentence(&error));
            Arc::make_mut(&mut self.waypoints).trouble = self.trouble.clone();
            self.state.replayed = false;
        }
    }

    fn execute(&mut self) -> Result<(), ReplayError> {
        let Some(replay) = &mut self.replay else {
            self.state.replayed = false;
            return Ok(());
        };
        let Some(at) = replay.instruction() else {
            self.drain(None);
            self.end();
            return Ok(());
        };
        let (step, position) = (replay.steps(), replay.position());
        let line = replay.line();
        let again =
            self.state.before.is_some_and(|before| at <= before) && replay.code().starts_line(at);
        let entered = line.is_some() && (again || line != self.state.line);
        let stored = Stored::by(replay, at);
        if entered {
            self.state.line = line;
            self.push(Some(step), position, Happening::Line);
        }
        self.state.before = Some(at);
        let Some(replay) = &mut self.replay else {
            return Ok(());
        };
        let arguments = match replay.code().invoked_by(at) {
            Some(_) => replay.operands().to_vec(),
            None => Vec::new(),
        };
        let threw = match replay.step()?.map(|step| step.flow) {
            Some(Flow::Caught { exception, .. }) => Some(exception),
            _ => None,
        };
        self.state.step = step + 1;
        let (after, ended) = (replay.position(), replay.ending().is_some());
        let local = stored.and_then(|stored| stored.done(replay));
        let invoked = replay.code().invoked_by(at).map(|site| {
            let result = site.result.filter(|_| threw.is_none());
            let result = result.and_then(|_| {
                let filled = replay.stack().iter().rev();
                filled.copied().find(|slot| *slot != Slot::EMPTY)
            });
            let quiet = site.role == CallRole::Super || site.owner == "java/lang/Object";
            (quiet, result)
        });
        if let Some(local) = local {
            self.push(Some(step + 1), after, Happening::Local(local));
        }
        let calls = self.drain(if ended { None } else { Some(after) });
        if let Some((false, result)) = invoked
            && calls == 0
            && !ended
        {
            let what = Happening::Library {
                instruction: at,
                arguments,
                result,
                threw,
            };
            self.push(Some(step + 1), after, what);
        }
        Ok(())
    }

    /// Takes what the trace has before a position, all of it if there is none. Returns how many
    /// calls were among it.
    fn drain(&mut self, until: Option<EventPosition>) -> usize {
        let mut calls = 0;
        while let Some(own) = self.state.ahead {
            if until.is_some_and(|until| own.position >= until) {
                break;
            }
            calls += usize::from(own.child.is_some());
            self.take_event();
        }
        calls
    }

    fn take_event(&mut self) {
        let Some(own) = self.state.ahead else {
            return self.end();
        };
        self.state.own_place = self.state.own.place();
        self.state.ahead = self.state.own.next();
        // Not the next event: before that, another thread may have run.
        let after = EventPosition(own.position.0 + 1);
        let step = self.state.replayed.then_some(self.state.step);
        if let Some(child) = own.child {
            let child = CallId::new(self.call.id.thread, child);
            let calls = self.run.read(self.run.trace().calls(child.thread));
            let exit = calls.and_then(|calls| calls.exit(child.index));
            let after = exit.map_or(after, |exit| EventPosition(exit.0 + 1));
            return self.push(step, after, Happening::Call(child));
        }
        match own.event {
            Some(Event::Write(write)) => {
                if self.is_of_class_loading(&write) {
                    return;
                }
                let (trace, thread) = (self.run.trace(), self.call.id.thread);
                if let Some(mut write) = heap_write(trace, thread, &write, own.position) {
                    write.holder = write.place.object().and_then(|object| {
                        let at = shown::time(self.run, thread, own.position);
                        holder_of(self.run, self.replay.as_ref()?, object, at)
                    });
                    self.push(step, after, Happening::Write(write));
                }
            }
            Some(Event::Submit { .. }) => {
                let (run, thread) = (self.run, self.call.id.thread);
                for call in run.handed_over_at(thread, own.position) {
                    self.push(step, after, Happening::HandedOver(call));
                }
            }
            Some(Event::Catch { exception, .. }) => {
                self.push(step, after, Happening::Caught(exception));
            }
            Some(Event::Exit { value, .. }) => {
                self.ended(step, own.position, CallOutcome::Returned(value))
            }
            Some(Event::Throw { exception, .. }) => {
                self.ended(step, own.position, CallOutcome::Threw(exception));
            }
            _ => {}
        }
    }

    /// Whether a class loader has added a class to its list: its elements, and then its size.
    fn is_of_class_loading(&self, write: &Write<'_>) -> bool {
        let trace = self.run.trace();
        let next = self.state.ahead.and_then(|own| own.event);
        is_out_of_sight(trace, write)
            || notes_class(trace, write)
                && matches!(next, Some(Event::Write(next)) if is_out_of_sight(trace, &next))
    }

    fn ended(&mut self, step: Option<u64>, position: EventPosition, outcome: CallOutcome) {
        if !self.state.ended {
            self.state.ended = true;
            self.push(step, position, Happening::Ended(outcome));
        }
    }

    /// The end of a call that has no event of its own for it.
    fn end(&mut self) {
        let step = self.state.replayed.then_some(self.state.step);
        let position = self.call.exit.unwrap_or(EventPosition(u64::MAX >> 1));
        let outcome = self.call.outcome;
        self.ended(step, position, outcome);
    }
}

/// What is to be kept of where a walk stands.
fn waypoint(state: &State<'_>, replay: Option<&Replay<'_>>, entry: EventPosition) -> Waypoint {
    let replay = replay.filter(|_| state.replayed);
    let ahead = state
        .ahead
        .map_or(EventPosition(u64::MAX), |own| own.position);
    Waypoint {
        next: state.next,
        replayed: state.replayed,
        ended: state.ended,
        line: state.line,
        before: state.before,
        own: state.own_place,
        position: match state.next {
            0 => entry,
            _ => replay.map_or(ahead, Replay::position),
        },
        checkpoint: replay.map(Replay::checkpoint),
    }
}

/// Of the calls of a run that were walked last.
fn kept_waypoints(run: &JavaRun) -> &KeptWaypoints {
    run.facts().get_or_make(KeptWaypoints::default)
}

impl Drop for Moments<'_> {
    fn drop(&mut self) {
        kept_waypoints(self.run).keep(self.node, &self.waypoints);
    }
}

impl Iterator for Moments<'_> {
    type Item = Moment;

    fn next(&mut self) -> Option<Moment> {
        loop {
            if let Some(moment) = self.queue.pop_front() {
                return Some(moment);
            }
            if self.state.ended {
                return None;
            }
            self.keep();
            self.advance();
        }
    }
}
