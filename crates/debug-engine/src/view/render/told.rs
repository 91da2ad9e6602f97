//! What a question has written out already, so that no object is written out twice.
//!
//! An object is named where it comes again, unless its name was never written, or it is another at the end than what
//! was shown of it at the beginning: then it is written out once more.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::view::{
    CallRangeView, Label, NamedState, NodeView, OutcomeView, StateView, ValueKind, ValueView,
};

/// Which of the two states of a question a value belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    Before,
    After,
}

/// See the module's header.
#[derive(Clone, Default)]
pub(super) struct Told {
    before: BTreeSet<u64>,
    after: BTreeSet<u64>,
    /// Objects that are others at the end, or reach one that is.
    altered: BTreeSet<u64>,
    /// Whether objects are remembered: a line by itself is too short for that.
    keeps_objects: bool,
    /// Of several calls below each other: what was written last of each field of each object. What is still the same
    /// is not written again.
    fields: Option<RefCell<Fields>>,
}

/// The text of a field with its name.
type Fields = BTreeMap<(u64, String), String>;

impl Told {
    /// Of calls taken together nothing is written yet.
    pub(super) fn of_stretch(view: &CallRangeView) -> Told {
        Told::of_states(view.state.iter().map(state_of), None)
    }

    /// The same for one call.
    pub(super) fn of_call(view: &NodeView) -> Told {
        let named = view.arguments.iter().chain(&view.statics);
        let named = named.chain(&view.elsewhere).map(state_of);
        let returned = match &view.outcome {
            OutcomeView::Returned(value) => Some(value),
            _ => None,
        };
        Told::of_states(named.chain(&view.this), returned)
    }

    fn of_states<'view>(
        states: impl Iterator<Item = &'view StateView>,
        returned: Option<&'view ValueView>,
    ) -> Told {
        let (mut before, mut after) = (Objects::default(), Objects::default());
        for state in states {
            before.take_in(&state.before);
            state.after.iter().for_each(|value| after.take_in(value));
        }
        returned.into_iter().for_each(|value| after.take_in(value));
        Told {
            altered: altered(&before, &after),
            keeps_objects: true,
            ..Told::default()
        }
    }

    /// Of several calls that stand below each other, whatever their states are.
    pub(super) fn of_list() -> Told {
        Told {
            fields: Some(RefCell::default()),
            ..Told::default()
        }
    }

    /// Whether it is kept for a question, which tells what changed besides.
    pub(super) fn is_of_question(&self) -> bool {
        self.keeps_objects || self.fields.is_some()
    }

    /// Whether it is kept for calls below each other, each in a line.
    pub(super) fn is_of_list(&self) -> bool {
        self.fields.is_some()
    }

    /// Whether this is what was written last of a field. Whatever it is, it is what was written last from now on.
    pub(super) fn has_written(&self, id: u64, field: &str, text: &str) -> bool {
        let Some(fields) = &self.fields else {
            return false;
        };
        let before = fields
            .borrow_mut()
            .insert((id, field.to_owned()), text.to_owned());
        before.is_some_and(|before| before == text)
    }

    /// Whether this is what was written last of a field.
    pub(super) fn shows(&self, id: u64, field: &str, text: &str) -> bool {
        let fields = self.fields.as_ref().map(RefCell::borrow);
        fields.is_some_and(|fields| {
            fields
                .get(&(id, field.to_owned()))
                .is_some_and(|written| written == text)
        })
    }

    /// Whether an object's name says all there is to say of it.
    pub(super) fn knows(&self, id: u64, moment: Moment) -> bool {
        match moment {
            Moment::Before => self.before.contains(&id),
            Moment::After => {
                let as_before = self.before.contains(&id) && !self.altered.contains(&id);
                as_before || self.after.contains(&id)
            }
        }
    }

    /// These were written out under their names.
    pub(super) fn add(&mut self, ids: impl IntoIterator<Item = u64>, moment: Moment) {
        match moment {
            _ if !self.keeps_objects => {}
            Moment::Before => self.before.extend(ids),
            Moment::After => self.after.extend(ids),
        }
    }
}

fn state_of(named: &NamedState) -> &StateView {
    &named.state
}

/// The objects of one state of a question, as far as they were followed.
#[derive(Default)]
struct Objects<'view> {
    by_id: BTreeMap<u64, &'view ValueView>,
    /// Which object lies in which.
    holders: BTreeMap<u64, BTreeSet<u64>>,
}

impl<'view> Objects<'view> {
    fn take_in(&mut self, value: &'view ValueView) {
        self.walk(value, None);
    }

    fn walk(&mut self, value: &'view ValueView, holder: Option<u64>) {
        if let Some(id) = value.id {
            if let Some(holder) = holder {
                self.holders.entry(id).or_default().insert(holder);
            }
            let known = self.by_id.entry(id).or_insert(value);
            if known.children.len() < value.children.len() {
                *known = value;
            }
        }
        let holder = value.id.or(holder);
        for child in &value.children {
            self.walk(&child.value, holder);
        }
    }
}

fn altered(before: &Objects<'_>, after: &Objects<'_>) -> BTreeSet<u64> {
    let is_other = |&(id, now): &(&u64, &&ValueView)| {
        before.by_id.get(id).is_some_and(|then| differ(then, now))
    };
    let others = after.by_id.iter().filter(is_other).map(|(&id, _)| id);
    let mut next: Vec<u64> = others.collect();
    let mut altered: BTreeSet<u64> = next.iter().copied().collect();
    while let Some(id) = next.pop() {
        let holders = after.holders.get(&id).into_iter().flatten();
        for &holder in holders {
            if altered.insert(holder) {
                next.push(holder);
            }
        }
    }
    altered
}

/// Whether an object holds something else itself, as far as both were followed.
fn differ(then: &ValueView, now: &ValueView) -> bool {
    let is_followed = |value: &ValueView| !value.children.is_empty() || value.truncated == 0;
    if !is_followed(then) || !is_followed(now) {
        return false;
    }
    let count = |value: &ValueView| value.children.len() as u64 + value.truncated;
    if then.text != now.text || count(then) != count(now) {
        return true;
    }
    let mut parts = then.children.iter().zip(&now.children);
    parts.any(|(then, now)| {
        then.label == now.label && held(&then.value) != held(&now.value)
            || then.label != now.label && matches!(now.label, Label::Key(_))
    })
}

/// What a variable holds: an object by its number, anything else by its text.
fn held(value: &ValueView) -> (Option<u64>, ValueKind, &str) {
    match value.id {
        Some(_) => (value.id, ValueKind::Object, ""),
        None => (None, value.kind, &value.text),
    }
}
