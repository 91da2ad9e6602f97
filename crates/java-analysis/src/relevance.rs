//! Which calls had a part in what is known to be wrong.
//!
//! From the wrong value, or from where an exception struck, the run is followed backwards: first the values and
//! what chose the places that they were read from, then the decisions that let it come to this. A call is as relevant
//! as the nearest of the links that it gave. A slice is evidence, not proof: what was left undone leaves no link, so
//! the other calls keep a small share. Following is bounded by links and by the instructions that are re-executed for
//! it, so that a busy machine finds the same as an idle one; what was not reached then counts as what lies outside.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use debug_engine::session::ValuePath;
use debug_engine::strategy::Relevance;
use debug_engine::{NodeId, Target};
use trace_store::CallOutcome;

use super::links::{Link, Taken};
use super::output_symptom::{OutputPointer, OutputSymptom};
use super::slice::Graph;
use super::{asserted, variable, why};
use java_model::output::PrintedBy;
use java_model::run::JavaRun;

/// So many links of values are followed.
const MOST_VALUES: usize = 3_000;
/// So many more, with decisions.
const MOST_DECISIONS: usize = 5_000;
/// Calls with so many instructions are re-executed to follow the values through them,
const MOST_INSTRUCTIONS: u64 = 3_000_000;
/// and so many more to follow the decisions.
const MOST_INSTRUCTIONS_OF_DECISIONS: u64 = 3_000_000;
/// Far beyond what these take: only a disk that does not answer comes to it.
const LONGEST: Duration = Duration::from_secs(10);

/// How relevant a call is that gave a link which is followed later: its relevance falls with this power of how many
/// were followed before. That it only decided that something was done makes no difference that could be measured.
const BY_DISTANCE: f64 = -0.3;
/// How relevant all calls are that gave none; those that gave a link are a little more relevant.
const ELSEWHERE: f64 = 0.2;
const LEAST: f64 = 0.21;

/// How a call had a part in what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// It computed or passed on something that became part of the wrong value, or chose where that was read.
    Value,
    /// It decided that something was done which is.
    Decision,
}

impl Part {
    /// What a person is told of it.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Part::Value => "something that it computed or passed on had a part in what is wrong",
            Part::Decision => "something that it decided led to what is wrong",
        }
    }
}

/// The calls that had a part in something, and which.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    calls: HashMap<NodeId, Contribution>,
}

/// What a call gave to what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    pub part: Part,
    /// How many links were followed before one that it gave.
    pub distance: usize,
}

impl Contribution {
    fn weight(self) -> f64 {
        (1.0 + self.distance as f64).powf(BY_DISTANCE).max(LEAST)
    }
}

impl Parts {
    /// Follows what is wrong of a call, or of siblings, backwards: this part of it, or what an exception that left it
    /// shows. Empty if there is nothing to follow.
    #[must_use]
    pub fn of(run: &JavaRun, wrong: Target, part: Option<&ValuePath>) -> Parts {
        let Some(starts) = starts(run, wrong.last(), part) else {
            return Parts::default();
        };
        let until = Instant::now() + LONGEST;
        let mut graph = Graph::follow(run, run.program(), Taken::default(), false, MOST_VALUES);
        graph.stop_at(until);
        graph.frames.spend_at_most(MOST_INSTRUCTIONS);
        graph.go_on_with(starts);
        let values = graph.nodes.len();
        graph.frames.spend_at_most(MOST_INSTRUCTIONS_OF_DECISIONS);
        graph.widen(MOST_DECISIONS);
        let mut parts = Parts::default();
        for place in 0..graph.nodes.len() {
            let part = if place < values {
                Part::Value
            } else {
                Part::Decision
            };
            let link = graph.nodes[place].link;
            if let Some(node) = giver(&mut graph, link) {
                let distance = place;
                // Links of values come first, and the nearer ones.
                parts
                    .calls
                    .entry(node)
                    .or_insert(Contribution { part, distance });
            }
        }
        parts
    }

    /// Which part a call had, if it is known.
    #[must_use]
    pub fn part(&self, node: NodeId) -> Option<Part> {
        self.calls.get(&node).map(|given| given.part)
    }

    /// All calls that had one, in no order.
    pub fn calls(&self) -> impl Iterator<Item = (NodeId, Contribution)> + '_ {
        self.calls.iter().map(|(&node, &given)| (node, given))
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// As a strategy weighs it.
    #[must_use]
    pub fn relevance(&self) -> Relevance {
        if self.is_empty() {
            return Relevance::unknown();
        }
        let weighed = self.calls().map(|(node, given)| (node, given.weight()));
        let mut calls: Vec<_> = weighed.collect();
        calls.sort_unstable_by_key(|&(node, _)| node);
        Relevance {
            calls,
            elsewhere: ELSEWHERE,
        }
    }
}

/// Where to begin.
fn starts(run: &JavaRun, node: NodeId, part: Option<&ValuePath>) -> Option<Taken> {
    if let Some(at) = part.and_then(|path| OutputPointer::parse(&path.0)) {
        let symptom = OutputSymptom::by_pointer(run, &at).ok()?;
        return printed(run, symptom.by?);
    }
    match part {
        Some(path) if path.0 != asserted::ACTUAL => {
            let program = run.program();
            let found = variable::find(run, program, &path.0, Some(node), None).ok()?;
            let (taken, _) = why::starts(run, program, node, &found);
            Some(taken)
        }
        _ => by_exception(run, node),
    }
}

/// What the instruction that printed something was given, and the decision that let it print.
fn printed(run: &JavaRun, by: PrintedBy) -> Option<Taken> {
    let mut graph = Graph::follow(run, run.program(), Taken::default(), false, 0);
    let (step, _) = graph.frames.get(by.call).ok()?.step_at(by.position)?;
    let frame = graph.frames.get(by.call).ok()?;
    let site = frame.code.invoked_by(frame.instruction(step)?);
    let stream = usize::from(site.is_some_and(|site| site.has_receiver));
    let given: Vec<_> = frame.flow.sources(step).skip(stream).collect();
    let mut taken = Taken::default();
    for source in given {
        graph.look_through(by.call, source, true, &mut taken).ok()?;
    }
    taken.addresses.extend(graph.decider(by.call, step));
    Some(taken)
}

/// What made something throw, and the decision that led there.
fn by_exception(run: &JavaRun, node: NodeId) -> Option<Taken> {
    let (innermost, mut taken) = asserted::struck(run, node)?;
    let id = run.call_id(innermost)?;
    if matches!(run.outcome(innermost), Some(CallOutcome::Threw(_))) {
        taken.values.push(Link::Return(id));
        let mut graph = Graph::follow(run, run.program(), Taken::default(), false, 0);
        taken.values.extend(graph.decision_of(Link::Return(id)));
    }
    Some(taken)
}

/// The call whose code gave a link.
fn giver(graph: &mut Graph<'_>, link: Link) -> Option<NodeId> {
    let call = match link {
        Link::WrittenByLibrary(thread, position, _) => graph
            .run
            .read(graph.run.trace().call_of(thread, position))
            .flatten()?,
        Link::WrittenOutside(call, ..) => call,
        link => graph.instruction(link)?.0,
    };
    graph.run.node(call)
}
