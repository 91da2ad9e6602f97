//! Which variables a call can depend on.
//!
//! A call's inputs are its arguments, what they reach, and statics. Which statics, and which fields
//! of what its arguments reach, is read off the code: those that the method names, and those that the
//! methods below it name, where "below" is the call graph of this run. The same walk tells whether
//! anything below writes to the outside or reads a clock.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use trace_format::MethodId;

use super::method_code::FieldName;
pub use super::named_fields::own;
use super::named_fields::{FieldSet, Named, NamedFields};
use super::run::JavaRun;

/// What a method and everything below it may touch besides its arguments.
#[derive(Clone, Debug, Default)]
pub struct MethodReach {
    /// Statics of the program's own classes, by the class that declares them.
    pub statics: BTreeSet<Arc<FieldName>>,
    /// Fields of objects that any code there names.
    pub(super) fields: FieldSet,
    pub has_output: bool,
    pub has_input: bool,
    pub has_chance: bool,
    pub gives_outside: bool,
    /// The method itself and all methods below it.
    pub methods: BTreeSet<MethodId>,
}

/// The call graph of a run, and what follows from it.
#[derive(Debug)]
pub struct StaticsBelow {
    /// By the number of the method that calls.
    calls: Vec<Vec<MethodId>>,
    known: Mutex<HashMap<MethodId, Arc<MethodReach>>>,
    named: Mutex<NamedFields>,
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
        let methods = run.methods().map(|method| method.0 as usize + 1);
        let mut calls: Vec<Vec<MethodId>> = vec![Vec::new(); methods.max().unwrap_or(0)];
        let threads = run.trace().all_calls().into_iter().flatten();
        let called = threads.flat_map(|thread| thread.graph());
        for (caller, callee) in called.chain(run.handing_over()) {
            // A damaged trace may name methods that it does not have.
            if let Some(callees) = calls.get_mut(caller.0 as usize) {
                callees.push(callee);
            }
        }
        StaticsBelow {
            calls,
            known: Mutex::default(),
            named: Mutex::default(),
        }
    }

    /// What a method reaches.
    #[must_use]
    pub fn reach(&self, run: &JavaRun, method: MethodId) -> Arc<MethodReach> {
        if let Some(known) = self.lock().get(&method) {
            return Arc::clone(known);
        }
        let methods = self.methods_below(method);
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let Named {
            statics,
            fields,
            effects,
        } = named.by(run, &methods);
        drop(named);
        let reach = Arc::new(MethodReach {
            statics,
            fields,
            has_output: effects.has_output,
            has_input: effects.has_input,
            has_chance: effects.has_chance,
            gives_outside: effects.gives_outside,
            methods: methods.into_iter().collect(),
        });
        self.lock().insert(method, Arc::clone(&reach));
        reach
    }

    /// In the order of their numbers.
    fn methods_below(&self, method: MethodId) -> Vec<MethodId> {
        let mut is_found = vec![false; self.calls.len()];
        let mut found = vec![method];
        let mut open = vec![method];
        if let Some(is_found) = is_found.get_mut(method.0 as usize) {
            *is_found = true;
        }
        while let Some(next) = open.pop() {
            for &callee in self.calls.get(next.0 as usize).into_iter().flatten() {
                let is_known = is_found.get_mut(callee.0 as usize);
                if is_known.is_some_and(|is_known| !std::mem::replace(is_known, true)) {
                    found.push(callee);
                    open.push(callee);
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<MethodId, Arc<MethodReach>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
