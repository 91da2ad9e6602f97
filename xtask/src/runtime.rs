//! The recorder's Java side is kept compiled in the repository, so that building Askance needs no
//! JDK. This compiles it anew, and tells whether what is kept is what the sources say.
//!
//! Compiled by Java 17: it has both the old and the new names of what the classes call in
//! `jdk.internal.misc.Unsafe`, and its class files of version 55 run on 11 and later.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use test_support::{Jdk, workspace_root};

use crate::process::run;

const COMPILER: u32 = 17;

pub(crate) fn compile() -> Result<()> {
    let folder = tempfile::tempdir()?;
    for class in compile_into(folder.path())? {
        let name = class.file_name().context("a class file has a name")?;
        fs::copy(&class, kept().join(name))?;
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
    let jdk = Jdk::version(COMPILER).context("the Java side is compiled by a JDK 17")?;
    let Some(javac) = jdk.javac() else {
        bail!("{} has no javac", jdk.home().display());
    };
    let mut command = Command::new(javac);
    command.args([
        "-g:none",
        "-Xlint:-options",
        "-source",
        "11",
        "-target",
        "11",
    ]);
    command
        .arg("--patch-module")
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
    fn the_kept_classes_are_those_of_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        let compiled = compile_into(folder.path()).unwrap();
        assert_eq!(compiled.len(), files_in(&kept(), "class").unwrap().len());
        for class in compiled {
            let name = class.file_name().unwrap();
            let is_current = fs::read(&class).unwrap() == fs::read(kept().join(name)).unwrap();
            assert!(
                is_current,
                "{name:?} is out of date: run `cargo xtask runtime`"
            );
        }
    }
}
