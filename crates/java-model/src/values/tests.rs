//! Values as text.

use debug_engine::view::render;

use super::super::heap::fake::FakeHeap;
use super::*;

fn show(heap: &FakeHeap, value: Value) -> String {
    let bounds = Bounds::default();
    render::value(&Viewer::new(heap, TraceTime(0), bounds).view(value), bounds)
}

#[test]
fn numbers_are_printed_as_java_prints_them() {
    for (value, text) in [
        (Value::Double(1.0), "1.0"),
        (Value::Double(0.1), "0.1"),
        (Value::Double(1e10), "1.0E10"),
        (Value::Double(1.5e-7), "1.5E-7"),
        (Value::Double(-0.0), "-0.0"),
        (Value::Double(f64::NAN), "NaN"),
        (Value::Float(2.5), "2.5"),
        (Value::Char(u16::from(b'x')), "'x'"),
        (Value::Char(10), "'\\n'"),
        (Value::Boolean(true), "true"),
        (Value::Long(-7), "-7"),
    ] {
        assert_eq!(primitive(value), text);
    }
}

#[test]
fn things_that_are_plain_to_a_person() {
    let mut heap = FakeHeap::default();
    let text = heap.text("say \"hi\"\n");
    let seven = heap.boxed(7);
    let red = heap.special("Colour", ThingKind::Constant { name: "RED".into() });
    let class = heap.special(
        "java.lang.Class",
        ThingKind::ClassObject { name: "a.B".into() },
    );
    let bits = heap.array("[Z", &[Value::Byte(1), Value::Byte(0)]);
    let all = heap.array(
        "[Ljava.lang.Object;",
        &[text, seven, red, class, bits, Value::NULL],
    );
    assert_eq!(
        show(&heap, all),
        r#"["say \"hi\"\n", 7, RED, B.class, [true, false], null]"#
    );
}

#[test]
fn objects_show_their_fields_and_stop_at_themselves() {
    let mut heap = FakeHeap::default();
    let node = heap.object("a.Node", &[]);
    heap.set(
        node,
        &[
            ("value", Value::Int(3)),
            ("next", node),
            ("this$0", Value::NULL),
            ("val$x", Value::Int(1)),
        ],
    );
    assert_eq!(
        show(&heap, node),
        "Node#1{value=3, next=↑Node#1, outer=null, x=1}"
    );
}

