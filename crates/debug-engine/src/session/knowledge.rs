//! What the crate that knows the language tells a session, for the strategies that can use it.

use std::sync::Arc;

use super::{Answer, Session};
use crate::strategy::{Coverage, CoverageMetric, CoverageSource, ValueOrigin};

impl Session {
    /// Says where values come from, so that "this part is wrong" can be followed.
    pub fn set_value_origins(&mut self, origins: Arc<dyn ValueOrigin>) {
        self.origins = Some(origins);
        self.follow_wrong_part();
        self.current = None;
    }

    /// Says what each call covered. `decay` is `p` of g(x) = pˣ, between 0 and 1; the metric's default
    /// if `None`.
    pub fn set_coverage(
        &mut self,
        metric: CoverageMetric,
        coverage: Arc<dyn Coverage>,
        decay: Option<f64>,
    ) {
        let source = CoverageSource::new(metric, coverage, decay);
        self.space.knowledge_mut().set_coverage(metric, source);
        self.current = None;
    }

    /// Finds the producer of the value that was last called wrong.
    pub(super) fn follow_wrong_part(&mut self) {
        let last = self.log.in_force().filter_map(|entry| match &entry.answer {
            Answer::WrongPart(path) => Some((entry.target()?.last(), path)),
            _ => None,
        });
        let origins = self.origins.as_ref();
        let producer = last
            .last()
            .zip(origins)
            .and_then(|((node, path), origins)| origins.producer(node, path))
            .filter(|producer| producer.0 < self.tree.len());
        self.space.knowledge_mut().hint = producer;
    }
}
