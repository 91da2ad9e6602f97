//! Measuring a strategy as a user would experience it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use super::Evaluation;
use super::position::Position;
use crate::session::SessionOptions;
use crate::strategy::{
    Coverage, CoverageMetric, CoverageSource, Optimum, SearchSpace, Strategy, optimum,
};
use crate::tree::{ExecutionTree, NodeId, Target};

/// The search problem on which strategies are compared.
pub struct Experiment {
    options: SessionOptions,
    start: SearchSpace,
    sample: Option<Vec<u32>>,
}

/// Whoever watched wanted no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the evaluation was interrupted")]
pub struct Interrupted;

impl Experiment {
    /// All bug positions of a tree. The options count as in a session; if the root is known to be wrong
    /// and there are several roots, it is known that one of them is.
    pub fn new(tree: Arc<dyn ExecutionTree>, options: &SessionOptions) -> Self {
        let mut start = SearchSpace::at_start(tree, options);
        if options.root_is_wrong && !start.is_known_wrong() {
            let mut roots = start.tree().roots();
            let first = roots.next();
            let last = roots.last().or(first);
            if let Some((first, last)) = first.zip(last) {
                start.assume_wrong(Target::between(first, last));
            }
        }
        Experiment {
            options: options.clone(),
            start,
            sample: None,
        }
    }

    /// Says what each call covered, for the strategies that use it.
    pub fn set_coverage(
        &mut self,
        metric: CoverageMetric,
        coverage: Arc<dyn Coverage>,
        decay: Option<f64>,
    ) {
        let source = CoverageSource::new(metric, coverage, decay);
        self.start.knowledge_mut().set_coverage(metric, source);
    }

    /// How many positions the bug can have.
    pub fn candidates(&self) -> u64 {
        self.start.suspects()
    }

    /// Takes only this many of the positions, spread evenly over the run; all, if there are no more.
    pub fn sample(&mut self, size: u64) {
        let all = self.candidates();
        self.sample = (size < all).then(|| {
            let ranks = (0..size).map(|number| (2 * number + 1) * all / (2 * size));
            let nodes = ranks.filter_map(|rank| self.start.select(rank));
            nodes.map(|node| node.0).collect()
        });
    }

    /// Takes just these positions.
    pub fn only(&mut self, nodes: &BTreeSet<NodeId>) {
        let suspects = nodes.iter().filter(|&&node| self.start.is_suspect(node));
        self.sample = Some(suspects.map(|node| node.0).collect());
    }

    /// Takes these positions, of which one may be named more than once, and then counts as often.
    pub fn only_each(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        let nodes = nodes.into_iter();
        let suspects = nodes.filter(|&node| self.start.is_suspect(node));
        let mut sample: Vec<u32> = suspects.map(|node| node.0).collect();
        sample.sort_unstable();
        self.sample = Some(sample);
    }

    /// The positions that are tried, in order.
    pub fn positions(&self) -> Vec<NodeId> {
        match &self.sample {
            Some(sample) => sample.iter().copied().map(NodeId).collect(),
            None => self.start.suspects_in_order().collect(),
        }
    }

    /// How many positions are tried, if not all.
    pub fn sample_size(&self) -> Option<usize> {
        self.sample.as_ref().map(Vec::len)
    }

    /// The smallest total of questions about single calls of the recorded tree, over all positions.
    pub fn optimum(&self) -> Optimum {
        optimum(&self.start)
    }

    /// Counts the questions of a strategy.
    pub fn run(&self, strategy: &mut dyn Strategy) -> Evaluation {
        // Nobody interrupts.
        self.watched(strategy, &mut |_| true).unwrap_or_default()
    }

    /// The same while somebody hears how many positions are done, and says whether to go on.
    pub fn watched(
        &self,
        strategy: &mut dyn Strategy,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Evaluation, Interrupted> {
        let mut evaluation = Evaluation::default();
        let start = Position::new(self.start.fork(), &self.options.transformations, 0);
        // A wrong piece of a call leaves the call a suspect, and so does a right one: then positions are
        // not counted by what is left. The bug of such a call is taken to be outside of its loops.
        let all = || self.start.suspects_in_order().map(|node| node.0).collect();
        let listed = self.options.transformations.loops.then(all);
        let mut open = vec![(start, self.sample.clone().or(listed))];
        while let Some((position, tried)) = open.last_mut() {
            if evaluation.choices.is_multiple_of(256) && !go_on(evaluation.candidates) {
                return Err(Interrupted);
            }
            if tried.as_ref().is_some_and(Vec::is_empty) {
                open.pop();
                continue;
            }
            let started = Instant::now();
            let next = position.next(strategy);
            let took = started.elapsed();
            let Some(asked) = next else {
                let left = count(tried.as_deref(), position.base().suspects());
                evaluation.found(position.questions, left);
                open.pop();
                continue;
            };
            evaluation.choices += 1;
            evaluation.choosing += took;
            evaluation.slowest = evaluation.slowest.max(took);
            let interval = asked.target.positions(position.base().tree());
            let inside = tried.as_mut().map(|tried| take_out(tried, interval));
            let after_no = if position.is_last(asked) {
                evaluation.found(position.questions + 1, count(inside.as_deref(), 1));
                None
            } else {
                let is_tried = inside.as_ref().is_none_or(|inside| !inside.is_empty());
                is_tried.then(|| (position.after_no(asked), inside))
            };
            position.say_yes(asked);
            open.extend(after_no);
        }
        Ok(evaluation)
    }
}

/// How many of the sampled positions there are, or of all.
fn count(tried: Option<&[u32]>, all: u64) -> u64 {
    tried.map_or(all, |tried| tried.len() as u64)
}

/// Takes the positions inside an interval out of a sorted list.
fn take_out(tried: &mut Vec<u32>, interval: Range<u32>) -> Vec<u32> {
    let start = tried.partition_point(|&node| node < interval.start);
    let end = tried.partition_point(|&node| node < interval.end);
    tried.drain(start..end).collect()
}
