//! `--oracle-cmd`: a program that answers in a person's place.

use crate::support::recorded::merge_sort;

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
fn how_sure_it_was_is_told_and_what_it_was_least_sure_of_is_doubted_first() {
    // Calls the last merge right, and is not sure of it; then a person objects.
    let judge = r#"while read -r question; do
      case "$question" in
        *'"method":"merge"'*'9, 7]'*) echo '{"answer":"yes","confidence":0.3}';;
        *'9, 7]'*) echo '{"answer":"no","confidence":0.9}';;
        *) echo '{"answer":"yes","confidence":0.9}';;
      esac
    done"#;
    let folder = merge_sort().folder.path();
    std::fs::write(folder.join("objection.txt"), "r\nno\n").expect("the folder is ours");
    let options = [
        "--strategy",
        "ranges",
        "--oracle-cmd",
        judge,
        "--answers",
        "objection.txt",
    ];
    let said = merge_sort().say("ask", &options);
    assert!(
        said.err
            .contains("right (oracle command, 30 % sure): merge("),
        "{}",
        said.err
    );
    assert!(
        said.err
            .contains("called right before (oracle command, 30 % sure)"),
        "{}",
        said.err
    );
    assert!(
        said.out.contains("The bug is in Main.merge"),
        "{}",
        said.out
    );
    assert!(
        said.out
            .contains("was called right (oracle command, 30 % sure), then wrong (you)"),
        "{}",
        said.out
    );
}

#[test]
fn what_a_command_is_not_sure_of_is_asked() {
    let unsure = [
        "--oracle-cmd",
        r#"while read -r q; do echo '{"answer":"yes","confidence":0.6}'; done"#,
        "--min-confidence",
        "0.7",
        "--json",
    ];
    let said = merge_sort().say("ask", &unsure);
    assert!(
        said.err.contains("only 60 % sure of an answer"),
        "{}",
        said.err
    );
    assert_eq!(said.json()["outcome"], "suspects", "{}", said.err);
    merge_sort()
        .say("ask", &["--min-confidence", "70"])
        .refused(2, "from 0 to 1");
}

#[test]
fn a_command_that_is_late_or_babbles_leaves_the_rest_to_others() {
    let late = [
        "--oracle-cmd",
        "sleep 600",
        "--oracle-timeout",
        "0.3",
        "--json",
    ];
    let said = merge_sort().say("ask", &late);
    assert!(
        said.err.contains("has not answered within 0.3 seconds"),
        "{}",
        said.err
    );
    assert_eq!(said.json()["outcome"], "suspects", "{}", said.err);

    let babble = [
        "--oracle-cmd",
        "while read -r q; do echo perhaps; done",
        "--json",
    ];
    let said = merge_sort().say("ask", &babble);
    assert!(said.err.contains("which is no answer"), "{}", said.err);
    assert_eq!(said.json()["outcome"], "suspects", "{}", said.err);
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
