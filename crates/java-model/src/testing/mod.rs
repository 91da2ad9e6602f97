//! The tests of a recorded run: which calls were tests, and which of them failed.
//!
//! Test frameworks are not recorded, so a test is a call that comes from nowhere; its class file says
//! by an annotation that it is one. It failed if an exception left it, other than the one that it was
//! to throw or one that skips it; if it was to throw one and did not; or if it never ended, as a test
//! that ran into its time limit. What a framework decides after the call — rules that collect errors,
//! for instance — leaves no trace in the call and is not seen.

mod below;
mod passing;
mod prepared;
mod spectrum;
pub mod verdict;

use std::collections::HashMap;
use std::fmt;

use debug_engine::{ExecutionTree as _, NodeId};
use trace_format::{EndReason, MethodId, ObjectId};

pub use crate::test_marks::{Mark, TestRole, marks_of};
pub use passing::PassingCalls;
pub use prepared::PartOfTest;
pub use spectrum::{Spectrum, Suspicion};
pub use verdict::TestVerdict;

use super::run::JavaRun;
use super::test_marks;

/// A call that a test framework made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCall {
    pub node: NodeId,
    pub name: TestName,
    pub role: TestRole,
    pub verdict: TestVerdict,
    /// The object that it was called on.
    receiver: Option<ObjectId>,
}

/// How a test is named: `shop.CartTest#total`, `shop.CartTest#total[2]` for its second run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TestName {
    /// With its package; nested classes behind `$`.
    pub class: String,
    pub method: String,
    /// Counted from 1, if the method ran several times.
    pub invocation: Option<u32>,
}

impl fmt::Display for TestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.class, self.method)?;
        match self.invocation {
            Some(number) => write!(f, "[{number}]"),
            None => Ok(()),
        }
    }
}

/// The calls that a test framework made, in the order of the nodes.
struct TestCalls(Vec<TestCall>);

/// Whether a run ended of itself.
struct EndedByItself(bool);

impl JavaRun {
    /// The calls that a test framework made, in the order of the nodes.
    #[must_use]
    pub fn tests(&self) -> &[TestCall] {
        &self.facts().get_or_make(|| TestCalls(find(self))).0
    }

    /// What failing and passing tests ran.
    pub fn spectrum(&self) -> &Spectrum {
        self.facts().get_or_make(|| Spectrum::of(self))
    }

    /// Whether the program ended of itself and was recorded to its end, so that the calls which were open then did
    /// all that they were going to do. Not if a test had not ended: then that is what is wrong.
    #[must_use]
    pub fn ended_by_itself(&self) -> bool {
        let ended = self.facts().get_or_make(|| {
            let run_file = self.run_file();
            let end = self.trace().end();
            let is_over = end.is_some_and(|end| end.reason == EndReason::Exit);
            EndedByItself(
                is_over
                    && !self.trace().may_grow()
                    && !run_file.is_some_and(|run| run.was_stopped() || run.no_longer_needed)
                    && !self.has_endless_test(),
            )
        });
        ended.0
    }

    /// Whether a test had not ended when the run was over.
    pub fn has_endless_test(&self) -> bool {
        let never_ended = |test: &TestCall| test.verdict == TestVerdict::NeverEnded;
        self.tests().iter().any(never_ended)
    }
}

/// Which tests somebody means: `CartTest`, `CartTest#total`, `CartTest#total[2]`, with or without the
/// package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestPattern {
    /// As it was written, nested classes behind `$`.
    pub class: String,
    pub method: Option<String>,
    invocation: Option<u32>,
}

impl TestPattern {
    /// Reads a pattern.
    #[must_use]
    pub fn parse(text: &str) -> TestPattern {
        let (class, method) = match text.split_once('#') {
            Some((class, method)) => (class, Some(method)),
            None => (text, None),
        };
        let (method, invocation) = match method.and_then(|method| method.strip_suffix(']')) {
            Some(numbered) => match numbered.rsplit_once('[') {
                Some((method, number)) => (Some(method), number.parse().ok()),
                None => (method, None),
            },
            None => (method, None),
        };
        // `total()` and `total(int)` are how some tools name a method.
        let method = method.map(|method| method.split('(').next().unwrap_or(method));
        TestPattern {
            class: class.trim_end_matches(".class").to_owned(),
            method: method
                .filter(|method| !method.is_empty())
                .map(str::to_owned),
            invocation,
        }
    }

    /// Whether a call is meant. What was to run before a test stands for the test if that never ran.
    #[must_use]
    pub fn matches(&self, test: &TestCall) -> bool {
        let is_fixture = !matches!(test.role, TestRole::Test | TestRole::Factory);
        let method = self.method.as_ref();
        self.is_class(&test.name.class)
            && (is_fixture || method.is_none_or(|method| *method == test.name.method))
            && (self.invocation.is_none() || self.invocation == test.name.invocation)
    }

    fn is_class(&self, class: &str) -> bool {
        let dotted = |name: &str| name.replace('$', ".");
        let (wanted, class) = (dotted(&self.class), dotted(class));
        class == wanted
            || class
                .strip_suffix(&wanted)
                .is_some_and(|before| before.ends_with('.'))
    }
}

