//! Which calls had a part in what is known to be wrong.
//!
//! From the wrong value, or from where an exception struck, the run is followed backwards: first the values and
//! what chose the places that they were read from, then the decisions that let it come to this. A call is as relevant
//! as the nearest of the links that it gave. A slice is evidence, not proof: what was left undone leaves no link, so
//! the other calls keep a small share. Following is bounded by links and by the instructions that are re-executed for
//! it, so that a busy machine finds the same as an idle one; what was not reached then counts as what lies outside.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use debug_engine::session::ValuePath;
use debug_engine::strategy::Relevance;
use debug_engine::{ExecutionTree as _, NodeId, Target};
use trace_format::StandardStream;
use trace_store::{CallId, CallOutcome};

use super::links::{Link, Node, Taken};
use super::output_symptom::{OutputPointer, OutputSymptom, missing_line};
use super::recording::Recording;
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
/// So many links of what was printed are followed to where it was put into a collection.
const MOST_TO_COLLECTION: usize = 50;
/// So many of the last calls of what never ended count as its last rounds,
const LAST_CALLS: u32 = 400;
/// and a call that has made this part of all calls has made many.
const MANY: u32 = 20;
/// Far beyond what these take: only a disk that does not answer comes to it.
const LONGEST: Duration = Duration::from_secs(10);

/// Where more methods than this had a part in something, some decision of nearly every method led there, which then
/// says little of it,
const FEW_METHODS: f64 = 15.0;
/// but never less than so much of what it says where few had.
const LEAST_OF_DECISIONS: f64 = 0.2;

/// How much the part that a call had in what is wrong says of it. Fitted on recorded mutants and examples, as the other
/// weights of [`belief`](super::belief).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceWeights {
    /// The relevance of a call that gave a link falls with this power of how many were followed before it,
    by_distance: f64,
    /// but no further than to this.
    least: f64,
    /// What is left of it if the call computed and decided nothing of it,
    of_passing_on: f64,
    /// or gave back a text.
    of_text: f64,
    /// What it is for a call that only decided that something was done, unless [very many](Parts::share_of_decisions)
    /// did.
    of_decision: f64,
    /// How relevant all calls are that gave none.
    elsewhere: f64,
    /// Whether those are asked about only when no other is left.
    is_first: bool,
}

impl SliceWeights {
    /// Where failing and passing tests tell methods apart as well. What kind of part a call had makes no difference
    /// there that could be measured.
    const BESIDE_TESTS: SliceWeights = SliceWeights {
        by_distance: -0.3,
        least: 0.21,
        of_passing_on: 1.0,
        of_text: 1.0,
        of_decision: 1.0,
        elsewhere: 0.2,
        is_first: false,
    };
    /// Where nothing but code tells them apart, and a value is wrong by itself.
    const OF_VALUE: SliceWeights = SliceWeights {
        by_distance: -0.2,
        least: 0.11,
        of_passing_on: 0.5,
        elsewhere: 0.1,
        is_first: true,
        ..SliceWeights::BESIDE_TESTS
    };
    /// Where a value stands in a text that was printed: how far it went until then says nothing, and whoever made the
    /// text of it is rarely to blame.
    const OF_PRINTED: SliceWeights = SliceWeights {
        by_distance: 0.0,
        of_text: 0.6,
        of_decision: 1.5,
        elsewhere: 0.05,
        ..SliceWeights::OF_VALUE
    };

    fn of(&self, given: Contribution, of_decisions: f64) -> f64 {
        let factor = |holds: bool, factor: f64| if holds { factor } else { 1.0 };
        let weight = (1.0 + given.distance as f64).powf(self.by_distance)
            * factor(!given.computes, self.of_passing_on)
            * factor(given.gives_text, self.of_text)
            * factor(
                given.part == Part::Decision,
                self.of_decision * of_decisions,
            );
        weight.max(self.least)
    }
}

/// How a call had a part in what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// It computed or passed on something that became part of the wrong value, or chose where that was read.
    Value,
    /// It decided that something was done which is.
    Decision,
    /// It was made in the last rounds of what never ended.
    LastRound,
}

impl Contribution {
    /// What a person is told of it.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match (self.part, self.computes) {
            (Part::Value, true) => "it computed part of what is wrong",
            (Part::Value, false) => "it passed on part of what is wrong",
            (Part::Decision, _) => "it decided something that led to what is wrong",
            (Part::LastRound, _) => "it ran in the last rounds of what never ended",
        }
    }
}

/// The calls that had a part in something, and which.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    calls: HashMap<NodeId, Contribution>,
    /// Whether following stopped before all was followed.
    is_cut: bool,
    /// Whether what is wrong was printed.
    is_printed: bool,
    /// How many methods the calls are of.
    methods: usize,
}

/// What a call gave to what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    pub part: Part,
    /// How many links were followed before one that it gave.
    pub distance: usize,
    /// The links on the way there, by the shortest of them.
    pub steps: usize,
    /// Whether it computed or decided something of it; otherwise it only passed on what others had.
    pub computes: bool,
    /// Whether it gives back a text.
    pub gives_text: bool,
}

