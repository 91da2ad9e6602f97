//! What a check gives.

use std::fmt;

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    /// From the repository's root.
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) what: String,
    pub(super) hint: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            file,
            line,
            what,
            hint,
        } = self;
        write!(formatter, "{file}:{line}: {what}: {hint}")
    }
}
