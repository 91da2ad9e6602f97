//! A recorded program with a known mistake in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A part of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CorpusPart {
    Examples,
    Mutants,
    Regressions,
}

impl CorpusPart {
    pub const ALL: [CorpusPart; 3] = [
        CorpusPart::Examples,
        CorpusPart::Mutants,
        CorpusPart::Regressions,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CorpusPart::Examples => "examples",
            CorpusPart::Mutants => "mutants",
            CorpusPart::Regressions => "regressions",
        }
    }
}

/// See the module's header. It lies in a folder of its own, with its recording beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    pub part: CorpusPart,
    /// The example, the library.
    pub program: String,
    /// What tells it from others of the same program.
    pub name: String,
    /// The mistake, in a few words.
    pub what: String,
    /// The methods that are to blame, any of them: `a.b.C$D.method`, with its descriptor where that is known.
    pub culprits: Vec<String>,
    /// The line of the one instruction that is wrong, if it is known to be a single one.
    pub line: Option<u32>,
    /// What the program should have printed, where nothing but its output shows the mistake.
    pub expected_output: Option<String>,
    /// The recording of the working version.
    pub reference: PathBuf,
    /// Where the sources are.
    pub sources: Vec<PathBuf>,
}

const FILE: &str = "case.json";

impl Case {
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Reads the case that a folder has.
    ///
    /// # Errors
    /// If there is none.
    pub fn read(folder: &Path) -> io::Result<Case> {
        Ok(serde_json::from_slice(&fs::read(folder.join(FILE))?)?)
    }

    /// Written last: a folder with a case in it is complete.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        fs::write(folder.join(FILE), serde_json::to_vec_pretty(self)?)
    }

    /// Whether a method is to blame.
    pub(super) fn blames(&self, method: &MethodName) -> bool {
        self.culprits
            .iter()
            .any(|one| *one == method.plain || *one == method.full)
    }
}

/// How a method is named in a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MethodName {
    /// `a.b.C$D.method`
    pub(super) plain: String,
    /// With its descriptor.
    pub(super) full: String,
}

impl MethodName {
    pub(super) fn new(class: &str, method: &str, descriptor: &str) -> MethodName {
        let plain = format!("{}.{method}", class.replace('/', "."));
        MethodName {
            full: format!("{plain}{descriptor}"),
            plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn culprits_are_named_with_or_without_their_descriptor() {
        let case = |culprit: &str| Case {
            part: CorpusPart::Examples,
            program: String::new(),
            name: String::new(),
            what: String::new(),
            culprits: vec![culprit.to_owned()],
            line: None,
            expected_output: None,
            reference: PathBuf::new(),
            sources: Vec::new(),
        };
        let method = MethodName::new("shop/Cart", "total", "(I)I");
        assert!(case("shop.Cart.total").blames(&method));
        assert!(case("shop.Cart.total(I)I").blames(&method));
        assert!(!case("shop.Cart.total(J)I").blames(&method));
        assert!(!case("shop.Cart.tot").blames(&method));
    }
}
