//! Libraries that Maven fetches, with what they need at run time.
//!
//! `libraries/pom.xml` has one module for each of them, its versions pinned. The jars are copied to `target/libraries`;
//! beside each folder lies the module's `pom.xml` as it was when the folder was complete, so that neither a fetch
//! that was interrupted nor another version passes for what is wanted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::library::Library;
use crate::{target_dir, workspace_root};

#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("Maven cannot be started ({0}); `cargo xtask setup` installs it")]
    NoMaven(io::Error),
    #[error(
        "Maven cannot fetch {libraries}; it needs the network, unless its own cache has them. It says: {message}"
    )]
    Failed { libraries: String, message: String },
}

/// Lets Maven fetch those of these libraries that come from there and are not there yet.
#[expect(clippy::print_stderr, reason = "it takes a while, and a person waits")]
pub fn fetch_missing(libraries: impl Iterator<Item = &'static Library>) -> Result<(), FetchError> {
    let missing: Vec<&Library> = libraries
        .filter(|library| library.package().is_none() && !library.is_installed())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = missing.iter().map(|library| library.name).collect();
    eprintln!("fetching with Maven: {}", names.join(", "));
    fetch(missing)
}

/// Fetches libraries, whether they are there or not. Those that Debian packages are left alone.
fn fetch<'a>(libraries: impl IntoIterator<Item = &'a Library>) -> Result<(), FetchError> {
    let of_maven = libraries
        .into_iter()
        .filter(|library| library.package().is_none());
    let names: Vec<&str> = of_maven.map(|library| library.name).collect();
    if names.is_empty() {
        return Ok(());
    }
    for name in &names {
        clear(name)?;
    }
    let mut maven = Command::new("mvn");
    maven
        .args(["-q", "-B", "dependency:copy-dependencies"])
        .args(["-pl", &names.join(",")])
        .arg(format!("-Dlibraries={}", target_folder().display()))
        .current_dir(source_folder());
    run_maven(&mut maven, || names.join(", "))?;
    names.iter().try_for_each(|name| mark_complete(name))
}

/// Runs Maven to its end; `libraries` names what it is to fetch, should it fail.
pub(crate) fn run_maven(
    maven: &mut Command,
    libraries: impl FnOnce() -> String,
) -> Result<(), FetchError> {
    let output = maven.output().map_err(FetchError::NoMaven)?;
    if output.status.success() {
        return Ok(());
    }
    Err(FetchError::Failed {
        libraries: libraries(),
        message: first_error(&String::from_utf8_lossy(&output.stdout)),
    })
}

/// The jars of a library, in a fixed order; none if it was not fetched.
pub(crate) fn jars(name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(target_folder().join(name));
    let paths = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let mut jars: Vec<PathBuf> = paths.filter(|path| is_jar(path)).collect();
    jars.sort();
    jars
}

/// Whether all of it is there, in the versions that are wanted now.
pub(crate) fn is_fetched(name: &str) -> bool {
    match (fs::read(module(name)), fs::read(mark(name))) {
        (Ok(wanted), Ok(fetched)) => wanted == fetched,
        _ => false,
    }
}

/// The names of the modules, sorted.
#[cfg(test)]
pub(crate) fn modules() -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(source_folder())? {
        let entry = entry?;
        if entry.path().is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

fn source_folder() -> PathBuf {
    workspace_root().join("crates/test-support/libraries")
}

fn module(name: &str) -> PathBuf {
    source_folder().join(name).join("pom.xml")
}

fn target_folder() -> PathBuf {
    target_dir().join("libraries")
}

fn mark(name: &str) -> PathBuf {
    target_folder().join(format!("{name}.xml"))
}

fn is_jar(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jar")
}

/// Removes what another version has left.
fn clear(name: &str) -> Result<(), FetchError> {
    let (mark, folder) = (mark(name), target_folder().join(name));
    let removed = [
        (fs::remove_file(&mark), mark),
        (fs::remove_dir_all(&folder), folder),
    ];
    for (outcome, path) in removed {
        match outcome {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(FetchError::Io { path, source });
            }
            _ => {}
        }
    }
    Ok(())
}

fn mark_complete(name: &str) -> Result<(), FetchError> {
    let mark = mark(name);
    match fs::copy(module(name), &mark) {
        Ok(_) => Ok(()),
        Err(source) => Err(FetchError::Io { path: mark, source }),
    }
}

/// The line of Maven's output that says what is wrong; what follows it is about Maven itself.
fn first_error(output: &str) -> String {
    // There may be codes of a terminal before it.
    let errors = output.lines().filter_map(|line| line.split_once("[ERROR]"));
    let mut told = errors
        .map(|(_, error)| error.trim())
        .filter(|error| !error.is_empty());
    told.next().unwrap_or("nothing").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_told_without_advice_about_maven() {
        let output = "[INFO] x\n[ERROR] \n\u{1b}[0m[ERROR] Failed: no route\n[ERROR] \n[ERROR] Re-run Maven with -X\n";
        assert_eq!(first_error(output), "Failed: no route");
        assert_eq!(first_error(""), "nothing");
    }

    #[test]
    fn what_was_never_fetched_has_no_jars() {
        assert!(!is_fetched("no such library"));
        assert_eq!(jars("no such library"), Vec::<PathBuf>::new());
    }
}
