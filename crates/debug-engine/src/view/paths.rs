//! The paths under which a question shows its values: `this.balance["ann"]`, `c[2]`.

use super::{AskedView, ChildView, Label, NamedState, OutcomeView, StateView, ValueView};

impl AskedView {
    /// Whether a path names a value in it, before or after.
    pub fn has_path(&self, path: &str) -> bool {
        match self {
            AskedView::Stretch(view) => in_states(&view.state, path),
            AskedView::Call(view) => {
                let named = [&view.arguments, &view.statics, &view.elsewhere];
                let this = view.this.as_ref();
                named.iter().any(|states| in_states(states, path))
                    || this.is_some_and(|this| in_state("this", this, path))
                    || match &view.outcome {
                        OutcomeView::Returned(value) | OutcomeView::Thrown(value) => {
                            let rest = path.strip_prefix("return");
                            rest.is_some_and(|rest| in_value(value, rest))
                        }
                        OutcomeView::Void | OutcomeView::Open | OutcomeView::ProgramEnded => false,
                    }
            }
        }
    }
}

fn in_states(states: &[NamedState], path: &str) -> bool {
    let mut states = states.iter();
    states.any(|named| in_state(&named.name, &named.state, path))
}

fn in_state(name: &str, state: &StateView, path: &str) -> bool {
    let Some(rest) = path.strip_prefix(name) else {
        return false;
    };
    let mut values = std::iter::once(&state.before).chain(&state.after);
    values.any(|value| in_value(value, rest))
}

fn in_value(value: &ValueView, rest: &str) -> bool {
    let is_inside = |child: &ChildView| {
        let rest = rest.strip_prefix(&*step(&child.label));
        rest.is_some_and(|rest| in_value(&child.value, rest))
    };
    rest.is_empty() || value.children.iter().any(is_inside)
}

/// What a part adds to the path of its value.
pub(super) fn step(label: &Label) -> String {
    match label {
        Label::Field(name) => format!(".{name}"),
        Label::Index(index) => format!("[{index}]"),
        Label::Key(key) => format!("[{key}]"),
    }
}
