//! Every table, on a small run whose calls and writes are known.

use serde_json::{Value, json};

use crate::common::{command, database, rows};
use java_analysis::recording::Recording as _;
use trace_format::EndReason;
use trace_format::object::ObjectKind;
use trace_format::symbol::ACC_STATIC;
use trace_store::sketch::Sketch;

/// Asks the till's run.
fn ask(sql: &str) -> Vec<Value> {
    let till = java_model::sketches::till();
    rows(&database(till.folder.path()), sql).unwrap_or_else(|failure| {
        panic!("{sql}: {failure} {:?}", failure.hint);
    })
}

#[test]
fn calls_have_their_places_in_the_tree() {
    let found =
        ask("SELECT node, parent, depth, size, method, outcome, result FROM call ORDER BY node");
    let expected = json!([
        {"node": 0, "depth": 1, "size": 6, "method": "main", "outcome": "threw"},
        {"node": 1, "parent": 0, "depth": 2, "size": 1, "method": "<init>", "outcome": "returned"},
        {"node": 2, "parent": 0, "depth": 2, "size": 2, "method": "add", "outcome": "returned", "result": "true"},
        {"node": 3, "parent": 2, "depth": 3, "size": 1, "method": "sum", "outcome": "returned", "result": "7"},
        {"node": 4, "parent": 0, "depth": 2, "size": 2, "method": "pay", "outcome": "threw"},
        {"node": 5, "parent": 4, "depth": 3, "size": 1, "method": "sum", "outcome": "returned", "result": "7"},
    ]);
    assert_eq!(Value::from(found), expected);
}

#[test]
fn lines_classes_and_exceptions_are_told() {
    let found = ask("SELECT class, line, thrown FROM call WHERE method = 'pay'");
    let thrown = "java.lang.IllegalStateException";
    let expected = json!([{"class": "Till", "line": 25, "thrown": thrown}]);
    assert_eq!(Value::from(found), expected);
}

#[test]
fn arguments_are_text_numbers_and_objects() {
    let found =
        ask("SELECT position, name, value, value_number FROM argument WHERE node = 1 ORDER BY 1");
    let till = &found[0]["value"];
    assert!(till.as_str().unwrap().starts_with("Till#"), "{till}");
    let expected = json!([
        {"position": 1, "name": "name", "value": "north"},
        {"position": 2, "name": "size", "value": "2", "value_number": 2.0},
    ]);
    assert_eq!(Value::from(found[1..].to_vec()), expected);
}

#[test]
fn writes_have_what_was_there_before() {
    let found = ask(
        "SELECT node, owner, field, \"index\", old, new FROM write WHERE new_number IS NOT NULL ORDER BY time",
    );
    let expected = json!([
        {"node": 2, "owner": "[I", "index": 0, "old": "0", "new": "5"},
        {"node": 2, "owner": "[I", "index": 1, "old": "0", "new": "2"},
        {"node": 2, "owner": "Till", "field": "sales", "old": "0", "new": "1"},
    ]);
    assert_eq!(Value::from(found), expected);
}

#[test]
fn exceptions_leave_each_call() {
    let found = ask("SELECT node, event, exception, message FROM throw ORDER BY node");
    let exception = "java.lang.IllegalStateException";
    let expected = json!([
        {"node": 0, "event": "left", "exception": exception, "message": "empty"},
        {"node": 4, "event": "left", "exception": exception, "message": "empty"},
    ]);
    assert_eq!(Value::from(found), expected);
}

#[test]
fn methods_and_classes_count_their_calls() {
    let found = ask("SELECT method, calls FROM method WHERE calls > 1");
    assert_eq!(Value::from(found), json!([{"method": "sum", "calls": 2}]));
    let found = ask("SELECT class, methods, calls, superclass FROM class");
    let class =
        json!({"class": "Till", "methods": 5, "calls": 6, "superclass": "java.lang.Object"});
    assert_eq!(found, [class]);
}

#[test]
fn threads_and_runs_are_tables_too() {
    let found = ask("SELECT thread.name, run.command, run.calls FROM thread JOIN run USING (run)");
    let expected = json!([{"name": "main", "command": "Till", "calls": 6}]);
    assert_eq!(Value::from(found), expected);
}

