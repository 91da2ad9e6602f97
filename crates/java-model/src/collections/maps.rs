//! Maps, their entries, and the views of their keys, values and entries.

use std::collections::HashSet;

use trace_format::{ObjectId, Value};

use super::super::heap::Heap;
use super::LibraryContent;
use super::look::{Look, Parts, present};

pub(super) fn content<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    short: &str,
) -> Option<LibraryContent> {
    match short {
        "HashMap" => look.hash_map(parts),
        "LinkedHashMap" => look.linked_map(parts),
        "TreeMap" => look.tree_map(parts),
        "Hashtable" => look.hash_table(parts),
        // Up to Java 8 they are the table that they still inherit.
        "Properties" => look.inner(parts, "map").or_else(|| look.hash_table(parts)),
        "IdentityHashMap" => look.identity_map(parts),
        "EnumMap" => look.enum_map(parts),
        "HashMap$Node"
        | "HashMap$TreeNode"
        | "LinkedHashMap$Entry"
        | "TreeMap$Entry"
        | "Hashtable$Entry"
        | "AbstractMap$SimpleEntry"
        | "AbstractMap$SimpleImmutableEntry"
        | "KeyValueHolder" => Some(LibraryContent::Entry(
            parts.get("key")?,
            parts.get("value")?,
        )),
        _ => look.view(parts, short),
    }
}

impl<H: Heap + ?Sized> Look<'_, H> {
    fn hash_map(&self, parts: &Parts) -> Option<LibraryContent> {
        let total = parts.count("size")?;
        let table = parts.get("table")?.object();
        let nodes = table.map(|table| self.each(table).flat_map(|first| self.chain(first, "next")));
        let entries = nodes
            .into_iter()
            .flatten()
            .take(self.limit)
            .map(|node| Some((node.get("key")?, node.get("value")?)))
            .collect::<Option<Vec<_>>>()?;
        self.entries(entries, total, false)
    }

    /// Entries of a map of this size, unless some are missing.
    fn entries(
        &self,
        entries: Vec<(Value, Value)>,
        total: u64,
        ordered: bool,
    ) -> Option<LibraryContent> {
        let wanted = usize::try_from(total).ok()?.min(self.limit);
        (entries.len() == wanted).then_some(LibraryContent::Map {
            entries,
            total,
            ordered,
        })
    }

    fn linked_map(&self, parts: &Parts) -> Option<LibraryContent> {
        let total = parts.count("size")?;
        let entries = self
            .chain(parts.get("head")?, "after")
            .take(self.limit)
            .map(|node| Some((node.get("key")?, node.get("value")?)))
            .collect::<Option<Vec<_>>>()?;
        self.entries(entries, total, true)
    }

    fn tree_map(&self, parts: &Parts) -> Option<LibraryContent> {
        let total = parts.count("size")?;
        let mut entries = Vec::new();
        let mut seen = HashSet::new();
        let mut path = Vec::new();
        let mut next = parts.get("root")?.object();
        while entries.len() < self.limit {
            while let Some(object) = next.filter(|object| seen.insert(*object)) {
                let node = self.parts(object);
                next = node.get("left")?.object();
                path.push(node);
            }
            let Some(node) = path.pop() else { break };
            entries.push((node.get("key")?, node.get("value")?));
            next = node.get("right")?.object();
        }
        self.entries(entries, total, true)
    }

    /// It goes through its buckets from the last to the first.
    fn hash_table(&self, parts: &Parts) -> Option<LibraryContent> {
        let total = parts.count("count")?;
        let mut buckets: Vec<Value> = self.each(parts.object("table")?).collect();
        buckets.reverse();
        let entries = buckets
            .into_iter()
            .flat_map(|first| self.chain(first, "next"))
            .take(self.limit)
            .map(|node| Some((node.get("key")?, node.get("value")?)))
            .collect::<Option<Vec<_>>>()?;
        self.entries(entries, total, false)
    }

    /// Keys and values alternate. A null key is kept as a marker, a bare object.
    fn identity_map(&self, parts: &Parts) -> Option<LibraryContent> {
        let total = parts.count("size")?;
        let table: Vec<Value> = self.each(parts.object("table")?).collect();
        let pairs = table.as_chunks::<2>().0.iter();
        let entries = pairs
            .filter(|pair| pair[0] != Value::NULL)
            .map(|pair| (pair[0], pair[1]))
            .take(self.limit);
        self.entries(entries.collect(), total, false)
    }

    fn enum_map(&self, parts: &Parts) -> Option<LibraryContent> {
        let total = parts.count("size")?;
        let keys = self.each(parts.object("keyUniverse")?);
        let values = self.each(parts.object("vals")?);
        let entries = keys
            .zip(values)
            .filter_map(|(key, value)| Some((key, present(value)?)))
            .map(|(key, value)| (key, self.unmasked(value)))
            .take(self.limit);
        self.entries(entries.collect(), total, true)
    }

    /// A null value is kept as an object of a class of its own.
    fn unmasked(&self, value: Value) -> Value {
        let class = value.object().and_then(|object| self.class(object));
        match class.as_deref() {
            Some("java.util.EnumMap$1") => Value::NULL,
            _ => value,
        }
    }

    /// What `keySet()`, `values()` and `entrySet()` give.
    fn view(&self, parts: &Parts, short: &str) -> Option<LibraryContent> {
        let (map, view) = short.split_once('$')?;
        const MAPS: [&str; 6] = [
            "HashMap",
            "LinkedHashMap",
            "TreeMap",
            "Hashtable",
            "IdentityHashMap",
            "EnumMap",
        ];
        if !MAPS.contains(&map) || parts.int("reversed") == Some(1) {
            return None;
        }
        let of = if short == "TreeMap$KeySet" {
            "m"
        } else {
            "this$0"
        };
        match view {
            "KeySet" | "LinkedKeySet" => self.keys_of(parts, of),
            "Values" | "LinkedValues" | "ValueCollection" => self.values_of(parts, of),
            "EntrySet" | "LinkedEntrySet" => self.inner(parts, of),
            _ => None,
        }
    }

    /// Whether the object is one that stands for nothing, where nothing cannot be null.
    pub(super) fn is_class(&self, value: Value, class: &str) -> bool {
        let object: Option<ObjectId> = value.object();
        object.and_then(|object| self.class(object)).as_deref() == Some(class)
    }
}
