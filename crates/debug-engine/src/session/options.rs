//! What a session starts from, what it is saved as, and why it may refuse.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::LogEntry;
use crate::strategy::{SearchSpace, UnknownStrategy};
use crate::transform::Transformations;
use crate::tree::{ExecutionTree, NodeId, RoutineId};

/// How a session starts. The default searches the whole forest, with the default strategy, knowing
/// nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionOptions {
    /// Search only the subtree of this node; the whole forest if `None`.
    pub root: Option<NodeId>,
    /// The root is known to be wrong, because the run says so. Needs a `root`, or a tree with one.
    pub root_is_wrong: bool,
    /// The symptom is that the run never ended, so open calls may be asked and suspected.
    pub non_termination: bool,
    /// Name of the strategy; the default strategy if empty.
    pub strategy: String,
    /// Routines that are trusted from the start (not undone by `undo`, not counted as answers).
    pub trusted: BTreeSet<RoutineId>,
    /// Which other tree of the same execution is searched.
    #[serde(skip_serializing_if = "Transformations::is_default")]
    pub transformations: Transformations,
}

impl SessionOptions {
    /// The node that the run itself calls wrong: the root in scope, if there is just one.
    pub fn known_wrong_root(&self, tree: &dyn ExecutionTree) -> Option<NodeId> {
        if !self.root_is_wrong {
            return None;
        }
        self.root.or_else(|| {
            let mut roots = tree.roots();
            roots.next().filter(|_| roots.next().is_none())
        })
    }
}

/// Why a session could not be started or did not take an answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SessionError {
    /// No strategy has this name.
    #[error(transparent)]
    UnknownStrategy(#[from] UnknownStrategy),
    /// The node is not in the tree.
    #[error("node {0} does not exist: the tree has {1} nodes")]
    NoSuchNode(NodeId, u32),
    /// The node is still open, so there is no behaviour to judge.
    #[error("node {0} has not ended: there is no result to judge yet")]
    Incomplete(NodeId),
    /// They do not have the same parent, or come in the wrong order.
    #[error("nodes {0} and {1} are not the ends of a stretch of siblings")]
    NotSiblings(NodeId, NodeId),
    /// An agent cannot say otherwise.
    #[error("a person has judged call {0}, and only a person can change that")]
    SaidByPerson(NodeId),
    /// The question is about a list of calls, and this cannot be said of all of them.
    #[error("say it of one of the calls, by its number")]
    WhichOne,
    /// The open question has no such place.
    #[error("there is no call {number} in the question, which is about {calls}")]
    NotInList {
        /// What was named.
        number: usize,
        /// How many there are.
        calls: usize,
    },
    /// The session has ended: there is no open question.
    #[error("there is no open question to answer")]
    NothingAsked,
}

/// All that is needed to take up a session again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedSession {
    /// How it was started; `strategy` is the one in use when it was saved.
    pub options: SessionOptions,
    /// Every answer, in order.
    pub answers: Vec<LogEntry>,
}

impl SearchSpace {
    /// The space in which a session with these options starts.
    pub fn at_start(tree: Arc<dyn ExecutionTree>, options: &SessionOptions) -> Self {
        let mut space = Self::empty(tree);
        let mut trusted = options.trusted.clone();
        trusted.extend(&options.transformations.inlined);
        space.reset(
            options.root,
            options.non_termination,
            &trusted,
            BTreeSet::new(),
        );
        if let Some(root) = options.known_wrong_root(space.tree()) {
            space.assume_wrong(root.into());
        }
        space
    }
}
