//! Search among all calls, by name or by value. A request looks for a short time only and says how far it
//! came: whoever searches goes on from there, or stops.

use std::collections::HashSet;
use std::ops::Range;
use std::panic::resume_unwind;
use std::time::{Duration, Instant};

use debug_engine::view::render;
use debug_engine::{NodeId, RoutineId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tree::{LARGEST_PAGE, SHORT, TreeRow, row, usual_page};
use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use java_analysis::recording::Recording;
use java_model::node_view::with_statics_as_inputs;

/// A search that takes longer than this says how far it came.
const LONGEST_SEARCH: Duration = Duration::from_millis(60);
/// Calls whose names are looked at between two looks at the clock.
const BETWEEN_LOOKS: u32 = 1024;
/// Calls whose values a thread looks at between two looks at the clock, each of which takes some 50 µs.
const VALUES_BETWEEN_LOOKS: u32 = 128;
/// More threads than this are not kept busy for one search.
const MOST_THREADS: usize = 8;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Search {
    /// A part of a class's or method's name, or of what a call's line shows.
    text: String,
    /// Whether to look at arguments, results and changes instead of names.
    #[serde(default)]
    values: bool,
    /// The first node to look at.
    #[serde(default)]
    from: u32,
    /// How many at most.
    #[serde(default = "usual_page")]
    most: usize,
}

/// What a search has found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SearchHits {
    rows: Vec<TreeRow>,
    /// Where to go on, if not everything was looked at.
    next: Option<u32>,
}

pub fn found(run: &RunSnapshot, wanted: &Search) -> Result<SearchHits, ApiError> {
    let recording = run.recording();
    let sought = wanted.text.trim().to_lowercase();
    if sought.is_empty() {
        return Err(ApiError::mistake("nothing to search for"));
    }
    if wanted.values {
        let is_hit = |node| in_values(recording, node, &sought);
        return Ok(walk_together(run, wanted, &is_hit));
    }
    let routines = routines_with(recording, &sought);
    if routines.is_empty() {
        return Ok(SearchHits {
            rows: Vec::new(),
            next: None,
        });
    }
    // Calls of the same method often follow each other.
    let mut last = (None, false);
    Ok(walk(run, wanted, BETWEEN_LOOKS, |node| {
        let routine = recording.routine(node);
        if last.0 != Some(routine) {
            last = (Some(routine), routines.contains(&routine));
        }
        last.1
    }))
}

/// Goes through the calls until there are enough hits or no time is left.
fn walk(
    run: &RunSnapshot,
    wanted: &Search,
    between_looks: u32,
    mut is_hit: impl FnMut(NodeId) -> bool,
) -> SearchHits {
    let most = wanted.most.clamp(1, LARGEST_PAGE);
    let started = Instant::now();
    let mut rows = Vec::new();
    for node in (wanted.from..run.recording().len()).map(NodeId) {
        if !is_hit(node) {
            let is_look = node.0 % between_looks == 0;
            if is_look && started.elapsed() > LONGEST_SEARCH {
                let next = Some(node.0 + 1);
                return SearchHits { rows, next };
            }
            continue;
        }
        // Writing a hit down can take longer than finding it.
        if rows.len() == most || (!rows.is_empty() && started.elapsed() > LONGEST_SEARCH) {
            let next = Some(node.0);
            return SearchHits { rows, next };
        }
        rows.push(row(run, node));
    }
    SearchHits { rows, next: None }
}

/// The same on all cores: looking at values takes long.
fn walk_together(
    run: &RunSnapshot,
    wanted: &Search,
    is_hit: &(dyn Fn(NodeId) -> bool + Sync),
) -> SearchHits {
    let most = wanted.most.clamp(1, LARGEST_PAGE);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(MOST_THREADS);
    let started = Instant::now();
    let (mut from, end) = (wanted.from, run.recording().len());
    let mut rows = Vec::new();
    while from < end {
        if from > wanted.from && started.elapsed() > LONGEST_SEARCH {
            let next = Some(from);
            return SearchHits { rows, next };
        }
        let (hits, next) = hits_among(from..end, threads, is_hit);
        for node in hits {
            // Writing a hit down can take longer than finding it.
            if rows.len() == most || (!rows.is_empty() && started.elapsed() > LONGEST_SEARCH) {
                let next = Some(node.0);
                return SearchHits { rows, next };
            }
            rows.push(row(run, node));
        }
        from = next;
    }
    SearchHits { rows, next: None }
}

/// The hits among the next calls, in order, each thread having looked at some of them, and the call after those.
fn hits_among(
    calls: Range<u32>,
    threads: usize,
    is_hit: &(dyn Fn(NodeId) -> bool + Sync),
) -> (Vec<NodeId>, u32) {
    let part = |number: usize| {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let begin = number.saturating_mul(VALUES_BETWEEN_LOOKS);
        calls.start.saturating_add(begin).min(calls.end)
    };
    let hits = |number: usize| -> Vec<NodeId> {
        let nodes = (part(number)..part(number + 1)).map(NodeId);
        nodes.filter(|&node| is_hit(node)).collect()
    };
    let hits = &hits;
    let found = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|it| scope.spawn(move || hits(it)))
            .collect();
        let mut found = hits(0);
        for other in others {
            // What went wrong there goes wrong here.
            found.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        found
    });
    (found, part(threads))
}

/// The routines whose class or own name has this in it.
fn routines_with(recording: &dyn Recording, sought: &str) -> HashSet<RoutineId> {
    let mut found = HashSet::new();
    recording.each_routine(&mut |routine, name| {
        if name.to_lowercase().contains(sought) {
            found.insert(routine);
        }
    });
    found
}

/// Whether a call's values tell this, near enough to be shown: its arguments, its result, what it changed.
/// What lies deeper is found at the call that was given it.
fn in_values(recording: &dyn Recording, node: NodeId, sought: &str) -> bool {
    let view = with_statics_as_inputs(recording.exact_view(node, SHORT));
    let line = render::one_line(&view, SHORT).to_lowercase();
    let values = line.split_once('(').map_or("", |(_, values)| values);
    values.contains(sought)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_threads_find_together_is_what_one_finds_alone() {
        let is_hit = |node: NodeId| node.0 % 7 == 3 || node.0.is_multiple_of(129);
        for (from, end) in [(0, 0), (0, 1), (5, 1000), (127, 129), (0, 12_345)] {
            let expected: Vec<NodeId> = (from..end).map(NodeId).filter(|&it| is_hit(it)).collect();
            for threads in [1, 2, 3, 8] {
                let (mut found, mut next) = (Vec::new(), from);
                while next < end {
                    let (hits, after) = hits_among(next..end, threads, &is_hit);
                    assert!(after > next);
                    found.extend(hits);
                    next = after;
                }
                assert_eq!(found, expected, "{from}..{end} with {threads}");
            }
        }
    }
}
