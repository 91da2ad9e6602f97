//! Where the bug is likeliest to be, before any answer and after some: methods by what is believed of their calls.
//!
//! A list to look at, not a diagnosis: nothing in it is proven.

use std::collections::HashMap;

use debug_engine::strategy::likeliest;
use debug_engine::{NodeId, RoutineId, Session};

/// A method that may be to blame.
#[derive(Clone, Debug, PartialEq)]
pub struct LikelySuspect {
    pub routine: RoutineId,
    /// The likeliest of its calls.
    pub call: NodeId,
    /// How many of its calls are suspects.
    pub calls: usize,
    /// From 0 to 1, over all suspects.
    pub likelihood: f64,
    /// What speaks against the call, in sentences without their ends.
    pub reasons: Vec<String>,
}

/// The likeliest methods, the likeliest first, no more than `most`. Empty if nothing is believed of the run.
#[must_use]
pub fn suspects(session: &Session, most: usize) -> Vec<LikelySuspect> {
    let tree = session.tree();
    let mut places: HashMap<RoutineId, usize> = HashMap::new();
    let mut suspects: Vec<LikelySuspect> = Vec::new();
    for (call, likelihood) in likeliest(session.space()).unwrap_or_default() {
        let routine = tree.routine(call);
        let place = *places.entry(routine).or_insert(suspects.len());
        match suspects.get_mut(place) {
            Some(suspect) => {
                suspect.likelihood += likelihood;
                suspect.calls += 1;
            }
            None => suspects.push(LikelySuspect {
                routine,
                call,
                calls: 1,
                likelihood,
                reasons: Vec::new(),
            }),
        }
    }
    suspects.sort_by(|one, other| {
        let by_likelihood = other.likelihood.total_cmp(&one.likelihood);
        by_likelihood.then(one.call.cmp(&other.call))
    });
    suspects.truncate(most);
    for suspect in &mut suspects {
        suspect.reasons = session.reasons(suspect.call);
    }
    suspects
}
