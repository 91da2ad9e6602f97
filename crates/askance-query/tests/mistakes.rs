//! What cannot be asked gets a sentence, and changes nothing.

use crate::common::{command, database, rows};

fn refusal(sql: &str) -> (String, String) {
    let till = java_model::sketches::till();
    let failure = rows(&database(till.folder.path()), sql).unwrap_err();
    (failure.sentence, failure.hint.unwrap_or_default())
}

#[test]
fn nothing_can_be_changed_or_read_elsewhere() {
    let statements = [
        "CREATE TABLE other AS SELECT * FROM call",
        "CREATE VIEW other AS SELECT * FROM call",
        "CREATE EXTERNAL TABLE other STORED AS CSV LOCATION '/etc/passwd'",
        "DROP TABLE call",
        "INSERT INTO call VALUES (1)",
        "DELETE FROM call",
        "UPDATE call SET node = 1",
        "COPY call TO '/tmp/askance-copied.csv'",
        "COPY (SELECT 1) TO '/tmp/askance-copied.csv'",
        "SET datafusion.execution.batch_size = 1",
        "EXPLAIN INSERT INTO call VALUES (1)",
        "EXPLAIN ANALYZE CREATE TABLE other AS SELECT 1",
        "PREPARE other AS SELECT 1",
        "BEGIN",
    ];
    for statement in statements {
        let (sentence, _) = refusal(statement);
        assert!(
            sentence.starts_with("only questions can be asked"),
            "{statement}: {sentence}"
        );
    }
    assert!(!std::path::Path::new("/tmp/askance-copied.csv").exists());
    let (sentence, _) = refusal("SELECT * FROM '/etc/passwd'");
    assert_eq!(sentence, "there is no table /etc/passwd");
}

#[test]
fn names_that_are_not_there_are_answered_with_ones_that_are() {
    let (sentence, hint) = refusal("SELECT * FROM cals");
    assert_eq!(sentence, "there is no table cals");
    assert_eq!(hint, "did you mean call?");
    let (sentence, hint) = refusal("SELECT metod FROM call");
    assert_eq!(sentence, "there is no column metod");
    assert_eq!(hint, "did you mean method?");
    let (_, hint) = refusal("SELECT colour FROM thread");
    assert_eq!(hint, "there are run, thread, name, calls");
}

#[test]
fn functions_that_are_not_there_are_answered_with_ones_that_are() {
    let expected = [
        (
            "SELECT statee(1, 2)",
            "there is no function statee",
            "did you mean state?",
        ),
        (
            "SELECT uper('a')",
            "there is no function uper",
            "did you mean upper?",
        ),
        (
            "SELECT * FROM belw(3)",
            "there is no table function belw",
            "there is below(node)",
        ),
        (
            "SELECT at(node) FROM call",
            "at() takes other arguments",
            "it is at(node, path)",
        ),
        (
            "SELECT state('a', 2)",
            "state() takes other arguments",
            "it is state(object, time)",
        ),
    ];
    for (sql, sentence, hint) in expected {
        assert_eq!(
            refusal(sql),
            (sentence.to_owned(), hint.to_owned()),
            "{sql}"
        );
    }
}

#[test]
fn what_the_engine_says_is_one_sentence() {
    let (sentence, hint) = refusal("SELECT node FROM call JOIN argument USING (run)");
    assert!(sentence.starts_with("Ambiguous reference"), "{sentence}");
    assert_eq!(hint, "say of which table: call.node");
    let till = java_model::sketches::till();
    let trace = till.folder.path().to_str().unwrap();
    for (sql, said) in [
        (
            "SELECT node / 0 FROM call",
            "askance: Divide by zero error\n",
        ),
        (
            "SELECT CAST(method AS INT) FROM call",
            "askance: Cannot cast string 'main' to value of Int32 type\n",
        ),
    ] {
        let answer = command(&["query", trace, sql]);
        assert_eq!(answer.status.code(), Some(2), "{sql}");
        assert_eq!(String::from_utf8(answer.stderr).unwrap(), said, "{sql}");
    }
}

#[test]
fn an_answer_without_rows_has_its_columns() {
    let till = java_model::sketches::till();
    let trace = till.folder.path().to_str().unwrap();
    let sql = "SELECT node, method FROM call WHERE node < 0";
    let answer = |format: &str| command(&["query", "--format", format, trace, sql]).stdout;
    assert_eq!(answer("csv"), b"node,method\n");
    assert_eq!(answer("json"), b"[]\n");
    assert_eq!(&answer("parquet")[..4], b"PAR1");
    assert_eq!(&answer("arrow")[..6], b"ARROW1");
}

#[test]
fn what_is_no_sql_is_said_to_be_none() {
    let (sentence, _) = refusal("SELEKT node FROM call");
    assert!(
        sentence.starts_with("this is no SQL that can be understood"),
        "{sentence}"
    );
    let (sentence, _) = refusal("");
    assert_eq!(sentence, "the query is empty");
    let (sentence, _) = refusal("SELECT 1; SELECT 2");
    assert_eq!(sentence, "a query is one statement, and this is several");
    let (sentence, _) = refusal("SELECT * FROM below(77)");
    assert_eq!(
        sentence,
        "there is no call 77: calls are numbered from 0 to 5"
    );
}

#[test]
fn the_executable_says_it_in_one_sentence() {
    let answer = command(&["query", "/no/such/trace", "SELECT 1"]);
    assert_eq!(answer.status.code(), Some(2));
    assert!(answer.stdout.is_empty());
    let said = String::from_utf8(answer.stderr).unwrap();
    assert!(
        said.starts_with("askance: ") && said.contains("/no/such/trace"),
        "{said}"
    );
    assert!(said.contains("hint: name a folder"), "{said}");
}

#[test]
fn rows_that_were_not_to_be_there_are_an_exit_code() {
    let till = java_model::sketches::till();
    let trace = till.folder.path().to_str().unwrap();
    let expect = |sql: &str| command(&["query", trace, "--expect", sql]).status.code();
    assert_eq!(
        expect("SELECT * FROM call WHERE outcome = 'threw'"),
        Some(1)
    );
    assert_eq!(
        expect("SELECT * FROM call WHERE result_number < 0"),
        Some(0)
    );
    assert_eq!(expect("SELECT * FROM cals"), Some(2));
}
