//! Which class is a subtype of which, as far as the trace tells.
//!
//! Every object's class is described with its supertypes, so a question about an object has an
//! answer. Questions about a mere name (the elements of an array, the class of a `new`) are answered from
//! class files, or from the description of a class object of that name; where there is neither,
//! there is no answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use classfile::ClassFile;
use trace_format::ObjectId;
use trace_store::{ObjectContent, Trace};

use crate::error::ReplayError;
use crate::lock::lock;

const OBJECT: &str = "java/lang/Object";
/// Class objects do not say what class they are of.
const CLASS: &str = "java/lang/Class";
const SUPERTYPES_OF_CLASS: &[&str] = &[
    OBJECT,
    "java/io/Serializable",
    "java/lang/constant/Constable",
    "java/lang/invoke/TypeDescriptor",
    "java/lang/invoke/TypeDescriptor$OfField",
    "java/lang/reflect/AnnotatedElement",
    "java/lang/reflect/GenericDeclaration",
    "java/lang/reflect/Type",
];

#[derive(Debug, Default)]
pub(crate) struct Types {
    classes: Mutex<HashMap<ObjectId, Option<Arc<Class>>>>,
    named: Mutex<HashMap<String, Option<Arc<Supertypes>>>>,
    instances: Mutex<HashMap<ObjectId, HashMap<String, Option<bool>>>>,
}

/// A class object.
#[derive(Debug)]
struct Class {
    /// Internal name.
    name: Arc<str>,
    supertypes: Vec<ObjectId>,
}

type Supertypes = Vec<String>;

impl Types {
    /// The internal name of a class object.
    pub(crate) fn name(
        &self,
        trace: &Trace,
        class: ObjectId,
    ) -> Result<Option<Arc<str>>, ReplayError> {
        let class = self.class(trace, class)?;
        Ok(class.map(|class| Arc::clone(&class.name)))
    }

    /// Whether objects of this class can be cast to the class or array type of that internal
    /// name. `None`: it cannot be told.
    pub(crate) fn is_instance(
        &self,
        trace: &Trace,
        class: ObjectId,
        wanted: &str,
    ) -> Result<Option<bool>, ReplayError> {
        if let Some(answer) = lock(&self.instances)
            .get(&class)
            .and_then(|a| a.get(wanted))
        {
            return Ok(*answer);
        }
        let answer = match self.class(trace, class)? {
            Some(found) if found.name.starts_with('[') => {
                self.is_subtype(trace, &found.name, wanted)?
            }
            _ => self.search(trace, class, wanted)?,
        };
        let mut instances = lock(&self.instances);
        instances
            .entry(class)
            .or_default()
            .insert(wanted.to_owned(), answer);
        Ok(answer)
    }

    fn search(
        &self,
        trace: &Trace,
        class: ObjectId,
        wanted: &str,
    ) -> Result<Option<bool>, ReplayError> {
        let mut seen = vec![class];
        let mut complete = true;
        let mut next = 0;
        while let Some(class) = seen.get(next).copied() {
            next += 1;
            let Some(class) = self.class(trace, class)? else {
                complete = false;
                continue;
            };
            if *class.name == *wanted {
                // Another loader may have made another class of that name.
                let only = trace.symbols().classes_named(wanted).len() <= 1;
                return Ok(only.then_some(true));
            }
            for supertype in &class.supertypes {
                if !seen.contains(supertype) {
                    seen.push(*supertype);
                }
            }
        }
        // Interfaces have no superclass, and are objects all the same.
        Ok((complete || wanted == OBJECT).then_some(wanted == OBJECT))
    }

    fn class(&self, trace: &Trace, class: ObjectId) -> Result<Option<Arc<Class>>, ReplayError> {
        if let Some(known) = lock(&self.classes).get(&class) {
            return Ok(known.clone());
        }
        let found = match trace.object(class)?.map(|description| description.content) {
            Some(ObjectContent::Class {
                name,
                superclass,
                interfaces,
                ..
            }) => Some(Arc::new(Class {
                name: Arc::from(name.replace('.', "/")),
                supertypes: superclass.into_iter().chain(interfaces).collect(),
            })),
            _ => None,
        };
        lock(&self.classes).insert(class, found.clone());
        Ok(found)
    }

    /// Whether `sub` is a subtype of `sup`, both as internal names.
    pub(crate) fn is_subtype(
        &self,
        trace: &Trace,
        sub: &str,
        sup: &str,
    ) -> Result<Option<bool>, ReplayError> {
        if sub == sup || sup == OBJECT {
            return Ok(Some(true));
        }
        if let Some(element) = sub.strip_prefix('[') {
            return match sup.strip_prefix('[') {
                Some(wanted) => match (class_in(element), class_in(wanted)) {
                    (Some(element), Some(wanted)) => self.is_subtype(trace, element, wanted),
                    _ => Ok(Some(element == wanted)),
                },
                None => Ok(Some(matches!(
                    sup,
                    "java/lang/Cloneable" | "java/io/Serializable"
                ))),
            };
        }
        if sub == CLASS {
            return Ok(Some(SUPERTYPES_OF_CLASS.contains(&sup)));
        }
        if sup.starts_with('[') {
            return Ok(Some(false));
        }
        let mut seen = vec![sub.to_owned()];
        let mut complete = true;
        let mut next = 0;
        while let Some(name) = seen.get(next).cloned() {
            next += 1;
            let Some(supertypes) = self.supertypes(trace, &name)? else {
                complete = false;
                continue;
            };
            for supertype in supertypes.iter() {
                if supertype == sup {
                    return Ok(Some(true));
                }
                if !seen.contains(supertype) {
                    seen.push(supertype.clone());
                }
            }
        }
        Ok(complete.then_some(false))
    }

    fn supertypes(
        &self,
        trace: &Trace,
        name: &str,
    ) -> Result<Option<Arc<Supertypes>>, ReplayError> {
        if name == OBJECT {
            return Ok(Some(Arc::default()));
        }
        if let Some(known) = lock(&self.named).get(name) {
            return Ok(known.clone());
        }
        let found = match from_class_file(trace, name) {
            Some(found) => Some(found),
            None => self.named_class_object(trace, name)?,
        };
        let found = found.map(Arc::new);
        lock(&self.named).insert(name.to_owned(), found.clone());
        Ok(found)
    }

    fn named_class_object(
        &self,
        trace: &Trace,
        name: &str,
    ) -> Result<Option<Supertypes>, ReplayError> {
        let objects = trace.class_objects_named(&name.replace('/', "."))?;
        let [object] = objects[..] else {
            return Ok(None);
        };
        let Some(class) = self.class(trace, object)? else {
            return Ok(None);
        };
        let mut names = Vec::new();
        for supertype in &class.supertypes {
            let Some(supertype) = self.class(trace, *supertype)? else {
                return Ok(None);
            };
            names.push(supertype.name.to_string());
        }
        Ok(Some(names))
    }
}

/// The class name inside a descriptor, or the array type itself; `None` for primitive types.
pub(crate) fn class_in(descriptor: &str) -> Option<&str> {
    if descriptor.starts_with('[') {
        return Some(descriptor);
    }
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

/// Classes of the same name by different loaders may differ; then none of them is believed.
fn from_class_file(trace: &Trace, name: &str) -> Option<Supertypes> {
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
        if found.as_ref().is_some_and(|other| *other != supertypes) {
            return None;
        }
        found = Some(supertypes);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_inside_descriptors() {
        assert_eq!(class_in("Ljava/lang/String;"), Some("java/lang/String"));
        assert_eq!(class_in("[I"), Some("[I"));
        assert_eq!(class_in("I"), None);
    }
}
