//! Java programs that keep a library busy, one for each library that Askance is tried on, and three
//! without a library; and programs whose runs are large, with a planted bug.
//!
//! Each is a class `Workload` that takes a scale, makes its input in memory (or in a temporary folder,
//! which it deletes), works on it as many times, prints a checksum and the message of an exception that
//! it provokes, and exits with 0. Those that work with several threads take their number as a second
//! argument. The output depends on nothing but the scale, so a recorded run can be compared with a
//! plain one.

use std::path::PathBuf;

use crate::{Classes, Fixture, FixtureError, Jdk, Library, Run, workspace_root};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    pub name: &'static str,
    /// The name of the [`Library`] that it uses.
    library: Option<&'static str>,
    /// Options that open modules.
    pub jvm_args: &'static [&'static str],
    /// Whether several threads share the work, whose number can be chosen.
    pub is_threaded: bool,
    /// Takes well under a second without recording.
    pub test_scale: u32,
    /// Takes a few seconds of CPU time without recording, or makes a trace of about one gigabyte: with
    /// more, the page cache fills and the disk is measured.
    pub bench_scale: u32,
}

/// Few calls and many elements, for the benchmark of arrays: its trace grows with its scale.
pub const ARRAYS: Workload = plain("arrays", 100);

const ALL: &[Workload] = &[
    plain("fib", 400),
    plain("mergesort", 80),
    plain("wordcount", 150),
    with_library("kxml2", 120),
    with_library("htmlcleaner", 40),
    with_library("jsoup", 70),
    with_library("rhino", 60),
    with_library("javassist", 40),
    Workload {
        // It defines classes through a method of ClassLoader that is closed by default.
        jvm_args: &["--add-opens", "java.base/java.lang=ALL-UNNAMED"],
        ..with_library("cglib", 70)
    },
    with_library("commons-lang3", 120),
    with_library("commons-math3", 40),
    with_library("closure-compiler", 3),
    with_library("antlr4-runtime", 150),
    with_library("h2", 15),
    with_library("hsqldb", 15),
    with_library("derby", 3),
    with_library("lucene", 5),
    threaded("netty", 20),
    threaded("jetty", 15),
    threaded("tomcat", 12),
    threaded("undertow", 20),
    with_library("ecj", 2),
    with_library("kotlin-compiler", 1),
    with_library("groovy", 2),
    with_library("clojure", 8),
    with_library("nashorn", 8),
    with_library("jython", 10),
    with_library("xalan", 12),
    with_library("saxon", 8),
    with_library("batik", 8),
    with_library("fop", 3),
    with_library("jackson", 60),
    with_library("avro", 60),
    with_library("spring", 12),
    with_library("hibernate", 10),
    with_library("ejml", 40),
    with_library("weka", 8),
    with_library("guava", 80),
    with_library("commons-compress", 5),
    with_library("jgrapht", 60),
    with_library("opennlp", 15),
];

/// The folder of what the workloads with several threads have in common.
const CLIENTS: &str = "clients";

/// Runs that are large in one way each. In each, one method is called once, and wrongly.
const LARGE: &[Large] = &[
    Large {
        workload: Workload {
            test_scale: 100,
            ..plain("ledger", 17_000)
        },
        culprit: "Fees.large",
    },
    Large {
        workload: plain("wide", 1000),
        culprit: "Workload.special",
    },
    Large {
        workload: plain("deep", 1000),
        culprit: "Workload.special",
    },
];

/// A workload with a planted bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Large {
    pub workload: Workload,
    /// The method that has the bug, as `Class.method`.
    pub culprit: &'static str,
}

impl Large {
    pub fn all() -> &'static [Large] {
        LARGE
    }
}

impl Workload {
    pub fn all() -> &'static [Workload] {
        ALL
    }

    /// Those whose libraries every machine has after its set-up.
    pub fn usual() -> impl Iterator<Item = &'static Workload> {
        ALL.iter()
            .filter(|workload| workload.library().is_none_or(Library::is_usual))
    }

    pub fn named(name: &str) -> Option<&'static Workload> {
        ALL.iter().find(|workload| workload.name == name)
    }

    pub fn library(&self) -> Option<&'static Library> {
        Library::named(self.library?)
    }

    pub fn is_available(&self) -> bool {
        self.missing_library().is_none()
    }

    /// The library that it needs and that is not there.
    pub fn missing_library(&self) -> Option<&'static Library> {
        self.library().filter(|library| !library.is_installed())
    }

    /// The class path without the workload's own classes.
    pub fn library_class_path(&self) -> Vec<PathBuf> {
        self.library().map(Library::class_path).unwrap_or_default()
    }

    pub fn source_dir(&self) -> PathBuf {
        sources().join(self.name)
    }

    pub fn compile(&self) -> Result<Classes, FixtureError> {
        self.fixture().compile()
    }

    fn fixture(&self) -> Fixture {
        let mut fixture = Fixture::new().path(self.source_dir());
        if self.is_threaded {
            fixture = fixture.path(sources().join(CLIENTS));
        }
        fixture.class_path(self.library_class_path())
    }

    /// The command line `java … Workload SCALE`, ready to be run or prefixed with a recorder.
    pub fn run(&self, jdk: &Jdk, scale: u32) -> Result<Run, FixtureError> {
        let mut run = self
            .fixture()
            .compile_for(jdk)?
            .run(jdk)
            .class_path(self.library_class_path());
        // Without modules nothing is closed.
        if jdk.feature() >= 9 {
            for arg in self.jvm_args {
                run = run.jvm_arg(*arg);
            }
        }
        Ok(run.main_class("Workload").arg(scale.to_string()))
    }
}

fn sources() -> PathBuf {
    workspace_root().join("crates/test-support/workloads")
}

const fn plain(name: &'static str, bench_scale: u32) -> Workload {
    Workload {
        name,
        library: None,
        jvm_args: &[],
        is_threaded: false,
        test_scale: 1,
        bench_scale,
    }
}

const fn with_library(name: &'static str, bench_scale: u32) -> Workload {
    Workload {
        library: Some(name),
        ..plain(name, bench_scale)
    }
}

const fn threaded(name: &'static str, bench_scale: u32) -> Workload {
    Workload {
        is_threaded: true,
        ..with_library(name, bench_scale)
    }
}
