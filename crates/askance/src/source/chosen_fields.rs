//! Objects of which a project wants to see only some fields (`[[show]]` of `askance.toml`).
//!
//! What a call changed is shown whatever the project wants: a question that hides a change cannot be
//! answered. What is left out is counted like everything that is cut.

use debug_engine::view::{
    Changed, ChildView, Label, NodeView, Outcome, StateView, ValueKind, ValueView,
};

use super::glob::Glob;
use super::names;

/// The fields to show, by class.
#[derive(Clone, Debug, Default)]
pub struct ChosenFields {
    chosen: Vec<(Glob, Vec<String>)>,
}

impl ChosenFields {
    /// Nested classes may be written with a dot or as the JVM has them. Patterns that are none are left out;
    /// settings are checked when they are read.
    #[must_use]
    pub fn new<'a>(chosen: impl IntoIterator<Item = (&'a str, &'a [String])>) -> ChosenFields {
        let chosen = chosen.into_iter();
        ChosenFields {
            chosen: chosen
                .filter_map(|(class, fields)| {
                    let glob = Glob::new(&names::nested(class)).ok()?;
                    Some((glob, fields.to_vec()))
                })
                .collect(),
        }
    }

    /// Takes the fields that nobody wants to see out of a call's view.
    pub(super) fn apply(&self, view: &mut NodeView) {
        if self.chosen.is_empty() {
            return;
        }
        let named = view.arguments.iter_mut().chain(&mut view.statics);
        let states = named.map(|named| &mut named.state).chain(&mut view.this);
        states.for_each(|state| self.cut_state(state));
        if let Outcome::Returned(value) = &mut view.outcome {
            self.cut(value);
        }
    }

    /// The same for a variable.
    pub(super) fn cut_state(&self, state: &mut StateView) {
        self.cut(&mut state.before);
        if let Some(after) = &mut state.after {
            self.cut(after);
        }
    }

    /// The same for one value.
    fn cut(&self, value: &mut ValueView) {
        let class = value
            .class
            .as_deref()
            .filter(|_| value.kind == ValueKind::Object);
        let chosen = class.and_then(|class| {
            let mut matching = self.chosen.iter().filter(|(glob, _)| glob.matches(class));
            matching.next()
        });
        if let Some((_, fields)) = chosen {
            let is_wanted = |child: &ChildView| match &child.label {
                Label::Field(name) => fields.contains(name),
                _ => true,
            };
            let before = value.children.len();
            value
                .children
                .retain(|child| is_wanted(child) || child.value.changed != Changed::None);
            value.truncated += (before - value.children.len()) as u64;
        }
        for child in &mut value.children {
            self.cut(&mut child.value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_wanted_and_what_changed_is_left() {
        let fields = ["name".to_owned()];
        let chosen = ChosenFields::new([("shop.*", &fields[..])]);
        let inner = ValueView::object("shop.Item", 7)
            .with_field("name", ValueView::string("\"pen\""))
            .with_field("cache", ValueView::null());
        let mut changed = ValueView::primitive("3");
        changed.changed = Changed::Changed;
        let mut value = ValueView::object("other.Cart", 6)
            .with_field("item", inner.with_field("count", changed))
            .with_field("size", ValueView::primitive("1"));
        chosen.cut(&mut value);
        assert_eq!((value.children.len(), value.truncated), (2, 0));
        let item = &value.children[0].value;
        let names: Vec<&Label> = item.children.iter().map(|child| &child.label).collect();
        assert_eq!(
            names,
            [&Label::Field("name".into()), &Label::Field("count".into())]
        );
        assert_eq!(item.truncated, 1);
    }
}
