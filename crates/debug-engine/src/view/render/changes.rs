//! What a call left different, found by walking entry and exit state side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Serialize;

use super::difference::folded;
use super::sameness::{is_same_element, is_same_leaf, is_same_object};
use super::short::name;
use super::told::{Moment, Told};
use super::value::Writer;
use super::{Bounds, written_told};
use crate::view::paths::step;
use crate::view::{
    AskedView, Changed, ChildView, ConcurrentWrite, Label, NamedState, NodeView, StateView,
    ValueKind, ValueView,
};

/// One difference between entry and exit.
#[derive(Clone, PartialEq, Debug)]
pub struct Change<'view> {
    /// Where: `this.balance`, `c`, `Main.total`.
    pub path: String,
    /// At entry; `None` if that part was not followed, or was not there.
    pub before: Option<&'view ValueView>,
    /// At exit, likewise.
    pub after: Option<&'view ValueView>,
    /// Who else wrote it, or wrote to what holds it, while the call ran.
    pub meanwhile: Option<&'view ConcurrentWrite>,
}

/// Of sequences longer than this the end is usually not written out.
const LONG_SEQUENCE: u64 = 12;
/// Of sequences longer than this one or two elements that changed are told by themselves.
const SHORT_SEQUENCE: u64 = 6;
/// Elements of a long sequence that changed, up to this many, are told one by one.
const FEW_CHANGES: usize = 4;

/// What stands for the value of a key that is not in a map.
static ABSENT: LazyLock<ValueView> = LazyLock::new(|| ValueView::primitive("absent"));

/// All changes of a call, in the order receiver, arguments, statics, other objects.
///
/// An object that is still the same object is looked into, field by field; an array whose elements
/// are plain values is shown as a whole, unless it is long and few of them changed. Something reached on several ways
/// is reported on the first.
pub fn changes(view: &NodeView) -> Vec<Change<'_>> {
    let this = view.this.iter().map(|state| ("this", state));
    let named = view.arguments.iter().chain(&view.statics);
    let named = named.chain(&view.elsewhere);
    let named = named.map(|named| (named.name.as_str(), &named.state));
    find(this.chain(named))
}

/// A change as a program reads it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangeText {
    /// What an answer "this part is wrong" can name.
    pub path: String,
    /// `None` if that part was not followed, or was not there.
    pub before: Option<String>,
    pub after: Option<String>,
    /// Who else wrote it while the call ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meanwhile: Option<ConcurrentWrite>,
}

impl ChangeText {
    pub(super) fn of(change: &Change<'_>, bounds: Bounds, told: &mut Told) -> ChangeText {
        let both = change.before.zip(change.after);
        let folded = both.and_then(|(before, after)| folded(before, after, bounds));
        let (before, after) = match folded {
            Some((before, after)) => (Some(before), Some(after)),
            None => written(change, bounds, told),
        };
        ChangeText {
            path: change.path.clone(),
            before,
            after,
            meanwhile: change.meanwhile.cloned(),
        }
    }
}

/// Both sides of a change. An object that is still the same is named by the path.
fn written(
    change: &Change<'_>,
    bounds: Bounds,
    told: &mut Told,
) -> (Option<String>, Option<String>) {
    let is_same = matches!((change.before, change.after),
        (Some(before), Some(after)) if is_same_object(before, after));
    // Two values that are written out share the line.
    let is_long = |side: Option<&ValueView>| side.is_some_and(|value| !value.children.is_empty());
    let shares = usize::from(is_long(change.before)) + usize::from(is_long(change.after));
    let bounds = Bounds {
        length: bounds.length / shares.max(1),
        ..bounds
    };
    let mut side = |state: Option<&ValueView>, moment| {
        let state = state?;
        let writer = Writer::new(bounds, [state]);
        // The name tells where else it stands.
        let is_named = state.shared && name(state) != change.path;
        let writer = match is_same && !is_named {
            true => writer.without_name_of(state),
            false => writer,
        };
        Some(written_told(writer, state, told, moment))
    };
    let before = side(change.before, Moment::Before);
    (before, side(change.after, Moment::After))
}

