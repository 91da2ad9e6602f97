//! What is shown of the JDK's objects, against what the program itself prints of them.
//!
//! The programs in `java/library` change lists, maps, builders, atomics and arrays at random and call
//! `Check.point(label, object, printed)` all the time. At every such call, in any order, the trace must
//! show the object as it was printed there.

use std::collections::BTreeMap;
use std::path::Path;

use debug_engine::tree::{ExecutionTree as _, NodeId};
use debug_engine::view::render::{Bounds, Purpose};
use debug_engine::view::{ChildView, Label, ValueKind, ValueView};
use java_model::run::JavaRun;
use java_model::shown;
use java_names::names;
use test_support::{Classes, Fixture, Jdk};
use trace_format::{TraceTime, Value};

use crate::support::askance;

fn program(jdk: &Jdk) -> Classes {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    let newer = match jdk.feature() {
        8 => "library-of-8",
        _ => "library-since-9",
    };
    let program = Fixture::new().path(folder.join("library"));
    program.path(folder.join(newer)).compile_for(jdk).unwrap()
}

fn record(classes: &Classes, jdk: &Jdk, options: &[&str], arguments: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut command = askance(folder.path());
    command.args(["record", "-o", "trace"]).args(options);
    command.arg("--").arg(jdk.java()).arg("-Xverify:all");
    command.arg("-cp").arg(classes.dir()).arg("Main");
    let output = command.args(arguments).output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{talk}");
    assert!(!talk.contains("is not followed"), "{talk}");
    folder
}

/// One call of `Check.point`.
struct Point {
    label: String,
    object: Value,
    printed: String,
    at: TraceTime,
}

fn points(run: &JavaRun) -> Vec<Point> {
    let nodes = (0..run.len()).map(NodeId);
    nodes
        .filter(|&node| {
            let names = run.method_names(run.method(node));
            names.class == "Check" && names.name == "point"
        })
        .filter_map(|node| {
            let call = run.call(node)?;
            let [label, object, printed] = call.arguments[..] else {
                return None;
            };
            Some(Point {
                label: text(run, label),
                object,
                printed: text(run, printed),
                at: call.entry_time,
            })
        })
        .collect()
}

fn text(run: &JavaRun, string: Value) -> String {
    let content = run.trace().object(string.object().unwrap()).unwrap();
    match content.unwrap().content {
        trace_store::ObjectContent::String { text, .. } => text,
        other => panic!("no string: {other:?}"),
    }
}

const WHOLE: Bounds = Bounds {
    width: 100_000,
    depth: 20,
    string: 1_000_000,
    length: usize::MAX,
    changes: 8,
    calls: 3,
    rows: usize::MAX,
    purpose: Purpose::Question,
};

/// The view as `toString` and `Arrays.deepToString` would print the object.
fn as_java_prints(view: &ValueView) -> String {
    let class = view.class.as_deref().unwrap_or("");
    let children = |with: &dyn Fn(&ChildView) -> String| {
        assert_eq!(view.truncated, 0, "{view:?}");
        view.children
            .iter()
            .map(with)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let entry = |child: &ChildView| match &child.label {
        Label::Key(key) => format!("{}={}", key_text(key), as_java_prints(&child.value)),
        other => panic!("no key: {other:?}"),
    };
    let item = |child: &ChildView| as_java_prints(&child.value);
    match view.kind {
        ValueKind::Primitive | ValueKind::Null | ValueKind::Constant => unquoted(&view.text, '\''),
        ValueKind::String => unquoted(&view.text, '"'),
        ValueKind::Array if class == "java.util.BitSet" => format!("{{{}}}", children(&item)),
        ValueKind::Array => format!("{}[{}]", view.text, children(&item)),
        ValueKind::Map => format!("{{{}}}", children(&entry)),
        ValueKind::Entry => children(&entry),
        ValueKind::Object if class.ends_with("Key") => format!("K{}", children(&item)),
        ValueKind::Object if class.ends_with("AtomicReference") => children(&item),
        _ => format!("opaque {class}"),
    }
}

/// A key is given as it is shown.
fn key_text(key: &str) -> String {
    match key.split_once("{n=") {
        Some((_, number)) => format!("K{}", number.trim_end_matches('}')),
        None => unquoted(key, '"'),
    }
}

fn unquoted(text: &str, quote: char) -> String {
    let Some(inner) = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote)) else {
        return text.to_owned();
    };
    let mut out = String::new();
    let mut signs = inner.chars();
    while let Some(sign) = signs.next() {
        match (sign, sign == '\\') {
            (_, true) => match signs.next().unwrap() {
                'n' => out.push('\n'),
                'r' => out.push('\r'),
                't' => out.push('\t'),
                'u' => {
                    let digits: String = signs.by_ref().take(4).collect();
                    let code = u32::from_str_radix(&digits, 16).unwrap();
                    out.push(char::from_u32(code).unwrap());
                }
                other => out.push(other),
            },
            _ => out.push(sign),
        }
    }
    out
}

