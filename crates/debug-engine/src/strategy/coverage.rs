//! Divide & query by coverage (*JHyde*, section 2.4): a call that ran much code is a likelier place for
//! the bug than one that ran little, and code that also ran in calls that were found correct is an
//! unlikelier one. Each covered key — an outcome of a branch (the paper's figures count these and the entry), an
//! edge of the control-flow graph, or a definition-use chain — weighs g(x) = pˣ after x calls that covered it were
//! found correct; a node weighs what it covered; and the question that halves the summed weight is asked.
//!
//! Answers are never inferred from coverage, as an earlier work did: only the order of the questions
//! changes, so the result stays right. A call found correct clears everything that it called, so the keys
//! of those count as well. Weights are worked out anew over what is in play after each answer. As long as
//! a suspect's coverage is not known, plain divide & query stands in.
//!
//! The same weights can be halved by stretches of chained siblings, as [`ranges`] does with
//! plain ones; where a stretch and a node split equally well, the node is asked.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::knowledge::{CoverageKey, CoverageMetric, CoverageSource};
use super::{SearchSpace, Strategy, StrategyInfo, Weighing, balance, call_ranges};
use crate::tree::{NodeId, Target};

/// What the paper's own figures count.
pub(super) const EDGES: StrategyInfo = StrategyInfo {
    name: "edge-coverage",
    explanation: "divide & query that weighs calls by the branches they took",
    create: || single(EDGES.name, CoverageMetric::Branches),
};

pub(super) const BLOCK_EDGES: StrategyInfo = StrategyInfo {
    name: "block-edge-coverage",
    explanation: "the same by all edges between basic blocks, those without an alternative too",
    create: || single(BLOCK_EDGES.name, CoverageMetric::Edges),
};

pub(super) const DEF_USE: StrategyInfo = StrategyInfo {
    name: "def-use-coverage",
    explanation: "divide & query that weighs calls by the definition-use chains they ran",
    create: || single(DEF_USE.name, CoverageMetric::DefUse),
};

pub(super) const EDGE_RANGES: StrategyInfo = StrategyInfo {
    name: "edge-ranges",
    explanation: "like edge-coverage, and may also ask about several consecutive calls together",
    create: || with_stretches(EDGE_RANGES.name, CoverageMetric::Branches),
};

pub(super) const DEF_USE_RANGES: StrategyInfo = StrategyInfo {
    name: "def-use-ranges",
    explanation: "like def-use-coverage, and may also ask about several consecutive calls together",
    create: || with_stretches(DEF_USE_RANGES.name, CoverageMetric::DefUse),
};

/// Those that ask about single calls.
pub(super) const SINGLE: [StrategyInfo; 3] = [EDGES, BLOCK_EDGES, DEF_USE];

/// Those that ask about several together as well.
pub(super) const STRETCHES: [StrategyInfo; 2] = [EDGE_RANGES, DEF_USE_RANGES];

fn single(name: &'static str, metric: CoverageMetric) -> Box<dyn Strategy> {
    Box::new(ByCoverage {
        name,
        metric,
        stretches: false,
    })
}

fn with_stretches(name: &'static str, metric: CoverageMetric) -> Box<dyn Strategy> {
    Box::new(ByCoverage {
        name,
        metric,
        stretches: true,
    })
}

/// Larger spaces are left to plain divide & query.
const LARGEST: u64 = 20_000;

/// Of the calls found correct, no more than this are looked at.
const MOST_VALID: usize = 50_000;

struct ByCoverage {
    name: &'static str,
    metric: CoverageMetric,
    /// Whether several siblings may be asked about together.
    stretches: bool,
}

impl Strategy for ByCoverage {
    fn name(&self) -> &'static str {
        self.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        match Weighed::of(space, self.metric) {
            Some(weighed) => weighed.best_node().map(|(_, node)| node),
            None => balance::most_balanced(space, space.suspects()),
        }
    }

    fn choose_target(&mut self, space: &SearchSpace) -> Option<Target> {
        if !self.stretches {
            return self.choose(space).map(Target::Node);
        }
        match Weighed::of(space, self.metric) {
            Some(weighed) => weighed.best_target(),
            None => call_ranges::most_balanced(space),
        }
    }

    fn weighing(&self, space: &SearchSpace, most: usize) -> Option<Weighing> {
        Weighed::of(space, self.metric).map(|weighed| weighed.listed(most))
    }
}

/// How unevenly a question splits the weight, and how unevenly the number of suspects.
type Unevenness = (f64, u64);

/// The suspects with their weights.
struct Weighed<'space> {
    space: &'space SearchSpace,
    /// The weights, summed up from the left.
    sums: Vec<f64>,
    all: f64,
}