#[test]
fn collections_show_what_they_stand_for() {
    let mut heap = FakeHeap::default();
    let (one, key) = (heap.boxed(1), heap.text("a"));
    let data = heap.array("[Ljava.lang.Object;", &[one, Value::NULL]);
    let list = heap.object(
        "java.util.ArrayList",
        &[("elementData", data), ("size", Value::Int(1))],
    );
    assert_eq!(show(&heap, list), "[1]");
    let node = heap.object(
        "java.util.HashMap$Node",
        &[("key", key), ("value", list), ("next", Value::NULL)],
    );
    let table = heap.array("[Ljava.util.HashMap$Node;", &[node]);
    let map = heap.object(
        "java.util.HashMap",
        &[("table", table), ("size", Value::Int(1))],
    );
    assert_eq!(show(&heap, map), r#"{"a"=[1]}"#);
    let opaque = heap.opaque("java.util.ArrayList");
    assert_eq!(
        show(&heap, opaque),
        format!("ArrayList#{}", opaque.object().unwrap().0)
    );
    let lambda = heap.opaque("a.Main$$Lambda$14/0x0001");
    assert_eq!(
        show(&heap, lambda),
        format!("lambda#{}", lambda.object().unwrap().0)
    );
}

#[test]
fn a_map_whose_key_holds_the_map_has_an_end() {
    let mut heap = FakeHeap::default();
    let owner = heap.object("a.Owner", &[]);
    let one = heap.boxed(1);
    let mut map_of = |key: Value| {
        let fields = [("key", key), ("value", one), ("next", Value::NULL)];
        let node = heap.object("java.util.HashMap$Node", &fields);
        let table = heap.array("[Ljava.util.HashMap$Node;", &[node]);
        let fields = [("table", table), ("size", Value::Int(1))];
        (node, heap.object("java.util.HashMap", &fields))
    };
    let (_, of_owner) = map_of(owner);
    let (node, of_itself) = map_of(Value::NULL);
    heap.set(owner, &[("map", of_owner)]);
    heap.set(
        node,
        &[("key", of_itself), ("value", one), ("next", Value::NULL)],
    );
    let shown = show(&heap, owner);
    assert!(
        shown.starts_with("Owner#") && shown.contains("=1}"),
        "{shown}"
    );
    let shown = show(&heap, of_itself);
    assert!(shown.ends_with("=1}"), "{shown}");
}

#[test]
fn what_frameworks_make_is_named_by_what_it_stands_for() {
    let mut heap = FakeHeap::default();
    for (class, label) in [
        ("shop.Checkout$Rates$MockitoMock$40Fh47ZH", "mock of Rates"),
        ("shop.Prices$$SpringCGLIB$$0", "proxy of Prices"),
        (
            "shop.Prices$$EnhancerBySpringCGLIB$$1a2b",
            "proxy of Prices",
        ),
    ] {
        let made = heap.opaque(class);
        let number = made.object().unwrap().0;
        assert_eq!(show(&heap, made), format!("{label}#{number}"));
    }
}

#[test]
fn wide_and_deep_values_are_cut_and_say_so() {
    let mut heap = FakeHeap::default();
    let wide = heap.array("[I", &[Value::Int(5); 30]);
    assert_eq!(
        show(&heap, wide),
        "[5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, …+18]"
    );
    let mut deep = heap.array("[I", &[Value::Int(1)]);
    for _ in 0..7 {
        deep = heap.array("[[I", &[deep]);
    }
    assert_eq!(show(&heap, deep), "[[[[[[[…]]]]]]]");
}

#[test]
fn a_tangle_of_shared_objects_does_not_explode() {
    let mut heap = FakeHeap::default();
    let mut last = heap.object("N", &[("end", Value::Int(1))]);
    for _ in 0..60 {
        last = heap.object("N", &[("a", last), ("b", last), ("c", last)]);
    }
    let bounds = Bounds {
        depth: 60,
        ..Bounds::default()
    };
    let view = Viewer::new(&heap, TraceTime(0), bounds).view(last);
    assert!(count(&view) <= MOST_VALUES + 200);
    fn count(view: &ValueView) -> usize {
        1 + view
            .children
            .iter()
            .map(|child| count(&child.value))
            .sum::<usize>()
    }
}

#[test]
fn objects_for_which_there_is_no_room_are_counted_and_not_read() {
    let mut heap = FakeHeap::default();
    let fields = [("a", Value::Int(1)), ("b", Value::Int(2))];
    let objects: Vec<Value> = (0..2_000).map(|_| heap.object("N", &fields)).collect();
    let all = heap.array("[LN;", &objects);
    let bounds = Bounds {
        width: objects.len(),
        ..Bounds::default()
    };
    let noting = NotingHeap::new(&heap);
    let view = Viewer::new(&noting, TraceTime(0), bounds).view(all);
    assert_eq!(view.children.len(), objects.len());
    let last = &view.children[objects.len() - 1].value;
    assert_eq!((last.children.len(), last.truncated), (0, 2));
    let looked = noting.looked();
    let read = looked.iter().filter(|looked| looked.elements.is_none());
    assert_eq!(read.count(), MOST_VALUES / (1 + fields.len()));
}

#[test]
fn what_cannot_be_read_says_why_wherever_it_lies() {
    let mut heap = FakeHeap::default();
    let one = heap.boxed(1);
    let data = heap.array("[Ljava.lang.Object;", &[one]);
    let list = heap.object(
        "java.util.ArrayList",
        &[("elementData", data), ("size", Value::Int(1))],
    );
    let inner = heap.object("a.Inner", &[("n", Value::Int(2)), ("m", Value::Int(3))]);
    let outer = heap.object(
        "a.Outer",
        &[("list", list), ("inner", inner), ("n", Value::Int(4))],
    );
    assert_eq!(
        show(&heap, outer),
        "Outer#5{list=[1], inner=Inner#4{n=2, m=3}, n=4}"
    );
    heap.damage(inner, "a chunk is damaged");
    // A list is made of an array of its own.
    heap.damage(data, "the disk is gone");
    assert_eq!(
        show(&heap, outer),
        "Outer#5{list=unreadable (the disk is gone), inner=unreadable (a chunk is damaged), n=4}"
    );
    // What stands beside each value is still that value's.
    let mut captured = Viewer::new(&heap, TraceTime(0), Bounds::default()).capture(outer);
    let mut slots = Vec::new();
    captured.visit(|_, node, view| slots.push((node.slot.clone(), view.text.clone())));
    let last = slots.last().unwrap();
    assert_eq!(last.1, "4");
    assert_eq!(last.0, CapturedSlot::Field("a.Outer".into(), "n".into()));
    assert_eq!(slots.len(), 4);
}
