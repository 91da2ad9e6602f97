//! The lines on which two versions of a method differ, told from their code.
//!
//! If a call is wrong, all calls below it are right, and the other version did right from the same
//! state, then what differs between the two versions of its own code is to blame. Instructions are
//! compared with their constants spelled out and without the places that jumps go to, so that code
//! which only moved is the same.

use std::collections::BTreeSet;

use classfile::alignment::Alignment;
use classfile::normal_form::NormalCode;

/// The lines of our version of a method that differ from the other; where ours lacks something, the
/// lines around the gap.
#[must_use]
pub(super) fn changed_lines(mine: &NormalCode, others: &NormalCode) -> BTreeSet<u32> {
    let alignment = Alignment::of(mine, others);
    let hunks = alignment.hunks.iter();
    hunks
        .flat_map(|hunk| alignment.our_lines(hunk, mine))
        .collect()
}
