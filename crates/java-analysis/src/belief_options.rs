//! What a belief about the calls of a run goes by.

use debug_engine::RoutineId;

/// How to go by belief.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BeliefOptions {
    /// How suspicious methods are, from 0 to 1, by what is known from elsewhere; empty if nothing is.
    pub suspicion: Vec<(RoutineId, f64)>,
    pub evidence: EvidenceUsed,
    /// Whoever answers takes one call at a time.
    pub one_by_one: bool,
}

/// Which evidence counts; all of it, unless somebody measures what each is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvidenceUsed {
    /// The part that calls had in the symptom.
    pub slice: bool,
    /// What failing and passing tests ran.
    pub tests: bool,
    /// What is said of methods from elsewhere.
    pub suspicion: bool,
    /// How much code there is.
    pub code: bool,
}

impl Default for EvidenceUsed {
    fn default() -> Self {
        EvidenceUsed {
            slice: true,
            tests: true,
            suspicion: true,
            code: true,
        }
    }
}
