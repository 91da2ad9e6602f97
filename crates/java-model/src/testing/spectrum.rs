//! Which methods failing tests ran and passing tests did not: the spectrum of a run, and from it how suspicious
//! each method is.
//!
//! The measure is Ochiai's: failed(m) / √(failed · (failed(m) + passed(m))), where failed(m) and passed(m) count the
//! tests that ran m. It is 1 for a method that all failing tests ran and no passing one, and 0 for one that no
//! failing test ran. It says where to look first. It proves nothing.

use std::collections::HashMap;

use debug_engine::{NodeId, RoutineId};
use serde::Serialize;
use trace_format::MethodId;

use super::{TestVerdict, below};
use crate::run::JavaRun;

/// How suspicious a method is, and why.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Suspicion {
    /// From 0 to 1.
    pub score: f64,
    /// Failing tests that ran it.
    pub failed: u32,
    /// Passing tests that ran it.
    pub passed: u32,
}

impl Suspicion {
    /// Of what so many failing and passing tests ran, by Ochiai's measure.
    #[must_use]
    pub fn ochiai(failed: u32, passed: u32, all_failed: usize) -> Suspicion {
        let all = f64::from(u32::try_from(all_failed).unwrap_or(u32::MAX));
        let ran = f64::from(failed + passed);
        let score = match failed {
            0 => 0.0,
            failed => f64::from(failed) / (all * ran).sqrt(),
        };
        Suspicion {
            score,
            failed,
            passed,
        }
    }
}

/// The methods that tests ran, those of the test classes left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spectrum(HashMap<MethodId, Suspicion>);

impl Spectrum {
    /// The spectrum of a run; empty if no test failed. One pass over its calls.
    #[must_use]
    pub fn of(run: &JavaRun) -> Spectrum {
        let (tests, parts) = run.parts_of_tests(|test| test.verdict != TestVerdict::Skipped);
        let failed = tests
            .iter()
            .filter(|test| test.verdict.is_failure())
            .count();
        if failed == 0 {
            return Spectrum::default();
        }
        let mut ran: HashMap<RoutineId, Ran> = HashMap::new();
        below::visit(run, &parts, &mut |test, routine, _| {
            let is_failure = tests[test].verdict.is_failure();
            ran.entry(routine).or_default().by(test, is_failure);
        });
        let scored = ran.into_iter().filter_map(|(routine, ran)| {
            let method = MethodId(routine.0);
            let class = run.classes().get(run.method_names(method).class);
            let is_of_tests = class.is_some_and(|class| !class.tests.is_empty());
            (!is_of_tests).then(|| (method, ran.suspicion(failed)))
        });
        Spectrum(scored.collect())
    }

    /// How suspicious a method is; `None` if no test ran it.
    #[must_use]
    pub fn suspicion(&self, method: MethodId) -> Option<Suspicion> {
        self.0.get(&method).copied()
    }
}

/// The tests that ran a method.
#[derive(Default)]
struct Ran {
    failed: u32,
    passed: u32,
    /// The last test that was counted, from 1.
    last: usize,
}

impl Ran {
    fn by(&mut self, test: usize, is_failure: bool) {
        if self.last != test + 1 {
            self.last = test + 1;
            self.failed += u32::from(is_failure);
            self.passed += u32::from(!is_failure);
        }
    }

    fn suspicion(&self, all_failed: usize) -> Suspicion {
        Suspicion::ochiai(self.failed, self.passed, all_failed)
    }
}

impl JavaRun {
    /// How suspicious tests make the method of a call; `None` if none failed, or none ran it.
    #[must_use]
    pub fn suspicion(&self, node: NodeId) -> Option<Suspicion> {
        self.spectrum().suspicion(self.method(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ochiai() {
        let score = |failed, passed, all| {
            let ran = Ran {
                failed,
                passed,
                last: 0,
            };
            ran.suspicion(all).score
        };
        assert!((score(2, 0, 2) - 1.0).abs() < 1e-9);
        assert!((score(1, 3, 1) - 0.5).abs() < 1e-9);
        assert!(score(0, 3, 1).abs() < 1e-9);
        assert!(score(1, 1, 2) < score(2, 1, 2));
    }
}
