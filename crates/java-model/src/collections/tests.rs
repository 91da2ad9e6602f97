//! The collections in a heap made by hand.

use super::super::heap::fake::FakeHeap;
use super::*;

const NOW: TraceTime = TraceTime(0);

fn content(heap: &FakeHeap, object: Value) -> Option<LibraryContent> {
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
        Some(LibraryContent::Sequence {
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
        Some(LibraryContent::Sequence {
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
        Some(LibraryContent::Map {
            entries: vec![(one, two), (two, one)],
            total: 2,
            ordered: false
        })
    );
    assert_eq!(
        content(&heap, set),
        Some(LibraryContent::Sequence {
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
        Some(LibraryContent::Map {
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
    assert_eq!(
        content(&heap, builder),
        Some(LibraryContent::Text("abc".into()))
    );
}

#[test]
fn a_string_builder_of_java_8_is_its_text() {
    for (text, expected) in [("ab\u{20ac}\0", Some("ab\u{20ac}")), ("ab", None)] {
        let mut heap = FakeHeap::default();
        let units: Vec<Value> = text.encode_utf16().map(Value::Char).collect();
        let value = heap.array("[C", &units);
        let fields = [("value", value), ("count", Value::Int(3))];
        let builder = heap.object("java.lang.StringBuilder", &fields);
        let expected = expected.map(|text| LibraryContent::Text(text.into()));
        assert_eq!(content(&heap, builder), expected, "{text:?}");
    }
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
        Some(LibraryContent::Sequence {
            items,
            total: 1,
            ordered: true
        })
    );
}

#[test]
fn ranges_of_guava_are_written_with_their_ends() {
    let mut heap = FakeHeap::default();
    let ends = [0, 12].map(|end| heap.boxed(end));
    let mut cut = |kind: &str, end: Option<Value>| {
        let class = format!("com.google.common.collect.Cut${kind}");
        let fields: Vec<_> = end.into_iter().map(|end| ("endpoint", end)).collect();
        heap.object(&class, &fields)
    };
    let cuts = [
        [
            cut("BelowValue", Some(ends[0])),
            cut("AboveValue", Some(ends[1])),
        ],
        [
            cut("AboveValue", Some(ends[0])),
            cut("BelowValue", Some(ends[1])),
        ],
        [cut("BelowValue", Some(ends[1])), cut("AboveAll", None)],
    ];
    for ([lower, upper], text) in cuts.into_iter().zip(["[0..12]", "(0..12)", "[12..+∞)"]) {
        let fields = [("lowerBound", lower), ("upperBound", upper)];
        let range = heap.object("com.google.common.collect.Range", &fields);
        let printed = LibraryContent::Printed(text.to_owned());
        assert_eq!(content(&heap, range), Some(printed));
    }
}

#[test]
fn maps_and_optionals_of_guava_are_what_they_stand_for() {
    let mut heap = FakeHeap::default();
    let [one, two] = numbers(&mut heap, 2)[..] else {
        unreachable!()
    };
    let entry = heap.object(
        "com.google.common.collect.ImmutableMapEntry",
        &[("key", one), ("value", two)],
    );
    let entries = heap.array("[Ljava.util.Map$Entry;", &[entry]);
    let map = heap.object(
        "com.google.common.collect.RegularImmutableMap",
        &[("entries", entries)],
    );
    let is = LibraryContent::map(vec![(one, two)], true);
    assert_eq!(content(&heap, map), Some(is));
    let present = heap.object("com.google.common.base.Present", &[("reference", one)]);
    let is = LibraryContent::Optional(Some(one));
    assert_eq!(content(&heap, present), Some(is));
    let other = heap.object("com.google.common.io.Files", &[]);
    assert_eq!(content(&heap, other), None);
}

#[test]
fn a_list_of_scala_is_its_elements_in_every_version() {
    for link in ["next", "tl"] {
        let mut heap = FakeHeap::default();
        let items = numbers(&mut heap, 2);
        let nil = heap.opaque("scala.collection.immutable.Nil$");
        let is = LibraryContent::sequence(Vec::new(), true);
        assert_eq!(content(&heap, nil), Some(is));
        let class = "scala.collection.immutable.$colon$colon";
        let last = heap.object(class, &[("head", items[1]), (link, nil)]);
        let list = heap.object(class, &[("head", items[0]), (link, last)]);
        let is = LibraryContent::sequence(items, true);
        assert_eq!(content(&heap, list), Some(is));
    }
}
