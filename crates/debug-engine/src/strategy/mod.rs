//! Which node to ask about next. One strategy is one file and one line in [`ALL`].
//!
//! A strategy sees the [`SearchSpace`]: the shape of the tree and what the answers have left of it.
//! It never sees a value, a name or the trace. It chooses among the nodes for which
//! [`SearchSpace::is_askable`] holds; the session sees to everything else (roots, trust, "don't
//! know"), so that the same laws are tested for all of them.

mod balance;
mod belief;
mod biased_weighting;
mod call_ranges;
mod coverage;
mod dbq;
mod divide_by_rules;
mod dq_hirunkitti;
mod dq_optimal;
mod dq_shapiro;
mod emphasis;
mod evaluation;
mod hat_delta;
mod heaviest;
mod heaviest_first;
mod knowledge;
mod less_yes_first;
mod plan;
mod ranges;
mod rollout;
mod single_stepping;
mod space;
mod top_down;
mod top_down_zooming;
mod value_tracking;
mod worst_case;

pub use belief::likeliest;
pub use call_ranges::most_balanced;
pub(crate) use emphasis::emphasised;
pub use evaluation::{Evaluation, evaluate_space};
pub use knowledge::{Belief, Coverage, CoverageKey, CoverageMetric, Relevance, ValueOrigin};
pub(crate) use knowledge::{CoverageSource, Knowledge, KnownWrong};
pub use plan::{Optimum, fewest_questions, optimum, worst_case_optimum};
pub use space::{Evidence, SearchSpace};
pub(crate) use value_tracking::may_follow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tree::{NodeId, Target};

/// A way of choosing questions (Definition 12 of *A Generalized Model*).
pub trait Strategy: Send {
    /// The name in [`ALL`].
    fn name(&self) -> &'static str;

    /// The next question, or `None` if no node is askable.
    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId>;

    /// The same for a strategy that also asks about several siblings together.
    fn choose_target(&mut self, space: &SearchSpace) -> Option<Target> {
        self.choose(space).map(Target::Node)
    }

    /// The same for a strategy that also asks about several calls side by side.
    fn choose_question(&mut self, space: &SearchSpace) -> Option<Choice> {
        self.choose_target(space).map(Choice::one)
    }

    /// What it weighs nodes by, if they do not simply count: at most `most` of them.
    fn weighing(&self, _space: &SearchSpace, _most: usize) -> Option<Weighing> {
        None
    }

    /// Whether it knows itself what a question costs whoever reads it.
    fn weighs_effort(&self) -> bool {
        false
    }

    /// About how many questions are left, the next one included. Halving is the estimate unless a
    /// strategy knows better.
    fn questions_left(&self, space: &SearchSpace) -> u32 {
        halvings(space.suspects()).max(1)
    }
}

/// What nodes weigh to a strategy, each with everything below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighing {
    /// The weight of all suspects.
    pub all: f64,
    /// In the order of the tree; of many, those whose weights are nearest to half.
    pub nodes: Vec<(NodeId, f64)>,
}

/// What to ask about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// A node, or siblings taken together.
    pub target: Target,
    /// Further nodes that are judged in the same breath, each for itself. None lies inside another, nor in the
    /// target; empty unless that is a node.
    pub beside: Vec<NodeId>,
}

impl Choice {
    /// Nothing but this.
    pub fn one(target: Target) -> Self {
        Choice {
            target,
            beside: Vec::new(),
        }
    }
}

/// Why a question is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The strategy chose it to split the suspects.
    Strategy,
    /// The caller asked to be asked.
    Requested,
    /// The diagnosis would rest on what passing tests let presume of it.
    Presumed,
    /// What the run itself called wrong would be to blame, and this was done before it began.
    SetUp,
    /// Everything else is ruled out: is there a bug at all?
    Confirmation,
}

/// The next question, or `None` when no question can tell the suspects apart any more: first the
/// strategy's choice, and in the end, if nobody has said that there is a bug, what holds all
/// suspects.
///
/// A strategy that gives up too early, or chooses a node that is no question, must not end the
/// search: the first possible question stands in for it. A call that holds something of which "don't know" was
/// said comes when nothing else is left.
pub fn next_question(space: &SearchSpace, strategy: &mut dyn Strategy) -> Option<(Choice, Reason)> {
    let smaller = match space.has_unknown_suspects() {
        true => space.holding_back(|| splitting(space, strategy)),
        false => None,
    };
    let split = smaller.or_else(|| splitting(space, strategy));
    let split = split.map(|choice| (choice, Reason::Strategy));
    split.or_else(|| {
        let confirmation = space.confirmation();
        confirmation.map(|node| (Choice::one(node.into()), Reason::Confirmation))
    })
}