/// The first `most` changes of whatever a question is about.
pub fn changes_asked(asked: &AskedView, bounds: Bounds, most: usize) -> Vec<ChangeText> {
    let changes = match asked {
        AskedView::Call(view) => changes(view),
        AskedView::Stretch(view) => in_states(&view.state),
    };
    let shown = changes.iter().take(most);
    shown
        .map(|change| ChangeText::of(change, bounds, &mut Told::default()))
        .collect()
}

/// The same for any variables.
pub(super) fn in_states(states: &[NamedState]) -> Vec<Change<'_>> {
    find(
        states
            .iter()
            .map(|named| (named.name.as_str(), &named.state)),
    )
}

fn find<'view>(states: impl Iterator<Item = (&'view str, &'view StateView)>) -> Vec<Change<'view>> {
    let mut finder = Finder {
        found: Vec::new(),
        seen: BTreeSet::new(),
    };
    for (name, StateView { before, after }) in states {
        if let Some(after) = after {
            finder.compare(name.to_owned(), before, after, None);
        }
    }
    finder.found
}

struct Finder<'view> {
    found: Vec<Change<'view>>,
    seen: BTreeSet<u64>,
}

impl<'view> Finder<'view> {
    /// `holder`: who wrote to what the value lies in.
    fn compare(
        &mut self,
        path: String,
        before: &'view ValueView,
        after: &'view ValueView,
        holder: Option<&'view ConcurrentWrite>,
    ) {
        let meanwhile = after.meanwhile.as_deref().or(holder);
        if !is_same_object(before, after) {
            if !is_same_leaf(before, after) {
                self.report(path, Some(before), Some(after), meanwhile);
            }
            return;
        }
        // Where it was cut off, a later appearance may show more.
        let is_followed = !before.children.is_empty() || !after.children.is_empty();
        if is_followed && after.id.is_some_and(|id| !self.seen.insert(id)) {
            return;
        }
        if after.kind == ValueKind::Array && is_compared_whole(before, after) {
            let mut elements = after.children.iter();
            let of_element = elements.find_map(|child| child.value.meanwhile.as_deref());
            let meanwhile = meanwhile.or(of_element);
            self.report(path.clone(), Some(before), Some(after), meanwhile);
            return self.compare_elements(&path, before, after);
        }
        if before.children.is_empty() && after.children.is_empty() && before.text != after.text {
            return self.report(path, Some(before), Some(after), meanwhile);
        }
        let own = after.meanwhile.as_deref();
        for (index, child) in after.children.iter().enumerate() {
            let inner = inner_path(&path, &child.label);
            match part(before, &child.label, index) {
                Some(earlier) => self.compare(inner, earlier, &child.value, own),
                // Only a part that was cut off at entry can be missing there.
                None if before.truncated == 0 => {
                    let earlier = matches!(child.label, Label::Key(_)).then_some(&*ABSENT);
                    let meanwhile = child.value.meanwhile.as_deref().or(own);
                    self.report(inner, earlier, Some(&child.value), meanwhile);
                }
                None => {}
            }
        }
        for child in removed(before, after) {
            let inner = inner_path(&path, &child.label);
            self.report(inner, Some(&child.value), Some(&ABSENT), own);
        }
    }

    /// What changed inside the elements of a sequence that has others now. One that was there before is named, and may
    /// stand in another place.
    fn compare_elements(&mut self, path: &str, before: &'view ValueView, after: &'view ValueView) {
        let earlier = before.children.iter();
        let earlier = earlier.filter_map(|child| Some((child.value.id?, &child.value)));
        let earlier: BTreeMap<u64, &ValueView> = earlier.collect();
        for child in &after.children {
            let then = child.value.id.and_then(|id| earlier.get(&id));
            if let Some(then) = then {
                let inner = inner_path(path, &child.label);
                self.compare(inner, then, &child.value, after.meanwhile.as_deref());
            }
        }
    }

