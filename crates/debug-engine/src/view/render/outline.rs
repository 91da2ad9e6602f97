//! Which parts of a value are written out when there is not room for all of it.
//!
//! A value of a real program reaches most of the heap, and nobody reads a question of ten thousand
//! characters. So a value has a number of characters to fill, and its parts come in the order in which
//! they matter: what the call changed, then what it used, then the rest; of these, what is near before
//! what is deep. Parts that find no room are counted.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::Bounds;
use super::value::{name, shortened};
use crate::view::{Changed, ChildView, Label, ValueKind, ValueView};

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

    /// As much of a value as the bounds have room for.
    pub(super) fn of(value: &'view ValueView, bounds: Bounds) -> Self {
        let mut outline = Outline {
            entries: vec![Entry {
                value,
                parts: Vec::new(),
                depth: 1,
                rank: Rank::Used,
            }],
            opened: BTreeSet::new(),
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
        if value.children.is_empty() || depth > bounds.depth || is_shown_elsewhere {
            return none;
        }
        // Rather too long than nothing.
        let least = usize::from(place == Self::ROOT);
        let chosen = chosen(value, bounds, *room, least);
        if chosen.is_empty() {
            return none;
        }
        self.opened.extend(value.id);
        let first = self.entries.len();
        for index in chosen {
            let child = &value.children[index];
            *room = room.saturating_sub(length(child, bounds));
            let place_of_child = self.entries.len();
            self.entries[place]
                .parts
                .push((&child.label, place_of_child));
            self.entries.push(Entry {
                value: &child.value,
                parts: Vec::new(),
                depth: depth + 1,
                rank: rank_of(child, rank),
            });
        }
        first..self.entries.len()
    }
}

/// The parts that are written, in their order, and no fewer than `least`.
fn chosen(value: &ValueView, bounds: Bounds, mut room: usize, least: usize) -> Vec<usize> {
    let count = value.children.len().min(bounds.width);
    let mut order: Vec<usize> = (0..count).collect();
    // Elements are written without their index, so only the first ones can be.
    if value.kind == ValueKind::Object {
        order = (0..value.children.len()).collect();
        order.sort_by_key(|&index| {
            let child = &value.children[index];
            let is_null = child.value.kind == ValueKind::Null;
            let is_compound = has_parts(&child.value);
            let rank = rank_of(child, Rank::Other);
            (rank, is_null, is_compound, index)
        });
        let everything: usize = order
            .iter()
            .map(|&index| length(&value.children[index], bounds))
            .sum();
        if order.len() <= bounds.width && everything <= room {
            return (0..order.len()).collect();
        }
        order.truncate(bounds.width);
    }
    let mut chosen = Vec::new();
    for index in order {
        let length = length(&value.children[index], bounds);
        if length > room && chosen.len() >= least {
            break;
        }
        room = room.saturating_sub(length);
        chosen.push(index);
    }
    chosen.sort_unstable();
    chosen
}

/// The elements of a sequence matter as much as the sequence.
fn rank_of(child: &ChildView, outer: Rank) -> Rank {
    if child.value.changed != Changed::None {
        Rank::Changed
    } else if child.used {
        Rank::Used
    } else if matches!(child.label, Label::Field(_)) {
        Rank::Other
    } else {
        outer.max(Rank::Used)
    }
}

/// The characters of a part with its name and comma, its own parts not written.
fn length(child: &ChildView, bounds: Bounds) -> usize {
    let label = match &child.label {
        Label::Field(name) | Label::Key(name) => name.chars().count() + 1,
        Label::Index(_) => 0,
    };
    label + closed_length(&child.value, bounds) + 2
}

fn closed_length(value: &ValueView, bounds: Bounds) -> usize {
    if has_parts(value) {
        return name(value).chars().count() + 3;
    }
    shortened(&value.text, bounds.string).chars().count()
}

fn has_parts(value: &ValueView) -> bool {
    !matches!(
        value.kind,
        ValueKind::Primitive | ValueKind::Null | ValueKind::String
    )
}
