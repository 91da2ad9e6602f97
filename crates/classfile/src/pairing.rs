//! Which class and which method of one version of a program is which of another.
//!
//! What has a name is found by its name. What a compiler numbered (anonymous and local classes,
//! lambdas, accessors) is found by what it is: two things are the same if their code is, in which
//! other numbered things again count by what they are. Each gets a label from its content, the labels
//! of the things it names are put into it, and so on a few times (colour refinement). What is left,
//! because it was changed, goes in order: the first lambda of `total` that has no partner stands for
//! the other version's first.
//!
//! What has no partner keeps its name unless that stands for something else; then it gets one that
//! neither version has.

mod labels;
mod numbered;

use std::collections::{HashMap, HashSet};

use crate::normal_form::{NormalCode, Version};
use crate::{AccessFlags, ClassFile, Renaming};
use labels::Labels;
use numbered::{Numbered, class_stem, is_numbered_method, method_stem, number};

/// Two versions of a program, ours and another one, read in our names.
#[derive(Debug)]
pub struct Pairing<'c> {
    ours: Version<'c>,
    theirs: Version<'c>,
    /// Our names for what the other version has.
    names: Renaming,
    none: Renaming,
    /// The other version's classes by our names.
    classes: HashMap<String, &'c ClassFile>,
    /// The other version's methods by our names of class, method and descriptor.
    methods: HashMap<(String, String, String), (&'c ClassFile, usize)>,
}

/// In what two versions of a method differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// In what it does.
    Code,
    /// Only one of them is `synchronized`.
    Synchronized,
}

impl<'c> Pairing<'c> {
    #[must_use]
    pub fn new(
        ours: impl IntoIterator<Item = &'c ClassFile>,
        theirs: impl IntoIterator<Item = &'c ClassFile>,
    ) -> Pairing<'c> {
        let (ours, theirs) = (Version::new(ours), Version::new(theirs));
        let names = renaming(&ours, &theirs);
        Pairing::of(ours, theirs, names)
    }

    /// The same of versions that were paired before.
    #[must_use]
    pub fn named(
        ours: impl IntoIterator<Item = &'c ClassFile>,
        theirs: impl IntoIterator<Item = &'c ClassFile>,
        names: &Renaming,
    ) -> Pairing<'c> {
        Pairing::of(Version::new(ours), Version::new(theirs), names.clone())
    }

    fn of(ours: Version<'c>, theirs: Version<'c>, names: Renaming) -> Pairing<'c> {
        let mut pairing = Pairing {
            classes: HashMap::new(),
            methods: HashMap::new(),
            none: Renaming::default(),
            ours,
            theirs,
            names,
        };
        for (name, class) in pairing.theirs.classes() {
            let ours = pairing.names.class(name);
            for (index, method) in class.methods.iter().enumerate() {
                let (Ok(called), Ok(descriptor)) =
                    (class.method_name(method), class.method_descriptor(method))
                else {
                    continue;
                };
                let key = (
                    ours.to_string(),
                    pairing.names.method(name, &called, &descriptor).into(),
                    pairing.names.descriptor(&descriptor).into(),
                );
                pairing.methods.insert(key, (class, index));
            }
            pairing.classes.insert(ours.into_owned(), class);
        }
        pairing
    }

    /// Our names for what the other version has.
    #[must_use]
    pub fn names(&self) -> &Renaming {
        &self.names
    }

    #[must_use]
    pub fn ours(&self) -> &Version<'c> {
        &self.ours
    }

    #[must_use]
    pub fn theirs(&self) -> &Version<'c> {
        &self.theirs
    }

    /// The other version's class that one of ours stands for.
    #[must_use]
    pub fn their_class(&self, class: &str) -> Option<&'c ClassFile> {
        self.classes.get(class).copied()
    }

    /// The other version's method that one of ours stands for.
    #[must_use]
    pub fn their_method(
        &self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Option<(&'c ClassFile, usize)> {
        let key = (class.to_owned(), name.to_owned(), descriptor.to_owned());
        self.methods.get(&key).copied()
    }

    /// The code of a method of ours.
    #[must_use]
    pub fn our_code(&self, class: &ClassFile, method: usize) -> Option<NormalCode> {
        NormalCode::of(class, method, &self.ours, &self.none)
    }

    /// The code of a method of the other version, in our names.
    #[must_use]
    pub fn their_code(&self, class: &ClassFile, method: usize) -> Option<NormalCode> {
        NormalCode::of(class, method, &self.theirs, &self.names)
    }

    /// In what a method of ours differs from one of the other version; `None` if in nothing.
    #[must_use]
    pub fn difference(
        &self,
        (class, method): (&ClassFile, usize),
        (other_class, other): (&ClassFile, usize),
    ) -> Option<Difference> {
        if self.our_code(class, method) != self.their_code(other_class, other) {
            return Some(Difference::Code);
        }
        let is_locked = |class: &ClassFile, method: usize| {
            let method = class.methods.get(method);
            method.is_some_and(|method| method.access.contains(AccessFlags::SYNCHRONIZED))
        };
        (is_locked(class, method) != is_locked(other_class, other))
            .then_some(Difference::Synchronized)
    }
}

