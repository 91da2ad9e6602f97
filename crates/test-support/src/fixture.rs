//! Compiles Java for tests, once.
//!
//! The classes are kept under `target/java-fixtures`, in a folder named after a hash of the
//! sources, the options and the compiler's version. Test processes run side by side, so a
//! compilation happens in a temporary folder that is renamed when it is complete: whoever comes
//! second finds the folder there and throws its own away. Within a process, one compilation at a
//! time: tests that want the same classes at the same moment wait for the first of them.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::run::join_class_path;
use crate::{Jdk, Run, target_dir};

/// Java sources and how to compile them.
///
/// ```no_run
/// # use test_support::Fixture;
/// let classes = Fixture::new().source("Main.java", "class Main { }").compile()?;
/// # Ok::<(), test_support::FixtureError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Fixture {
    files: Vec<PathBuf>,
    sources: Vec<(String, String)>,
    class_path: Vec<PathBuf>,
    options: Vec<String>,
    debug: &'static str,
    release: Option<u32>,
    jdk: Option<Jdk>,
}

#[derive(Debug, thiserror::Error)]
pub enum FixtureError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("no JDK with a compiler was found; `cargo xtask setup` installs one")]
    NoCompiler,
    #[error("there is no Java source to compile")]
    NoSources,
    #[error("javac failed:\n{0}")]
    Javac(String),
}

impl Fixture {
    pub fn new() -> Fixture {
        Fixture {
            files: Vec::new(),
            sources: Vec::new(),
            class_path: Vec::new(),
            options: Vec::new(),
            debug: "-g",
            release: Some(11),
            jdk: None,
        }
    }

    /// A `.java` file, or a folder whose `.java` files are all taken (subfolders too).
    pub fn path(mut self, path: impl AsRef<Path>) -> Fixture {
        self.files.push(path.as_ref().to_path_buf());
        self
    }

    /// A source given as text; `name` is its file name, with folders where it is in a package.
    pub fn source(mut self, name: &str, text: &str) -> Fixture {
        self.sources.push((name.to_owned(), text.to_owned()));
        self
    }

    pub fn class_path<P: Into<PathBuf>>(mut self, entries: impl IntoIterator<Item = P>) -> Fixture {
        self.class_path.extend(entries.into_iter().map(Into::into));
        self
    }

    /// A further option for javac.
    pub fn option(mut self, option: &str) -> Fixture {
        self.options.push(option.to_owned());
        self
    }

    /// Leaves out names of locals, lines and source files.
    pub fn without_debug_information(mut self) -> Fixture {
        self.debug = "-g:none";
        self
    }

    /// The Java version compiled for: 11 unless said otherwise, so that every supported runtime
    /// can run the classes. `None` is the compiler's own.
    pub fn release(mut self, release: Option<u32>) -> Fixture {
        self.release = release;
        self
    }

    /// The compiler to use instead of the default one.
    pub fn jdk(mut self, jdk: &Jdk) -> Fixture {
        self.jdk = Some(jdk.clone());
        self
    }

    /// Compiles what this Java runs: what is compiled for 11 by default, for 8 where that is older.
    pub fn compile_for(&self, jdk: &Jdk) -> Result<Classes, FixtureError> {
        let release = self.release.map(|release| release.min(jdk.feature()));
        self.clone().release(release).compile()
    }

    pub fn compile(&self) -> Result<Classes, FixtureError> {
        let jdk = self
            .jdk
            .as_ref()
            .or_else(|| Jdk::compiler())
            .ok_or(FixtureError::NoCompiler)?;
        let javac = jdk.javac().ok_or(FixtureError::NoCompiler)?;
        let files = self.java_files()?;
        if files.is_empty() && self.sources.is_empty() {
            return Err(FixtureError::NoSources);
        }
        let arguments = self.arguments();
        let key = self.key(&files, &arguments, jdk)?;

        static COMPILING: Mutex<()> = Mutex::new(());
        let _turn = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
        let cache = target_dir().join("java-fixtures");
        let home = cache.join(key);
        if home.is_dir() {
            return Ok(Classes { home });
        }
        fs::create_dir_all(&cache).map_err(at(&cache))?;
        let draft = tempfile::Builder::new()
            .prefix("draft-")
            .tempdir_in(&cache)
            .map_err(at(&cache))?;
        let classes = draft.path().join("classes");
        fs::create_dir(&classes).map_err(at(&classes))?;
        let written = self.write_sources(&draft.path().join("src"))?;

        let mut command = Command::new(&javac);
        command
            .args(&arguments)
            .arg("-d")
            .arg(&classes)
            .args(&files)
            .args(&written);
        let output = command.output().map_err(at(&javac))?;
        if !output.status.success() {
            return Err(FixtureError::Javac(
                String::from_utf8_lossy(&output.stderr).into_owned(),
            ));
        }
        let draft = draft.keep();
        match fs::rename(&draft, &home) {
            Ok(()) => {}
            // Another process was faster; what it has put there is the same.
            Err(_) if home.is_dir() => fs::remove_dir_all(&draft).map_err(at(&draft))?,
            Err(error) => return Err(at(&home)(error)),
        }
        Ok(Classes { home })
    }

    fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![self.debug.to_owned(), "-encoding".into(), "UTF-8".into()];
        if let Some(release) = self.release {
            arguments.extend(["--release".to_owned(), release.to_string()]);
            // That it is an old one is no news.
            arguments.push("-Xlint:-options".to_owned());
        }
        if !self.class_path.is_empty() {
            let joined = join_class_path(&self.class_path);
            arguments.extend(["-cp".to_owned(), joined.to_string_lossy().into_owned()]);
        }
        arguments.extend(self.options.iter().cloned());
        arguments
    }

    fn java_files(&self) -> Result<Vec<PathBuf>, FixtureError> {
        let mut files = Vec::new();
        for path in &self.files {
            collect_java_files(path, &mut files).map_err(at(path))?;
        }
        files.sort();
        Ok(files)
    }

    fn write_sources(&self, folder: &Path) -> Result<Vec<PathBuf>, FixtureError> {
        let mut written = Vec::new();
        for (name, text) in &self.sources {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).map_err(at(parent))?;
            fs::write(&path, text).map_err(at(&path))?;
            written.push(path);
        }
        Ok(written)
    }

    fn key(
        &self,
        files: &[PathBuf],
        arguments: &[String],
        jdk: &Jdk,
    ) -> Result<String, FixtureError> {
        let mut hasher = DefaultHasher::new();
        (jdk.full_version(), arguments, &self.sources).hash(&mut hasher);
        for file in files {
            let content = fs::read(file).map_err(at(file))?;
            (file.file_name(), content).hash(&mut hasher);
        }
        Ok(format!("{:016x}", hasher.finish()))
    }
}

impl Default for Fixture {
    fn default() -> Fixture {
        Fixture::new()
    }
}

/// The result of a compilation. The folder is shared: nobody may write into it.
#[derive(Debug, Clone)]
pub struct Classes {
    home: PathBuf,
}

impl Classes {
    /// The class path entry.
    pub fn dir(&self) -> PathBuf {
        self.home.join("classes")
    }

    /// Where sources that were given as text are.
    pub fn source_dir(&self) -> PathBuf {
        self.home.join("src")
    }

    /// A run of the main class `Main` with these classes.
    pub fn run(&self, jdk: &Jdk) -> Run {
        Run::new(jdk).class_path([self.dir()])
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> FixtureError {
    let path = path.to_path_buf();
    move |source| FixtureError::Io { path, source }
}

fn collect_java_files(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            let entry = entry?.path();
            if entry.is_dir()
                || entry
                    .extension()
                    .is_some_and(|extension| extension == "java")
            {
                collect_java_files(&entry, files)?;
            }
        }
    } else {
        files.push(path.to_path_buf());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELLO: &str = "public class Main {
        public static void main(String[] args) {
            System.out.println(\"hello \" + String.join(\",\", args));
        }
    }";

    #[test]
    fn compiles_once_and_runs() {
        let fixture = Fixture::new().source("Main.java", HELLO);
        let classes = fixture.compile().unwrap();
        assert_eq!(classes.dir(), fixture.compile().unwrap().dir());
        let finished = classes
            .run(&Jdk::default())
            .arg("a")
            .arg("b")
            .run()
            .unwrap();
        assert_eq!(finished.stdout_text(), "hello a,b\n");
        assert_eq!(finished.exit_code(), Some(0));
    }

    #[test]
    fn options_make_another_folder() {
        let fixture = Fixture::new().source("Main.java", HELLO);
        let bare = fixture.clone().without_debug_information();
        assert_ne!(
            fixture.compile().unwrap().dir(),
            bare.compile().unwrap().dir()
        );
    }

    #[test]
    fn many_at_once_agree() {
        let text = format!("{HELLO} // compiled by several threads");
        let fixture = Fixture::new().source("Main.java", &text);
        let dirs: Vec<PathBuf> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3)
                .map(|_| scope.spawn(|| fixture.compile().unwrap().dir()))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(
            dirs.iter()
                .all(|dir| dir == &dirs[0] && dir.join("Main.class").is_file())
        );
    }

    #[test]
    fn what_javac_says_is_passed_on() {
        let error = Fixture::new()
            .source("Main.java", "class Main {")
            .compile()
            .unwrap_err();
        assert!(error.to_string().contains("reached end of file"), "{error}");
    }

    #[test]
    fn nothing_to_compile() {
        assert!(matches!(
            Fixture::new().compile(),
            Err(FixtureError::NoSources)
        ));
    }
}
