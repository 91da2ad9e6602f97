//! What experiments add to a verdict: the changes that are to blame, and how that is known.

use std::fmt::Write as _;

use debug_engine::NodeId;
use debug_engine::session::Diagnosis;
use inquiry::experimented::{
    BlamedChange, BlamedChangeKind, ExperimentalOutcome, Experimented, proof, resources_to_blame,
};
use inquiry::words::count;
use java_analysis::recording::Recording;

use super::{Culprit, Narrowed};
use crate::dialogue::Ending;

impl<'a> Narrowed<'a> {
    /// The changes that are to blame together, if that is verified.
    pub(super) fn verified(&self) -> Option<&'a [BlamedChange]> {
        self.experimented?.verified()
    }

    /// Whether experiments have shown what is to blame.
    pub(super) fn is_verified(&self) -> bool {
        self.experimented.is_some_and(Experimented::is_verified)
    }

    /// The files that are to blame and are no code.
    pub(super) fn resources(&self) -> &'a [String] {
        self.experimented
            .map(Experimented::resources)
            .unwrap_or_default()
    }

    /// The changes that experiments name: those that are to blame, or those among which they are.
    pub(super) fn changes(&self) -> &'a [BlamedChange] {
        match self.experimented.map(|experimented| &experimented.outcome) {
            Some(
                ExperimentalOutcome::Verified { changes, .. }
                | ExperimentalOutcome::Narrowed(changes),
            ) => changes,
            _ => &[],
        }
    }

    /// The call that comparing names, if it is a call of what was verified.
    pub(super) fn verified_call(&self, run: &dyn Recording, ending: &Ending) -> Option<NodeId> {
        let changes = self.verified()?;
        match ending {
            Ending::Done(Diagnosis::Found { node }) => {
                let code = run.code_of(*node);
                let is_meant = |change: &BlamedChange| {
                    change.class == code.class
                        && change.method.as_ref() == Some(&code.method)
                        && change.descriptor.as_ref() == Some(&code.descriptor)
                };
                changes.iter().any(is_meant).then_some(*node)
            }
            _ => None,
        }
    }

    /// What is to blame if no single call is: the first of the changes, if they are code.
    pub(super) fn verified_culprit(&self) -> (&'static str, Option<Culprit>) {
        match self.verified() {
            Some(changes) => ("found_method", changes.first().map(change_culprit)),
            None => ("found", None),
        }
    }

    /// The calls to look at: the one to blame, or the first of each method.
    pub(super) fn verified_nodes(&self, run: &dyn Recording, ending: &Ending) -> Vec<NodeId> {
        let first = self.changes().iter();
        let first = first.filter_map(|change| change.node.map(NodeId));
        let call = self.verified_call(run, ending);
        call.map_or_else(|| first.collect(), |node| vec![node])
    }

    /// What is verified, for a person.
    pub(super) fn verified_text(&self) -> String {
        match (self.proof(), self.resources()) {
            (Some(proof), _) => describe(self.changes(), &proof),
            (None, paths) => {
                let runs = self.experimented.map_or(0, |one| one.runs);
                resources_to_blame(paths, runs)
            }
        }
    }

    /// How it is known that something is to blame, if it is verified.
    pub(super) fn proof(&self) -> Option<String> {
        let experimented = self.experimented?;
        match &experimented.outcome {
            ExperimentalOutcome::Verified { changes, is_cause } => {
                Some(proof(changes, *is_cause, experimented.runs))
            }
            _ => None,
        }
    }
}

/// A change as the culprit: of the method that it is, no single call is to blame.
fn change_culprit(change: &BlamedChange) -> Culprit {
    Culprit {
        node: None,
        id: None,
        class: change.class.clone(),
        method: change.method.clone(),
        descriptor: change.descriptor.clone(),
        file: change.file.clone(),
        piece: None,
        lines: change.lines.clone(),
        executed_lines: Vec::new(),
        slice_lines: Vec::new(),
    }
}

/// The verified changes for a person.
fn describe(changes: &[BlamedChange], proof: &str) -> String {
    let (new, blamed): (Vec<&BlamedChange>, Vec<&BlamedChange>) = changes
        .iter()
        .partition(|change| change.change == BlamedChangeKind::New);
    let mut text = match blamed.as_slice() {
        [one] => format!("The bug is in {}\n", told(one)),
        // What is new is to blame by itself: it is called by code that both versions have.
        [] => String::from("The bug is in what is new:\n"),
        several => {
            let mut text = format!("{} changes are to blame together:\n", several.len());
            for one in several {
                let _ = writeln!(text, "  {}", told(one));
            }
            text
        }
    };
    if !new.is_empty() && !blamed.is_empty() {
        text.push_str("or in what is new and runs because of it:\n");
    }
    for one in new {
        let _ = writeln!(text, "  {}", told(one));
    }
    let _ = writeln!(text, "\n{proof}");
    text
}

/// The changes among which those are that are to blame, where no more was found out.
pub(super) fn describe_narrowed(changes: &[BlamedChange]) -> String {
    const MOST_TOLD: usize = 20;
    let mut text = format!(
        "With the reference's code of {} the program does what the reference does; what in that is needed was not \
         found out:\n",
        count(changes.len() as u64, "change", "changes")
    );
    for one in changes.iter().take(MOST_TOLD) {
        let _ = writeln!(text, "  {}", told(one));
    }
    if changes.len() > MOST_TOLD {
        let _ = writeln!(text, "  … {} more", changes.len() - MOST_TOLD);
    }
    text
}

fn told(change: &BlamedChange) -> String {
    match change.change {
        BlamedChangeKind::Removed => format!("{change}, which only the reference has"),
        BlamedChangeKind::Class => format!("{change}: something in this class"),
        _ => change.to_string(),
    }
}
