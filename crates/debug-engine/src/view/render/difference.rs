//! Two long states of one variable: only what differs, and how much is the same around it.
//!
//! A list of four thousand elements that got one more, or a text in which one word is another, would fill a screen
//! twice, and the reader would have to find the difference. What is the same at both ends is folded.

use super::Bounds;
use super::sameness::is_same_element;
use super::short::shortened;
use super::value::Writer;
use crate::view::{ChildView, Label, ValueKind, ValueView};

/// Sequences of fewer elements are written out.
const LONG_SEQUENCE: usize = 12;
/// Of a sequence more elements than these are not told one by one.
const MOST_DIFFERENT: usize = 6;
/// Texts that are shorter are compared by the eye.
const LONG_TEXT: usize = 40;
/// What is left standing on both sides of what differs in a text.
const CONTEXT: usize = 12;

/// Both states as far as they differ, if that says it in fewer words than all of both.
pub(super) fn folded(
    before: &ValueView,
    after: &ValueView,
    bounds: Bounds,
) -> Option<(String, String)> {
    match (before.kind, after.kind) {
        (ValueKind::String, ValueKind::String) => texts(&before.text, &after.text, bounds),
        (ValueKind::Array, ValueKind::Array) => sequences(before, after, bounds),
        _ => None,
    }
}

/// `"… 4,096 more …the ⟦old⟧ word…"`: what differs is marked.
fn texts(before: &str, after: &str, bounds: Bounds) -> Option<(String, String)> {
    let (then, now) = (inner(before)?, inner(after)?);
    if then.len().max(now.len()) < LONG_TEXT {
        return None;
    }
    let same_start = same(then.iter(), now.iter());
    let rest = then.len().min(now.len()) - same_start;
    let same_end = same(then.iter().rev(), now.iter().rev()).min(rest);
    let is_alike = (same_start + same_end) * 2 >= then.len().min(now.len());
    (is_alike && same_start + same_end > 0).then(|| {
        let side = |text: &[char]| marked(text, same_start, text.len() - same_end, bounds);
        (side(&then), side(&now))
    })
}

/// A text without its quotes; `None` if it was cut when it was recorded.
fn inner(text: &str) -> Option<Vec<char>> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    Some(inner.chars().collect())
}

fn same<'text>(
    one: impl Iterator<Item = &'text char>,
    other: impl Iterator<Item = &'text char>,
) -> usize {
    one.zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

/// A text with what differs from the other in marks, and what is far from it folded.
fn marked(text: &[char], start: usize, end: usize, bounds: Bounds) -> String {
    let piece = |from: usize, to: usize| text[from..to].iter().collect::<String>();
    let head = match start {
        0..=LONG_TEXT => piece(0, start),
        _ => format!("{}{}", fold(start - CONTEXT), piece(start - CONTEXT, start)),
    };
    let rest = text.len() - end;
    let tail = match rest {
        0..=LONG_TEXT => piece(end, text.len()),
        _ => format!("{}{}", piece(end, end + CONTEXT), fold(rest - CONTEXT)),
    };
    let middle = shortened(&piece(start, end), bounds.string);
    format!("\"{head}⟦{middle}⟧{tail}\"")
}

/// `… 4,096 more …`
fn fold(count: usize) -> String {
    format!("… {} more …", grouped(count))
}

/// `4,096`.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `12 elements` and `13 elements with [12]=7`.
fn sequences(before: &ValueView, after: &ValueView, bounds: Bounds) -> Option<(String, String)> {
    if !is_whole(before) || !is_whole(after) || !before.text.is_empty() {
        return None;
    }
    let (then, now) = (&before.children[..], &after.children[..]);
    if then.len().max(now.len()) <= LONG_SEQUENCE {
        return None;
    }
    let start = same_elements(then.iter(), now.iter());
    let rest = then.len().min(now.len()) - start;
    let end = same_elements(then.iter().rev(), now.iter().rev()).min(rest);
    let different = then.len().max(now.len()) - start - end;
    (different <= MOST_DIFFERENT).then(|| {
        let side = |all: &[ChildView]| elements(all, start, all.len() - end, bounds);
        (side(then), side(now))
    })
}

/// Whether each of its elements is there, in its place.
fn is_whole(value: &ValueView) -> bool {
    let mut children = (0..).zip(&value.children);
    value.truncated == 0 && children.all(|(index, child)| child.label == Label::Index(index))
}

fn same_elements<'view>(
    one: impl Iterator<Item = &'view ChildView>,
    other: impl Iterator<Item = &'view ChildView>,
) -> usize {
    let is_same =
        |(one, other): &(&ChildView, &ChildView)| is_same_element(&one.value, &other.value);
    one.zip(other).take_while(is_same).count()
}

fn elements(all: &[ChildView], start: usize, end: usize, bounds: Bounds) -> String {
    let count = match all.len() {
        1 => "1 element".to_owned(),
        many => format!("{} elements", grouped(many)),
    };
    if start == end {
        return count;
    }
    let bounds = Bounds {
        length: bounds.length / (end - start),
        ..bounds
    };
    let shown = all[start..end].iter().zip(start..);
    let shown: Vec<String> = shown
        .map(|(child, index)| {
            let mut writer = Writer::new(bounds, [&child.value]);
            writer.value(&child.value);
            format!("[{index}]={}", writer.finish())
        })
        .collect();
    format!("{count} with {}", shown.join(", "))
}
