//! `--oracle-cmd`: a program that answers in a person's place.

mod support;

use support::recorded::merge_sort;

/// Says no to `sort` of several values and to the last merge, whose result has the nine before the seven.
const JUDGE: &str = r#"while read -r question; do
  case "$question" in
    *'9, 7]'*) echo '{"answer":"no"}';;
    *) echo '{"answer":"yes"}';;
  esac
done"#;

#[test]
fn a_command_finds_the_culprit_without_a_person() {
    let said = merge_sort().say("ask", &["--oracle-cmd", JUDGE, "--json"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let found = said.json();
    assert_eq!(found["outcome"], "found");
    assert_eq!(found["method"], "merge");
    assert_eq!(found["questions"]["person"], 0);
    assert!(found["questions"]["command"].as_u64() >= Some(1), "{found}");
}

#[test]
fn a_command_that_knows_nothing_leaves_the_suspects() {
    let judge = r#"while read -r q; do echo '{"answer":"unknown"}'; done"#;
    let said = merge_sort().say("ask", &["--oracle-cmd", judge, "--json"]);
    let found = said.json();
    assert_eq!(found["outcome"], "suspects", "{}", said.err);
}

#[test]
fn a_command_that_dies_is_told_of_and_the_rest_goes_on() {
    let said = merge_sort().say("ask", &["--oracle-cmd", "exit 7", "--json"]);
    assert!(said.err.contains("exit status: 7"), "{}", said.err);
    assert_eq!(said.json()["outcome"], "suspects", "{}", said.err);
}

#[test]
fn a_time_limit_without_a_command_is_a_mistake() {
    let said = merge_sort().say("ask", &["--oracle-timeout", "5"]);
    said.refused(2, "--oracle-cmd");
}
