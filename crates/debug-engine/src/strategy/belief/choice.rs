//! Which question tells most for what has to be read.
//!
//! What an answer tells is its information (Shannon's, in bits): of a single call that it is right or not, of a list
//! of calls that all are right or which one is not. What it costs is what has to be read, and a thought for each call.

use super::{Belief, Masses};
use crate::strategy::{Choice, SearchSpace, call_ranges};
use crate::tree::{NodeId, Target};

/// What understanding a question and answering it takes, in signs of reading.
const THINKING: f64 = 1000.0;
/// The same for each further call of a list.
const NEXT_ITEM: f64 = 10.0;
/// Several calls taken together are harder to judge than one that takes as long to read.
const TOGETHER: f64 = 1.3;
/// More calls than this are no handful.
const LONGEST_LIST: usize = 7;
/// A call that is longer is not put into a list.
const LONGEST_LINE: u64 = 300;
/// A list takes no more lines than this, of so many signs.
const MOST_LINES: u64 = 18;
const LINE: u64 = 100;
/// Of so many questions it is worked out how long they are, of those that tell most.
const LOOKED_AT: usize = 24;
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

fn best_single(
    space: &SearchSpace,
    belief: &dyn Belief,
    masses: &Masses,
    candidates: &[Candidate],
) -> Option<Weighed> {
    let mut best: Option<Weighed> = None;
    let mut offer = |target: Target, worth: f64| {
        if best.as_ref().is_none_or(|best| worth > best.worth) {
            let choice = Choice::one(target);
            best = Some(Weighed { choice, worth });
        }
    };
    let mut most = 0.0_f64;
    for candidate in candidates.iter().take(LOOKED_AT) {
        let information = bits(&[candidate.share]);
        // Those that follow tell less, and nothing is read for nothing.
        if information / THINKING <= most {
            break;
        }
        let target = Target::Node(candidate.node);
        let worth = information / (THINKING + belief.signs(target) as f64);
        most = most.max(worth);
        offer(target, worth);
    }
    let together = call_ranges::most_balanced(space)
        .filter(|target| target.node().is_none())
        .filter(|target| masses.tells_of_first(&target.positions(space.tree())));
    if let Some(target) = together {
        let information = bits(&[masses.share(space, target.positions(space.tree()))]);
        if information / (TOGETHER * THINKING) > most {
            let effort = TOGETHER * (THINKING + belief.signs(target) as f64);
            offer(target, information / effort);
        }
    }
    best
}

/// A list of calls, none of them inside another, each of which makes it worth more.
fn best_list(
    space: &SearchSpace,
    belief: &dyn Belief,
    candidates: &[Candidate],
) -> Option<Weighed> {
    let mut list: Vec<Candidate> = Vec::new();
    let mut effort = THINKING;
    let mut worth = 0.0;
    let mut looked_at = 0;
    let mut lines = 0;
    for &candidate in candidates {
        if list.len() == LONGEST_LIST || looked_at == 2 * LOOKED_AT {
            break;
        }
        let is_apart = |other: &Candidate| !overlap(space, candidate.node, other.node);
        if !list.iter().all(is_apart) {
            continue;
        }
        let mut shares: Vec<f64> = list.iter().map(|candidate| candidate.share).collect();
        shares.push(candidate.share);
        let information = bits(&shares);
        if information / (effort + NEXT_ITEM) <= worth {
            continue;
        }
        looked_at += 1;
        let signs = belief.signs_of_line(candidate.node);
        let with_it = effort + NEXT_ITEM + signs as f64;
        let lines_with_it = lines + signs.div_ceil(LINE);
        let fits = signs <= LONGEST_LINE && lines_with_it <= MOST_LINES;
        if fits && information / with_it > worth {
            list.push(candidate);
            lines = lines_with_it;
            effort = with_it;
            worth = information / with_it;
        }
    }
    if list.len() < 2 {
        return None;
    }
    list.sort_by_key(|candidate| candidate.node);
    let mut nodes = list.into_iter().map(|candidate| candidate.node);
    let first = nodes.next()?;
    Some(Weighed {
        choice: Choice {
            target: Target::Node(first),
            beside: nodes.collect(),
        },
        worth,
    })
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
