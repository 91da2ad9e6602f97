//! Calls taken together, and pieces of calls, as text.

use std::collections::BTreeSet;

use super::{Bounds, change_text, changes};
use crate::view::{AskedView, CallRangeView};

/// Whatever was asked about, in one line.
pub fn asked_in_one_line(asked: &AskedView, bounds: Bounds) -> String {
    match asked {
        AskedView::Call(view) => super::line_to_judge(view, bounds),
        AskedView::Stretch(view) => {
            let mut line = headline(view);
            for change in changes::in_states(&view.state).iter().take(bounds.changes) {
                line.push_str("; ");
                line.push_str(&change_text(change, bounds));
            }
            line
        }
    }
}

/// Whatever is asked about, as one of several that are looked over.
pub fn asked_in_list(asked: &AskedView, bounds: Bounds) -> String {
    match asked {
        AskedView::Call(view) => super::line_to_scan(view, bounds),
        AskedView::Stretch(_) => asked_in_one_line(asked, bounds),
    }
}

/// The objects that stand among the arguments of the calls, if these are all listed.
pub(super) fn objects_of_calls(view: &CallRangeView) -> BTreeSet<u64> {
    if view.calls_left_out > 0 {
        return BTreeSet::new();
    }
    let arguments = view.calls.iter().flat_map(|call| &call.arguments);
    arguments
        .filter_map(|argument| argument.state.before.id)
        .collect()
}

/// `15 calls of Tree.insert in Main.build (Main.java:12)`.
pub(super) fn headline(view: &CallRangeView) -> String {
    let mut headline = view.title.clone();
    if let Some(inside) = &view.inside {
        headline.push_str(" in ");
        headline.push_str(inside);
    }
    match (&view.file, &view.lines[..]) {
        (Some(file), [line]) => headline.push_str(&format!(" ({file}:{line})")),
        (Some(file), [first, .., last]) => headline.push_str(&format!(" ({file}:{first}-{last})")),
        _ => {}
    }
    headline
}

/// `#3–#17`.
pub(super) fn numbers(view: &CallRangeView) -> String {
    if view.first == view.last {
        format!("#{}", view.first)
    } else {
        format!("#{}–#{}", view.first, view.last)
    }
}
