//! Carrying methods over from one version of a class to another.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use classfile::alignment::Alignment;
use classfile::graft::{GraftError, Grafting, renamed};
use classfile::pairing::Pairing;
use classfile::{ClassFile, Renaming};

use crate::common;

/// Classes by name.
type Classes = BTreeMap<String, ClassFile>;

/// Both versions of the fixture.
fn versions() -> [Classes; 2] {
    ["new", "old"].map(|version| {
        let source = format!("tests/java/versions/{version}/Shop.java");
        compiled(&Path::new(env!("CARGO_MANIFEST_DIR")).join(source))
    })
}

fn compiled(source: &Path) -> Classes {
    let folder = tempfile::tempdir().unwrap();
    let mut javac = Command::new("javac");
    let status = javac.arg("-d").arg(folder.path()).arg(source).status();
    assert!(status.unwrap().success());
    let files = common::files_below(folder.path()).into_iter();
    let parsed = files.map(|file| ClassFile::parse(&fs::read(file).unwrap()).unwrap());
    parsed
        .map(|class| (class.name().unwrap().into_owned(), class))
        .collect()
}

/// What `Shop.price` of these classes gives, with everything verified.
fn price<'c>(classes: impl IntoIterator<Item = &'c ClassFile>, seed: i32) -> i32 {
    let folder = tempfile::tempdir().unwrap();
    for class in classes {
        let name = format!("{}.class", class.name().unwrap());
        common::write_at(folder.path(), Path::new(&name), &class.write());
    }
    let seed = seed.to_string();
    let arguments = ["Shop", "price", &seed];
    let printed = common::java(&["-Xverify:all"], "call", folder.path(), arguments);
    printed.trim().parse().unwrap()
}

/// The older version's things in the names of the newer.
fn names(new: &Classes, old: &Classes) -> Renaming {
    Pairing::new(new.values(), old.values()).names().clone()
}

fn method(class: &ClassFile, name: &str) -> usize {
    let named = |method: &classfile::Method| class.method_name(method).unwrap() == name;
    class.methods.iter().position(named).unwrap()
}

