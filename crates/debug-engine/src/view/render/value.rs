//! Values in one line.

use std::collections::{BTreeMap, BTreeSet};

use super::Bounds;
use super::outline::{Entry, Outline, is_like_call, is_named};
use super::short::{name, shortened};
use super::told::{Moment, Told};
use crate::view::{ChildView, Label, ValueKind, ValueView};

/// Writes values of one moment: what was written out once is named by its id afterwards.
pub(super) struct Writer<'told> {
    out: String,
    bounds: Bounds,
    /// Ids that appear more than once; an array among them has to show its id.
    shared: BTreeSet<u64>,
    written: BTreeSet<u64>,
    /// What has been written out before, and when the values are from.
    told: Option<(&'told Told, Moment)>,
    /// Objects that were written out under their names.
    named: BTreeSet<u64>,
    open: Vec<u64>,
    /// An object that stands where its name would be read twice, or says nothing.
    nameless: Option<u64>,
}

impl<'told> Writer<'told> {
    /// A writer for these values together.
    pub(super) fn new<'view>(
        bounds: Bounds,
        values: impl IntoIterator<Item = &'view ValueView>,
    ) -> Self {
        let mut counts = BTreeMap::new();
        for value in values {
            count_ids(value, bounds.depth, &mut counts);
        }
        let shared = counts
            .into_iter()
            .filter(|&(_, count)| count > 1)
            .map(|(id, _)| id)
            .collect();
        Writer {
            out: String::new(),
            bounds,
            shared,
            written: BTreeSet::new(),
            told: None,
            named: BTreeSet::new(),
            open: Vec::new(),
            nameless: None,
        }
    }

    /// Names what has been written out before.
    #[must_use]
    pub(super) fn knowing(mut self, told: &'told Told, moment: Moment) -> Self {
        self.told = Some((told, moment));
        self
    }

    /// Writes an object out without its name, whatever was written before.
    #[must_use]
    pub(super) fn without_name_of(mut self, value: &ValueView) -> Self {
        self.nameless = value.id;
        self
    }

    pub(super) fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// What was written, and which objects were written out under their names.
    pub(super) fn finish_with_names(self) -> (String, BTreeSet<u64>) {
        (self.out, self.named)
    }

    /// `Account#12`
    pub(super) fn name_of(&mut self, value: &ValueView) {
        self.out.push_str(&name(value));
    }

    /// Writes a value as far as there is room for it.
    pub(super) fn value(&mut self, value: &ValueView) {
        let outline = Outline::of(value, self.bounds);
        self.entry(&outline, Outline::ROOT);
    }

    fn entry(&mut self, outline: &Outline<'_>, place: usize) {
        let value = outline.entry(place).value;
        match value.kind {
            ValueKind::Primitive | ValueKind::String if value.shared => self.saying(value),
            ValueKind::Primitive | ValueKind::Null | ValueKind::Unknown => self.text(&value.text),
            ValueKind::Constant => self.constant(outline, place),
            ValueKind::Unreadable => self.text(&format!("unreadable ({})", value.text)),
            ValueKind::String => {
                let text = shortened(&value.text, self.bounds.string);
                self.text(&text);
            }
            ValueKind::Opaque => self.saying(value),
            ValueKind::Object | ValueKind::Array | ValueKind::Map | ValueKind::Entry => {
                self.compound(outline, place);
            }
        }
        if let Some(expected) = &value.expected {
            self.text(&expectation(expected));
        }
    }

    /// `Date#3(2024-02-29)`: its name, and what it says of itself.
    fn saying(&mut self, value: &ValueView) {
        self.name_of(value);
        self.said(value);
    }

    fn said(&mut self, value: &ValueView) {
        if !value.text.is_empty() {
            let text = shortened(&value.text, self.bounds.string);
            self.text(&format!("({text})"));
        }
    }

    /// `PLUS`, and what it holds the first time that it is written: `PLUS{symbol="+"}`.
    fn constant(&mut self, outline: &Outline<'_>, place: usize) {
        let entry = outline.entry(place);
        self.text(&entry.value.text);
        let is_new = entry.value.id.is_none_or(|id| self.written.insert(id));
        if is_new && !entry.parts.is_empty() {
            self.braced(("{", "}"), outline, entry);
        }
    }

    /// Whether an object was written out before what is written here.
    fn is_told(&self, id: u64) -> bool {
        let told = self
            .told
            .is_some_and(|(told, moment)| told.knows(id, moment));
        told && self.nameless != Some(id)
    }

    fn compound(&mut self, outline: &Outline<'_>, place: usize) {
        let entry = outline.entry(place);
        let value = entry.value;
        if let Some(id) = value.id {
            if self.open.contains(&id) {
                self.text("↑");
                return self.name_of(value);
            }
            let is_written_elsewhere =
                entry.parts.is_empty() && (outline.shows(id) || self.has_written_all_of(value));
            if self.written.contains(&id) || is_written_elsewhere || self.is_told(id) {
                return self.name_of(value);
            }
            if !entry.parts.is_empty() {
                self.written.insert(id);
            }
        }
        let is_object = value.kind == ValueKind::Object;
        let is_shared = value.shared || value.id.is_some_and(|id| self.shared.contains(&id));
        if value.id.is_some() && value.id == self.nameless {
            self.nameless = None;
            match is_object {
                true => self.said(value),
                false => self.text(&value.text),
            }
        } else if is_object || is_shared {
            if !entry.parts.is_empty() {
                self.named.extend(value.id);
            }
            match is_object {
                true => self.saying(value),
                false => self.name_of(value),
            }
        } else {
            self.text(&value.text);
        }
        let is_empty_object = is_object && value.children.is_empty() && value.truncated == 0;
        if is_empty_object {
            return;
        }
        let (left, right) = match value.kind {
            ValueKind::Array => ("[", "]"),
            ValueKind::Entry => ("", ""),
            _ if is_written_like_call(entry) => ("(", ")"),
            _ => ("{", "}"),
        };
        self.open.extend(value.id);
        self.braced((left, right), outline, entry);
        if value.id.is_some() {
            self.open.pop();
        }
    }

    /// The parts of an object behind its name, unless all of them were written before.
    fn braced(&mut self, (left, right): (&str, &str), outline: &Outline<'_>, entry: &Entry<'_>) {
        let name_only = self.out.len();
        self.text(left);
        let written_before = self.parts(outline, entry);
        match written_before > 0 && written_before == entry.parts.len() {
            true => self.out.truncate(name_only),
            false => self.text(right),
        }
    }

    /// Writes the parts that are not what was written of the same object before; how many were.
    fn parts(&mut self, outline: &Outline<'_>, entry: &Entry<'_>) -> usize {
        let mut written_before = 0;
        let is_like_call = is_written_like_call(entry);
        for (index, (label, place)) in entry.parts.iter().enumerate() {
            let without_it = self.out.len();
            if index > written_before || index > 0 && is_like_call {
                self.text(", ");
            }
            let start = self.out.len();
            match label {
                Label::Field(_) if is_like_call && !is_named(outline.entry(*place).value) => {}
                Label::Field(name) | Label::Key(name) => self.text(&format!("{name}=")),
                Label::Index(_) => {}
            }
            self.entry(outline, *place);
            if self.is_written_before(entry.value, label, start) {
                written_before += 1;
                // Parts that are known by their order are written all or not at all.
                if !is_like_call {
                    self.out.truncate(without_it);
                }
            }
        }
        let shown = entry.parts.len();
        let left_out = (entry.value.children.len() - shown) as u64 + entry.value.truncated;
        match (shown, left_out) {
            (_, 0) => {}
            (0, _) => self.text("…"),
            // How much there is besides stands where the object was written first.
            (_, _) if written_before > 0 => {}
            (_, more) => self.text(&format!(", …+{more}")),
        }
        written_before
    }

    /// Whether calls above this one in a list show all of an object that holds plain values only, as it is here.
    fn has_written_all_of(&self, value: &ValueView) -> bool {
        let Some(((told, _), id)) = self.told.zip(value.id) else {
            return false;
        };
        let is_written = |child: &ChildView| match &child.label {
            Label::Field(name) => {
                let text = shortened(&child.value.text, self.bounds.string);
                told.shows(id, name, &text) || told.shows(id, name, &format!("{name}={text}"))
            }
            Label::Index(_) | Label::Key(_) => false,
        };
        let is_followed = value.truncated == 0 && !value.children.is_empty();
        is_followed && value.children.iter().all(is_written)
    }

    /// Whether a call above this one in a list shows the same of the same field.
    fn is_written_before(&self, holder: &ValueView, label: &Label, start: usize) -> bool {
        match (self.told, holder.id, label) {
            (Some((told, _)), Some(id), Label::Field(name)) => {
                told.has_written(id, name, &self.out[start..])
            }
            _ => false,
        }
    }
}

/// `Point(3, 4)`: all parts of a record, in their order.
fn is_written_like_call(entry: &Entry<'_>) -> bool {
    is_like_call(entry.value) && entry.parts.len() == entry.value.children.len()
}

/// What stands behind a value that should have been another.
pub(super) fn expectation(expected: &str) -> String {
    format!(" (expected {expected})")
}

fn count_ids(value: &ValueView, depth: usize, counts: &mut BTreeMap<u64, usize>) {
    if let Some(id) = value.id {
        *counts.entry(id).or_default() += 1;
    }
    if depth > 0 {
        for child in &value.children {
            count_ids(&child.value, depth - 1, counts);
        }
    }
}
