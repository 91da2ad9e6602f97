//! Recognises the JDK's collections by their recorded fields.
//!
//! Their insides (an `elementData`, a table of buckets) say little to a person and differ between
//! runs that mean the same. What is recognised here is shown, and compared, as the sequence, the
//! map or the text that it stands for. A collection whose fields are not in the trace is not
//! recognised, and stays opaque.

use std::collections::HashSet;

use trace_format::{ObjectId, TraceTime, Value};

use super::heap::{FieldValue, Heap};

/// What a collection stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Lists, queues, and sets in an order of their own.
    Sequence {
        items: Vec<Value>,
        total: u64,
        ordered: bool,
    },
    /// Maps; `ordered` if the order means something.
    Map {
        entries: Vec<(Value, Value)>,
        total: u64,
        ordered: bool,
    },
    /// `StringBuilder`.
    Text(String),
    /// `Optional`, `AtomicReference`: one value or none.
    Holder(Option<Value>),
}

/// What an object of this class stands for, with up to `limit` items; `None` if it is no
/// collection that we know, or its fields are not recorded.
pub fn recognise(
    heap: &(impl Heap + ?Sized),
    object: ObjectId,
    class: &str,
    at: TraceTime,
    limit: usize,
) -> Option<Content> {
    let look = Look { heap, at, limit };
    let parts = look.parts(object);
    let short = class.strip_prefix("java.util.")?;
    match short {
        "ArrayList" => look.array_prefix(&parts, "elementData", "size"),
        "Vector" | "Stack" => look.array_prefix(&parts, "elementData", "elementCount"),
        "PriorityQueue" => look.array_prefix(&parts, "queue", "size"),
        "Arrays$ArrayList" => look.whole_array(&parts, "a"),
        "ArrayDeque" => look.ring(&parts),
        "LinkedList" => look.linked_list(&parts),
        "HashMap" | "concurrent.ConcurrentHashMap" => look.hash_map(&parts),
        "LinkedHashMap" => look.linked_map(&parts),
        "TreeMap" => look.tree_map(&parts),
        "HashSet" | "LinkedHashSet" => look.keys_of(&parts, "map"),
        "TreeSet" => look.keys_of(&parts, "m"),
        "Optional" | "concurrent.atomic.AtomicReference" => {
            Some(Content::Holder(present(parts.get("value")?)))
        }
        "concurrent.atomic.AtomicInteger" | "concurrent.atomic.AtomicLong" => {
            Some(Content::Holder(Some(parts.get("value")?)))
        }
        "concurrent.atomic.AtomicBoolean" => Some(Content::Holder(Some(Value::Boolean(
            parts.int("value")? != 0,
        )))),
        _ => immutable(&look, &parts, short).or_else(|| wrapper(&look, &parts, short)),
    }
}

/// What a `StringBuilder` or `StringBuffer` holds.
pub fn builder_text(
    heap: &(impl Heap + ?Sized),
    object: ObjectId,
    at: TraceTime,
) -> Option<Content> {
    let look = Look {
        heap,
        at,
        limit: usize::MAX,
    };
    let parts = look.parts(object);
    let count = usize::try_from(parts.int("count")?).ok()?;
    let wide = parts.int("coder").unwrap_or(0) != 0;
    let needed = if wide { count.checked_mul(2)? } else { count };
    let values = heap.elements(parts.object("value")?, at, needed).values;
    if values.len() < needed {
        return None;
    }
    let units: Vec<u16> = match values.first() {
        Some(Value::Char(_)) => values.iter().map(|value| value.bits() as u16).collect(),
        _ if wide => {
            let bytes: Vec<u8> = values.iter().map(|value| value.bits() as u8).collect();
            bytes
                .as_chunks::<2>()
                .0
                .iter()
                .map(|pair| u16::from_le_bytes(*pair))
                .collect()
        }
        _ => values
            .iter()
            .map(|value| u16::from(value.bits() as u8))
            .collect(),
    };
    Some(Content::Text(String::from_utf16_lossy(&units)))
}

/// The fields of one object, by name.
struct Parts(Vec<FieldValue>);

impl Parts {
    fn get(&self, name: &str) -> Option<Value> {
        self.0
            .iter()
            .find(|field| field.name == name)
            .map(|field| field.value)
    }

    /// A reference that is not null.
    fn object(&self, name: &str) -> Option<ObjectId> {
        self.get(name)?.object()
    }

