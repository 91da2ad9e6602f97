//! What a strategy may be told beyond the shape of the tree. The crate that knows the language supplies
//! it; without it, the strategies that could use it fall back to plain divide & query.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::judgement::ValuePath;
use crate::transform::Overlay;
use crate::tree::{NodeId, RoutineId, Target};

/// Where values come from.
pub trait ValueOrigin: Send + Sync {
    /// The call that produced the value at this path in the state after `node`, if it is known.
    fn producer(&self, node: NodeId, path: &ValuePath) -> Option<NodeId>;

    /// The calls before a node, outside it, that made what it found and that nobody gave it: those that initialised
    /// what it used.
    fn set_up_before(&self, _node: NodeId) -> Vec<NodeId> {
        Vec::new()
    }
}

/// What is believed of the calls of a run before any answer, and what questions about them cost. The crate that
/// knows the language supplies it.
pub trait Belief: Send + Sync {
    /// How likely it is that the code of a routine is wrong, compared with other routines. Above zero.
    fn prior(&self, routine: RoutineId) -> f64;

    /// Which calls had a part in what is known to be wrong; in the given part of it, if one is given.
    fn relevance(&self, wrong: Target, part: Option<&ValuePath>) -> Arc<Relevance>;

    /// The same where nothing is known to be wrong yet.
    fn relevance_at_first(&self) -> Arc<Relevance> {
        Arc::new(Relevance::unknown())
    }

    /// What speaks against a call, a sentence without its end each, for a person.
    fn reasons(&self, node: NodeId, wrong: Option<(Target, Option<&ValuePath>)>) -> Vec<String>;

    /// Whether several calls may be asked about side by side.
    fn takes_lists(&self) -> bool {
        true
    }

    /// How many signs a question has.
    fn signs(&self, target: Target) -> u64;

    /// How many signs a call has as one line of a list.
    fn signs_of_line(&self, node: NodeId) -> u64;

    /// Whether nobody who reads two calls as lines of a list can tell them apart.
    fn look_alike(&self, _one: NodeId, _other: NodeId) -> bool {
        false
    }
}

/// Calls that had a part in something, by how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Relevance {
    /// In preorder, each with its share of relevance: more than `elsewhere`, at most 1.
    pub calls: Vec<(NodeId, f64)>,
    /// Of every other call. Above zero: what left no trace in the symptom may have caused it all the same.
    pub elsewhere: f64,
    /// Whether these come first: other calls are chosen only when none of them is left.
    pub comes_first: bool,
}

impl Relevance {
    /// Nothing is known: every call is as relevant as the next.
    pub fn unknown() -> Self {
        Relevance {
            calls: Vec::new(),
            elsewhere: 1.0,
            comes_first: false,
        }
    }

    /// How relevant a call is.
    pub fn of_call(&self, node: NodeId) -> f64 {
        let place = self.calls.binary_search_by_key(&node, |&(node, _)| node);
        place.map_or(self.elsewhere, |place| self.calls[place].1)
    }
}

/// What a session knows to be wrong, and in which part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownWrong {
    pub(crate) target: Target,
    pub(crate) part: Option<ValuePath>,
}

/// A control-flow edge or a definition-use chain of the program, numbered by whoever knows the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CoverageKey(pub u64);

/// What each call covered.
pub trait Coverage: Send + Sync {
    /// The keys that the node's own code covered, without what it called; `None` if they are not
    /// known yet. It may become known while the session goes on.
    fn keys(&self, node: NodeId) -> Option<Arc<[CoverageKey]>>;
}

/// What is covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoverageMetric {
    /// The entry of the method, and the outcomes of its branches.
    Branches,
    /// Edges of the control-flow graph, between all basic blocks.
    Edges,
    /// Chains from the definition of a variable to its use.
    DefUse,
}

impl CoverageMetric {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Branches, Self::Edges, Self::DefUse];

    /// `p` of g(x) = pˣ, unless another one is given.
    pub fn default_decay(self) -> f64 {
        match self {
            CoverageMetric::Branches | CoverageMetric::Edges => 0.5,
            CoverageMetric::DefUse => 0.6,
        }
    }
}

