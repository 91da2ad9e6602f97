//! Makes what is handed out: a tarball, a Debian package, checksums, a list of parts (SBOM) and, if it is known where
//! the files will be, an install script and a Homebrew formula.
//!
//! Each kind of machine has a tarball, a package and a list of its own. Executables for others than the one that this
//! runs on, and those for an older C library than it has, are built by `cargo zigbuild`, whose linker knows the symbols
//! of all versions of it. The same commit gives the same archives: names are in order, times are those of the commit,
//! owners are root.

mod building;
mod debian;
mod parts;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use test_support::{target_dir, workspace_root};

use crate::process::{run as run_command, said};

pub(crate) use building::Source;

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

/// One release, for one kind of machine.
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

    /// As `uname -m` names the machine.
    fn machine(&self) -> &str {
        let end = self.target.find('-').unwrap_or(self.target.len());
        &self.target[..end]
    }

    fn tarball(&self) -> PathBuf {
        self.folder.join(format!("{}.tar.gz", self.name()))
    }
}

pub(crate) fn run(url: Option<&str>, targets: Vec<String>, source: &Source) -> Result<()> {
    let host = host()?;
    let targets = match targets.is_empty() {
        true => vec![host.clone()],
        false => targets,
    };
    let releases = prepare(targets)?;
    let built: Result<Vec<PathBuf>> = releases
        .iter()
        .map(|release| source.executables(&release.target, &host))
        .collect();
    let built = built?;
    // What they print is the same on all machines, and this one runs those of its own kind.
    let native = releases.iter().position(|release| release.target == host);
    let native = match native {
        Some(place) => built[place].join("askance"),
        None => building::native()?,
    };
    let mut files = Vec::new();
    for (release, built) in releases.iter().zip(&built) {
        lay_out(release, built, &native)?;
        files.push(tarball(release)?);
        files.push(debian::package(release)?);
        files.push(parts::list(release)?);
        fs::remove_dir_all(&release.tree)?;
    }
    if let Some(url) = url {
        files.push(filled("install.sh", &releases, url)?);
        files.push(filled("askance.rb", &releases, url)?);
    }
    files.push(checksums(&releases[0].folder, &files)?);
    for file in files {
        println!("{} ({} bytes)", file.display(), fs::metadata(&file)?.len());
    }
    Ok(())
}

fn host() -> Result<String> {
    let told = said(Command::new("rustc").arg("-vV"))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names its host")?.to_owned())
}

fn prepare(targets: Vec<String>) -> Result<Vec<Release>> {
    let folder = target_dir().join("dist-files");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let manifest = fs::read_to_string(workspace_root().join("Cargo.toml"))?;
    let manifest: toml::Table = manifest.parse()?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    let version = version.context("the workspace has a version")?;
    let time = said(Command::new("git").args(["log", "-1", "--format=%ct"]))?;
    let release = |target| {
        let mut release = Release {
            version: version.to_owned(),
            target,
            time: time.clone(),
            folder: folder.clone(),
            tree: PathBuf::new(),
        };
        release.tree = folder.join(release.name());
        fs::create_dir_all(&release.tree)?;
        Ok(release)
    };
    targets.into_iter().map(release).collect()
}

/// Puts together what the tarball holds; the Debian package takes its files from there.
fn lay_out(release: &Release, built: &Path, native: &Path) -> Result<()> {
    let tree = &release.tree;
    for name in EXECUTABLES {
        let executable = built.join(name);
        fs::copy(&executable, tree.join(name)).with_context(|| executable.display().to_string())?;
    }
    building::strip(release, &EXECUTABLES.map(|name| tree.join(name)))?;
    for name in DOCUMENTS {
        fs::copy(workspace_root().join(name), tree.join(name))?;
    }
    run_command(
        Command::new(native)
            .args(["man-pages", "-o"])
            .arg(tree.join("man")),
    )?;
    let completions = tree.join("completions");
    fs::create_dir_all(&completions)?;
    for (shell, name) in COMPLETIONS {
        let text = said(Command::new(native).args(["completions", shell]))?;
        fs::write(completions.join(name), text + "\n")?;
    }
    Ok(())
}

fn tarball(release: &Release) -> Result<PathBuf> {
    let path = release.tarball();
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg(format!("--mtime=@{}", release.time));
    tar.args(["--use-compress-program", "gzip -n", "-cf"])
        .arg(&path);
    run_command(tar.arg("-C").arg(&release.folder).arg(release.name()))?;
    Ok(path)
}

fn checksums(folder: &Path, files: &[PathBuf]) -> Result<PathBuf> {
    let path = folder.join("SHA256SUMS");
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

/// Fills in what a template leaves open. A line that names what each kind of machine has of its own (`@TARGET@`,
/// `@MACHINE@`, `@SHA256@`) is there once for each.
fn filled(template: &str, releases: &[Release], url: &str) -> Result<PathBuf> {
    let text = fs::read_to_string(workspace_root().join("packaging").join(template))?;
    let first = &releases[0];
    let mut all = String::new();
    for line in text.split_inclusive('\n') {
        if !["@TARGET@", "@MACHINE@", "@SHA256@"]
            .iter()
            .any(|name| line.contains(name))
        {
            all += line;
            continue;
        }
        for release in releases {
            all += &line
                .replace("@TARGET@", &release.target)
                .replace("@MACHINE@", release.machine())
                .replace("@SHA256@", &checksum(&release.tarball())?);
        }
    }
    let all = all
        .replace("@URL@", url.trim_end_matches('/'))
        .replace("@VERSION@", &first.version);
    let path = first.folder.join(template);
    fs::write(&path, all)?;
    Ok(path)
}
