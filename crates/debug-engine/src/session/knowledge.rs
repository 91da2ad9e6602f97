//! What the crate that knows the language tells a session, for the strategies that can use it.

use std::sync::Arc;

use super::{Answer, AnswerSource, LogEntry, Session};
use crate::judgement::Judgement;
use crate::strategy::{
    Belief, Coverage, CoverageMetric, CoverageSource, KnownWrong, ValueOrigin, Weighing,
};
use crate::tree::{NodeId, Target};

impl Session {
    /// Says where values come from, so that "this part is wrong" can be followed.
    pub fn set_value_origins(&mut self, origins: Arc<dyn ValueOrigin>) {
        self.origins = Some(origins);
        self.follow_wrong_part();
        self.current = None;
    }

    /// Says what is believed of calls, for the strategy that goes by it; `None` takes it back.
    pub fn set_belief(&mut self, belief: Option<Arc<dyn Belief>>) {
        self.space.knowledge_mut().belief = belief;
        self.follow_wrong_part();
        self.current = None;
    }

    /// What is believed to speak against a call, in sentences without their ends.
    pub fn reasons(&self, node: NodeId) -> Vec<String> {
        let knowledge = self.space.knowledge();
        let wrong = knowledge.wrong.as_ref();
        let wrong = wrong.map(|wrong| (wrong.target, wrong.part.as_ref()));
        let belief = knowledge.belief.as_ref();
        belief.map_or_else(Vec::new, |belief| belief.reasons(node, wrong))
    }

    /// What the strategy weighs calls by in the tree as it was recorded, if it does: at most `most` of them.
    pub fn weighing(&self, most: usize) -> Option<Weighing> {
        self.strategy.weighing(&self.space, most)
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

    /// Notes what is known to be wrong, in which part, and of which lists of calls one is, and finds the producer of
    /// the value that was last called wrong.
    pub(super) fn follow_wrong_part(&mut self) {
        let wrong = self.log.in_force().filter_map(known_wrong).last();
        let one_of = self.log.in_force().filter_map(|entry| match &entry.answer {
            Answer::OneOf(nodes) => Some(nodes.clone()),
            _ => None,
        });
        let one_of: Vec<_> = one_of.collect();
        let inadmissible = self.log.in_force();
        let inadmissible = inadmissible
            .filter(|entry| entry.judgement() == Judgement::Inadmissible)
            .filter_map(|entry| entry.target());
        let inadmissible = inadmissible.map(Target::first).min();
        let knowledge = self.space.knowledge_mut();
        knowledge.wrong = wrong;
        knowledge.one_of = one_of;
        knowledge.inadmissible = inadmissible;
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

/// What an answer says to be wrong, if it points at a part or is what the run itself shows.
fn known_wrong(entry: &LogEntry) -> Option<KnownWrong> {
    let target = entry.target()?;
    let part = match &entry.answer {
        Answer::WrongPart(path) => Some(path.clone()),
        _ => None,
    };
    let shows = part.is_some() || entry.source == AnswerSource::Run;
    (shows && entry.judgement() == Judgement::Wrong).then_some(KnownWrong { target, part })
}
