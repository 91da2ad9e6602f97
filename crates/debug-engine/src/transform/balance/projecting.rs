//! The loop of Algorithm 4 of *Balanced Execution Trees* for one node: which stretches of its children get
//! a projected parent.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::{Balancing, Item};

/// The state of Algorithm 4 for one node.
pub(super) struct Projecting<'a> {
    items: &'a [Item],
    shortest: usize,
    /// `sums[i]`: the weight of the items before `start + i`.
    sums: Vec<u64>,
    start: usize,
    /// Whether the node that is balanced is no projected one.
    has_code: bool,
    /// `rootweight` of the paper: what is not dealt with yet.
    root_weight: u64,
    /// First and last item of each chain, `S` of the paper.
    chains: BTreeMap<usize, usize>,
    /// The same by weight; entries that are no chain any more are skipped.
    by_weight: BinaryHeap<(u64, Reverse<usize>, usize)>,
    /// Heaviest first, `children` of the paper.
    children: Vec<usize>,
    is_done: Vec<bool>,
}

impl<'a> Projecting<'a> {
    pub(super) fn new(
        parameters: &Balancing,
        items: &'a [Item],
        start: usize,
        end: usize,
        own_weight: u64,
    ) -> Self {
        let part = &items[start..end];
        let mut sums = vec![0];
        for item in part {
            sums.push(sums[sums.len() - 1] + item.weight);
        }
        let mut children: Vec<usize> = (start..end).collect();
        let mut projecting = Projecting {
            items,
            shortest: parameters.shortest.max(2),
            root_weight: own_weight + sums[part.len()],
            sums,
            start,
            has_code: own_weight > 0,
            chains: BTreeMap::new(),
            by_weight: BinaryHeap::new(),
            children: Vec::new(),
            is_done: vec![false; part.len()],
        };
        let longest = parameters.longest.unwrap_or(usize::MAX).max(2);
        let mut first = start;
        for chain in part.chunk_by(|one, _| one.chained) {
            for piece in chain.chunks(longest) {
                projecting.add_chain(first, first + piece.len());
                first += piece.len();
            }
        }
        if !projecting.chains.is_empty() {
            children.sort_by_key(|&child| (items[child].weight, Reverse(child)));
            projecting.children = children;
        }
        projecting
    }

    /// First and last item of each stretch.
    pub(super) fn run(mut self) -> Vec<(usize, usize)> {
        let mut projected = Vec::new();
        while !self.chains.is_empty() {
            while self
                .children
                .last()
                .is_some_and(|&child| self.is_done(child))
            {
                self.children.pop();
            }
            let Some(&child) = self.children.last() else {
                break;
            };
            let weight = self.items[child].weight;
            let distance = (2 * weight).abs_diff(self.root_weight);
            let closer = if 2 * weight >= self.root_weight {
                None
            } else {
                // The paper asks for a strictly smaller distance, but its own Figure 3 has a projected
                // node where both are equal. Inside a projected node that would gain nothing.
                let allowed = distance + u64::from(self.has_code);
                self.closest_stretch()
                    .filter(|stretch| stretch.distance < allowed)
            };
            match closer {
                None => self.take_out(child, child),
                Some(stretch) => {
                    self.take_out(stretch.first, stretch.last);
                    projected.push((stretch.first, stretch.last));
                }
            }
        }
        projected
    }

    fn is_done(&self, item: usize) -> bool {
        self.is_done[item - self.start]
    }

    fn weight(&self, first: usize, last: usize) -> u64 {
        self.sums[last + 1 - self.start] - self.sums[first - self.start]
    }

    fn add_chain(&mut self, start: usize, end: usize) {
        if end - start >= self.shortest {
            self.chains.insert(start, end - 1);
            let weight = self.weight(start, end - 1);
            self.by_weight.push((weight, Reverse(start), end - 1));
        }
    }