/// Finds the tests of a run, in the order of the nodes.
#[must_use]
pub fn find(run: &JavaRun) -> Vec<TestCall> {
    let candidates = Candidates::of(run);
    if candidates.0.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<TestCall> = Vec::new();
    let mut inside = 0;
    run.visit_nodes_of(
        &|routine| candidates.0.contains_key(&MethodId(routine.0)),
        &mut |node| {
            // A test that another one calls is part of that one.
            if node.0 < inside {
                return;
            }
            if let Some(test) = candidates.test(run, node) {
                inside = node.0 + run.subtree_size(node);
                found.push(test);
            }
        },
    );
    number(&mut found);
    found
}

/// Methods that run several times get numbers.
fn number(tests: &mut [TestCall]) {
    let mut counts: HashMap<TestName, u32> = HashMap::new();
    for test in tests.iter().filter(|test| test.role == TestRole::Test) {
        *counts.entry(test.name.clone()).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    let mut next: HashMap<TestName, u32> = HashMap::new();
    for test in tests.iter_mut().filter(|test| test.role == TestRole::Test) {
        if counts.contains_key(&test.name) {
            let number = next.entry(test.name.clone()).or_default();
            *number += 1;
            test.name.invocation = Some(*number);
        }
    }
}

/// Methods whose calls may be tests.
struct Candidates(HashMap<MethodId, Mark>);

impl Candidates {
    fn of(run: &JavaRun) -> Candidates {
        let classes = run.classes();
        let mut candidates = HashMap::new();
        for method in run.methods() {
            let names = run.method_names(method);
            let Some(class) = classes.get(names.class) else {
                continue;
            };
            let mut own = class
                .tests
                .iter()
                .filter(|mark| mark.method == names.name && mark.descriptor == names.descriptor);
            let mark = own.next().cloned().or_else(|| implied(run, method));
            if let Some(mark) = mark {
                candidates.insert(method, mark);
            }
        }
        Candidates(candidates)
    }

    /// The test that a call is.
    fn test(&self, run: &JavaRun, node: NodeId) -> Option<TestCall> {
        let method = run.method(node);
        let mark = self.0.get(&method)?;
        let names = run.method_names(method);
        // What is not named a test by an annotation of its own must come from the framework.
        if matches!(names.name, "<init>" | "<clinit>") && run.parent(node).is_some() {
            return None;
        }
        let receiver = run.call(node)?.this;
        let object = receiver.and_then(|this| run.read(run.trace().object(this)).flatten());
        let class = object.and_then(|object| object.class_name);
        Some(TestCall {
            node,
            name: TestName {
                class: class.unwrap_or_else(|| names.class.replace('/', ".")),
                method: mark.method.clone(),
                invocation: None,
            },
            role: mark.role,
            verdict: verdict::verdict_of(run, node, mark),
            receiver,
        })
    }
}

/// What a method is without an annotation: a test of JUnit 3, a test that a factory gave, or the
/// making of a test's object.
fn implied(run: &JavaRun, method: MethodId) -> Option<Mark> {
    let names = run.method_names(method);
    let classes = run.classes();
    let marked = |role: TestRole, name: &str| {
        Some(Mark {
            method: name.to_owned(),
            descriptor: names.descriptor.to_owned(),
            role,
            expected: Vec::new(),
        })
    };
    let has_tests = || {
        let mut chain = classes.chain(names.class);
        chain.any(|(_, class)| class.tests.iter().any(|mark| mark.role != TestRole::After))
    };
    let is_junit_3 = || {
        let mut chain = classes.chain(names.class);
        chain.any(|(_, class)| class.super_name.as_deref() == Some(test_marks::JUNIT_3))
    };
    match names.name {
        "<init>" | "<clinit>" if has_tests() || is_junit_3() => {
            marked(TestRole::Before, names.name)
        }
        "setUp" if names.descriptor == "()V" && is_junit_3() => marked(TestRole::Before, "setUp"),
        "tearDown" if names.descriptor == "()V" && is_junit_3() => {
            marked(TestRole::After, "tearDown")
        }
        name if name.starts_with("test") && names.descriptor == "()V" && is_junit_3() => {
            marked(TestRole::Test, name)
        }
        name => {
            // What is run for its result makes tests; a test is run for what it does.
            let (factory, _) = name.strip_prefix("lambda$")?.rsplit_once('$')?;
            let mut tests = classes.get(names.class)?.tests.iter();
            let is_factory = |mark: &Mark| mark.role == TestRole::Factory && mark.method == factory;
            if !names.descriptor.ends_with(")V") || !tests.any(is_factory) {
                return None;
            }
            marked(TestRole::Test, factory)
        }
    }
}

impl JavaRun {
    /// The failed tests of the run, of those that are meant.
    pub fn failed_tests(&self, wanted: Option<&TestPattern>) -> impl Iterator<Item = &TestCall> {
        let failed = self.tests().iter().filter(|test| test.verdict.is_failure());
        failed.filter(move |test| wanted.is_none_or(|wanted| wanted.matches(test)))
    }

    /// The test that a node is the call of.
    #[must_use]
    pub fn test_at(&self, node: NodeId) -> Option<&TestCall> {
        let tests = self.tests();
        let place = tests.binary_search_by_key(&node, |test| test.node).ok()?;
        tests.get(place)
    }
}
