//! Which parts of a value are written out when there is not room for all of it.
//!
//! A value of a real program reaches most of the heap, and nobody reads a question of ten thousand
//! characters. So a value that is too long gets a number of characters to fill, and its parts come in
//! the order in which they matter: what the call changed, then what it used, of these what is near
//! before what is deep; of the rest only what tells which object it is. Parts left out are counted.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::Bounds;
use super::short::{name, shortened};
use crate::view::{Changed, ChildView, Label, ValueKind, ValueView};

/// Values that are no longer are written out, whatever of them matters.
const SHORT: usize = 72;
/// Whoever wants values of this length wants to see what nobody used as well.
const EVERYTHING: usize = 1_000;
/// What is said of parts that are left out takes about as much as these.
const NOTE: usize = 16;

/// How much a part matters; the least comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Changed,
    Used,
    Other,
}

/// A value as far as it is written out.
pub(super) struct Outline<'view> {
    entries: Vec<Entry<'view>>,
    opened: BTreeSet<u64>,
    /// Whether only what was used or changed is opened.
    is_choosy: bool,
    /// Whether something was left out for want of room.
    is_cut: bool,
}

/// One value in an outline.
pub(super) struct Entry<'view> {
    pub(super) value: &'view ValueView,
    /// Its parts that are written, with their places among the entries; none if it stays closed.
    pub(super) parts: Vec<(&'view Label, usize)>,
    depth: usize,
    rank: Rank,
}

impl<'view> Outline<'view> {
    /// The place of the value itself among the entries.
    pub(super) const ROOT: usize = 0;

    /// All of a value if it is short or nothing tells what of it matters, or else as much of that as there is room
    /// for.
    pub(super) fn of(value: &'view ValueView, bounds: Bounds) -> Self {
        let within = |length| Bounds { length, ..bounds };
        let short = Self::fill(value, within(bounds.length.min(SHORT)), false);
        if !short.is_cut {
            return short;
        }
        let is_for_reader = bounds.length < EVERYTHING && bounds.rows < usize::MAX;
        let is_choosy = is_for_reader && has_used(value);
        Self::fill(value, bounds, is_choosy)
    }

    fn fill(value: &'view ValueView, bounds: Bounds, is_choosy: bool) -> Self {
        let root = Entry {
            value,
            parts: Vec::new(),
            depth: 1,
            rank: Rank::Used,
        };
        let mut outline = Outline {
            entries: vec![root],
            opened: BTreeSet::new(),
            is_choosy,
            is_cut: false,
        };
        let mut room = bounds.length.saturating_sub(closed_length(value, bounds));
        let mut next = BinaryHeap::from([Reverse((Rank::Changed, 1, Self::ROOT))]);
        while let Some(Reverse((_, _, place))) = next.pop() {
            for opened in outline.open(place, bounds, &mut room) {
                let entry = &outline.entries[opened];
                next.push(Reverse((entry.rank, entry.depth, opened)));
            }
        }
        outline
    }

    pub(super) fn entry(&self, place: usize) -> &Entry<'view> {
        &self.entries[place]
    }

    /// Whether this object is written out somewhere.
    pub(super) fn shows(&self, id: u64) -> bool {
        self.opened.contains(&id)
    }

    /// Opens one value as far as there is room; the places of its parts.
    fn open(&mut self, place: usize, bounds: Bounds, room: &mut usize) -> std::ops::Range<usize> {
        let entry = &self.entries[place];
        let (value, depth, rank) = (entry.value, entry.depth, entry.rank);
        let none = self.entries.len()..self.entries.len();
        let is_shown_elsewhere = value.id.is_some_and(|id| self.opened.contains(&id));
        let is_beside = rank == Rank::Other && self.is_choosy;
        let is_closed = depth > bounds.depth || is_shown_elsewhere || is_beside;
        if value.children.is_empty() || is_closed {
            return none;
        }
        // Rather too long than nothing.
        let least = usize::from(place == Self::ROOT);
        let (possible, chosen) = match as_record(value, bounds, *room) {
            Some(all) => (all.len(), all),
            None => {
                let mut order = by_weight(value, self.is_choosy);
                if bounds.purpose.is_brief() {
                    leave_out_nothings(value, &mut order);
                }
                let possible = order.len().min(bounds.width);
                (possible, chosen(value, order, bounds, *room, least))
            }
        };
        self.is_cut |= chosen.len() < possible;
        if chosen.is_empty() {
            return none;
        }
        self.opened.extend(value.id);
        let others = rank_of_others(value, rank);
        let first = self.entries.len();
        for index in chosen {
            let child = &value.children[index];
            *room = room.saturating_sub(length(value, child, bounds));
            let place_of_child = self.entries.len();
            self.entries[place]
                .parts
                .push((&child.label, place_of_child));
            self.entries.push(Entry {
                value: &child.value,
                parts: Vec::new(),
                depth: depth + 1,
                rank: rank_of(child).min(others),
            });
        }
        first..self.entries.len()
    }
}

/// Records with more parts are not understood without the names of these.
const PARTS_OF_RECORD: usize = 5;

/// Whether a value is written as what made it, `Point(3, 4)`, if all its parts are written.
pub(super) fn is_like_call(value: &ValueView) -> bool {
    let is_small = (1..=PARTS_OF_RECORD).contains(&value.children.len());
    value.is_record && is_small && value.truncated == 0
}

