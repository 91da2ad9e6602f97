//! The symptom as a predicate: what the right version shows, what the wrong one shows, and what is
//! neither.
//!
//! Each version runs twice. What differs between two runs of the same version (times, addresses) says
//! nothing, so outputs are compared as exactly as both versions agree with themselves: word for word,
//! or without numbers, or only by how the program ends.

use launch::rerun::Observed;

/// What an experiment showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// What the right version shows.
    Right,
    /// The symptom.
    Wrong,
    /// Neither: it did not link, failed in another way, or was not run.
    Unresolved,
}

/// Why no experiment can tell anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SymptomError {
    #[error("both versions print the same and end in the same way")]
    NoDifference,
    #[error("two runs of the same version do not show the same: it is flaky")]
    Flaky,
}

/// How exactly runs are compared, the most exact first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exactness {
    Words,
    WithoutNumbers,
    End,
}

/// See the module's header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibleSymptom {
    exactness: Exactness,
    right: String,
    wrong: String,
}

impl VisibleSymptom {
    /// What tells two runs of the right version from two of the wrong one.
    ///
    /// # Errors
    /// If nothing does.
    pub fn of(
        right: [&Observed; 2],
        wrong: [&Observed; 2],
    ) -> Result<VisibleSymptom, SymptomError> {
        for exactness in [Exactness::Words, Exactness::WithoutNumbers, Exactness::End] {
            let views = |runs: [&Observed; 2]| runs.map(|run| view(run, exactness));
            let ([right, right_again], [wrong, wrong_again]) = (views(right), views(wrong));
            if right != right_again || wrong != wrong_again {
                continue;
            }
            if right != wrong {
                return Ok(VisibleSymptom {
                    exactness,
                    right,
                    wrong,
                });
            }
            // What is the same word for word is the same in any way.
            if exactness == Exactness::Words {
                return Err(SymptomError::NoDifference);
            }
        }
        Err(SymptomError::Flaky)
    }

    /// Whether it goes by what was printed.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.exactness != Exactness::End
    }

    /// What a run shows.
    #[must_use]
    pub fn seen(&self, run: &Observed) -> Seen {
        let view = view(run, self.exactness);
        if view == self.right {
            Seen::Right
        } else if view == self.wrong {
            Seen::Wrong
        } else {
            Seen::Unresolved
        }
    }
}

/// How a run looks from outside.
fn view(run: &Observed, exactness: Exactness) -> String {
    if run.end.timed_out {
        return "does not end".to_owned();
    }
    let end = run.end.describe();
    let thrown = thrown(&run.errors);
    match exactness {
        Exactness::Words => format!("{end}\n{}\n{}", without_addresses(&thrown), run.output),
        Exactness::WithoutNumbers => {
            format!(
                "{end}\n{}\n{}",
                without_numbers(&thrown),
                without_numbers(&run.output)
            )
        }
        Exactness::End => {
            let classes = thrown.lines().filter_map(|line| line.split(": ").next());
            format!(
                "{end}\n{}",
                without_numbers(&classes.collect::<Vec<_>>().join("\n"))
            )
        }
    }
}

/// What ended a program, without where it was thrown: a hybrid's lines are others.
fn thrown(errors: &str) -> String {
    let mut text = String::new();
    let mut is_inside = false;
    for line in errors.lines() {
        let begins = line.starts_with("Exception in thread ") || line.starts_with("Caused by: ");
        let is_frame =
            line.trim_start().starts_with("at ") || line.trim_start().starts_with("... ");
        is_inside = begins || is_inside && !is_frame;
        if is_inside {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// `Cart@` for `Cart@1b6d3586`.
fn without_addresses(text: &str) -> String {
    let mut pieces = text.split('@');
    let mut new = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        new.push('@');
        new.push_str(piece.trim_start_matches(|sign: char| sign.is_ascii_hexdigit()));
    }
    new
}

/// `#` for every number.
fn without_numbers(text: &str) -> String {
    let mut new = String::with_capacity(text.len());
    let mut was_digit = false;
    for sign in without_addresses(text).chars() {
        let is_digit = sign.is_ascii_digit() || was_digit && matches!(sign, '.' | ',');
        match (is_digit, was_digit) {
            (false, _) => new.push(sign),
            (true, false) => new.push('#'),
            (true, true) => {}
        }
        was_digit = is_digit;
    }
    new
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use launch::process::ProgramEnd;

    use super::*;

    fn observed(code: i32, output: &str, errors: &str) -> Observed {
        Observed {
            end: ProgramEnd {
                code: Some(code),
                signal: None,
                timed_out: false,
            },
            output: output.to_owned(),
            errors: errors.to_owned(),
            spent: Duration::ZERO,
        }
    }

    #[test]
    fn outputs_are_told_apart_word_for_word_if_they_are_stable() {
        let (right, wrong) = (observed(0, "7\n", ""), observed(0, "8\n", ""));
        let symptom = VisibleSymptom::of([&right, &right], [&wrong, &wrong]).unwrap();
        assert_eq!(symptom.seen(&right), Seen::Right);
        assert_eq!(symptom.seen(&wrong), Seen::Wrong);
        assert_eq!(symptom.seen(&observed(0, "9\n", "")), Seen::Unresolved);
    }

    #[test]
    fn times_do_not_count() {
        let run = |time: &str, word: &str| observed(0, &format!("Time: {time} {word}"), "");
        let symptom = VisibleSymptom::of(
            [&run("0.1", "OK"), &run("0.2", "OK")],
            [&run("0.3", "FAILURES"), &run("0.31", "FAILURES")],
        );
        let symptom = symptom.unwrap();
        assert_eq!(symptom.seen(&run("12.5", "OK")), Seen::Right);
        assert_eq!(symptom.seen(&run("7", "FAILURES")), Seen::Wrong);
    }

    #[test]
    fn an_exception_counts_and_its_frames_do_not() {
        let thrown =
            "Exception in thread \"main\" X: no\n\tat a.B(B.java:7)\nCaused by: Y\n\tat c\n";
        let moved = thrown.replace(":7", ":9");
        let (right, wrong) = (observed(0, "", ""), observed(1, "", thrown));
        let symptom = VisibleSymptom::of([&right, &right], [&wrong, &wrong]).unwrap();
        assert_eq!(symptom.seen(&observed(1, "", &moved)), Seen::Wrong);
        let other = thrown.replace("X: no", "X: yes");
        assert_eq!(symptom.seen(&observed(1, "", &other)), Seen::Unresolved);
    }

    #[test]
    fn what_does_not_differ_or_differs_from_itself_is_no_symptom() {
        let (one, other) = (observed(0, "a", ""), observed(0, "b", ""));
        let same = VisibleSymptom::of([&one, &one], [&one, &one]);
        assert_eq!(same, Err(SymptomError::NoDifference));
        let printed = |word: &str| observed(0, word, "");
        let by_chance = VisibleSymptom::of(
            [&printed("1"), &printed("1")],
            [&printed("617"), &printed("38")],
        );
        assert_eq!(by_chance, Err(SymptomError::Flaky));
        let ended = observed(1, "", "");
        let flaky = VisibleSymptom::of([&one, &ended], [&other, &other]);
        assert_eq!(flaky, Err(SymptomError::Flaky));
    }
}
