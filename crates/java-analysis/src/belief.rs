//! What is believed of the calls of a Java program before anybody was asked, and what they cost to read.
//!
//! Evidence of several kinds is multiplied, as if each were independent of the others: how much code a method has
//! and how much it decides, whether it is a test or the program's `main`, what passing and failing tests ran
//! ([`spectrum`](java_model::testing::Spectrum)), what changed lately, and the part that a call had in the symptom
//! ([`relevance`](crate::relevance)). What each kind is worth was measured; `docs/conversation.md` has the table. The
//! weights are those of a logistic regression over recorded mutants and examples (`conversation-probe evidence` prints
//! what it is made of), rounded; those that the mutants of all other programs give rank the mutants of a program as
//! well.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use debug_engine::session::{QuestionCost, ValuePath};
use debug_engine::strategy::{Belief, Relevance};
use debug_engine::{ExecutionTree as _, NodeId, RoutineId, Target};
use trace_format::MethodId;

pub use super::belief_options::{BeliefOptions, EvidenceUsed};
use super::code_spectrum::CodeSpectrum;
use super::reading::Reading;
use super::recording::Recording;
use super::relevance::Parts;
use java_model::run::JavaRun;
use java_model::testing::Suspicion;

/// Methods that do no more than this only fetch, keep or pass on.
const TRIVIAL: usize = 6;
/// How likely those are to be wrong, where a method of nine instructions has 3.
const OF_TRIVIAL: f64 = 0.35;
/// What is left for the methods of tests, which are read by whoever is asked anyway.
const OF_TESTS: f64 = 0.3;
/// What is left for a program's `main`,
const OF_MAIN: f64 = 0.05;
/// and for constructors.
const OF_CONSTRUCTORS: f64 = 0.5;
/// The same for static initialisers, which have much code because they list constants.
const OF_STATIC_INITIALISERS: f64 = 0.1;
/// What is left for a method that somebody called unsuspicious.
const UNSUSPICIOUS: f64 = 0.05;

/// How a likelihood grows with a score from 0 to 1: *e* to the power of so much for each, and for each squared. By
/// which tests ran a method it is 12 times as high for 1 as for 0,
const BY_METHODS: [f64; 2] = [1.0, 1.5];
/// and by which tests executed the most suspicious of its instructions 22 times.
const BY_INSTRUCTIONS: [f64; 2] = [1.2, 1.9];

/// With more calls than this it is not looked up which test ran which methods.
const MOST_CALLS_OF_TESTS: u32 = 20_000_000;

/// What is known of a method before anybody was asked.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct MethodFacts {
    pub instructions: usize,
    pub decisions: usize,
    pub calls: usize,
    pub is_of_tests: bool,
    pub is_main: bool,
    pub is_constructor: bool,
    pub is_static_initialiser: bool,
    /// From 0 to 1, by which tests ran it; `None` if nothing is known of that.
    pub by_methods: Option<f64>,
    /// The same by which tests executed the most suspicious of its instructions.
    pub by_instructions: Option<f64>,
}

/// What is wrong, and in which part.
type WrongPlace = (Target, Option<ValuePath>);

/// See the module's header.
pub struct JavaBelief {
    run: Arc<JavaRun>,
    reading: Reading,
    /// How suspicious methods are, from 0 to 1, if anything is known of that.
    suspicion: HashMap<RoutineId, f64>,
    evidence: EvidenceUsed,
    one_by_one: bool,
    /// What was followed backwards.
    followed: Mutex<HashMap<WrongPlace, Arc<Parts>>>,
    /// What ran last, of a run that was stopped.
    last_rounds: OnceLock<Parts>,
}

