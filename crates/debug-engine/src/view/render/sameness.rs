//! Whether two values, before and after, are one.

use crate::view::ValueView;

/// Whether an element of a sequence is the same in both states, whatever it holds.
pub(super) fn is_same_element(before: &ValueView, after: &ValueView) -> bool {
    is_same_object(before, after) || is_same_leaf(before, after)
}

pub(super) fn is_same_object(before: &ValueView, after: &ValueView) -> bool {
    before.id.is_some() && before.id == after.id
}

/// Values without an identity are the same if they are written the same.
pub(super) fn is_same_leaf(before: &ValueView, after: &ValueView) -> bool {
    before.id == after.id
        && before.kind == after.kind
        && before.text == after.text
        && (before.id.is_some() || before.children == after.children)
}
