//! Which classes are recorded: the user's, by default — not the JDK's, not those of test
//! frameworks, build tools and other agents, which surround a program without being part of it.

use std::collections::HashSet;

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
    "org/apache/maven/",
    "org/codehaus/plexus/",
    "org/codehaus/classworlds/",
    "org/eclipse/aether/",
    "org/eclipse/sisu/",
    "org/gradle/",
    "worker/org/gradle/",
    "com/google/inject/",
    "org/jetbrains/jps/",
    "com/intellij/rt/",
    "org/fusesource/jansi/",
    "org/slf4j/impl/",
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

#[derive(Debug, Clone)]
pub(crate) struct ClassFilter {
    include: Vec<Glob>,
    exclude: Vec<Glob>,
    /// Classes that came with other agents.
    others: HashSet<String>,
}

impl ClassFilter {
    pub(crate) fn new(include: &[String], exclude: &[String], others: HashSet<String>) -> Self {
        let globs = |texts: &[String]| texts.iter().map(|text| Glob::new(text)).collect();
        ClassFilter {
            include: globs(include),
            exclude: globs(exclude),
            others,
        }
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
        !self.others.contains(name) && !SURROUNDINGS.iter().any(|package| name.starts_with(package))
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
        let filter = ClassFilter::new(
            &owned(include),
            &owned(exclude),
            HashSet::from(["agent/Spy".to_owned()]),
        );
        assert_eq!(filter.wants(name), wanted, "{include:?} {exclude:?} {name}");
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
