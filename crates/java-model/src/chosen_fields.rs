//! Objects of which a project wants to see only some fields, or what they say of themselves (`[[show]]` of
//! `askance.toml`).
//!
//! What a call changed is shown whatever the project wants: a question that hides a change cannot be
//! answered. What is left out is counted like everything that is cut.

use debug_engine::view::{
    Changed, ChildView, Label, NodeView, OutcomeView, StateView, ValueKind, ValueView,
};

use crate::show::Show;
use java_names::glob::Glob;
use java_names::names;

/// What to show, by class.
#[derive(Clone, Debug, Default)]
pub struct ChosenFields {
    chosen: Vec<(Glob, Show)>,
}

impl ChosenFields {
    /// Nested classes may be written with a dot or as the JVM has them. Patterns that are none are left out;
    /// settings are checked when they are read.
    #[must_use]
    pub fn new(chosen: &[Show]) -> ChosenFields {
        let chosen = chosen.iter().filter_map(|show| {
            let glob = Glob::new(&names::nested(&show.class)).ok()?;
            Some((glob, show.clone()))
        });
        ChosenFields {
            chosen: chosen.collect(),
        }
    }

    /// What is wanted of a class, by its name as views have it.
    fn of(&self, class: &str) -> Option<&Show> {
        let mut chosen = self.chosen.iter();
        let found = chosen.find(|(glob, _)| glob.matches(class));
        found.map(|(_, show)| show)
    }

    /// Whether objects of a class are to be shown by what they say of themselves.
    pub(super) fn wants_text(&self, class: &str) -> bool {
        !self.chosen.is_empty()
            && self
                .of(&names::nested(class))
                .is_some_and(|show| show.to_string)
    }

    /// Takes the fields that nobody wants to see out of a call's view.
    pub(super) fn apply(&self, view: &mut NodeView) {
        if self.chosen.is_empty() {
            return;
        }
        let named = view.arguments.iter_mut().chain(&mut view.statics);
        let named = named.chain(&mut view.elsewhere);
        let states = named.map(|named| &mut named.state).chain(&mut view.this);
        states.for_each(|state| self.cut_state(state));
        if let OutcomeView::Returned(value) = &mut view.outcome {
            self.cut(value);
        }
    }

    /// The same for a variable.
    pub fn cut_state(&self, state: &mut StateView) {
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
        if let Some(show) = class.and_then(|class| self.of(class))
            && (!value.text.is_empty() || !show.fields.is_empty())
        {
            let is_wanted = |child: &ChildView| match &child.label {
                Label::Field(name) => show.fields.contains(name),
                _ => true,
            };
            let before = value.children.len();
            value
                .children
                .retain(|child| is_wanted(child) || child.value.changed != Changed::None);
            if value.text.is_empty() {
                value.truncated += (before - value.children.len()) as u64;
            } else {
                // What it says of itself stands for the rest.
                value.truncated = 0;
            }
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
        let chosen = ChosenFields::new(&[Show {
            class: "shop.*".to_owned(),
            fields: vec!["name".to_owned()],
            to_string: false,
        }]);
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

    #[test]
    fn what_an_object_says_of_itself_stands_for_what_did_not_change() {
        let chosen = ChosenFields::new(&[Show {
            class: "shop.Item".to_owned(),
            fields: Vec::new(),
            to_string: true,
        }]);
        assert!(chosen.wants_text("shop.Item") && !chosen.wants_text("shop.Cart"));
        let item = |text: &str| {
            let mut count = ValueView::primitive("3");
            count.changed = Changed::Changed;
            let mut item = ValueView::object("shop.Item", 7)
                .with_field("name", ValueView::string("\"pen\""))
                .with_field("count", count);
            item.text = text.to_owned();
            chosen.cut(&mut item);
            item
        };
        assert_eq!(item("3 pens").children.len(), 1);
        assert_eq!(item("3 pens").truncated, 0);
        assert_eq!(item("").children.len(), 2, "it said nothing");
    }
}
