//! The search for writes from outside where questions go finds what the search of the whole run finds, as far as it
//! goes, and says where it did not go far enough.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common::{Recorded, record};

use std::collections::BTreeSet;
use std::sync::Arc;

use frame_replay::{OutsideByKin, find_outside_writes};
use test_support::{Fixture, Jdk};
use trace_format::{Kind, Value};
use trace_store::{FindOutsideWrites as _, Kin, ObjectSlot, OutsideWrite, Trace};

/// Writes by reflection to fields of two classes, one of which extends the other, to a static and to arrays; and a
/// field that nothing outside writes.
const MAIN: &str = r#"
import java.lang.reflect.*;

public class Main {
    static class Base { int low = 1; }
    static class Derived extends Base { int high = 2; long quiet = 3; }
    static int shared = 4;

    static int lows(Base it) { return it.low; }
    static int highs(Derived it) { return it.high + it.low; }
    static long quiets(Derived it) { return it.quiet; }
    static int shares() { return shared; }
    static int ints(int[] them) { return them[1]; }
    static byte bytes(byte[] them) { return them[0]; }

    static void set(Class<?> owner, String name, Object target, int value) throws Exception {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        field.setInt(target, value);
    }

    public static void main(String[] args) throws Exception {
        Derived it = new Derived();
        int[] ints = {5, 6};
        byte[] bytes = {7};
        long sum = 0;
        for (int round = 0; round < 50; round++) {
            sum += lows(it) + highs(it) + quiets(it) + shares() + ints(ints) + bytes(bytes);
            if (round % 10 == 3) {
                set(Base.class, "low", it, 100 + round);
                set(Derived.class, "high", it, 200 + round);
                set(Main.class, "shared", null, 300 + round);
                Array.setInt(ints, 1, 400 + round);
                Array.setByte(bytes, 0, (byte) round);
            }
        }
        System.out.println(sum);
    }
}
"#;

fn recorded() -> Recorded {
    let classes = Fixture::new().source("Main.java", MAIN).compile().unwrap();
    record(&classes, &Jdk::default(), None)
}

/// Everything that variables of the trace can belong to.
fn all_kin(trace: &Trace) -> BTreeSet<Kin> {
    let fields = trace.symbols().fields();
    let fields = fields.filter_map(|symbol| trace.kin_of_field(symbol.field));
    fields.chain(Kind::ALL.map(Kin::of_elements)).collect()
}

fn sorted(writes: impl IntoIterator<Item = OutsideWrite>) -> Vec<String> {
    let mut texts: Vec<String> = writes.into_iter().map(|it| format!("{it:?}")).collect();
    texts.sort();
    texts
}

#[test]
fn what_is_found_by_and_by_is_what_is_found_at_once() {
    let Recorded { trace, .. } = &recorded();
    let at_once = find_outside_writes(trace);
    assert!(at_once.len() >= 25, "{at_once:?}");
    let search = OutsideByKin::default();
    let by_and_by = all_kin(trace)
        .into_iter()
        .flat_map(|kin| search.find(trace, kin, u64::MAX).writes.unwrap());
    assert_eq!(sorted(by_and_by), sorted(at_once));
}

#[test]
fn a_search_that_was_too_short_goes_on_when_there_is_time() {
    let Recorded { trace, .. } = &recorded();
    let search = OutsideByKin::default();
    let kin = Kin::of_elements(Kind::Int);
    for most in [1, 10, 40] {
        assert!(search.find(trace, kin, most).writes.is_none(), "{most}");
    }
    let found = search.find(trace, kin, u64::MAX).writes.unwrap();
    assert_eq!(found.len(), 5, "{found:?}");
}

/// What is shown in a hurry is either right or told to be unsure.
#[test]
fn what_is_not_settled_is_told() {
    let mut recorded = recorded();
    let trace = &mut recorded.trace;
    trace.set_find_outside(Arc::<OutsideByKin>::default());
    let whole = find_outside_writes(trace);
    let ints = whole.iter().find(|it| matches!(it.value, Value::Int(443)));
    let ints = ints.unwrap();
    let end = trace.end_time().unwrap();
    let held = |trace: &Trace| {
        let held = trace
            .slot_at(ints.object, ObjectSlot::Element(1), end)
            .unwrap();
        held.unwrap().value
    };

    // More than enough for so short a run.
    trace.set_hurried(true);
    assert_eq!(held(trace), Value::Int(443));
    assert_eq!(trace.unsettled(), []);

    let search = Arc::new(Impatient);
    trace.set_find_outside(search);
    trace.set_hurried(true);
    assert_eq!(held(trace), Value::Int(6));
    assert_eq!(trace.unsettled(), [Kin::of_elements(Kind::Int)]);
}

/// Never comes to its end.
#[derive(Debug)]
struct Impatient;

impl trace_store::FindOutsideWrites for Impatient {
    fn find(&self, _: &Trace, _: Kin, _: u64) -> trace_store::OutsideFindings {
        trace_store::OutsideFindings {
            writes: None,
            reads: 1,
        }
    }
}
