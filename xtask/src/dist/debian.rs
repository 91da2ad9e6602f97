//! The Debian package. `dpkg-deb` packs it; which libraries it needs is read from the executables.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{COMPLETIONS, DOCUMENTS, EXECUTABLES, Release};
use crate::process::{run, said};

/// Where Debian looks for each shell's completions.
const COMPLETION_FOLDERS: [&str; 3] = [
    "usr/share/bash-completion/completions/askance",
    "usr/share/zsh/vendor-completions/_askance",
    "usr/share/fish/vendor_completions.d/askance.fish",
];

pub(super) fn package(release: &Release) -> Result<PathBuf> {
    let architecture = match release.machine() {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => bail!("Debian's name for {other} is not known here"),
    };
    let root = release.folder.join("debian-root");
    lay_out(release, &root)?;
    let control = format!(
        "Package: askance\n\
         Version: {}\n\
         Architecture: {architecture}\n\
         Maintainer: The Askance authors <askance@localhost>\n\
         Section: devel\n\
         Priority: optional\n\
         Depends: {}\n\
         Recommends: default-jre-headless\n\
         Suggests: default-jdk-headless, git\n\
         Installed-Size: {}\n\
         Description: declarative debugger for Java\n \
         Records a run of a Java program, asks a few questions about what single\n \
         calls did, and names the call that is to blame.\n",
        release.version,
        dependencies(&release.tree)?,
        size(&root)?.div_ceil(1024),
    );
    write(&root.join("DEBIAN/control"), control.as_bytes())?;
    let path = release
        .folder
        .join(format!("askance_{}_{architecture}.deb", release.version));
    let mut pack = Command::new("dpkg-deb");
    pack.args(["--root-owner-group", "-Zxz", "--build"]);
    run(pack
        .env("SOURCE_DATE_EPOCH", &release.time)
        .arg(&root)
        .arg(&path))?;
    fs::remove_dir_all(root)?;
    Ok(path)
}

fn lay_out(release: &Release, root: &Path) -> Result<()> {
    let tree = &release.tree;
    for name in EXECUTABLES {
        copy(&tree.join(name), &root.join("usr/bin").join(name))?;
    }
    for ((_, name), place) in COMPLETIONS.iter().zip(COMPLETION_FOLDERS) {
        copy(&tree.join("completions").join(name), &root.join(place))?;
    }
    let mut pages = Vec::new();
    for page in fs::read_dir(tree.join("man"))? {
        let page = page?;
        let place = root.join("usr/share/man/man1").join(page.file_name());
        copy(&page.path(), &place)?;
        pages.push(place);
    }
    let documents = root.join("usr/share/doc/askance");
    for name in DOCUMENTS {
        copy(&tree.join(name), &documents.join(name))?;
    }
    // Debian looks for it under this name.
    let changelog = documents.join("changelog");
    fs::rename(documents.join("CHANGELOG.md"), &changelog)?;
    run(Command::new("gzip").arg("-9n").args(pages).arg(changelog))?;
    let copyright = "Copyright (c) the Askance authors\n\n\
                     Askance is licensed under the Apache License 2.0 (/usr/share/common-licenses/Apache-2.0) or the\n\
                     MIT license (LICENSE-MIT beside this file), as you choose.\n";
    write(&documents.join("copyright"), copyright.as_bytes())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    write(
        to,
        &fs::read(from).with_context(|| from.display().to_string())?,
    )?;
    fs::set_permissions(to, fs::metadata(from)?.permissions())?;
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))?;
    Ok(())
}

/// The packages with the libraries that the executables are linked with. The recorder inside was built by the same
/// compiler for the same libraries. `readelf` reads executables of all machines.
fn dependencies(tree: &Path) -> Result<String> {
    let executables = EXECUTABLES.map(|name| tree.join(name));
    let told = said(Command::new("readelf").args(["-dVW"]).args(executables))?;
    let mut packages = vec![format!("libc6 (>= {})", newest_glibc(&told)?)];
    if told.contains("[libgcc_s.so.1]") {
        packages.push("libgcc-s1".to_owned());
    }
    Ok(packages.join(", "))
}

/// The newest version of the C library whose symbols are asked for.
fn newest_glibc(told: &str) -> Result<String> {
    let versions = told.split("GLIBC_").skip(1).filter_map(|rest| {
        let version: Vec<u32> = rest
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .next()?
            .split('.')
            .map_while(|part| part.parse().ok())
            .collect();
        (!version.is_empty()).then_some(version)
    });
    let newest = versions.max().context("the executables need a C library")?;
    let newest: Vec<String> = newest.iter().map(u32::to_string).collect();
    Ok(newest.join("."))
}

fn size(path: &Path) -> Result<u64> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_dir() {
        return Ok(metadata.len());
    }
    let mut all = 0;
    for entry in fs::read_dir(path)? {
        all += size(&entry?.path())?;
    }
    Ok(all)
}
