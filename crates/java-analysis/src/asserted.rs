//! The value that a failed assertion did not expect, and the call that produced it.
//!
//! An assertion is a call of library code that threw, at the very end of the test or of a helper of
//! it. Which of its operands is the actual value follows from the conventions of the framework. That
//! value is followed backwards until it leaves the test's own code. If no assertion failed, but the
//! program itself threw, the innermost call that the exception left stands for the value.

use std::collections::HashSet;

use debug_engine::{ExecutionTree as _, NodeId};
use frame_replay::{InvokeSite, Program};
use trace_format::{Kind, ObjectId};
use trace_store::{CallId, CallOutcome};

use crate::links::{Link, Taken};
use crate::slice::Graph;
use java_model::run::JavaRun;
use java_model::testing::verdict;

/// The path of that value among the values of a test.
pub(crate) const ACTUAL: &str = "assertion.actual";

/// How far the value is followed.
const MOST_LINKS: usize = 400;

/// Where the value came from that an assertion did not expect, or what made something throw, below a call that an
/// exception left: the call in which it struck, and the links to follow from there.
pub(crate) fn struck(run: &JavaRun, call: NodeId) -> Option<(NodeId, Taken)> {
    let Some(CallOutcome::Threw(exception)) = run.outcome(call) else {
        return None;
    };
    let innermost = *path_of(run, call, exception).last()?;
    let mut taken = operands(run, run.program(), innermost)?;
    taken
        .values
        .extend(compared_contents(run, innermost).unwrap_or_default());
    Some((innermost, taken))
}

/// The call outside the test's own code that produced the value that a failed test did not expect.
pub(crate) fn producer(run: &JavaRun, test: NodeId) -> Option<NodeId> {
    let Some(CallOutcome::Threw(exception)) = run.outcome(test) else {
        return None;
    };
    let path = path_of(run, test, exception);
    let innermost = *path.last()?;
    let own_class = run.method_names(run.method(test)).class;
    let is_own = |node: NodeId| is_beside(run.method_names(run.method(node)).class, own_class);
    if !is_own(innermost) && !is_assertion(run, exception) {
        return Some(innermost);
    }
    let program = run.program();
    let own: HashSet<CallId> = path.iter().filter_map(|&node| run.call_id(node)).collect();
    let starts = operands(run, program, innermost)?;
    let graph = Graph::follow(run, program, starts, false, MOST_LINKS);
    let producers = graph.nodes.iter().filter_map(|node| giver(run, node.link));
    let mut producers = producers.filter(|call| !own.contains(call));
    producers.find_map(|call| run.node(call).filter(|&node| !is_own(node)))
}

/// The call in which an exception struck that left a call.
pub(crate) fn where_struck(run: &JavaRun, call: NodeId, exception: ObjectId) -> NodeId {
    path_of(run, call, exception)
        .last()
        .copied()
        .unwrap_or(call)
}

/// Whether an exception is thrown by assertions.
pub(crate) fn is_assertion(run: &JavaRun, exception: ObjectId) -> bool {
    let (class, _) = verdict::thrown(run, exception);
    ["Assertion", "ComparisonFailure", "MultipleFailures"]
        .iter()
        .any(|word| class.contains(word))
}

/// The calls that an exception left, from a test to where it struck.
fn path_of(run: &JavaRun, test: NodeId, exception: ObjectId) -> Vec<NodeId> {
    // Nothing is called after an exception has left: all of these calls end with the test's last one.
    let last = NodeId(test.0 + run.subtree_size(test) - 1);
    let way_up = std::iter::successors(Some(last), |&below| run.parent(below));
    let below: Vec<NodeId> = way_up.take_while(|&above| above > test).collect();
    let threw = |node: &NodeId| run.outcome(*node) == Some(CallOutcome::Threw(exception));
    let way_down = below.into_iter().rev().take_while(threw);
    std::iter::once(test).chain(way_down).collect()
}

/// Whether a class is the test's own, or nested with it in one.
fn is_beside(class: &str, test: &str) -> bool {
    let outermost = |name: &str| name.split('$').next().map(str::to_owned);
    outermost(class) == outermost(test)
}

