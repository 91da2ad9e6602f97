//! Which classes are recorded: the user's, by default — not the JDK's, not those of test
//! frameworks, build tools and other agents, which surround a program without being part of it.

use std::collections::HashSet;
use std::sync::OnceLock;

use trace_format::RecordOptions;

/// Classes of these packages are left alone unless they are included by name.
const SURROUNDINGS: &[&str] = &[
    "java/",
    "javax/",
    "jdk/",
    "sun/",
    "com/sun/",
    "askance/",
    "org/junit/",
    "junit/",
    "org/testng/",
    "org/hamcrest/",
    "org/opentest4j/",
    "org/apiguardian/",
    "org/assertj/",
    "org/mockito/",
    "net/bytebuddy/",
    "org/objenesis/",
    "org/jetbrains/jps/",
    "com/intellij/rt/",
    "scala/",
    "kotlin/",
    "groovy/lang/",
    "org/codehaus/groovy/",
    "org/apache/groovy/",
    "org/jacoco/",
    "org/aspectj/weaver/",
    "org/pitest/",
    "org/jetbrains/coverage/",
    "org/jetbrains/capture/",
    "org/eclipse/jdt/internal/junit",
    "io/opentelemetry/javaagent/",
    "com/newrelic/agent/",
    "co/elastic/apm/agent/",
    "datadog/trace/",
];

/// Classes of these packages are a build tool's where one is at work in the JVM. Elsewhere they are libraries like
/// others, or the program itself.
const OF_BUILD_TOOLS: &[&str] = &[
    "org/apache/maven/",
    "org/codehaus/plexus/",
    "org/codehaus/classworlds/",
    "org/eclipse/aether/",
    "org/eclipse/sisu/",
    "org/gradle/",
    "worker/org/gradle/",
    "com/google/inject/",
    "org/fusesource/jansi/",
    "org/slf4j/impl/",
];

#[derive(Debug)]
pub(crate) struct ClassFilter {
    include: Vec<Glob>,
    /// What the user counts as own code, wherever it comes from.
    suspect: Vec<Glob>,
    /// Whether no build tool is at work in this JVM. Before that is known, one may be.
    is_without_build: OnceLock<bool>,
    exclude: Vec<Glob>,
    /// Classes that came with other agents.
    others: HashSet<String>,
}

impl ClassFilter {
    pub(crate) fn new(options: &RecordOptions, others: HashSet<String>) -> Self {
        let globs = |texts: &[String]| texts.iter().map(|text| Glob::new(text)).collect();
        ClassFilter {
            include: globs(&options.include),
            exclude: globs(&options.exclude),
            suspect: globs(&options.suspect),
            is_without_build: OnceLock::new(),
            others,
        }
    }

    /// What the JVM was started with: a class or an archive, and the program's arguments.
    pub(crate) fn started_with(&self, java_command: &str) {
        // Set once: there is one program in a JVM.
        let _ = self
            .is_without_build
            .set(!trace_format::is_part_of_build(java_command));
    }

    fn is_of_surroundings(&self, name: &str) -> bool {
        let is_in = |packages: &[&str]| packages.iter().any(|package| name.starts_with(package));
        let may_build = self.is_without_build.get() != Some(&true);
        is_in(SURROUNDINGS) || (may_build && is_in(OF_BUILD_TOOLS))
    }

    /// Whether to record the class of this internal name (`a/b/C`). What the user names wins
    /// over the defaults, and exclusion over inclusion.
    pub(crate) fn wants(&self, name: &str) -> bool {
        // What stands for a lambda does nothing but call its body. Java 8 tells of such classes, later ones do not.
        let is_machinery = name.starts_with("java/lang/Askance") || name.contains("$$Lambda$");
        if is_machinery || self.exclude.iter().any(|g| g.matches(name)) {
            return false;
        }
        if !self.include.is_empty() {
            return self.include.iter().any(|g| g.matches(name));
        }
        if self.suspect.iter().any(|glob| glob.matches(name)) {
            return true;
        }
        !self.others.contains(name) && !self.is_of_surroundings(name)
    }
}

/// A class name in which `*` stands for any characters; written with dots, matched with slashes.
#[derive(Debug, Clone)]
pub(crate) struct Glob(Vec<String>);

impl Glob {
    pub(crate) fn new(text: &str) -> Self {
        Glob(
            text.replace('.', "/")
                .split('*')
                .map(str::to_owned)
                .collect(),
        )
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        let [first, middle @ .., last] = self.0.as_slice() else {
            return self.0.first().is_some_and(|only| only == name);
        };
        let Some(mut rest) = name.strip_prefix(first.as_str()) else {
            return false;
        };
        for part in middle {
            match rest.find(part.as_str()) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        rest.len() >= last.len() && rest.ends_with(last.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(include: &[&str], exclude: &[&str], name: &str, wanted: bool) {
        let owned = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let options = RecordOptions {
            include: owned(include),
            exclude: owned(exclude),
            ..RecordOptions::default()
        };
        let filter = ClassFilter::new(&options, HashSet::from(["agent/Spy".to_owned()]));
        assert_eq!(filter.wants(name), wanted, "{include:?} {exclude:?} {name}");
    }

    #[test]
    fn what_build_tools_are_made_of_is_a_program_where_none_is_at_work() {
        const VERSION: &str = "org/apache/maven/artifact/versioning/ComparableVersion";
        let wants = |command: &str, suspect: &[&str]| {
            let options = RecordOptions {
                suspect: suspect.iter().map(|&glob| glob.to_owned()).collect(),
                ..RecordOptions::default()
            };
            let filter = ClassFilter::new(&options, HashSet::new());
            filter.started_with(command);
            filter.wants(VERSION)
        };
        assert!(wants("Main", &[]));
        for build in [
            "org.codehaus.plexus.classworlds.launcher.Launcher test",
            "/shop/target/surefire/surefirebooter-1.jar /shop/target/surefire",
            "org.apache.maven.surefire.booter.ForkedBooter /shop/target/surefire",
            "worker.org.gradle.process.internal.worker.GradleWorkerMain 'Gradle Test Executor 1'",
        ] {
            assert!(!wants(build, &[]), "{build}");
            assert!(wants(build, &["org.apache.maven.artifact.*"]), "{build}");
        }
    }

    #[test]
    fn the_users_classes_are_recorded_by_default() {
        check(&[], &[], "Main", true);
        check(&[], &[], "org/jsoup/Jsoup", true);
        check(&[], &[], "java/util/ArrayList", false);
        check(&[], &[], "org/junit/Assert", false);
        check(
            &[],
            &[],
            "org/jacoco/agent/rt/internal_aeaf9ab/Agent",
            false,
        );
        check(&[], &[], "agent/Spy", false);
        check(&["agent.*"], &[], "agent/Spy", true);
        check(&["a.*"], &[], "a/Main$$Lambda$7", false);
    }

    #[test]
    fn what_the_user_names_wins() {
        check(&["org.junit.*"], &[], "org/junit/Assert", true);
        check(&["a.*"], &[], "b/C", false);
        check(&["a.*"], &["a.b.*"], "a/b/C", false);
        check(&["*Test"], &[], "a/FooTest", true);
        check(&["a.*.C*x"], &[], "a/b/Cyx", true);
        check(&["a.*.C*x"], &[], "a/b/Dyx", false);
        check(&["Main"], &[], "Main", true);
        check(&["Main"], &[], "Main2", false);
        check(&["ab*ba"], &[], "aba", false);
    }
}
