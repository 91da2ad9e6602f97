//! The logic tier's cache: objects that the questions have looked at lately, with what they held.
//!
//! One question after the other is about calls that see the same objects, and between two calls most of
//! them do not change. What an object held is therefore kept together with the times between which
//! it held that, and found again for any time in between, in all snapshots of a run that goes on. The cache is
//! bounded in bytes: what was not used since half of it was filled is forgotten.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use trace_format::{ObjectId, TraceTime};

use super::heap::{ArrayElements, FieldValue, Thing, ThingKind};

/// What may be kept unless somebody says otherwise.
pub const DEFAULT_BYTES: usize = 64 << 20;
/// What a kept entry takes besides its content: its place in a table, with room to spare.
const OVERHEAD: usize = 160;

/// What is known of an object, or of a stretch of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Thing(ObjectId),
    Fields(ObjectId),
    /// From this element on, so many.
    Elements(ObjectId, usize, usize),
}

#[derive(Clone, Debug)]
enum Known {
    Thing(Thing),
    Fields(Arc<[FieldValue]>),
    Elements(ArrayElements),
}

#[derive(Debug)]
struct Kept {
    times: RangeInclusive<TraceTime>,
    known: Known,
}

/// See the module's header.
#[derive(Debug)]
pub struct LogicCache {
    bytes: AtomicUsize,
    generations: Mutex<Generations>,
}

/// What was used since the last change of generations, and what before.
#[derive(Debug, Default)]
struct Generations {
    young: HashMap<Key, Kept>,
    old: HashMap<Key, Kept>,
    young_bytes: usize,
}

impl Default for LogicCache {
    fn default() -> Self {
        LogicCache::new(DEFAULT_BYTES)
    }
}

impl LogicCache {
    /// A cache that takes about so many bytes at most.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        LogicCache {
            bytes: AtomicUsize::new(bytes),
            generations: Mutex::default(),
        }
    }

    /// Takes about so many bytes at most, from now on.
    pub fn bound(&self, bytes: usize) {
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// Keeps nothing of what it knows.
    pub(super) fn forget(&self) {
        let generations = self.generations.lock();
        *generations.unwrap_or_else(PoisonError::into_inner) = Generations::default();
    }

    /// What an object is, whatever the time.
    pub(super) fn thing(
        &self,
        object: ObjectId,
        find: impl FnOnce() -> Option<Thing>,
    ) -> Option<Thing> {
        let always = || TraceTime(0)..=TraceTime(u64::MAX);
        // What is not described may be so in a later snapshot.
        let find = || Some((Known::Thing(find()?), always()));
        match self.find(Key::Thing(object), TraceTime(0), find) {
            Some(Known::Thing(thing)) => Some(thing),
            _ => None,
        }
    }

    /// The fields of an object at a time; `find` also says between which times they are the same. What it does not
    /// find is not kept: it may be found another time.
    pub(super) fn fields(
        &self,
        object: ObjectId,
        at: TraceTime,
        find: impl FnOnce() -> Option<(Arc<[FieldValue]>, RangeInclusive<TraceTime>)>,
    ) -> Arc<[FieldValue]> {
        let find = || {
            let (fields, times) = find()?;
            Some((Known::Fields(fields), times))
        };
        match self.find(Key::Fields(object), at, find) {
            Some(Known::Fields(fields)) => fields,
            _ => Arc::default(),
        }
    }

    /// Elements of an array at a time, in the same way.
    pub(super) fn elements(
        &self,
        (array, start, limit): (ObjectId, usize, usize),
        at: TraceTime,
        find: impl FnOnce() -> Option<(ArrayElements, RangeInclusive<TraceTime>)>,
    ) -> ArrayElements {
        let find = || {
            let (elements, times) = find()?;
            Some((Known::Elements(elements), times))
        };
        match self.find(Key::Elements(array, start, limit), at, find) {
            Some(Known::Elements(elements)) => elements,
            _ => ArrayElements::default(),
        }
    }

    fn find(
        &self,
        key: Key,
        at: TraceTime,
        find: impl FnOnce() -> Option<(Known, RangeInclusive<TraceTime>)>,
    ) -> Option<Known> {
        let bytes = self.bytes.load(Ordering::Relaxed);
        if let Some(known) = self.lock().get(key, at, bytes) {
            return Some(known);
        }
        let (known, times) = find()?;
        let kept = Kept {
            times,
            known: known.clone(),
        };
        self.lock().keep(key, kept, bytes);
        Some(known)
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.generations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn get(&mut self, key: Key, at: TraceTime, bound: usize) -> Option<Known> {
        if let Some(kept) = self.young.get(&key) {
            return kept.times.contains(&at).then(|| kept.known.clone());
        }
        let kept = self.old.remove(&key)?;
        let known = kept.times.contains(&at).then(|| kept.known.clone());
        self.keep(key, kept, bound);
        known
    }

    fn keep(&mut self, key: Key, kept: Kept, bound: usize) {
        let bytes = kept.known.bytes();
        if let Some(replaced) = self.young.insert(key, kept) {
            self.young_bytes -= replaced.known.bytes();
        }
        self.young_bytes += bytes;
        if self.young_bytes > bound / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
    }
}

impl Known {
    fn bytes(&self) -> usize {
        let content = match self {
            Known::Thing(thing) => {
                thing.class.len()
                    + match &thing.kind {
                        ThingKind::Text { text, .. } => text.len(),
                        ThingKind::Constant { name } | ThingKind::ClassObject { name } => {
                            name.len()
                        }
                        ThingKind::Throwable { message } => message.as_ref().map_or(0, String::len),
                        ThingKind::Boxed(_)
                        | ThingKind::Masked
                        | ThingKind::Array
                        | ThingKind::Fields
                        | ThingKind::Opaque => 0,
                    }
            }
            // Names are shared by all objects of a class.
            Known::Fields(fields) => size_of_val::<[FieldValue]>(fields),
            Known::Elements(elements) => elements.values.len() * size_of::<trace_format::Value>(),
        };
        content + OVERHEAD
    }
}

#[cfg(test)]
mod tests {
    use trace_format::Value;

    use super::*;

    fn fields(cache: &LogicCache, object: u32, at: u64, value: i32) -> Value {
        let field = FieldValue {
            owner: "A".into(),
            name: "n".into(),
            value: Value::Int(value),
        };
        let times = TraceTime(10)..=TraceTime(20);
        let found = cache.fields(ObjectId(object), TraceTime(at), || {
            Some(([field].into(), times))
        });
        found[0].value
    }

    #[test]
    fn what_is_kept_holds_between_its_times_only() {
        let cache = LogicCache::default();
        assert_eq!(fields(&cache, 1, 15, 1), Value::Int(1));
        assert_eq!(fields(&cache, 1, 10, 2), Value::Int(1));
        assert_eq!(fields(&cache, 1, 20, 2), Value::Int(1));
        assert_eq!(fields(&cache, 1, 21, 3), Value::Int(3));
        assert_eq!(fields(&cache, 2, 15, 4), Value::Int(4));
    }

    #[test]
    fn no_more_is_kept_than_the_bound_says() {
        let bound = 20_000;
        let cache = LogicCache::new(bound);
        for object in 0..10_000 {
            fields(&cache, object, 15, 1);
            // Used again and again, so it stays.
            assert_eq!(fields(&cache, 0, 15, 2), Value::Int(1));
            let generations = cache.lock();
            let all = generations.young.values().chain(generations.old.values());
            let bytes: usize = all.map(|kept| kept.known.bytes()).sum();
            assert!(bytes <= bound, "{bytes}");
        }
    }
}
