//! The road from a source file to the bug with a JDK 8: its compiler, its launcher, its library.

use std::path::Path;

use crate::support::{Said, askance};
use test_support::{Example, ExampleVersion, Jdk, if_there};

/// Debugs an example as a user does whose only JDK this is.
fn debugged(example: &Example, jdk: &Jdk, folder: &Path) -> Said {
    let mut command = askance(folder);
    command
        .env("JAVA_HOME", jdk.home())
        .env("ASKANCE_JDKS", folder)
        .args(["debug", "--json", "--non-interactive", "-o", "trace"])
        .arg("--reference")
        .arg(example.main_file(ExampleVersion::Fixed))
        .arg(example.main_file(ExampleVersion::Buggy));
    command.output().unwrap().into()
}

#[test]
fn bugs_are_found_with_nothing_but_a_jdk_8() {
    let reason = "there is no Java 8; `cargo xtask setup` gets it where its archive is reached";
    let Some(jdk) = if_there(Jdk::version(8), reason) else {
        return;
    };
    for name in ["payroll", "text-wrap", "two-threads"] {
        let example = Example::named(name).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let said = debugged(&example, jdk, folder.path());
        let verdict = said.json();
        assert_eq!(verdict["outcome"], "found", "{verdict}\n{}", said.err);
        assert_eq!(verdict["class"], example.class, "{verdict}");
        assert_eq!(verdict["method"], example.method, "{verdict}");
        let info: Said = crate::support::run(folder.path(), ["info", "trace"]);
        assert!(info.out.contains("(Java 1.8.0_"), "{}", info.out);
    }
}
