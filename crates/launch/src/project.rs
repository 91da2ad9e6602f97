//! The project that a folder belongs to, and the packages whose sources it has.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use trace_format::{Libraries, RecordOptions};

/// Folders that hold what a build made or fetched, or what is no code.
const NOT_SOURCES: &[&str] = &[
    "target",
    "build",
    "out",
    "dist",
    "bin",
    "node_modules",
    "lib",
];
/// Source files of languages that become class files.
const SOURCES: &[&str] = &["java", "kt", "groovy", "scala"];
/// A larger project is looked at in part.
const MOST_FOLDERS: usize = 20_000;
/// Licences stand before the package's name.
const MOST_READ: u64 = 16 << 10;

/// See the module's header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub root: PathBuf,
}

impl Project {
    /// The nearest one above the folder that a build or a repository begins in, or the folder itself.
    pub fn of(folder: &Path) -> Project {
        const SIGNS: [&str; 5] = [
            ".git",
            "pom.xml",
            "build.gradle",
            "build.gradle.kts",
            "build.xml",
        ];
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let mut above = folder.ancestors();
        let root = above.find(|path| SIGNS.iter().any(|sign| path.join(sign).exists()));
        let root = root.map_or_else(|| folder.clone(), Path::to_owned);
        Project { root }
    }

    /// The folder of the whole repository, which may have several builds in it.
    pub fn whole(folder: &Path) -> Project {
        let nearest = Project::of(folder);
        let mut above = nearest.root.ancestors();
        let repository = above.find(|path| path.join(".git").exists());
        match repository {
            Some(root) => Project {
                root: root.to_owned(),
            },
            None => nearest,
        }
    }

    /// The packages that its source files name, without those that lie below another of them.
    pub fn source_packages(&self) -> Vec<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![self.root.clone()];
        let mut seen = 0;
        while let Some(folder) = open.pop() {
            seen += 1;
            if seen > MOST_FOLDERS {
                break;
            }
            found.extend(look_into(&folder, &mut open));
        }
        let above = |package: &str| {
            let outer = |package: &String| Some(package.rsplit_once('.')?.0.to_owned());
            let mut outer = std::iter::successors(outer(&package.to_owned()), outer);
            // A package of one word stands for itself only.
            outer.any(|outer| outer.contains('.') && found.contains(&outer))
        };
        found
            .iter()
            .filter(|package| !above(package))
            .cloned()
            .collect()
    }
}

/// Records the user's own code only: what is in class folders, was built in the project that the folder belongs to, or
/// has its sources there.
pub fn record_own_code_only(options: &mut RecordOptions, folder: &Path) {
    let project = Project::whole(folder);
    options.libraries = Libraries::Border;
    options.own_packages = project.source_packages();
    options.project = project.root;
}

/// The package of a folder's source files, of which the first tells; folders in it are left for later.
fn look_into(folder: &Path, later: &mut Vec<PathBuf>) -> Option<String> {
    let mut source: Option<PathBuf> = None;
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() && !name.starts_with('.') && !NOT_SOURCES.contains(&&*name) {
            later.push(entry.path());
        }
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        let is_source = extension.is_some_and(|extension| SOURCES.contains(&extension));
        // Those tell of no classes.
        let is_plain = !matches!(&*name, "package-info.java" | "module-info.java");
        if kind.is_file() && is_source && is_plain && source.is_none() {
            source = Some(entry.path());
        }
    }
    package_in(&source?)
}

/// The package that a source file names.
fn package_in(file: &Path) -> Option<String> {
    let mut start = Vec::new();
    let file = File::open(file).ok()?;
    file.take(MOST_READ).read_to_end(&mut start).ok()?;
    let text = String::from_utf8_lossy(&start);
    let mut lines = text.lines().map(str::trim_start);
    let named = lines.find_map(|line| line.strip_prefix("package "))?;
    let is_name = |c: char| c.is_alphanumeric() || c == '.' || c == '_' || c == '$';
    let name: String = named
        .trim_start()
        .chars()
        .take_while(|&c| is_name(c))
        .collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn packages_are_those_that_sources_name() {
        let folder = project(&[
            ("pom.xml", ""),
            (
                "src/main/java/shop/cart/Cart.java",
                "/* licence */\npackage shop.cart;\n",
            ),
            (
                "src/main/java/shop/cart/sub/Item.java",
                "package shop.cart.sub;",
            ),
            ("src/main/kotlin/Odd.kt", "package odd.one\n"),
            ("src/test/groovy/x/T.groovy", "  package x\n"),
            ("src/java/Main.java", "class Main {}"),
            ("target/generated/G.java", "package generated.one;"),
            (".hidden/H.java", "package hidden.one;"),
        ]);
        let found = Project::of(&folder.path().join("src")).source_packages();
        assert_eq!(found, ["odd.one", "shop.cart", "x"]);
    }

    #[test]
    fn the_whole_project_is_the_repository() {
        let folder = project(&[
            (".git/HEAD", ""),
            ("core/pom.xml", ""),
            ("core/src/A.java", ""),
        ]);
        let root = folder.path().canonicalize().unwrap();
        let inside = folder.path().join("core/src");
        assert_eq!(Project::of(&inside).root, root.join("core"));
        assert_eq!(Project::whole(&inside).root, root);
    }
}
