//! Names of one version of a program, in the words of another.
//!
//! Compilers number what has no name: anonymous classes (`Cart$2`), lambdas (`lambda$total$3`),
//! accessors (`access$146`). The same thing has another number in the next version, so code can only
//! be compared, and carried over, in the names of one of the two.

use std::borrow::Cow;
use std::collections::HashMap;

/// What each thing of the one version is called in the other. What is not listed keeps its name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renaming {
    /// Internal names of classes.
    classes: HashMap<String, String>,
    /// Methods by class, name and descriptor, all as the one version has them.
    methods: HashMap<(String, String, String), String>,
    /// Fields in the same way, by the class that code names.
    fields: HashMap<(String, String, String), String>,
}

impl Renaming {
    /// Notes what a class is called in the other version.
    pub fn rename_class(&mut self, name: &str, new: &str) {
        if name != new {
            self.classes.insert(name.to_owned(), new.to_owned());
        }
    }

    /// Notes what a method is called in the other version.
    pub fn rename_method(&mut self, class: &str, name: &str, descriptor: &str, new: &str) {
        if name != new {
            let key = (class.to_owned(), name.to_owned(), descriptor.to_owned());
            self.methods.insert(key, new.to_owned());
        }
    }

    /// Notes what a field is called in the other version.
    pub fn rename_field(&mut self, class: &str, name: &str, descriptor: &str, new: &str) {
        let key = (class.to_owned(), name.to_owned(), descriptor.to_owned());
        self.fields.insert(key, new.to_owned());
    }

    /// A class's name, or an array's descriptor, as a class constant holds it.
    pub fn class<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match self.classes.get(name) {
            Some(new) => Cow::Owned(new.clone()),
            None if name.starts_with('[') => self.descriptor(name),
            None => Cow::Borrowed(name),
        }
    }

    /// A method's name.
    pub fn method<'n>(&self, class: &str, name: &'n str, descriptor: &str) -> Cow<'n, str> {
        member(&self.methods, class, name, descriptor)
    }

    /// A field's name.
    pub fn field<'n>(&self, class: &str, name: &'n str, descriptor: &str) -> Cow<'n, str> {
        member(&self.fields, class, name, descriptor)
    }

    /// A descriptor, or a generic signature.
    pub fn descriptor<'n>(&self, text: &'n str) -> Cow<'n, str> {
        if self.classes.is_empty() || !text.contains('L') {
            return Cow::Borrowed(text);
        }
        let mut new = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('L') {
            let (before, from) = rest.split_at(at + 1);
            new.push_str(before);
            let end = from.find([';', '<']).unwrap_or(from.len());
            let (name, behind) = from.split_at(end);
            new.push_str(self.classes.get(name).map_or(name, String::as_str));
            rest = behind;
        }
        new.push_str(rest);
        match new == text {
            true => Cow::Borrowed(text),
            false => Cow::Owned(new),
        }
    }
}

fn member<'n>(
    all: &HashMap<(String, String, String), String>,
    class: &str,
    name: &'n str,
    descriptor: &str,
) -> Cow<'n, str> {
    if all.is_empty() {
        return Cow::Borrowed(name);
    }
    let key = (class.to_owned(), name.to_owned(), descriptor.to_owned());
    match all.get(&key) {
        Some(new) => Cow::Owned(new.clone()),
        None => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_renamed_inside_descriptors_and_signatures() {
        let mut renaming = Renaming::default();
        renaming.rename_class("a/Cart$2", "a/Cart$1");
        let check = |text: &str, expected: &str| assert_eq!(renaming.descriptor(text), expected);
        check("(La/Cart$2;I[La/Cart$2;)V", "(La/Cart$1;I[La/Cart$1;)V");
        check(
            "Ljava/util/List<La/Cart$2;>;",
            "Ljava/util/List<La/Cart$1;>;",
        );
        check("(La/Cart$20;)La/L;", "(La/Cart$20;)La/L;");
        assert_eq!(renaming.class("[La/Cart$2;"), "[La/Cart$1;");
        assert_eq!(renaming.class("a/Cart$2"), "a/Cart$1");
    }

    #[test]
    fn a_method_is_renamed_in_its_own_class_only() {
        let mut renaming = Renaming::default();
        renaming.rename_method("A", "lambda$f$1", "()V", "lambda$f$0");
        assert_eq!(renaming.method("A", "lambda$f$1", "()V"), "lambda$f$0");
        assert_eq!(renaming.method("B", "lambda$f$1", "()V"), "lambda$f$1");
        assert_eq!(renaming.method("A", "lambda$f$1", "(I)V"), "lambda$f$1");
    }
}