impl Parts {
    /// Follows what is wrong of a call, or of siblings, backwards: this part of it, or what an exception that left it
    /// shows. Empty if there is nothing to follow.
    #[must_use]
    pub fn of(run: &JavaRun, wrong: Target, part: Option<&ValuePath>) -> Parts {
        // Where the program ended by itself in a call, that one has no end of its own either.
        let was_stopped = Recording::was_stopped(run);
        let has_ended = |node| run.call(node).is_none_or(|call| call.exit.is_some());
        if part.is_none() && was_stopped && !has_ended(wrong.last()) {
            return Parts::of_last_rounds(run, wrong.last());
        }
        let Some(starts) = starts(run, wrong.last(), part) else {
            return Parts::default();
        };
        let until = Instant::now() + LONGEST;
        let mut graph = Graph::follow(run, run.program(), Taken::default(), false, MOST_VALUES);
        graph.stop_at(until);
        graph.open_contents();
        graph.frames.spend_at_most(MOST_INSTRUCTIONS);
        graph.go_on_with(starts);
        let values = graph.nodes.len();
        graph.frames.spend_at_most(MOST_INSTRUCTIONS_OF_DECISIONS);
        graph.widen(MOST_DECISIONS);
        let steps = steps_to(&graph.nodes);
        let mut parts = Parts {
            is_cut: graph.stopped,
            is_printed: part.is_some_and(|path| {
                OutputPointer::parse(&path.0).is_some() || missing_line(&path.0).is_some()
            }),
            ..Parts::default()
        };
        for (place, steps) in steps.into_iter().enumerate() {
            let part = if place < values {
                Part::Value
            } else {
                Part::Decision
            };
            let node = &graph.nodes[place];
            let (link, computes) = (node.link, computes(node));
            if let Some(node) = giver(&mut graph, link) {
                // Links of values come first, and the nearer ones.
                let given = parts.calls.entry(node).or_insert(Contribution {
                    part,
                    distance: place,
                    steps,
                    computes,
                    gives_text: gives_text(run, node),
                });
                given.computes |= computes;
                given.steps = given.steps.min(steps);
            }
        }
        let methods = parts.calls.keys().map(|&node| run.method(node));
        parts.methods = methods.collect::<HashSet<_>>().len();
        parts
    }

    /// What goes round for ever does the same again and again, so what keeps it going ran lately: the last calls in a
    /// call that had not ended, and those that it was still making.
    fn of_last_rounds(run: &JavaRun, open: NodeId) -> Parts {
        let end = open.0 + run.subtree_size(open);
        let last = (open.0 + 1).max(end.saturating_sub(LAST_CALLS))..end;
        let made = last.clone().map(NodeId);
        let still_making = run.incomplete_nodes().into_iter();
        let still_making = still_making.filter(|node| (open.0..last.start).contains(&node.0));
        let given = |node| {
            let contribution = Contribution {
                part: Part::LastRound,
                distance: 0,
                steps: 0,
                computes: true,
                gives_text: false,
            };
            (node, contribution)
        };
        Parts {
            calls: made.chain(still_making).map(given).collect(),
            // What it goes round in may have been made wrong before.
            is_cut: true,
            ..Parts::default()
        }
    }

    /// The same of a run that was stopped, where nobody has said yet what should have ended: of the innermost call
    /// that had made many of the calls by then.
    #[must_use]
    pub fn of_stopped(run: &JavaRun) -> Parts {
        let open = run.incomplete_nodes();
        let size = |node: &NodeId| run.subtree_size(*node);
        let most = open.iter().map(size).max().unwrap_or(0);
        let busy = open
            .iter()
            .rev()
            .find(|node| size(node) >= most.div_ceil(MANY));
        busy.map_or_else(Parts::default, |&node| Parts::of_last_rounds(run, node))
    }

    /// What decisions still say of a call, compared with where few methods had a part.
    fn share_of_decisions(&self) -> f64 {
        let share = FEW_METHODS / self.methods.max(1) as f64;
        share.clamp(LEAST_OF_DECISIONS, 1.0)
    }

    /// Which part a call had, if it is known.
    #[must_use]
    pub fn part(&self, node: NodeId) -> Option<Contribution> {
        self.calls.get(&node).copied()
    }

    /// All calls that had one, in no order.
    pub fn calls(&self) -> impl Iterator<Item = (NodeId, Contribution)> + '_ {
        self.calls.iter().map(|(&node, &given)| (node, given))
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// As a strategy weighs it; `is_beside_tests` if it is known what passing and failing tests ran.
    #[must_use]
    pub(crate) fn relevance(&self, is_beside_tests: bool) -> Relevance {
        if self.is_empty() {
            return Relevance::unknown();
        }
        let weights = match (is_beside_tests, self.is_printed) {
            (true, _) => SliceWeights::BESIDE_TESTS,
            (false, true) => SliceWeights::OF_PRINTED,
            (false, false) => SliceWeights::OF_VALUE,
        };
        let of_decisions = match is_beside_tests {
            true => 1.0,
            false => self.share_of_decisions(),
        };
        let weighed = self.calls();
        let weighed = weighed.map(|(node, given)| (node, weights.of(given, of_decisions)));
        let mut calls: Vec<_> = weighed.collect();
        calls.sort_unstable_by_key(|&(node, _)| node);
        Relevance {
            calls,
            elsewhere: weights.elsewhere,
            // Of what was not followed to its end nobody knows what lies outside.
            comes_first: weights.is_first && !self.is_cut,
        }
    }
}

