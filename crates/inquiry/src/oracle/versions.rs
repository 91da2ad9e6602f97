//! Which methods have other code in the other version.
//!
//! A call whose own code is the same in both versions, and whose callees all did what the reference's
//! would have done, did what the reference would have done: the bug is not in it. So only calls of
//! methods whose code differs can be to blame, as long as the same code also calls the same methods.
//! That is not so where ours lacks a method that the reference would have called instead of an
//! inherited one, or where classes have other ancestors.

use std::collections::{BTreeSet, HashMap, HashSet};

use classfile::{AccessFlags, ClassFile};
use debug_engine::RoutineId;
use trace_format::MethodId;

use super::counterpart::counterparts;
use java_model::run::{JavaRun, MethodNames, routine};
use java_model::spelling;

/// See the module's header.
pub(super) struct Versions {
    /// Methods of our run whose own code is the same in the reference.
    same: HashSet<MethodId>,
    /// Whether the same code calls the same methods.
    same_calls: bool,
}

impl Versions {
    pub(super) fn of(ours: &JavaRun, theirs: &JavaRun) -> Versions {
        let mut others: HashMap<MethodNames<'_>, Vec<MethodId>> = HashMap::new();
        for method in theirs.methods() {
            let names = theirs.method_names(method);
            others.entry(names).or_default().push(method);
        }
        let is_same = |method: &MethodId| {
            let fingerprint = ours.code(*method).fingerprint;
            let others = others.get(&ours.method_names(*method));
            others.is_some_and(|others| {
                let mut others = others.iter();
                others.all(|&other| {
                    theirs.code(other).fingerprint == fingerprint
                        || is_same_but_masked(ours, *method, theirs, other)
                })
            })
        };
        Versions {
            same: ours.methods().filter(is_same).collect(),
            same_calls: !is_filtered(ours)
                && same_ancestors(ours, theirs)
                && lacks_nothing(ours, theirs),
        }
    }

    /// Whether a method's own code is the same, and calls the same methods.
    pub(super) fn is_same(&self, method: MethodId) -> bool {
        self.same_calls && self.same.contains(&method)
    }

    /// The methods that cannot be to blame; none if no code that ran is different, for then the
    /// versions differ in something else.
    pub(super) fn blameless(&self, run: &JavaRun) -> BTreeSet<RoutineId> {
        if !self.same_calls {
            return BTreeSet::new();
        }
        let (same, changed): (Vec<MethodId>, Vec<MethodId>) =
            run.methods().partition(|method| self.same.contains(method));
        let was_called = |method: &MethodId| {
            let mut calls = run.trace().calls_of_method(*method).into_iter().flatten();
            calls.next().is_some()
        };
        if changed.iter().any(was_called) {
            same.into_iter().map(routine).collect()
        } else {
            BTreeSet::new()
        }
    }
}

/// Whether two methods differ only in texts that are secrets, and masked in the one trace and not in the other.
fn is_same_but_masked(ours: &JavaRun, method: MethodId, theirs: &JavaRun, other: MethodId) -> bool {
    let spelled = |run: &JavaRun, method: MethodId| {
        let symbol = &run.trace().symbols().method(method)?.symbol;
        let bytes = run.trace().class_file(symbol.class).ok()??;
        spelling::spelled(&ClassFile::parse(&bytes).ok()?, symbol.index.into())
    };
    match (spelled(ours, method), spelled(theirs, other)) {
        (Some(mine), Some(other)) => spelling::differ_in_masked_texts(&mine, &other),
        _ => false,
    }
}

/// Whether code was left out of the recording: it may differ without a trace.
fn is_filtered(run: &JavaRun) -> bool {
    let options = run.run_file().map(|file| &file.options);
    options.is_some_and(|options| !options.include.is_empty() || !options.exclude.is_empty())
}

/// Whether the classes that both runs loaded have the same superclass and interfaces.
fn same_ancestors(ours: &JavaRun, theirs: &JavaRun) -> bool {
    ours.classes().all().all(|(name, class)| {
        theirs.classes().get(name).is_none_or(|other| {
            class.super_name == other.super_name && class.interfaces == other.interfaces
        })
    })
}

/// Whether the reference has no method, in a class that both runs loaded, that could be called by code
/// which is the same in both.
fn lacks_nothing(ours: &JavaRun, theirs: &JavaRun) -> bool {
    let mine: HashSet<MethodNames<'_>> = ours.methods().map(|one| ours.method_names(one)).collect();
    let mut only_theirs = theirs.methods().filter(|&method| {
        let names = theirs.method_names(method);
        !mine.contains(&names) && ours.classes().get(names.class).is_some()
    });
    let renamed: HashSet<MethodId> = ours
        .methods()
        .flat_map(|method| counterparts(ours, method, theirs))
        .collect();
    only_theirs.all(|method| {
        let symbol = theirs.trace().symbols().method(method);
        symbol.is_some_and(|symbol| {
            let access = AccessFlags(symbol.access);
            let is_named = symbol.name != "<clinit>";
            let is_called_by_name = access.is_static() || access.contains(AccessFlags::PRIVATE);
            renamed.contains(&method) || symbol.name == "<init>" || (is_called_by_name && is_named)
        })
    })
}
