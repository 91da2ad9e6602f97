//! The recorder's Java side is kept compiled in the repository, so that building Askance needs no
//! JDK. This compiles it anew, and tells whether what is kept is what the sources say.
//!
//! Compiled by Java 17, as class files of version 55, which 11 and later run; the agent renames for older JVMs what
//! was called otherwise there (`jvm-agent/src/java_side.rs`). The runner of single tests stands on the program's class
//! path and is compiled for Java 8.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use test_support::{Jdk, workspace_root};

use crate::process::run;

const COMPILER: u32 = 17;

pub(crate) fn compile() -> Result<()> {
    let folder = tempfile::tempdir()?;
    replace_kept(&compile_into(folder.path())?, &kept())?;
    let runner = tempfile::tempdir()?;
    replace_kept(&compile_runner_into(runner.path())?, &runner_sources())
}

/// Where the runner of single tests is, with its class beside its source.
fn runner_sources() -> PathBuf {
    sources().join("runner/askance")
}

/// Compiles the runner of single tests, which needs JUnit 4.
fn compile_runner_into(folder: &Path) -> Result<Vec<PathBuf>> {
    let junit = std::env::join_paths(test_support::JUnit::Four.class_path())?;
    let mut command = compiler()?;
    command.args(["--release", "8"]);
    command.arg("-cp").arg(junit).arg("-d").arg(folder);
    command.args(files_in(&runner_sources(), "java")?);
    run(&mut command)?;
    files_in(&folder.join("askance"), "class")
}

/// The compiler, with what all of our classes are compiled with.
fn compiler() -> Result<Command> {
    let jdk = Jdk::version(COMPILER).context("the Java side is compiled by a JDK 17")?;
    let Some(javac) = jdk.javac() else {
        bail!("{} has no javac", jdk.home().display());
    };
    let mut command = Command::new(javac);
    command.args(["-g:none", "-Xlint:-options"]);
    Ok(command)
}

/// Makes `kept` a folder of these classes and no others. A file that would stay the same is not touched, so
/// that nothing is built anew because of it.
fn replace_kept(compiled: &[PathBuf], kept: &Path) -> Result<()> {
    let mut old = files_in(kept, "class")?;
    for class in compiled {
        let kept = kept.join(class.file_name().context("a class file has a name")?);
        old.retain(|file| *file != kept);
        let bytes = fs::read(class)?;
        if fs::read(&kept).ok().as_ref() != Some(&bytes) {
            fs::write(kept, bytes)?;
        }
    }
    for file in old {
        fs::remove_file(file)?;
    }
    Ok(())
}

fn sources() -> PathBuf {
    workspace_root().join("java-runtime")
}

fn kept() -> PathBuf {
    sources().join("classes")
}

fn compile_into(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut command = compiler()?;
    command
        .args(["-source", "11", "-target", "11", "--patch-module"])
        .arg(format!("java.base={}", sources().display()));
    command.arg("-d").arg(folder);
    command.args(files_in(&sources().join("java/lang"), "java")?);
    run(&mut command)?;
    let classes = files_in(&folder.join("java/lang"), "class")?;
    ensure!(!classes.is_empty(), "javac wrote no classes");
    Ok(classes)
}

fn files_in(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_replaced_by_what_was_compiled() {
        let [compiled, kept] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        for (name, content) in [
            ("Same.class", "1"),
            ("Changed.class", "2"),
            ("New.class", "3"),
        ] {
            fs::write(compiled.path().join(name), content).unwrap();
        }
        for (name, content) in [
            ("Same.class", "1"),
            ("Changed.class", "0"),
            ("Gone.class", "4"),
        ] {
            fs::write(kept.path().join(name), content).unwrap();
        }
        replace_kept(&files_in(compiled.path(), "class").unwrap(), kept.path()).unwrap();
        let read = |path: PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        };
        let found: Vec<_> = files_in(kept.path(), "class")
            .unwrap()
            .into_iter()
            .map(read)
            .collect();
        let expected = [
            ("Changed.class", "2"),
            ("New.class", "3"),
            ("Same.class", "1"),
        ]
        .map(|(name, content)| (name.to_owned(), content.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn the_kept_classes_are_those_of_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        check_kept(&compile_into(folder.path()).unwrap(), &kept());
        let folder = tempfile::tempdir().unwrap();
        check_kept(
            &compile_runner_into(folder.path()).unwrap(),
            &runner_sources(),
        );
    }

    #[track_caller]
    fn check_kept(compiled: &[PathBuf], kept: &Path) {
        assert_eq!(compiled.len(), files_in(kept, "class").unwrap().len());
        for class in compiled {
            let name = class.file_name().unwrap();
            let is_current = fs::read(class).unwrap() == fs::read(kept.join(name)).unwrap();
            assert!(
                is_current,
                "{name:?} is out of date: run `cargo xtask runtime`"
            );
        }
    }
}
