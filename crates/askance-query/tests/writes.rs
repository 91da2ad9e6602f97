//! Writes that are looked up by what they wrote to are those that a walk through all calls finds.

use std::collections::BTreeSet;
use std::fmt;

use askance_query::database::Database;
use proptest::prelude::*;
use serde_json::Value as Json;
use trace_format::symbol::ACC_STATIC;
use trace_format::{EndReason, Value};
use trace_store::sketch::Sketch;

use crate::common::{database, rows};

/// Calls that write nothing, so many that the index is worth asking.
const IDLE_CALLS: usize = 1100;
const OBJECTS: usize = 3;
const FIELDS: [&str; 3] = ["sum", "count", "last"];
/// The number of elements makes some writes short, with a place in the index for each element, and some long.
const LENGTH: u32 = 40;

/// What a thread writes.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Field(usize, usize, i32),
    Static(i32),
    Element(usize, u32, i32),
    Range(usize, u32, u32, i32),
    Enter,
    Exit,
}

fn deed() -> impl Strategy<Value = Deed> {
    let value = -9..9;
    prop_oneof![
        4 => (0..OBJECTS, 0..FIELDS.len(), value.clone()).prop_map(|(it, field, value)| Deed::Field(it, field, value)),
        1 => value.clone().prop_map(Deed::Static),
        3 => (0..OBJECTS, 0..LENGTH, value.clone()).prop_map(|(it, index, value)| Deed::Element(it, index, value)),
        1 => (0..OBJECTS, 0..LENGTH, 1..LENGTH, value).prop_map(|(it, from, count, value)| {
            Deed::Range(it, from, count.min(LENGTH - from), value)
        }),
        1 => Just(Deed::Enter),
        1 => Just(Deed::Exit),
    ]
}

fn recorded(deeds: &[(usize, Deed)]) -> (tempfile::TempDir, Database) {
    let mut sketch = Sketch::new();
    let threads = [sketch.thread("main"), sketch.thread("worker")];
    let class = sketch.class("Main");
    let method = sketch.method(class, ACC_STATIC, "main", "()V");
    let fields = FIELDS.map(|name| sketch.field("Box", name, "I", false));
    let total = sketch.field("Main", "sum", "I", true);
    for &thread in &threads {
        sketch.enter(thread, method, &[]);
    }
    let boxes = [(); OBJECTS].map(|()| sketch.object(threads[0], "Box"));
    let arrays = [(); OBJECTS].map(|()| sketch.new_array(threads[0], "[I", LENGTH));
    for _ in 0..IDLE_CALLS {
        sketch.enter(threads[0], method, &[]).exit(threads[0], None);
    }
    for &(thread, deed) in deeds {
        let thread = threads[thread];
        match deed {
            Deed::Field(object, field, value) => {
                sketch.put_field(thread, boxes[object], fields[field], Value::Int(value));
            }
            Deed::Static(value) => {
                sketch.put_static(thread, total, Value::Int(value));
            }
            Deed::Element(array, index, value) => {
                sketch.store(thread, arrays[array], index, Value::Int(value));
            }
            Deed::Range(array, from, count, value) => {
                let values = vec![Value::Int(value); count as usize];
                sketch.store_range(thread, arrays[array], from, &values);
            }
            Deed::Enter => {
                sketch.enter(thread, method, &[]);
            }
            Deed::Exit if sketch.depth(thread) > 1 => {
                sketch.exit(thread, None);
            }
            Deed::Exit => {}
        }
    }
    sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    sketch.write_run(folder.path()).unwrap();
    let database = database(folder.path());
    (folder, database)
}

