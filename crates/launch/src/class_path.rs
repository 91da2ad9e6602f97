//! Looking for classes on a class path: folders, jars, and `lib/*`.

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

    /// The bytes of a class by its internal name.
    #[must_use]
    pub fn class(&self, internal: &str) -> Option<Vec<u8>> {
        let file = format!("{internal}.class");
        self.entries.iter().find_map(|entry| {
            if entry.is_dir() {
                return std::fs::read(entry.join(&file)).ok();
            }
            let mut archive = zip::ZipArchive::new(File::open(entry).ok()?).ok()?;
            let mut bytes = Vec::new();
            archive.by_name(&file).ok()?.read_to_end(&mut bytes).ok()?;
            Some(bytes)
        })
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
}
