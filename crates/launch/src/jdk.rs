//! Which Java installations this machine has.
//!
//! Looked for where people put them: `JAVA_HOME`, the `PATH`, and the folders under
//! `/usr/lib/jvm` (or those that `ASKANCE_JDKS` names). The version comes from the `release` file of the
//! installation, or from the archive of its library where there is no such file (as in Debian's Java 8), so that no JVM
//! has to be started to learn it.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The command that gets a JDK on a Debian or Ubuntu machine.
pub const HOW_TO_GET_ONE: &str = "apt-get install default-jdk-headless";

/// Names the folders that hold installations, instead of the usual ones.
pub const VARIABLE: &str = "ASKANCE_JDKS";

/// The oldest feature release that can be recorded.
const OLDEST: u32 = 8;

/// One Java installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaInstallation {
    /// The installation's folder, symbolic links resolved.
    pub home: PathBuf,
    /// As it says itself, e.g. `17.0.15`; empty if it does not.
    pub version: String,
    /// Whether it can compile (a JRE cannot).
    pub has_javac: bool,
    /// How it was found: `JAVA_HOME`, `PATH`, or the folder it stands in.
    pub found_by: String,
}

impl JavaInstallation {
    /// Looks at a folder; `None` if there is no `bin/java` in it.
    #[must_use]
    pub fn at(home: &Path, found_by: &str) -> Option<JavaInstallation> {
        let home = home.canonicalize().ok()?;
        if !home.join("bin/java").is_file() {
            return None;
        }
        let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
        let version = version_in_release(&release).or_else(|| version_in_library(&home));
        Some(JavaInstallation {
            version: version.unwrap_or_default(),
            has_javac: home.join("bin/javac").is_file(),
            home,
            found_by: found_by.to_owned(),
        })
    }

    /// The `java` launcher.
    #[must_use]
    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// The compiler; present if [`Jdk::has_javac`].
    #[must_use]
    pub fn javac(&self) -> PathBuf {
        self.home.join("bin/javac")
    }

    /// Whether it is known to be older than what can be recorded.
    #[must_use]
    pub fn is_too_old(&self) -> bool {
        self.feature().is_some_and(|feature| feature < OLDEST)
    }

    /// The feature release: 8 for `1.8.0_292`, 17 for `17.0.15`; `None` if unknown.
    #[must_use]
    pub fn feature(&self) -> Option<u32> {
        feature_release(&self.version)
    }
}

/// Where to look. Separate from the process environment so that tests can make their own machine.
#[derive(Clone, Debug, Default)]
pub struct JdkLocations {
    /// `JAVA_HOME`.
    pub java_home: Option<OsString>,
    /// `PATH`.
    pub path: Option<OsString>,
    /// Folders that hold one installation each.
    pub parents: Vec<PathBuf>,
}

impl JdkLocations {
    /// This machine, as the environment describes it.
    #[must_use]
    pub fn this() -> JdkLocations {
        JdkLocations {
            java_home: std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()),
            path: std::env::var_os("PATH"),
            parents: match std::env::var_os(VARIABLE) {
                Some(folders) => std::env::split_paths(&folders).collect(),
                None => [
                    "/usr/lib/jvm",
                    "/opt/java",
                    "/Library/Java/JavaVirtualMachines",
                ]
                .map(PathBuf::from)
                .into(),
            },
        }
    }

    /// Every installation, the preferred one first, none twice.
    #[must_use]
    pub fn jdks(&self) -> Vec<JavaInstallation> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut add = |jdk: Option<JavaInstallation>| {
            if let Some(jdk) = jdk
                && seen.insert(jdk.home.clone())
            {
                found.push(jdk);
            }
        };
        if let Some(home) = &self.java_home {
            add(JavaInstallation::at(Path::new(home), "JAVA_HOME"));
        }
        for program in ["javac", "java"] {
            if let Some(path) = self.which(OsStr::new(program)) {
                add(home_of_launcher(&path).and_then(|home| JavaInstallation::at(&home, "PATH")));
            }
        }
        let mut others: Vec<JavaInstallation> = self
            .parents
            .iter()
            .flat_map(|parent| in_folder(parent))
            .collect();
        others.sort_by_key(|jdk| std::cmp::Reverse(jdk.feature()));
        for jdk in others {
            add(Some(jdk));
        }
        found
    }

    /// The installation that compiles and runs a source file: the first that has a compiler.
    #[must_use]
    pub fn compiler(&self) -> Option<JavaInstallation> {
        self.jdks().into_iter().find(|jdk| jdk.has_javac)
    }

    /// A program on the `PATH`.
    #[must_use]
    pub fn which(&self, program: &OsStr) -> Option<PathBuf> {
        std::env::split_paths(self.path.as_ref()?)
            .map(|folder| folder.join(program))
            .find(|path| path.is_file())
    }
}

