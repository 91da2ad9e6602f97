//! How judgements change the space.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::bits::RankBitmap;
use super::{Evidence, Pruned, SearchSpace};
use crate::judgement::Judgement;
use crate::session::SessionOptions;
use crate::tree::{ExecutionTree, NodeId, RoutineId};

impl SearchSpace {
    /// The space before any judgement: the whole forest, nothing ruled out.
    pub fn new(tree: Arc<dyn ExecutionTree>) -> Self {
        let mut space = Self::empty(tree);
        space.reset(None, false, &BTreeSet::new());
        space
    }

    /// The space in which a session with these options starts.
    pub fn at_start(tree: Arc<dyn ExecutionTree>, options: &SessionOptions) -> Self {
        let mut space = Self::empty(tree);
        space.reset(options.root, options.non_termination, &options.trusted);
        if let Some(root) = options.known_wrong_root(space.tree()) {
            space.judge(root, Judgement::Wrong);
        }
        space
    }

    /// What is left if `node` turns out to be wrong, with what was said inside it.
    pub fn fork_into(&self, node: NodeId) -> Self {
        let mut space = self.fork_within(self.tree.range(node));
        space.judge(node, Judgement::Wrong);
        space
    }

    /// An independent copy, which shares what was computed about the tree.
    pub fn fork(&self) -> Self {
        let mut space = self.fork_within(0..self.tree.len());
        space.find_pruned();
        space
    }

    fn fork_within(&self, kept: Range<u32>) -> Self {
        let kept = NodeId(kept.start)..NodeId(kept.end);
        SearchSpace {
            tree: Arc::clone(&self.tree),
            scope: self.scope.clone(),
            focus: self.focus,
            range: self.range.clone(),
            ruled_out: self.ruled_out.range(kept.clone()).copied().collect(),
            pruned: Vec::new(),
            unknown: self.unknown.range(kept).copied().collect(),
            evidence: self.evidence.clone(),
            trusted: self.trusted.clone(),
            non_termination: self.non_termination,
            weightless: Arc::clone(&self.weightless),
            known_len: self.known_len,
            jumps: Arc::clone(&self.jumps),
            wide: Arc::clone(&self.wide),
        }
    }

    pub(crate) fn empty(tree: Arc<dyn ExecutionTree>) -> Self {
        SearchSpace {
            tree,
            scope: 0..0,
            focus: None,
            range: 0..0,
            ruled_out: BTreeSet::new(),
            pruned: Vec::new(),
            unknown: BTreeSet::new(),
            evidence: HashMap::new(),
            trusted: BTreeSet::new(),
            non_termination: false,
            weightless: Arc::default(),
            known_len: 0,
            jumps: Arc::default(),
            wide: Arc::default(),
        }
    }

    /// Forgets all judgements and starts over with this root and these trusted routines.
    pub(crate) fn reset(
        &mut self,
        root: Option<NodeId>,
        non_termination: bool,
        trusted: &BTreeSet<RoutineId>,
    ) {
        let whole = 0..self.tree.len();
        let has_grown = self.known_len != whole.end;
        if has_grown {
            self.known_len = whole.end;
            self.jumps = Arc::default();
        }
        let weighs_differently =
            self.trusted != *trusted || self.non_termination != non_termination;
        if has_grown || weighs_differently {
            self.trusted.clone_from(trusted);
            self.non_termination = non_termination;
            self.find_weightless();
        }
        self.scope = root.map_or(whole, |root| self.tree.range(root));
        self.range = self.scope.clone();
        self.focus = None;
        self.ruled_out.clear();
        self.unknown.clear();
        self.evidence.clear();
        self.find_pruned();
    }

