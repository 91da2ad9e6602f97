//! Which question tells most for what has to be read.
//!
//! What an answer tells is its information (Shannon's, in bits): of a single call that it is right or not, of a list
//! of calls that all are right or which one is not. What it costs is what has to be read, and a thought for each call.

use super::{Belief, Masses};
use crate::strategy::{Choice, SearchSpace, call_ranges};
use crate::tree::{NodeId, Target};

/// What understanding a question and answering it takes, in signs of reading.
const THINKING: f64 = 400.0;
/// The same for each further call of a list.
const NEXT_ITEM: f64 = 10.0;

/// Several calls taken together are harder to judge than one that takes as long to read.
const TOGETHER: f64 = 1.3;
/// More calls than this are no handful.
const LONGEST_LIST: usize = 7;
/// Nobody looks over more calls than this that are taken together.
const MOST_TOGETHER: usize = 12;

/// A call that is longer is not put into a list.
const LONGEST_LINE: u64 = 300;

/// A list takes no more lines than this, of so many signs.
const MOST_LINES: u64 = 18;
const LINE: u64 = 100;
/// Of so many questions it is worked out how long they are, of those that tell most.
const LOOKED_AT: usize = 24;
/// Of so many it is worked out how long they are in a list.
const MOST_MEASURED: usize = 48;
/// In a listing that is not whole, callers of so many of the likeliest calls are possible questions too.
const CALLERS_OF: usize = 256;

/// A call that can be asked about, and how likely the bug is in it.
#[derive(Clone, Copy)]
struct Candidate {
    node: NodeId,
    share: f64,
}

/// The question that is worth most for its effort; `None` if belief knows none.
pub(super) fn best(space: &SearchSpace, belief: &dyn Belief, masses: &Masses) -> Option<Choice> {
    let mut candidates = candidates(space, masses);
    let comes_first =
        |candidate: &Candidate| masses.tells_of_first(&space.tree().range(candidate.node));
    if candidates.iter().any(comes_first) {
        candidates.retain(comes_first);
    }
    candidates.sort_by(|one, other| {
        let by_information = bits(&[other.share]).total_cmp(&bits(&[one.share]));
        by_information.then(one.node.cmp(&other.node))
    });
    if let Some(next) = next_of_list(space, belief, &candidates) {
        return Some(next.choice);
    }
    let single = best_single(space, belief, masses, &candidates)?;
    let list = belief
        .takes_lists()
        .then(|| best_list(space, belief, &candidates));
    match list.flatten().filter(|list| list.worth > single.worth) {
        Some(list) => Some(list.choice),
        None => Some(single.choice),
    }
}

struct Weighed {
    choice: Choice,
    worth: f64,
}

/// The calls that belief speaks of, and those that made them.
fn candidates(space: &SearchSpace, masses: &Masses) -> Vec<Candidate> {
    let mut nodes: Vec<NodeId> = masses.listed().collect();
    if (nodes.len() as u64) < space.suspects() {
        let likeliest = masses.likeliest();
        for (node, _) in likeliest.into_iter().take(CALLERS_OF) {
            nodes.extend(space.ancestors_in_range(node).skip(1));
        }
        nodes.sort_unstable();
        nodes.dedup();
    }
    let askable = nodes.into_iter().filter(|&node| space.is_askable(node));
    let with_share = askable.map(|node| Candidate {
        node,
        share: masses.share(space, space.tree().range(node)),
    });
    with_share.collect()
}

/// Who has seen a list and said no more than that one of it is wrong is asked about its calls one by one.
fn next_of_list(
    space: &SearchSpace,
    belief: &dyn Belief,
    candidates: &[Candidate],
) -> Option<Weighed> {
    let list = space.knowledge().one_of.last()?;
    let is_in_list = |candidate: &&Candidate| list.contains(&candidate.node);
    let left: Vec<Candidate> = candidates.iter().filter(is_in_list).copied().collect();
    match left.len() {
        0 | 1 => None,
        _ => best_call(belief, &left),
    }
}

/// The call, or the calls taken together, that are worth most.
fn best_single(
    space: &SearchSpace,
    belief: &dyn Belief,
    masses: &Masses,
    candidates: &[Candidate],
) -> Option<Weighed> {
    let best = best_call(belief, candidates);
    let most = best.as_ref().map_or(0.0, |best| best.worth);
    let together = call_ranges::most_balanced(space)
        .filter(|target| target.node().is_none() && can_be_looked_over(space, *target))
        .filter(|target| masses.tells_of_first(&target.positions(space.tree())));
    let Some(target) = together else {
        return best;
    };
    let information = bits(&[masses.share(space, target.positions(space.tree()))]);
    if information / (TOGETHER * THINKING) <= most {
        return best;
    }
    let effort = TOGETHER * (THINKING + belief.signs(target) as f64);
    let worth = information / effort;
    let choice = Choice::one(target);
    best.filter(|best| best.worth >= worth)
        .or(Some(Weighed { choice, worth }))
}

