//! What belongs to a test: its call, and the calls that prepared its object for it alone.
//!
//! What was prepared for several tests at once is left out: it tells them not apart.

use std::collections::HashMap;

use debug_engine::NodeId;
use trace_format::ObjectId;

use super::{TestCall, TestRole};
use crate::run::JavaRun;

/// A call that is a part of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOfTest {
    pub node: NodeId,
    /// The place of its test among those that are meant.
    pub test: usize,
}

impl JavaRun {
    /// The tests of the run that are meant, and the calls that they consist of, in the order of the nodes: those of one
    /// test follow each other.
    #[must_use]
    pub fn parts_of_tests(
        &self,
        is_meant: impl Fn(&TestCall) -> bool,
    ) -> (Vec<&TestCall>, Vec<PartOfTest>) {
        let all = self.tests();
        let is_once = prepared_once(all);
        let mut tests = Vec::new();
        let mut parts = Vec::new();
        let mut before: Vec<&TestCall> = Vec::new();
        for call in all {
            match call.role {
                TestRole::Before => before.push(call),
                TestRole::Test => {
                    let prepared = std::mem::take(&mut before).into_iter();
                    if is_meant(call) {
                        let is_its_own = |before: &&TestCall| {
                            before.receiver == call.receiver && !is_once(before)
                        };
                        let own = prepared.filter(is_its_own).chain([call]);
                        let test = tests.len();
                        parts.extend(own.map(|part| PartOfTest {
                            node: part.node,
                            test,
                        }));
                        tests.push(call);
                    }
                }
                TestRole::Factory | TestRole::After => {}
            }
        }
        (tests, parts)
    }
}

/// Tells what was called only once on an object that has several tests, or on none.
fn prepared_once(all: &[TestCall]) -> impl Fn(&TestCall) -> bool + '_ {
    let mut tests: HashMap<ObjectId, usize> = HashMap::new();
    let mut times: HashMap<(ObjectId, &str), usize> = HashMap::new();
    for call in all {
        let Some(receiver) = call.receiver else {
            continue;
        };
        match call.role {
            TestRole::Test => *tests.entry(receiver).or_default() += 1,
            _ => *times.entry((receiver, &call.name.method)).or_default() += 1,
        }
    }
    move |call| match call.receiver {
        Some(receiver) => {
            let has_several = tests.get(&receiver).is_some_and(|&tests| tests > 1);
            let time = times.get(&(receiver, call.name.method.as_str()));
            has_several && time.is_none_or(|&times| times < 2)
        }
        None => true,
    }
}