    /// One pass over the tree, or over what its indexes give; only trust and growth call for it.
    fn find_weightless(&mut self) {
        let tree = &self.tree;
        let weightless = RankBitmap::build(self.known_len, |mark| {
            if !self.non_termination {
                tree.incomplete_nodes()
                    .into_iter()
                    .for_each(|node| mark(node.0));
            }
            if !self.trusted.is_empty() {
                let wanted = |routine| self.trusted.contains(&routine);
                tree.visit_nodes_of(&wanted, &mut |node| mark(node.0));
            }
        });
        self.weightless = Arc::new(weightless);
        self.wide = Arc::default();
    }

    /// Takes in one judgement. Trust is not taken in here: it changes weights everywhere, so the
    /// session resets the space.
    pub(crate) fn judge(&mut self, node: NodeId, judgement: Judgement) {
        match judgement {
            Judgement::Correct => self.evidence_about(node).correct += 1,
            Judgement::Wrong => self.evidence_about(node).wrong += 1,
            _ => {}
        }
        match judgement {
            Judgement::Correct | Judgement::Inadmissible => self.rule_out(node),
            Judgement::Wrong => self.narrow(node),
            Judgement::Unknown => {
                self.unknown.insert(node);
            }
            Judgement::Trusted | Judgement::Undefined => {}
        }
    }

    fn evidence_about(&mut self, node: NodeId) -> &mut Evidence {
        self.evidence.entry(self.tree.routine(node)).or_default()
    }

    fn narrow(&mut self, node: NodeId) {
        let inside = self.tree.range(node);
        let holds_all = inside.start <= self.range.start && self.range.end <= inside.end;
        let above = match self.focus {
            // An ancestor of what is known to be wrong adds nothing.
            Some(_) => holds_all,
            None => holds_all && inside != self.range,
        };
        if above {
            return;
        }
        // Inside the range this narrows the search; outside it, the person has chosen to look
        // there, and a wrong node has a buggy one in its subtree wherever it is.
        self.focus = Some(node);
        self.range = inside;
        self.find_pruned();
    }

    fn rule_out(&mut self, node: NodeId) {
        self.ruled_out.insert(node);
        let Range { start, end } = self.tree.range(node);
        let strictly_inside = self.range.start < start && end <= self.range.end;
        if !strictly_inside {
            self.find_pruned();
            return;
        }
        if self.pruned_around(start).is_some() {
            return;
        }
        let from = self.pruned.partition_point(|pruned| pruned.start < start);
        let to = self.pruned.partition_point(|pruned| pruned.start < end);
        self.pruned.splice(
            from..to,
            [Pruned {
                start,
                end,
                removed_before: 0,
            }],
        );
        self.sum_up(from);
    }

    /// Finds the outermost ruled-out subtrees inside the range.
    fn find_pruned(&mut self) {
        self.pruned.clear();
        if self.focus.is_none() && self.is_ruled_out_from_above() {
            let Range { start, end } = self.range;
            self.pruned.push(Pruned {
                start,
                end,
                removed_before: 0,
            });
            return;
        }
        let mut covered = self.range.start;
        for &node in self
            .ruled_out
            .range(NodeId(self.range.start)..NodeId(self.range.end))
        {
            let Range { start, end } = self.tree.range(node);
            if start >= covered && Some(node) != self.focus {
                self.pruned.push(Pruned {
                    start,
                    end,
                    removed_before: 0,
                });
                covered = end;
            }
        }
        self.sum_up(0);
    }

    /// Whether the root of the scope, or an ancestor of it, was ruled out.
    fn is_ruled_out_from_above(&self) -> bool {
        let covers = |node: &&NodeId| self.tree.range(**node).end >= self.range.end;
        self.ruled_out
            .range(..=NodeId(self.range.start))
            .rev()
            .any(|node| covers(&node))
    }

    fn sum_up(&mut self, from: usize) {
        for index in from..self.pruned.len() {
            self.pruned[index].removed_before = match index.checked_sub(1) {
                None => 0,
                Some(left) => {
                    let Pruned {
                        start,
                        end,
                        removed_before,
                    } = self.pruned[left];
                    removed_before + self.weight_between(start, end)
                }
            };
        }
    }
}
