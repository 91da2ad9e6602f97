//! The default strategy against the proven optimum, on parts of recorded trees: the optimum of a whole
//! tree of many thousand calls is out of reach, that of a part often is not.
//!
//! The optimum is that of questions about single calls, so where calls are chained the default, which
//! may ask about several, can be below it. It is measured with the chains and without.

use std::sync::Arc;

use debug_engine::evaluate::Experiment;
use debug_engine::tree::SketchTree;
use debug_engine::{ExecutionTree, NodeId, SessionOptions, strategy};

use super::Recorded;

/// Parts of this size are tried.
const SIZES: std::ops::RangeInclusive<u32> = 10..=200;

/// As many parts of a program, spread evenly.
const PARTS: usize = 16;

/// What came of it for one program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgainstOptimum {
    /// Parts whose optimum was looked for.
    pub tried: usize,
    /// Of those whose optimum is proven: the share of questions that the default needs beyond it, if
    /// nothing is chained.
    pub beyond: Vec<f64>,
    /// The same with the chains that there are.
    pub beyond_with_chains: Vec<f64>,
}

impl AgainstOptimum {
    /// Tries parts of a recorded tree.
    pub fn of(recorded: &Recorded) -> Self {
        let tree = &recorded.tree;
        let is_part = |node: &NodeId| SIZES.contains(&tree.subtree_size(*node));
        let outermost = |node: &NodeId| tree.parent(*node).is_none_or(|above| !is_part(&above));
        let nodes = (0..tree.len()).map(NodeId);
        let parts: Vec<NodeId> = nodes.filter(is_part).filter(outermost).collect();
        let step = parts.len().div_ceil(PARTS).max(1);
        let mut found = AgainstOptimum::default();
        for &part in parts.iter().step_by(step) {
            found.tried += 1;
            found.compare(recorded, part);
        }
        found
    }

    fn compare(&mut self, recorded: &Recorded, part: NodeId) {
        let options = SessionOptions {
            root: Some(part),
            root_is_wrong: true,
            trusted: recorded.trusted.clone(),
            ..SessionOptions::default()
        };
        let chained = Experiment::new(Arc::clone(&recorded.tree), &options);
        let optimum = chained.optimum();
        if !optimum.proven || optimum.total == 0 {
            return;
        }
        let beyond = |experiment: &Experiment| {
            let total = default_total(experiment);
            total as f64 / optimum.total as f64 - 1.0
        };
        let unchained = Experiment::new(
            without_chains(&recorded.tree, part),
            &SessionOptions {
                root: None,
                ..options
            },
        );
        self.beyond.push(beyond(&unchained));
        self.beyond_with_chains.push(beyond(&chained));
    }
}

fn default_total(experiment: &Experiment) -> u64 {
    strategy::by_name(strategy::DEFAULT)
        .map_or(0, |mut strategy| experiment.run(&mut *strategy).total)
}

/// A part as a tree of its own in which no calls are chained.
fn without_chains(tree: &Arc<dyn ExecutionTree>, part: NodeId) -> Arc<dyn ExecutionTree> {
    let nodes = || tree.range(part).map(NodeId);
    let parents = nodes().map(|node| {
        let parent = tree.parent(node).filter(|_| node != part);
        parent.map(|parent| NodeId(parent.0 - part.0))
    });
    // A recorded tree is in preorder.
    let copy = SketchTree::from_parents(parents).unwrap_or_default();
    let open = nodes().filter(|&node| !tree.is_complete(node));
    let open: Vec<NodeId> = open.map(|node| NodeId(node.0 - part.0)).collect();
    Arc::new(
        copy.with_routines(nodes().map(|node| tree.routine(node)))
            .with_incomplete(open),
    )
}

/// What came of it for all programs.
pub fn sentence<'a>(all: impl Iterator<Item = &'a AgainstOptimum> + Clone) -> String {
    let tried: usize = all.clone().map(|one| one.tried).sum();
    let beyond: Vec<f64> = all.clone().flat_map(|one| one.beyond.clone()).collect();
    let chained: Vec<f64> = all.flat_map(|one| one.beyond_with_chains.clone()).collect();
    let mean = |shares: &[f64]| 100.0 * shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    let worst = |shares: &[f64]| 100.0 * shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    format!(
        "\nThe default against the optimum of questions about single calls, on {tried} parts of {} to {} calls of \
         these programs, with a known root: the optimum is proven for {}. There the default needs {:+.2} % \
         questions on average and {:+.2} % at worst if nothing is chained, and {:+.2} % and {:+.2} % with the \
         chains that there are.\n",
        SIZES.start(),
        SIZES.end(),
        beyond.len(),
        mean(&beyond),
        worst(&beyond),
        mean(&chained),
        worst(&chained),
    )
}
