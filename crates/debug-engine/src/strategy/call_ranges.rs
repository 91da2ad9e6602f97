//! The node, or the stretch of chained siblings, that splits the suspects most evenly.
//!
//! Where to look is what [`balance`] says about nodes: let `v` be the lowest node with at least half of
//! the suspects. Stretches below a child of `v` are lighter than that child, which is lighter than
//! half; stretches beside `v` have at most what `v` leaves; so those among the children of `v` are the
//! ones to try — and, where `v` cannot be asked, those on the way up to the first node that can. Among
//! few siblings the best stretch is found with two pointers in one pass; among very many, only chains
//! that hold a quantile of the suspects are cut at the half-way point, which takes ancestor queries
//! and no pass at all.

use super::{SearchSpace, Strategy, balance};
use crate::tree::{NodeId, Target};

/// How finely the suspects below a node with very many children are probed.
const QUANTILES: u64 = 16;

/// Divide & query over nodes and stretches, without any plan.
pub(super) struct CallRanges;

impl Strategy for CallRanges {
    fn name(&self) -> &'static str {
        super::DEFAULT
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        balance::most_balanced(space, space.suspects())
    }

    fn choose_target(&mut self, space: &SearchSpace) -> Option<Target> {
        most_balanced(space)
    }
}

/// The node or stretch that splits the suspects most evenly: the node, where both do so equally well.
pub fn most_balanced(space: &SearchSpace) -> Option<Target> {
    let all = space.suspects();
    let sites = sites(space);
    let mut search = Search {
        space,
        all,
        best: None,
    };
    if !sites.iter().any(|&site| is_huge(space, site)) {
        // The search over nodes looks at the children of the same places.
        if let Some(node) = balance::most_balanced(space, all) {
            search.offer(Target::Node(node), 1);
        }
    }
    for site in sites {
        // The distance has the parity of `all`: 0 or 1 cannot be beaten.
        if search.best.is_none_or(|best| best.distance > 1) {
            search.look_among(site);
        }
    }
    let is_poor = |best: &Candidate| 2 * best.distance > all;
    if search.best.as_ref().is_none_or(is_poor)
        && let Some(node) = balance::most_balanced(space, all)
    {
        search.offer(Target::Node(node), 1);
    }
    search.best.map(|best| best.target)
}

/// A set of siblings: the children of a node, or the topmost nodes of the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Site {
    Below(NodeId),
    Top,
}

/// Where the best stretch can be.
fn sites(space: &SearchSpace) -> Vec<Site> {
    let all = space.suspects();
    let middle = space.select(all / 2);
    let heavy = |node: NodeId| 2 * space.weight(node) >= all;
    let Some(lowest) = middle.and_then(|middle| space.climb(middle, heavy)) else {
        return vec![Site::Top];
    };
    let mut sites = Vec::new();
    for node in space.ancestors_in_range(lowest) {
        sites.push(Site::Below(node));
        if space.is_askable(node) || space.focus() == Some(node) {
            return sites;
        }
    }
    sites.push(Site::Top);
    sites
}

fn siblings(space: &SearchSpace, site: Site) -> Box<dyn Iterator<Item = NodeId> + '_> {
    match site {
        Site::Below(node) => Box::new(space.tree().children(node)),
        Site::Top => Box::new(space.top()),
    }
}

fn is_huge(space: &SearchSpace, site: Site) -> bool {
    match site {
        Site::Below(node) => space.has_many_children(node),
        Site::Top => space.has_many_at_top(),
    }
}

#[derive(Clone, Copy)]
struct Candidate {
    target: Target,
    /// |2·w − W|: the smaller, the better.
    distance: u64,
    /// How many siblings it takes together: of equals, the fewer.
    members: usize,
}

/// A sibling with which a stretch can begin or end, and how many suspects lie before it and before its end.
struct End {
    place: usize,
    before: u64,
    after: u64,
}

struct Search<'space> {
    space: &'space SearchSpace,
    all: u64,
    best: Option<Candidate>,
}

