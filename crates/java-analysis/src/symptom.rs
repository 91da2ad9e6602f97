//! What a run shows to be wrong by itself: a test that failed, a `main` that an exception left.

use debug_engine::session::{Answer, ValuePath};
use debug_engine::{ExecutionTree as _, NodeId, Target};
use java_model::run::JavaRun;
use java_model::testing::{TestCall, TestRole};

use crate::asserted::{self, ACTUAL};

/// What is known to be wrong without a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symptom {
    pub target: Target,
    pub answer: Answer,
}

impl Symptom {
    /// The call is wrong.
    #[must_use]
    pub fn wrong(node: NodeId) -> Symptom {
        Symptom {
            target: Target::Node(node),
            answer: Answer::No,
        }
    }

    /// A failed test is wrong, with what prepared it if that did something; the value that its
    /// assertion did not expect is the wrong part, if there is one.
    #[must_use]
    pub fn of_test(run: &JavaRun, test: &TestCall) -> Symptom {
        let answer = match asserted::producer(run, test.node) {
            Some(_) => Answer::WrongPart(ValuePath(ACTUAL.to_owned())),
            None => Answer::No,
        };
        Symptom {
            target: Target::between(first_fixture(run, test), test.node),
            answer,
        }
    }
}

/// The first of the calls that prepared a test, if recorded code ran below any of them.
fn first_fixture(run: &JavaRun, test: &TestCall) -> NodeId {
    let tests = run.tests();
    let place = tests.partition_point(|other| other.node < test.node);
    let earlier = tests.get(..place).unwrap_or_default().iter().rev();
    let prepared = earlier.take_while(|other| {
        other.role == TestRole::Before
            && run.parent(other.node) == run.parent(test.node)
            && run.call_id(other.node).map(|call| call.thread)
                == run.call_id(test.node).map(|call| call.thread)
    });
    let mut first = test.node;
    for fixture in prepared {
        if run.subtree_size(fixture.node) > 1 {
            first = fixture.node;
        }
    }
    first
}
