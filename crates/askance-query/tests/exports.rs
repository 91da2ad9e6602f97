//! What other tools are given has the same calls in it: DuckDB and SQLite find in their files what we find in the
//! trace.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use parquet::basic::Encoding;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde_json::Value;
use test_support::{require, target_dir};

use crate::common::{command, database, rows};

fn export(trace: &Path, form: &str, to: &Path) {
    let words = [
        "export",
        trace.to_str().unwrap(),
        form,
        to.to_str().unwrap(),
    ];
    let answer = command(&words);
    assert!(answer.status.success(), "{answer:?}");
}

const NO_PYTHON: &str = "DuckDB is missing; `cargo xtask setup` installs it";

/// A Python that has DuckDB, and SQLite as every Python has.
fn python() -> Option<PathBuf> {
    let python = target_dir().join("duckdb-client/bin/python");
    Some(python).filter(|python| python.exists())
}

#[test]
fn duckdb_finds_in_an_export_what_is_in_the_trace() {
    let Some(python) = require(python(), NO_PYTHON) else {
        return;
    };
    let till = java_model::sketches::till();
    let trace = till.folder.path();
    let folder = trace.join("tables");
    export(trace, "--parquet", &folder);
    let database = database(trace);
    // Names that other engines may take for something else stand between quotation marks.
    let questions = [
        ("call", "SELECT * FROM call ORDER BY node"),
        ("argument", "SELECT * FROM argument ORDER BY node, position"),
        (
            "result",
            "SELECT node, \"value\", value_number FROM result ORDER BY node",
        ),
        (
            "method",
            "SELECT class, method, descriptor, line, calls FROM method ORDER BY 1, 2",
        ),
        (
            "write",
            "SELECT * FROM \"write\" ORDER BY \"time\", \"index\"",
        ),
        ("throw", "SELECT * FROM \"throw\" ORDER BY \"time\""),
        ("object", "SELECT * FROM object ORDER BY object"),
        (
            "call",
            "SELECT method, count(*) AS n, sum(size) AS s, max(\"end\") AS e FROM call GROUP BY method ORDER BY 1",
        ),
        (
            "call",
            "SELECT node FROM call WHERE method LIKE 's%' AND parent > 2",
        ),
    ];
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/ask_duckdb.py");
    for (table, sql) in questions {
        let mut asked = Command::new(&python);
        asked
            .arg(&script)
            .arg(folder.join(table))
            .args([table, sql]);
        let answer = asked.output().unwrap();
        assert!(
            answer.status.success(),
            "{}",
            String::from_utf8_lossy(&answer.stderr)
        );
        let theirs: Vec<Value> = serde_json::from_slice(&answer.stdout).unwrap();
        let ours = rows(&database, sql).unwrap();
        assert!(!ours.is_empty(), "{sql}");
        assert_eq!(ours, theirs, "{sql}");
    }
}

#[test]
fn numbers_that_grow_are_written_as_differences() {
    let till = java_model::sketches::till();
    let folder = till.folder.path().join("tables");
    export(till.folder.path(), "--parquet", &folder);
    let file = File::open(folder.join("call/run-1/part-0.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let columns = reader.metadata().row_group(0).columns();
    for (name, encoding) in [
        ("node", Encoding::DELTA_BINARY_PACKED),
        ("begin", Encoding::DELTA_BINARY_PACKED),
        ("result_number", Encoding::BYTE_STREAM_SPLIT),
        ("method", Encoding::RLE_DICTIONARY),
    ] {
        let mut columns = columns.iter();
        let column = columns.find(|column| column.column_path().string() == name);
        let encodings: Vec<Encoding> = column.unwrap().encodings().collect();
        assert!(encodings.contains(&encoding), "{name}: {encodings:?}");
    }
    // By what a column holds, whatever an answer calls it.
    let trace = till.folder.path().to_str().unwrap();
    let sql = "SELECT method AS node, size AS method, CAST(node AS INT) AS time FROM call";
    let answer = command(&["query", trace, "--format", "parquet", sql]);
    assert!(answer.status.success(), "{answer:?}");
    assert_eq!(&answer.stdout[..4], b"PAR1");
}

#[test]
fn sqlite_finds_in_an_export_what_is_in_the_trace() {
    let Some(python) = require(python(), NO_PYTHON) else {
        return;
    };
    let till = java_model::sketches::till();
    let trace = till.folder.path();
    let path = trace.join("tables.sqlite");
    export(trace, "--sqlite", &path);
    let questions = [
        "SELECT * FROM call ORDER BY node",
        "SELECT * FROM argument ORDER BY node, position",
        "SELECT \"time\", node, owner, field, \"index\", old, new, new_number FROM \"write\" ORDER BY 1, 5",
        "SELECT class, method, descriptor, calls FROM method ORDER BY 1, 2",
        "SELECT run, pid, command, calls FROM run",
        "SELECT * FROM object ORDER BY object",
        "SELECT method, count(*) AS n, sum(size) AS s FROM call GROUP BY method ORDER BY 1",
    ];
    let database = database(trace);
    let ours = questions.map(|sql| Value::from(rows(&database, sql).unwrap()));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/ask_sqlite.py");
    let mut asked = Command::new(python);
    let answer = asked
        .arg(script)
        .arg(&path)
        .args(questions)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&answer.stderr);
    assert!(answer.status.success(), "{said}");
    let theirs: Vec<Value> = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!(ours.to_vec(), theirs);
}

#[test]
fn a_timeline_has_every_call_once() {
    let till = java_model::sketches::till();
    let path = till.folder.path().join("timeline.json");
    export(till.folder.path(), "--chrome", &path);
    let timeline: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let events = timeline["traceEvents"].as_array().unwrap();
    let calls: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
    let nodes: Vec<u64> = calls
        .iter()
        .map(|it| it["args"]["node"].as_u64().unwrap())
        .collect();
    assert_eq!(nodes, [0, 1, 2, 3, 4, 5]);
    assert_eq!(calls[2]["name"], "Till.add");
    let times = |at: usize| {
        let begin = calls[at]["ts"].as_u64().unwrap();
        begin..begin + calls[at]["dur"].as_u64().unwrap()
    };
    let (outer, inner) = (times(2), times(3));
    assert!(outer.start < inner.start && inner.end < outer.end);
}

#[test]
fn collapsed_stacks_count_calls() {
    let till = java_model::sketches::till();
    let path = till.folder.path().join("stacks.txt");
    export(till.folder.path(), "--collapsed", &path);
    let stacks = std::fs::read_to_string(path).unwrap();
    let expected = "\
Till.main 1
Till.main;Till.<init> 1
Till.main;Till.add 1
Till.main;Till.add;Till.sum 1
Till.main;Till.pay 1
Till.main;Till.pay;Till.sum 1
";
    assert_eq!(stacks, expected);
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let till = java_model::sketches::till();
    let trace = till.folder.path().to_str().unwrap();
    let answer = command(&["export", trace, "--parquet", trace]);
    assert_eq!(answer.status.code(), Some(2));
    let said = String::from_utf8(answer.stderr).unwrap();
    assert!(said.contains("is not empty"), "{said}");
}