impl<'space> Weighed<'space> {
    /// `None` if there are too many, their coverage is not known, or nothing is covered.
    fn of(space: &'space SearchSpace, metric: CoverageMetric) -> Option<Self> {
        if space.suspects() > LARGEST {
            return None;
        }
        let source = space.knowledge().coverage(metric)?;
        let sums = summed_weights(space, source)?;
        let all = sums[sums.len() - 1];
        (all > 0.0).then_some(Weighed { space, sums, all })
    }

    /// The weight before a position.
    fn before(&self, position: u32) -> f64 {
        self.sums[self.space.suspects_before(position) as usize]
    }

    fn weight(&self, target: Target) -> f64 {
        let positions = target.positions(self.space.tree());
        self.before(positions.end) - self.before(positions.start)
    }

    /// The suspects whose weights are nearest to half, in the order of the tree.
    fn listed(&self, most: usize) -> Weighing {
        let suspects = self.space.suspects_in_order();
        let mut nodes: Vec<_> = suspects
            .map(|node| (node, self.weight(node.into())))
            .collect();
        let from_half = |weight: f64| (2.0 * weight - self.all).abs();
        nodes.sort_by(|one, other| from_half(one.1).total_cmp(&from_half(other.1)));
        nodes.truncate(most);
        nodes.sort_by_key(|&(node, _)| node);
        Weighing {
            all: self.all,
            nodes,
        }
    }

    fn unevenness(&self, target: Target) -> Unevenness {
        let weight = self.weight(target);
        let inside = self.space.weight_of(target);
        (
            (2.0 * weight - self.all).abs(),
            (2 * inside).abs_diff(self.space.suspects()),
        )
    }

    fn best_node(&self) -> Option<(Unevenness, NodeId)> {
        let askable = self.space.askable();
        askable
            .map(|node| (self.unevenness(node.into()), node))
            .min_by(|(one, _), (other, _)| compare(*one, *other))
    }

    fn best_target(&self) -> Option<Target> {
        let node = self.best_node();
        let mut best = node.map(|(unevenness, node)| (unevenness, Target::Node(node)));
        for chain in self.chains() {
            self.cut(&chain, &mut best);
        }
        best.map(|(_, target)| target)
    }

    /// The chains of siblings of which more than one holds suspects.
    fn chains(&self) -> Vec<Vec<NodeId>> {
        let space = self.space;
        let tree = space.tree();
        let mut open: Vec<Vec<NodeId>> = vec![space.top().collect()];
        let mut chains = Vec::new();
        while let Some(siblings) = open.pop() {
            let in_play: Vec<NodeId> = siblings
                .iter()
                .copied()
                .filter(|&node| space.weight(node) > 0)
                .collect();
            let joins = |one: &NodeId, next: &NodeId| space.chain_around(*one).1 >= *next;
            let found = in_play.chunk_by(joins).filter(|chain| chain.len() > 1);
            chains.extend(found.map(<[NodeId]>::to_vec));
            let inner = in_play.into_iter().filter(|&node| space.weight(node) > 1);
            open.extend(inner.map(|node| tree.children(node).collect()));
        }
        chains
    }

    /// Two pointers: for each last sibling the stretches just above and just below half of the weight.
    fn cut(&self, chain: &[NodeId], best: &mut Option<(Unevenness, Target)>) {
        let tree = self.space.tree();
        let start_of = |index: usize| self.before(chain[index].0);
        let mut first = 0;
        for (last, &end) in chain.iter().enumerate() {
            let up_to = self.before(tree.range(end).end);
            while first < last && 2.0 * (up_to - start_of(first + 1)) >= self.all {
                first += 1;
            }
            for from in [first, first + 1] {
                if from >= last {
                    continue;
                }
                let target = Target::between(chain[from], end);
                let unevenness = self.unevenness(target);
                let is_better = best.is_none_or(|(known, _)| compare(unevenness, known).is_lt());
                if is_better && self.space.can_ask(target) {
                    *best = Some((unevenness, target));
                }
            }
        }
    }
}

fn compare(one: Unevenness, other: Unevenness) -> Ordering {
    one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
}

/// The weights of the suspects, summed up from the left; `None` if the coverage of one is not known.
fn summed_weights(space: &SearchSpace, source: &CoverageSource) -> Option<Vec<f64>> {
    let valid = valid_counts(space, source);
    let mut sum = 0.0;
    let mut sums = vec![sum];
    for suspect in space.suspects_in_order() {
        let keys = source.searched.keys(suspect)?;
        for key in keys.iter() {
            let times = valid.get(key).copied().unwrap_or(0);
            sum += source.decay.powi(times);
        }
        sums.push(sum);
    }
    Some(sums)
}

/// How many calls found correct covered each key: v(e) of the paper.
fn valid_counts(space: &SearchSpace, source: &CoverageSource) -> HashMap<CoverageKey, i32> {
    let mut counts = HashMap::new();
    let valid = space.knowledge().valid.iter().cloned().flatten();
    for node in valid.take(MOST_VALID).map(NodeId) {
        for &key in source.base.keys(node).iter().flat_map(|keys| keys.iter()) {
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
}
