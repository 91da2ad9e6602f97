//! The command of a build, and the one that runs a single test of it.
//!
//! What the user has set up (profiles, properties, the project that is meant) stays; only what is to be done is
//! replaced. Of a tool that is not known nothing can be replaced: then the whole build is run again.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path};

use crate::FailedTest;

/// Options of Maven whose value is a word of its own.
const MAVEN_VALUES: [&str; 17] = [
    "-f",
    "--file",
    "-s",
    "--settings",
    "-gs",
    "--global-settings",
    "-P",
    "--activate-profiles",
    "-pl",
    "--projects",
    "-l",
    "--log-file",
    "-T",
    "--threads",
    "-rf",
    "-b",
    "-t",
];

/// Options of Gradle whose value is a word of its own.
const GRADLE_VALUES: [&str; 12] = [
    "-p",
    "--project-dir",
    "-b",
    "--build-file",
    "-c",
    "--settings-file",
    "-g",
    "--gradle-user-home",
    "-I",
    "--init-script",
    "-x",
    "--exclude-task",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BuildTool {
    Maven,
    Gradle,
    Unknown,
}

/// See the module's header.
#[derive(Clone, Debug)]
pub struct BuildCommand {
    words: Vec<OsString>,
    tool: BuildTool,
}

impl BuildCommand {
    #[must_use]
    pub fn new(words: Vec<OsString>) -> BuildCommand {
        let program = words
            .first()
            .map(|word| Path::new(word).file_stem().unwrap_or(word));
        let tool = match program.and_then(OsStr::to_str) {
            Some("mvn" | "mvnw" | "mvnd") => BuildTool::Maven,
            Some("gradle" | "gradlew") => BuildTool::Gradle,
            _ => BuildTool::Unknown,
        };
        BuildCommand { words, tool }
    }

    #[must_use]
    pub fn words(&self) -> &[OsString] {
        &self.words
    }

    /// The command that runs a test which failed in a build below this folder, and as little else as the tool allows.
    #[must_use]
    pub fn of_test(&self, test: &FailedTest, folder: &Path) -> Vec<OsString> {
        match self.tool {
            BuildTool::Maven => self.maven(test),
            BuildTool::Gradle => self.gradle(test, folder),
            BuildTool::Unknown => self.words.clone(),
        }
    }

    /// Phases in front of the tests run anyway; those behind them need all tests to pass.
    fn maven(&self, test: &FailedTest) -> Vec<OsString> {
        let mut words = self.options(&MAVEN_VALUES);
        let pattern = maven_pattern(test);
        // Tests of Failsafe run in a later phase, and are named by a property of their own.
        if is_below(&test.report, "failsafe-reports") {
            words.push("verify".into());
            words.push("-DskipITs=false".into());
            words.push(format!("-Dit.test={pattern}").into());
            words.push("-Dfailsafe.failIfNoSpecifiedTests=false".into());
            words.push("-Dtest=NoUnitTestIsMeant".into());
        } else {
            words.push("test".into());
            words.push(format!("-Dtest={pattern}").into());
        }
        // Modules without the test are no failures. The older name is what older versions know.
        words.push("-Dsurefire.failIfNoSpecifiedTests=false".into());
        words.push("-DfailIfNoTests=false".into());
        words
    }

    /// A daemon that runs already would not be recorded, and a task whose result is kept would not run.
    fn gradle(&self, test: &FailedTest, folder: &Path) -> Vec<OsString> {
        let mut words = self.options(&GRADLE_VALUES);
        words.push("--no-daemon".into());
        words.push("--rerun-tasks".into());
        words.push(gradle_task(&test.report, folder).into());
        let pattern = test.with_method(".");
        if test.is_numbered {
            words.push("--tests".into());
            words.push(format!("{pattern}[*]").into());
        }
        words.push("--tests".into());
        words.push(pattern.into());
        words
    }

    /// The program and its options, without what it is to do.
    fn options(&self, with_value: &[&str]) -> Vec<OsString> {
        let mut words = self.words.iter();
        let mut kept: Vec<OsString> = words.next().cloned().into_iter().collect();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            if !text.starts_with('-') {
                continue;
            }
            kept.push(word.clone());
            if with_value.contains(&&*text) {
                kept.extend(words.next().cloned());
            }
        }
        kept
    }
}

