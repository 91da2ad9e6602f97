//! The executables that are packed: built here, for another machine, or by somebody else.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use test_support::{cargo, target_dir};

use super::{EXECUTABLES, Release};
use crate::process::{run, succeeds};

/// How to get what builds for other machines and older systems.
const HOW_TO_GET_ZIGBUILD: &str = "`pip install ziglang cargo-zigbuild` gets it";

/// Where executables come from.
pub(crate) enum Source {
    /// A folder that they lie in; for several kinds of machines, folders in it that are named for them.
    Folder(PathBuf),
    /// Cargo, as it builds for this machine.
    Cargo,
    /// Cargo with a linker that knows other machines, for a C library of this version; without one, of its own choice.
    Zigbuild(Option<String>),
}

impl Source {
    pub(crate) fn of(built: Option<PathBuf>, glibc: Option<String>) -> Source {
        match (built, glibc) {
            (Some(folder), _) => Source::Folder(folder),
            (None, None) => Source::Cargo,
            (None, glibc) => Source::Zigbuild(glibc),
        }
    }

    /// The folder with the executables for a kind of machine.
    pub(super) fn executables(&self, target: &str, host: &str) -> Result<PathBuf> {
        match self {
            Source::Folder(folder) => {
                let own = folder.join(target);
                Ok(if own.is_dir() { own } else { folder.clone() })
            }
            Source::Cargo if target == host => {
                let mut command = cargo(["build"]);
                run(of_a_release(&mut command))?;
                Ok(target_dir().join("release"))
            }
            Source::Cargo => zigbuild(target, None),
            Source::Zigbuild(glibc) => zigbuild(target, glibc.as_deref()),
        }
    }
}

fn of_a_release(command: &mut Command) -> &mut Command {
    command.args(["--locked", "--release"]);
    for name in EXECUTABLES {
        command.args(["--package", name]);
    }
    command.args(["--features", "askance-query/clouds"])
}

/// What it makes for an older library must not be taken for what cargo makes for the one that is here.
fn zigbuild(target: &str, glibc: Option<&str>) -> Result<PathBuf> {
    let is_there = succeeds(Command::new("cargo-zigbuild").arg("--version"));
    ensure!(
        is_there,
        "there is no cargo-zigbuild; {HOW_TO_GET_ZIGBUILD}"
    );
    let folder = target_dir().join("dist-build");
    let wanted = match glibc {
        Some(version) => format!("{target}.{version}"),
        None => target.to_owned(),
    };
    let mut command = Command::new("cargo-zigbuild");
    command.args(["zigbuild", "--target", &wanted]);
    command.arg("--target-dir").arg(&folder);
    run(of_a_release(&mut command))?;
    Ok(folder.join(target).join("release"))
}

/// An executable that this machine runs, for those who pack for others only.
pub(super) fn native() -> Result<PathBuf> {
    run(&mut cargo(["build", "--locked", "--package", "askance"]))?;
    Ok(target_dir().join("debug/askance"))
}

/// Takes away what only a debugger of Rust reads. The `strip` of a machine knows executables of its own kind; there may
/// be one for others.
pub(super) fn strip(release: &Release, executables: &[PathBuf]) -> Result<()> {
    let other = format!("{}-linux-gnu-strip", release.machine());
    let tools = ["strip", &other, "llvm-strip"];
    let strips = |tool: &&str, file: &Path| {
        let trial = target_dir().join("dist-files/stripped");
        let is_done = succeeds(Command::new(tool).arg("-o").arg(&trial).arg(file));
        let _ = std::fs::remove_file(trial);
        is_done
    };
    for file in executables {
        let tool = tools.iter().find(|tool| strips(tool, file));
        match tool {
            Some(tool) => run(Command::new(tool).arg(file))?,
            None => println!("{} keeps its symbols: no `strip` knows it", file.display()),
        }
    }
    Ok(())
}
