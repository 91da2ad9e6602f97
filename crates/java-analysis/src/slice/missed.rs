//! Which decisions kept a step away: those because of which it did not come again, and those that passed it over
//! before it came.

use std::collections::HashMap;

use debug_engine::{ExecutionTree, NodeId};
use frame_replay::DataFlow;
use trace_store::CallId;

use super::Graph;
use crate::control::Control;
use crate::links::Link;

/// No more calls than this are gone up.
const MOST_CALLERS: usize = 20;
/// So many of the latest decisions of a call are followed,
const MOST_DECISIONS: usize = 40;
/// and those of so many of the latest calls that might have come to the step,
const MOST_SIBLINGS: usize = 20;
/// of so many calls of their caller that are looked at.
const MOST_LOOKED_AT: usize = 100_000;

impl Graph<'_> {
    /// The decisions because of which a step did not come again, in its call and in those that led to it.
    pub(crate) fn ended_by(&mut self, call: CallId, step: u64) -> Vec<Link> {
        let mut decisions = Vec::new();
        for (call, step) in self.way_to(call, step) {
            decisions.extend(self.last_decisions(call, step, call));
        }
        decisions
    }

    /// The decisions that passed a step over before it came, in its call and in those that led to it, and in earlier
    /// calls of the same methods, which never came to it: as far back as `since`, if there is such a step.
    pub(crate) fn passed_over(
        &mut self,
        since: Option<(CallId, u64)>,
        (call, step): (CallId, u64),
    ) -> Vec<Link> {
        let last = since.map(|(call, _)| call);
        let since = since.map_or(Vec::new(), |(call, step)| self.way_to(call, step));
        let since: HashMap<CallId, u64> = since.into_iter().collect();
        let mut decisions = Vec::new();
        for (call, step) in self.way_to(call, step) {
            let begin = since.get(&call).copied();
            let steps = begin.map_or(0, |begin| begin + 1)..step;
            decisions.extend(self.decisions_in(call, |control, flow| {
                let instruction = flow.instruction(step);
                instruction.map_or(Vec::new(), |instruction| {
                    control.decisions_before_last(flow, instruction, steps, MOST_DECISIONS)
                })
            }));
            if begin.is_some() {
                break;
            }
            for sibling in self.earlier_siblings(call, last) {
                decisions.extend(self.last_decisions(sibling, step, call));
            }
        }
        decisions
    }

    /// A step, and those of the calls that led to it at which they did.
    fn way_to(&mut self, call: CallId, step: u64) -> Vec<(CallId, u64)> {
        let mut way = vec![(call, step)];
        while way.len() < MOST_CALLERS
            && let Some(&(call, _)) = way.last()
            && let Ok(calling) = self.calling_step(call)
        {
            way.push(calling);
        }
        way
    }

    /// The last decisions of a call about the instruction that a step of another call of its method executed.
    fn last_decisions(&mut self, call: CallId, step: u64, executed_by: CallId) -> Vec<Link> {
        let executed = self.frames.get(executed_by).ok();
        let Some(instruction) = executed.and_then(|frame| frame.instruction(step)) else {
            return Vec::new();
        };
        self.decisions_in(call, |control, flow| {
            control.last_decisions(flow, instruction)
        })
    }

    fn decisions_in(
        &mut self,
        call: CallId,
        find: impl FnOnce(&Control, &DataFlow) -> Vec<u64>,
    ) -> Vec<Link> {
        let Ok(frame) = self.frames.get(call) else {
            return Vec::new();
        };
        let control = self
            .controls
            .entry(frame.call.method)
            .or_insert_with(|| Control::of(frame.code));
        let steps = control.as_ref().map(|control| find(control, &frame.flow));
        let steps = steps.unwrap_or_default().into_iter();
        steps.map(|step| Link::Decision(call, step)).collect()
    }

    /// The latest calls of the same method that the caller of a call made before it, and after `since` began.
    fn earlier_siblings(&self, call: CallId, since: Option<CallId>) -> Vec<CallId> {
        let run = self.run;
        let node = run.node(call);
        let Some((node, parent)) = node.and_then(|node| Some((node, run.parent(node)?))) else {
            return Vec::new();
        };
        let since = since.and_then(|since| run.node(since));
        let method = run.method(node);
        let is_meant = |child: &NodeId| {
            since.is_none_or(|since| *child > since) && run.method(*child) == method
        };
        let tree: &dyn ExecutionTree = run;
        let before = tree
            .children(parent)
            .take(MOST_LOOKED_AT)
            .take_while(|&child| child < node);
        let earlier: Vec<NodeId> = before.filter(is_meant).collect();
        let latest = earlier.into_iter().rev().take(MOST_SIBLINGS);
        latest.filter_map(|node| run.call_id(node)).collect()
    }
}