/// Surefire compares it with the names of tests, and so do the runners that it has for each framework.
fn maven_pattern(test: &FailedTest) -> String {
    let pattern = test.pattern();
    match &test.method {
        Some(method) if test.is_numbered => format!("{pattern}+{method}[*]"),
        _ => pattern,
    }
}

fn is_below(path: &Path, folder: &str) -> bool {
    path.components()
        .any(|part| part == Component::Normal(OsStr::new(folder)))
}

/// `sub/a/build/test-results/integrationTest/TEST-A.xml` was written by `:sub:a:integrationTest`.
fn gradle_task(report: &Path, folder: &Path) -> String {
    let inside = report.strip_prefix(folder).unwrap_or(report);
    let parts: Vec<String> = inside
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let build = parts.iter().rposition(|part| part == "build");
    let task = parts
        .iter()
        .rposition(|part| part == "test-results")
        .and_then(|results| parts.get(results + 1))
        .filter(|task| !task.ends_with(".xml"))
        .map_or("test", String::as_str);
    let project = build.map_or(&[][..], |build| &parts[..build]);
    let mut path = String::new();
    for part in project {
        path.push(':');
        path.push_str(part);
    }
    format!("{path}:{task}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(build: &str, report: &str) -> String {
        again_of(build, &test(report))
    }

    fn test(report: &str) -> FailedTest {
        FailedTest {
            class: "shop.CartTest".to_owned(),
            method: Some("total".to_owned()),
            is_numbered: false,
            message: String::new(),
            report: Path::new("/work").join(report),
        }
    }

    fn again_of(build: &str, test: &FailedTest) -> String {
        let command = BuildCommand::new(build.split(' ').map(OsString::from).collect());
        let words = command.of_test(test, Path::new("/work"));
        let words: Vec<String> = words
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        words.join(" ")
    }

    #[test]
    fn maven_keeps_its_options_and_runs_one_test() {
        assert_eq!(
            again(
                "./mvnw -B -P fast -f app/pom.xml clean verify -Drevision=3",
                "app/target/surefire-reports/TEST-shop.CartTest.xml"
            ),
            "./mvnw -B -P fast -f app/pom.xml -Drevision=3 test -Dtest=shop.CartTest#total \
             -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoTests=false"
        );
        let integration = again(
            "mvn verify",
            "target/failsafe-reports/TEST-shop.CartTest.xml",
        );
        assert!(
            integration.starts_with("mvn verify -DskipITs=false -Dit.test=shop.CartTest#total ")
        );
    }

    #[test]
    fn gradle_runs_the_task_that_wrote_the_report() {
        assert_eq!(
            again(
                "./gradlew -x lint build",
                "app/core/build/test-results/slowTest/TEST-shop.CartTest.xml"
            ),
            "./gradlew -x lint --no-daemon --rerun-tasks :app:core:slowTest --tests shop.CartTest.total"
        );
        assert!(
            again("gradle check", "build/test-results/test/TEST-a.xml").contains(" :test --tests ")
        );
    }

    #[test]
    fn runs_with_names_of_their_own_are_all_meant() {
        let mut test = test("target/surefire-reports/TEST-shop.CartTest.xml");
        test.is_numbered = true;
        let maven = again_of("mvn test", &test);
        assert!(
            maven.contains(" -Dtest=shop.CartTest#total+total[*] "),
            "{maven}"
        );
        let gradle = again_of("gradle check", &test);
        let both = " --tests shop.CartTest.total[*] --tests shop.CartTest.total";
        assert!(gradle.ends_with(both), "{gradle}");
    }

    #[test]
    fn without_a_method_the_class_is_run() {
        let mut test = test("build/test-results/test/TEST-shop.CartTest.xml");
        test.method = None;
        let maven = again_of("mvn test", &test);
        assert!(maven.contains(" -Dtest=shop.CartTest "), "{maven}");
        let gradle = again_of("gradle check", &test);
        assert!(gradle.ends_with(" --tests shop.CartTest"), "{gradle}");
    }

    #[test]
    fn what_is_not_known_is_run_as_it_is() {
        assert_eq!(
            again("make test", "reports/TEST-shop.CartTest.xml"),
            "make test"
        );
    }
}