/// `Set.of` and `Map.of` have another order in every run, which does not show in their fields.
fn in_any_order(label: &str, printed: &str) -> String {
    if !matches!(label, "Set.copyOf" | "Map.copyOf" | "Map.of") {
        return printed.to_owned();
    }
    let (first, rest) = printed.split_at(1);
    let (inner, last) = rest.split_at(rest.len() - 1);
    let mut items: Vec<&str> = inner.split(", ").collect();
    items.sort_unstable();
    format!("{first}{}{last}", items.join(", "))
}

/// Compares every point, the last first, so that each is asked about after later ones.
fn compare(folder: &Path, least: usize) {
    let run = JavaRun::open(&folder.join("trace"), None, &mut |_, _| {}).unwrap();
    let points = points(&run);
    assert!(points.len() >= least, "only {} points", points.len());
    let mut wrong = Vec::new();
    for (number, point) in points.iter().enumerate().rev() {
        let view = shown::value(&run, point.object, point.at, WHOLE);
        let shown = as_java_prints(&view);
        if in_any_order(&point.label, &shown) != in_any_order(&point.label, &point.printed) {
            let label = &point.label;
            let difference = format!(
                "point {number}, {label}:\n  printed {}\n  shown   {shown}",
                point.printed
            );
            wrong.push((label.clone(), difference));
        }
    }
    // The first of each kind.
    let first: BTreeMap<&String, &String> =
        wrong.iter().map(|(label, text)| (label, text)).collect();
    let some: String = first.values().map(|text| format!("{text}\n")).collect();
    assert!(
        wrong.is_empty(),
        "{} of {} differ\n{some}",
        wrong.len(),
        points.len()
    );
}

fn on(feature: u32, seeds: &[&str]) {
    let found = Jdk::version(feature);
    let reason = format!("there is no Java {feature}; `cargo xtask setup` gets it");
    let found = match feature {
        8 => test_support::if_there(found, reason),
        17 => Some(found.unwrap()),
        _ => test_support::require(found, reason),
    };
    let Some(jdk) = found else {
        return;
    };
    let classes = program(jdk);
    for seed in seeds {
        let folder = record(&classes, jdk, &[], &[seed, "40"]);
        compare(folder.path(), 5000);
    }
}

#[test]
fn objects_are_shown_as_java_17_prints_them() {
    on(17, &["1", "2"]);
}

#[test]
fn objects_are_shown_as_java_8_prints_them() {
    on(8, &["6"]);
}

#[test]
fn objects_are_shown_as_java_11_prints_them() {
    on(11, &["3"]);
}

#[test]
fn objects_are_shown_as_java_21_prints_them() {
    on(21, &["4"]);
}

#[test]
fn objects_are_shown_as_java_25_prints_them() {
    on(25, &["5"]);
}

/// Without `--jdk-state` nothing that may have changed is shown.
#[test]
fn what_is_not_followed_is_opaque() {
    let jdk = Jdk::version(17).unwrap();
    let folder = record(&program(jdk), jdk, &["--jdk-state", "off"], &["1", "3"]);
    let run = JavaRun::open(&folder.path().join("trace"), None, &mut |_, _| {}).unwrap();
    let mut seen = 0;
    for point in points(&run) {
        if names::simple_class(&point.label).starts_with("HashMap")
            || point.label == "StringBuilder"
        {
            let view = shown::value(&run, point.object, point.at, WHOLE);
            assert_eq!(view.kind, ValueKind::Opaque, "{view:?}");
            assert_eq!(view.text, "");
            seen += 1;
        }
    }
    assert!(seen > 5);
}
