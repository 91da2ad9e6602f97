//! Waypoints in the events of long calls, kept so that no call is walked from its start twice.
//!
//! A call of millions of events takes seconds to walk. Whoever walks one leaves waypoints behind, at
//! even distances, and whoever comes later, in the same process, starts from the nearest. Both what is kept of
//! a call and what is kept of all of them is bounded.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use debug_engine::NodeId;
use frame_replay::Checkpoint;
use trace_format::EventPosition;
use trace_store::OwnPlace;

/// Events between two waypoints, as long as there are few.
const FIRST_DISTANCE: u64 = 256;
/// Waypoints of one call; with more, every other one goes.
const MOST: usize = 2048;
/// Calls with fewer are quickly walked again.
const WORTH_KEEPING: usize = 8;
/// Bytes of all calls.
const MOST_BYTES: usize = 48 << 20;

/// Where a walk stood, between two instructions. Plain data, as all in it.
#[derive(Clone, Debug)]
pub(super) struct Waypoint {
    /// The number of the next event.
    pub(super) next: u64,
    pub(super) replayed: bool,
    pub(super) ended: bool,
    pub(super) line: Option<u16>,
    /// The last instruction.
    pub(super) before: Option<usize>,
    /// Before the event that was looked at ahead.
    pub(super) own: OwnPlace,
    /// Everything before it has happened.
    pub(super) position: EventPosition,
    pub(super) checkpoint: Option<Checkpoint>,
}

/// Waypoints of one call, in the order of their events; the first is its start.
#[derive(Clone, Debug)]
pub(super) struct Waypoints {
    list: Vec<Waypoint>,
    distance: u64,
    /// Why the call cannot be re-executed from some waypoint on.
    pub(super) trouble: Option<String>,
}

impl Waypoints {
    pub(super) fn new(start: Waypoint) -> Self {
        Waypoints {
            list: vec![start],
            distance: FIRST_DISTANCE,
            trouble: None,
        }
    }

    /// Whether a walk that is before this event should leave a waypoint.
    pub(super) fn is_due(&self, next: u64) -> bool {
        let last = self.list.last().map_or(0, |waypoint| waypoint.next);
        next >= last + self.distance
    }

    pub(super) fn add(&mut self, waypoint: Waypoint) {
        self.list.push(waypoint);
        if self.list.len() >= MOST {
            let mut number = 0;
            self.list.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.distance *= 2;
        }
    }

    /// The last waypoint before which the event of this number has not happened.
    pub(super) fn before_event(&self, event: u64) -> Option<&Waypoint> {
        let after = self.list.partition_point(|waypoint| waypoint.next <= event);
        self.list.get(after.saturating_sub(1))
    }

    /// The last waypoint before which nothing at or after a position has happened.
    pub(super) fn before_position(&self, position: EventPosition) -> Option<&Waypoint> {
        let reached = |waypoint: &Waypoint| waypoint.position <= position;
        let after = self.list.partition_point(reached);
        self.list.get(after.saturating_sub(1))
    }

    fn reach(&self) -> u64 {
        self.list.last().map_or(0, |waypoint| waypoint.next)
    }

    fn bytes(&self) -> usize {
        let own = |waypoint: &Waypoint| {
            let kept = waypoint.checkpoint.as_ref();
            size_of::<Waypoint>() + kept.map_or(0, Checkpoint::size)
        };
        self.list.iter().map(own).sum()
    }
}

/// Waypoints of the calls that were walked last.
#[derive(Debug, Default)]
pub(super) struct KeptWaypoints {
    calls: Mutex<VecDeque<(NodeId, Arc<Waypoints>)>>,
}

impl KeptWaypoints {
    pub(super) fn of(&self, node: NodeId) -> Option<Arc<Waypoints>> {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let found = calls.iter().find(|(known, _)| *known == node);
        found.map(|(_, waypoints)| Arc::clone(waypoints))
    }

    /// Keeps the waypoints of a call, if they reach farther than what is known of it.
    pub(super) fn keep(&self, node: NodeId, waypoints: &Arc<Waypoints>) {
        if waypoints.list.len() < WORTH_KEEPING {
            return;
        }
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = calls.iter().position(|(known, _)| *known == node)
            && let Some((_, known)) = calls.remove(at)
            && known.reach() > waypoints.reach()
        {
            calls.push_front((node, known));
            return;
        }
        calls.push_front((node, Arc::clone(waypoints)));
        let mut bytes = 0;
        let fitting = calls.iter().take_while(|(_, waypoints)| {
            bytes += waypoints.bytes();
            bytes <= MOST_BYTES
        });
        let fitting = fitting.count();
        calls.truncate(fitting.max(1));
    }
}