    /// Removes items from what is left to do; `cutChain` of the paper.
    fn take_out(&mut self, first: usize, last: usize) {
        self.root_weight -= self.weight(first, last);
        for item in first..=last {
            self.is_done[item - self.start] = true;
        }
        let chain = self.chains.range(..=first).next_back();
        if let Some((&chain_first, &chain_last)) = chain
            && last <= chain_last
        {
            self.chains.remove(&chain_first);
            self.add_chain(chain_first, first);
            self.add_chain(last + 1, chain_last + 1);
        }
    }

    /// Line 16: the stretch of a chain whose weight is closest to half of `rootweight`.
    fn closest_stretch(&mut self) -> Option<Stretch> {
        let (weight, Reverse(first), last) = self.heaviest_chain()?;
        let whole = Stretch {
            distance: (2 * weight).abs_diff(self.root_weight),
            first,
            last,
        };
        if 2 * weight <= self.root_weight {
            return Some(whole);
        }
        // Heavier than half: no other chain is.
        self.by_weight.pop();
        let second = self
            .heaviest_chain()
            .map(|(weight, Reverse(first), last)| Stretch {
                distance: (2 * weight).abs_diff(self.root_weight),
                first,
                last,
            });
        self.by_weight.push((weight, Reverse(first), last));
        let cut = self.cut_heavy(first, last);
        [cut, second]
            .into_iter()
            .flatten()
            .min_by_key(|s| s.distance)
    }

    fn heaviest_chain(&mut self) -> Option<(u64, Reverse<usize>, usize)> {
        while let Some(&(weight, Reverse(first), last)) = self.by_weight.peek() {
            if self.chains.get(&first) == Some(&last) {
                return Some((weight, Reverse(first), last));
            }
            self.by_weight.pop();
        }
        None
    }

    /// Two pointers over a chain that weighs more than half.
    fn cut_heavy(&self, first: usize, last: usize) -> Option<Stretch> {
        let mut best: Option<Stretch> = None;
        let mut from = first;
        for to in first..=last {
            while from < to && 2 * self.weight(from + 1, to) >= self.root_weight {
                from += 1;
            }
            for from in [from, from + 1] {
                if from > to || to + 1 - from < self.shortest {
                    continue;
                }
                let distance = (2 * self.weight(from, to)).abs_diff(self.root_weight);
                if best.is_none_or(|best| distance < best.distance) {
                    best = Some(Stretch {
                        distance,
                        first: from,
                        last: to,
                    });
                }
            }
        }
        best
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stretch {
    distance: u64,
    first: usize,
    last: usize,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::siblings;
    use super::*;

    /// Line 16 of Algorithm 4 as the paper has it.
    fn closest_by_trying_all(projecting: &Projecting<'_>) -> Option<u64> {
        let stretches = projecting.chains.iter().flat_map(|(&first, &last)| {
            (first..=last).flat_map(move |from| (from + 1..=last).map(move |to| (from, to)))
        });
        stretches
            .map(|(from, to)| (2 * projecting.weight(from, to)).abs_diff(projecting.root_weight))
            .min()
    }

    proptest! {
        #[test]
        fn the_two_pointers_find_what_trying_all_finds(
            weights in prop::collection::vec(1u64..20, 2..24),
            chained in prop::collection::vec(any::<bool>(), 24),
            own_weight in 0u64..2,
        ) {
            let parameters = Balancing::default();
            let siblings = siblings(&weights, &chained);
            let items = Balancing { collapse: false, ..parameters }.shrink(&siblings);
            let mut projecting = Projecting::new(&parameters, &items, 0, items.len(), own_weight);
            while let Some(&child) = projecting.children.last() {
                let heaviest = projecting.items[child].weight;
                if 2 * heaviest < projecting.root_weight {
                    let fast = projecting.closest_stretch().map(|stretch| stretch.distance);
                    prop_assert_eq!(fast, closest_by_trying_all(&projecting));
                }
                projecting.take_out(child, child);
                projecting.children.pop();
            }
        }
    }
}
