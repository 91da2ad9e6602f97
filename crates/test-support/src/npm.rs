//! Parts of the repository that npm builds and tests: each in a copy of its folder with its packages, so that nothing
//! is written among the sources.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::{target_dir, workspace_root};

/// What npm and its tools leave in a folder.
const LEFT_OUT: [&str; 2] = ["node_modules", "dist"];

/// A copy of a folder of the repository with its packages, below `target/npm/NAME`, where it stands to the folders and
/// files `beside` as it does in the repository.
///
/// # Errors
/// Why it cannot be had, in a sentence.
pub fn npm_package(name: &str, folder: &str, beside: &[&str]) -> Result<PathBuf, String> {
    if Command::new("npm").arg("--version").output().is_err() {
        return Err("npm is not installed".to_owned());
    }
    let top = target_dir().join("npm").join(name);
    with_packages(&top, folder, beside).map_err(|error| error.to_string())
}

fn with_packages(top: &Path, folder: &str, beside: &[&str]) -> io::Result<PathBuf> {
    let copy = top.join(folder);
    let sources = workspace_root().join(folder);
    // What has gone from the sources goes from the copy; packages stay.
    for entry in fs::read_dir(&copy).into_iter().flatten() {
        let entry = entry?;
        if entry.file_type()?.is_dir() && entry.file_name() != "node_modules" {
            fs::remove_dir_all(entry.path())?;
        }
    }
    copy_all(&sources, &copy)?;
    for part in beside {
        let _ = fs::remove_dir_all(top.join(part));
        copy_all(&workspace_root().join(part), &top.join(part))?;
    }
    let lock = fs::read(sources.join("package-lock.json"))?;
    let installed = copy.join("installed");
    if fs::read(&installed).ok().as_ref() != Some(&lock) {
        let options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        if !npm(&copy, options).status()?.success() {
            return Err(io::Error::other("npm cannot get the packages"));
        }
        fs::write(installed, lock)?;
    }
    Ok(copy)
}

/// npm in a folder.
pub fn npm(folder: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(folder).args(arguments);
    command
}

fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if LEFT_OUT.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        copy_all(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
