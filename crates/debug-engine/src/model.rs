//! The generalized model: execution nodes of any piece of code (*A Generalized Model for Algorithmic
//! Debugging*, Definitions 1 to 12, Lemma 1, Algorithm 1).
//!
//! A computation is a stretch of the run's time line, and a subcomputation is a stretch inside it. A node
//! is a computation together with the code that really ran in it (its *code projection*, Definition 3);
//! with the states at the two ends of the stretch that is its behaviour. Values are not the engine's
//! business: whoever knows the language shows the states at those two times.
//!
//! From such nodes, in any order, [`GeneralTree`] makes the execution tree that Definition 8 describes,
//! and since that is an [`ExecutionTree`], every strategy and every session works on it: a buggy call can
//! be searched for its buggy loop, iteration or statement just as a run is searched for its buggy call.
//! Calls alone give the routine tree (Definition 11), which for a whole run is read from columns and
//! never built here.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::judgement::Judgement;
use crate::session::{Answer, Diagnosis, Session, SessionError, SessionOptions, SessionStep};
use crate::transform::NodeKind;
use crate::tree::{ExecutionTree, NodeId, RoutineId, Target};

/// A statement of the source code (Definition 1), numbered by whoever knows the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StatementId(pub u64);

/// A set of statements: a code fragment, or what is left of one.
pub type CodeFragment = BTreeSet<StatementId>;

/// An execution node without its judgement (Definition 6).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExecutionNode {
    /// What piece of code it is.
    pub kind: NodeKind,
    /// The computation that induces it, on the run's time line (Definition 2). The behaviour
    /// (Definition 4) is the state at its start, `code`, and the state at its end.
    pub computation: Range<u64>,
    /// The statements that really ran, those of called routines included (Definitions 3 and 10).
    pub code: CodeFragment,
    /// The routine that the code is in.
    pub routine: RoutineId,
    /// The call that it is, if it is one of a recorded tree.
    pub call: Option<NodeId>,
}

/// What the crate that knows the language says about the inside of a call.
pub trait InnerNodes {
    /// The call itself, its loops, their iterations, its statements and the calls that it made, in any
    /// order; `None` if the call cannot be looked into.
    fn inside(&self, call: NodeId) -> Option<Vec<ExecutionNode>>;
}

/// Which code ran in a node of any execution tree.
pub trait ExecutedCode {
    /// The statements that ran during the node, those of called routines included.
    fn executed(&self, node: NodeId) -> CodeFragment;
}

/// Why nodes do not make a tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModelError {
    /// A computation must have a length.
    #[error("node {0} has an empty computation")]
    Empty(usize),
    /// Two computations are neither apart nor one inside the other.
    #[error("the computations of nodes {0} and {1} overlap")]
    Overlap(usize, usize),
    /// There are more nodes than can be numbered.
    #[error("there are too many nodes")]
    TooMany,
}

/// An execution tree of any nodes (Definition 8).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GeneralTree {
    nodes: Vec<ExecutionNode>,
    parents: Vec<Option<NodeId>>,
    sizes: Vec<u32>,
}

impl GeneralTree {
    /// Makes the tree in which each node's parent is the node that directly depends on it
    /// (Definition 7). Of two nodes with the same computation the one given first is the outer one.
    pub fn new(nodes: Vec<ExecutionNode>) -> Result<Self, ModelError> {
        if u32::try_from(nodes.len()).is_err() {
            return Err(ModelError::TooMany);
        }
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&index| {
            let computation = &nodes[index].computation;
            (computation.start, Reverse(computation.end), index)
        });
        let mut parents = Vec::with_capacity(nodes.len());
        let mut open: Vec<u32> = Vec::new();
        for (node, &index) in (0u32..).zip(&order) {
            let computation = &nodes[index].computation;
            if computation.is_empty() {
                return Err(ModelError::Empty(index));
            }
            let end_of = |&outer: &u32| nodes[order[outer as usize]].computation.end;
            while open.last().is_some_and(|o| end_of(o) <= computation.start) {
                open.pop();
            }
            if let Some(outer) = open.last()
                && end_of(outer) < computation.end
            {
                return Err(ModelError::Overlap(order[*outer as usize], index));
            }
            parents.push(open.last().copied().map(NodeId));
            open.push(node);
        }
        let mut sizes = vec![1; nodes.len()];
        for node in (0..parents.len()).rev() {
            if let Some(parent) = parents[node] {
                sizes[parent.index()] += sizes[node];
            }
        }
        let mut nodes: Vec<Option<ExecutionNode>> = nodes.into_iter().map(Some).collect();
        let nodes = order.iter().filter_map(|&index| nodes[index].take());
        Ok(GeneralTree {
            nodes: nodes.collect(),
            parents,
            sizes,
        })
    }

    /// Zooming: the inside of a call as a tree of its own.
    pub fn zoom(call: NodeId, inner: &dyn InnerNodes) -> Option<Result<Self, ModelError>> {
        inner.inside(call).map(Self::new)
    }

    /// A node with its code.
    pub fn node(&self, node: NodeId) -> &ExecutionNode {
        &self.nodes[node.index()]
    }

    /// Definition 7: whether the first node directly depends on the second.
    pub fn directly_depends(&self, on: NodeId, node: NodeId) -> bool {
        self.parent(node) == Some(on)
    }

    /// Definition 11: whether all nodes are routine nodes.
    pub fn is_routine_tree(&self) -> bool {
        self.nodes.iter().all(|node| node.kind == NodeKind::Routine)
    }
}

