//! Makes what is handed out: a tarball, a Debian package, checksums, a list of parts (SBOM) and, if it is known where
//! the files will be, an install script and a Homebrew formula.
//!
//! Everything is made from one build for the machine that it is made on. The same commit gives the same archives: names
//! are in order, times are those of the commit, owners are root.

mod debian;
mod parts;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use test_support::{cargo, target_dir, workspace_root};

use crate::process::{run as run_command, said};

/// What is run: the tool, and what it starts for SQL. A release holds both.
const EXECUTABLES: [&str; 2] = ["askance", "askance-query"];
/// What stands beside the executables.
const DOCUMENTS: [&str; 5] = [
    "README.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
];
/// Shells, and what their completions are called.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "askance.bash"),
    ("zsh", "_askance"),
    ("fish", "askance.fish"),
];

/// One release.
struct Release {
    version: String,
    /// As Rust names machines.
    target: String,
    /// Seconds since 1970.
    time: String,
    /// Where everything goes.
    folder: PathBuf,
    /// The unpacked tarball.
    tree: PathBuf,
}

impl Release {
    fn name(&self) -> String {
        format!("askance-{}-{}", self.version, self.target)
    }
}

pub(crate) fn run(url: Option<&str>, built: Option<PathBuf>) -> Result<()> {
    let release = prepare()?;
    let built = match built {
        Some(folder) => folder,
        None => build()?,
    };
    lay_out(&release, &built)?;
    let mut files = vec![tarball(&release)?];
    files.push(debian::package(&release)?);
    files.push(parts::list(&release)?);
    if let Some(url) = url {
        files.push(install_script(&release, url)?);
        files.push(formula(&release, url)?);
    }
    fs::remove_dir_all(&release.tree)?;
    let sums = checksums(&release, &files)?;
    files.push(sums);
    for file in files {
        println!("{} ({} bytes)", file.display(), fs::metadata(&file)?.len());
    }
    Ok(())
}

fn prepare() -> Result<Release> {
    let folder = target_dir().join("dist-files");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let manifest = fs::read_to_string(workspace_root().join("Cargo.toml"))?;
    let manifest: toml::Table = manifest.parse()?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    let target = said(Command::new("rustc").arg("-vV"))?;
    let target = target.lines().find_map(|line| line.strip_prefix("host: "));
    let mut release = Release {
        version: version.context("the workspace has a version")?.to_owned(),
        target: target.context("rustc names its host")?.to_owned(),
        time: said(Command::new("git").args(["log", "-1", "--format=%ct"]))?,
        folder,
        tree: PathBuf::new(),
    };
    release.tree = release.folder.join(release.name());
    fs::create_dir_all(&release.tree)?;
    Ok(release)
}

/// The folder that cargo leaves the executables in.
fn build() -> Result<PathBuf> {
    let mut command = cargo(["build", "--locked", "--release"]);
    for name in EXECUTABLES {
        command.args(["--package", name]);
    }
    command.args(["--features", "askance-query/clouds"]);
    run_command(&mut command)?;
    Ok(target_dir().join("release"))
}

/// Puts together what the tarball holds; the Debian package takes its files from there.
fn lay_out(release: &Release, built: &Path) -> Result<()> {
    let tree = &release.tree;
    for name in EXECUTABLES {
        let handed_out = tree.join(name);
        let executable = built.join(name);
        fs::copy(&executable, &handed_out).with_context(|| executable.display().to_string())?;
        // What only a debugger of Rust reads.
        run_command(Command::new("strip").arg(&handed_out))?;
    }
    let executable = built.join("askance");
    for name in DOCUMENTS {
        fs::copy(workspace_root().join(name), tree.join(name))?;
    }
    run_command(
        Command::new(&executable)
            .args(["man-pages", "-o"])
            .arg(tree.join("man")),
    )?;
    let completions = tree.join("completions");
    fs::create_dir_all(&completions)?;
    for (shell, name) in COMPLETIONS {
        let text = said(Command::new(&executable).args(["completions", shell]))?;
        fs::write(completions.join(name), text + "\n")?;
    }
    Ok(())
}

fn tarball(release: &Release) -> Result<PathBuf> {
    let name = release.name();
    let path = release.folder.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg(format!("--mtime=@{}", release.time));
    tar.args(["--use-compress-program", "gzip -n", "-cf"])
        .arg(&path);
    run_command(tar.arg("-C").arg(&release.folder).arg(name))?;
    Ok(path)
}

fn checksums(release: &Release, files: &[PathBuf]) -> Result<PathBuf> {
    let path = release.folder.join("SHA256SUMS");
    let mut text = String::new();
    for file in files {
        let name = file.file_name().context("a file has a name")?;
        text += &format!("{}  {}\n", checksum(file)?, name.to_string_lossy());
    }
    fs::write(&path, text)?;
    Ok(path)
}

fn checksum(file: &Path) -> Result<String> {
    let line = said(Command::new("sha256sum").arg(file))?;
    let sum = line.split(' ').next().context("sha256sum gives a sum")?;
    Ok(sum.to_owned())
}

/// Fills in what a template leaves open.
fn filled(template: &str, release: &Release, url: &str) -> Result<String> {
    let text = fs::read_to_string(workspace_root().join("packaging").join(template))?;
    let tarball = release.folder.join(format!("{}.tar.gz", release.name()));
    let text = text
        .replace("@URL@", url.trim_end_matches('/'))
        .replace("@VERSION@", &release.version)
        .replace("@TARGET@", &release.target)
        .replace("@SHA256@", &checksum(&tarball)?);
    Ok(text)
}

fn install_script(release: &Release, url: &str) -> Result<PathBuf> {
    let path = release.folder.join("install.sh");
    fs::write(&path, filled("install.sh", release, url)?)?;
    Ok(path)
}

fn formula(release: &Release, url: &str) -> Result<PathBuf> {
    let path = release.folder.join("askance.rb");
    fs::write(&path, filled("askance.rb", release, url)?)?;
    Ok(path)
}
