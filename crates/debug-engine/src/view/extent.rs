//! How much there is in a view.

use super::{AskedView, NamedState, NodeView, OutcomeView, StateView, ValueView};

impl AskedView {
    /// The values in it, those inside others counted too.
    pub fn values(&self) -> usize {
        match self {
            AskedView::Call(call) => in_call(call),
            AskedView::Stretch(stretch) => {
                stretch.calls.iter().map(in_call).sum::<usize>() + in_named(&stretch.state)
            }
        }
    }
}

fn in_call(call: &NodeView) -> usize {
    let outcome = match &call.outcome {
        OutcomeView::Returned(value) | OutcomeView::Thrown(value) => in_value(value),
        OutcomeView::Void | OutcomeView::Open | OutcomeView::ProgramEnded => 0,
    };
    let named = [&call.arguments, &call.statics, &call.elsewhere].map(|named| in_named(named));
    call.this.as_ref().map_or(0, in_state) + named.iter().sum::<usize>() + outcome
}

fn in_named(named: &[NamedState]) -> usize {
    named.iter().map(|named| in_state(&named.state)).sum()
}

fn in_state(state: &StateView) -> usize {
    in_value(&state.before) + state.after.as_ref().map_or(0, in_value)
}

fn in_value(value: &ValueView) -> usize {
    let inside = value.children.iter().map(|child| in_value(&child.value));
    1 + inside.sum::<usize>()
}
