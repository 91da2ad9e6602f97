//! `--never`: a call inside which a query finds something is wrong, and the search begins there.

use std::path::Path;

use crate::support::recorded::Recorded;
use crate::support::{Said, askance, companion};

const BELOW_ZERO: &str = "SELECT node, time FROM write WHERE field = 'balance' AND new_number < 0";

/// Searches for what should never be, with the executable that was built beside this one.
fn search(bank: &Recorded, companion: &Path, never: &str, more: &[&str]) -> Said {
    let mut command = askance(bank.folder.path());
    command.env("ASKANCE_QUERY", companion);
    command.args(["ask", "trace", "--non-interactive", "--never", never]);
    command.args(more).output().unwrap().into()
}

#[test]
fn what_should_never_be_found_is_where_the_search_begins() {
    let Some(companion) = companion() else {
        return;
    };
    let bank = Recorded::new("bank");
    let more = ["--trust", "InsufficientFunds", "--json"];
    let said = search(&bank, &companion, BELOW_ZERO, &more);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let told = "--never finds 1 row in 1 call; the search begins in call #28 of";
    assert!(said.err.contains(told), "{}", said.err);
    let found = said.json();
    assert_eq!(found["outcome"], "found", "{found}");
    assert_eq!(found["method"], "withdraw");
    assert_eq!(found["questions"]["person"], 0);
}

#[test]
fn a_property_that_holds_or_is_none_is_told_of() {
    let Some(companion) = companion() else {
        return;
    };
    let bank = Recorded::new("bank");
    let refusal = |never: &str, more: &[&str]| search(&bank, &companion, never, more);
    let never = "SELECT node FROM call WHERE result_number > 1000000";
    refusal(never, &[]).refused(1, "--never finds nothing, as it should");
    refusal(BELOW_ZERO, &["--root", "15"]).refused(1, "--never finds nothing inside call #15");
    let said = refusal("SELECT method FROM call", &[]);
    said.refused(2, "they have no column node");
    assert!(said.err.contains("hint: select it"), "{}", said.err);
    refusal("SELECT nod FROM call", &[]).refused(2, "there is no column nod");
}
