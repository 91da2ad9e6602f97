//! `askance eval` on imported trees: the numbers of the papers and of our own measurements.

use std::path::Path;

use crate::support::run;
use serde_json::Value;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Imports a tree, given by its nodes' parents, as `t`.
fn import(folder: &Path, parents: &[i64]) {
    let lines = (0..).zip(parents).map(|(node, &parent)| {
        let parent = u64::try_from(parent).ok();
        serde_json::json!({"id": node, "parent": parent, "name": format!("f{node}")}).to_string()
    });
    import_lines(folder, &lines.collect::<Vec<_>>().join("\n"));
}

fn import_lines(folder: &Path, lines: &str) {
    std::fs::write(folder.join("calls.jsonl"), lines).unwrap();
    let said = run(folder, ["import", "calls.jsonl", "-o", "t"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
}

fn eval(folder: &Path, arguments: &[&str]) -> Value {
    let said = run(folder, [&["eval", "t", "--json"], arguments].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    said.json()
}

fn figure(report: &Value, strategy: &str, figure: &str) -> u64 {
    let rows = report["strategies"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == strategy).unwrap();
    row[figure].as_u64().unwrap()
}

/// What `eval` says of a tree whose root is known to be wrong: divide & query as Hirunkitti & Hogger have
/// it, as Shapiro has it, the exact optimum as found and as played.
fn totals(parents: &[i64]) -> (u64, u64, u64, u64) {
    let folder = folder();
    import(folder.path(), parents);
    let report = eval(folder.path(), &["--root", "known"]);
    assert_eq!(report["version"], 1);
    assert_eq!(report["nodes"], parents.len());
    assert_eq!(report["candidates"], parents.len());
    assert_eq!(report["optimum"]["proven"], true);
    let optimum = report["optimum"]["total"].as_u64().unwrap();
    assert_eq!(report["optimum"]["lower_bound"].as_u64(), Some(optimum));
    let of = |name| figure(&report, name, "total");
    (of("dq-hirunkitti"), of("dq-shapiro"), of("dbq"), optimum)
}

fn path_and_star(path: usize, star: usize) -> Vec<i64> {
    let mut parents: Vec<i64> = vec![-1];
    parents.extend(0..path as i64);
    let centre = parents.len() as i64;
    parents.push(0);
    parents.extend(std::iter::repeat_n(centre, star - 1));
    parents
}

/// Example 2.4 of *Hacia una estrategia óptima*: 31 or 30, depending on which of two equal halves is
/// asked about first.
#[test]
fn example_2_4() {
    assert_eq!(totals(&path_and_star(4, 4)), (30, 31, 30, 30));
}

/// Example 2.5: 70 either way.
#[test]
fn example_2_5() {
    let parents = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 10, 10, 10, 10, 10];
    let (dq, _, dbq, optimum) = totals(&parents);
    assert_eq!((dq, dbq, optimum), (70, 70, 70));
}

/// Example 2.6: divide & query needs 1800, the optimum is 1772.
#[test]
fn example_2_6() {
    let (dq, _, dbq, optimum) = totals(&path_and_star(63, 50));
    assert_eq!((dq, dbq, optimum), (1800, 1772, 1772));
}

/// Example 3.3 counts the question about the root for each of its ten nodes.
#[test]
fn example_3_3() {
    let (dq, _, dbq, optimum) = totals(&[-1, 0, 1, 1, 1, 1, 0, 6, 6, 0]);
    assert_eq!((dq + 10, dbq + 10, optimum + 10), (46, 46, 46));
}

/// The smallest tree on which no tie-break is optimal.
#[test]
fn no_tie_break_is_optimal() {
    let (dq, _, dbq, optimum) = totals(&[-1, 0, 1, 2, 2, 0, 5, 5]);
    assert_eq!((dq, dbq, optimum), (26, 25, 25));
}

/// A root that nobody has judged costs one question in total.
#[test]
fn an_unknown_root() {
    let folder = folder();
    import(folder.path(), &path_and_star(4, 4));
    let report = eval(folder.path(), &["--strategies", "dq-hirunkitti,dbq"]);
    assert_eq!(report["root"], "unknown");
    assert_eq!(figure(&report, "dq-hirunkitti", "total"), 31);
    assert_eq!(report["optimum"]["total"], 31);
}

#[test]
fn trusted_calls_are_neither_asked_nor_blamed() {
    let folder = folder();
    let lines = r#"{"id":0,"parent":null,"name":"main"}
{"id":1,"parent":0,"name":"f","trusted":true}
{"id":2,"parent":1,"name":"g"}
{"id":3,"parent":1,"name":"h"}"#;
    import_lines(folder.path(), lines);
    let report = eval(
        folder.path(),
        &["--strategies", "top-down", "--root", "known"],
    );
    assert_eq!(report["nodes"], 4);
    assert_eq!(report["candidates"], 3);
    // g: 1 question; h: 2; main: 2.
    assert_eq!(figure(&report, "top-down", "total"), 5);
}

/// Castling as in *Balanced Execution Trees*: the tower goes three squares to the right and the king two
/// to the left. Each move continues from the state that the one before it left.
const CASTLING: &str = r#"{"id":1,"parent":null,"name":"Chess.castling","before":{"t.x":8,"k.x":5},"after":{"t.x":11,"k.x":3}}
{"id":2,"parent":1,"name":"Position.right","before":{"t.x":8},"after":{"t.x":9}}
{"id":3,"parent":1,"name":"Position.right","before":{"t.x":9},"after":{"t.x":10}}
{"id":4,"parent":1,"name":"Position.right","before":{"t.x":10},"after":{"t.x":11}}
{"id":5,"parent":1,"name":"Position.left","before":{"k.x":5},"after":{"k.x":4}}
{"id":6,"parent":1,"name":"Position.left","before":{"k.x":4},"after":{"k.x":3}}"#;

#[test]
fn castling() {
    let folder = folder();
    import_lines(folder.path(), CASTLING);
    let dq = ["--strategies", "dq-hirunkitti"];
    let plain = eval(folder.path(), &dq);
    assert_eq!(figure(&plain, "dq-hirunkitti", "worst"), 6);
    let balanced = eval(
        folder.path(),
        &[&dq[..], &["--transform", "balance,closed"]].concat(),
    );
    assert_eq!(
        balanced["transform"],
        serde_json::json!(["balance", "closed"])
    );
    assert_eq!(balanced["candidates"], 6);
    assert_eq!(figure(&balanced, "dq-hirunkitti", "worst"), 3);
    // To find the very call, a collapsed node that proves wrong is opened. Of its three moves the last is
    // inferred.
    let opened = eval(
        folder.path(),
        &[&dq[..], &["--transform", "balance"]].concat(),
    );
    assert_eq!(figure(&opened, "dq-hirunkitti", "worst"), 3);
}

#[test]
fn the_table_for_a_person() {
    let folder = folder();
    import(folder.path(), &path_and_star(4, 4));
    let said = run(
        folder.path(),
        [
            "eval",
            "t",
            "--root",
            "known",
            "--strategies",
            "top-down,dbq",
        ],
    );
    let text: String = said
        .out
        .lines()
        .map(|line| line.get(..56).unwrap_or(line).trim_end().to_owned() + "\n")
        .collect();
    insta::assert_snapshot!(text, @r#"
    t: 9 calls, the bug can be in 9 of them
      strategy               average     worst        total
      top-down                  3.56         5           32
      dbq                       3.33         4           30
      optimum                   3.33                     30
    "#);
}

#[test]
fn some_positions_of_many() {
    let folder = folder();
    import(folder.path(), &path_and_star(63, 50));
    let report = eval(
        folder.path(),
        &["--sample", "10", "--strategies", "dq-hirunkitti"],
    );
    assert_eq!(report["sample"], 10);
    assert_eq!(report["candidates"], 114);
    let row = &report["strategies"][0];
    let average = row["total"].as_f64().unwrap() / 10.0;
    assert_eq!(row["average"].as_f64(), Some(average));
}

#[test]
fn mistakes() {
    let folder = folder();
    import(folder.path(), &[-1, 0]);
    run(folder.path(), ["eval", "t", "--strategies", "guess"])
        .refused(2, "there is no strategy \"guess\"");
    run(folder.path(), ["eval", "t", "--transform", "bend"])
        .refused(2, "there is no transformation \"bend\"");
    run(folder.path(), ["eval", "nope"]).refused(2, "there is no trace at nope");
    run(folder.path(), ["eval"]).refused(2, "TRACE");
}
