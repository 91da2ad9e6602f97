//! What a run shows to be wrong by itself: a test that failed, a `main` that an exception left; and what it says of
//! it, so that a question can show what was expected.

use std::fmt;

use debug_engine::session::{Answer, ValuePath};
use debug_engine::{ExecutionTree, NodeId, Target};
use java_model::run::JavaRun;
use java_model::testing::{TestCall, TestRole, TestVerdict, verdict};
use trace_store::CallOutcome;

use crate::asserted::{self, ACTUAL};

/// What is known to be wrong without a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symptom {
    pub target: Target,
    pub answer: Answer,
    /// How it shows.
    pub sign: Sign,
}

/// How something that is wrong shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// An assertion compared two values, which it says.
    Compared { expected: String, actual: String },
    /// An exception left it: its class and message. An assertion that says nothing of values is one, too.
    Threw {
        class: String,
        message: Option<String>,
    },
    /// It was to throw an exception of this class.
    DidNotThrow(String),
    /// It had not ended when the run was over.
    NeverEnded,
}

impl Sign {
    /// Of a test that failed; `None` if it did not.
    #[must_use]
    pub fn of(verdict: &TestVerdict) -> Option<Sign> {
        Some(match verdict {
            TestVerdict::Passed | TestVerdict::Skipped => return None,
            TestVerdict::Threw(class, message) => match verdict.compared() {
                Some((expected, actual)) => Sign::Compared { expected, actual },
                None => Sign::Threw {
                    class: class.clone(),
                    message: message.clone(),
                },
            },
            TestVerdict::DidNotThrow(class) => Sign::DidNotThrow(class.clone()),
            TestVerdict::NeverEnded => Sign::NeverEnded,
        })
    }

    /// What was expected instead, as far as it is said.
    #[must_use]
    pub fn expected(&self) -> Option<&str> {
        match self {
            Sign::Compared { expected, .. } | Sign::DidNotThrow(expected) => Some(expected),
            Sign::Threw { .. } | Sign::NeverEnded => None,
        }
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sign::Compared { expected, actual } => {
                write!(f, "expected {expected}, but it was {actual}")
            }
            Sign::Threw { class, message } => match message {
                Some(message) => write!(f, "{class}: {}", message.replace('\n', " ")),
                None => f.write_str(class),
            },
            Sign::DidNotThrow(class) => write!(f, "expected {class} to be thrown"),
            Sign::NeverEnded => f.write_str("it did not end"),
        }
    }
}

impl Symptom {
    /// An exception left the call of `main`.
    #[must_use]
    pub fn of_main(run: &JavaRun, node: NodeId) -> Option<Symptom> {
        let Some(CallOutcome::Threw(exception)) = run.outcome(node) else {
            return None;
        };
        let (class, message) = verdict::thrown(run, exception);
        Some(Symptom {
            target: Target::Node(node),
            answer: Answer::No,
            sign: Sign::of(&TestVerdict::Threw(class, message))?,
        })
    }

    /// A failed test is wrong, with what prepared it if that did something; the value that its
    /// assertion did not expect is the wrong part, if there is one.
    #[must_use]
    pub fn of_test(run: &JavaRun, test: &TestCall) -> Option<Symptom> {
        let answer = match asserted::producer(run, test.node) {
            Some(_) => Answer::WrongPart(ValuePath(ACTUAL.to_owned())),
            None => Answer::No,
        };
        Some(Symptom {
            target: Target::between(first_fixture(run, test), test.node),
            answer,
            sign: Sign::of(&test.verdict)?,
        })
    }
}

/// The first of the calls that prepared a test, if recorded code ran below any of them. A static initialiser that ran
/// since the test before prepared it as well.
fn first_fixture(run: &JavaRun, test: &TestCall) -> NodeId {
    let tests = run.tests();
    let thread = |node: NodeId| run.call_id(node).map(|call| call.thread);
    let tree: &dyn ExecutionTree = run;
    let siblings = match tree.parent(test.node) {
        Some(parent) => tree.children(parent),
        None => tree.roots(),
    };
    let earlier: Vec<NodeId> = siblings.take_while(|&node| node < test.node).collect();
    let mut first = test.node;
    for node in earlier.into_iter().rev() {
        if thread(node) != thread(test.node) {
            break;
        }
        let place = tests.binary_search_by_key(&node, |other| other.node);
        match place.ok().and_then(|place| tests.get(place)) {
            Some(other) if other.role != TestRole::Before => break,
            Some(_) if run.subtree_size(node) > 1 => first = node,
            None if run.method_names(run.method(node)).name == "<clinit>" => first = node,
            _ => {}
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign(message: &str) -> Sign {
        let class = "java.lang.AssertionError".to_owned();
        let verdict = TestVerdict::Threw(class, Some(message.to_owned()));
        Sign::of(&verdict).expect("a test that threw has failed")
    }

    #[test]
    fn every_framework_says_what_it_expected() {
        for message in [
            "expected:<39500> but was:<40000>",
            "the total ==> expected: <39500> but was: <40000>",
            "\nexpected: 39500\n but was: 40000",
            "expected [39500] but found [40000]",
        ] {
            let said = sign(message);
            assert_eq!(said.expected(), Some("39500"), "{message}");
            let sentence = "expected 39500, but it was 40000";
            assert_eq!(said.to_string(), sentence, "{message}");
        }
        let matcher = sign("\nExpected: is <39500>\n     but: was <40000>");
        assert_eq!(matcher.expected(), Some("is <39500>"));
    }

    #[test]
    fn what_says_nothing_of_values_is_an_exception() {
        let said = sign("out of\npaper");
        assert_eq!(said.expected(), None);
        assert_eq!(said.to_string(), "java.lang.AssertionError: out of paper");
    }

    #[test]
    fn what_should_have_been_thrown_is_expected() {
        let class = "java.io.IOException".to_owned();
        let said = Sign::of(&TestVerdict::DidNotThrow(class));
        let expected = said.as_ref().and_then(Sign::expected);
        assert_eq!(expected, Some("java.io.IOException"));
        assert_eq!(Sign::of(&TestVerdict::Passed), None);
    }
}
