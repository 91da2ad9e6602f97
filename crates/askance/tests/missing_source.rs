//! A program whose source is not there any more: what the class files tell stands in its place.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::served::Serving;
use test_support::Jdk;

const CART: &str = "package shop;

public class Cart {
    private int total;

    int add(int price, int count) {
        for (int i = 0; i < count; i++) {
            total = Rate.with(total + price);
        }
        return total;
    }

    static class Rate {
        static int with(int value) {
            int rest = value % 7;
            return value + rest;
        }
    }

    public static void main(String[] args) {
        System.out.println(new Cart().add(5, 3));
    }
}
";

/// Compiles with debug information, forgets the source, and records.
fn recorded(folder: &Path) {
    fs::create_dir_all(folder.join("src/shop")).unwrap();
    fs::write(folder.join("src/shop/Cart.java"), CART).unwrap();
    let classes = folder.join("classes");
    let javac = Jdk::compiler().and_then(Jdk::javac).unwrap();
    let done = Command::new(javac)
        .args(["-g", "-d"])
        .arg(&classes)
        .arg(folder.join("src/shop/Cart.java"))
        .status();
    assert!(done.unwrap().success());
    fs::remove_dir_all(folder.join("src")).unwrap();
    let words = [
        "record",
        "-o",
        "trace",
        "--",
        "java",
        "-cp",
        "classes",
        "shop.Cart",
    ];
    let said = crate::support::run(folder, words);
    assert_eq!(said.code, Some(0), "{}", said.err);
}

#[test]
fn lines_are_told_by_what_they_do() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path());
    let shown = crate::support::run(folder.path(), ["show", "trace", "Cart.add"]).out;
    let expected = "  int add(int price, int count)   lines 7–10   (Cart.java was not found: what its lines do)
   7 | sets i; decides; goes back
   8 | reads total; calls Cart.Rate.with; writes total
  10 | reads total; returns";
    assert!(shown.contains(expected), "{shown}");

    let answers = folder.path().join("answers.txt");
    fs::write(&answers, "no\n").unwrap();
    let words = ["ask", "trace", "--answers", "answers.txt", "--root", "with"];
    let found = crate::support::run(folder.path(), words);
    assert!(found.out.contains("> 15 | sets rest"), "{}", found.err);
    assert!(found.out.contains("> 16 | returns"), "{}", found.out);

    let server = Serving::start(folder.path(), &["trace", "--fresh"]);
    let source = server.found("api/runs/0/source?node=3");
    assert_eq!(source["routine"], "Cart.Rate.with");
    assert!(source["text"].is_null(), "{source}");
    let listing = &source["listing"];
    let rows: Vec<&str> = listing["text"].as_str().unwrap().lines().collect();
    assert_eq!(rows.len(), listing["lines"].as_array().unwrap().len());
    let row = |number: &serde_json::Value| rows[number.as_u64().unwrap() as usize].trim();
    assert_eq!(
        row(&listing["method"][0]),
        "static int with(int value)   lines 15–16"
    );
    assert!(rows.contains(&"class shop.Cart") && rows.contains(&"class shop.Cart.Rate"));
    assert_eq!(source["executed"], serde_json::json!([15, 16]));
}

/// A build of several modules is started where none of them has its sources.
#[test]
fn a_source_is_found_in_the_module_that_has_it() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path());
    let shown = || crate::support::run(folder.path(), ["show", "trace", "Cart.add"]).out;
    let line = "total = Rate.with(total + price);";
    assert!(!shown().contains(line));
    let write = |file: &str| {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, CART).unwrap();
    };
    write("other/src/main/java/market/Cart.java");
    write("core/src/main/java/shop/Cart.java");
    let found = shown();
    assert!(found.contains(line), "{found}");
    // Nothing tells which of two it was.
    write("old/src/shop/Cart.java");
    assert!(!shown().contains(line));
}

/// The page says why it does not show a file that is there.
#[test]
fn a_file_may_be_too_large_for_the_page() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path());
    let sources = folder.path().join("src/shop");
    fs::create_dir_all(&sources).unwrap();
    let comment = "// generated\n".repeat(400_000);
    fs::write(sources.join("Cart.java"), format!("{CART}{comment}")).unwrap();
    let server = Serving::start(folder.path(), &["trace", "--fresh", "--source-path", "src"]);
    let source = server.found("api/runs/0/source?node=3");
    assert_eq!(
        source["note"],
        "Cart.java is larger than 4 MB. This is what its class files tell."
    );
    assert!(source["listing"].is_object(), "{source}");
    fs::write(sources.join("Cart.java"), CART).unwrap();
    let source = server.found("api/runs/0/source?node=3");
    assert_eq!(
        (&source["text"], &source["note"]),
        (&CART.into(), &serde_json::Value::Null)
    );
}
