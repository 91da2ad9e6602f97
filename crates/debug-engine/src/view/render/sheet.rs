//! A question laid out: what stands on each of its lines, for front ends to arrange.

use std::fmt;

use serde::Serialize;

use super::call_range::{headline, numbers, objects_of_calls};
use super::{
    BEGAN_BEFORE_KEPT, Bounds, Change, ChangeText, OUTLIVED, beyond, call, changes, left_out,
    outcome, title, value,
};
use crate::tree::NodeId;
use crate::view::{
    AskedView, CallRangeView, Changed, ConcurrentWrite, NamedState, NodeView, StateView,
};

/// Everything that a question shows. Printed, it is the question as a terminal shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sheet {
    /// The number of the call, or the first and last of the calls: `#3–#17`.
    pub numbers: String,
    /// What it is, and where.
    pub title: String,
    /// Which thread it ran in and who handed it over, and what else is to be known about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The calls that are taken together, or the first and the last of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallLine>,
    /// How many calls are left out after the first half of those listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub calls_left_out: u64,
    /// What was there before: of a call, the receiver and the arguments.
    pub given: Vec<Given>,
    #[serde(skip_serializing_if = "is_zero")]
    pub given_left_out: u64,
    /// How a call ended; calls taken together have no end of their own.
    pub outcome: Option<String>,
    pub changes: Vec<ChangeLine>,
    #[serde(skip_serializing_if = "is_zero")]
    pub changes_left_out: u64,
}

/// One of the calls that are taken together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CallLine {
    pub node: NodeId,
    pub text: String,
}

/// A value that was there before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Given {
    pub name: String,
    pub text: String,
    /// Whether it was different afterwards.
    #[serde(skip_serializing_if = "is_unchanged")]
    pub changed: Changed,
}

impl Given {
    fn of(name: &str, state: &StateView, bounds: Bounds) -> Given {
        let after = state.after.as_ref();
        Given {
            name: name.to_owned(),
            text: value(&state.before, bounds),
            changed: after.map_or(Changed::None, |after| after.changed),
        }
    }
}

/// What was left changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangeLine {
    pub path: String,
    pub before: String,
    pub after: String,
    /// Who else wrote it while the call ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meanwhile: Option<ConcurrentWrite>,
}

impl Sheet {
    /// Lays out whatever is asked about.
    pub fn of(asked: &AskedView, bounds: Bounds) -> Sheet {
        match asked {
            AskedView::Call(view) => Sheet::of_call(view, bounds),
            AskedView::Stretch(view) => Sheet::of_stretch(view, bounds),
        }
    }

    /// Lays out one call.
    pub fn of_call(view: &NodeView, bounds: Bounds) -> Sheet {
        let this = view.this.iter();
        let this = this.map(|this| Given::of("this", this, bounds));
        let arguments = view.arguments.iter();
        let arguments = arguments.map(|named| Given::of(&named.name, &named.state, bounds));
        let submitted = view.submitted.iter().map(ToString::to_string);
        let outlived = view.outlived.then(|| OUTLIVED.to_owned());
        let begun = view.began_before_kept.then(|| BEGAN_BEFORE_KEPT.to_owned());
        let mut sheet = Sheet {
            numbers: format!("#{}", view.node),
            title: title(view),
            notes: submitted.chain(outlived).chain(begun).collect(),
            calls: Vec::new(),
            calls_left_out: 0,
            given: this.chain(arguments).collect(),
            given_left_out: 0,
            outcome: Some(outcome(view, bounds)),
            changes: Vec::new(),
            changes_left_out: 0,
        };
        sheet.list(&changes(view), bounds);
        sheet
    }

    fn of_stretch(view: &CallRangeView, bounds: Bounds) -> Sheet {
        let listed = objects_of_calls(view);
        let is_unlisted = |variable: &&NamedState| {
            let id = variable.state.before.id;
            id.is_none_or(|id| !listed.contains(&id))
        };
        let variables: Vec<&NamedState> = view.state.iter().filter(is_unlisted).collect();
        let given = variables.iter().take(bounds.changes);
        let given = given.map(|variable| Given::of(&variable.name, &variable.state, bounds));
        let calls = view.calls.iter().map(|member| CallLine {
            node: member.node,
            text: format!("{} → {}", call(member, bounds), outcome(member, bounds)),
        });
        let mut sheet = Sheet {
            numbers: numbers(view),
            title: headline(view),
            notes: Vec::new(),
            calls: calls.collect(),
            calls_left_out: view.calls_left_out,
            given: given.collect(),
            given_left_out: left_out(variables.len(), bounds.changes),
            outcome: None,
            changes: Vec::new(),
            changes_left_out: 0,
        };
        sheet.list(&super::changes::in_states(&view.state), bounds);
        sheet
    }

    fn list(&mut self, changes: &[Change<'_>], bounds: Bounds) {
        let shown = changes.iter().take(bounds.changes);
        let shown = shown.map(|change| ChangeLine::of(change, bounds));
        self.changes = shown.collect();
        self.changes_left_out = left_out(changes.len(), bounds.changes);
    }
}

impl ChangeLine {
    pub(super) fn of(change: &Change<'_>, bounds: Bounds) -> ChangeLine {
        let side = |text: Option<String>| text.unwrap_or_else(|| "…".to_owned());
        let text = ChangeText::of(change, bounds);
        ChangeLine {
            path: text.path,
            before: side(text.before),
            after: side(text.after),
            meanwhile: text.meanwhile,
        }
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.numbers, self.title)?;
        for note in &self.notes {
            write!(out, "\n  {note}")?;
        }
        let shown = self.calls.len().div_ceil(2);
        for (index, member) in self.calls.iter().enumerate() {
            if index == shown && self.calls_left_out > 0 {
                write!(out, "\n  … {} more", self.calls_left_out)?;
            }
            write!(out, "\n  #{} {}", member.node, member.text)?;
        }
        let (before, during) = match self.outcome {
            Some(_) => ("", ""),
            None => ("before: ", " from before it to after it"),
        };
        for Given { name, text, .. } in &self.given {
            write!(out, "\n  {before}{name} = {text}")?;
        }
        if let Some(more) = beyond(self.given_left_out) {
            write!(out, "\n  {before}{more}")?;
        }
        if let Some(outcome) = &self.outcome {
            write!(out, "\n  → {outcome}")?;
        }
        if self.changes.is_empty() {
            return write!(out, "\n  nothing changed{during}");
        }
        write!(out, "\n  changed{during}:")?;
        for change in &self.changes {
            write!(out, "\n    {change}")?;
        }
        if let Some(more) = beyond(self.changes_left_out) {
            write!(out, "\n    {more}")?;
        }
        Ok(())
    }
}

impl fmt::Display for ChangeLine {
    /// `this.balance: 5 → 7`, and who else wrote it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {} → {}", self.path, self.before, self.after)?;
        match &self.meanwhile {
            Some(meanwhile) => write!(out, " ({meanwhile})"),
            None => Ok(()),
        }
    }
}

fn is_unchanged(changed: &Changed) -> bool {
    *changed == Changed::None
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