fn in_folder(parent: &Path) -> Vec<JavaInstallation> {
    let Ok(entries) = std::fs::read_dir(parent) else {
        return Vec::new();
    };
    let mut homes: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    homes.sort();
    let found_by = parent.display().to_string();
    homes
        .iter()
        .flat_map(|home| [home.clone(), home.join("Contents/Home")])
        .filter_map(|home| JavaInstallation::at(&home, &found_by))
        .collect()
}

/// `…/bin/java`, links resolved, stands two folders below its installation.
fn home_of_launcher(launcher: &Path) -> Option<PathBuf> {
    let real = launcher.canonicalize().ok()?;
    Some(real.parent()?.parent()?.to_owned())
}

fn version_in_release(release: &str) -> Option<String> {
    release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION="))
        .map(|version| version.trim().trim_matches('"').to_owned())
}

/// Up to Java 8 the library is an archive, whose manifest tells its version.
fn version_in_library(home: &Path) -> Option<String> {
    let mut places = ["jre/lib/rt.jar", "lib/rt.jar"].into_iter();
    let library = places.find_map(|place| File::open(home.join(place)).ok())?;
    let mut archive = zip::ZipArchive::new(library).ok()?;
    let mut manifest = String::new();
    let mut entry = archive.by_name("META-INF/MANIFEST.MF").ok()?;
    entry.read_to_string(&mut manifest).ok()?;
    let mut lines = manifest.lines();
    lines.find_map(|line| {
        Some(
            line.strip_prefix("Implementation-Version: ")?
                .trim()
                .to_owned(),
        )
    })
}

fn feature_release(version: &str) -> Option<u32> {
    let mut parts = version.split(['.', '-', '+', '_']);
    let first: u32 = parts.next()?.parse().ok()?;
    if first == 1 {
        parts.next()?.parse().ok()
    } else {
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plant(home: &Path, version: &str, javac: bool) {
        std::fs::create_dir_all(home.join("bin")).unwrap();
        std::fs::write(home.join("bin/java"), "").unwrap();
        if javac {
            std::fs::write(home.join("bin/javac"), "").unwrap();
        }
        std::fs::write(
            home.join("release"),
            format!("JAVA_VERSION=\"{version}\"\nOS_NAME=\"Linux\"\n"),
        )
        .unwrap();
    }

    #[test]
    fn feature_releases_of_old_and_new_version_schemes() {
        for (version, feature) in [
            ("1.8.0_292", Some(8)),
            ("17.0.15", Some(17)),
            ("25", Some(25)),
            ("21-ea", Some(21)),
            ("", None),
        ] {
            assert_eq!(feature_release(version), feature, "{version}");
        }
    }

    #[test]
    fn java_home_comes_first_then_the_path_then_the_newest_other() {
        let folder = tempfile::tempdir().unwrap();
        let jvm = folder.path().join("jvm");
        plant(&jvm.join("a-11"), "11.0.2", true);
        plant(&jvm.join("b-25"), "25.0.1", true);
        plant(&jvm.join("c-17"), "17.0.15", false);
        let home = folder.path().join("home");
        plant(&home, "21.0.4", false);
        let machine = JdkLocations {
            java_home: Some(home.into_os_string()),
            path: Some(jvm.join("a-11/bin").into_os_string()),
            parents: vec![jvm],
        };
        let versions: Vec<_> = machine.jdks().into_iter().map(|jdk| jdk.version).collect();
        assert_eq!(versions, ["21.0.4", "11.0.2", "25.0.1", "17.0.15"]);
        assert_eq!(machine.compiler().unwrap().version, "11.0.2");
    }

    #[test]
    fn an_old_library_tells_its_version_where_no_file_does() {
        let home = tempfile::tempdir().unwrap();
        plant(home.path(), "", true);
        std::fs::remove_file(home.path().join("release")).unwrap();
        let library = home.path().join("jre/lib/rt.jar");
        std::fs::create_dir_all(library.parent().unwrap()).unwrap();
        let mut archive = zip::ZipWriter::new(File::create(library).unwrap());
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file("META-INF/MANIFEST.MF", options).unwrap();
        std::io::Write::write_all(
            &mut archive,
            b"Manifest-Version: 1.0\r\nImplementation-Version: 1.7.0_312\r\n",
        )
        .unwrap();
        archive.finish().unwrap();
        let jdk = JavaInstallation::at(home.path(), "here").unwrap();
        assert_eq!(jdk.version, "1.7.0_312");
        assert!(jdk.is_too_old());
    }

    #[test]
    fn an_empty_machine_has_none() {
        assert_eq!(JdkLocations::default().jdks(), []);
        assert_eq!(JdkLocations::default().compiler(), None);
    }
}
