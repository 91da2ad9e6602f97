//! A JDK of Java 8, unpacked into `target/jdks/8`.
//!
//! No Python wheel has one, and Debian's needs a newer C library than Debian 12 has. Ubuntu 22.04 was released with
//! one: packages of a release stay in the archive for as long as the release does, unchanged, so their sums are
//! known. A later update would be in the archive until the next.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use test_support::{Jdk, target_dir};

use crate::process::{run, said};

const ARCHIVES: [&str; 2] = [
    "http://archive.ubuntu.com/ubuntu",
    "http://old-releases.ubuntu.com/ubuntu",
];
const FOLDER: &str = "pool/universe/o/openjdk-8";
const VERSION: &str = "1.8.0_312";

/// The files that a JDK consists of, with their SHA-256.
const PACKAGES: [(&str, &str); 2] = [
    (
        "openjdk-8-jre-headless_8u312-b07-0ubuntu1_amd64.deb",
        "7d15a361fca810dd034f4119fbd110b40ccd9e8c946c3aaa1636546197a2e3b3",
    ),
    (
        "openjdk-8-jdk-headless_8u312-b07-0ubuntu1_amd64.deb",
        "5d5d173d646549b006c05b43c5087833ec9e95389138400df9c3b8bf1ebe5b21",
    ),
];

/// Where the packages have the JDK, and what it needs of the system's settings.
const HOME: &str = "usr/lib/jvm/java-8-openjdk-amd64";
const SETTINGS: &str = "/etc/java-8-openjdk/";

/// Gets it, unless there is one.
pub(super) fn get() -> Result<()> {
    if Jdk::search().iter().any(|jdk| jdk.feature() == 8) {
        return Ok(());
    }
    ensure!(
        cfg!(all(target_os = "linux", target_arch = "x86_64")),
        "it is unpacked for Linux on x86-64 only; install one and set JAVA_HOME"
    );
    let homes = target_dir().join("jdks");
    fs::create_dir_all(&homes).with_context(|| format!("cannot make {}", homes.display()))?;
    let draft = tempfile::tempdir_in(&homes).context("cannot make a temporary folder")?;
    for (package, sum) in PACKAGES {
        let file = draft.path().join(package);
        download(package, sum, &file)?;
        run(Command::new("dpkg-deb")
            .arg("-x")
            .args([file.as_path(), draft.path()]))?;
    }
    let home = draft.path().join(HOME);
    bring_settings(draft.path(), &home)?;
    let release = home.join("release");
    fs::write(&release, format!("JAVA_VERSION=\"{VERSION}\"\n"))
        .with_context(|| format!("cannot write {}", release.display()))?;
    run(Command::new(home.join("bin/java")).arg("-version"))?;
    let place = homes.join("8");
    fs::rename(&home, &place).with_context(|| format!("cannot make {}", place.display()))
}

fn download(package: &str, sum: &str, to: &Path) -> Result<()> {
    const SCRIPT: &str = "\
import sys, urllib.request as request
try:
    content = request.urlopen(sys.argv[1], timeout=60).read()
except Exception as error:
    sys.exit(str(error))
open(sys.argv[2], 'wb').write(content)
";
    let mut last = None;
    for archive in ARCHIVES {
        let address = format!("{archive}/{FOLDER}/{package}");
        let mut fetch = Command::new("python3");
        fetch.args(["-c", SCRIPT, &address]).arg(to);
        match said(&mut fetch).and_then(|_| check(to, sum)) {
            Ok(()) => return Ok(()),
            Err(error) => last = Some(error.context(format!("{address} cannot be had"))),
        }
    }
    Err(last.context("there is no archive")?)
}

fn check(file: &Path, sum: &str) -> Result<()> {
    let line = said(Command::new("sha256sum").arg(file))?;
    ensure!(line.starts_with(sum), "it is not the file that was meant");
    Ok(())
}

/// The packages have their settings elsewhere, behind links from the JDK: they are put in the place of the links. A
/// link that leads out of the folder is removed: what it leads to is not of these packages.
fn bring_settings(unpacked: &Path, home: &Path) -> Result<()> {
    let mut open = vec![home.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_symlink() {
                resolve(unpacked, &path)?;
            } else if path.is_dir() {
                open.push(path);
            }
        }
    }
    Ok(())
}

fn resolve(unpacked: &Path, link: &Path) -> Result<()> {
    let target = fs::read_link(link)?;
    if target.is_relative() {
        return Ok(());
    }
    fs::remove_file(link)?;
    if target.starts_with(SETTINGS) {
        let content = unpacked.join(target.strip_prefix("/")?);
        fs::copy(content, link).with_context(|| format!("cannot make {}", link.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn settings_are_put_in_the_place_of_links_to_them() {
        let unpacked = tempfile::tempdir().unwrap();
        let home = unpacked.path().join(HOME);
        let settings = unpacked.path().join(&SETTINGS[1..]);
        fs::create_dir_all(home.join("lib")).unwrap();
        fs::create_dir_all(&settings).unwrap();
        fs::write(settings.join("net.properties"), "a=b").unwrap();
        let link = |name: &str, to: &str| {
            let path: PathBuf = home.join("lib").join(name);
            symlink(to, &path).unwrap();
            path
        };
        let net = link("net.properties", "/etc/java-8-openjdk/net.properties");
        let elsewhere = link("cacerts", "/etc/ssl/certs/java/cacerts");
        let beside = link("own", "net.properties");
        bring_settings(unpacked.path(), &home).unwrap();
        assert!(!net.is_symlink());
        assert_eq!(fs::read_to_string(net).unwrap(), "a=b");
        assert!(!elsewhere.is_symlink());
        assert!(beside.is_symlink());
    }

    #[test]
    fn another_file_is_not_taken_for_the_package() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(check(file.path(), PACKAGES[0].1).is_err());
    }
}
