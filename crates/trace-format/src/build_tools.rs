//! Which JVMs run a build: what is meant is mostly what they start.

/// What the command of a build tool's JVM begins with.
const BUILD_TOOLS: [&str; 7] = [
    "org.codehaus.plexus.classworlds.launcher",
    "org.codehaus.classworlds.",
    "org.apache.maven.",
    "org.gradle.",
    "org.apache.tools.ant.",
    "sbt.",
    "com.sun.tools.javac.",
];
/// What a build tool starts to run tests.
const TEST_RUNNERS: &str = "org.apache.maven.surefire.";

/// Whether a JVM that was started with this main class or archive and these arguments runs a build.
#[must_use]
pub fn is_build_tool(java_command: &str) -> bool {
    let first = java_command.split(' ').next().unwrap_or_default();
    if first.ends_with(".jar") {
        return first.contains("gradle-wrapper") || first.contains("gradle-launcher");
    }
    // With a module's name before it.
    let class = first.rsplit('/').next().unwrap_or(first);
    BUILD_TOOLS.iter().any(|tool| class.starts_with(tool)) && !class.starts_with(TEST_RUNNERS)
}

/// What stands in the commands of JVMs that builds start to run tests.
const STARTED_BY_BUILDS: [&str; 3] = ["surefire", "failsafe", "worker.org.gradle."];

/// Whether a JVM that was started like this runs a build, or tests for one.
#[must_use]
pub fn is_part_of_build(java_command: &str) -> bool {
    let first = java_command.split(' ').next().unwrap_or_default();
    is_build_tool(java_command) || STARTED_BY_BUILDS.iter().any(|part| first.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_is_told_from_the_tests_that_it_starts() {
        for build in [
            "org.codehaus.plexus.classworlds.launcher.Launcher -q test",
            "org.gradle.launcher.daemon.bootstrap.GradleDaemon 8.5",
            "/home/me/shop/gradle/wrapper/gradle-wrapper.jar test",
            "jdk.compiler/com.sun.tools.javac.Main -d out A.java",
        ] {
            assert!(is_build_tool(build), "{build}");
        }
        for program in [
            "shop.Main org.gradle.Thing",
            "worker.org.gradle.process.internal.worker.GradleWorkerMain 'Gradle Test Executor 1'",
            "/home/me/shop/target/surefire/surefirebooter1.jar /home/me/shop/target/surefire",
            "org.apache.maven.surefire.booter.ForkedBooter /home/me/shop/target/surefire",
            "",
        ] {
            assert!(!is_build_tool(program), "{program}");
        }
    }
}