    fn int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Value::Int(value) => Some(value.into()),
            Value::Byte(value) => Some(value.into()),
            Value::Long(value) => Some(value),
            _ => None,
        }
    }

    fn count(&self, name: &str) -> Option<u64> {
        u64::try_from(self.int(name)?).ok()
    }
}

fn present(value: Value) -> Option<Value> {
    (value != Value::NULL).then_some(value)
}

struct Look<'heap, H: Heap + ?Sized> {
    heap: &'heap H,
    at: TraceTime,
    limit: usize,
}

impl<H: Heap + ?Sized> Look<'_, H> {
    fn parts(&self, object: ObjectId) -> Parts {
        Parts(self.heap.fields(object, self.at))
    }

    fn array(&self, array: ObjectId, limit: usize) -> Vec<Value> {
        self.heap.elements(array, self.at, limit).values
    }

    fn array_prefix(&self, parts: &Parts, array: &str, size: &str) -> Option<Content> {
        let total = parts.count(size)?;
        let wanted = usize::try_from(total).ok()?.min(self.limit);
        let items = match parts.object(array) {
            Some(array) => self.array(array, wanted),
            None => Vec::new(),
        };
        (items.len() == wanted).then_some(Content::Sequence {
            items,
            total,
            ordered: true,
        })
    }

    fn whole_array(&self, parts: &Parts, array: &str) -> Option<Content> {
        let elements = self
            .heap
            .elements(parts.object(array)?, self.at, self.limit);
        Some(Content::Sequence {
            total: elements.length,
            items: elements.values,
            ordered: true,
        })
    }

    fn ring(&self, parts: &Parts) -> Option<Content> {
        let ring = self.array(parts.object("elements")?, usize::MAX);
        let head = usize::try_from(parts.int("head")?).ok()?;
        let tail = usize::try_from(parts.int("tail")?).ok()?;
        if ring.is_empty() || head >= ring.len() || tail >= ring.len() {
            return None;
        }
        let total = (tail + ring.len() - head) % ring.len();
        let items = (0..total.min(self.limit))
            .map(|at| ring[(head + at) % ring.len()])
            .collect();
        Some(Content::Sequence {
            items,
            total: total as u64,
            ordered: true,
        })
    }

    fn linked_list(&self, parts: &Parts) -> Option<Content> {
        let total = parts.count("size")?;
        let items = self
            .chain(parts.get("first")?, "next")
            .take(self.limit)
            .map(|node| node.get("item"))
            .collect::<Option<Vec<Value>>>()?;
        Some(Content::Sequence {
            items,
            total,
            ordered: true,
        })
    }

    fn hash_map(&self, parts: &Parts) -> Option<Content> {
        let total = parts.count("size").or_else(|| parts.count("baseCount"))?;
        let buckets = match parts.get("table")?.object() {
            Some(table) => self.array(table, usize::MAX),
            None => Vec::new(),
        };
        let entries = buckets
            .into_iter()
            .flat_map(|bucket| self.chain(bucket, "next"))
            .take(self.limit)
            .map(|node| {
                Some((
                    node.get("key")?,
                    node.get("value").or_else(|| node.get("val"))?,
                ))
            })
            .collect::<Option<Vec<_>>>()?;
        Some(Content::Map {
            entries,
            total,
            ordered: false,
        })
    }

    fn linked_map(&self, parts: &Parts) -> Option<Content> {
        let total = parts.count("size")?;
        let entries = self
            .chain(parts.get("head")?, "after")
            .take(self.limit)
            .map(|node| Some((node.get("key")?, node.get("value")?)))
            .collect::<Option<Vec<_>>>()?;
        Some(Content::Map {
            entries,
            total,
            ordered: true,
        })
    }

    fn tree_map(&self, parts: &Parts) -> Option<Content> {
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
        Some(Content::Map {
            entries,
            total,
            ordered: true,
        })
    }

    /// A set over the keys of a map.
    fn keys_of(&self, parts: &Parts, map: &str) -> Option<Content> {
        let map = parts.object(map)?;
        let class = self.heap.thing(map)?.class;
        match recognise(self.heap, map, &class, self.at, self.limit)? {
            Content::Map {
                entries,
                total,
                ordered,
            } => {
                let items = entries.into_iter().map(|(key, _)| key).collect();
                Some(Content::Sequence {
                    items,
                    total,
                    ordered,
                })
            }
            _ => None,
        }
    }

    fn inner(&self, parts: &Parts, field: &str) -> Option<Content> {
        let inner = parts.object(field)?;
        let class = self.heap.thing(inner)?.class;
        recognise(self.heap, inner, &class, self.at, self.limit)
    }

    /// Nodes that are linked by a field; a circle (a damaged trace) is walked once.
    fn chain<'look>(
        &'look self,
        first: Value,
        link: &'look str,
    ) -> impl Iterator<Item = Parts> + 'look {
        let mut seen = HashSet::new();
        let mut next = first.object();
        std::iter::from_fn(move || {
            let node = next.filter(|node| seen.insert(*node))?;
            let parts = self.parts(node);
            next = parts.get(link).and_then(Value::object);
            Some(parts)
        })
    }
}

