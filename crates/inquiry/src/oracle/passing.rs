//! Behaviours that passing tests showed are presumed right: the same method, from the same state to the same state,
//! in the same run.
//!
//! A test that passes may not have looked at what a call did. So this is a presumption and no judgement: it is
//! told with the test that it comes from, anybody overrules it, a revision doubts it first, and no call is
//! blamed because those that it made are presumed right (see `Session::reopen_presumptions`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use debug_engine::oracle::Oracle;
use debug_engine::session::{Answer, AnswerSource};
use debug_engine::{ExecutionTree as _, NodeId};
use trace_format::MethodId;

use super::behaviour;
use super::canonical::Fingerprint;
use java_model::run::JavaRun;
use java_model::testing::{PassingCalls, TestName};

/// Stretches of more calls are not compared.
const LONGEST_STRETCH: usize = 100;

/// What passing tests say.
#[derive(Clone)]
pub struct PassingTests {
    run: Arc<JavaRun>,
    calls: Arc<PassingCalls>,
    /// Of each method that was asked about: what it did in passing tests.
    seen: HashMap<MethodId, HashMap<Behaviour, TestName>>,
}

type Behaviour = (Fingerprint, Fingerprint);

impl PassingTests {
    /// The passing tests of a run.
    #[must_use]
    pub fn of(run: &Arc<JavaRun>) -> PassingTests {
        PassingTests {
            run: Arc::clone(run),
            calls: Arc::new(PassingCalls::of(run)),
            seen: HashMap::new(),
        }
    }

    /// A passing test in which the same happened.
    fn witness(&mut self, node: NodeId) -> Option<TestName> {
        let behaviour = behaviour::whole(&self.run, node)?;
        let (run, calls) = (&self.run, &self.calls);
        let method = run.method(node);
        let seen = self.seen.entry(method).or_insert_with(|| {
            let mut seen = HashMap::new();
            for (call, test) in calls.calls(method) {
                if let Some(behaviour) = behaviour::whole(run, call) {
                    seen.entry(behaviour).or_insert_with(|| test.clone());
                }
            }
            seen
        });
        seen.get(&behaviour).cloned()
    }
}

impl Oracle for PassingTests {
    fn source(&self) -> AnswerSource {
        AnswerSource::Tests
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        let test = self.witness(node)?;
        self.run.note_witness(node, test.to_string());
        Some(Answer::Yes)
    }

    fn judge_range(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        let run = Arc::clone(&self.run);
        let next = |&node: &NodeId| {
            let next = NodeId(node.0 + run.subtree_size(node));
            (next <= last).then_some(next)
        };
        let calls: Vec<NodeId> = std::iter::successors(Some(first), next)
            .take(LONGEST_STRETCH + 1)
            .collect();
        if calls.len() > LONGEST_STRETCH {
            return None;
        }
        let mut tests = HashSet::new();
        for call in calls {
            tests.insert(self.witness(call)?.to_string());
        }
        let mut tests: Vec<String> = tests.into_iter().collect();
        tests.sort_unstable();
        run.note_witness(first, tests.join(", "));
        Some(Answer::Yes)
    }
}
