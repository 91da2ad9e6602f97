//! Calls and values as text.

use super::NodeView;

/// How much of a value is written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Fields or elements of one value.
    pub width: usize,
    /// Values inside values.
    pub depth: usize,
    /// Characters of one string.
    pub string: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            width: 12,
            depth: 3,
            string: 80,
        }
    }
}

/// The call in one line.
pub fn one_line(view: &NodeView, _bounds: Bounds) -> String {
    view.routine.clone()
}

/// The call on several lines: arguments, outcome and changes, one each.
pub fn multi_line(view: &NodeView, bounds: Bounds) -> String {
    one_line(view, bounds)
}