/// Coverage as a search space holds it.
#[derive(Clone)]
pub(crate) struct CoverageSource {
    /// By node of the tree under search.
    pub(crate) searched: Arc<dyn Coverage>,
    /// By node of the base tree, where the answers are.
    pub(crate) base: Arc<dyn Coverage>,
    /// `p` of g(x) = pˣ.
    pub(crate) decay: f64,
}

impl CoverageSource {
    /// Of the tree as it was recorded. `decay` is between 0 and 1; the metric's default otherwise.
    pub(crate) fn new(
        metric: CoverageMetric,
        coverage: Arc<dyn Coverage>,
        decay: Option<f64>,
    ) -> Self {
        CoverageSource {
            searched: Arc::clone(&coverage),
            base: coverage,
            decay: decay
                .filter(|decay| (0.0..=1.0).contains(decay))
                .unwrap_or_else(|| metric.default_decay()),
        }
    }
}

/// Everything that a search space was told.
#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    /// The call that produced the value that was last called wrong.
    pub(crate) hint: Option<NodeId>,
    /// By metric.
    coverage: [Option<CoverageSource>; CoverageMetric::ALL.len()],
    /// What was judged correct, as intervals of the base tree.
    pub(crate) valid: Vec<Range<u32>>,
    /// What is believed of calls.
    pub(crate) belief: Option<Arc<dyn Belief>>,
    /// What the run shows to be wrong, or the part of it that somebody pointed at last.
    pub(crate) wrong: Option<KnownWrong>,
    /// Lists of calls of which one is wrong.
    pub(crate) one_of: Vec<Vec<NodeId>>,
    /// The first call that should not have been made like that: something was wrong before it.
    pub(crate) inadmissible: Option<NodeId>,
}

impl Knowledge {
    pub(crate) fn set_coverage(&mut self, metric: CoverageMetric, source: CoverageSource) {
        self.coverage[metric as usize] = Some(source);
    }

    pub(crate) fn coverage(&self, metric: CoverageMetric) -> Option<&CoverageSource> {
        self.coverage[metric as usize].as_ref()
    }

    /// The same, for a search in a transformed tree.
    pub(crate) fn over(&self, overlay: &Arc<Overlay>, follows_hint: bool) -> Self {
        let mapped = |source: &CoverageSource| CoverageSource {
            searched: Arc::new(OverlayCoverage {
                overlay: Arc::clone(overlay),
                base: Arc::clone(&source.base),
            }),
            ..source.clone()
        };
        let hint = self.hint.filter(|_| follows_hint);
        Knowledge {
            hint: hint.and_then(|node| overlay.from_base(Target::Node(node))),
            coverage: self
                .coverage
                .each_ref()
                .map(|source| source.as_ref().map(mapped)),
            valid: self.valid.clone(),
            // Nodes of a transformed tree are others than those that something is believed of.
            belief: None,
            wrong: None,
            one_of: Vec::new(),
            inadmissible: None,
        }
    }
}

/// A collapsed node covers what its members cover; a projected one has no code. A loop or an iteration
/// covers what its call covers.
struct OverlayCoverage {
    overlay: Arc<Overlay>,
    base: Arc<dyn Coverage>,
}

impl Coverage for OverlayCoverage {
    fn keys(&self, node: NodeId) -> Option<Arc<[CoverageKey]>> {
        match self.overlay.to_base(Target::Node(node)) {
            Target::Node(node) => self.base.keys(node),
            // The code of a loop counts as its call's, wherever the call is a suspect.
            Target::Piece { first, .. } => match self.overlay.base().parent(first) {
                Some(call) => self.base.keys(call),
                None => Some(Arc::new([])),
            },
            target => {
                let members = target.members(&**self.overlay.base());
                let keys: Option<Vec<_>> = members.map(|node| self.base.keys(node)).collect();
                Some(keys?.iter().flat_map(|keys| keys.iter().copied()).collect())
            }
        }
    }
}

impl fmt::Debug for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Knowledge")
            .field("hint", &self.hint)
            .field("valid", &self.valid)
            .finish_non_exhaustive()
    }
}
