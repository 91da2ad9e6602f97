//! Looks all hits of a breakpoint up in the run.

use std::time::Instant;

use java_analysis::history;
use java_analysis::variable::Variable;
use trace_store::CallId;

use crate::breakpoint::{Breakpoint, BreakpointKind, HitCondition};
use crate::expression::Expression;
use crate::frames::CallVariables;
use crate::hits::{Hits, WithoutValue};
use crate::position::{Direction, Key, Position, Stop};
use crate::scan::{HitsOfCall, Sieve};
use crate::search;
use crate::sifting::{SiftedCall, Sifting};
use crate::stepping::Traveller;

/// More are not kept.
pub const MOST_HITS: usize = 200_000;
/// So many calls and moments are looked at between two looks at the clock.
const BETWEEN_LOOKS: u32 = 1024;
/// Of so many calls every hit is looked for by itself, so that going there needs no search.
const MOST_WALKED: usize = 32;

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
        let hit_condition = hit_condition.filter(|condition| !condition.holds_always());
        let breakpoint = Breakpoint {
            condition,
            hit_condition,
            ..Breakpoint::unlisted(kind)
        };
        breakpoint.look_up(traveller, deadline, None)
    }

    /// The same for who wants to go there: where there are many hits, they are counted, and the next is looked for when
    /// somebody goes on.
    #[must_use]
    pub fn to_go_to(
        traveller: &Traveller<'_>,
        kind: BreakpointKind,
        condition: Option<Expression>,
        hit_condition: Option<HitCondition>,
        deadline: Option<Instant>,
    ) -> Breakpoint {
        let deadline = deadline.filter(|_| hit_condition.is_none());
        let hit_condition = hit_condition.filter(|condition| !condition.holds_always());
        let may_count = hit_condition.is_none();
        let breakpoint = Breakpoint {
            condition,
            hit_condition,
            ..Breakpoint::unlisted(kind)
        };
        breakpoint.look_up(traveller, deadline, may_count.then_some(MOST_WALKED))
    }

    fn look_up(
        self,
        traveller: &Traveller<'_>,
        deadline: Option<Instant>,
        counts_after: Option<usize>,
    ) -> Breakpoint {
        let hits = match counted(traveller, &self, deadline) {
            Some(hits) => hits,
            None => all_hits(traveller, &self, deadline, counts_after),
        };
        Breakpoint { hits, ..self }
    }

    /// Where it is hit, in the order of the run, as far as that was looked up.
    pub fn positions<'all>(
        &'all self,
        traveller: &Traveller<'all>,
    ) -> Box<dyn Iterator<Item = Position> + 'all> {
        if let Some(keys) = &self.hits.keys {
            return Box::new(keys.iter().map(|key| key.position));
        }
        let BreakpointKind::Data(variable) = &self.kind else {
            return Box::new(std::iter::empty());
        };
        let traveller = *traveller;
        let writes = history::writes(traveller.run(), variable).into_iter();
        let stops = writes
            .flatten()
            .filter_map(move |entry| search::stop_of_write(&traveller, &entry.written));
        Box::new(stops.map(|stop| stop.position))
    }
}

/// Counts the hits of one that stops at every write of a variable: the run's index has them all, so that none of the
/// calls that wrote need be looked into before somebody goes there. `None` for all others.
fn counted(
    traveller: &Traveller<'_>,
    breakpoint: &Breakpoint,
    deadline: Option<Instant>,
) -> Option<Hits> {
    let BreakpointKind::Data(variable) = &breakpoint.kind else {
        return None;
    };
    if breakpoint.condition.is_some() || breakpoint.hit_condition.is_some() {
        return None;
    }
    let mut writes = history::writes(traveller.run(), variable)?;
    if let Some(count) = writes.told_by_index() {
        return Some(Hits::counted(count, true));
    }
    let mut count = 0;
    while writes.next().is_some() {
        count += 1;
        if count % BETWEEN_LOOKS as usize == 0 && deadline.is_some_and(|end| Instant::now() >= end)
        {
            return Some(Hits::counted(count, false));
        }
    }
    Some(Hits::counted(count, true))
}

/// Looks a breakpoint up.
fn all_hits(
    traveller: &Traveller<'_>,
    breakpoint: &Breakpoint,
    deadline: Option<Instant>,
    counts_after: Option<usize>,
) -> Hits {
    let mut found = Collected {
        keys: Vec::new(),
        deadline,
        looked_at: 0,
        is_over: false,
        counted: 0,
        without_value: None,
        walked: 0,
        counts_after,
        variables: CallVariables::new(*traveller),
    };
    match &breakpoint.kind {
        BreakpointKind::Data(variable) if !matches!(variable, Variable::Local { .. }) => {
            collect_writes(traveller, breakpoint, variable, &mut found);
        }
        _ => collect_in_calls(traveller, breakpoint, &mut found),
    }
    let without_value = found.without_value;
    if found.counted > 0 {
        let count = found.counted + found.keys.len();
        return Hits {
            without_value,
            ..Hits::counted(count, !found.is_over)
        };
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
    // Which of them are left is not known where the hits were chosen by their number.
    let without_value = without_value.filter(|_| breakpoint.hit_condition.is_none());
    Hits {
        without_value,
        ..Hits::listed(keys, !found.is_over)
    }
}

struct Collected<'run> {
    keys: Vec<Key>,
    deadline: Option<Instant>,
    looked_at: u32,
    is_over: bool,
    /// Hits that are not among the keys.
    counted: usize,
    without_value: Option<WithoutValue>,
    /// How many calls were walked.
    walked: usize,
    /// After so many, calls whose hits are known in number are not walked any more; `None` if all have to be.
    counts_after: Option<usize>,
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
        match breakpoint.judged(&mut self.variables, &stop) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                let first = || WithoutValue {
                    count: 0,
                    why: error.to_string(),
                };
                self.without_value.get_or_insert_with(first).count += 1;
            }
        }
        self.keys.push(stop.key());
    }

    fn only_counts(&self) -> bool {
        self.counts_after.is_some_and(|after| self.walked >= after)
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
    let sieve = Sieve::of(traveller, breakpoint);
    for thread in run.trace().threads() {
        let Some(calls) = traveller
            .calls(thread)
            .filter(|_| candidates.may_be_in(thread))
        else {
            continue;
        };
        let sifting = Sifting {
            traveller: *traveller,
            breakpoint,
            candidates: &candidates,
            sieve: sieve.as_ref(),
            calls,
            open: Vec::new(),
            counts_all: true,
            deadline: found.deadline,
        };
        let mut sifted = sifting.sift(0..calls.len(), Direction::Forwards);
        for SiftedCall { index, hits } in sifted.by_ref() {
            if let HitsOfCall::Known(count) = hits
                && found.only_counts()
            {
                found.counted += count;
                continue;
            }
            let call = CallId::new(thread, index);
            let Some(mut moments) = run.node(call).and_then(|node| traveller.moments(node)) else {
                continue;
            };
            found.walked += 1;
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
        if sifted.is_cut_off() {
            found.is_over = true;
            return;
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
