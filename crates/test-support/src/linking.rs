//! Lets a JVM load, link and so verify every class of jars.

use std::path::PathBuf;

use crate::{Fixture, FixtureError, Jdk, Run, workspace_root};

/// A program that prints, for each jar, a line `# JAR` and then a line `CLASS`, or `CLASS ERROR` for a class that
/// cannot be linked.
pub fn link_all(
    jdk: &Jdk,
    class_path: impl IntoIterator<Item = PathBuf>,
    jars: Vec<PathBuf>,
) -> Result<Run, FixtureError> {
    let linker = Fixture::new()
        .path(workspace_root().join("crates/test-support/java/Linker.java"))
        .compile_for(jdk)?;
    Ok(linker
        .run(jdk)
        .jvm_arg("-Xverify:all")
        .jvm_arg("-XX:-PrintWarnings")
        .class_path(class_path)
        .main_class("Linker")
        .args(jars))
}
