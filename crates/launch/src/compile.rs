//! Compiling a source file that the user named.
//!
//! The file is compiled with debug information, together with whatever it needs from its own
//! source root, into a temporary folder that lives as long as the [`Compiled`]. The source root
//! follows from the package declaration: `src/shop/Cart.java` in package `shop` has root `src`.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use classfile::ClassFile;

use super::jdk::JavaInstallation;
use super::scratch;

/// Why a source file could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    #[error("there is no file {}", .0.display())]
    Missing(PathBuf),
    #[error("{} cannot be read: {source}", .file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    #[error("{} does not compile:\n{}", .file.display(), .message.trim_end())]
    Rejected { file: PathBuf, message: String },
    #[error("{} declares no class with a main method", .0.display())]
    NoMain(PathBuf),
    #[error("{} could not be run: {source}", .javac.display())]
    Javac { javac: PathBuf, source: io::Error },
    #[error("no temporary folder could be made: {0}")]
    Temporary(io::Error),
}

/// A compiled source file. The classes vanish with it.
#[derive(Debug)]
pub struct Compiled {
    classes: tempfile::TempDir,
    /// The class to run, e.g. `shop.Main`.
    pub main_class: String,
    /// Where its sources lie.
    pub source_root: PathBuf,
}

impl Compiled {
    /// The folder of the class files.
    #[must_use]
    pub fn classes(&self) -> &Path {
        self.classes.path()
    }

    /// What goes behind `-cp`: the classes, then `CLASSPATH` if the user has one.
    #[must_use]
    pub fn class_path(&self) -> OsString {
        let mut path = self.classes().as_os_str().to_owned();
        if let Some(more) = std::env::var_os("CLASSPATH").filter(|more| !more.is_empty()) {
            path.push(":");
            path.push(more);
        }
        path
    }
}

/// Compiles `file` with `jdk`.
///
/// # Errors
/// If the file is missing, does not compile, or holds nothing to run.
pub fn compile(jdk: &JavaInstallation, file: &Path) -> Result<Compiled, CompileError> {
    let source = match std::fs::read(file) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(CompileError::Missing(file.to_owned()));
        }
        Err(source) => {
            return Err(CompileError::Unreadable {
                file: file.to_owned(),
                source,
            });
        }
    };
    let text = String::from_utf8_lossy(&source);
    let package = package_of(&text);
    let source_root = source_root(file, package.as_deref());
    let classes = scratch::folder().map_err(CompileError::Temporary)?;

    let mut javac = Command::new(jdk.javac());
    javac
        .arg("-g")
        .arg("-d")
        .arg(classes.path())
        .arg("-sourcepath")
        .arg(&source_root);
    if std::env::var_os("CLASSPATH").is_none_or(|path| path.is_empty()) {
        // The default would be the current folder, where stale classes may lie.
        javac.arg("-cp").arg(classes.path());
    }
    if std::str::from_utf8(&source).is_ok() {
        javac.args(["-encoding", "UTF-8"]);
    }
    let output = javac
        .arg(file)
        .output()
        .map_err(|source| CompileError::Javac {
            javac: jdk.javac(),
            source,
        })?;
    if !output.status.success() {
        let mut message = String::from_utf8_lossy(&output.stderr).into_owned();
        message.push_str(&String::from_utf8_lossy(&output.stdout));
        return Err(CompileError::Rejected {
            file: file.to_owned(),
            message,
        });
    }
    let main_class = main_class(classes.path(), file, package.as_deref())
        .ok_or_else(|| CompileError::NoMain(file.to_owned()))?;
    Ok(Compiled {
        classes,
        main_class,
        source_root: absolute(&source_root),
    })
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The package that a source file declares.
fn package_of(source: &str) -> Option<String> {
    let mut words = Words { rest: source };
    // Annotations may stand before `package`; nothing else can.
    loop {
        match words.next()? {
            "package" => break,
            "import" | "class" | "interface" | "enum" | "record" => return None,
            _ => {}
        }
    }
    let mut name = String::new();
    for word in words {
        if word == ";" {
            return Some(name);
        }
        name.push_str(word);
    }
    None
}

/// Words and single signs of a Java source, comments and white space left out. Good enough for
/// the head of a file: it knows nothing of string literals.
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.rest = self
                .rest
                .trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            if let Some(comment) = self.rest.strip_prefix("//") {
                self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
            } else if let Some(comment) = self.rest.strip_prefix("/*") {
                self.rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
            } else {
                break;
            }
        }
        let first = self.rest.chars().next()?;
        let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = if in_word(first) {
            self.rest.find(|c| !in_word(c)).unwrap_or(self.rest.len())
        } else {
            first.len_utf8()
        };
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(word)
    }
}

/// The folder above the package's folders; the file's own folder if they do not match.
fn source_root(file: &Path, package: Option<&str>) -> PathBuf {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let Some(package) = package else {
        return folder;
    };
    let mut root = absolute(&folder);
    for part in package.rsplit('.') {
        if root.file_name() != Some(OsStr::new(part)) || !root.pop() {
            return folder;
        }
    }
    root
}

/// The class to run: the one that the file is named after, or else the one class of the file's
/// package that has a `main`.
fn main_class(classes: &Path, file: &Path, package: Option<&str>) -> Option<String> {
    let folder = package.map_or(classes.to_owned(), |package| {
        classes.join(package.replace('.', "/"))
    });
    let qualified = |name: &str| match package {
        Some(package) => format!("{package}.{name}"),
        None => name.to_owned(),
    };
    let stem = file.file_stem()?.to_str();
    if let Some(stem) = stem
        && has_main(&folder.join(format!("{stem}.class")))
    {
        return Some(qualified(stem));
    }
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new("class")) && has_main(path))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    names.first().map(|name| qualified(name))
}

/// Whether a class file declares a method `main`.
fn has_main(class: &Path) -> bool {
    let Ok(bytes) = std::fs::read(class) else {
        return false;
    };
    let Ok(class) = ClassFile::parse(&bytes) else {
        return false;
    };
    class
        .methods
        .iter()
        .any(|method| class.method_name(method).is_ok_and(|name| name == "main"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages() {
        for (source, package) in [
            ("package a.b;\nclass X {}", Some("a.b")),
            (
                "/* package no; */ // package no;\n @Deprecated package a . b ;",
                Some("a.b"),
            ),
            ("import java.util.*; class X {}", None),
            ("class package_ {}", None),
            ("", None),
            ("package a.b", None),
        ] {
            assert_eq!(package_of(source).as_deref(), package, "{source}");
        }
    }

    #[test]
    fn the_source_root_is_above_the_packages_folders() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let deep = base.join("src/shop/cart");
        std::fs::create_dir_all(&deep).unwrap();
        let file = deep.join("Cart.java");
        assert_eq!(source_root(&file, Some("shop.cart")), base.join("src"));
        assert_eq!(source_root(&file, Some("other.cart")), deep);
        assert_eq!(source_root(&file, None), deep);
        assert_eq!(source_root(Path::new("Cart.java"), None), Path::new("."));
    }
}
