//! How two lists of lines part: whether a line was changed, left out or put in where they first differ.
//!
//! The way from one list to the other with the fewest lines changed, left out and put in decides. A line that stands
//! elsewhere in the other list has only changed its place, and where two ways are as short, the line was changed: that
//! says least.

/// No more lines of each list than this are compared.
pub(crate) const MOST_COMPARED: usize = 200;

/// See the module's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parting {
    Changed,
    /// The expected line was not printed.
    LeftOut,
    /// The printed line was not expected.
    PutIn,
}

/// How lists of so many printed and expected lines part, whose first lines differ; `is_same` compares a printed line
/// with an expected one.
pub(crate) fn parting(
    printed: usize,
    expected: usize,
    is_same: impl Fn(usize, usize) -> bool,
) -> Parting {
    // The fewest changes from each place on, the last printed line first; each row is by expected lines.
    let mut below: Vec<usize> = (0..=expected).rev().collect();
    let mut current = below.clone();
    for printed_at in (0..printed).rev() {
        current = vec![printed - printed_at; expected + 1];
        for expected_at in (0..expected).rev() {
            current[expected_at] = match is_same(printed_at, expected_at) {
                true => below[expected_at + 1],
                false => {
                    let one_fewer = below[expected_at].min(current[expected_at + 1]);
                    1 + one_fewer.min(below[expected_at + 1])
                }
            };
        }
        if printed_at > 0 {
            below.clone_from(&current);
        }
    }
    if printed == 0 || expected == 0 {
        return Parting::Changed;
    }
    let (changed, left_out, put_in) = (below[1], current[1], below[0]);
    if left_out < changed.min(put_in) && !(0..printed).any(|at| is_same(at, 0)) {
        Parting::LeftOut
    } else if put_in < changed.min(left_out) && !(0..expected).any(|at| is_same(0, at)) {
        Parting::PutIn
    } else {
        Parting::Changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(printed: &str, expected: &str) -> Parting {
        let lines = |text: &str| -> Vec<String> { text.chars().map(String::from).collect() };
        let (printed, expected) = (lines(printed), lines(expected));
        parting(printed.len(), expected.len(), |one, other| {
            printed[one] == expected[other]
        })
    }

    #[test]
    fn a_line_that_stands_nowhere_was_left_out_or_put_in() {
        assert_eq!(check("bcd", "abcd"), Parting::LeftOut);
        assert_eq!(check("cd", "abcd"), Parting::LeftOut);
        assert_eq!(check("xabc", "abc"), Parting::PutIn);
        assert_eq!(check("b", "ab"), Parting::LeftOut);
    }

    #[test]
    fn what_is_no_shorter_told_otherwise_was_changed() {
        assert_eq!(check("x", "a"), Parting::Changed);
        assert_eq!(check("xbc", "abc"), Parting::Changed);
        assert_eq!(check("xy", "ab"), Parting::Changed);
        assert_eq!(check("", "a"), Parting::Changed);
    }

    #[test]
    fn a_line_in_another_place_was_not_left_out() {
        assert_eq!(check("cab", "abc"), Parting::Changed);
        assert_eq!(check("bca", "abc"), Parting::Changed);
    }
}