/// The strategy's choice, or else the first question that tells the suspects apart.
fn splitting(space: &SearchSpace, strategy: &mut dyn Strategy) -> Option<Choice> {
    let chosen = strategy.choose_question(space).filter(|choice| {
        let mut beside = choice.beside.iter();
        space.can_ask(choice.target) && beside.all(|&node| space.is_askable(node))
    });
    chosen.or_else(|| space.askable().next().map(|node| Choice::one(node.into())))
}

/// An entry of the list of strategies.
pub struct StrategyInfo {
    /// What `--strategy` takes.
    pub name: &'static str,
    /// One line for a person.
    pub explanation: &'static str,
    /// Makes a fresh one.
    pub create: fn() -> Box<dyn Strategy>,
}

/// The strategy used when none is named; chosen by measurement, see `docs/strategies.md`.
pub const DEFAULT: &str = "ranges";

/// The one to use instead where only single calls are to be asked about.
pub const SINGLE_CALLS: &str = "dq-hirunkitti";

/// Every strategy there is.
pub const ALL: &[StrategyInfo] = &[
    single_stepping::INFO,
    top_down::INFO,
    top_down_zooming::INFO,
    heaviest_first::INFO,
    less_yes_first::INFO,
    hat_delta::MORE_WRONG,
    hat_delta::FEWER_RIGHT,
    hat_delta::BEST_RATIO,
    dq_shapiro::INFO,
    dq_hirunkitti::INFO,
    dq_optimal::INFO,
    divide_by_rules::INFO,
    biased_weighting::INFO,
    rollout::INFO,
    dbq::INFO,
    worst_case::INFO,
    ranges::INFO,
    belief::INFO,
    value_tracking::INFO,
    coverage::EDGES,
    coverage::BLOCK_EDGES,
    coverage::DEF_USE,
    coverage::EDGE_RANGES,
    coverage::DEF_USE_RANGES,
];

/// No strategy has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown strategy `{name}`; there are {}", names())]
pub struct UnknownStrategy {
    /// What was asked for.
    pub name: String,
}

/// Makes the strategy with this name.
pub fn by_name(name: &str) -> Result<Box<dyn Strategy>, UnknownStrategy> {
    ALL.iter()
        .find(|info| info.name == name)
        .map(|info| (info.create)())
        .ok_or_else(|| UnknownStrategy {
            name: name.to_owned(),
        })
}

/// The same, where an empty name stands for [`DEFAULT`].
pub fn by_name_or_default(name: &str) -> Result<Box<dyn Strategy>, UnknownStrategy> {
    by_name(if name.is_empty() { DEFAULT } else { name })
}

/// Whether the strategy with this name is better if it knows what calls covered.
pub fn uses_coverage(name: &str) -> bool {
    let mut all = coverage::SINGLE.iter().chain(&coverage::STRETCHES);
    all.any(|info| info.name == name)
}

/// A strategy that asks about as many questions as the one with this name, and is quicker to play to the
/// end: planning and coverage make a difference that an estimate does not need.
pub(crate) fn stand_in(name: &str) -> Option<Box<dyn Strategy>> {
    let is_in = |all: &[StrategyInfo]| all.iter().any(|info| info.name == name);
    match name {
        "ranges" | "belief" => Some(Box::new(call_ranges::CallRanges)),
        _ if is_in(&coverage::STRETCHES) => Some(Box::new(call_ranges::CallRanges)),
        "rollout" | "dbq" | "worst-case" | "value-tracking" => by_name(SINGLE_CALLS).ok(),
        _ if is_in(&coverage::SINGLE) => by_name(SINGLE_CALLS).ok(),
        name => by_name(name).ok(),
    }
}

/// All names in one line.
pub fn names() -> String {
    ALL.iter()
        .map(|info| info.name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Strategies that look at every suspect do so up to this many, and leave larger spaces to a cheaper
/// relative: choosing a question must not take longer than answering it.
const LISTABLE: u64 = 20_000;

/// How often `suspects` must be halved until one is left, rounded up.
fn halvings(suspects: u64) -> u32 {
    u64::BITS - suspects.saturating_sub(1).leading_zeros()
}
