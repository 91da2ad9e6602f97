//! Which class is a subtype of which, as far as it is known.
//!
//! Supertypes come from the class files in the trace; for the JDK's own classes, which the trace
//! does not hold, from a table of java.base. A question that these cannot answer has no answer:
//! a hidden class (a lambda's, for instance) could implement any interface.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use classfile::ClassFile;
use trace_store::Trace;

const OBJECT: &str = "java/lang/Object";

#[derive(Debug, Default)]
pub(crate) struct Types {
    known: Mutex<HashMap<String, Option<Arc<Declared>>>>,
    answers: Mutex<HashMap<(String, String), Option<bool>>>,
}

/// What a class says of itself.
#[derive(Debug, PartialEq, Eq)]
struct Declared {
    is_interface: bool,
    supertypes: Vec<String>,
}

/// One line a class: `c` or `i` for class and interface, its internal name, its supertypes
/// other than `java/lang/Object`.
static JDK: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    include_str!("jdk_types.txt")
        .lines()
        .filter_map(|line| Some((line.get(2..)?.split(' ').next()?, line)))
        .collect()
});

impl Types {
    /// Whether a value of class `sub` can be cast to `sup`, both as internal names. `None`: it
    /// cannot be told.
    pub(crate) fn is_subtype(&self, trace: &Trace, sub: &str, sup: &str) -> Option<bool> {
        if sub == sup || sup == OBJECT {
            return Some(true);
        }
        if let Some(element) = sub.strip_prefix('[') {
            return match sup.strip_prefix('[') {
                Some(wanted) => match (class_of(element), class_of(wanted)) {
                    (Some(element), Some(wanted)) => self.is_subtype(trace, element, wanted),
                    _ => Some(element == wanted),
                },
                None => Some(matches!(
                    sup,
                    "java/lang/Cloneable" | "java/io/Serializable"
                )),
            };
        }
        if sup.starts_with('[') {
            return Some(false);
        }
        let key = (sub.to_owned(), sup.to_owned());
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = answers.get(&key) {
            return *answer;
        }
        let answer = self.search(trace, sub, sup);
        answers.insert(key, answer);
        answer
    }

    fn search(&self, trace: &Trace, sub: &str, sup: &str) -> Option<bool> {
        let mut seen = HashSet::from([sub.to_owned()]);
        let mut open = vec![sub.to_owned()];
        let mut complete = true;
        while let Some(name) = open.pop() {
            match self.declared(trace, &name) {
                Some(declared) => {
                    for supertype in &declared.supertypes {
                        if supertype == sup {
                            return Some(true);
                        }
                        if seen.insert(supertype.clone()) {
                            open.push(supertype.clone());
                        }
                    }
                }
                None => complete = false,
            }
        }
        if complete {
            return Some(false);
        }
        // A lambda extends nothing but Object.
        let wanted = self.declared(trace, sup)?;
        (!wanted.is_interface && is_lambda(sub)).then_some(false)
    }

    fn declared(&self, trace: &Trace, name: &str) -> Option<Arc<Declared>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(declared) = known.get(name) {
            return declared.clone();
        }
        let declared = from_trace(trace, name)
            .or_else(|| from_table(name))
            .map(Arc::new);
        known.insert(name.to_owned(), declared.clone());
        declared
    }
}

/// The class name inside a descriptor, or the array type itself; `None` for primitive types.
fn class_of(descriptor: &str) -> Option<&str> {
    if descriptor.starts_with('[') {
        return Some(descriptor);
    }
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

fn is_lambda(name: &str) -> bool {
    name.contains("$$Lambda")
}

/// Classes of the same name by different loaders may differ; then none of them is believed.
fn from_trace(trace: &Trace, name: &str) -> Option<Declared> {
    let mut found = None;
    for class in trace.symbols().classes_named(name) {
        let bytes = trace.class_file(*class).ok()??;
        let class = ClassFile::parse(&bytes).ok()?;
        let mut supertypes = Vec::new();
        for index in std::iter::once(&class.super_class).chain(&class.interfaces) {
            if *index != 0 {
                supertypes.push(class.constants.class_name(*index).ok()?.into_owned());
            }
        }
        let declared = Declared {
            is_interface: class.access.is_interface(),
            supertypes,
        };
        if found.as_ref().is_some_and(|other| *other != declared) {
            return None;
        }
        found = Some(declared);
    }
    found
}

fn from_table(name: &str) -> Option<Declared> {
    if name == OBJECT {
        return Some(Declared {
            is_interface: false,
            supertypes: Vec::new(),
        });
    }
    let line = JDK.get(name)?;
    Some(Declared {
        is_interface: line.starts_with('i'),
        supertypes: line.split(' ').skip(2).map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_knows_the_usual_types() {
        let list = from_table("java/util/ArrayList").unwrap();
        assert!(!list.is_interface);
        assert!(list.supertypes.contains(&"java/util/List".to_owned()));
        assert!(from_table("java/util/List").unwrap().is_interface);
        assert!(from_table("no/such/Class").is_none());
    }

    #[test]
    fn names_inside_descriptors() {
        assert_eq!(class_of("Ljava/lang/String;"), Some("java/lang/String"));
        assert_eq!(class_of("[I"), Some("[I"));
        assert_eq!(class_of("I"), None);
    }
}
