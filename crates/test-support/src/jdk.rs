//! The Java installations of this machine.
//!
//! Looked for in `JAVA_HOME`, on the `PATH`, under `/usr/lib/jvm` and under `target/jdks`, where
//! `cargo xtask setup` puts runtimes that the system does not have. The version comes from the
//! `release` file, so that no JVM has to be started to find out.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The Java versions that are recorded in tests.
const SUPPORTED: [u32; 5] = [8, 11, 17, 21, 25];

/// A Java runtime, with or without a compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    home: PathBuf,
    full_version: String,
    feature: u32,
}

#[derive(Debug, thiserror::Error)]
pub enum JdkError {
    #[error("{0} has no bin/java")]
    NoJava(PathBuf),
    #[error("cannot read {path}: {source}")]
    Release {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{0} does not say which JAVA_VERSION it is")]
    NoVersion(PathBuf),
}

impl Jdk {
    /// Every installation found, the one that `java` on this machine stands for first.
    pub fn all() -> &'static [Jdk] {
        static ALL: OnceLock<Vec<Jdk>> = OnceLock::new();
        ALL.get_or_init(Jdk::search)
    }

    /// Looks again, where [`Jdk::all`] may know of fewer by now.
    pub fn search() -> Vec<Jdk> {
        let mut seen = HashSet::new();
        candidate_homes()
            .into_iter()
            .filter_map(|home| home.canonicalize().ok())
            .filter(|home| seen.insert(home.clone()))
            .filter_map(|home| Jdk::at(&home).ok())
            .collect()
    }

    /// The first installation of this feature version (11, 17, …); one with a compiler if there
    /// is a choice.
    pub fn version(feature: u32) -> Option<&'static Jdk> {
        let of_version = || Jdk::all().iter().filter(|jdk| jdk.feature == feature);
        of_version()
            .find(|jdk| jdk.javac().is_some())
            .or_else(|| of_version().next())
    }

    /// One installation of each supported version that this machine has, the oldest first.
    pub fn supported() -> Vec<&'static Jdk> {
        SUPPORTED.into_iter().filter_map(Jdk::version).collect()
    }

    /// The first installation that can compile for all of them but the oldest: older compilers cannot.
    pub fn compiler() -> Option<&'static Jdk> {
        Jdk::all()
            .iter()
            .find(|jdk| jdk.javac().is_some() && jdk.feature() >= 11)
    }

    /// The installation in a given folder.
    pub fn at(home: &Path) -> Result<Jdk, JdkError> {
        if !home.join("bin/java").is_file() {
            return Err(JdkError::NoJava(home.to_path_buf()));
        }
        let path = home.join("release");
        let release = fs::read_to_string(&path).map_err(|source| JdkError::Release {
            path: path.clone(),
            source,
        })?;
        let full_version = release_field(&release, "JAVA_VERSION");
        let feature = full_version.and_then(feature_version);
        match (full_version, feature) {
            (Some(full), Some(feature)) => Ok(Jdk {
                home: home.to_path_buf(),
                full_version: full.to_owned(),
                feature,
            }),
            _ => Err(JdkError::NoVersion(path)),
        }
    }

    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Such as 17.
    pub fn feature(&self) -> u32 {
        self.feature
    }

    /// Such as `17.0.15`.
    pub fn full_version(&self) -> &str {
        &self.full_version
    }

    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    pub fn javac(&self) -> Option<PathBuf> {
        self.tool("javac")
    }

    /// A program of this installation's `bin` folder, if it has it: `javap`, `jcmd`, …
    pub fn tool(&self, name: &str) -> Option<PathBuf> {
        Some(self.home.join("bin").join(name)).filter(|path| path.is_file())
    }
}

impl Default for Jdk {
    /// The installation to use where any will do: one that can compile.
    ///
    /// # Panics
    /// If there is none, with the command that installs one.
    fn default() -> Jdk {
        match Jdk::compiler() {
            Some(jdk) => jdk.clone(),
            None => panic!("no JDK with a compiler was found; `cargo xtask setup` installs one"),
        }
    }
}

fn candidate_homes() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = Vec::new();
    homes.extend(std::env::var_os("JAVA_HOME").map(PathBuf::from));
    homes.extend(homes_on_path());
    homes.extend(folders_in(Path::new("/usr/lib/jvm")));
    homes.extend(folders_in(&crate::target_dir().join("jdks")));
    homes
}

/// The homes of the `javac` and `java` on the `PATH`, behind their symbolic links.
fn homes_on_path() -> Vec<PathBuf> {
    let Some(path) = std::env::var_os("PATH") else {
        return Vec::new();
    };
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    ["javac", "java"]
        .iter()
        .flat_map(|program| folders.iter().map(move |folder| folder.join(program)))
        .filter_map(|program| program.canonicalize().ok())
        .filter_map(|program| Some(program.parent()?.parent()?.to_path_buf()))
        .collect()
}

/// The subfolders in a fixed order, so that the choice among them is the same everywhere.
fn folders_in(parent: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else {
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

fn release_field<'a>(release: &'a str, key: &str) -> Option<&'a str> {
    release
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
        .map(|value| value.trim().trim_matches('"'))
}

/// `17.0.15` → 17, `25` → 25, `1.8.0_402` → 8.
fn feature_version(version: &str) -> Option<u32> {
    let mut parts = version
        .split(['.', '_', '-', '+'])
        .map(|part| part.parse().ok());
    match parts.next()?? {
        1 => parts.next()?,
        feature => Some(feature),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(version: &str, expected: Option<u32>) {
        assert_eq!(feature_version(version), expected, "{version}");
    }

    #[test]
    fn feature_versions() {
        check("17.0.15", Some(17));
        check("25", Some(25));
        check("26-ea", Some(26));
        check("1.8.0_402", Some(8));
        check("", None);
        check("x", None);
    }

    #[test]
    fn release_files() {
        let release =
            "IMPLEMENTOR=\"Debian\"\nJAVA_VERSION_DATE=\"2025-04-15\"\nJAVA_VERSION=\"17.0.15\"\n";
        assert_eq!(release_field(release, "JAVA_VERSION"), Some("17.0.15"));
        assert_eq!(release_field(release, "SOURCE"), None);
    }

    #[test]
    fn default_can_compile_and_is_listed_once() {
        let default = Jdk::default();
        assert!(default.javac().is_some());
        assert_eq!(
            Jdk::all()
                .iter()
                .filter(|jdk| jdk.home() == default.home())
                .count(),
            1
        );
        assert_eq!(
            Jdk::version(default.feature()).map(Jdk::feature),
            Some(default.feature())
        );
    }

    #[test]
    fn a_folder_without_java_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Jdk::at(folder.path()), Err(JdkError::NoJava(_))));
    }
}
