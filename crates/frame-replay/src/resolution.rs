//! Calls that no instruction names: the JVM makes them where code first needs a class.
//!
//! Naming a class for the first time makes the JVM ask the loader of the code at hand; what of that loader is recorded
//! code, or of one that it asks in turn, is a child there, and so is whatever an agent does with the class. Using a
//! class for the first time also verifies it, for which more classes are asked for, and initialises it. A child that
//! is due may as well belong to the next call that the code makes. So it is taken for one of these only if it is a
//! method by which classes are loaded, and if it is asked for the class in question.

use trace_format::Value;
use trace_format::symbol::{ACC_PRIVATE, ACC_STATIC};
use trace_store::ObjectContent;

use crate::machine::Machine;

const LOADER: &str = "java/lang/ClassLoader";
const TRANSFORMER: &str = "java/lang/instrument/ClassFileTransformer";

/// What the JVM, or the JDK's part of a loader, calls of a loader's own methods. The first argument of the first
/// three is the class's name.
const LOADING: &[&str] = &[
    "loadClass",
    "findClass",
    "getClassLoadingLock",
    "definePackage",
    "getPermissions",
];
const ASKED_BY_NAME: usize = 3;

/// What is known of a child by its method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Has a loader look for the class that its first argument names.
    Asks,
    /// Has a part in loading whatever class is being loaded.
    Serves,
}

impl Machine<'_> {
    /// Takes the children that initialise a class, or a supertype of it, or load classes. Returns whether one of them
    /// is still open.
    #[inline]
    pub(crate) fn initializers(&mut self, class: &str) -> bool {
        while let Some(child) = self.input.due_child() {
            if !self.initializes(child, class) && self.part_in_loading(child).is_none() {
                break;
            }
            if self.take(child) {
                return true;
            }
        }
        false
    }

    /// Takes the children that load the class of this name, here for the first time.
    #[inline]
    pub(crate) fn loaders_of(&mut self, class: &str) {
        if self.input.due_child().is_some() {
            self.load_class(Some(class));
        }
    }

    /// Takes the children that load classes, whichever they are.
    #[inline]
    pub(crate) fn loaders(&mut self) {
        if self.input.due_child().is_some() {
            self.load_class(None);
        }
    }

    #[cold]
    fn load_class(&mut self, mut class: Option<&str>) {
        while let Some(child) = self.input.due_child() {
            let is_it = match (self.part_in_loading(child), class) {
                (Some(Part::Asks), Some(class)) => self.asks_for(child, class),
                (part, _) => part.is_some(),
            };
            if !is_it || self.take(child) {
                break;
            }
            // Its superclasses may follow.
            class = None;
        }
    }

    fn initializes(&self, child: u32, class: &str) -> bool {
        let symbols = self.trace.symbols();
        let method = self.input.calls().method(child);
        let is_initializer = symbols.method(method).is_some_and(|m| m.name == "<clinit>");
        is_initializer
            && symbols
                .class_name_of(method)
                .is_some_and(|owner| self.may_be_subtype(class, owner))
    }

    fn part_in_loading(&self, child: u32) -> Option<Part> {
        let symbols = self.trace.symbols();
        let number = self.input.calls().method(child);
        let method = symbols.method(number)?;
        if method.access & (ACC_STATIC | ACC_PRIVATE) != 0 {
            return None;
        }
        let owner = symbols.class_name_of(number)?;
        if method.name == "transform" {
            return self
                .may_be_subtype(owner, TRANSFORMER)
                .then_some(Part::Serves);
        }
        let place = LOADING.iter().position(|name| *name == method.name)?;
        let is_by_name =
            place < ASKED_BY_NAME && method.descriptor.starts_with("(Ljava/lang/String;");
        let part = if is_by_name { Part::Asks } else { Part::Serves };
        self.may_be_subtype(owner, LOADER).then_some(part)
    }

    fn may_be_subtype(&self, class: &str, of: &str) -> bool {
        let is_subtype = self.program.types.is_subtype(self.trace, class, of);
        !matches!(is_subtype, Ok(Some(false)))
    }

    /// Whether the class's name is what a loader's method was given.
    fn asks_for(&mut self, child: u32, class: &str) -> bool {
        let Some(Value::Ref(name)) = self.input.arguments(child).nth(1) else {
            return false;
        };
        let class = class.trim_start_matches('[');
        let class = match class.strip_prefix('L') {
            Some(element) if class.ends_with(';') => element.trim_end_matches(';'),
            _ => class,
        };
        match self.trace.object(name) {
            Ok(Some(description)) => match description.content {
                // A long string is stored in part.
                ObjectContent::String { text, .. } => class.replace('/', ".").starts_with(&text),
                _ => false,
            },
            // It is not described: nothing speaks against it.
            _ => true,
        }
    }
}
