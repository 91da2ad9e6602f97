//! Steps end where single events lead to.

#![allow(clippy::unwrap_used, reason = "tests")]

use java_analysis::happening::{Happening, Moment};
use java_model::run::JavaRun;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use time_travel::{Direction, Position, Step, Stop, Traveller};
use trace_store::CallId;

use crate::common::{self, Timeline};

/// Where a step leads, told from the list of all events alone.
struct Model<'run> {
    run: &'run JavaRun,
    timeline: &'run Timeline,
}

impl Model<'_> {
    fn is_first_stop(&self, place: usize) -> bool {
        let (position, moment) = &self.timeline.events[place];
        let second = Position {
            event: 1,
            ..*position
        };
        let has_lines = self.timeline.place.get(&second).is_some_and(|&place| {
            let (_, second) = &self.timeline.events[place];
            second.what == Happening::Line
        });
        moment.event == u64::from(has_lines)
    }

    /// Whether the call at this event was made by the call of another, or by what a compiler made for it.
    fn is_callee(&self, position: Position, of: Position) -> bool {
        let calls = |position: Position| self.run.call_id(position.node).unwrap();
        let threads = self.run.trace().calls(calls(position).thread).unwrap();
        let mut index = calls(position).index;
        while let Some(parent) = threads.parent(index) {
            if parent == calls(of).index {
                return !self.is_compiler_made(position);
            }
            let code = self.run.code(threads.method(parent));
            if !code.compiler_made {
                return false;
            }
            index = parent;
        }
        false
    }

    fn is_compiler_made(&self, position: Position) -> bool {
        self.run.code(self.run.method(position.node)).compiler_made
    }

    fn call(&self, position: Position) -> CallId {
        self.run.call_id(position.node).unwrap()
    }

    fn is_made(&self, moment: &Moment, of: Position) -> bool {
        moment.what == Happening::Call(self.call(of))
    }

    fn is_root(&self, position: Position) -> bool {
        let call = self.call(position);
        let calls = self.run.trace().calls(call.thread).unwrap();
        calls.parent(call.index).is_none()
    }

    fn step(&self, from: usize, step: Step, direction: Direction) -> Option<usize> {
        let here = self.timeline.at(from);
        let events = &self.timeline.events;
        let is_own = |place: &usize| self.timeline.at(*place).node == here.node;
        match direction {
            Direction::Forwards => {
                let mut later = from + 1..events.len();
                later.find(|place| {
                    let (position, moment) = &events[*place];
                    let is_left = match self.is_root(here) {
                        true => self.is_root(*position) && self.is_first_stop(*place),
                        false => self.is_made(moment, here),
                    };
                    let is_stop = matches!(moment.what, Happening::Line | Happening::Ended(_));
                    match step {
                        Step::Out => is_left && !is_own(place),
                        Step::Over => is_left && !is_own(place) || is_own(place) && is_stop,
                        Step::Into => {
                            is_left && !is_own(place)
                                || is_own(place) && is_stop
                                || self.is_first_stop(*place) && self.is_callee(*position, here)
                        }
                    }
                })
            }
            Direction::Backwards => {
                let before_call = || {
                    let first = Position { event: 0, ..here };
                    // What stands before the entry is the caller's last event before the call.
                    self.timeline.place[&first].checked_sub(1)
                };
                if step == Step::Out {
                    return before_call();
                }
                let nearest = (0..from).rev().find(|place| {
                    let (position, moment) = &events[*place];
                    let is_line = is_own(place)
                        && (moment.what == Happening::Line || self.is_first_stop(*place));
                    let is_end = matches!(moment.what, Happening::Ended(_))
                        && self.is_callee(*position, here);
                    is_line || step == Step::Into && is_end
                });
                nearest.or_else(before_call)
            }
        }
    }
}