impl ExecutedCode for GeneralTree {
    fn executed(&self, node: NodeId) -> CodeFragment {
        self.node(node).code.clone()
    }
}

impl ExecutionTree for GeneralTree {
    fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.parents[node.index()]
    }

    fn subtree_size(&self, node: NodeId) -> u32 {
        self.sizes[node.index()]
    }

    fn is_complete(&self, _: NodeId) -> bool {
        true
    }

    fn routine(&self, node: NodeId) -> RoutineId {
        self.node(node).routine
    }

    /// One ends where the other begins: nothing can have changed.
    fn chained_to_next(&self, node: NodeId) -> bool {
        let next = node.index() + self.sizes[node.index()] as usize;
        let end = self.node(node).computation.end;
        self.nodes
            .get(next)
            .is_some_and(|next| next.computation.start == end)
            && self.parents[next] == self.parents[node.index()]
    }

    fn projections(&self) -> Vec<NodeId> {
        (0..self.len())
            .map(NodeId)
            .filter(|&node| self.node(node).kind == NodeKind::Projection)
            .collect()
    }
}

/// Definition 9, (i) and (ii): the node is wrong and all its children are correct.
pub fn is_buggy(
    tree: &dyn ExecutionTree,
    node: NodeId,
    judgement: &dyn Fn(NodeId) -> Judgement,
) -> bool {
    judgement(node) == Judgement::Wrong
        && tree
            .children(node)
            .all(|child| judgement(child) == Judgement::Correct)
}

/// Definition 9, (iii): a buggy node above which everything is wrong, so that its effect may be what is
/// seen at the root. Top-down strategies find only these.
pub fn is_traceable(
    tree: &dyn ExecutionTree,
    node: NodeId,
    judgement: &dyn Fn(NodeId) -> Judgement,
) -> bool {
    let mut above = std::iter::successors(tree.parent(node), |&node| tree.parent(node));
    is_buggy(tree, node, judgement) && above.all(|node| judgement(node) == Judgement::Wrong)
}

/// Lemma 1, and `getCode` of Algorithm 1: of the code of a buggy node, what is not code of its children
/// contains a bug.
pub fn buggy_code(tree: &dyn ExecutionTree, code: &dyn ExecutedCode, node: NodeId) -> CodeFragment {
    let mut own = code.executed(node);
    for child in tree.children(node) {
        for statement in code.executed(child) {
            own.remove(&statement);
        }
    }
    own
}

/// Algorithm 1: asks the oracle until a buggy node is found, and gives its buggy code; `None` for ⊥. The
/// first phase, in which the tree is made, is the caller's; transforming it again after each answer
/// (line 8) is the session's.
pub fn debug<Tree: ExecutionTree + ExecutedCode + 'static>(
    tree: Arc<Tree>,
    options: SessionOptions,
    oracle: &mut dyn FnMut(Target) -> Answer,
) -> Result<Option<CodeFragment>, SessionError> {
    let shared: Arc<dyn ExecutionTree> = Arc::<Tree>::clone(&tree);
    let mut session = Session::new(shared, options)?;
    loop {
        match session.poll() {
            SessionStep::Ask(question) => session.answer(oracle(question.target))?,
            SessionStep::Done(Diagnosis::Found { node }) => {
                return Ok(Some(buggy_code(&*tree, &*tree, node)));
            }
            SessionStep::Done(_) => return Ok(None),
        }
    }
}
