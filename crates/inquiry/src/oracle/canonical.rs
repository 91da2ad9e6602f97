//! Comparing states of two runs: a fingerprint that is the same for states that are the same.
//!
//! Two states are the same if one can be turned into the other by renaming objects: object ids and
//! identity hashes differ from run to run. So objects are numbered in the order in which a walk
//! from the roots first meets them, and the walk's whole course is hashed. Strings, boxes and enum
//! constants count by content. A collection counts as what it stands for; a hash map's order is
//! replaced by an order of its keys. What the trace does not tell is noted: whether a state could be
//! walked to its end, and whether there are opaque objects in it. States that could not be walked to
//! their end may differ although their fingerprints are the same, but not the other way round.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::{Hash as _, Hasher as _};

use trace_format::{ObjectId, TraceTime, Value};

use super::versions::Dialect;
use java_model::collections::{self, LibraryContent};
use java_model::heap::{Heap, ThingKind};
use java_model::stable_hash::StableHasher;
use java_names::names;

/// No state with more objects than this is compared.
const MOST_OBJECTS: usize = 200_000;
/// Longer arrays and collections are not compared.
const MOST_ELEMENTS: usize = 4_000_000;

/// What a state is, up to the names of its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(u64, u64);

impl std::fmt::LowerHex for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}{:016x}", self.0, self.1)
    }
}

/// The numbers that objects were given.
pub type Numbers = HashMap<ObjectId, u32>;

/// Walks one state.
pub struct Walk<'heap, H: Heap + ?Sized> {
    heap: &'heap H,
    /// How the heap names what both of two runs have.
    dialect: Option<&'heap Dialect>,
    at: TraceTime,
    hash: (StableHasher, StableHasher),
    numbers: Numbers,
    /// Objects that are numbered and whose content is still to be hashed.
    queue: VecDeque<ObjectId>,
    walked: HashMap<ObjectId, ()>,
    left: usize,
    /// Everything was met so far.
    pub complete: bool,
    /// Met an object whose inside is unknown and may matter.
    pub opaque: bool,
    /// Met one that may even have changed without a trace.
    pub unseen_changes: bool,
    /// Met a field that the other run does not have.
    pub left_out: bool,
}

impl<'heap, H: Heap + ?Sized> Walk<'heap, H> {
    /// A walk at a time. Objects that were numbered by an earlier walk keep their numbers, so that
    /// the state after a call says which objects are those from before.
    pub fn new(heap: &'heap H, at: TraceTime, numbers: Numbers) -> Self {
        let mut second = StableHasher::new();
        second.write_u8(1);
        Walk {
            heap,
            dialect: None,
            at,
            hash: (StableHasher::new(), second),
            numbers,
            queue: VecDeque::new(),
            walked: HashMap::new(),
            left: MOST_OBJECTS,
            complete: true,
            opaque: false,
            unseen_changes: false,
            left_out: false,
        }
    }

