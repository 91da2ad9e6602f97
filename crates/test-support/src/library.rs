//! Java libraries as Debian packages them: real code, in the versions of a stable distribution,
//! to try the recorder on.

use std::path::{Path, PathBuf};

/// A library in `/usr/share/java`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Library {
    pub name: &'static str,
    /// The Debian package that brings it.
    pub package: &'static str,
    jar: &'static str,
    dependencies: &'static [&'static str],
}

const ALL: &[Library] = &[
    library("kxml2", "libkxml2-java", "kxml2", &[]),
    library(
        "htmlcleaner",
        "libhtmlcleaner-java",
        "htmlcleaner",
        &["jdom2"],
    ),
    library("jsoup", "libjsoup-java", "jsoup", &[]),
    library("rhino", "librhino-java", "rhino", &[]),
    library("javassist", "libjavassist-java", "javassist", &[]),
    library("cglib", "libcglib-java", "cglib", &["asm"]),
    library(
        "commons-lang3",
        "libcommons-lang3-java",
        "commons-lang3",
        &[],
    ),
    library(
        "commons-math3",
        "libcommons-math3-java",
        "commons-math3",
        &[],
    ),
    library(
        "closure-compiler",
        "libclosure-compiler-java",
        "closure-compiler",
        &["args4j", "guava", "json"],
    ),
    library(
        "antlr4-runtime",
        "libantlr4-runtime-java",
        "antlr4-runtime",
        &[],
    ),
];

impl Library {
    pub fn all() -> &'static [Library] {
        ALL
    }

    pub fn named(name: &str) -> Option<&'static Library> {
        ALL.iter().find(|library| library.name == name)
    }

    /// The library itself, without what it depends on.
    pub fn jar(&self) -> PathBuf {
        jar_path(self.jar)
    }

    /// The library and what it needs at run time.
    pub fn class_path(&self) -> Vec<PathBuf> {
        std::iter::once(&self.jar)
            .chain(self.dependencies)
            .map(|name| jar_path(name))
            .collect()
    }

    pub fn is_installed(&self) -> bool {
        self.class_path().iter().all(|jar| jar.is_file())
    }
}

const fn library(
    name: &'static str,
    package: &'static str,
    jar: &'static str,
    dependencies: &'static [&'static str],
) -> Library {
    Library {
        name,
        package,
        jar,
        dependencies,
    }
}

/// The jars of a test framework, to compile and run tests with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JUnit {
    Four,
    Five,
}

impl JUnit {
    /// The Debian package that brings it.
    pub fn package(self) -> &'static str {
        match self {
            JUnit::Four => "junit4",
            JUnit::Five => "junit5",
        }
    }

    pub fn class_path(self) -> Vec<PathBuf> {
        let names: &[&str] = match self {
            JUnit::Four => &["junit4", "hamcrest"],
            JUnit::Five => &[
                "junit-jupiter-api",
                "junit-jupiter-engine",
                "junit-jupiter-params",
                "junit-platform-commons",
                "junit-platform-console",
                "junit-platform-engine",
                "junit-platform-launcher",
                "junit-platform-reporting",
                "opentest4j",
                "opentest4j-reporting-events",
                "opentest4j-reporting-schema",
                "apiguardian-api",
                "univocity-parsers",
                "picocli",
            ],
        };
        names.iter().map(|name| jar_path(name)).collect()
    }

    pub fn is_installed(self) -> bool {
        self.class_path().iter().all(|jar| jar.is_file())
    }
}

fn jar_path(name: &str) -> PathBuf {
    Path::new("/usr/share/java").join(format!("{name}.jar"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_installed() {
        for library in Library::all() {
            assert!(
                library.is_installed(),
                "{} is missing; `cargo xtask setup` installs {}",
                library.name,
                library.package
            );
        }
    }

    #[test]
    fn names_find_their_library() {
        for library in Library::all() {
            assert_eq!(Library::named(library.name), Some(library));
        }
        assert_eq!(Library::named("nothing"), None);
    }
}
