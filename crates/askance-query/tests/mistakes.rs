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
