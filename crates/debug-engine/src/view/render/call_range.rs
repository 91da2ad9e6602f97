//! Calls taken together, and pieces of calls, as text.

use std::collections::BTreeSet;

use super::names_told::NamesTold;
use super::told::Told;
use super::{Bounds, change_text, changes, is_scannable};
use crate::view::{AskedView, CallRangeView, NodeView, OutcomeView};

/// Longer lines are not taken in at a glance.
const BRIEF: usize = 200;

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

/// Several that are looked over, a line each. What a line tells of an object is not told again below it.
pub fn asked_in_list(list: &[AskedView], bounds: Bounds) -> Vec<String> {
    let told = &mut Told::of_list();
    let mut names = NamesTold::default();
    let lines = list.iter().map(|asked| match asked {
        AskedView::Call(view) => super::line_to_scan(view, bounds, told),
        AskedView::Stretch(_) => asked_in_one_line(asked, bounds),
    });
    lines.map(|line| names.shorten(&line)).collect()
}

/// A call in one line, and what its author says of it, if that is all there is to know and nobody wants to see more.
pub fn asked_briefly(asked: &AskedView, bounds: Bounds) -> Option<String> {
    let AskedView::Call(view) = asked else {
        return None;
    };
    let has_ended = !matches!(view.outcome, OutcomeView::Open | OutcomeView::ProgramEnded);
    let has_notes = view.submitted.is_some()
        || view.outlived
        || view.began_before_kept
        || view.unreadable.is_some();
    if bounds.is_wider() || !has_ended || has_notes || view.guidance.is_some() {
        return None;
    }
    let line = super::line_alone(view, bounds);
    let is_brief = line.chars().count() <= BRIEF && is_scannable(&line);
    let line = NamesTold::default().shorten(&line);
    let doc = view.doc.as_ref().map(|doc| format!("\n  {doc}"));
    is_brief.then(|| {
        let place = brief_place(view);
        format!("#{} {line}{place}{}", view.node, doc.unwrap_or_default())
    })
}

/// ` (line 24)`; with the file where its name does not follow from that of the class.
fn brief_place(view: &NodeView) -> String {
    let stem = view.file.as_deref().and_then(|file| file.split('.').next());
    let follows = stem.is_some_and(|stem| {
        let words = view.routine.trim_start_matches("new ");
        words.split(['.', '$', ':']).next() == Some(stem)
    });
    match view.line {
        Some(line) if follows => format!(" (line {line})"),
        _ => super::place_in_file(view),
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
