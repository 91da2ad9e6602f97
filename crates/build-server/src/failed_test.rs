//! A test that failed in a build.

use std::path::PathBuf;

/// See the module's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedTest {
    /// The binary name, `shop.CartTest$Discounted`.
    pub class: String,
    /// The method's name alone: what runners write behind it tells one of several runs.
    pub method: String,
    /// What the report says of the failure, its first line.
    pub message: String,
    /// The report.
    pub report: PathBuf,
}

impl FailedTest {
    /// As `--test` takes it.
    #[must_use]
    pub fn pattern(&self) -> String {
        format!("{}#{}", self.class, self.method)
    }

    /// A name for files.
    #[must_use]
    pub fn file_name(&self) -> String {
        let is_plain = |letter: char| letter.is_alphanumeric() || "._-".contains(letter);
        let name = format!("{}.{}", self.class, self.method);
        name.chars()
            .map(|letter| if is_plain(letter) { letter } else { '-' })
            .collect()
    }
}
