//! Questions begin at what had a part in the symptom, not in the middle of the run.

use crate::support::recorded::Recorded;
use test_support::Example;

/// The first question about an example, if its output should have been that of its mended twin.
fn first_question(example: &str) -> String {
    let recorded = Recorded::new(example);
    let model = Example::named(example).unwrap();
    let expected = recorded.folder.path().join("expected");
    std::fs::write(&expected, &model.fixed_output).unwrap();
    let expected = expected.display().to_string();
    let options = ["--expect-output", &expected, "--non-interactive", "--fresh"];
    recorded.say("ask", &options).err
}

#[test]
fn the_call_that_moved_a_piece_is_asked_about_first() {
    let asked = first_question("castling");
    assert!(
        asked.contains("expected \"long: king c1, rook d1\""),
        "{asked}"
    );
    assert!(asked.contains("castleLong("), "{asked}");
    assert!(!asked.contains("castleShort("), "{asked}");
}

#[test]
fn of_four_payslips_the_wrong_one_is_looked_into() {
    let asked = first_question("payroll");
    assert!(asked.contains("Otto"), "{asked}");
    for other in ["Ruth", "Paul", "Nora"] {
        assert!(!asked.contains(other), "{asked}");
    }
}

/// What a builder was given is followed, and what `Arrays.toString` found: otherwise nothing would be known of what
/// went into a text.
#[test]
fn a_text_is_followed_to_the_calls_whose_results_it_was_built_of() {
    let wrong = [
        ("bank", "this.accounts[\"rent\"].balance: 1200 → -800"),
        ("merge-sort", "c: [0, 0, 0, 0] → [1, 4, 9, 7]"),
    ];
    for (example, call) in wrong {
        let asked = first_question(example);
        assert!(asked.contains(call), "{example}: {asked}");
    }
}
