//! What was found out about the tests of a build that failed.

use std::fmt;
use std::path::PathBuf;

use crate::FailedTest;

/// Code that is to blame, or may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    pub class: String,
    /// None if what the class extends or implements is to blame.
    pub method: Option<String>,
    /// The path of the source in the checkout; the file's name where that is not known.
    pub file: Option<PathBuf>,
    pub lines: Vec<u32>,
}

impl Blame {
    #[must_use]
    pub fn first_line(&self) -> Option<u32> {
        self.lines.first().copied()
    }
}

impl fmt::Display for Blame {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.method {
            Some(method) => write!(formatter, "{}.{method}", self.class)?,
            None => write!(formatter, "the declaration of {}", self.class)?,
        }
        match (&self.file, self.first_line()) {
            (Some(file), Some(line)) => write!(formatter, " ({}:{line})", file.display()),
            (Some(file), None) => write!(formatter, " ({})", file.display()),
            (None, _) => Ok(()),
        }
    }
}

/// See [`TestFinding`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// This is to blame. If `experiments` is not zero, that many runs with the other version's code have shown it.
    Found { blame: Vec<Blame>, experiments: u64 },
    /// These files, which are no code, are to blame, as that many runs have shown.
    Resources {
        paths: Vec<String>,
        experiments: u64,
    },
    /// One of these may be, the likeliest first.
    Suspects(Vec<Blame>),
    /// It passed when it was run again.
    Flaky,
    /// Nothing could be found out, for this reason.
    Undecided(String),
}

/// What was found out about one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFinding {
    pub test: FailedTest,
    pub kind: FindingKind,
    /// The trace, to look at.
    pub trace: Option<PathBuf>,
    /// What was found, on a page that needs no server.
    pub page: Option<PathBuf>,
}

impl TestFinding {
    /// One sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let list = |blame: &[Blame]| {
            let told: Vec<String> = blame.iter().map(Blame::to_string).collect();
            told.join(", ")
        };
        match &self.kind {
            FindingKind::Found { blame, experiments } => {
                format!("the bug is in {}{}", list(blame), proof(*experiments))
            }
            FindingKind::Resources { paths, experiments } => {
                format!("the bug is in {}{}", paths.join(", "), proof(*experiments))
            }
            FindingKind::Suspects(blame) if blame.is_empty() => "no suspect is known".to_owned(),
            FindingKind::Suspects(blame) => {
                format!("suspects, the likeliest first: {}", list(blame))
            }
            FindingKind::Flaky => "flaky: it passed when it was run again".to_owned(),
            FindingKind::Undecided(reason) => format!("nothing was found out: {reason}"),
        }
    }

    /// The code at which a server should show the finding.
    #[must_use]
    pub fn blamed(&self) -> &[Blame] {
        match &self.kind {
            FindingKind::Found { blame, .. } => blame,
            FindingKind::Suspects(blame) => blame.get(..1).unwrap_or_default(),
            FindingKind::Resources { .. } | FindingKind::Flaky | FindingKind::Undecided(_) => &[],
        }
    }
}

fn proof(experiments: u64) -> String {
    match experiments {
        0 => String::new(),
        1 => ", verified by one run".to_owned(),
        runs => format!(", verified by {runs} runs"),
    }
}
