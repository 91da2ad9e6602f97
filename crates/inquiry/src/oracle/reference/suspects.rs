//! The methods that ran and differ, the likeliest first.

use std::collections::{BTreeSet, HashMap};

use debug_engine::{ExecutionTree, NodeId};
use serde::Serialize;
use trace_format::MethodId;
use trace_store::CallOutcome;

use super::super::lockstep::Ended;
use super::{Declared, Reference};
use java_names::names;

/// No more than this are given.
const MOST: usize = 1000;

/// A method that ran, differs from the reference's, and was not cleared by what its calls did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suspect {
    /// As `Class.getName` gives it.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    pub file: Option<String>,
    /// The lines that differ; all of them if the reference does not have the method.
    pub lines: Vec<u32>,
    /// Its first call.
    pub node: u32,
    /// Whether the reference does not have it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_new: bool,
}

impl Reference {
    /// The methods that may be to blame, ordered. None because it differs, if the reference fails in the same way.
    #[must_use]
    pub fn suspects(&mut self) -> Vec<Suspect> {
        if self.fails_alike {
            return Vec::new();
        }
        let places = self.places();
        let mut uncleared = self.uncleared();
        uncleared.extend(self.new_below(&uncleared));
        let first = |method: &MethodId, reference: &Reference| {
            let calls = reference.ours.trace().calls_of_method(*method);
            let mut calls = calls.into_iter().flatten();
            calls.find_map(|call| reference.ours.node(call))
        };
        let mut ordered: Vec<(usize, bool, NodeId, MethodId)> = uncleared
            .iter()
            .filter_map(|method| {
                let place = places.get(method).copied().unwrap_or(usize::MAX);
                let is_initialiser = self.ours.method_names(*method).name.starts_with('<');
                Some((place, is_initialiser, first(method, self)?, *method))
            })
            .collect();
        ordered.sort_unstable();
        ordered.truncate(MOST);
        let ordered: Vec<(MethodId, NodeId)> =
            ordered.into_iter().map(|one| (one.3, one.2)).collect();
        self.described(&ordered)
    }

    /// Methods of our run with the lines that differ, each with its first call.
    #[must_use]
    pub fn described(&self, methods: &[(MethodId, NodeId)]) -> Vec<Suspect> {
        let ids: Vec<MethodId> = methods.iter().map(|one| one.0).collect();
        let lines = self.lines_of(&ids);
        let described = methods.iter().zip(lines);
        described
            .map(|(&(method, node), lines)| {
                let names = self.ours.method_names(method);
                let is_new = self.comparison.versions.partners(method).is_empty();
                let lines = match is_new {
                    true => self.ours.code(method).lines.clone(),
                    false => lines.into_iter().collect(),
                };
                let declared = self.ours.classes().get(names.class);
                Suspect {
                    class: names::class(names.class),
                    method: names.name.to_owned(),
                    descriptor: names.descriptor.to_owned(),
                    file: declared.and_then(|class| class.source_file.clone()),
                    lines,
                    node: node.0,
                    is_new,
                }
            })
            .collect()
    }

    /// Methods that only our version has and that only methods call which are suspects or new themselves.
    fn new_below(&self, suspects: &BTreeSet<MethodId>) -> Vec<MethodId> {
        let versions = &self.comparison.versions;
        let called = versions.changed_and_called(&self.ours).into_iter();
        let is_new = |method: &MethodId| versions.partners(*method).is_empty();
        let graph = self.ours.statics_below();
        let reached: BTreeSet<MethodId> = suspects
            .iter()
            .flat_map(|method| graph.reach(&self.ours, *method).methods.clone())
            .collect();
        called
            .filter(|method| is_new(method) && reached.contains(method))
            .collect()
    }

    /// Declarations that differ and may have mattered.
    #[must_use]
    pub fn declared(&self) -> &[Declared] {
        self.comparison.versions.declared()
    }

    /// Which methods come first: those that an exception left which ended the program, the innermost first; then those
    /// in which the runs parted, in that order.
    fn places(&self) -> HashMap<MethodId, usize> {
        let mut places = HashMap::new();
        let mut next = 0;
        let mut note = |method: MethodId| {
            places.entry(method).or_insert(next);
            next += 1;
        };
        for node in self.thrown_through() {
            note(self.ours.method(node));
        }
        let parted = |stray: &&super::super::lockstep::Stray| {
            stray.is_changed && stray.ended == Ended::Differently
        };
        for stray in self.course.strays().filter(parted) {
            if let Some(node) = self.ours.node(stray.ours) {
                note(self.ours.method(node));
            }
        }
        places
    }

    /// The calls that the exception left which ended a thread or failed a test, the innermost first.
    fn thrown_through(&self) -> Vec<NodeId> {
        let failed = self.ours.tests().iter();
        let failed = failed.filter(|test| test.verdict.is_failure());
        let start = failed.map(|test| test.node).next();
        let Some(mut at) = start.or_else(|| self.ours.failed_main()) else {
            return Vec::new();
        };
        let mut path = vec![at];
        while let Some(CallOutcome::Threw(exception)) = self.ours.outcome(at) {
            let tree: &dyn ExecutionTree = &*self.ours;
            let mut children: Vec<NodeId> = tree.children(at).collect();
            children.reverse();
            let thrown = children.into_iter().find(|&child| {
                matches!(self.ours.outcome(child), Some(CallOutcome::Threw(one)) if one == exception)
            });
            match thrown {
                Some(child) => {
                    path.push(child);
                    at = child;
                }
                None => break,
            }
        }
        path.reverse();
        path
    }
}