impl JavaBelief {
    #[must_use]
    pub fn new(run: Arc<JavaRun>, wanted: &BeliefOptions) -> Self {
        let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&run);
        JavaBelief {
            run,
            reading: Reading::of(&recording),
            suspicion: wanted.suspicion.iter().copied().collect(),
            evidence: wanted.evidence,
            one_by_one: wanted.one_by_one,
            followed: Mutex::default(),
            last_rounds: OnceLock::new(),
        }
    }

    /// The calls that had a part in what is wrong.
    pub fn parts(&self, wrong: Target, part: Option<&ValuePath>) -> Arc<Parts> {
        let key = (wrong, part.cloned());
        let followed = || self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(parts) = followed().get(&key) {
            return Arc::clone(parts);
        }
        let parts = Arc::new(Parts::of(&self.run, wrong, part));
        followed().insert(key, Arc::clone(&parts));
        parts
    }

    /// The calls of the last rounds, if the run was stopped.
    fn last_rounds(&self) -> &Parts {
        self.last_rounds
            .get_or_init(|| match self.run.was_stopped() {
                true => Parts::of_stopped(&self.run),
                false => Parts::default(),
            })
    }

    /// What is said of methods from elsewhere, such as that they changed lately.
    fn by_suspicion(&self, routine: RoutineId) -> f64 {
        if self.suspicion.is_empty() || !self.evidence.suspicion {
            return 1.0;
        }
        let score = self.suspicion.get(&routine).copied();
        weighed(score.unwrap_or(0.0))
    }

    /// What failing and passing tests make of a method's likelihood.
    fn by_tests(&self, facts: &MethodFacts) -> f64 {
        if !self.evidence.tests {
            return 1.0;
        }
        let methods = facts.by_methods.unwrap_or(0.0);
        let instructions = facts.by_instructions.unwrap_or(methods);
        grown(methods, BY_METHODS) * grown(instructions, BY_INSTRUCTIONS)
    }

    /// Whether there are tests that passed and tests that failed, and not too many calls to tell which ran what.
    fn has_spectrum(&self) -> bool {
        let tests = self.run.tests();
        let failed = tests
            .iter()
            .filter(|test| test.verdict.is_failure())
            .count();
        (1..tests.len()).contains(&failed) && self.run.len() <= MOST_CALLS_OF_TESTS
    }

    /// What is known of a method before anybody was asked.
    #[must_use]
    pub fn known_of(&self, routine: RoutineId) -> MethodFacts {
        let method = MethodId(routine.0);
        let code = self.run.code(method);
        let names = self.run.method_names(method);
        let class = self.run.classes().get(names.class);
        let score = |found: Option<Suspicion>| found.map_or(0.0, |found| found.score);
        let has_tests = self.has_spectrum();
        let spectrum = has_tests.then(|| score(self.run.spectrum().suspicion(method)));
        let by_code = has_tests.then(|| CodeSpectrum::of(&self.run));
        let by_code = by_code.filter(|spectrum| !spectrum.is_empty());
        MethodFacts {
            instructions: code.instructions,
            decisions: code.decisions,
            calls: code.calls,
            is_of_tests: class.is_some_and(|class| !class.tests.is_empty()),
            is_main: names.name == "main" && names.descriptor == "([Ljava/lang/String;)V",
            is_constructor: names.name == "<init>",
            is_static_initialiser: names.name == "<clinit>",
            by_methods: spectrum,
            by_instructions: by_code.map(|spectrum| score(spectrum.suspicion(method))),
        }
    }
}

/// What the place of a method leaves of its likelihood.
fn by_place(facts: &MethodFacts) -> f64 {
    let is_there = [
        (facts.is_of_tests, OF_TESTS),
        (facts.is_main, OF_MAIN),
        (facts.is_constructor, OF_CONSTRUCTORS),
        (facts.is_static_initialiser, OF_STATIC_INITIALISERS),
    ];
    let left = is_there.into_iter().filter(|(holds, _)| *holds);
    left.map(|(_, left)| left).product()
}

/// How a likelihood grows with a score from 0 to 1.
fn grown(score: f64, [once, squared]: [f64; 2]) -> f64 {
    (once * score + squared * score * score).exp()
}

/// What a score from 0 to 1 leaves of a likelihood.
fn weighed(score: f64) -> f64 {
    UNSUSPICIOUS + (1.0 - UNSUSPICIOUS) * score * score
}

/// The more code a method has, and the more it decides, the likelier a mistake is in it; not in proportion, because
/// a call does not run all of it.
fn by_code(code: &MethodFacts) -> f64 {
    let is_trivial = code.instructions <= TRIVIAL && code.decisions == 0 && code.calls <= 1;
    match is_trivial {
        true => OF_TRIVIAL,
        false => (code.instructions as f64 + 4.0 * code.decisions as f64).sqrt(),
    }
}

impl Belief for JavaBelief {
    fn prior(&self, routine: RoutineId) -> f64 {
        let facts = self.known_of(routine);
        let by_code = match self.evidence.code {
            true => by_code(&facts),
            false => 1.0,
        };
        by_code * by_place(&facts) * self.by_tests(&facts) * self.by_suspicion(routine)
    }

    fn relevance(&self, wrong: Target, part: Option<&ValuePath>) -> Arc<Relevance> {
        let is_beside_tests = self.evidence.tests && self.has_spectrum();
        Arc::new(match self.evidence.slice {
            true => self.parts(wrong, part).relevance(is_beside_tests),
            false => Relevance::unknown(),
        })
    }

    fn relevance_at_first(&self) -> Arc<Relevance> {
        match self.evidence.slice {
            true => Arc::new(self.last_rounds().relevance(false)),
            false => Arc::new(Relevance::unknown()),
        }
    }

    fn reasons(&self, node: NodeId, wrong: Option<(Target, Option<&ValuePath>)>) -> Vec<String> {
        let part = match wrong {
            Some((wrong, path)) => self.parts(wrong, path).part(node),
            None => self.last_rounds().part(node),
        };
        let mut reasons: Vec<String> = Vec::new();
        reasons.extend(part.map(|part| part.sentence().to_owned()));
        if self.has_spectrum()
            && let Some(found) = self.run.suspicion(node).filter(|found| found.score > 0.5)
        {
            let tests = |count: u32| if count == 1 { "test" } else { "tests" };
            reasons.push(format!(
                "{} failing {} and {} passing {} ran its method",
                found.failed,
                tests(found.failed),
                found.passed,
                tests(found.passed)
            ));
        }
        reasons
    }

    fn takes_lists(&self) -> bool {
        !self.one_by_one
    }

    fn signs(&self, target: Target) -> u64 {
        self.reading.signs(target)
    }

    fn signs_of_line(&self, node: NodeId) -> u64 {
        self.reading.signs_of_line(node)
    }

    fn look_alike(&self, one: NodeId, other: NodeId) -> bool {
        self.reading.line(one) == self.reading.line(other)
    }
}
