//! Why a question is the next one, as far as the strategy can tell: what speaks against the call, and what the calls
//! weigh to a strategy that halves weights.
//!
//! The shortest of it stands in every question ([`Questioning::why_asked`]); the whole is for whoever asks for it.

use std::fmt::Write as _;

use debug_engine::session::{Question, Reason};
use debug_engine::strategy::Weighing;
use debug_engine::transform::NodeKind;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{NodeId, Target};

use super::{BELIEF, Questioning};
use crate::words::count;
use java_analysis::calls::Calls;

/// Of more calls than this no weights are listed: those nearest to half are.
const MOST_WEIGHTS: usize = 20;

/// A call and what it weighs with everything below it.
#[derive(Clone, Debug, PartialEq)]
pub struct CallWeight {
    pub node: NodeId,
    pub weight: f64,
}

impl Questioning {
    /// Why a question is asked, as the rest of a sentence, if more than the number of suspects decided.
    #[must_use]
    pub fn why_asked(&self, question: &Question) -> Option<String> {
        if question.reason == Reason::SetUp {
            return Some("it ran before, and set up what was used there".to_owned());
        }
        let chosen = question.reason == Reason::Strategy && !question.is_list();
        if !chosen {
            return None;
        }
        if self.session().strategy_name() == BELIEF {
            return self.session().reasons(question.node).into_iter().next();
        }
        // The chosen call is among the nearest to half, if it was chosen by its weight.
        let Weighing { all, nodes } = self.session().weighing(MOST_WEIGHTS)?;
        let (_, weight) = nodes
            .into_iter()
            .find(|&(node, _)| Target::Node(node) == question.target)?;
        let (weight, all) = (rounded(weight), rounded(all));
        Some(format!("its weight, {weight} of {all}, is nearest to half"))
    }

    /// What calls weigh to the strategy, in the order of the tree, and what all of them weigh; of many calls those
    /// nearest to half. `None` if the strategy has no weights, or they are not known yet.
    #[must_use]
    pub fn weights(&self) -> Option<(f64, Vec<CallWeight>)> {
        let Weighing { all, nodes } = self.session().weighing(MOST_WEIGHTS)?;
        let calls = nodes.into_iter();
        let calls = calls.map(|(node, weight)| CallWeight { node, weight });
        Some((all, calls.collect()))
    }

    /// All that can be told of how the question was chosen, in lines.
    #[must_use]
    pub fn explanation(&self, question: &Question, calls: &dyn Calls, bounds: Bounds) -> String {
        let mut text = format!(
            "  chosen by {}: yes leaves {}, no leaves {}",
            self.session().strategy_name(),
            count(question.suspects_after_yes, "suspect", "suspects"),
            count(question.suspects_after_no, "suspect", "suspects"),
        );
        if self.session().strategy_name() == BELIEF {
            for target in question.targets() {
                for reason in self.session().reasons(target.first()) {
                    let _ = write!(text, "\n  #{} {reason}", target.first());
                }
            }
        }
        if let Some((all, weights)) = self.weights() {
            let all = rounded(all);
            let _ = write!(text, "\n  weights, {all} in all; nearest to half is asked:");
            for CallWeight { node, weight } in weights {
                let asked = calls.view(node.into(), NodeKind::Routine, bounds);
                let line = render::asked_in_one_line(&asked, bounds);
                let _ = write!(text, "\n  {:>6}  {line}", rounded(weight));
            }
        }
        text
    }
}

/// A weight as it is shown.
#[must_use]
pub fn rounded(weight: f64) -> String {
    let text = format!("{weight:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
