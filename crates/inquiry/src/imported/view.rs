//! What was said about an imported call, as a question shows it.

use debug_engine::view::render::mark_changes;
use debug_engine::view::{
    ChildView, Label, NamedState, NodeView, OutcomeView, StateView, ValueKind, ValueView,
};
use debug_engine::{Judgement, NodeId};
use serde::Deserialize;
use serde_json::Value;

use super::split_name;

/// What is kept of a line of the file beside the tree.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Text {
    before: Value,
    after: Value,
    returns: Option<Value>,
    lines: Vec<u32>,
}

fn parse(text: &[u8]) -> Text {
    serde_json::from_slice(text).unwrap_or_default()
}

pub(super) fn lines(text: &[u8]) -> Vec<u32> {
    parse(text).lines
}

pub(super) fn node_view(node: NodeId, name: &str, text: &[u8]) -> NodeView {
    let (class, method) = split_name(name);
    let text = parse(text);
    let (arguments, statics) = states(text.before, text.after);
    NodeView {
        node,
        routine: name.to_owned(),
        class: class.to_owned(),
        method: method.to_owned(),
        declared_by: None,
        file: None,
        line: text.lines.first().copied(),
        this: None,
        arguments,
        outcome: match text.returns {
            None => OutcomeView::Void,
            Some(value) => OutcomeView::Returned(value_view(&value)),
        },
        statics,
        elsewhere: Vec::new(),
        submitted: None,
        outlived: false,
        began_before_kept: false,
        unreadable: None,
        doc: None,
        guidance: None,
        judgement: Judgement::Undefined,
        judged_by: None,
    }
}

/// The variables of `before` stand for what the call was given; those that only `after` has were made
/// by it.
fn states(before: Value, after: Value) -> (Vec<NamedState>, Vec<NamedState>) {
    let mut after = variables(after);
    let arguments = variables(before).into_iter().map(|(name, before)| {
        let place = after.iter().position(|(other, _)| *other == name);
        let after = place.map(|place| after.remove(place).1);
        state(name, value_view(&before), after)
    });
    let arguments = arguments.collect();
    let made = after.into_iter().map(|(name, value)| {
        let nothing = ValueView::leaf(ValueKind::Null, "nothing");
        state(name, nothing, Some(value))
    });
    (arguments, made.collect())
}

fn state(name: String, mut before: ValueView, after: Option<Value>) -> NamedState {
    let after = after.map(|after| {
        let mut after = value_view(&after);
        mark_changes(&mut before, &mut after);
        after
    });
    NamedState {
        name,
        state: StateView { before, after },
    }
}

/// An object lists variables; anything else is the one thing that there is.
fn variables(value: Value) -> Vec<(String, Value)> {
    match value {
        Value::Null => Vec::new(),
        Value::Object(variables) => variables.into_iter().collect(),
        other => vec![("state".to_owned(), other)],
    }
}

fn value_view(value: &Value) -> ValueView {
    let children: Vec<ChildView> = match value {
        Value::Array(elements) => (0..)
            .map(Label::Index)
            .zip(elements)
            .map(|(label, value)| ChildView::new(label, value_view(value)))
            .collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| ChildView::new(Label::Field(name.clone()), value_view(value)))
            .collect(),
        _ => Vec::new(),
    };
    let kind = match value {
        Value::Null => ValueKind::Null,
        Value::Bool(_) | Value::Number(_) => ValueKind::Primitive,
        Value::String(_) => ValueKind::String,
        Value::Array(_) => ValueKind::Array,
        Value::Object(_) => ValueKind::Object,
    };
    ValueView {
        text: if value.is_array() || value.is_object() {
            String::new()
        } else {
            value.to_string()
        },
        kind,
        id: None,
        // It has none, and nothing is to stand in front of its fields.
        class: (kind == ValueKind::Object).then(String::new),
        children,
        truncated: 0,
        changed: Default::default(),
        meanwhile: None,
        shared: false,
        expected: None,
        is_record: false,
    }
}