/// Whether a person can look over what is taken together.
pub(super) fn can_be_looked_over(space: &SearchSpace, target: Target) -> bool {
    let members = target.members(space.tree());
    members.take(MOST_TOGETHER + 1).count() <= MOST_TOGETHER
}

/// The call that is worth most by itself, of those that are in the order of what they tell.
fn best_call(belief: &dyn Belief, candidates: &[Candidate]) -> Option<Weighed> {
    let mut best: Option<Weighed> = None;
    for candidate in candidates.iter().take(LOOKED_AT) {
        let information = bits(&[candidate.share]);
        let most = best.as_ref().map_or(0.0, |best| best.worth);
        // Those that follow tell less, and nothing is read for nothing.
        if information / THINKING <= most {
            break;
        }
        let target = Target::Node(candidate.node);
        let worth = information / (THINKING + belief.signs(target) as f64);
        if best.is_none() || worth > most {
            let choice = Choice::one(target);
            best = Some(Weighed { choice, worth });
        }
    }
    best
}

/// A list of calls, none of them inside another. It grows by the call that makes it worth most, until none does: what
/// is told for each sign counts, not what is told.
fn best_list(
    space: &SearchSpace,
    belief: &dyn Belief,
    candidates: &[Candidate],
) -> Option<Weighed> {
    let measured = candidates
        .iter()
        .take(MOST_MEASURED)
        .map(|&candidate| Item {
            candidate,
            signs: belief.signs_of_line(candidate.node),
        });
    let mut items: Vec<Item> = measured.filter(|item| item.signs <= LONGEST_LINE).collect();
    let mut list = List::default();
    while list.items.len() < LONGEST_LIST {
        let grown = items.iter().map(|&item| list.with(item));
        let best = grown.max_by(|one, other| one.worth().total_cmp(&other.worth()));
        let Some(best) = best.filter(|best| best.worth() > list.worth()) else {
            break;
        };
        list = best;
        let fits = |item: &Item| list.lines() + item.lines() <= MOST_LINES;
        // Who has judged a call has judged those that look the same.
        let newest = list.items.last().map(|item| item.candidate.node);
        let is_new = |item: &Item| {
            newest.is_none_or(|newest| !belief.look_alike(newest, item.candidate.node))
        };
        items.retain(|item| fits(item) && list.is_apart(space, item) && is_new(item));
    }
    let worth = list.worth();
    let mut nodes: Vec<NodeId> = list.items.iter().map(|item| item.candidate.node).collect();
    nodes.sort_unstable();
    let [first, beside @ ..] = &nodes[..] else {
        return None;
    };
    let choice = Choice {
        target: Target::Node(*first),
        beside: beside.to_vec(),
    };
    (nodes.len() > 1).then_some(Weighed { choice, worth })
}

/// A call that can stand in a list, and how long its line is.
#[derive(Clone, Copy)]
struct Item {
    candidate: Candidate,
    signs: u64,
}

impl Item {
    fn lines(&self) -> u64 {
        self.signs.div_ceil(LINE)
    }
}

/// Calls that may be asked about together.
#[derive(Clone, Default)]
struct List {
    items: Vec<Item>,
}

impl List {
    fn with(&self, item: Item) -> List {
        let mut list = self.clone();
        list.items.push(item);
        list
    }

    fn lines(&self) -> u64 {
        self.items.iter().map(Item::lines).sum()
    }

    fn is_apart(&self, space: &SearchSpace, item: &Item) -> bool {
        let mut others = self.items.iter();
        others.all(|other| !overlap(space, item.candidate.node, other.candidate.node))
    }

    /// What the answer tells for what has to be read.
    fn worth(&self) -> f64 {
        let shares = self.items.iter().map(|item| item.candidate.share);
        let effort = self.items.iter().map(|item| NEXT_ITEM + item.signs as f64);
        bits(&shares.collect::<Vec<f64>>()) / (THINKING + effort.sum::<f64>())
    }
}

fn overlap(space: &SearchSpace, one: NodeId, other: NodeId) -> bool {
    let tree = space.tree();
    tree.contains(one, other) || tree.contains(other, one)
}

/// What the answer tells if the bug is in each of several calls with this likelihood, and elsewhere else.
fn bits(shares: &[f64]) -> f64 {
    let elsewhere = (1.0 - shares.iter().sum::<f64>()).max(0.0);
    let part = |share: f64| match share > 0.0 {
        true => -share * share.log2(),
        false => 0.0,
    };
    shares.iter().copied().map(part).sum::<f64>() + part(elsewhere)
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn an_even_split_tells_one_bit_and_four_ways_tell_two() {
        assert_eq!(bits(&[0.5]), 1.0);
        assert_eq!(bits(&[0.25, 0.25, 0.25]), 2.0);
        assert_eq!(bits(&[1.0]), 0.0);
        assert_eq!(bits(&[0.0]), 0.0);
    }
}
