//! The search for writes from outside looks at each element that was read, and never at the whole array for one.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common::record;
use frame_replay::find_outside_writes;
use test_support::{Fixture, Jdk};
use trace_format::Value;
use trace_store::ObjectSlot;

/// A million elements that library code made and one that it changed. If each read of an element decoded the array,
/// this would take hours.
const MAIN: &str = r#"
public class Main {
    static int sum(byte[] bytes) {
        int sum = 0;
        for (int i = 0; i < bytes.length; i++) {
            sum = sum * 31 + bytes[i];
        }
        return sum;
    }

    public static void main(String[] args) {
        byte[] bytes = "x".repeat(1 << 20).getBytes();
        int before = sum(bytes);
        java.lang.reflect.Array.setByte(bytes, 777_777, (byte) 'y');
        System.out.println(before + " " + sum(bytes));
    }
}
"#;

#[test]
fn one_element_of_a_million_is_found_that_was_written_from_outside() {
    let jdk = Jdk::default();
    let classes = Fixture::new().source("Main.java", MAIN).compile().unwrap();
    let recorded = record(&classes, &jdk, None);
    let found = find_outside_writes(&recorded.trace);
    let found: Vec<(ObjectSlot, Value)> = found.iter().map(|it| (it.slot, it.value)).collect();
    let expected = (
        ObjectSlot::Element(777_777),
        Value::Byte(b'y'.cast_signed()),
    );
    assert_eq!(found, [expected]);
}
