//! Where in a project the source of a class is: a build of several modules has many folders of sources.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Folders without sources of the project.
const PASSED_OVER: [&str; 5] = [".git", "node_modules", "target", "build", "out"];
/// A larger project is looked at in part.
const MOST_FOLDERS: usize = 20_000;

/// The sources below a folder.
#[derive(Debug, Default)]
pub struct SourceTree {
    /// Relative paths by the names of files.
    files: HashMap<OsString, Vec<PathBuf>>,
}

impl SourceTree {
    /// Looks for them. A folder that cannot be read has none, and links are not followed.
    #[must_use]
    pub fn below(folder: &Path) -> SourceTree {
        let mut tree = SourceTree::default();
        let mut open = vec![PathBuf::new()];
        for _ in 0..MOST_FOLDERS {
            let Some(inside) = open.pop() else {
                break;
            };
            tree.look_into(folder, &inside, &mut open);
        }
        tree
    }

    /// Takes the sources of a folder; the folders in it are left for later.
    fn look_into(&mut self, root: &Path, inside: &Path, later: &mut Vec<PathBuf>) {
        let entries = std::fs::read_dir(root.join(inside));
        for entry in entries.into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let name = entry.file_name();
            let place = inside.join(&name);
            if kind.is_dir() && !PASSED_OVER.iter().any(|passed| name == *passed) {
                later.push(place);
            } else if kind.is_file() && is_source(&place) {
                self.files.entry(name).or_default().push(place);
            }
        }
    }

    /// The file of a class by its name (`shop.Cart$Line`) and the name of its source (`Cart.java`), if just one fits.
    #[must_use]
    pub fn find(&self, class: &str, file: &str) -> Option<&Path> {
        let package = class.rsplit_once('.').map(|(package, _)| package);
        let wanted = match package {
            Some(package) => Path::new(&package.replace('.', "/")).join(file),
            None => PathBuf::from(file),
        };
        let named = self.files.get(wanted.file_name()?)?;
        let mut fitting = named.iter().filter(|path| path.ends_with(&wanted));
        let first = fitting.next()?;
        // Without a package, a file in any folder fits; two of them tell nothing.
        fitting.next().is_none().then_some(first)
    }
}

fn is_source(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("java" | "kt" | "groovy" | "scala"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_found_by_its_package() {
        let folder = tempfile::tempdir().unwrap();
        for file in [
            "a/src/main/java/shop/Cart.java",
            "b/src/main/java/other/Cart.java",
            "a/target/shop/Cart.java",
            "x/Main.java",
            "y/Main.java",
        ] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let tree = SourceTree::below(folder.path());
        let cart = tree.find("shop.Cart$Line", "Cart.java");
        assert_eq!(cart, Some(Path::new("a/src/main/java/shop/Cart.java")));
        assert_eq!(tree.find("Main", "Main.java"), None);
        assert_eq!(tree.find("shop.Bill", "Bill.java"), None);
    }
}