#[test]
fn objects_are_listed_with_the_call_that_saw_them_first() {
    let found = ask("SELECT class, node FROM object WHERE class IN ('Till', '[I') ORDER BY object");
    let expected = json!([
        {"class": "Till", "node": 1}, {"class": "[I", "node": 1}, {"class": "[I", "node": 0},
    ]);
    assert_eq!(Value::from(found), expected);
}

#[test]
fn answers_that_the_trace_remembers_are_rows() {
    let till = java_model::sketches::till();
    let session = r#"{"version": 1, "session": {"options": {}, "answers": [
        {"node": 2, "answer": "yes", "source": "person"},
        {"node": 4, "answer": "no", "source": "command", "confidence": 80},
        {"node": 2, "answer": {"wrong-part": "return"}, "source": "person"}
    ]}}"#;
    let file = trace_format::files::answers(till.run.number());
    std::fs::write(till.folder.path().join(file), session).unwrap();
    let sql = "SELECT turn, node, judgement, path, source, confidence, in_force FROM answer ORDER BY turn";
    let found = rows(&database(till.folder.path()), sql).unwrap();
    let expected = json!([
        {"turn": 1, "node": 2, "judgement": "right", "source": "person", "in_force": false},
        {"turn": 2, "node": 4, "judgement": "wrong", "source": "command", "confidence": 0.8, "in_force": true},
        {"turn": 3, "node": 2, "judgement": "wrong", "path": "return", "source": "person", "in_force": true},
    ]);
    assert_eq!(Value::from(found), expected);
    std::fs::write(
        till.folder
            .path()
            .join(trace_format::files::answers(till.run.number())),
        "{",
    )
    .unwrap();
    let failure = command(&["query", till.folder.path().to_str().unwrap(), sql]);
    let said = String::from_utf8(failure.stderr).unwrap();
    assert!(
        said.contains("the answers kept in this trace are damaged"),
        "{said}"
    );
}

#[test]
fn below_a_call_are_its_calls_and_itself() {
    let found = ask("SELECT node FROM below(4) ORDER BY node");
    assert_eq!(Value::from(found), json!([{"node": 4}, {"node": 5}]));
}

#[test]
fn paths_and_states_can_be_asked_for() {
    let found = ask("SELECT at(node, 'this.name') AS name FROM call WHERE method = 'add'");
    assert_eq!(Value::from(found), json!([{"name": "north"}]));
    let sql = "SELECT state(value_object, 0) AS early, state(value_object, call.end) AS late,
        same_state(value_object, 0, call.end) AS same
        FROM argument JOIN call USING (run, node) WHERE call.method = 'sum' AND call.node = 3";
    let found = ask(sql);
    assert_eq!(found[0]["same"], json!(false), "{found:?}");
    assert!(
        found[0]["late"].as_str().unwrap().contains("[5, 2]"),
        "{found:?}"
    );
}

#[test]
fn views_that_come_with_askance_can_be_asked() {
    for view in askance_query::views::VIEWS {
        ask(&format!("SELECT * FROM {}", view.name));
    }
    let found = ask("SELECT new, node FROM last_writer WHERE field = 'name'");
    assert_eq!(Value::from(found), json!([{"new": "north", "node": 1}]));
    assert!(ask("SELECT * FROM returned_null").is_empty());
}

