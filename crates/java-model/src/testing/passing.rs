//! The calls that passing tests made, by method: what they did is presumed right.

use std::collections::HashMap;

use debug_engine::NodeId;
use trace_format::MethodId;

use super::{TestName, TestVerdict, below};
use crate::run::JavaRun;

/// No more calls of a method than this are looked at: tests mostly repeat themselves.
const MOST_CALLS: usize = 400;

/// Calls below passing tests, each with the number of its test.
#[derive(Clone, Debug, Default)]
pub struct PassingCalls {
    tests: Vec<TestName>,
    calls: HashMap<MethodId, Vec<(NodeId, usize)>>,
}

impl PassingCalls {
    /// One pass over the calls of a run.
    #[must_use]
    pub fn of(run: &JavaRun) -> PassingCalls {
        let (passed, parts) = run.parts_of_tests(|test| test.verdict == TestVerdict::Passed);
        let mut found = PassingCalls {
            tests: passed.iter().map(|test| test.name.clone()).collect(),
            calls: HashMap::new(),
        };
        below::visit(run, &parts, &mut |test, routine, node| {
            let calls = found.calls.entry(MethodId(routine.0)).or_default();
            if calls.len() < MOST_CALLS {
                calls.push((node, test));
            }
        });
        found
    }

    /// Calls of a method, each with its test.
    pub fn calls(&self, method: MethodId) -> impl Iterator<Item = (NodeId, &TestName)> {
        let calls = self.calls.get(&method).into_iter().flatten();
        calls.map(|&(node, test)| (node, &self.tests[test]))
    }
}
