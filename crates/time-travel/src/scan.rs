//! Whether a call can be hit by a breakpoint, told by executing it and nothing else: no event is made, and no variable
//! is looked up but those that the condition names. Most calls of a long run are passed over by that, and of the others
//! what comes after the last place where they could be hit is not executed.

use std::ops::ControlFlow;

use frame_replay::{MethodCode, Runner, Ways};
use java_model::run::JavaRun;
use trace_format::MethodId;
use trace_format::event::Event;
use trace_store::{CallId, OwnEvent, ThreadCalls};

use crate::breakpoint::{Breakpoint, BreakpointKind};
use crate::slot_condition::{At, Test};
use crate::stepping::Traveller;

/// What a breakpoint asks of calls before they are walked. All threads that look for its hits share it.
pub(crate) enum Sieve {
    /// Of one at lines: the methods that it is in, by number.
    Lines(Vec<Option<WatchedMethod>>),
    /// Whether an exception was caught.
    Catches,
}

/// A method, as far as a breakpoint is about it. By the instruction's number:
pub(crate) struct WatchedMethod {
    /// Where a look is worth while: the breakpoint is there, or cannot be come to any more.
    marked: Vec<bool>,
    lines: Vec<Option<u16>>,
    starts_line: Vec<bool>,
    /// Whether the breakpoint may be come to later on.
    leads_on: Vec<bool>,
    /// What has to hold where control comes to it as to a line; `None` where the breakpoint is not.
    conditions: Vec<Option<Test>>,
}

impl Sieve {
    /// `None` for a breakpoint of which only a walk tells.
    pub(crate) fn of(traveller: &Traveller<'_>, breakpoint: &Breakpoint) -> Option<Sieve> {
        let run = traveller.run();
        let watched: Vec<MethodId> = match breakpoint.kind() {
            BreakpointKind::Line { methods, .. } | BreakpointKind::Function { methods } => {
                methods.clone()
            }
            BreakpointKind::Instructions(places) => places.iter().map(|place| place.0).collect(),
            BreakpointKind::Caught => return Some(Sieve::Catches),
            _ => return None,
        };
        let mut methods = Vec::new();
        for method in watched {
            let place = method.0 as usize;
            if methods.len() <= place {
                methods.resize_with(place + 1, || None);
            }
            let code = run.program().code(run.trace(), method).ok();
            methods[place] = code.and_then(|code| WatchedMethod::of(run, code, breakpoint));
        }
        Some(Sieve::Lines(methods))
    }
}

/// How often a call is hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HitsOfCall {
    /// So often; of a call that was looked at until its first hit, at least so often.
    Known(usize),
    /// It cannot be executed again, or takes too long, or what it is given tells too little.
    Perhaps,
}

/// See the module's header.
pub(crate) struct Scan<'run, 'sieve> {
    sieve: &'sieve Sieve,
    run: &'run JavaRun,
    runner: Runner<'run>,
}

impl<'run, 'sieve> Scan<'run, 'sieve> {
    pub(crate) fn new(traveller: &Traveller<'run>, sieve: &'sieve Sieve) -> Self {
        let run = traveller.run();
        Scan {
            sieve,
            run,
            runner: Runner::new(run.trace(), run.program()),
        }
    }

