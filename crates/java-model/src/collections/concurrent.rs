//! The collections and variables of `java.util.concurrent`.

use trace_format::{ObjectId, Value};

use super::super::heap::Heap;
use super::LibraryContent;
use super::look::{Look, Parts, first_of, present};

pub(super) fn content<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    short: &str,
) -> Option<LibraryContent> {
    match short {
        "atomic.AtomicInteger" | "atomic.AtomicLong" => {
            Some(LibraryContent::Primitive(parts.get("value")?))
        }
        "atomic.AtomicBoolean" => Some(LibraryContent::Primitive(Value::Boolean(
            parts.int("value")? != 0,
        ))),
        "atomic.AtomicReference" => Some(LibraryContent::Reference(parts.get("value")?)),
        "atomic.AtomicIntegerArray" | "atomic.AtomicLongArray" | "atomic.AtomicReferenceArray" => {
            look.whole_array(parts.object("array")?)
        }
        "atomic.LongAdder" => {
            let sum = look.striped(parts, "base", "cells")?;
            Some(LibraryContent::Primitive(Value::Long(sum)))
        }
        "ConcurrentHashMap" => look.concurrent_hash_map(parts),
        "ConcurrentHashMap$Node" | "ConcurrentHashMap$TreeNode" | "ConcurrentHashMap$MapEntry" => {
            Some(LibraryContent::Entry(parts.get("key")?, parts.get("val")?))
        }
        "ConcurrentHashMap$KeySetView" => look.keys_of(parts, "map"),
        "ConcurrentHashMap$ValuesView" => look.values_of(parts, "map"),
        "ConcurrentHashMap$EntrySetView" => look.inner(parts, "map"),
        "ConcurrentSkipListMap" => look.skip_list(parts),
        "ConcurrentSkipListSet" | "ConcurrentSkipListMap$KeySet" => look.keys_of(parts, "m"),
        "ConcurrentSkipListMap$Values" => look.values_of(parts, "m"),
        "ConcurrentSkipListMap$EntrySet" => look.inner(parts, "m"),
        "ConcurrentLinkedQueue" => look.lock_free_queue(parts.get("head")?),
        "ConcurrentLinkedDeque" => look.lock_free_queue(look.first_of_deque(parts)?),
        "CopyOnWriteArrayList" => look.whole_array(parts.object("array")?),
        "CopyOnWriteArraySet" => look.inner(parts, "al"),
        "LinkedBlockingQueue" => look.blocking_queue(parts),
        "LinkedBlockingDeque" => look.linked(parts, "first", "count"),
        "ArrayBlockingQueue" => {
            let items = parts.object("items")?;
            look.ring(items, parts.size("takeIndex")?, parts.size("count")?)
        }
        "PriorityBlockingQueue" => look.array_prefix(parts, "queue", "size"),
        _ => None,
    }
}

const FORWARDING: &str = "java.util.concurrent.ConcurrentHashMap$ForwardingNode";
const TREE: &str = "java.util.concurrent.ConcurrentHashMap$TreeBin";

impl<H: Heap + ?Sized> Look<'_, H> {
    /// A count that threads keep in several cells in order not to be in each other's way.
    fn striped(&self, parts: &Parts, base: &str, cells: &str) -> Option<i64> {
        let mut sum = parts.int(base)?;
        if let Some(cells) = parts.get(cells)?.object() {
            for cell in self.each(cells).filter_map(Value::object) {
                sum = sum.wrapping_add(self.parts(cell).int("value")?);
            }
        }
        Some(sum)
    }

    fn concurrent_hash_map(&self, parts: &Parts) -> Option<LibraryContent> {
        let total = self.striped(parts, "baseCount", "counterCells")?;
        let total = u64::try_from(total).unwrap_or(0);
        let mut entries = Vec::new();
        if let Some(table) = parts.get("table")?.object() {
            for (bucket, first) in self.each(table).enumerate() {
                if entries.len() >= self.limit {
                    break;
                }
                self.bucket(first, bucket, self.length(table), &mut entries)?;
            }
        }
        let complete = entries.len() < self.limit;
        entries.truncate(self.limit);
        Some(LibraryContent::Map {
            // While other threads are at it, the count may be behind.
            total: match complete {
                true => entries.len() as u64,
                false => total.max(entries.len() as u64),
            },
            entries,
            ordered: false,
        })
    }

    /// The entries of one bucket; those that moved to a larger table are found there.
    fn bucket(
        &self,
        first: Value,
        bucket: usize,
        length: usize,
        entries: &mut Vec<(Value, Value)>,
    ) -> Option<()> {
        if self.is_class(first, FORWARDING) {
            let next: ObjectId = self.parts(first.object()?).object("nextTable")?;
            for bucket in [bucket, bucket + length] {
                let moved = *self.elements(next, bucket, 1).first()?;
                self.bucket(moved, bucket, self.length(next), entries)?;
            }
            return Some(());
        }
        let first = if self.is_class(first, TREE) {
            self.parts(first.object()?).get("first")?
        } else {
            first
        };
        for node in self.chain(first, "next") {
            // A reservation, while a value is being computed, has neither.
            if let Some(key) = present(node.get("key")?) {
                entries.push((key, node.get("val")?));
            }
        }
        Some(())
    }

    /// The lowest level has all nodes; those without a value are removed, or only mark a removal.
    fn skip_list(&self, parts: &Parts) -> Option<LibraryContent> {
        let Some(head) = parts.get("head")?.object() else {
            return Some(LibraryContent::map(Vec::new(), true));
        };
        let nodes = self.chain(self.parts(head).get("node")?, "next");
        // Up to Java 8 by its whole name.
        let value = |node: &Parts| node.get("val").or_else(|| node.get("value"));
        let entries = nodes.filter_map(|node| match (node.get("key"), value(&node)) {
            (Some(key), Some(value)) => Some(Some((present(key)?, present(value)?))),
            _ => Some(None),
        });
        let (entries, total) = first_of(entries, self.limit)?;
        Some(LibraryContent::Map {
            entries,
            total,
            ordered: true,
        })
    }

    /// Nodes without an item are removed, or stand at the end.
    fn lock_free_queue(&self, first: Value) -> Option<LibraryContent> {
        let items = self.chain(first, "next").filter_map(|node| {
            let item = node.get("item");
            item.map(present).map_or(Some(None), |item| item.map(Some))
        });
        let (items, total) = first_of(items, self.limit)?;
        Some(LibraryContent::Sequence {
            items,
            total,
            ordered: true,
        })
    }

    /// The deque's own head may be a few nodes behind.
    fn first_of_deque(&self, parts: &Parts) -> Option<Value> {
        let mut first = parts.get("head")?;
        for node in self.chain(first, "prev") {
            if let Some(previous) = present(node.get("prev")?) {
                first = previous;
            }
        }
        Some(first)
    }

    /// The first node is a sentinel.
    fn blocking_queue(&self, parts: &Parts) -> Option<LibraryContent> {
        let sentinel = self.parts(parts.object("head")?);
        self.lock_free_queue(sentinel.get("next")?)
    }
}
