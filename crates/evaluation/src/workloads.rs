//! Java programs that keep a library busy, one for each of Debian's libraries that Askance is
//! tried on, and three without a library; and programs whose runs are large, with a planted bug.
//!
//! Each is a class `Workload` that takes a scale, makes its input in memory, works on it as many
//! times, prints a checksum and the message of an exception that it provokes, and exits with 0.
//! The output depends on nothing but the scale, so a recorded run can be compared with a plain one.

use std::path::PathBuf;

use test_support::{Classes, CompileError, Fixture, Jdk, Library, Run, workspace_root};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    pub name: &'static str,
    /// The name of the [`Library`] that it uses.
    library: Option<&'static str>,
    pub jvm_args: &'static [&'static str],
    /// Takes well under a second without recording.
    pub test_scale: u32,
    /// Takes one to two seconds of CPU time without recording, or makes a trace of about two
    /// gigabytes: with more, the page cache fills and the disk is measured.
    pub bench_scale: u32,
}

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
];

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

    pub fn named(name: &str) -> Option<&'static Workload> {
        ALL.iter().find(|workload| workload.name == name)
    }

    pub fn library(&self) -> Option<&'static Library> {
        Library::named(self.library?)
    }

    /// The Debian package that it needs.
    pub fn package(&self) -> Option<&'static str> {
        self.library().map(|library| library.package)
    }

    pub fn is_available(&self) -> bool {
        self.library().is_none_or(Library::is_installed)
    }

    /// The class path without the workload's own classes.
    pub fn library_class_path(&self) -> Vec<PathBuf> {
        self.library().map(Library::class_path).unwrap_or_default()
    }

    pub fn source_dir(&self) -> PathBuf {
        workspace_root()
            .join("crates/evaluation/workloads")
            .join(self.name)
    }

    pub fn compile(&self) -> Result<Classes, CompileError> {
        Fixture::new()
            .path(self.source_dir())
            .class_path(self.library_class_path())
            .compile()
    }

    /// The command line `java … Workload SCALE`, ready to be run or prefixed with a recorder.
    pub fn run(&self, jdk: &Jdk, scale: u32) -> Result<Run, CompileError> {
        let mut run = self
            .compile()?
            .run(jdk)
            .class_path(self.library_class_path());
        for arg in self.jvm_args {
            run = run.jvm_arg(*arg);
        }
        Ok(run.main_class("Workload").arg(scale.to_string()))
    }
}

const fn plain(name: &'static str, bench_scale: u32) -> Workload {
    Workload {
        name,
        library: None,
        jvm_args: &[],
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