fn any_step() -> impl Strategy<Value = (Step, Direction)> {
    let step = prop_oneof![Just(Step::Over), Just(Step::Into), Just(Step::Out)];
    let direction = prop_oneof![Just(Direction::Forwards), Just(Direction::Backwards)];
    (step, direction)
}

fn check_stop(traveller: &Traveller<'_>, stop: &Stop) {
    if stop.moment.step.is_none() {
        return;
    }
    let mut moments = traveller.moments(stop.position.node).unwrap();
    let ran: Vec<u32> = moments
        .by_ref()
        .filter(|moment| moment.what == Happening::Line)
        .filter_map(|moment| moment.line)
        .collect();
    assert!(
        stop.moment.line.is_none() || stop.moment.line.is_some_and(|line| ran.contains(&line)),
        "{stop:?} is on none of the lines that ran"
    );
}

#[test]
fn any_sequence_of_steps_ends_where_single_events_lead_to() {
    for (name, recorded) in common::examples() {
        let traveller = Traveller::new(&recorded.run);
        for thread in common::threads(&recorded.run) {
            let timeline = Timeline::of(&recorded.run, thread);
            let model = Model {
                run: &recorded.run,
                timeline: &timeline,
            };
            let starts = 0..timeline.events.len();
            let steps = prop::collection::vec(any_step(), 1..25);
            let mut runner = TestRunner::new(Config {
                cases: 60,
                failure_persistence: None,
                ..Config::default()
            });
            let result = runner.run(&(starts, steps), |(start, steps)| {
                let mut place = start;
                let mut stop = traveller.stop(timeline.at(start)).unwrap();
                for (step, direction) in steps {
                    let expected = model.step(place, step, direction);
                    let arrived = traveller.step(&stop, step, direction);
                    let shown = arrived.as_ref().map(|stop| stop.position);
                    prop_assert_eq!(
                        shown,
                        expected.map(|place| timeline.at(place)),
                        "{:?} {:?} from {:?} {:?}",
                        step,
                        direction,
                        stop.position,
                        stop.moment.what
                    );
                    if let (Some(arrived), Some(expected)) = (arrived, expected) {
                        check_stop(&traveller, &arrived);
                        (stop, place) = (arrived, expected);
                    }
                }
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn a_step_back_after_a_step_over_is_where_that_began() {
    let mut compared = 0;
    for (name, recorded) in common::examples() {
        let traveller = Traveller::new(&recorded.run);
        for thread in common::threads(&recorded.run) {
            let mut here = traveller.thread_start(thread).unwrap();
            for _ in 0..400 {
                let next = traveller.step(&here, Step::Over, Direction::Forwards);
                if let Some(next) = next
                    && next.position.node == here.position.node
                {
                    let back = traveller.step(&next, Step::Over, Direction::Backwards);
                    let back = back.map(|stop| stop.position);
                    let is_at_call = matches!(here.moment.what, Happening::Call(_));
                    if !is_at_call {
                        assert_eq!(back, Some(here.position), "{name}");
                        compared += 1;
                    }
                }
                match traveller.step(&here, Step::Into, Direction::Forwards) {
                    Some(next) => here = next,
                    None => break,
                }
            }
        }
    }
    assert!(compared > 300, "only {compared} steps were compared");
}

#[test]
fn the_order_of_positions_is_that_of_events() {
    for (name, recorded) in common::examples() {
        let (run, traveller) = (&recorded.run, Traveller::new(&recorded.run));
        for thread in common::threads(run) {
            let timeline = Timeline::of(run, thread);
            let stops: Vec<Stop> = timeline
                .events
                .iter()
                .step_by(timeline.events.len() / 150 + 1)
                .map(|(position, _)| traveller.stop(*position).unwrap())
                .collect();
            for (at, one) in stops.iter().enumerate() {
                for (beside, other) in stops.iter().enumerate() {
                    let is_before = one.is_before(run, other);
                    assert_eq!(is_before, at < beside, "{name}: {one:?}\n{other:?}");
                }
            }
        }
    }
}