/// A condition that the index can tell something of, or cannot.
#[derive(Debug, Clone)]
enum Condition {
    Field(&'static str),
    Begins(&'static str),
    NoField,
    Object(i64),
    Objects(i64, i64),
    Either(Box<Condition>, Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Field(name) => write!(f, "field = '{name}'"),
            Condition::Begins(start) => write!(f, "field LIKE '{start}%'"),
            Condition::NoField => write!(f, "field IS NULL"),
            Condition::Object(number) => write!(f, "object = {number}"),
            Condition::Objects(from, until) => write!(f, "object BETWEEN {from} AND {until}"),
            Condition::Either(one, other) => write!(f, "({one} OR {other})"),
            Condition::Both(one, other) => write!(f, "({one} AND {other})"),
        }
    }
}

impl Condition {
    fn holds(&self, row: &Json) -> bool {
        let field = row["field"].as_str();
        let object = row["object"].as_i64();
        match self {
            Condition::Field(name) => field == Some(name),
            Condition::Begins(start) => field.is_some_and(|field| field.starts_with(start)),
            Condition::NoField => field.is_none(),
            Condition::Object(number) => object == Some(*number),
            Condition::Objects(from, until) => {
                object.is_some_and(|it| (*from..=*until).contains(&it))
            }
            Condition::Either(one, other) => one.holds(row) || other.holds(row),
            Condition::Both(one, other) => one.holds(row) && other.holds(row),
        }
    }
}

fn condition() -> impl Strategy<Value = Condition> {
    let name = proptest::sample::select(&["sum", "count", "last", "none"]);
    let start = proptest::sample::select(&["s", "c", "", "x"]);
    let number = -1i64..20;
    let simple = prop_oneof![
        3 => name.prop_map(Condition::Field),
        1 => start.prop_map(Condition::Begins),
        1 => Just(Condition::NoField),
        3 => number.clone().prop_map(Condition::Object),
        1 => (number.clone(), number).prop_map(|(from, until)| Condition::Objects(from, until)),
    ];
    simple.prop_recursive(2, 4, 2, |inner| {
        let pair = (inner.clone().prop_map(Box::new), inner.prop_map(Box::new));
        prop_oneof![
            pair.clone()
                .prop_map(|(one, other)| Condition::Either(one, other)),
            pair.prop_map(|(one, other)| Condition::Both(one, other)),
        ]
    })
}

fn texts<'a>(rows: impl IntoIterator<Item = &'a Json>) -> Vec<String> {
    let mut texts: Vec<String> = rows.into_iter().map(Json::to_string).collect();
    texts.sort_unstable();
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_index_finds_what_a_walk_finds(
        deeds in proptest::collection::vec((0..2usize, deed()), 1..80),
        conditions in proptest::collection::vec(condition(), 6),
    ) {
        let (_folder, database) = recorded(&deeds);
        let all = rows(&database, "SELECT * FROM write").unwrap();
        for condition in conditions {
            let expected = texts(all.iter().filter(|row| condition.holds(row)));
            let sql = format!("SELECT * FROM write WHERE {condition}");
            prop_assert_eq!(texts(&rows(&database, &sql).unwrap()), expected, "{}", sql);
        }
    }
}

#[test]
fn writes_of_a_field_or_an_object_are_looked_up() {
    let deeds = [(0, Deed::Field(0, 0, 1)), (0, Deed::Element(1, 2, 3))];
    let (_folder, database) = recorded(&deeds);
    let is_looked_up = |condition: &str| {
        let sql = format!("EXPLAIN SELECT new FROM write WHERE {condition}");
        let plan = Json::from(rows(&database, &sql).unwrap()).to_string();
        plan.contains("by_index=true")
    };
    assert!(is_looked_up("field = 'sum'"));
    assert!(is_looked_up("upper(field) LIKE 'S%' AND new_number < 0"));
    assert!(is_looked_up("object = 5"));
    assert!(!is_looked_up("field IS NULL"));
    assert!(!is_looked_up("new = '1'"));
    // What few calls wrote is read sooner than it is looked up.
    assert!(!is_looked_up("field = 'sum' AND node = 3"));
    let found = rows(&database, "SELECT DISTINCT object FROM write").unwrap();
    let objects: BTreeSet<i64> = found
        .iter()
        .map(|row| row["object"].as_i64().unwrap())
        .collect();
    assert_eq!(objects.len(), 2);
}