/// `List.of`, `Set.of`, `Map.of`, and the singletons and empties of `Collections`.
fn immutable<H: Heap + ?Sized>(look: &Look<'_, H>, parts: &Parts, short: &str) -> Option<Content> {
    let sequence = |items: Vec<Value>, ordered| Content::Sequence {
        total: items.len() as u64,
        items,
        ordered,
    };
    let map = |entries: Vec<(Value, Value)>| Content::Map {
        total: entries.len() as u64,
        entries,
        ordered: false,
    };
    // The second place of a list or set of one holds a marker that is a bare object.
    let pair = || {
        let second = parts.get("e1").and_then(present).filter(|second| {
            let thing = second.object().and_then(|object| look.heap.thing(object));
            thing.is_none_or(|thing| thing.class != "java.lang.Object")
        });
        Some(
            std::iter::once(parts.get("e0")?)
                .chain(second)
                .collect::<Vec<Value>>(),
        )
    };
    Some(match short {
        "ImmutableCollections$List12" => sequence(pair()?, true),
        "ImmutableCollections$Set12" => sequence(pair()?, false),
        "ImmutableCollections$ListN" => look.whole_array(parts, "elements")?,
        "ImmutableCollections$SetN" => {
            let all = look.array(parts.object("elements")?, usize::MAX);
            sequence(all.into_iter().filter_map(present).collect(), false)
        }
        "ImmutableCollections$Map1" => map(vec![(parts.get("k0")?, parts.get("v0")?)]),
        "ImmutableCollections$MapN" => {
            let all = look.array(parts.object("table")?, usize::MAX);
            let pairs = all.as_chunks::<2>().0.iter();
            map(pairs
                .filter(|pair| pair[0] != Value::NULL)
                .map(|pair| (pair[0], pair[1]))
                .collect())
        }
        "Collections$SingletonList" | "Collections$SingletonSet" => {
            sequence(vec![parts.get("element")?], true)
        }
        "Collections$SingletonMap" => map(vec![(parts.get("k")?, parts.get("v")?)]),
        "Collections$EmptyList" | "Collections$EmptySet" => sequence(Vec::new(), true),
        "Collections$EmptyMap" => map(Vec::new()),
        _ => return None,
    })
}

/// `Collections.unmodifiableList` and its kind show what they wrap.
fn wrapper<H: Heap + ?Sized>(look: &Look<'_, H>, parts: &Parts, short: &str) -> Option<Content> {
    let name = short.strip_prefix("Collections$")?;
    if !name.starts_with("Unmodifiable") && !name.starts_with("Synchronized") {
        return None;
    }
    let field = if name.ends_with("Map") { "m" } else { "c" };
    look.inner(parts, field)
}

#[cfg(test)]
mod tests {
    use super::super::heap::fake::FakeHeap;
    use super::*;

    const NOW: TraceTime = TraceTime(0);

    fn content(heap: &FakeHeap, object: Value) -> Option<Content> {
        let object = object.object().unwrap();
        let class = Heap::thing(heap, object).unwrap().class;
        recognise(heap, object, &class, NOW, 100)
    }

    fn numbers(heap: &mut FakeHeap, count: i32) -> Vec<Value> {
        (1..=count).map(|number| heap.boxed(number)).collect()
    }

