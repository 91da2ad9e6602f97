//! Which library classes note their own writes.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jni_sys::jclass;

use crate::instrument::library::Followed;
use crate::vm::{Jni, Jvmti};

/// What became of a class that was to be rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Asked,
    Rewritten,
}

/// The classes that were to be rewritten, by internal name.
#[derive(Debug, Default)]
pub(crate) struct Following(Mutex<HashMap<String, State>>);

impl Following {
    /// Sees to it that all code that changes objects of this class notes what it writes; whether
    /// that is so.
    pub(crate) fn follow(
        &self,
        jvmti: Jvmti,
        jni: Jni,
        class: jclass,
        followed: &Followed,
    ) -> bool {
        self.ask(jvmti, class, followed.name)
            && followed.written_by.iter().all(|name| {
                let class = jni.find_class_named(name);
                class.is_some_and(|class| self.ask(jvmti, class, name))
            })
    }

    fn ask(&self, jvmti: Jvmti, class: jclass, name: &str) -> bool {
        if self.state(name) != Some(State::Rewritten) {
            // Another thread may be doing the same; once it is done is soon enough for neither.
            self.set(name, State::Asked);
            jvmti.retransform(class);
        }
        self.state(name) == Some(State::Rewritten)
    }

    /// Whether the JVM is to be given another version of this class.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.state(name).is_some()
    }

    pub(crate) fn rewritten(&self, name: &str) {
        self.set(name, State::Rewritten);
    }

    fn state(&self, name: &str) -> Option<State> {
        let states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        states.get(name).copied()
    }

    fn set(&self, name: &str, state: State) {
        let mut states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        states.insert(name.to_owned(), state);
    }
}
