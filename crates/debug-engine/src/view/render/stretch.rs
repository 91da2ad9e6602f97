//! Calls taken together, and pieces of calls, as text.

use std::collections::BTreeSet;

use super::{Bounds, beyond, call, change_text, changes, outcome};
use crate::view::{AskedView, NamedState, NodeView, StretchView};

/// Whatever was asked about, in one line.
pub fn asked_in_one_line(asked: &AskedView, bounds: Bounds) -> String {
    match asked {
        AskedView::Call(view) => super::one_line(view, bounds),
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

/// Whatever is asked about, on several lines.
pub fn asked(asked: &AskedView, bounds: Bounds) -> String {
    match asked {
        AskedView::Call(view) => super::multi_line(view, bounds),
        AskedView::Stretch(view) => stretch(view, bounds),
    }
}

fn stretch(view: &StretchView, bounds: Bounds) -> String {
    let mut lines = vec![format!("{} {}", numbers(view), headline(view))];
    let shown = view.calls.len().div_ceil(2);
    for (index, member) in view.calls.iter().enumerate() {
        if index == shown && view.calls_left_out > 0 {
            lines.push(format!("  … {} more", view.calls_left_out));
        }
        lines.push(format!("  {}", call_and_outcome(member, bounds)));
    }
    let listed = shown_with_the_calls(view);
    let unlisted = |variable: &&NamedState| {
        let id = variable.state.before.id;
        id.is_none_or(|id| !listed.contains(&id))
    };
    let variables: Vec<&NamedState> = view.state.iter().filter(unlisted).collect();
    for variable in variables.iter().take(bounds.changes) {
        lines.push(format!(
            "  before: {} = {}",
            variable.name,
            super::value(&variable.state.before, bounds)
        ));
    }
    if let Some(more) = beyond(variables.len(), bounds.changes) {
        lines.push(format!("  before: {more}"));
    }
    let changes = changes::in_states(&view.state);
    if changes.is_empty() {
        lines.push("  nothing changed from before it to after it".to_owned());
    } else {
        lines.push("  changed from before it to after it:".to_owned());
    }
    for change in changes.iter().take(bounds.changes) {
        lines.push(format!("    {}", change_text(change, bounds)));
    }
    if let Some(more) = beyond(changes.len(), bounds.changes) {
        lines.push(format!("    {more}"));
    }
    lines.join("\n")
}

/// The objects that stand among the arguments of the calls, if these are all listed.
fn shown_with_the_calls(view: &StretchView) -> BTreeSet<u64> {
    if view.calls_left_out > 0 {
        return BTreeSet::new();
    }
    let arguments = view.calls.iter().flat_map(|call| &call.arguments);
    arguments
        .filter_map(|argument| argument.state.before.id)
        .collect()
}

/// `15 calls of Tree.insert in Main.build (Main.java:12)`.
fn headline(view: &StretchView) -> String {
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
fn numbers(view: &StretchView) -> String {
    if view.first == view.last {
        format!("#{}", view.first)
    } else {
        format!("#{}–#{}", view.first, view.last)
    }
}

fn call_and_outcome(view: &NodeView, bounds: Bounds) -> String {
    format!(
        "#{} {} → {}",
        view.node,
        call(view, bounds),
        outcome(view, bounds)
    )
}
