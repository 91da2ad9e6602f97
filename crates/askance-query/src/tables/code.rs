//! Methods and classes.

use std::collections::BTreeMap;

use datafusion::error::Result;
use java_model::run::JavaRun;
use java_names::names;
use trace_format::MethodId;
use trace_store::ThreadCalls;

use super::{RowSource, Table};
use crate::column::{integer, number, text, truth};
use crate::failure::unreadable;
use crate::reader::TableReader;
use crate::rows::{Cell, Rows};

pub(super) const METHOD: Table = Table {
    name: "method",
    about: "a method of a recorded class, called or not",
    columns: &[
        integer("run", "number of the run"),
        text("class", "its class, with the package"),
        text("method", "its name"),
        text(
            "descriptor",
            "its parameters and result, as the class file says them",
        ),
        text("file", "source file of the class"),
        integer("line", "first line of its code"),
        integer("last_line", "last line of its code"),
        integer("instructions", "instructions of its code"),
        truth("compiler_made", "a bridge, an accessor, an enum's values"),
        integer("calls", "how often it was called"),
        integer(
            "failing_tests",
            "failing tests that ran it; null if no tests were recorded",
        ),
        integer("passing_tests", "passing tests that ran it"),
        number("suspicion", "0 to 1, by which tests ran it"),
    ],
    source: RowSource::Pages(methods),
};

pub(super) const CLASS: Table = Table {
    name: "class",
    about: "a recorded class",
    columns: &[
        integer("run", "number of the run"),
        text("class", "its name, with the package"),
        text("superclass", "what it extends"),
        text("file", "its source file"),
        truth("interface", "whether it is an interface"),
        integer("methods", "recorded methods"),
        integer("calls", "calls of them"),
    ],
    source: RowSource::Pages(classes),
};

/// How often each method was called. Looks at every call.
fn counts(run: &JavaRun) -> Result<BTreeMap<MethodId, i64>> {
    let mut counts = BTreeMap::new();
    for calls in run.trace().all_calls().map_err(unreadable)? {
        for (method, count) in calls_by_method(&calls) {
            *counts.entry(method).or_default() += count;
        }
    }
    Ok(counts)
}

/// How often a thread called each method that it called.
pub(crate) fn calls_by_method(calls: &ThreadCalls<'_>) -> impl Iterator<Item = (MethodId, i64)> {
    // Numbers of methods are small and dense.
    let mut by_number: Vec<i64> = Vec::new();
    for method in calls.methods() {
        let at = method.0 as usize;
        if at >= by_number.len() {
            by_number.resize(at + 1, 0);
        }
        by_number[at] += 1;
    }
    let counts = (0..).map(MethodId).zip(by_number);
    counts.filter(|(_, count)| *count > 0)
}

fn methods(reader: &TableReader, _: u64, rows: &mut Rows) -> Result<Option<u64>> {
    let run = &*reader.run;
    let counts = match rows.wants("calls") {
        true => counts(run)?,
        false => BTreeMap::new(),
    };
    let has_tests = !run.tests().is_empty();
    for method in run.methods() {
        let symbol = run.method_names(method);
        let code = run.code(method);
        let suspicion = || run.spectrum().suspicion(method).filter(|_| has_tests);
        rows.push(|column| match column {
            "run" => Cell::Integer(reader.number),
            "class" => Cell::text(names::class(symbol.class)),
            "method" => Cell::text(symbol.name.to_owned()),
            "descriptor" => Cell::text(symbol.descriptor.to_owned()),
            "file" => Cell::or_null(file(run, symbol.class), Cell::text),
            "line" => Cell::or_null(code.lines.first(), |&line| Cell::Integer(line.into())),
            "last_line" => Cell::or_null(code.lines.last(), |&line| Cell::Integer(line.into())),
            "instructions" => Cell::count(code.instructions),
            "compiler_made" => Cell::Truth(code.compiler_made),
            "calls" => Cell::Integer(counts.get(&method).copied().unwrap_or(0)),
            "failing_tests" => Cell::or_null(suspicion(), |it| Cell::count(it.failed)),
            "passing_tests" => Cell::or_null(suspicion(), |it| Cell::count(it.passed)),
            "suspicion" => Cell::or_null(suspicion(), |it| Cell::Number(it.score)),
            _ => Cell::Null,
        });
    }
    Ok(None)
}

fn file(run: &JavaRun, class: &str) -> Option<String> {
    run.classes().get(class)?.source_file.clone()
}

fn classes(reader: &TableReader, _: u64, rows: &mut Rows) -> Result<Option<u64>> {
    let run = &*reader.run;
    let counts = match rows.wants("calls") {
        true => counts(run)?,
        false => BTreeMap::new(),
    };
    let mut of_classes: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for method in run.methods() {
        let (methods, calls) = of_classes
            .entry(run.method_names(method).class)
            .or_default();
        *methods += 1;
        *calls += counts.get(&method).copied().unwrap_or(0);
    }
    for (class, (methods, calls)) in of_classes {
        let declared = run.classes().get(class);
        rows.push(|column| match column {
            "run" => Cell::Integer(reader.number),
            "class" => Cell::text(names::class(class)),
            "superclass" => {
                let above = declared.and_then(|it| it.super_name.as_deref());
                Cell::or_null(above, |above| Cell::text(names::class(above)))
            }
            "file" => Cell::or_null(file(run, class), Cell::text),
            "interface" => Cell::or_null(declared, |it| Cell::Truth(it.is_interface)),
            "methods" => Cell::Integer(methods),
            "calls" => Cell::Integer(calls),
            _ => Cell::Null,
        });
    }
    Ok(None)
}
