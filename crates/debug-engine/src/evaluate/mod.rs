//! How many questions a strategy needs: every suspect in turn is taken as the one buggy node.
//!
//! The measure is that of Definition 2.2 of *Hacia una estrategia óptima*: the sum over all bug
//! positions of the questions asked until it is found. A strategy that looks only at the search
//! space makes one decision tree, with the bug positions as its leaves, so the sum is found by walking
//! that tree once instead of running one session per bug.
//!
//! [`evaluate_space`] does just that. An [`Experiment`] measures what a user would experience: with
//! transformations, with coverage, on all bug positions or on a sample of them.

mod experiment;
mod position;

use std::sync::Arc;

use crate::session::SessionOptions;
use crate::strategy::Strategy;
use crate::tree::ExecutionTree;
pub use experiment::{Experiment, Interrupted};

pub use crate::strategy::{Evaluation, evaluate_space};

/// Evaluates a strategy on a tree. Of the options, the root, whether it is known to be wrong, trust,
/// non-termination and transformations count. A root that is not known is asked last, as in a session.
pub fn evaluate(
    tree: Arc<dyn ExecutionTree>,
    options: &SessionOptions,
    strategy: &mut dyn Strategy,
) -> Evaluation {
    Experiment::new(tree, options).run(strategy)
}