/// Whether a part of such a record has its name before it: what says nothing by itself has.
pub(super) fn is_named(part: &ValueView) -> bool {
    matches!(&*part.text, "true" | "false" | "null")
}

/// All parts of a record that holds nothing but plain values, if there is room for them: together they take less than
/// some of them with their names.
fn as_record(value: &ValueView, bounds: Bounds, room: usize) -> Option<Vec<usize>> {
    let is_plain = |child: &ChildView| !has_parts(&child.value);
    if !is_like_call(value) || !value.children.iter().all(is_plain) {
        return None;
    }
    let lengths = value
        .children
        .iter()
        .map(|child| length(value, child, bounds));
    let fits = lengths.sum::<usize>() <= room && value.children.len() <= bounds.width;
    fits.then(|| (0..value.children.len()).collect())
}

/// The parts that are written, in their order, and no fewer than `least`.
fn chosen(
    value: &ValueView,
    order: Vec<usize>,
    bounds: Bounds,
    mut room: usize,
    least: usize,
) -> Vec<usize> {
    let lengths = order
        .iter()
        .map(|&index| length(value, &value.children[index], bounds));
    let lengths: Vec<usize> = lengths.collect();
    let mut rest: usize = lengths.iter().sum();
    let is_all = order.len() == value.children.len() && value.truncated == 0;
    let mut chosen = Vec::new();
    for (index, length) in order.into_iter().zip(lengths).take(bounds.width) {
        // What is left out must be counted, and the count must not take more room than what it stands for.
        let is_less_than_note = is_all && rest <= NOTE;
        if length > room && chosen.len() >= least && !is_less_than_note {
            break;
        }
        room = room.saturating_sub(length);
        rest -= length;
        chosen.push(index);
    }
    chosen.sort_unstable();
    chosen
}

/// The parts that may be written, those that matter most first.
fn by_weight(value: &ValueView, is_choosy: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..value.children.len()).collect();
    // Elements are written without their index, so only the first ones can be.
    if !has_fields(value) {
        let is_next = |&index: &usize| match value.children[index].label {
            Label::Index(element) => element == index as u64,
            _ => true,
        };
        return order.into_iter().take_while(is_next).collect();
    }
    let rank = |index: usize| rank_of(&value.children[index]);
    let is_null = |index: usize| value.children[index].value.kind == ValueKind::Null;
    let is_plain = |index: usize| !has_parts(&value.children[index].value);
    // What nobody looked at says nothing about the call.
    if is_choosy && order.iter().any(|&index| rank(index) != Rank::Other) {
        order.retain(|&index| rank(index) != Rank::Other);
    }
    order.sort_by_key(|&index| (rank(index), is_null(index), !is_plain(index), index));
    order
}

/// Of many lines each is short: that a field holds nothing says something where it was used or changed, and if nothing
/// else can be said.
fn leave_out_nothings(value: &ValueView, order: &mut Vec<usize>) {
    let says_something = |&index: &usize| {
        let child = &value.children[index];
        child.value.kind != ValueKind::Null || rank_of(child) != Rank::Other
    };
    if has_fields(value) && order.iter().any(says_something) {
        order.retain(says_something);
    }
}

fn has_used(value: &ValueView) -> bool {
    let is_used = |child: &ChildView| rank_of(child) != Rank::Other;
    let mut children = value.children.iter();
    children.any(|child| is_used(child) || has_used(&child.value))
}

/// How much a part matters by its own marks.
fn rank_of(child: &ChildView) -> Rank {
    if child.value.changed != Changed::None {
        Rank::Changed
    } else if child.used {
        Rank::Used
    } else {
        Rank::Other
    }
}

/// How much the unmarked parts of a value matter. If it is not known which elements of a sequence were
/// used, they matter as much as the sequence.
fn rank_of_others(value: &ValueView, rank: Rank) -> Rank {
    let is_marked = |child: &ChildView| rank_of(child) != Rank::Other;
    if has_fields(value) || value.children.iter().any(is_marked) {
        Rank::Other
    } else {
        rank.max(Rank::Used)
    }
}

/// The characters of a part with its name and comma, its own parts not written.
fn length(holder: &ValueView, child: &ChildView, bounds: Bounds) -> usize {
    let label = match &child.label {
        Label::Field(_) if is_like_call(holder) && !is_named(&child.value) => 0,
        Label::Field(name) | Label::Key(name) => name.chars().count() + 1,
        Label::Index(_) => 0,
    };
    label + closed_length(&child.value, bounds) + 2
}

fn closed_length(value: &ValueView, bounds: Bounds) -> usize {
    let text = shortened(&value.text, bounds.string).chars().count();
    match has_parts(value) {
        true => name(value).chars().count() + text + 3,
        false => text,
    }
}

/// Whether its parts are written with their names, so that any of them can be left out.
fn has_fields(value: &ValueView) -> bool {
    matches!(value.kind, ValueKind::Object | ValueKind::Constant)
}

fn has_parts(value: &ValueView) -> bool {
    if value.kind == ValueKind::Constant {
        return !value.children.is_empty();
    }
    !matches!(
        value.kind,
        ValueKind::Primitive
            | ValueKind::Null
            | ValueKind::Unknown
            | ValueKind::Unreadable
            | ValueKind::String
    )
}