    /// How often a call is hit, or whether it is hit at all.
    pub(crate) fn hits(
        &mut self,
        calls: ThreadCalls<'run>,
        index: u32,
        counts_all: bool,
        mut is_over: impl FnMut() -> bool,
    ) -> HitsOfCall {
        let (call, run) = (CallId::new(calls.thread(), index), self.run);
        let methods = match self.sieve {
            Sieve::Lines(methods) => methods,
            Sieve::Catches => return catches(run, call),
        };
        let method = methods.get(calls.method(index).0 as usize);
        let Some(method) = method.and_then(Option::as_ref) else {
            return HitsOfCall::Perhaps;
        };
        let mut hits = HitsOfCall::Known(0);
        let replayed = self.runner.run_watched(call, &method.marked, |here| {
            let condition = method.conditions.get(here.at).and_then(Option::as_ref);
            let leads_on = method.leads_on.get(here.at) != Some(&false);
            let heap = At::of(run, call.thread, &here);
            let is_hit = match condition {
                None if leads_on && is_over() => None,
                None => Some(false),
                Some(test) => match method.comes_to_line(here.last, here.at) {
                    Some(false) => Some(false),
                    comes => match test.holds(&heap) {
                        Some(true) => comes,
                        other => other,
                    },
                },
            };
            hits = match (is_hit, hits) {
                (Some(false), hits) => hits,
                (Some(true), HitsOfCall::Known(count)) => HitsOfCall::Known(count + 1),
                _ => HitsOfCall::Perhaps,
            };
            let is_enough = match hits {
                HitsOfCall::Known(count) => count > 0 && !counts_all,
                HitsOfCall::Perhaps => true,
            };
            match is_enough || !leads_on {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        match replayed {
            Ok(()) => hits,
            Err(_) => HitsOfCall::Perhaps,
        }
    }
}

/// Whether a call may have caught an exception, told by its own events alone.
fn catches(run: &JavaRun, call: CallId) -> HitsOfCall {
    let events = run.trace().own_events(call);
    let mut events = run.read(events).into_iter().flatten();
    let catches = |own: OwnEvent<'_>| matches!(own.event, Some(Event::Catch { .. }));
    match events.any(catches) {
        true => HitsOfCall::Perhaps,
        false => HitsOfCall::Known(0),
    }
}

impl WatchedMethod {
    /// `None` if nothing of the method's code tells whether it is hit.
    fn of(run: &JavaRun, code: &MethodCode, breakpoint: &Breakpoint) -> Option<WatchedMethod> {
        // A call is entered at its first line; where that is not known, before anything has a name.
        if matches!(breakpoint.kind(), BreakpointKind::Function { .. }) && code.line(0).is_none() {
            return None;
        }
        let is_entry = matches!(breakpoint.kind(), BreakpointKind::Function { .. });
        let is_watched = |at: usize| match breakpoint.kind() {
            BreakpointKind::Line { line, .. } => code.line(at).map(u32::from) == Some(*line),
            BreakpointKind::Instructions(places) => {
                let offset = code
                    .instructions()
                    .get(at)
                    .map(|instruction| instruction.pc);
                let is_there = |offset| places.binary_search(&(code.method(), offset)).is_ok();
                offset.is_some_and(is_there)
            }
            BreakpointKind::Function { .. } => at == 0,
            _ => false,
        };
        let ways = Ways::to(code, is_watched);
        let places = 0..code.instructions().len();
        let leads_on: Vec<bool> = places
            .clone()
            .map(|at| ways.lead_on_from(at) && !is_entry)
            .collect();
        let condition = |at: usize| {
            let offset = code.instructions()[at].pc;
            is_watched(at).then(|| Test::of(run, code, offset, breakpoint.condition.as_ref()))
        };
        Some(WatchedMethod {
            marked: places
                .clone()
                .map(|at| is_watched(at) || !leads_on[at])
                .collect(),
            lines: places.clone().map(|at| code.line(at)).collect(),
            starts_line: places.clone().map(|at| code.starts_line(at)).collect(),
            conditions: places.map(condition).collect(),
            leads_on,
        })
    }

    /// Whether control comes to an instruction as to a line, as the walk by events tells it; `None` where the last
    /// instruction has no line, so that those before it would tell.
    fn comes_to_line(&self, last: Option<usize>, at: usize) -> Option<bool> {
        let line = |at: usize| self.lines.get(at).copied().flatten();
        let Some(here) = line(at) else {
            return Some(false);
        };
        let Some(last) = last else {
            return Some(true);
        };
        if at <= last && self.starts_line.get(at) == Some(&true) {
            return Some(true);
        }
        line(last).map(|before| before != here)
    }
}
