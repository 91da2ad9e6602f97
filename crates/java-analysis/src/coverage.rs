//! What each call covered of its method's code, for the strategies that weigh calls by it.
//!
//! A call is re-executed when its coverage is first asked for, and the result is kept. Edges and chains
//! of different methods are different keys, and so are those of one method: a key is a number made from
//! the method and the place in its code.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};

use debug_engine::strategy::{Coverage, CoverageKey, CoverageMetric};
use debug_engine::{ExecutionTree as _, NodeId};
use frame_replay::CodeCoverage as Covered;
use trace_format::MethodId;

use java_model::run::JavaRun;

/// The coverage of a run's calls.
pub struct CallCoverage {
    run: Arc<JavaRun>,
    metric: CoverageMetric,
    known: Mutex<HashMap<NodeId, Arc<[CoverageKey]>>>,
}

impl CallCoverage {
    #[must_use]
    pub fn new(run: Arc<JavaRun>, metric: CoverageMetric) -> Self {
        CallCoverage {
            run,
            metric,
            known: Mutex::default(),
        }
    }

    /// How many calls there are.
    #[must_use]
    pub fn calls(&self) -> u32 {
        self.run.len()
    }

    /// What a call covered, if it was asked for before.
    #[must_use]
    pub fn known(&self, node: NodeId) -> Option<Arc<[CoverageKey]>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&node).map(Arc::clone)
    }

    fn replay(&self, node: NodeId) -> Arc<[CoverageKey]> {
        let method = self.run.method(node);
        let id = self.run.call_id(node);
        let covered = |id| Covered::of(self.run.trace(), self.run.program(), id);
        let covered = id.and_then(|id| self.run.executed(covered(id)));
        let mut keys: Vec<CoverageKey> = match (covered, self.metric) {
            (Some(covered), CoverageMetric::Branches) => keys(method, covered.outcomes),
            (Some(covered), CoverageMetric::Edges) => keys(method, covered.edges),
            (Some(covered), CoverageMetric::DefUse) => keys(method, covered.chains),
            (None, _) => Vec::new(),
        };
        if keys.is_empty() || self.metric == CoverageMetric::Branches {
            // Straight code, or a call that cannot be re-executed: it has run all the same.
            keys.push(key(method, "entered"));
        }
        keys.into()
    }
}

impl Coverage for CallCoverage {
    fn keys(&self, node: NodeId) -> Option<Arc<[CoverageKey]>> {
        if let Some(keys) = self.known(node) {
            return Some(keys);
        }
        let keys = self.replay(node);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(node, Arc::clone(&keys));
        Some(keys)
    }
}

fn keys<Place: Hash>(
    method: MethodId,
    places: impl IntoIterator<Item = Place>,
) -> Vec<CoverageKey> {
    let places = places.into_iter();
    places.map(|place| key(method, place)).collect()
}

fn key(method: MethodId, place: impl Hash) -> CoverageKey {
    let mut hasher = DefaultHasher::new();
    (method.0, place).hash(&mut hasher);
    CoverageKey(hasher.finish())
}