/// How many links each is away from where following began.
fn steps_to(nodes: &[Node]) -> Vec<usize> {
    let mut steps = vec![0; nodes.len()];
    let mut is_reached = vec![false; nodes.len()];
    let taken: HashSet<usize> = nodes
        .iter()
        .flat_map(|node| node.from.iter().copied())
        .collect();
    let mut next: VecDeque<usize> = (0..nodes.len())
        .filter(|place| !taken.contains(place))
        .collect();
    next.iter().for_each(|&place| is_reached[place] = true);
    while let Some(place) = next.pop_front() {
        for &from in &nodes[place].from {
            if !std::mem::replace(&mut is_reached[from], true) {
                steps[from] = steps[place] + 1;
                next.push_back(from);
            }
        }
    }
    steps
}

fn gives_text(run: &JavaRun, node: NodeId) -> bool {
    let names = run.method_names(run.method(node));
    names.descriptor.ends_with(")Ljava/lang/String;")
}

/// Whether a link is more than something passed on.
fn computes(node: &Node) -> bool {
    match node.link {
        Link::Decision(..) => true,
        // What library code makes of a constant is mostly a text to be printed.
        Link::Library(..) => node.taken.computed,
        _ => node.taken.computed || !node.taken.constants.is_empty(),
    }
}

/// Where to begin.
fn starts(run: &JavaRun, node: NodeId, part: Option<&ValuePath>) -> Option<Taken> {
    if let Some(at) = part.and_then(|path| OutputPointer::parse(&path.0)) {
        let symptom = OutputSymptom::by_pointer(run, &at).ok()?;
        return printed(run, symptom.by?);
    }
    if let Some(line) = part.and_then(|path| missing_line(&path.0)) {
        return kept_away(run, line);
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
    let contents = graph.contents_given(by.call, step);
    taken.values.extend(contents.unwrap_or_default());
    taken.addresses.extend(graph.decider(by.call, step));
    Some(taken)
}

/// What decided that a line was not printed: where others follow it, what was decided between the two that stand beside
/// it; otherwise, what decided that the one before it was the last. The same of what put those into a collection, if
/// lines are collected before they are printed.
fn kept_away(run: &JavaRun, missing: u64) -> Option<Taken> {
    let mut graph = Graph::follow(run, run.program(), Taken::default(), false, 0);
    let before = missing.checked_sub(1);
    let before = before.and_then(|before| printing_step(&mut graph, before));
    let behind = printing_step(&mut graph, missing);
    let mut values = decided_between(&mut graph, before, behind);
    let [put_before, put_behind] =
        [before, behind].map(|printed| printed.and_then(|at| put_in(run, &mut graph, at)));
    // Whoever collects nothing has decided where it is printed.
    if put_before.is_some() || put_behind.is_some() {
        values.extend(decided_between(&mut graph, put_before, put_behind));
    }
    (!values.is_empty()).then(|| Taken {
        values,
        ..Taken::default()
    })
}

/// What passed something over between two steps, or made the first of them the last.
fn decided_between(
    graph: &mut Graph<'_>,
    before: Option<(CallId, u64)>,
    behind: Option<(CallId, u64)>,
) -> Vec<Link> {
    match behind {
        Some(behind) => graph.passed_over(before, behind),
        None => before.map_or(Vec::new(), |(call, step)| graph.ended_by(call, step)),
    }
}

/// The step that put into a collection what a step printed.
fn put_in(
    run: &JavaRun,
    graph: &mut Graph<'_>,
    (call, step): (CallId, u64),
) -> Option<(CallId, u64)> {
    let frame = graph.frames.get(call).ok()?;
    let sources: Vec<_> = frame.flow.sources(step).collect();
    let mut taken = Taken::default();
    for source in sources {
        graph.look_through(call, source, true, &mut taken).ok()?;
    }
    let followed = Graph::follow(run, run.program(), taken, false, MOST_TO_COLLECTION);
    followed.nodes.iter().find_map(|node| match node.link {
        Link::Kept(call, step, _) => Some((call, step)),
        _ => None,
    })
}

/// The step that printed the beginning of a line.
fn printing_step(graph: &mut Graph<'_>, line: u64) -> Option<(CallId, u64)> {
    let at = OutputPointer::Line {
        stream: StandardStream::Output,
        line,
        text: None,
    };
    let by = OutputSymptom::by_pointer(graph.run, &at).ok()?.by?;
    let (step, _) = graph.frames.get(by.call).ok()?.step_at(by.position)?;
    Some((by.call, step))
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