/// The newer version with `finished` of the older one, and what that needs.
fn hybrid(new: &Classes, old: &Classes, add: impl FnOnce(&mut Grafting<'_>, usize)) -> i32 {
    let renaming = names(new, old);
    let donor = &old["Shop"];
    let mut grafting = Grafting::new(new["Shop"].clone(), donor, &renaming).unwrap();
    let steps = |field: &classfile::Field| donor.field_name(field).unwrap() == "STEPS";
    grafting
        .put_field(donor.fields.iter().position(steps).unwrap())
        .unwrap();
    add(&mut grafting, method(donor, "<clinit>"));
    let hybrid = grafting.finish().unwrap();
    let others = new.values().filter(|class| class.name().unwrap() != "Shop");
    price(others.chain([&hybrid]), 4)
}

#[test]
fn one_method_is_grafted_with_what_the_class_initialiser_sets() {
    let [new, old] = versions();
    assert_eq!(price(new.values(), 4), 5 + 4 + 8 + 4 + 5 + 20);
    let finished = method(&old["Shop"], "finished");
    let price = hybrid(&new, &old, |grafting, initialiser| {
        grafting.put_method(finished).unwrap();
        grafting.put_initialiser_before(initialiser).unwrap();
    });
    assert_eq!(price, 5 + 4 + 8 + 4 + 5 + 2);
}

#[test]
fn an_initialiser_does_not_take_away_what_the_other_sets() {
    let [new, old] = versions();
    let price = hybrid(&new, &old, |grafting, initialiser| {
        grafting.put_initialiser_after(initialiser).unwrap();
    });
    assert_eq!(price, 5 + 4 + 8 + 4 + 5 + 20);
}

#[test]
fn a_method_brings_what_it_needs() {
    let [new, old] = versions();
    let renaming = names(&new, &old);
    let donor = &old["Shop"];
    let mut shop = Grafting::new(new["Shop"].clone(), donor, &renaming).unwrap();
    for index in 0..donor.methods.len() {
        shop.put_method(index).unwrap();
    }
    for field in 0..donor.fields.len() {
        shop.put_field(field).unwrap();
    }
    let map = "Shop$2";
    shop.add_nest_member(&renaming.class(map)).unwrap();
    let shop = shop.finish().unwrap();
    let mut anonymous = Grafting::new(new["Shop$2"].clone(), &old["Shop$1"], &renaming).unwrap();
    anonymous.put_method(method(&old["Shop$1"], "of")).unwrap();
    let anonymous = anonymous.finish().unwrap();
    let map = renamed(&old[map], &renaming).unwrap();
    let replaced = [&shop, &anonymous, &map];
    let is_replaced = |class: &&ClassFile| {
        replaced
            .iter()
            .any(|other| other.name().unwrap() == class.name().unwrap())
    };
    let others: Vec<&ClassFile> = new.values().filter(|class| !is_replaced(class)).collect();
    for seed in 3..6 {
        let expected = price(old.values(), seed);
        assert_eq!(
            price(others.iter().copied().chain(replaced), seed),
            expected
        );
    }
}

/// A constructor in a class that extends another one than it was compiled for, in either direction.
#[test]
fn a_constructor_calls_one_of_the_class_above() {
    const NEW: &str = "
        public class Shop {
            static class Base { int base; Base(String name, int base) { this.base = base; } }
            static class Cart extends Base {
                long step;
                Cart(long step, int start) { super(\"cart\", start + 100); this.step = step; }
            }
            public static int price(int seed) {
                Cart cart = new Cart(7L, seed);
                return (int) cart.step + (((Object) cart) instanceof Base ? 1000 : 0);
            }
        }";
    let old = NEW
        .replace("Cart extends Base", "Cart")
        .replace("super(\"cart\", start + 100);", "super();")
        .replace("this.step = step;", "this.step = step + start;");
    let [new, old] = [NEW, &old].map(|text| {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("Shop.java");
        fs::write(&source, text).unwrap();
        compiled(&source)
    });
    assert_eq!(price(new.values(), 5), 1007);
    assert_eq!(price(old.values(), 5), 12);
    let same_names = Renaming::default();
    let mut constructor =
        Grafting::new(new["Shop$Cart"].clone(), &old["Shop$Cart"], &same_names).unwrap();
    constructor
        .put_method(method(&old["Shop$Cart"], "<init>"))
        .unwrap();
    let mut declaration =
        Grafting::new(new["Shop$Cart"].clone(), &old["Shop$Cart"], &same_names).unwrap();
    declaration.take_declaration().unwrap();
    for (grafting, expected) in [(constructor, 1012), (declaration, 7)] {
        let hybrid = grafting.finish().unwrap();
        let others = new
            .values()
            .filter(|class| class.name().unwrap() != "Shop$Cart");
        assert_eq!(price(others.chain([&hybrid]), 5), expected);
    }
}

/// Every constant, instruction and table that there is goes through a new pool.
#[test]
fn copies_of_real_classes_verify() {
    let originals = common::class_files();
    let copies = tempfile::tempdir().unwrap();
    let same_names = Renaming::default();
    let mut count = 0;
    for file in common::files_below(&originals) {
        let class = ClassFile::parse(&fs::read(&file).unwrap()).unwrap();
        let copy = renamed(&class, &same_names).unwrap();
        let pairing = Pairing::new([&class], [&copy]);
        for method in 0..class.methods.len() {
            let difference = pairing.difference((&class, method), (&copy, method));
            assert_eq!(difference, None, "{} {method}", file.display());
        }
        let relative = file.strip_prefix(&originals).unwrap();
        common::write_at(copies.path(), relative, &copy.write());
        count += 1;
    }
    assert!(count > 1000, "only {count} classes");
    let before = crate::verify::link_errors(&originals);
    let after = crate::verify::link_errors(copies.path());
    let kind = |errors: &crate::verify::LinkErrors, class: &String| {
        errors.get(class).map(|error| error.kind.clone())
    };
    let mut new = after
        .keys()
        .filter(|class| kind(&before, class) != kind(&after, class));
    assert_eq!(new.next().map(|class| (class, &after[class])), None);
}

/// A version of a method in which each line may be one or the other: a wider local before others, a loop, what is
/// caught, an object that is only made, and ways that meet with different classes.
fn till(chosen: [usize; 6]) -> ClassFile {
    let lines = [
        [
            "int sum = 0;",
            "long wide = seed; int sum = (int) wide - seed;",
        ],
        [
            "for (int at = 0; at < seed; at++) sum += at;",
            "for (int at = seed; at > 0; at--) { if (at == 3) continue; sum += 100; }",
        ],
        [
            "try { sum += 10 / (seed - 4); } catch (ArithmeticException error) { sum += 1000; }",
            "try { sum += 10 / (seed - 5); } catch (RuntimeException error) { sum += 2000; }",
        ],
        [
            "CharSequence text = seed > 3 ? new StringBuilder(\"abc\") : \"a\";",
            "String[] many = {\"x\", \"y\"}; CharSequence text = seed > 30 ? many[0] : new StringBuilder(many[1] + seed);",
        ],
        [
            "sum += text.length() * 10000;",
            "sum += (text.length() + 2) * 10000;",
        ],
        [
            "switch (seed) { case 4: sum += 100000; break; default: sum -= 1; }",
            "switch (seed) { case 4: sum += 300000; case 5: sum += 100000; break; default: return -7; }",
        ],
    ];
    let lines: Vec<&str> = lines
        .iter()
        .zip(chosen)
        .map(|(line, at)| line[at])
        .collect();
    let source = format!(
        "public class Till {{ public static int price(int seed) {{\n{}\nreturn sum; }} }}",
        lines.join("\nThread.yield();\n")
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Till.java");
    fs::write(&file, source).unwrap();
    compiled(&file).remove("Till").unwrap()
}

#[test]
fn hunks_of_a_method_are_mixed_line_by_line() {
    let (ours, theirs) = (till([0; 6]), till([1; 6]));
    let pairing = Pairing::new([&ours], [&theirs]);
    let at = method(&ours, "price");
    let [mine, others] = [
        pairing.our_code(&ours, at).unwrap(),
        pairing.their_code(&theirs, at).unwrap(),
    ];
    let alignment = Alignment::of(&mine, &others).with_jumps(&mine, &others);
    let units = alignment.by_line(&mine, &others);
    assert_eq!(units.len(), 6, "{units:?}");
    let folder = tempfile::tempdir().unwrap();
    for set in 0..64usize {
        let is_taken = |unit: &usize| set >> unit & 1 == 1;
        let taken: BTreeSet<usize> = (0..6)
            .filter(is_taken)
            .flat_map(|at| units[at].clone())
            .collect();
        let renaming = Renaming::default();
        let mut grafting = Grafting::new(ours.clone(), &theirs, &renaming).unwrap();
        grafting.put_hunks(at, &alignment, &taken).unwrap();
        let class = grafting.finish().unwrap();
        let name = format!("{set}/Till.class");
        common::write_at(folder.path(), Path::new(&name), &class.write());
    }
    for set in [0, 1, 2, 4, 8, 16, 32, 21, 42, 63] {
        let chosen = std::array::from_fn(|unit| set >> unit & 1);
        let told = |place: &Path| {
            let arguments = ["Till", "price", "4"];
            common::java(&["-Xverify:all"], "call", place, arguments)
        };
        let expected = tempfile::tempdir().unwrap();
        let whole = till(chosen).write();
        common::write_at(expected.path(), Path::new("Till.class"), &whole);
        let mixed = told(&folder.path().join(set.to_string()));
        assert_eq!(mixed, told(expected.path()), "{set}");
    }
}

#[test]
fn a_method_that_is_static_in_one_version_cannot_be_mixed() {
    let ours = till([0; 6]);
    let mut theirs = till([1; 6]);
    let at = method(&theirs, "price");
    theirs.methods[at].access.0 &= !classfile::AccessFlags::STATIC;
    let code = Pairing::new([&ours], [&ours]).our_code(&ours, at).unwrap();
    let alignment = Alignment::of(&code, &code);
    let renaming = Renaming::default();
    let mut grafting = Grafting::new(ours, &theirs, &renaming).unwrap();
    let error = grafting.put_hunks(at, &alignment, &BTreeSet::new());
    assert!(matches!(error, Err(GraftError::Mixture(_))), "{error:?}");
}