/// Our names for the numbered things of the other version.
fn renaming(ours: &Version<'_>, theirs: &Version<'_>) -> Renaming {
    let (mine, others) = (Labels::of(ours), Labels::of(theirs));
    let mut names = Renaming::default();
    pair_classes(ours, theirs, &mine, &others, &mut names);
    pair_methods(ours, theirs, &mine, &others, &mut names);
    names
}

fn pair_classes(
    ours: &Version<'_>,
    theirs: &Version<'_>,
    mine: &Labels,
    others: &Labels,
    names: &mut Renaming,
) {
    let numbered = |version: &Version<'_>, labels: &Labels| {
        let mut groups: HashMap<String, Vec<Numbered>> = HashMap::new();
        for (name, class) in version.classes() {
            if let Some(stem) = class_stem(name) {
                groups.entry(stem).or_default().push(Numbered {
                    name: name.to_owned(),
                    label: labels.class(name),
                    kind: numbered::kind_of_class(class),
                });
            }
        }
        groups
    };
    let mut mine = numbered(ours, mine);
    let mut taken: HashSet<String> = ours.classes().map(|(name, _)| name.to_owned()).collect();
    taken.extend(theirs.classes().map(|(name, _)| name.to_owned()));
    for (stem, others) in numbered(theirs, others) {
        let mine = mine.remove(&stem).unwrap_or_default();
        numbered::pair(mine, others, &mut taken, |name, new| {
            names.rename_class(name, new);
        });
    }
}

fn pair_methods(
    ours: &Version<'_>,
    theirs: &Version<'_>,
    mine: &Labels,
    others: &Labels,
    names: &mut Renaming,
) {
    let mut renamed = Vec::new();
    let by_our_name: HashMap<String, &ClassFile> = theirs
        .classes()
        .map(|(name, class)| (names.class(name).into_owned(), class))
        .collect();
    for (name, class) in ours.classes() {
        let Some(other) = by_our_name.get(name) else {
            continue;
        };
        let their_name = other.name().unwrap_or_default();
        let mut mine = numbered_methods(class, mine, &Renaming::default());
        let mut taken: HashSet<String> = method_names(class).chain(method_names(other)).collect();
        for (stem, others) in numbered_methods(other, others, names) {
            let mine = mine.remove(&stem).unwrap_or_default();
            numbered::pair(mine, others, &mut taken, |old, new| {
                renamed.push((their_name.to_string(), old.to_owned(), new.to_owned()));
            });
        }
    }
    for (class, old, new) in renamed {
        let found = theirs.class(&class);
        let methods = found.iter().flat_map(|class| &class.methods);
        for method in methods {
            let Some(found) = found else { continue };
            let called = found.method_name(method);
            if called.is_ok_and(|called| called == old)
                && let Ok(descriptor) = found.method_descriptor(method)
            {
                names.rename_method(&class, &old, &descriptor, &new);
            }
        }
    }
}

fn numbered_methods(
    class: &ClassFile,
    labels: &Labels,
    names: &Renaming,
) -> HashMap<String, Vec<Numbered>> {
    let mut groups: HashMap<String, Vec<Numbered>> = HashMap::new();
    let owner = class.name().unwrap_or_default();
    for method in &class.methods {
        let (Ok(called), Ok(descriptor)) =
            (class.method_name(method), class.method_descriptor(method))
        else {
            continue;
        };
        if is_numbered_method(method, &called) {
            groups
                .entry(method_stem(&called))
                .or_default()
                .push(Numbered {
                    name: called.to_string(),
                    label: labels.method(&owner, &called, &descriptor),
                    kind: names.descriptor(&descriptor).into_owned(),
                });
        }
    }
    groups
}

fn method_names(class: &ClassFile) -> impl Iterator<Item = String> {
    let methods = class.methods.iter();
    methods.filter_map(|method| class.method_name(method).ok().map(|name| name.into_owned()))
}

/// A name of the same kind that is not taken yet.
fn fresh(name: &str, taken: &mut HashSet<String>) -> String {
    let (stem, old) = number(name);
    let mut next = old + 1;
    loop {
        let candidate = stem.replace('#', &next.to_string());
        if taken.insert(candidate.clone()) {
            return candidate;
        }
        next += 1;
    }
}