#[test]
fn what_narrows_a_scan_is_seen_before_calls_are_looked_at() {
    let calls = |condition: &str| {
        let plan = ask(&format!("EXPLAIN SELECT node FROM call WHERE {condition}"));
        let plan = Value::from(plan).to_string();
        let (_, scan) = plan.split_once("TraceScan: table=call, calls=").unwrap();
        scan.split('"')
            .next()
            .unwrap()
            .split("\\n")
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(calls("node BETWEEN 2 AND 3"), "2, by_method=false");
    assert_eq!(calls("node IN (1, 5) AND thread = 0"), "2, by_method=false");
    assert_eq!(calls("thread = 9"), "0, by_method=false");
    assert_eq!(
        calls("method LIKE 's%' AND upper(class) = 'TILL'"),
        "6, by_method=true"
    );
    assert_eq!(calls("run = 2"), "0, by_method=false");
    assert_eq!(calls("begin < 0"), "0, by_method=false");
}

#[test]
fn calls_are_counted_by_method_without_a_row_for_each() {
    let is_counted = |sql: &str| {
        let plan = Value::from(ask(&format!("EXPLAIN {sql}"))).to_string();
        plan.contains("table=call by method")
    };
    let sql = "SELECT class, method, count(*) FROM call WHERE method LIKE 's%' GROUP BY 1, 2";
    assert!(is_counted(sql));
    assert!(is_counted("SELECT count(*) FROM call WHERE method = 'sum'"));
    assert!(is_counted("SELECT DISTINCT class FROM call"));
    assert!(!is_counted(
        "SELECT method, count(*) FROM call WHERE node > 2 GROUP BY 1"
    ));
    assert!(!is_counted(
        "SELECT method, count(result) FROM call GROUP BY 1"
    ));
    assert!(!is_counted(
        "SELECT method, count(*) FROM below(2) GROUP BY 1"
    ));
    assert!(!is_counted("SELECT count(*) FROM call"));
    let nested =
        "SELECT max(n) AS m, count(*) AS c FROM (SELECT count(*) AS n FROM call GROUP BY method)";
    assert_eq!(Value::from(ask(nested)), json!([{"m": 2, "c": 5}]));
    let found = ask("SELECT method, count(*) AS n FROM call GROUP BY 1 HAVING count(*) > 1");
    assert_eq!(Value::from(found), json!([{"method": "sum", "n": 2}]));
    assert_eq!(
        Value::from(ask("SELECT count(*) AS n FROM call WHERE method = 'none'")),
        json!([{"n": 0}])
    );
}

#[test]
fn several_traces_are_told_apart_by_run() {
    let (one, other) = (java_model::sketches::till(), java_model::sketches::till());
    let traces = [one.folder.path(), other.folder.path()].map(|it| it.to_str().unwrap().to_owned());
    let sql = "SELECT run, count(*) AS calls FROM call GROUP BY run ORDER BY run";
    let answer = command(&["query", &traces[0], &traces[1], sql, "--format", "csv"]);
    let text = String::from_utf8(answer.stdout).unwrap();
    assert_eq!(text, "run,calls\n1,6\n2,6\n");
}

#[test]
fn the_forms_of_an_answer() {
    let till = java_model::sketches::till();
    let trace = till.folder.path().to_str().unwrap();
    let sql = "SELECT node, method, result FROM call WHERE node < 3 ORDER BY node";
    let form = |format: &str| {
        let answer = command(&["query", trace, sql, "--format", format]);
        assert!(answer.status.success(), "{answer:?}");
        String::from_utf8(answer.stdout).unwrap()
    };
    let table = "\
node  method  result
────  ──────  ──────
   0  main
   1  <init>
   2  add     true
";
    assert_eq!(form("table"), table);
    assert_eq!(
        form("csv"),
        "node,method,result\n0,main,\n1,<init>,\n2,add,true\n"
    );
    let json: Value = serde_json::from_str(&form("json")).unwrap();
    assert_eq!(
        json[2],
        json!({"node": 2, "method": "add", "result": "true"})
    );
    assert_eq!(
        json[0],
        json!({"node": 0, "method": "main", "result": null})
    );
}

#[test]
fn an_object_is_found_by_its_number_though_others_were_described_twice() {
    let mut sketch = Sketch::new();
    let (main, worker) = (sketch.thread("main"), sketch.thread("worker"));
    let class = sketch.class("Main");
    let take = sketch.method(class, ACC_STATIC, "take", "(LBox;)V");
    let class = sketch.class_object(main, "Box");
    for _ in 0..3 {
        let seen_by_both = sketch.object(main, "Box");
        sketch.describe(worker, seen_by_both, class, ObjectKind::Object);
    }
    let last = sketch.object(main, "Box");
    sketch.enter(main, take, &[trace_format::Value::Ref(last)]);
    sketch.exit(main, None).end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    sketch.write_run(folder.path()).unwrap();
    let sql = "SELECT value, state(value_object, 100) AS state FROM argument";
    let found = rows(&database(folder.path()), sql).unwrap();
    assert_eq!(found[0]["state"], found[0]["value"], "{found:?}");
}