/// What the actual value of the assertion at the end of a call was made of.
fn operands(run: &JavaRun, program: &Program, node: NodeId) -> Option<Taken> {
    let id = run.call_id(node)?;
    let mut graph = Graph::follow(run, program, Taken::default(), false, 0);
    let frame = graph.frames.get(id).ok()?;
    let last = frame.flow.len().checked_sub(1)?;
    let site = frame.code.invoked_by(frame.instruction(last)?);
    let sources: Vec<_> = frame.flow.sources(last).collect();
    let wanted = match site.map(actual) {
        Some(operand) => operand..operand + 1,
        None => 0..sources.len(),
    };
    let mut taken = Taken::default();
    for source in sources.get(wanted)? {
        graph.look_through(id, *source, true, &mut taken).ok()?;
    }
    Some(taken)
}

/// What was in the objects that the assertion at the end of a call compared.
fn compared_contents(run: &JavaRun, node: NodeId) -> Option<Vec<Link>> {
    let id = run.call_id(node)?;
    let mut graph = Graph::follow(run, run.program(), Taken::default(), false, 0);
    let last = graph.frames.get(id).ok()?.flow.len().checked_sub(1)?;
    graph.contents_given(id, last)
}

/// Which operand of a call is the actual value: with a receiver that is the receiver (a fluent
/// assertion holds its value); else it depends on the framework.
pub(crate) fn actual(site: &InvokeSite) -> usize {
    if site.has_receiver {
        return 0;
    }
    let owner = site.owner.as_str();
    let count = site.parameters.len();
    let compares = matches!(
        site.name.as_str(),
        "assertEquals"
            | "assertNotEquals"
            | "assertArrayEquals"
            | "assertSame"
            | "assertNotSame"
            | "assertIterableEquals"
            | "assertLinesMatch"
            | "assertInstanceOf"
    );
    if owner == "org/testng/Assert" {
        return 0;
    }
    if owner.starts_with("org/junit/jupiter/") || owner.starts_with("kotlin/test/") {
        return usize::from(compares);
    }
    // JUnit 4, JUnit 3 and Hamcrest have the message first.
    let has_message = site.descriptor.starts_with("(Ljava/lang/String;");
    let plain = match site.name.as_str() {
        _ if compares => 2 + usize::from(has_delta(site)),
        "assertThat" if site.descriptor.ends_with("Matcher;)V") => 2,
        _ => 1,
    };
    usize::from(has_message && count > plain) + usize::from(compares)
}

/// What an assertion compares the actual value with, where all of it has to be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// Another operand.
    With(usize),
    Said(&'static str),
    /// What its message says.
    InMessage,
}

impl Compared {
    pub(crate) fn by(site: &InvokeSite) -> Option<Compared> {
        let other = match site.owner.as_str() {
            "org/testng/Assert" => Some(1),
            _ => actual(site).checked_sub(1),
        };
        Some(match site.name.as_str() {
            "isEqualTo" | "isSameAs" if site.has_receiver => Compared::With(1),
            "isTrue" if site.has_receiver => Compared::Said("true"),
            "isFalse" if site.has_receiver => Compared::Said("false"),
            "isNull" if site.has_receiver => Compared::Said("null"),
            _ if site.has_receiver => return None,
            "assertEquals" | "assertSame" | "assertArrayEquals" | "assertIterableEquals" => {
                Compared::With(other?)
            }
            "assertTrue" => Compared::Said("true"),
            "assertFalse" => Compared::Said("false"),
            "assertNull" => Compared::Said("null"),
            "assertThat" => Compared::InMessage,
            _ => return None,
        })
    }
}

fn has_delta(site: &InvokeSite) -> bool {
    let is_real = |kind: &&Kind| matches!(kind, Kind::Float | Kind::Double);
    site.parameters.iter().filter(is_real).count() == 3
}

/// The call that gave a value by this link.
fn giver(run: &JavaRun, link: Link) -> Option<CallId> {
    match link {
        Link::Return(call)
        | Link::Local(call, _)
        | Link::Made(call, _)
        | Link::Library(call, _)
        | Link::Kept(call, ..)
        | Link::Moved(call, ..)
        | Link::WrittenOutside(call, ..)
        | Link::Outside(call, _) => Some(call),
        Link::Written(thread, position, _) | Link::WrittenByLibrary(thread, position, _) => {
            run.read(run.trace().call_of(thread, position)).flatten()
        }
        Link::Argument(..) | Link::Decision(..) | Link::Initial(_) => None,
    }
}