    fn report(
        &mut self,
        path: String,
        before: Option<&'view ValueView>,
        after: Option<&'view ValueView>,
        meanwhile: Option<&'view ConcurrentWrite>,
    ) {
        self.found.push(Change {
            path,
            before,
            after,
            meanwhile,
        });
    }
}

/// Sets the `changed` marks of both states: red where the value is another one, yellow where the
/// object is the same and something that it reaches is not.
pub fn mark_changes(before: &mut ValueView, after: &mut ValueView) -> Changed {
    let mark = if is_same_object(before, after) {
        mark_inside(before, after)
    } else if is_same_leaf(before, after) {
        Changed::None
    } else {
        Changed::Changed
    };
    before.changed = mark;
    after.changed = mark;
    mark
}

fn mark_inside(before: &mut ValueView, after: &mut ValueView) -> Changed {
    let mut inside = before.text != after.text;
    for (index, child) in after.children.iter_mut().enumerate() {
        match place_of(before, &child.label, index).map(|place| &mut before.children[place]) {
            Some(earlier) => {
                inside |= mark_changes(&mut earlier.value, &mut child.value) != Changed::None;
            }
            None if before.truncated == 0 => {
                child.value.changed = Changed::Changed;
                inside = true;
            }
            None => {}
        }
    }
    if after.kind == ValueKind::Map && after.truncated == 0 {
        for (index, child) in before.children.iter_mut().enumerate() {
            if part(after, &child.label, index).is_none() {
                child.value.changed = Changed::Changed;
                inside = true;
            }
        }
    }
    if inside {
        Changed::Inside
    } else {
        Changed::None
    }
}

/// Whether the number of elements differs, or elements that are no objects themselves: in a long
/// sequence so many of them that one by one they would be too much, and not only at the end, which is not
/// written out.
fn is_compared_whole(before: &ValueView, after: &ValueView) -> bool {
    let count = |value: &ValueView| value.children.len() as u64 + value.truncated;
    if count(before) != count(after) {
        return true;
    }
    let is_changed = |&(index, child): &(usize, &ChildView)| {
        part(before, &child.label, index)
            .is_some_and(|earlier| !is_same_element(earlier, &child.value))
    };
    let mut changed = after.children.iter().enumerate().filter(is_changed);
    let Some((first, _)) = changed.next() else {
        return false;
    };
    let others = changed.count();
    match count(after) {
        length if length > LONG_SEQUENCE => (first as u64) < LONG_SEQUENCE && others >= FEW_CHANGES,
        length => length <= SHORT_SEQUENCE || others > 1,
    }
}

/// The entries of a map that are not there any more, as far as that can be told.
fn removed<'view>(
    before: &'view ValueView,
    after: &'view ValueView,
) -> impl Iterator<Item = &'view ChildView> {
    let is_told = after.kind == ValueKind::Map && after.truncated == 0;
    let children = before.children.iter().enumerate();
    let gone = children
        .filter(move |(index, child)| is_told && part(after, &child.label, *index).is_none());
    gone.map(|(_, child)| child)
}

/// The part with a label, which most likely is where it was in the other state.
fn part<'view>(value: &'view ValueView, label: &Label, likely: usize) -> Option<&'view ValueView> {
    let place = place_of(value, label, likely)?;
    Some(&value.children[place].value)
}

fn place_of(value: &ValueView, label: &Label, likely: usize) -> Option<usize> {
    let is_it = |child: &ChildView| child.label == *label;
    if value.children.get(likely).is_some_and(is_it) {
        return Some(likely);
    }
    value.children.iter().position(is_it)
}

fn inner_path(path: &str, label: &Label) -> String {
    format!("{path}{}", step(label))
}
