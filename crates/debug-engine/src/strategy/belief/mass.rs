//! How likely each suspect is the buggy call, and what lies in a part of the tree.
//!
//! A bug is in a routine, and some of the routine's calls show it. So a routine's likelihood is shared among its calls
//! by their relevance: a thousand calls of one accessor weigh no more than one. Calls that are ruled out take their
//! share with them, and each call that is judged right makes its routine less suspicious.
//!
//! With few suspects all of them are listed. With more, those are that had a part in what is wrong, or some of them
//! from everywhere if that is not known; the others share what is left of belief evenly: the space knows how many of
//! them lie in any part of the tree.

use std::collections::HashMap;
use std::ops::Range;

use crate::strategy::{Belief, Evidence, KnownWrong, SearchSpace};
use crate::tree::{NodeId, RoutineId};

/// Up to this many suspects are all listed.
const LISTABLE: u64 = 20_000;
/// Of more suspects, of which nothing is known, so many are listed.
const SAMPLED: u64 = 4_000;
/// What is believed of all suspects together that are not listed, compared with those that are.
const UNLISTED: f64 = 0.25;
/// What is left of a routine's likelihood after one of its calls was judged right.
const AFTER_RIGHT: f64 = 0.3;
/// However many of its calls are right, a routine stays this likely.
const LEAST_LEFT: f64 = 0.02;
/// What is left of the likelihood of calls outside a group in which something is wrong.
const OUTSIDE_GROUP: f64 = 0.01;

/// What is left of the likelihood of calls after one that should not have been made like that: its cause came before.
const AFTER_INADMISSIBLE: f64 = 0.05;

/// Suspects with what is believed of them before answers.
pub(super) struct Listing {
    made_for: ((u64, usize), Option<KnownWrong>),
    is_whole: bool,
    /// In preorder.
    suspects: Vec<(NodeId, f64)>,
    /// Calls that come before all others, in preorder; none if all are alike in that.
    first: Vec<NodeId>,
}

impl Listing {
    /// Of the suspects that a space has now. `None` if there are none.
    pub(super) fn new(space: &SearchSpace, belief: &dyn Belief) -> Option<Listing> {
        let wrong = space.knowledge().wrong.clone();
        let relevance = wrong
            .as_ref()
            .map(|wrong| belief.relevance(wrong.target, wrong.part.as_ref()));
        let relevance = relevance.unwrap_or_else(|| belief.relevance_at_first());
        let is_whole = space.suspects() <= LISTABLE;
        let calls: Vec<(NodeId, f64)> = match is_whole {
            true => space
                .suspects_in_order()
                .map(|node| (node, relevance.of_call(node)))
                .collect(),
            false => {
                let relevant = relevance.calls.iter().copied();
                let relevant: Vec<_> = relevant
                    .filter(|&(node, _)| space.is_suspect(node))
                    .collect();
                match relevant.is_empty() {
                    true => sample(space),
                    false => relevant,
                }
            }
        };
        if calls.is_empty() {
            return None;
        }
        let first = relevance.calls.iter().filter(|_| relevance.comes_first);
        Some(Listing {
            made_for: (space.course(), wrong),
            is_whole,
            suspects: shared(space, belief, calls),
            first: first.map(|&(node, _)| node).collect(),
        })
    }

    /// Whether what is listed is still what there is to list.
    pub(super) fn is_for(&self, space: &SearchSpace) -> bool {
        let (course, wrong) = &self.made_for;
        let is_whole = self.is_whole || space.suspects() > LISTABLE;
        *course == space.course() && *wrong == space.knowledge().wrong && is_whole
    }
}

/// Suspects from everywhere, as far apart as they can be.
fn sample(space: &SearchSpace) -> Vec<(NodeId, f64)> {
    let all = space.suspects();
    let sampled = SAMPLED.min(all);
    let ranks = (0..sampled).map(|number| number * all / sampled);
    ranks
        .filter_map(|rank| Some((space.select(rank)?, 1.0)))
        .collect()
}

/// Shares each routine's likelihood among its calls.
fn shared(
    space: &SearchSpace,
    belief: &dyn Belief,
    calls: Vec<(NodeId, f64)>,
) -> Vec<(NodeId, f64)> {
    /// What the calls of a routine have together, and the most relevant one of them.
    struct Routine {
        prior: f64,
        sum: f64,
        most: f64,
    }
    let mut routines: HashMap<RoutineId, Routine> = HashMap::new();
    for &(node, relevance) in &calls {
        let routine = space.tree().routine(node);
        let known = routines.entry(routine).or_insert_with(|| Routine {
            prior: belief.prior(routine),
            sum: 0.0,
            most: 0.0,
        });
        known.sum += relevance;
        known.most = known.most.max(relevance);
    }
    let share = |(node, relevance)| {
        let routine = &routines[&space.tree().routine(node)];
        let share = routine.prior * routine.most * relevance / routine.sum;
        (node, share)
    };
    calls.into_iter().map(share).collect()
}

