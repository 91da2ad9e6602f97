//! What experiments add to a verdict: the changes that are to blame, and how that is known.

use std::fmt::Write as _;

use debug_engine::NodeId;
use debug_engine::session::Diagnosis;
use inquiry::experimented::{
    BlamedChange, BlamedChangeKind, BlamedSetting, ExperimentalOutcome, Experimented,
    VerifiedChanges, proof, resources_to_blame, settings_to_blame,
};
use inquiry::words::count;
use java_analysis::recording::Recording;

use super::{Culprit, Narrowed};
use crate::dialogue::Ending;

/// So many changes of a kind are written out.
const MOST_TOLD: usize = 20;

impl<'a> Narrowed<'a> {
    /// The changes that are to blame together, if that is verified.
    pub(super) fn verified(&self) -> Option<&'a VerifiedChanges> {
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

    /// What the command gives the program and is to blame.
    pub(super) fn settings(&self) -> &'a [BlamedSetting] {
        self.experimented
            .map(Experimented::settings)
            .unwrap_or_default()
    }

    /// The changes that experiments name: those that are to blame, or those among which they are.
    pub(super) fn changes(&self) -> &'a [BlamedChange] {
        match self.experimented.map(|experimented| &experimented.outcome) {
            Some(ExperimentalOutcome::Verified(verified)) => &verified.changes,
            Some(ExperimentalOutcome::Narrowed(changes)) => changes,
            _ => &[],
        }
    }

    /// Methods that the reference does not have and that run because of the changes.
    pub(super) fn new_methods(&self) -> &'a [BlamedChange] {
        self.verified().map_or(&[], |verified| &verified.new)
    }

    /// Changes that only have to come along with those that are to blame.
    pub(super) fn along(&self) -> &'a [BlamedChange] {
        self.verified().map_or(&[], |verified| &verified.along)
    }

    /// Whether one change is to blame, and nothing new or changed beside it has to be told.
    pub(super) fn is_single(&self) -> bool {
        self.changes().len() == 1 && self.new_methods().is_empty() && self.along().is_empty()
    }

    /// The call that comparing names, if it is a call of what was verified. What is new and runs because of a change
    /// was tried with it, so it can be what comparing found wrong: a method that has another name now.
    pub(super) fn verified_call(&self, run: &dyn Recording, ending: &Ending) -> Option<NodeId> {
        let changes = &self.verified()?.changes;
        let mut tried = changes.iter().chain(self.new_methods());
        match ending {
            Ending::Done(Diagnosis::Found { node }) => tried
                .any(|change| is_called_by(change, run, *node))
                .then_some(*node),
            _ => None,
        }
    }

    /// The lines of a call's method that experiments have shown to be enough.
    pub(super) fn proved_lines(&self, run: &dyn Recording, node: NodeId) -> Option<&'a [u32]> {
        let changes = &self.verified()?.changes;
        let mut proved = changes.iter().filter(|change| change.lines_verified);
        let change = proved.find(|change| is_called_by(change, run, node))?;
        Some(&change.lines)
    }

    /// What is to blame if no single call is: the first of the changes, a method if there is one among them.
    pub(super) fn verified_culprit(&self) -> (&'static str, Option<Culprit>) {
        let Some(VerifiedChanges { changes, .. }) = self.verified() else {
            let outcome = match self.settings() {
                [] => "found_resource",
                _ => "found_setting",
            };
            return (outcome, None);
        };
        match changes.iter().find(|change| change.method.is_some()) {
            Some(change) => ("found_method", Some(change_culprit(change))),
            // The modifiers and annotations of a field are a part of its declaration.
            None => ("found_declaration", changes.first().map(change_culprit)),
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
        let runs = self.experimented.map_or(0, |one| one.runs);
        match (self.verified(), self.settings()) {
            (Some(verified), _) => describe(verified, &proof(verified, runs)),
            (None, []) => resources_to_blame(self.resources(), runs),
            (None, settings) => settings_to_blame(settings, runs),
        }
    }

    /// How it is known that something is to blame, if it is verified.
    pub(super) fn proof(&self) -> Option<String> {
        Some(proof(self.verified()?, self.experimented?.runs))
    }
}

/// Whether a call is one of a changed method.
fn is_called_by(change: &BlamedChange, run: &dyn Recording, node: NodeId) -> bool {
    let code = run.code_of(node);
    change.class == code.class
        && change.method.as_ref() == Some(&code.method)
        && change.descriptor.as_ref() == Some(&code.descriptor)
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
fn describe(verified: &VerifiedChanges, proof: &str) -> String {
    let mut text = match verified.changes.as_slice() {
        [one] => format!("The bug is in {}\n", told(one)),
        several => {
            let mut text = format!("{} changes are to blame together:\n", several.len());
            list(several, &mut text);
            text
        }
    };
    if !verified.new.is_empty() {
        text.push_str("or in what is new and runs because of it:\n");
        list(&verified.new, &mut text);
    }
    if !verified.along.is_empty() {
        text.push_str("Changed together with it, and needed to mend it:\n");
        list(&verified.along, &mut text);
    }
    let _ = writeln!(text, "\n{proof}");
    text
}

fn list(changes: &[BlamedChange], text: &mut String) {
    for one in changes.iter().take(MOST_TOLD) {
        let _ = writeln!(text, "  {}", told(one));
    }
    if changes.len() > MOST_TOLD {
        let _ = writeln!(text, "  … {} more", changes.len() - MOST_TOLD);
    }
}

/// The changes among which those are that are to blame, where no more was found out.
pub(super) fn describe_narrowed(changes: &[BlamedChange]) -> String {
    let mut text = format!(
        "With the reference's code of {} the program does what the reference does; what in that is needed was not \
         found out:\n",
        count(changes.len() as u64, "change", "changes")
    );
    list(changes, &mut text);
    text
}

fn told(change: &BlamedChange) -> String {
    match change.change {
        BlamedChangeKind::New if change.field.is_some() => {
            format!("{change}, which the reference does not have")
        }
        BlamedChangeKind::Member => {
            format!("{change}, which is declared otherwise in the reference")
        }
        BlamedChangeKind::Removed => format!("{change}, which only the reference has"),
        BlamedChangeKind::Synchronized => {
            format!("{change}, which is synchronized in one version and not in the other")
        }
        BlamedChangeKind::Volatile => {
            format!("{change}, which is volatile in one version and not in the other")
        }
        BlamedChangeKind::Transient => {
            format!("{change}, which is transient in one version and not in the other")
        }
        BlamedChangeKind::Annotations => {
            format!("{change}, which is annotated otherwise in the reference")
        }
        BlamedChangeKind::Class => format!("{change}: something in this class"),
        _ => change.to_string(),
    }
}