    /// In the names of another run, and without the fields that it does not have.
    pub(super) fn said_in(mut self, dialect: &'heap Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// A class as the other run calls it.
    fn class_word(&mut self, class: &str) {
        match self.dialect {
            Some(dialect) => self.word(&dialect.class(class)),
            None => self.word(names::stable_class(class)),
        }
    }

    /// Takes a word into the fingerprint.
    pub fn word(&mut self, word: &str) {
        word.hash(&mut self.hash.0);
        word.hash(&mut self.hash.1);
    }

    /// Takes a value and everything it reaches into the fingerprint.
    pub fn value(&mut self, value: Value) {
        self.shallow(value);
        while let Some(object) = self.queue.pop_front() {
            self.content(object);
        }
    }

    /// The fingerprint of what was met, and the numbers.
    pub fn finish(self) -> (Fingerprint, Numbers) {
        let fingerprint = Fingerprint(self.hash.0.finish(), self.hash.1.finish());
        (fingerprint, self.numbers)
    }

    fn number(&mut self, number: u64) {
        self.hash.0.write_u64(number);
        self.hash.1.write_u64(number);
    }

    fn shallow(&mut self, value: Value) {
        self.number(u64::from(value.kind().code()));
        let Value::Ref(object) = value else {
            return self.number(value.bits());
        };
        if object.is_null() {
            return self.number(0);
        }
        let Some(thing) = self.heap.thing(object) else {
            self.complete = false;
            return;
        };
        match thing.kind {
            ThingKind::Text { text, missing } => {
                self.complete &= missing == 0;
                self.word(&text);
                self.number(missing);
            }
            ThingKind::Boxed(value) => {
                self.word(&thing.class);
                self.number(value.bits());
            }
            ThingKind::Constant { name } => {
                self.class_word(&thing.class);
                self.word(&name);
            }
            ThingKind::ClassObject { name } => self.class_word(&name),
            // Two secrets may differ: a state that holds one is like no other.
            ThingKind::Masked => self.complete = false,
            _ => {
                let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
                let number = *self.numbers.entry(object).or_insert(next);
                self.number(u64::from(number) + 1);
                self.enqueue(object);
            }
        }
    }

    fn enqueue(&mut self, object: ObjectId) {
        if let Entry::Vacant(place) = self.walked.entry(object) {
            place.insert(());
            match self.left.checked_sub(1) {
                Some(left) => {
                    self.left = left;
                    self.queue.push_back(object);
                }
                None => self.complete = false,
            }
        }
    }

    fn content(&mut self, object: ObjectId) {
        let Some(thing) = self.heap.thing(object) else {
            return;
        };
        self.class_word(&thing.class);
        match thing.kind {
            ThingKind::Array => self.array(object),
            ThingKind::Throwable { message } => {
                self.word(message.as_deref().unwrap_or("no message"))
            }
            ThingKind::Opaque | ThingKind::Fields if self.collection(object, &thing.class) => {}
            ThingKind::Opaque => {
                self.opaque |= !is_harmless(&thing.class);
                self.unseen_changes |= !is_harmless(&thing.class) && !is_immutable(&thing.class);
            }
            ThingKind::Fields => self.fields(object),
            _ => {}
        }
        if self.heap.has_troubles() && self.heap.trouble(object).is_some() {
            self.complete = false;
        }
    }

    fn array(&mut self, array: ObjectId) {
        let elements = self.heap.elements(array, self.at, 0, MOST_ELEMENTS);
        self.complete &= elements.values.len() as u64 == elements.length;
        self.number(elements.length);
        for value in elements.values {
            self.shallow(value);
        }
    }

    fn fields(&mut self, object: ObjectId) {
        for field in self.heap.fields(object, self.at).iter() {
            if let Some(dialect) = self.dialect
                && dialect.is_only_here(&field.owner, &field.name)
            {
                self.left_out = true;
                continue;
            }
            self.class_word(&field.owner);
            self.word(&field.name);
            self.shallow(field.value);
        }
    }

    /// Whether the object is a collection that could be taken as what it stands for.
    fn collection(&mut self, object: ObjectId, class: &str) -> bool {
        let library = self.heap.library_class(class);
        let content = collections::recognise(self.heap, object, &library, self.at, MOST_ELEMENTS);
        match content {
            None => return false,
            Some(LibraryContent::Text(text) | LibraryContent::Printed(text)) => self.word(&text),
            Some(LibraryContent::Primitive(value) | LibraryContent::Reference(value)) => {
                self.shallow(value)
            }
            Some(LibraryContent::Entry(key, value)) => {
                self.shallow(key);
                self.shallow(value);
            }
            Some(LibraryContent::Optional(value)) => {
                self.number(u64::from(value.is_some()));
                if let Some(value) = value {
                    self.shallow(value);
                }
            }
            Some(LibraryContent::Sequence {
                mut items,
                total,
                ordered,
            }) => {
                self.complete &= items.len() as u64 == total;
                self.number(total);
                if !ordered {
                    items.sort_by_cached_key(|&item| self.rank(item));
                }
                for item in items {
                    self.shallow(item);
                }
            }
            Some(LibraryContent::Map {
                mut entries,
                total,
                ordered,
            }) => {
                self.complete &= entries.len() as u64 == total;
                self.number(total);
                if !ordered {
                    entries.sort_by_cached_key(|&(key, _)| self.rank(key));
                }
                for (key, value) in entries {
                    self.shallow(key);
                    self.shallow(value);
                }
            }
        }
        if class != library {
            self.fields(object);
        }
        true
    }

    /// An order of keys that is the same in both runs: by content.
    fn rank(&self, key: Value) -> (u64, u64) {
        let mut walk = Walk::new(self.heap, self.at, Numbers::new());
        walk.dialect = self.dialect;
        walk.left = 100;
        walk.value(key);
        (walk.hash.0.finish(), walk.hash.1.finish())
    }
}

/// Opaque objects that hold nothing which a result could depend on.
fn is_harmless(class: &str) -> bool {
    matches!(
        class,
        "java.lang.Object"
            | "java.io.PrintStream"
            | "java.lang.Thread"
            | "java.util.logging.Logger"
    ) || class.starts_with("java.util.concurrent.locks.")
}

/// Opaque objects that stay as they were made.
fn is_immutable(class: &str) -> bool {
    const PREFIXES: [&str; 5] = [
        "java.math.",
        "java.time.",
        "java.util.regex.Pattern",
        "java.util.Collections$ReverseComparator",
        "java.util.Locale",
    ];
    names::is_hidden_class(class) || PREFIXES.iter().any(|prefix| class.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use java_model::heap::fake::FakeHeap;

    fn fingerprint(heap: &FakeHeap, roots: &[Value]) -> Fingerprint {
        let mut walk = Walk::new(heap, TraceTime(0), Numbers::new());
        for &root in roots {
            walk.value(root);
        }
        walk.finish().0
    }

    /// A list of two nodes, made after `skip` other objects so that the ids differ.
    fn two_nodes(skip: usize, last: i32) -> (FakeHeap, Value) {
        let mut heap = FakeHeap::default();
        for _ in 0..skip {
            heap.opaque("Other");
        }
        let second = heap.object(
            "Node",
            &[("value", Value::Int(last)), ("next", Value::NULL)],
        );
        let first = heap.object("Node", &[("value", Value::Int(1)), ("next", second)]);
        (heap, first)
    }

    #[test]
    fn names_of_objects_do_not_count_and_content_does() {
        let (one, a) = two_nodes(0, 2);
        let (two, b) = two_nodes(5, 2);
        let (three, c) = two_nodes(0, 3);
        assert_eq!(fingerprint(&one, &[a]), fingerprint(&two, &[b]));
        assert_ne!(fingerprint(&one, &[a]), fingerprint(&three, &[c]));
    }

    #[test]
    fn sharing_counts() {
        let mut heap = FakeHeap::default();
        let a = heap.object("P", &[("x", Value::Int(1))]);
        let b = heap.object("P", &[("x", Value::Int(1))]);
        assert_ne!(fingerprint(&heap, &[a, a]), fingerprint(&heap, &[a, b]));
        let (s, t) = (heap.text("same"), heap.text("same"));
        assert_eq!(
            fingerprint(&heap, &[s, s]),
            fingerprint(&heap, &[s, t]),
            "strings count by content"
        );
    }

    #[test]
    fn circles_end() {
        let mut heap = FakeHeap::default();
        let a = heap.object("N", &[]);
        heap.set(a, &[("next", a)]);
        let b = heap.object("N", &[("next", a)]);
        assert_ne!(fingerprint(&heap, &[a]), fingerprint(&heap, &[b]));
    }

    #[test]
    fn the_order_of_a_hash_map_does_not_count() {
        let map = |turned: bool| {
            let mut heap = FakeHeap::default();
            let mut buckets = Vec::new();
            for word in ["a", "b", "c"] {
                let key = heap.text(word);
                let value = heap.boxed(word.len() as i32);
                let fields = [("key", key), ("value", value), ("next", Value::NULL)];
                buckets.push(heap.object("java.util.HashMap$Node", &fields));
            }
            if turned {
                buckets.reverse();
            }
            let table = heap.array("[Ljava.util.HashMap$Node;", &buckets);
            let map = heap.object(
                "java.util.HashMap",
                &[("table", table), ("size", Value::Int(3))],
            );
            fingerprint(&heap, &[map])
        };
        assert_eq!(map(false), map(true));
    }

    #[test]
    fn what_is_opaque_is_noted() {
        let mut heap = FakeHeap::default();
        let (scanner, lock) = (
            heap.opaque("java.util.Scanner"),
            heap.opaque("java.lang.Object"),
        );
        let lambda = heap.opaque("Main$$Lambda$14/0x01");
        let mut walk = Walk::new(&heap, TraceTime(0), Numbers::new());
        walk.value(lock);
        assert!(!walk.opaque);
        walk.value(lambda);
        assert!(walk.opaque && !walk.unseen_changes);
        walk.value(scanner);
        assert!(walk.unseen_changes);
    }

    #[test]
    fn a_long_list_needs_no_stack() {
        let mut heap = FakeHeap::default();
        let mut last = Value::NULL;
        for _ in 0..100_000 {
            last = heap.object("Node", &[("next", last)]);
        }
        fingerprint(&heap, &[last]);
    }

    #[test]
    fn an_object_from_before_is_recognised_after() {
        let mut heap = FakeHeap::default();
        let a = heap.object("P", &[("x", Value::Int(1))]);
        let b = heap.object("P", &[("x", Value::Int(1))]);
        let holder = |heap: &mut FakeHeap, what| heap.object("H", &[("p", what)]);
        let (to_a, to_b) = (holder(&mut heap, a), holder(&mut heap, b));
        let after = |root| {
            let mut before = Walk::new(&heap, TraceTime(0), Numbers::new());
            before.value(a);
            before.value(b);
            let mut walk = Walk::new(&heap, TraceTime(0), before.finish().1);
            walk.value(root);
            walk.finish().0
        };
        assert_ne!(after(to_a), after(to_b));
    }
}
