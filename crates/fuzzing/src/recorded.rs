//! Inputs from real life: example programs that are compiled and recorded once, and kept in the target folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use test_support::{Example, ExampleVersion, Jdk, target_dir, workspace_root};

/// Programs of several kinds whose runs are short.
const PROGRAMS: [&str; 3] = ["odd-sum", "bank", "two-threads"];
/// A program that does not end by then, or records more, is not one of those above any more.
const TIME_LIMIT: Duration = Duration::from_secs(60);
const LARGEST_TRACE: &str = "20M";

/// Folders with class files.
pub(crate) fn class_folders() -> Result<Vec<PathBuf>> {
    let mut folders = vec![workspace_root().join("java-runtime/classes")];
    for example in Example::all()? {
        folders.push(example.compile(ExampleVersion::Buggy)?.dir());
    }
    Ok(folders)
}

/// The folders of recorded programs. They are recorded by the tool that was built last.
pub(crate) fn traces() -> Result<Vec<PathBuf>> {
    PROGRAMS.iter().map(|name| trace_of(name)).collect()
}

fn trace_of(name: &str) -> Result<PathBuf> {
    let kept = target_dir().join("fuzz-seeds");
    let folder = kept.join(format!("{name}.askance"));
    let tool = tool()?;
    let made = |path: &Path| path.metadata().and_then(|metadata| metadata.modified());
    if made(&folder).is_ok_and(|folder| made(&tool).is_ok_and(|tool| tool < folder)) {
        return Ok(folder);
    }
    fs::create_dir_all(&kept)?;
    let classes = Example::named(name)?.compile(ExampleVersion::Buggy)?;
    let jdk = Jdk::compiler().context("no JDK is here; `cargo xtask setup` installs one")?;
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let words: [OsString; 6] = [
        tool.into(),
        "record".into(),
        "--max-trace".into(),
        LARGEST_TRACE.into(),
        "-o".into(),
        folder.clone().into(),
    ];
    let run = classes.run(jdk).prefix(words).prefix(["--"]);
    let finished = run.time_limit(TIME_LIMIT).run()?;
    ensure!(
        folder.is_dir(),
        "{name} was not recorded: {}",
        finished.stderr_text()
    );
    Ok(folder)
}

/// The executable of a debug build, with the recorder's library beside it.
fn tool() -> Result<PathBuf> {
    let path = target_dir().join("debug").join("askance");
    if !path.is_file() {
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let packages = ["--package", "jvm-agent", "--package", "askance"];
        build
            .current_dir(workspace_root())
            .arg("build")
            .args(packages);
        if !build.status()?.success() {
            bail!("the tool cannot be built, so that nothing can be recorded");
        }
    }
    Ok(path)
}

/// All files below a folder, in order.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
