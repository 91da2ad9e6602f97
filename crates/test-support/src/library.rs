//! Java libraries to try the recorder on: real code, as Debian packages it or as Maven fetches it, in versions that do
//! not change by themselves.

use std::path::{Path, PathBuf};

use crate::maven;

/// A library with what it needs at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Library {
    pub name: &'static str,
    origin: Origin,
    is_usual: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// In `/usr/share/java`, under its name.
    Debian {
        package: &'static str,
        dependencies: &'static [&'static str],
    },
    /// As its module in `crates/test-support/libraries` says.
    Maven,
}

const ALL: &[Library] = &[
    debian("kxml2", "libkxml2-java", &[]),
    debian("htmlcleaner", "libhtmlcleaner-java", &["jdom2"]),
    debian("jsoup", "libjsoup-java", &[]),
    debian("rhino", "librhino-java", &[]),
    debian("javassist", "libjavassist-java", &[]),
    debian("cglib", "libcglib-java", &["asm"]),
    debian("commons-lang3", "libcommons-lang3-java", &[]),
    debian("commons-math3", "libcommons-math3-java", &[]),
    debian(
        "closure-compiler",
        "libclosure-compiler-java",
        &["args4j", "guava", "json"],
    ),
    debian("antlr4-runtime", "libantlr4-runtime-java", &[]),
    maven_usual("h2"),
    maven_usual("netty"),
    maven_usual("jackson"),
    maven_usual("spring"),
    maven("hsqldb"),
    maven("derby"),
    maven("lucene"),
    maven("jetty"),
    maven("tomcat"),
    maven("undertow"),
    maven("ecj"),
    maven("kotlin-compiler"),
    maven("groovy"),
    maven("clojure"),
    maven("nashorn"),
    maven("jython"),
    maven("xalan"),
    maven("saxon"),
    maven("batik"),
    maven("fop"),
    maven("avro"),
    maven("hibernate"),
    maven("ejml"),
    maven("weka"),
    maven("guava"),
    maven("commons-compress"),
    maven("jgrapht"),
    maven("opennlp"),
];

impl Library {
    pub fn all() -> &'static [Library] {
        ALL
    }

    /// Those that the set-up installs, so that tests have them. The others are large: they are fetched when a benchmark
    /// first wants them.
    pub fn usual() -> impl Iterator<Item = &'static Library> {
        ALL.iter().filter(|library| library.is_usual)
    }

    pub fn named(name: &str) -> Option<&'static Library> {
        ALL.iter().find(|library| library.name == name)
    }

    /// The Debian package that brings it, if one does.
    pub fn package(&self) -> Option<&'static str> {
        match self.origin {
            Origin::Debian { package, .. } => Some(package),
            Origin::Maven => None,
        }
    }

    pub fn is_usual(&self) -> bool {
        self.is_usual
    }

    /// The jars whose classes are tried; those that Debian has once for several libraries are left out.
    pub fn jars(&self) -> Vec<PathBuf> {
        match self.origin {
            Origin::Debian { .. } => vec![jar_path(self.name)],
            Origin::Maven => maven::jars(self.name),
        }
    }

    /// The library and what it needs at run time.
    pub fn class_path(&self) -> Vec<PathBuf> {
        match self.origin {
            Origin::Debian { dependencies, .. } => std::iter::once(&self.name)
                .chain(dependencies)
                .map(|name| jar_path(name))
                .collect(),
            Origin::Maven => maven::jars(self.name),
        }
    }

    pub fn is_installed(&self) -> bool {
        match self.origin {
            Origin::Debian { .. } => self.class_path().iter().all(|jar| jar.is_file()),
            Origin::Maven => maven::is_fetched(self.name),
        }
    }

    /// What it is and how to get it, to be said where it is missing.
    pub fn remedy(&self) -> String {
        match (self.origin, self.is_usual) {
            (Origin::Debian { package, .. }, _) => {
                format!("the Debian package {package}; `cargo xtask setup` installs it")
            }
            (Origin::Maven, true) => {
                format!("{} from Maven; `cargo xtask setup` fetches it", self.name)
            }
            (Origin::Maven, false) => format!(
                "{0} from Maven; `cargo xtask bench record --only {0}` fetches it",
                self.name
            ),
        }
    }
}

const fn debian(
    name: &'static str,
    package: &'static str,
    dependencies: &'static [&'static str],
) -> Library {
    Library {
        name,
        origin: Origin::Debian {
            package,
            dependencies,
        },
        is_usual: true,
    }
}

const fn maven(name: &'static str) -> Library {
    Library {
        name,
        origin: Origin::Maven,
        is_usual: false,
    }
}

const fn maven_usual(name: &'static str) -> Library {
    Library {
        is_usual: true,
        ..maven(name)
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

/// The agent of JaCoCo, which no distribution packages: Maven gets it, where it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JaCoCo;

impl JaCoCo {
    pub const ARTIFACT: &'static str = "org.jacoco:org.jacoco.agent:0.8.12:jar:runtime";

    /// The folder that its jar is put into.
    pub fn folder() -> PathBuf {
        crate::target_dir().join("jacoco")
    }

    /// The jar, if it is there.
    pub fn jar() -> Option<PathBuf> {
        let jar = Self::folder().join("org.jacoco.agent-0.8.12-runtime.jar");
        jar.is_file().then_some(jar)
    }
}

fn jar_path(name: &str) -> PathBuf {
    Path::new("/usr/share/java").join(format!("{name}.jar"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_ones_are_installed() {
        for library in Library::usual() {
            assert!(library.is_installed(), "missing: {}", library.remedy());
        }
    }

    #[test]
    fn what_comes_from_maven_has_its_module() {
        let modules = maven::modules().unwrap();
        let names = ALL.iter().filter(|library| library.package().is_none());
        let mut names: Vec<&str> = names.map(|library| library.name).collect();
        names.sort_unstable();
        assert_eq!(modules, names);
    }

    #[test]
    fn names_find_their_library() {
        for library in Library::all() {
            assert_eq!(Library::named(library.name), Some(library));
        }
        assert_eq!(Library::named("nothing"), None);
    }
}
