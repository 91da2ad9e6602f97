//! A test that failed in a build.

use std::path::PathBuf;

/// See the module's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedTest {
    /// The binary name, `shop.CartTest$Discounted`.
    pub class: String,
    /// The method's name alone: what runners write behind it tells one of several runs. `None` if the report has only
    /// a name for people, and its stack trace leads through no method of the class.
    pub method: Option<String>,
    /// Whether the runner takes each run of the method for a test of its own, `total[10 pieces]`, as JUnit 4 does.
    pub is_numbered: bool,
    /// What the report says of the failure, its first line.
    pub message: String,
    /// The report.
    pub report: PathBuf,
}

impl FailedTest {
    /// As `--test` takes it.
    #[must_use]
    pub fn pattern(&self) -> String {
        self.with_method("#")
    }

    /// A name for files.
    #[must_use]
    pub fn file_name(&self) -> String {
        let is_plain = |letter: char| letter.is_alphanumeric() || "._-".contains(letter);
        let name = self.with_method(".");
        name.chars()
            .map(|letter| if is_plain(letter) { letter } else { '-' })
            .collect()
    }

    /// The class and, behind this, the method; of a method that is not known the class alone.
    pub(crate) fn with_method(&self, separator: &str) -> String {
        match &self.method {
            Some(method) => format!("{}{separator}{method}", self.class),
            None => self.class.clone(),
        }
    }
}
