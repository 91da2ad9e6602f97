//! Which method of the other version a method is.
//!
//! Usually the one of the same name, up to what compilers number. A method that the other version
//! does not have may have been renamed or moved: it stands for the only one that the other version has
//! and ours does not, with the same parameters and result, in the same class or under the same name.
//! If there are several, none.

use std::collections::{HashMap, HashSet};

use classfile::pairing::Pairing;
use trace_format::MethodId;

use java_model::run::{JavaRun, MethodNames};

/// See the module's header.
#[derive(Default)]
pub(in crate::oracle) struct Partners {
    by_name: HashMap<MethodId, Vec<MethodId>>,
    /// Renamed or moved.
    renamed: HashMap<MethodId, Vec<MethodId>>,
    /// The reference's methods that stand for one of ours.
    taken: HashSet<MethodId>,
}

impl Partners {
    pub(super) fn of(ours: &JavaRun, theirs: &JavaRun, pairing: &Pairing<'_>) -> Partners {
        let mut others: HashMap<MethodNames<'_>, Vec<MethodId>> = HashMap::new();
        for method in theirs.methods() {
            let names = theirs.method_names(method);
            others.entry(names).or_default().push(method);
        }
        let mut partners = Partners::default();
        for method in ours.methods() {
            let names = ours.method_names(method);
            let found = pairing.their_method(names.class, names.name, names.descriptor);
            let their_names = found.and_then(|(class, index)| {
                let method = class.methods.get(index)?;
                Some((
                    class.name().ok()?,
                    class.method_name(method).ok()?,
                    class.method_descriptor(method).ok()?,
                ))
            });
            let found = match &their_names {
                Some((class, name, descriptor)) => others.get(&MethodNames {
                    class,
                    name,
                    descriptor,
                }),
                // A class file that cannot be read is known by its name all the same.
                None if pairing.ours().class(names.class).is_none() => others.get(&names),
                None => None,
            };
            if let Some(found) = found {
                partners.taken.extend(found);
                partners.by_name.insert(method, found.clone());
            }
        }
        partners.find_renamed(ours, theirs);
        partners
    }

    fn find_renamed(&mut self, ours: &JavaRun, theirs: &JavaRun) {
        let mine = ours
            .methods()
            .filter(|method| !self.by_name.contains_key(method));
        let others = theirs
            .methods()
            .filter(|method| !self.taken.contains(method));
        let mine: Vec<(MethodId, MethodNames<'_>)> = mine
            .map(|method| (method, ours.method_names(method)))
            .collect();
        let others: Vec<(MethodId, MethodNames<'_>)> = others
            .map(|method| (method, theirs.method_names(method)))
            .collect();
        let in_class = |names: &MethodNames<'_>| format!("{} {}", names.class, names.descriptor);
        let by_name = |names: &MethodNames<'_>| format!("{} {}", names.name, names.descriptor);
        let renamed = only_pairs(&mine, &others, &in_class);
        let moved = only_pairs(&mine, &others, &by_name);
        for (method, other) in moved.into_iter().chain(renamed) {
            self.renamed.insert(method, vec![other]);
        }
        self.taken.extend(self.renamed.values().flatten());
    }

    /// The reference's methods that one of ours stands for.
    pub(super) fn of_method(&self, method: MethodId) -> &[MethodId] {
        let found = self.by_name.get(&method);
        let found = found.or_else(|| self.renamed.get(&method));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    /// Our names of methods that were renamed or moved, by the reference's, both as code spells them.
    pub(super) fn renamed(
        &self,
        ours: &JavaRun,
        theirs: &JavaRun,
        pairing: &Pairing<'_>,
    ) -> HashMap<String, String> {
        let pairs = self.renamed.iter();
        let pairs = pairs.flat_map(|(mine, others)| others.iter().map(move |other| (mine, other)));
        pairs
            .map(|(mine, other)| {
                let (mine, other) = (ours.method_names(*mine), theirs.method_names(*other));
                let names = pairing.names();
                let their_class = names.class(other.class);
                let their_descriptor = names.descriptor(other.descriptor);
                (
                    format!("{their_class}.{} {their_descriptor}", other.name),
                    format!("{}.{} {}", mine.class, mine.name, mine.descriptor),
                )
            })
            .collect()
    }

    /// Whether they are called the same.
    pub(super) fn same_names(&self, method: MethodId) -> bool {
        self.by_name.contains_key(&method)
    }

    /// Whether a method of the reference's stands for one of ours.
    pub(super) fn is_taken(&self, theirs: MethodId) -> bool {
        self.taken.contains(&theirs)
    }
}

/// Methods of which each version has just one with the same key.
fn only_pairs(
    mine: &[(MethodId, MethodNames<'_>)],
    others: &[(MethodId, MethodNames<'_>)],
    key: &dyn Fn(&MethodNames<'_>) -> String,
) -> HashMap<MethodId, MethodId> {
    let grouped = |methods: &[(MethodId, MethodNames<'_>)]| {
        let mut groups: HashMap<String, Vec<MethodId>> = HashMap::new();
        for (method, names) in methods.iter().filter(|(_, names)| !is_special(names)) {
            groups.entry(key(names)).or_default().push(*method);
        }
        groups
    };
    let others = grouped(others);
    let pairs = grouped(mine).into_iter().filter_map(|(key, mine)| {
        match (mine.as_slice(), others.get(&key)?.as_slice()) {
            ([one], [other]) => Some((*one, *other)),
            _ => None,
        }
    });
    pairs.collect()
}

/// Made by the compiler or named by the JVM: such names say nothing.
fn is_special(names: &MethodNames<'_>) -> bool {
    names.name.starts_with('<') || names.name.contains('$')
}