/// What is believed of the suspects that are left.
pub(crate) struct Masses {
    /// Suspects with a belief of their own, in preorder.
    suspects: Vec<(NodeId, f64)>,
    /// The sum of all before each, and of all.
    before: Vec<f64>,
    /// What each of the other suspects has.
    unlisted: f64,
    total: f64,
    /// Those that come before all others, in preorder.
    first: Vec<NodeId>,
}

impl Masses {
    pub(super) fn of(space: &SearchSpace, listing: &Listing) -> Masses {
        let mut masses = Masses {
            suspects: Vec::with_capacity(listing.suspects.len()),
            before: vec![0.0],
            unlisted: 0.0,
            total: 0.0,
            first: Vec::new(),
        };
        let inadmissible = space.knowledge().inadmissible;
        let is_after = |node: NodeId| inadmissible.is_some_and(|first| node > first);
        let first = listing.first.iter().copied();
        masses
            .first
            .extend(first.filter(|&node| space.is_suspect(node) && !is_after(node)));
        let groups = Groups::of(space);
        let mut sum = 0.0;
        for &(node, mass) in &listing.suspects {
            if space.is_suspect(node) {
                let mass = mass * after_answers(space.evidence(node)) * groups.factor(node);
                let mass = match is_after(node) {
                    true => mass * AFTER_INADMISSIBLE,
                    false => mass,
                };
                sum += mass;
                masses.suspects.push((node, mass));
                masses.before.push(sum);
            }
        }
        let others = space
            .suspects()
            .saturating_sub(masses.suspects.len() as u64);
        if others > 0 {
            let all = if sum > 0.0 { sum * UNLISTED } else { 1.0 };
            masses.unlisted = all / others as f64;
            sum += all;
        }
        masses.total = sum;
        masses
    }

    /// The suspects with a belief of their own.
    pub(super) fn listed(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.suspects.iter().map(|&(node, _)| node)
    }

    /// Whether a question about these positions tells something of the suspects that come first, if there are any.
    pub(super) fn tells_of_first(&self, positions: &Range<u32>) -> bool {
        let place = self.first.partition_point(|node| node.0 < positions.start);
        self.first.is_empty()
            || self
                .first
                .get(place)
                .is_some_and(|node| node.0 < positions.end)
    }

    /// How likely the bug is at these positions, from 0 to 1.
    pub(super) fn share(&self, space: &SearchSpace, positions: Range<u32>) -> f64 {
        let place = |position| self.suspects.partition_point(|(node, _)| node.0 < position);
        let (start, end) = (place(positions.start), place(positions.end));
        let listed = self.before[end] - self.before[start];
        let inside = space.suspects_before(positions.end) - space.suspects_before(positions.start);
        let others = inside.saturating_sub((end - start) as u64);
        let mass = listed + others as f64 * self.unlisted;
        (mass / self.total).clamp(0.0, 1.0)
    }

    /// The listed suspects with their shares, the likeliest first.
    pub(super) fn likeliest(&self) -> Vec<(NodeId, f64)> {
        let shares = self.suspects.iter();
        let mut suspects: Vec<_> = shares
            .map(|&(node, mass)| (node, mass / self.total))
            .collect();
        suspects.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        suspects
    }
}

/// What answers about other calls leave of a call's likelihood.
fn after_answers(evidence: Evidence) -> f64 {
    let right = i32::try_from(evidence.correct).unwrap_or(i32::MAX);
    AFTER_RIGHT.powi(right).max(LEAST_LEFT)
}

/// Groups of calls of which somebody said that one of them is wrong.
struct Groups<'space> {
    space: &'space SearchSpace,
    groups: &'space [Vec<NodeId>],
}

impl<'space> Groups<'space> {
    fn of(space: &'space SearchSpace) -> Self {
        let groups = &space.knowledge().one_of;
        Groups { space, groups }
    }

    fn factor(&self, node: NodeId) -> f64 {
        let tree = self.space.tree();
        let is_in = |group: &&Vec<NodeId>| group.iter().any(|&call| tree.contains(call, node));
        let outside = self.groups.iter().filter(|group| !is_in(group)).count();
        OUTSIDE_GROUP.powi(i32::try_from(outside).unwrap_or(i32::MAX))
    }
}
