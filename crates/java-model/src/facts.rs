//! What is worked out of a run once, by whoever asks first.
//!
//! A run need not know all that can be said about it: each module keeps what it found under its own type.

use std::any::{Any, TypeId};
use std::sync::OnceLock;

use elsa::sync::FrozenMap;

/// See the module's header.
#[derive(Default)]
pub struct Facts {
    kept: FrozenMap<TypeId, Box<dyn Any + Send + Sync>>,
}

impl Facts {
    /// The fact of this type, made now if nobody has asked for it before.
    pub fn get_or_make<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        let kind = TypeId::of::<T>();
        let slot = match self.kept.get(&kind) {
            Some(slot) => slot,
            None => self.kept.insert(kind, Box::new(OnceLock::<T>::new())),
        };
        match slot.downcast_ref::<OnceLock<T>>() {
            Some(fact) => fact.get_or_init(make),
            None => unreachable!("a fact is kept under its own type"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fact may be made of another one.
    #[test]
    fn each_fact_is_made_once() {
        struct Length(usize);
        let facts = Facts::default();
        for _ in 0..2 {
            let length = facts.get_or_make(|| {
                let text = facts.get_or_make(|| String::from("four"));
                Length(text.len())
            });
            assert_eq!(length.0, 4);
        }
        assert_eq!(facts.get_or_make(|| String::from("other")), "four");
    }
}
