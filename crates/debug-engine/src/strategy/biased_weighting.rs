//! Biased-weighting divide & query (MacLarty): suspects are not equally suspect. A node weighs more if
//! its routine was judged wrong before and less if it was judged correct, and the question that halves
//! the summed suspicion is asked.

use super::{LISTABLE, SearchSpace, Strategy, StrategyInfo, balance};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "biased-weighting",
    explanation: "divide & query that weighs methods by the answers about them so far",
    create: || Box::new(BiasedWeighting),
};

/// The weight of a suspect about whose routine nothing is known. Divisible by all small numbers, so
/// that sums stay whole.
const UNIT: u64 = 5040;

struct BiasedWeighting;

impl Strategy for BiasedWeighting {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        if space.suspects() > LISTABLE {
            return balance::most_balanced(space, space.suspects());
        }
        let mut sums = vec![0];
        let mut sum = 0;
        for node in space.suspects_in_order() {
            sum += suspicion(space, node);
            sums.push(sum);
        }
        space.askable().min_by_key(|&node| {
            let rank = space.suspects_before(node.0) as usize;
            let after = rank + space.weight(node) as usize;
            (2 * (sums[after] - sums[rank])).abs_diff(sum)
        })
    }
}

fn suspicion(space: &SearchSpace, node: NodeId) -> u64 {
    let evidence = space.evidence(node);
    (UNIT * u64::from(1 + evidence.wrong) / u64::from(1 + evidence.correct)).max(1)
}