impl Search<'_> {
    fn offer(&mut self, target: Target, members: usize) {
        let distance = (2 * self.space.weight_of(target)).abs_diff(self.all);
        let key = |candidate: &Candidate| (candidate.distance, candidate.members);
        let is_better = |best: &Candidate| (distance, members) < key(best);
        if self.best.as_ref().is_none_or(is_better) && self.space.can_ask(target) {
            self.best = Some(Candidate {
                target,
                distance,
                members,
            });
        }
    }

    fn look_among(&mut self, site: Site) {
        let mut open = vec![site];
        while let Some(site) = open.pop() {
            if is_huge(self.space, site) {
                self.probe(site);
                continue;
            }
            let siblings: Vec<NodeId> = siblings(self.space, site).collect();
            for chain in self.chains(&siblings) {
                self.best_stretch(chain);
            }
            // Trusted and open nodes are looked through.
            let through = siblings
                .into_iter()
                .filter(|&node| self.hides_stretch(node));
            open.extend(through.map(Site::Below));
        }
    }

    /// The chains of at least two among these siblings, as far as they can be judged.
    fn chains<'a>(&self, siblings: &'a [NodeId]) -> Vec<&'a [NodeId]> {
        let space = self.space;
        let tree = space.tree();
        let bounds = space.unknown_bounds();
        let may_be_together = |one: NodeId, next: NodeId| {
            let alone = space.stands_alone(one) || space.stands_alone(next);
            !alone && !bounds.contains(&next.0)
        };
        siblings
            .chunk_by(|&one, &next| {
                tree.chained_to_next(one) && space.has_result(next) && may_be_together(one, next)
            })
            .filter(|chain| chain.len() > 1)
            .collect()
    }

    /// Whether a stretch among the children of this node can be better than the best so far.
    fn hides_stretch(&self, node: NodeId) -> bool {
        let weight = self.space.weight(node);
        let reachable = self.all.saturating_sub(2 * weight);
        let competes = self.best.is_none_or(|best| reachable < best.distance);
        weight > 1 && 2 * weight <= self.all && competes && !self.space.is_askable(node)
    }

    /// Two pointers: for each last sibling, the stretches just above and just below half of the
    /// suspects. The first pointer never moves back, so this is one pass. Siblings without a suspect, and trusted
    /// ones, are neither first nor last.
    fn best_stretch(&mut self, chain: &[NodeId]) {
        let space = self.space;
        let mut ends: Vec<End> = Vec::new();
        for (place, &node) in chain.iter().enumerate() {
            let before = space.suspects_before(node.0);
            let after = space.suspects_before(space.tree().range(node).end);
            if before < after && !space.is_trusted(node) {
                ends.push(End {
                    place,
                    before,
                    after,
                });
            }
        }
        let mut first = 0;
        for last in 0..ends.len() {
            let inside = |first: usize| ends[last].after - ends[first].before;
            while first < last && 2 * inside(first + 1) >= self.all {
                first += 1;
            }
            for first in [first, first + 1] {
                if first >= last {
                    continue;
                }
                let distance = (2 * inside(first)).abs_diff(self.all);
                if self.best.is_none_or(|best| distance <= best.distance) {
                    let (start, end) = (ends[first].place, ends[last].place);
                    self.offer(Target::between(chain[start], chain[end]), end + 1 - start);
                }
            }
        }
    }

    /// Looks at the siblings that hold a quantile of the suspects, and cuts their chains.
    fn probe(&mut self, site: Site) {
        let mut seen = None;
        for quantile in 1..QUANTILES {
            let suspect = self.space.select(self.all * quantile / QUANTILES);
            let Some(sibling) = suspect.and_then(|suspect| self.sibling_around(site, suspect))
            else {
                continue;
            };
            self.offer(Target::Node(sibling), 1);
            let chain = self.known_part(site, sibling, self.chain_in_range(site, sibling));
            if seen != Some(chain) {
                seen = Some(chain);
                self.cut(site, chain.0, chain.1);
            }
        }
    }

    /// The member of the site that holds a node, unless the node lies elsewhere.
    fn sibling_around(&self, site: Site, node: NodeId) -> Option<NodeId> {
        let space = self.space;
        let tree = space.tree();
        let sibling = match site {
            Site::Below(parent) => space.climb(node, |node| {
                node <= parent || tree.parent(node) == Some(parent)
            }),
            Site::Top => space.climb(node, |node| {
                let parent = tree.parent(node);
                parent.is_none_or(|parent| !space.range().contains(&parent.0))
            }),
        };
        sibling.filter(|&sibling| match site {
            Site::Below(parent) => tree.parent(sibling) == Some(parent),
            Site::Top => true,
        })
    }

    fn chain_in_range(&self, site: Site, sibling: NodeId) -> (NodeId, NodeId) {
        let range = self.space.range();
        let (first, last) = self.space.chain_around(sibling);
        let first = NodeId(first.0.max(range.start));
        let last = if last.0 >= range.end {
            let cut = self.sibling_around(site, NodeId(range.end - 1));
            cut.unwrap_or(sibling)
        } else {
            last
        };
        if last > first && !self.space.has_result(last) {
            let before = self.sibling_around(site, NodeId(last.0 - 1));
            return (first, before.unwrap_or(first));
        }
        (first, last)
    }

    /// The part of a chain around a sibling in which nothing was left unanswered but the whole of it.
    fn known_part(
        &self,
        site: Site,
        sibling: NodeId,
        (first, last): (NodeId, NodeId),
    ) -> (NodeId, NodeId) {
        let space = self.space;
        let (left, right) = space.unanswered_around(space.tree().range(sibling));
        let first = left.map_or(first, |left| {
            let held_by = self.sibling_around(site, NodeId(left.saturating_sub(1)));
            let next = held_by.map(|held_by| NodeId(space.tree().range(held_by).end));
            next.filter(|&next| next > first && next <= sibling)
                .unwrap_or(first)
        });
        let last = right.map_or(last, |right| {
            let before = self.sibling_around(site, NodeId(right.saturating_sub(1)));
            let holder = self.sibling_around(site, NodeId(right));
            let before = match before == holder {
                // It lies inside a sibling: the group ends with the one before that.
                true => holder.and_then(|held| self.sibling_around(site, NodeId(held.0 - 1))),
                false => before,
            };
            before
                .filter(|&before| before < last && before >= sibling)
                .unwrap_or(last)
        });
        (first, last)
    }

    /// Offers the chain, and what is left of it when about half of all suspects are cut off at its
    /// end or at its beginning.
    fn cut(&mut self, site: Site, first: NodeId, last: NodeId) {
        let space = self.space;
        let before = space.suspects_before(first.0);
        let after = space.suspects_before(space.tree().range(last).end);
        let half = match space.is_in_unknown(first.0..space.tree().range(last).end) {
            true => (self.all / 2).min((after - before) / 2),
            false => self.all / 2,
        };
        let from_start = (before + half).min(after);
        let from_end = after.saturating_sub(half).max(before);
        for (start, end) in [
            (before, after),
            (before, from_start),
            (before, from_start + 1),
            (from_end, after),
            (from_end + 1, after),
        ] {
            if start < end && end <= after {
                self.offer_ranks(site, start, end);
            }
        }
    }

    /// Offers the siblings that hold the suspects with these ranks.
    fn offer_ranks(&mut self, site: Site, start: u64, end: u64) {
        let around = |rank| {
            let suspect = self.space.select(rank)?;
            self.sibling_around(site, suspect)
        };
        let (Some(first), Some(last)) = (around(start), around(end - 1)) else {
            return;
        };
        if first < last {
            self.offer(Target::between(first, last), usize::MAX);
            // The siblings at the cut may be heavy: without them it may be better.
            let tree = self.space.tree();
            let second = NodeId(tree.range(first).end);
            let last_but_one = self.sibling_around(site, NodeId(last.0 - 1));
            if second < last {
                self.offer(Target::between(second, last), usize::MAX);
            }
            if let Some(end) = last_but_one.filter(|&end| end > first) {
                self.offer(Target::between(first, end), usize::MAX);
            }
        }
    }
}
