//! Which variables a call can depend on.
//!
//! A call's inputs are its arguments, what they reach, and statics. Which statics, and which fields
//! of what its arguments reach, is read off the code: those that the method names, and those that the
//! methods below it name, where "below" is the call graph of this run. The same walk tells whether
//! anything below writes to the outside or reads a clock.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use trace_format::MethodId;

use super::classes::is_library;
use super::heap::FieldValue;
use super::method_code::FieldName;
use super::run::JavaRun;
use java_names::names;

/// What a method and everything below it may touch besides its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodReach {
    /// Statics of the program's own classes, by the class that declares them.
    pub statics: BTreeSet<FieldName>,
    /// The names of fields of objects, by the class that declares them, as [`FieldValue`] names it.
    pub fields: HashMap<String, HashSet<String>>,
    pub has_output: bool,
    pub has_input: bool,
    pub has_chance: bool,
    pub gives_outside: bool,
    /// The method itself and all methods below it.
    pub methods: BTreeSet<MethodId>,
}

impl MethodReach {
    /// Whether any code there names this field.
    #[must_use]
    pub fn uses(&self, field: &FieldValue) -> bool {
        let names = self.fields.get(&*field.owner);
        names.is_some_and(|names| names.contains(&*field.name))
    }
}

/// The call graph of a run, and what follows from it.
#[derive(Debug)]
pub struct StaticsBelow {
    calls: HashMap<MethodId, BTreeSet<MethodId>>,
    known: Mutex<HashMap<MethodId, Arc<MethodReach>>>,
}

impl JavaRun {
    /// Which statics a method and those below it name.
    #[must_use]
    pub fn statics_below(&self) -> &StaticsBelow {
        self.facts().get_or_make(|| StaticsBelow::of(self))
    }
}

impl StaticsBelow {
    /// The call graph of all threads.
    #[must_use]
    pub fn of(run: &JavaRun) -> StaticsBelow {
        let mut calls: HashMap<MethodId, BTreeSet<MethodId>> = HashMap::new();
        for thread in run.trace().all_calls().into_iter().flatten() {
            for (caller, callee) in thread.graph() {
                calls.entry(caller).or_default().insert(callee);
            }
        }
        for (caller, callee) in run.handing_over() {
            calls.entry(caller).or_default().insert(callee);
        }
        StaticsBelow {
            calls,
            known: Mutex::default(),
        }
    }

    /// What a method reaches.
    #[must_use]
    pub fn reach(&self, run: &JavaRun, method: MethodId) -> Arc<MethodReach> {
        if let Some(known) = self.lock().get(&method) {
            return Arc::clone(known);
        }
        let mut reach = MethodReach {
            methods: self.methods_below(method),
            ..MethodReach::default()
        };
        for &below in &reach.methods {
            let code = run.code(below);
            reach.has_output |= code.has_output;
            reach.has_input |= code.has_input;
            reach.has_chance |= code.has_chance;
            reach.gives_outside |= code.gives_outside;
            reach
                .statics
                .extend(code.statics.iter().filter_map(|name| own(run, name)));
            let declared = code.fields.iter().filter_map(|name| declared(run, name));
            for FieldName { owner, name } in declared {
                reach.fields.entry(owner).or_default().insert(name);
            }
        }
        let reach = Arc::new(reach);
        self.lock().insert(method, Arc::clone(&reach));
        reach
    }

    fn methods_below(&self, method: MethodId) -> BTreeSet<MethodId> {
        let mut found = BTreeSet::from([method]);
        let mut open = vec![method];
        while let Some(next) = open.pop() {
            for &callee in self.calls.get(&next).into_iter().flatten() {
                if found.insert(callee) {
                    open.push(callee);
                }
            }
        }
        found
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<MethodId, Arc<MethodReach>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The static by its declaring class, if that is a class of the program and a person wrote it.
#[must_use]
pub fn own(run: &JavaRun, name: &FieldName) -> Option<FieldName> {
    let (owner, field) = run.classes().declaring(&name.owner, &name.name)?;
    (!is_library(owner) && !field.is_synthetic).then(|| FieldName {
        owner: owner.to_owned(),
        name: name.name.clone(),
    })
}

/// The field by its declaring class, if that class is in the trace.
fn declared(run: &JavaRun, name: &FieldName) -> Option<FieldName> {
    let (owner, _) = run.classes().declaring(&name.owner, &name.name)?;
    Some(FieldName {
        owner: names::class(owner),
        name: name.name.clone(),
    })
}
