//! Looks all hits of a breakpoint up in the run.

use std::time::Instant;

use java_analysis::history;
use java_analysis::variable::Variable;
use trace_store::CallId;

use crate::breakpoint::{Breakpoint, BreakpointKind, HitCondition};
use crate::expression::Expression;
use crate::frames::CallVariables;
use crate::hits::Hits;
use crate::position::{Key, Stop};
use crate::scan::Scan;
use crate::search;
use crate::stepping::Traveller;

/// More are not kept.
pub const MOST_HITS: usize = 200_000;
/// So many calls and moments are looked at between two looks at the clock.
const BETWEEN_LOOKS: u32 = 1024;

impl Breakpoint {
    /// Looks it up in the run until the deadline; with a condition on its hits however long it takes, because that
    /// cannot be told otherwise.
    #[must_use]
    pub fn new(
        traveller: &Traveller<'_>,
        kind: BreakpointKind,
        condition: Option<Expression>,
        hit_condition: Option<HitCondition>,
        deadline: Option<Instant>,
    ) -> Breakpoint {
        let deadline = deadline.filter(|_| hit_condition.is_none());
        let mut breakpoint = Breakpoint {
            condition,
            hit_condition,
            ..Breakpoint::unlisted(kind)
        };
        breakpoint.hits = all_hits(traveller, &breakpoint, deadline);
        breakpoint
    }
}

/// Looks a breakpoint up.
fn all_hits(traveller: &Traveller<'_>, breakpoint: &Breakpoint, deadline: Option<Instant>) -> Hits {
    let mut found = Collected {
        keys: Vec::new(),
        deadline,
        looked_at: 0,
        is_over: false,
        variables: CallVariables::new(*traveller),
    };
    match &breakpoint.kind {
        BreakpointKind::Data(variable) if !matches!(variable, Variable::Local { .. }) => {
            collect_writes(traveller, breakpoint, variable, &mut found);
        }
        _ => collect_in_calls(traveller, breakpoint, &mut found),
    }
    let (run, mut keys) = (traveller.run(), found.keys);
    keys.sort_by(|one, other| one.compare(run, other));
    // An exception may be caught where it was thrown, and by a caller after that.
    keys.dedup_by_key(|key| key.position);
    if let Some(condition) = breakpoint.hit_condition {
        let mut number = 0;
        keys.retain(|_| {
            number += 1;
            condition.holds(number)
        });
    }
    Hits {
        keys,
        is_complete: !found.is_over,
    }
}

struct Collected<'run> {
    keys: Vec<Key>,
    deadline: Option<Instant>,
    looked_at: u32,
    is_over: bool,
    /// For the conditions.
    variables: CallVariables<'run>,
}

impl Collected<'_> {
    fn add(&mut self, traveller: &Traveller<'_>, breakpoint: &Breakpoint, hit: Stop) {
        if self.keys.len() >= MOST_HITS {
            self.is_over = true;
            return;
        }
        let stop = breakpoint.resolve(traveller, hit);
        if breakpoint.applies(&mut self.variables, &stop) {
            self.keys.push(stop.key());
        }
    }

    /// Whether there is time to go on.
    fn goes_on(&mut self) -> bool {
        self.looked_at += 1;
        if self.looked_at % BETWEEN_LOOKS == 1
            && self.deadline.is_some_and(|end| Instant::now() >= end)
        {
            self.is_over = true;
        }
        !self.is_over
    }
}

fn collect_in_calls(traveller: &Traveller<'_>, breakpoint: &Breakpoint, found: &mut Collected<'_>) {
    let run = traveller.run();
    let candidates = breakpoint.candidates(run);
    let mut scan = Scan::of(*traveller, breakpoint);
    for thread in run.trace().threads() {
        let Some(calls) = traveller
            .calls(thread)
            .filter(|_| candidates.may_be_in(thread))
        else {
            continue;
        };
        for index in 0..calls.len() {
            if !breakpoint.is_candidate(run, &candidates, calls, index) {
                continue;
            }
            let call = CallId::new(thread, index);
            if !found.goes_on() {
                return;
            }
            let is_over = || found.deadline.is_some_and(|end| Instant::now() >= end);
            let is_passed_over = scan.as_mut().is_some_and(|it| !it.may_hit(call, is_over));
            if is_passed_over {
                continue;
            }
            let Some(mut moments) = run.node(call).and_then(|node| traveller.moments(node)) else {
                continue;
            };
            while let Some(moment) = moments.next() {
                if breakpoint.is_at(&moments, &moment) {
                    let hit = traveller.stop_at(&moments, moment);
                    found.add(traveller, breakpoint, hit);
                }
                if !found.goes_on() {
                    return;
                }
            }
        }
    }
}

fn collect_writes(
    traveller: &Traveller<'_>,
    breakpoint: &Breakpoint,
    variable: &Variable,
    found: &mut Collected<'_>,
) {
    let Some(writes) = history::writes(traveller.run(), variable) else {
        return;
    };
    for entry in writes {
        if let Some(stop) = search::stop_of_write(traveller, &entry.written) {
            found.add(traveller, breakpoint, stop);
        }
        if !found.goes_on() {
            return;
        }
    }
}
