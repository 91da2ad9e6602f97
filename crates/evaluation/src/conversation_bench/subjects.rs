//! What mutants are made of: libraries with their own tests, as Maven's central repository has both, and programs of
//! ours with tests of ours.
//!
//! Classes and tests lie in folders, as those of a project that is being worked on do: all of them are own code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use test_support::{
    Artifact, Example, ExampleVersion, Fixture, Jdk, Run, fetch_artifacts, workspace_root,
};

use super::recordings::folder_of;
use crate::record_bench::BenchError;

/// A library or a program, and the test classes that find mistakes in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject {
    pub(super) name: &'static str,
    origin: Origin,
    /// Jars that it or its tests need.
    needs: &'static [&'static str],
    /// Test classes, without `package`.
    tests: &'static [&'static str],
    package: &'static str,
    /// How many mutants are made of it.
    pub(super) mutants: usize,
}

#[derive(Debug, Clone, Copy)]
enum Origin {
    /// These coordinates, and those of its tests.
    Maven(&'static str),
    /// These coordinates, and test classes of ours in `java/library-tests`.
    MavenWithOurTests(&'static str),
    /// The fixed version of an example, and a test class of `java/mutant-tests`.
    Example,
}

/// Runs test classes of JUnit 3, 4 and 5.
const RUNNER: [&str; 3] = [
    "org.junit.platform:junit-platform-console-standalone:1.10.2",
    "junit:junit:4.13.2",
    "org.hamcrest:hamcrest:2.2",
];

pub(super) const ALL: &[Subject] = &[
    Subject {
        name: "commons-csv",
        origin: Origin::Maven("org.apache.commons:commons-csv:1.10.0"),
        needs: &["commons-io:commons-io:2.15.0"],
        tests: &[
            "LexerTest",
            "CSVRecordTest",
            "ExtendedBufferedReaderTest",
            "issues.JiraCsv288Test",
            "CSVFormatTest",
        ],
        package: "org.apache.commons.csv",
        mutants: 12,
    },
    Subject {
        name: "commons-codec",
        origin: Origin::Maven("commons-codec:commons-codec:1.16.0"),
        needs: &["org.apache.commons:commons-lang3:3.14.0"],
        tests: &[
            "language.SoundexTest",
            "language.MetaphoneTest",
            "net.URLCodecTest",
            "net.QuotedPrintableCodecTest",
            "language.NysiisTest",
            "language.ColognePhoneticTest",
        ],
        package: "org.apache.commons.codec",
        mutants: 12,
    },
    Subject {
        name: "commons-text",
        origin: Origin::Maven("org.apache.commons:commons-text:1.11.0"),
        needs: &["org.apache.commons:commons-lang3:3.14.0"],
        tests: &[
            "WordUtilsTest",
            "StringTokenizerTest",
            "StringSubstitutorTest",
            "similarity.LevenshteinDetailedDistanceTest",
            "diff.StringsComparatorTest",
            "ExtendedMessageFormatTest",
        ],
        package: "org.apache.commons.text",
        mutants: 12,
    },
    Subject {
        name: "commons-cli",
        origin: Origin::Maven("commons-cli:commons-cli:1.6.0"),
        needs: &[],
        tests: &[
            "HelpFormatterTest",
            "DefaultParserTest",
            "OptionGroupTest",
            "bug.BugsTest",
            "ApplicationTest",
            "PatternOptionBuilderTest",
        ],
        package: "org.apache.commons.cli",
        mutants: 12,
    },
    Subject {
        name: "commons-math3",
        origin: Origin::Maven("org.apache.commons:commons-math3:3.6.1"),
        needs: &[],
        tests: &[
            "analysis.polynomials.PolynomialFunctionTest",
            "linear.LUDecompositionTest",
            "stat.ranking.NaturalRankingTest",
            "fraction.FractionTest",
            "analysis.interpolation.SplineInterpolatorTest",
            "util.BigRealTest",
        ],
        package: "org.apache.commons.math3",
        mutants: 12,
    },
    Subject {
        name: "commons-lang3",
        origin: Origin::Maven("org.apache.commons:commons-lang3:3.14.0"),
        needs: &["org.apache.commons:commons-text:1.11.0"],
        tests: &[
            "math.FractionTest",
            "text.StrTokenizerTest",
            "CharSetTest",
            "RangeTest",
            "builder.CompareToBuilderTest",
            "text.WordUtilsTest",
        ],
        package: "org.apache.commons.lang3",
        mutants: 12,
    },
    Subject {
        name: "commons-validator",
        origin: Origin::Maven("commons-validator:commons-validator:1.8.0"),
        needs: &[],
        tests: &[
            "routines.ISBNValidatorTest",
            "routines.CreditCardValidatorTest",
            "routines.RegexValidatorTest",
            "routines.ISSNValidatorTest",
            "routines.checkdigit.IBANCheckDigitTest",
        ],
        package: "org.apache.commons.validator",
        mutants: 12,
    },
    with_our_tests(
        "jsoup",
        "org.jsoup:jsoup:1.17.2",
        &["SelectingTest", "CleaningTest"],
    ),
    with_our_tests("gson", "com.google.code.gson:gson:2.10.1", &["TreesTest"]),
    with_our_tests("joda-time", "joda-time:joda-time:2.12.7", &["DatesTest"]),
    program("avl-tree", &["AvlTreeTest"]),
    program("binary-tree", &["SearchTreeTest"]),
    program("b-tree", &["BTreeTest"]),
    program("heap-sort", &["HeapSortTest"]),
    program("hash-table", &["HashTableTest"]),
];

const fn with_our_tests(
    name: &'static str,
    coordinates: &'static str,
    tests: &'static [&'static str],
) -> Subject {
    Subject {
        origin: Origin::MavenWithOurTests(coordinates),
        mutants: 8,
        ..program(name, tests)
    }
}

const fn program(name: &'static str, tests: &'static [&'static str]) -> Subject {
    Subject {
        name,
        origin: Origin::Example,
        needs: &[],
        tests,
        package: "",
        mutants: 6,
    }
}

/// A subject, ready to be run.
pub(super) struct Material {
    /// What mutants are made of.
    pub(super) classes: PathBuf,
    /// The class path behind it.
    others: Vec<PathBuf>,
    pub(super) sources: Vec<PathBuf>,
}

impl Subject {
    /// The test classes by their full names.
    pub(super) fn tests(&self) -> Vec<String> {
        let full = |test: &&str| match self.package {
            "" => (*test).to_owned(),
            package => format!("{package}.{test}"),
        };
        self.tests.iter().map(full).collect()
    }

    /// Gets it and its tests, and puts both into folders below `parent`.
    pub(super) fn prepare(&self, parent: &Path, jdk: &Jdk) -> Result<Material, BenchError> {
        let runner = artifacts(&RUNNER)?;
        let needs = artifacts(self.needs)?;
        fetch_artifacts(runner.iter().chain(&needs))?;
        let jars = || runner.iter().chain(&needs).map(Artifact::jar);
        let (classes, tests, sources) = match self.origin {
            Origin::Maven(coordinates) => {
                let library: Artifact = coordinates.parse()?;
                let [tests, sources, test_sources] = ["tests", "sources", "test-sources"]
                    .map(|classifier| format!("{library}:{classifier}").parse::<Artifact>());
                let jars = [library, tests?, sources?, test_sources?];
                fetch_artifacts(&jars)?;
                let [library, tests, sources, test_sources] =
                    jars.map(|artifact| unpack(&artifact, parent, jdk));
                (library?, tests?, vec![sources?, test_sources?])
            }
            Origin::MavenWithOurTests(coordinates) => {
                let library: Artifact = coordinates.parse()?;
                let sources = library.sources();
                fetch_artifacts([&library, &sources])?;
                let classes = unpack(&library, parent, jdk)?;
                let (tests, folder) = self.our_tests("library-tests", &classes, jars())?;
                (classes, tests, vec![unpack(&sources, parent, jdk)?, folder])
            }
            Origin::Example => {
                let source = Example::named(self.name)?.source_dir(ExampleVersion::Fixed);
                let classes = Fixture::new().path(&source).compile()?.dir();
                let (tests, folder) = self.our_tests("mutant-tests", &classes, jars())?;
                (classes, tests, vec![source, folder])
            }
        };
        let mut others = vec![tests];
        others.extend(jars());
        Ok(Material {
            classes,
            others,
            sources,
        })
    }

    /// Test classes of ours, compiled, and where their sources are.
    fn our_tests(
        &self,
        kind: &str,
        classes: &Path,
        jars: impl Iterator<Item = PathBuf>,
    ) -> Result<(PathBuf, PathBuf), BenchError> {
        let mut folder = workspace_root().join("crates/evaluation/java").join(kind);
        if folder.join(self.name).is_dir() {
            folder = folder.join(self.name);
        }
        let mut fixture = Fixture::new().class_path([classes]).class_path(jars);
        for test in self.tests {
            fixture = fixture.path(folder.join(format!("{test}.java")));
        }
        Ok((fixture.compile()?.dir(), folder))
    }
}

impl Material {
    /// The command line that runs a test class, with a changed class before the others if there is one.
    pub(super) fn run(&self, jdk: &Jdk, test: &str, changed: Option<&Path>) -> Run {
        let before = changed.map(Path::to_owned);
        // Tests are short: who compiles them thoroughly takes longer than they do.
        Run::new(jdk)
            .jvm_arg("-XX:TieredStopAtLevel=1")
            .jvm_arg("-Duser.language=en")
            .jvm_arg("-Duser.country=US")
            .jvm_arg("-Duser.timezone=UTC")
            .class_path(before)
            .class_path([self.classes.clone()])
            .class_path(self.others.clone())
            .main_class("org.junit.platform.console.ConsoleLauncher")
            .args(["--disable-banner", "--disable-ansi-colors"])
            .args(["--details", "none", "--select-class", test])
    }
}

/// The folder with what a jar has in it.
fn unpack(artifact: &Artifact, parent: &Path, jdk: &Jdk) -> Result<PathBuf, BenchError> {
    let folder = folder_of(parent, "jar", artifact.to_string());
    if folder.is_dir() {
        return Ok(folder);
    }
    fs::create_dir_all(parent)?;
    let draft = tempfile::tempdir_in(parent)?;
    let no_jar = || std::io::Error::other("the JDK has no `jar`");
    let mut jar = Command::new(jdk.tool("jar").ok_or_else(no_jar)?);
    let unpacked = jar
        .arg("xf")
        .arg(artifact.jar())
        .current_dir(draft.path())
        .status()?;
    if !unpacked.success() {
        return Err(BenchError::Failed {
            what: format!("unpacking {artifact}"),
            status: unpacked.to_string(),
            stderr: String::new(),
        });
    }
    fs::rename(draft.keep(), &folder)?;
    Ok(folder)
}

fn artifacts(coordinates: &[&str]) -> Result<Vec<Artifact>, BenchError> {
    let parsed = coordinates.iter().map(|one| one.parse::<Artifact>());
    Ok(parsed.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_enough_of_several_libraries() {
        let libraries = ALL
            .iter()
            .filter(|subject| !matches!(subject.origin, Origin::Example));
        assert!(libraries.count() >= 5);
        let mutants: usize = ALL.iter().map(|subject| subject.mutants).sum();
        assert!(mutants >= 100, "{mutants}");
    }

    #[test]
    fn all_coordinates_can_be_read() {
        for subject in ALL {
            artifacts(subject.needs).unwrap();
            match subject.origin {
                Origin::Maven(coordinates) | Origin::MavenWithOurTests(coordinates) => {
                    coordinates.parse::<Artifact>().unwrap();
                }
                Origin::Example => {}
            }
        }
    }
}