    #[test]
    fn an_array_list_is_its_first_elements() {
        let mut heap = FakeHeap::default();
        let items = numbers(&mut heap, 2);
        let data = heap.array("[Ljava.lang.Object;", &[items[0], items[1], Value::NULL]);
        let list = heap.object(
            "java.util.ArrayList",
            &[("elementData", data), ("size", Value::Int(2))],
        );
        assert_eq!(
            content(&heap, list),
            Some(Content::Sequence {
                items,
                total: 2,
                ordered: true
            })
        );
        let bare = heap.opaque("java.util.ArrayList");
        assert_eq!(content(&heap, bare), None);
    }

    #[test]
    fn a_deque_goes_around_the_end_of_its_array() {
        let mut heap = FakeHeap::default();
        let items = numbers(&mut heap, 3);
        let ring = heap.array(
            "[Ljava.lang.Object;",
            &[items[1], items[2], Value::NULL, items[0]],
        );
        let fields = [
            ("elements", ring),
            ("head", Value::Int(3)),
            ("tail", Value::Int(2)),
        ];
        let deque = heap.object("java.util.ArrayDeque", &fields);
        assert_eq!(
            content(&heap, deque),
            Some(Content::Sequence {
                items,
                total: 3,
                ordered: true
            })
        );
    }

    #[test]
    fn a_hash_map_is_its_buckets_and_a_set_is_its_keys() {
        let mut heap = FakeHeap::default();
        let [one, two] = numbers(&mut heap, 2)[..] else {
            unreachable!()
        };
        let second = heap.object(
            "java.util.HashMap$Node",
            &[("key", two), ("value", one), ("next", Value::NULL)],
        );
        let first = heap.object(
            "java.util.HashMap$Node",
            &[("key", one), ("value", two), ("next", second)],
        );
        let table = heap.array("[Ljava.util.HashMap$Node;", &[Value::NULL, first]);
        let map = heap.object(
            "java.util.HashMap",
            &[("table", table), ("size", Value::Int(2))],
        );
        let set = heap.object("java.util.HashSet", &[("map", map)]);
        assert_eq!(
            content(&heap, map),
            Some(Content::Map {
                entries: vec![(one, two), (two, one)],
                total: 2,
                ordered: false
            })
        );
        assert_eq!(
            content(&heap, set),
            Some(Content::Sequence {
                items: vec![one, two],
                total: 2,
                ordered: false
            })
        );
    }

    #[test]
    fn a_tree_map_is_walked_in_order() {
        let mut heap = FakeHeap::default();
        let [one, two, three] = numbers(&mut heap, 3)[..] else {
            unreachable!()
        };
        let node = |heap: &mut FakeHeap, key, left, right| {
            heap.object(
                "java.util.TreeMap$Entry",
                &[
                    ("key", key),
                    ("value", key),
                    ("left", left),
                    ("right", right),
                ],
            )
        };
        let left = node(&mut heap, one, Value::NULL, Value::NULL);
        let right = node(&mut heap, three, Value::NULL, Value::NULL);
        let root = node(&mut heap, two, left, right);
        let map = heap.object(
            "java.util.TreeMap",
            &[("root", root), ("size", Value::Int(3))],
        );
        let entries = vec![(one, one), (two, two), (three, three)];
        assert_eq!(
            content(&heap, map),
            Some(Content::Map {
                entries,
                total: 3,
                ordered: true
            })
        );
    }

    #[test]
    fn a_string_builder_is_its_text() {
        let mut heap = FakeHeap::default();
        let bytes: Vec<Value> = b"abc\0\0"
            .iter()
            .map(|&byte| Value::Byte(byte as i8))
            .collect();
        let value = heap.array("[B", &bytes);
        let fields = [
            ("value", value),
            ("coder", Value::Byte(0)),
            ("count", Value::Int(3)),
        ];
        let builder = heap.object("java.lang.StringBuilder", &fields);
        let text = builder_text(&heap, builder.object().unwrap(), NOW);
        assert_eq!(text, Some(Content::Text("abc".into())));
    }

    #[test]
    fn a_circle_of_nodes_ends() {
        let mut heap = FakeHeap::default();
        let one = heap.boxed(1);
        let node = heap.object("java.util.LinkedList$Node", &[]);
        heap.set(node, &[("item", one), ("next", node)]);
        let list = heap.object(
            "java.util.LinkedList",
            &[("first", node), ("size", Value::Int(1))],
        );
        let items = vec![one];
        assert_eq!(
            content(&heap, list),
            Some(Content::Sequence {
                items,
                total: 1,
                ordered: true
            })
        );
    }
}
