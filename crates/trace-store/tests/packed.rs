//! Elements that stand elsewhere in the trace: what becomes of them when that is a secret, or is not there.

use trace_format::secret::MASK;
use trace_format::symbol::ACC_STATIC;
use trace_format::{EndReason, Stream, Symbol, Value};
use trace_store::sketch::Sketch;
use trace_store::{ObjectSlot, Trace};

fn text() -> Vec<Value> {
    (0..100).map(|at| Value::Byte(at ^ 0x55)).collect()
}

#[test]
fn what_a_secret_held_is_not_known_of_its_copies_either() {
    let mut sketch = Sketch::new();
    let main = sketch.thread("main");
    let class = sketch.class("Main");
    let method = sketch.method(class, ACC_STATIC, "main", "()V");
    let values = text();
    let original = sketch.packed_array(main, "[B", &values);
    let copy = sketch.packed_array(main, "[B", &values);
    let target = sketch.new_array(main, "[B", 100);
    sketch.enter(main, method, &[]);
    sketch.store_packed(main, target, 0, &values);
    sketch.exit(main, None).end(EndReason::Exit);
    let held = |trace: &Trace, array| {
        let end = trace.end_time().unwrap();
        let slot = trace.slot_at(array, ObjectSlot::Element(7), end).unwrap();
        slot.map(|slot| slot.value)
    };
    let folder = tempfile::tempdir().unwrap();
    let jvm = sketch.write_run(folder.path()).unwrap();
    let open = Trace::open(&jvm).unwrap();
    for array in [original, copy, target] {
        assert_eq!(held(&open, array), Some(values[7]));
    }
    drop(open);

    sketch.symbol(Symbol::Masked { object: original });
    let folder = tempfile::tempdir().unwrap();
    let jvm = sketch.write_run(folder.path()).unwrap();
    let check = |trace: &Trace| {
        for array in [original, copy, target] {
            assert_eq!(held(trace, array), None);
        }
        let end = trace.end_time().unwrap();
        assert_eq!(trace.elements_at(target, 0, 2, end).unwrap(), [None, None]);
    };
    check(&Trace::open(&jvm).unwrap());
    trace_store::scrub(&jvm).unwrap();
    let bytes: Vec<u8> = (0..100).map(|at| at ^ 0x55).collect();
    for file in ["chunks", "tails"] {
        let file = std::fs::read(jvm.join(file)).unwrap();
        assert!(!file.windows(20).any(|part| part == &bytes[40..60]));
    }
    check(&Trace::open(&jvm).unwrap());
}

#[test]
fn a_secret_is_found_though_its_text_stands_in_another_secret() {
    let mut sketch = Sketch::new();
    let main = sketch.thread("main");
    let word = |from: u32, to: u32| -> String { (from..to).map(|at| format!("{at:x}")).collect() };
    let (whole, end, other) = (word(0, 900), word(300, 900), word(200, 400));
    let whole_object = sketch.packed_string(main, &whole);
    let end_object = sketch.packed_string(main, &end);
    let other_object = sketch.packed_string(main, &other);
    for secret in [whole_object, end_object] {
        sketch.symbol(Symbol::Masked { object: secret });
    }
    sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    let jvm = sketch.write_run(folder.path()).unwrap();
    let mut found = trace_store::scrub(&jvm).unwrap();
    found.sort_by_key(String::len);
    assert_eq!(found, [end, whole]);
    let trace = Trace::open(&jvm).unwrap();
    for secret in [whole_object, end_object] {
        assert_eq!(trace.text(secret).unwrap().as_deref(), Some(MASK));
    }
    assert_eq!(trace.text(other_object).unwrap().as_deref(), Some(""));
}

#[test]
fn texts_that_are_cut_or_go_on_are_told_by_what_was_there() {
    let mut sketch = Sketch::new();
    let main = sketch.thread("main");
    let numbers: String = (0..2000).map(|at| format!("{},", at * at)).collect();
    // As a parser takes a table apart, and as a program that adds to a text.
    let commas = numbers.match_indices(',').map(|(at, _)| at + 1);
    let texts: Vec<&str> = commas
        .flat_map(|at| numbers.split_at_checked(at))
        .flat_map(|(begin, rest)| [begin, rest])
        .filter(|text| text.len() >= 256)
        .step_by(7)
        .collect();
    let objects: Vec<_> = texts
        .iter()
        .map(|text| sketch.packed_string(main, text))
        .collect();
    sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    let trace = Trace::open(sketch.write_run(folder.path()).unwrap()).unwrap();
    let written = trace.stream(main, Stream::Objects).length();
    let all: u64 = texts.iter().map(|text| text.len() as u64).sum();
    assert!(written * 20 < all, "{written} of {all} bytes");
    for (object, text) in objects.into_iter().zip(texts) {
        assert_eq!(trace.text(object).unwrap().as_deref(), Some(text));
    }
}

#[test]
fn an_element_is_one_step_away_however_often_it_was_copied() {
    let mut sketch = Sketch::new();
    let main = sketch.thread("main");
    let class = sketch.class("Main");
    let method = sketch.method(class, ACC_STATIC, "main", "()V");
    let values = text();
    sketch.enter(main, method, &[]);
    // As a list does that grows: each array begins with what the one before it held.
    let mut arrays = vec![sketch.packed_array(main, "[B", &values)];
    let copies = 3000;
    let before = sketch.position(main);
    for _ in 0..copies {
        let array = sketch.new_array(main, "[B", 100);
        sketch.store_packed(main, array, 0, &values);
        arrays.push(array);
    }
    const LONGEST_COPY: u64 = 20;
    assert!(sketch.position(main) - before <= copies * LONGEST_COPY);
    sketch.exit(main, None).end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    let trace = Trace::open(sketch.write_run(folder.path()).unwrap()).unwrap();
    let end = trace.end_time().unwrap();
    for array in arrays.into_iter().step_by(500) {
        let held = trace.elements_at(array, 0, 100, end).unwrap();
        let held: Vec<Value> = held.iter().map(|slot| slot.unwrap().value).collect();
        assert_eq!(held, values);
    }
}
