//! Which instructions failing tests executed and passing tests did not: the spectrum of a run, finer than by methods.
//!
//! A mistake in a branch that only the failing test takes is nothing that the list of methods shows, if passing tests
//! ran the same method. So the calls of all tests are re-executed, and a method is as suspicious as the most suspicious
//! of its instructions, by Ochiai's measure (see [`Suspicion`]). Each method is re-executed for each test until it is
//! known to have executed all of its code there; how much is re-executed has a bound, beyond which there is no
//! spectrum rather than a part of one.

use std::collections::HashMap;

use debug_engine::{ExecutionTree as _, NodeId};
use frame_replay::CodeCoverage;
use java_model::run::JavaRun;
use java_model::testing::{Suspicion, TestCall, TestVerdict};
use trace_format::MethodId;

/// No more calls than this are re-executed,
const MOST_CALLS: u32 = 100_000;
/// and no more instructions than this.
const MOST_STEPS: u64 = 20_000_000;
/// A call of a test that executes more by itself counts as one that executed all of its method.
const MOST_STEPS_OF_CALL: u64 = 1_000_000;

/// How suspicious each method is by the most suspicious of its instructions. Empty if no test failed, none passed, or
/// they made too many calls.
#[derive(Debug, Default)]
pub(crate) struct CodeSpectrum(HashMap<MethodId, Suspicion>);

/// Which tests executed each instruction of a method.
#[derive(Default)]
struct MethodRuns {
    failed: Vec<u32>,
    passed: Vec<u32>,
    /// What the current test executed.
    current: Vec<bool>,
    /// The current test, from 1.
    test: usize,
    is_failure: bool,
}

impl CodeSpectrum {
    /// The spectrum of a run, worked out once.
    pub(crate) fn of(run: &JavaRun) -> &CodeSpectrum {
        run.facts().get_or_make(|| CodeSpectrum::find(run))
    }

    /// How suspicious a method is; `None` if no test ran it, or nothing is known of any.
    pub(crate) fn suspicion(&self, method: MethodId) -> Option<Suspicion> {
        self.0.get(&method).copied()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn find(run: &JavaRun) -> CodeSpectrum {
        let (tests, parts) = run.parts_of_tests(|test| test.verdict != TestVerdict::Skipped);
        let is_failure = |test: &&&TestCall| test.verdict.is_failure();
        let failed = tests.iter().filter(is_failure).count();
        let sizes = parts
            .iter()
            .map(|part| u64::from(run.subtree_size(part.node)));
        let calls: u64 = sizes.sum();
        if failed == 0 || failed == tests.len() || calls > u64::from(MOST_CALLS) {
            return CodeSpectrum::default();
        }
        let mut methods: HashMap<MethodId, MethodRuns> = HashMap::new();
        let mut steps = 0;
        for part in &parts {
            let end = part.node.0 + run.subtree_size(part.node);
            for node in (part.node.0 + 1..end).map(NodeId) {
                let runs = methods.entry(run.method(node)).or_default();
                runs.begin(part.test + 1, tests[part.test].verdict.is_failure());
                if runs.is_whole() {
                    continue;
                }
                steps += runs.execute(run, node);
                if steps > MOST_STEPS {
                    return CodeSpectrum::default();
                }
            }
        }
        let scored = methods.into_iter().filter_map(|(method, mut runs)| {
            runs.begin(0, false);
            Some((method, runs.suspicion(failed)?))
        });
        CodeSpectrum(scored.collect())
    }
}

impl MethodRuns {
    /// Counts what another test executed, and begins anew.
    fn begin(&mut self, test: usize, is_failure: bool) {
        if self.test == test {
            return;
        }
        let counts = match self.is_failure {
            true => &mut self.failed,
            false => &mut self.passed,
        };
        counts.resize(counts.len().max(self.current.len()), 0);
        for (count, was_executed) in counts.iter_mut().zip(&mut self.current) {
            *count += u32::from(std::mem::take(was_executed));
        }
        self.test = test;
        self.is_failure = is_failure;
    }

    fn is_whole(&self) -> bool {
        !self.current.is_empty() && self.current.iter().all(|&was_executed| was_executed)
    }

    /// Adds what a call executed, and tells how many instructions that were.
    fn execute(&mut self, run: &JavaRun, node: NodeId) -> u64 {
        let executed = run.call_id(node).map(|id| {
            CodeCoverage::executed_instructions(run.trace(), run.program(), id, MOST_STEPS_OF_CALL)
        });
        match executed {
            Some(Ok(Some(executed))) => {
                self.current
                    .resize(executed.instructions.len().max(self.current.len()), false);
                for (known, was_executed) in self.current.iter_mut().zip(executed.instructions) {
                    *known |= was_executed;
                }
                executed.steps
            }
            Some(Ok(None)) => {
                self.current.fill(true);
                MOST_STEPS_OF_CALL
            }
            // What cannot be re-executed has begun all the same.
            _ => {
                self.current.resize(self.current.len().max(1), false);
                self.current[0] = true;
                1
            }
        }
    }

    /// Of the most suspicious instruction.
    fn suspicion(&self, all_failed: usize) -> Option<Suspicion> {
        let length = self.failed.len().max(self.passed.len());
        let at = |counts: &[u32], place: usize| counts.get(place).copied().unwrap_or(0);
        let found = (0..length).map(|place| {
            Suspicion::ochiai(at(&self.failed, place), at(&self.passed, place), all_failed)
        });
        found.max_by(|one, other| one.score.total_cmp(&other.score))
    }
}
