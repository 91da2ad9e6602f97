//! The page's source with the packages that building and trying it needs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{fs, io};

use crate::{target_dir, workspace_root};

const LEFT_OUT: [&str; 2] = ["node_modules", "dist"];

/// A copy of `web-ui` with its packages, so that nothing is written among the sources.
///
/// # Errors
/// Why it cannot be had, in a sentence.
pub fn web_ui() -> Result<&'static Path, String> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        if Command::new("npm").arg("--version").output().is_err() {
            return Err("npm is not installed".to_owned());
        }
        with_packages(&target_dir().join("web-ui")).map_err(|error| error.to_string())
    });
    folder.as_deref().map_err(Clone::clone)
}

fn with_packages(folder: &Path) -> io::Result<PathBuf> {
    let sources = workspace_root().join("web-ui");
    let lock = fs::read(sources.join("package-lock.json"))?;
    let installed = folder.join("installed");
    for part in ["src", "tests", "dist"] {
        let _ = fs::remove_dir_all(folder.join(part));
    }
    copy(&sources, folder)?;
    if fs::read(&installed).ok().as_ref() != Some(&lock) {
        let options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        if !npm(folder, options).status()?.success() {
            return Err(io::Error::other("npm cannot get the packages"));
        }
        fs::write(installed, lock)?;
    }
    Ok(folder.to_owned())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if LEFT_OUT.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// npm in a folder.
pub fn npm(folder: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(folder).args(arguments);
    command
}

/// Builds the page in a copy of its sources and gives the folder with it.
///
/// # Errors
/// Why it cannot be built, in a sentence.
pub fn build_page() -> Result<PathBuf, String> {
    let folder = web_ui()?;
    let said = npm(folder, ["run", "build"]).output();
    let said = said.map_err(|error| error.to_string())?;
    match said.status.success() {
        true => Ok(folder.join("dist")),
        false => Err(format!(
            "npm cannot build the page: {}{}",
            String::from_utf8_lossy(&said.stdout),
            String::from_utf8_lossy(&said.stderr)
        )),
    }
}
