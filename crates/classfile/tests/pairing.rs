//! Versions of a program that differ in nothing but what a compiler numbers, and in something else.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use classfile::ClassFile;
use classfile::pairing::{Difference, Pairing};
use test_support::Fixture;

/// The classes of a source file `Cart.java`.
fn compiled(source: &str, release: u32) -> Vec<ClassFile> {
    let fixture = Fixture::new().source("Cart.java", source);
    let classes = fixture.release(Some(release)).compile().unwrap();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(classes.dir()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        found.extend(ClassFile::parse(&bytes));
    }
    found
}

/// The methods of ours that differ from the other version's, or are new: `Cart$1.run`.
fn differing(ours: &[ClassFile], theirs: &[ClassFile]) -> Vec<String> {
    let pairing = Pairing::new(ours, theirs);
    let mut found = Vec::new();
    for class in ours {
        let owner = class.name().unwrap();
        for (index, method) in class.methods.iter().enumerate() {
            let name = class.method_name(method).unwrap();
            let descriptor = class.method_descriptor(method).unwrap();
            let difference = match pairing.their_method(&owner, &name, &descriptor) {
                Some(other) => pairing.difference((class, index), other),
                None => Some(Difference::Code),
            };
            if difference.is_some() {
                found.push(format!("{owner}.{name}"));
            }
        }
    }
    found.sort();
    found
}

#[track_caller]
fn check(ours: &str, theirs: &str, expected: &[&str]) {
    assert_eq!(
        differing(&compiled(ours, 17), &compiled(theirs, 17)),
        expected
    );
}

const LAMBDAS: &str = "class Cart {
    Runnable first() { return () -> System.out.println(1); }
    Runnable second() { return () -> { Runnable in = () -> System.out.println(2); in.run(); }; }
    Runnable third() { return () -> System.out.println(3); }
}";

#[test]
fn lambdas_that_were_only_renumbered_are_the_same() {
    let more = LAMBDAS.replace(
        "class Cart {",
        "class Cart { Runnable zeroth() { return () -> System.out.println(0); }",
    );
    check(LAMBDAS, &more, &[]);
    check(&more, LAMBDAS, &["Cart.lambda$zeroth$0", "Cart.zeroth"]);
}

#[test]
fn a_lambda_that_changed_differs_and_nothing_else() {
    let changed = LAMBDAS.replace("println(2)", "println(7)").replace(
        "class Cart {",
        "class Cart { Runnable zeroth() { return () -> System.out.println(0); }",
    );
    check(LAMBDAS, &changed, &["Cart.lambda$second$1"]);
}

const ANONYMOUS: &str = "class Cart {
    Runnable first() { return new Runnable() { public void run() { System.out.println(1); } }; }
    Runnable second() { return new Runnable() { public void run() { System.out.println(2); } }; }
    Object third() { return new Object() { public String toString() { return \"3\"; } }; }
}";

#[test]
fn anonymous_classes_that_were_only_renumbered_are_the_same() {
    let turned = "class Cart {
    Object third() { return new Object() { public String toString() { return \"3\"; } }; }
    Runnable second() { return new Runnable() { public void run() { System.out.println(2); } }; }
    Runnable first() { return new Runnable() { public void run() { System.out.println(1); } }; }
}";
    check(ANONYMOUS, turned, &[]);
    let changed = turned.replace("println(2)", "println(7)");
    check(ANONYMOUS, &changed, &["Cart$2.run"]);
}

#[test]
fn an_anonymous_class_that_only_the_other_version_has_stands_for_none_of_ours() {
    let more = ANONYMOUS.replace(
        "class Cart {",
        "class Cart { Thread zeroth() { return new Thread() { public void run() {} }; }",
    );
    check(ANONYMOUS, &more, &[]);
}

const ENUMS: &str = "class Cart {
    enum Fruit { APPLE, PEAR, PLUM }
    static int late(Fruit fruit) { switch (fruit) { case PLUM: return 3; case PEAR: return 2; default: return 0; } }
}";

#[test]
fn the_numbers_of_a_switch_map_do_not_count() {
    let more = ENUMS.replace(
        "static int late",
        "static int early(Fruit fruit) { switch (fruit) { case APPLE: return 1; case PEAR: return 5; default: return 0; } }
    static int late",
    );
    let found = differing(&compiled(ENUMS, 17), &compiled(&more, 17));
    assert_eq!(found, ["Cart$1.<clinit>"], "the map itself, and not `late`");
    let swapped = more.replace(
        "case PLUM: return 3; case PEAR: return 2",
        "case PEAR: return 3; case PLUM: return 2",
    );
    let found = differing(&compiled(ENUMS, 17), &compiled(&swapped, 17));
    assert_eq!(found, ["Cart$1.<clinit>", "Cart.late"]);
}

#[test]
fn accessors_are_what_they_give_access_to() {
    let source = "class Cart {
    private int count; private int more() { return count; }
    class Line { int all(Cart cart) { return cart.count + cart.more(); } }
}";
    let (old, new) = (compiled(source, 8), compiled(source, 17));
    assert!(differing(&new, &old).is_empty());
    let changed = compiled(
        &source.replace("cart.count + cart.more()", "cart.more() + cart.more()"),
        8,
    );
    assert_eq!(differing(&new, &changed), ["Cart$Line.all"]);
}

#[test]
fn only_synchronized_is_a_difference_of_its_own() {
    let ours = compiled("class Cart { int n; void add() { n++; } }", 17);
    let theirs = compiled("class Cart { int n; synchronized void add() { n++; } }", 17);
    let pairing = Pairing::new(&ours, &theirs);
    let other = pairing.their_method("Cart", "add", "()V").unwrap();
    let add = ours[0]
        .methods
        .iter()
        .position(|method| ours[0].method_name(method).unwrap() == "add");
    let difference = pairing.difference((&ours[0], add.unwrap()), other);
    assert_eq!(difference, Some(Difference::Synchronized));
}

#[test]
fn a_longer_constant_pool_does_not_count() {
    let many: String = (0..300)
        .map(|number| format!("static String s{number} = \"s{number}\";"))
        .collect();
    let source = "class Cart { static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) { s += \"x\".length(); } return s; } }";
    let longer = source.replace("class Cart {", &format!("class Cart {{ {many}"));
    check(source, &longer, &[]);
}

#[test]
fn calls_of_what_every_object_has_are_the_same_whoever_overrides_it() {
    let source = "class Cart { int n; static boolean same(Cart a, Cart b) { return a.equals(b) && a.hashCode() == 3; } MORE }";
    let equal = "@Override public boolean equals(Object other) { return true; }";
    check(
        &source.replace("MORE", ""),
        &source.replace("MORE", equal),
        &[],
    );
}
