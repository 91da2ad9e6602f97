//! Looking for classes on a class path: folders, jars, and `lib/*`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What stands behind `-cp`.
#[derive(Debug)]
pub struct ClassPath {
    entries: Vec<PathBuf>,
}

/// Folders are not searched deeper than this.
const DEEPEST: usize = 40;

impl ClassPath {
    /// The entries, with `lib/*` replaced by the jars in `lib`.
    #[must_use]
    pub fn new(text: &OsStr) -> ClassPath {
        let mut entries = Vec::new();
        for entry in std::env::split_paths(text) {
            if entry.ends_with("*") {
                let folder = entry.parent().unwrap_or(Path::new("."));
                let jars = std::fs::read_dir(folder).into_iter().flatten().flatten();
                let mut jars: Vec<PathBuf> = jars
                    .map(|found| found.path())
                    .filter(|path| path.extension().is_some_and(|kind| kind == "jar"))
                    .collect();
                jars.sort();
                entries.extend(jars);
            } else {
                entries.push(entry);
            }
        }
        ClassPath { entries }
    }

    /// The same for a program that runs in a folder.
    #[must_use]
    pub fn inside(self, folder: &Path) -> ClassPath {
        let entries = self.entries.into_iter().map(|entry| folder.join(entry));
        ClassPath {
            entries: entries.collect(),
        }
    }

    /// The bytes of a class by its internal name.
    #[must_use]
    pub fn class(&self, internal: &str) -> Option<Vec<u8>> {
        self.file(&format!("{internal}.class"))
    }

    /// The bytes of a file by its path.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<Vec<u8>> {
        let mut entries = self.entries.iter();
        entries.find_map(|entry| bytes_in(entry, path))
    }

    /// The files that are no classes and that a program can read as resources, each as the first entry has it.
    #[must_use]
    pub fn resources(&self) -> BTreeMap<String, Resource> {
        let mut found = BTreeMap::new();
        for entry in &self.entries {
            let all = match entry.is_dir() {
                true => resources_below(entry),
                false => resources_in(entry).unwrap_or_default(),
            };
            for (path, resource) in all {
                found.entry(path).or_insert(resource);
            }
        }
        found
    }

    /// Whether a class is there.
    #[must_use]
    pub fn has(&self, internal: &str) -> bool {
        self.class(internal).is_some()
    }

    /// Internal names of the classes of any package that have this simple name, in folders.
    #[must_use]
    pub fn named(&self, simple: &str) -> Vec<String> {
        let file = format!("{simple}.class");
        let mut found = Vec::new();
        for root in self.entries.iter().filter(|entry| entry.is_dir()) {
            let mut open = vec![(root.clone(), 0)];
            while let Some((folder, depth)) = open.pop() {
                for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                    let path = entry.path();
                    if path.is_dir() && depth < DEEPEST {
                        open.push((path, depth + 1));
                    } else if entry.file_name() == *file
                        && let Ok(inside) = path.strip_prefix(root)
                    {
                        let inside = inside.with_extension("");
                        found.push(inside.to_string_lossy().into_owned());
                    }
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

/// The classes of an archive that every version of Java sees, module declarations left out.
///
/// # Errors
/// If it cannot be read.
pub fn classes_of_archive(archive: &Path) -> std::io::Result<Vec<Vec<u8>>> {
    let mut files = zip::ZipArchive::new(File::open(archive)?)?;
    let mut classes = Vec::new();
    for at in 0..files.len() {
        let mut file = files.by_index(at)?;
        let path = file.name();
        let is_ordinary = !path.starts_with("META-INF/") && !path.ends_with("module-info.class");
        if path.ends_with(".class") && is_ordinary {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            classes.push(bytes);
        }
    }
    Ok(classes)
}

/// A file on a class path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    entry: PathBuf,
    path: String,
    size: u64,
    /// Where an archive tells it.
    checksum: Option<u32>,
}

impl Resource {
    /// Its bytes; `None` if it cannot be read.
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        bytes_in(&self.entry, &self.path)
    }

    /// Whether it has the same bytes as another.
    #[must_use]
    pub fn is_like(&self, other: &Resource) -> bool {
        self.size == other.size
            && match (self.checksum, other.checksum) {
                (Some(mine), Some(theirs)) => mine == theirs,
                _ => self.bytes() == other.bytes(),
            }
    }
}

/// Whether it is neither code nor about how the archive was made.
fn is_resource(path: &str) -> bool {
    let is_administrative = path.starts_with("META-INF/maven/")
        || path == "META-INF/MANIFEST.MF"
        || [".SF", ".RSA", ".DSA"]
            .iter()
            .any(|end| path.ends_with(end));
    !(path.ends_with(".class") || path.ends_with('/') || is_administrative)
}

fn bytes_in(entry: &Path, path: &str) -> Option<Vec<u8>> {
    if entry.is_dir() {
        return std::fs::read(entry.join(path)).ok();
    }
    let mut archive = zip::ZipArchive::new(File::open(entry).ok()?).ok()?;
    let mut bytes = Vec::new();
    archive.by_name(path).ok()?.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn resources_in(archive: &Path) -> Option<Vec<(String, Resource)>> {
    let mut files = zip::ZipArchive::new(File::open(archive).ok()?).ok()?;
    let mut found = Vec::new();
    for at in 0..files.len() {
        let file = files.by_index_raw(at).ok()?;
        let path = file.name().to_owned();
        if file.is_file() && is_resource(&path) {
            let resource = Resource {
                entry: archive.to_owned(),
                path: path.clone(),
                size: file.size(),
                checksum: Some(file.crc32()),
            };
            found.push((path, resource));
        }
    }
    Some(found)
}

fn resources_below(root: &Path) -> Vec<(String, Resource)> {
    let mut found = Vec::new();
    let mut open = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                if depth < DEEPEST {
                    open.push((path, depth + 1));
                }
                continue;
            }
            let inside = path.strip_prefix(root).ok().and_then(Path::to_str);
            let (Some(inside), Ok(about)) = (inside, entry.metadata()) else {
                continue;
            };
            if is_resource(inside) {
                let resource = Resource {
                    entry: root.to_owned(),
                    path: inside.to_owned(),
                    size: about.len(),
                    checksum: None,
                };
                found.push((inside.to_owned(), resource));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_found_in_folders_by_full_and_by_simple_name() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("out/shop");
        std::fs::create_dir_all(&package).unwrap();
        std::fs::write(package.join("Cart.class"), "cart").unwrap();
        let path = ClassPath::new(folder.path().join("out").as_os_str());
        assert_eq!(path.class("shop/Cart").as_deref(), Some(&b"cart"[..]));
        assert!(!path.has("shop/Till"));
        assert_eq!(path.named("Cart"), ["shop/Cart"]);
    }

    #[test]
    fn resources_are_what_is_no_class() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        for (root, text) in [(&one, "a"), (&other, "b")] {
            std::fs::create_dir_all(root.join("META-INF")).unwrap();
            std::fs::write(root.join("META-INF/MANIFEST.MF"), text).unwrap();
            std::fs::write(root.join("Cart.class"), text).unwrap();
            std::fs::write(root.join("prices.txt"), text).unwrap();
        }
        let resources = |root: &Path| ClassPath::new(root.as_os_str()).resources();
        let (mine, theirs) = (resources(&one), resources(&other));
        assert_eq!(mine.keys().collect::<Vec<_>>(), ["prices.txt"]);
        assert!(!mine["prices.txt"].is_like(&theirs["prices.txt"]));
        assert_eq!(theirs["prices.txt"].bytes().as_deref(), Some(&b"b"[..]));
    }
}
