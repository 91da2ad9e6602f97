//! `run.json`: what was run, so that it can be told later and run again (for a reference).
//!
//! Arguments are byte strings on Unix. A command that is not all text is written twice: as text, for
//! whoever reads it, and exactly, where a word that is no text is `{"bytes": […]}`.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::options::RecordOptions;

/// The file's name in the trace's folder.
pub const NAME: &str = "run.json";

/// The content of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    /// Always 1.
    pub version: u32,
    /// The command as the user gave it; for a source file, the file and the program's arguments.
    pub command: Vec<String>,
    /// The same byte for byte, if some of it is no text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact_command: Option<Vec<Word>>,
    /// Where it ran.
    pub working_directory: Word,
    /// The source file, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub java_file: Option<Word>,
    /// The class that was run, where it is known from compiling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main_class: Option<String>,
    /// Folders that hold sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_path: Vec<Word>,
    /// How it was recorded.
    pub options: RecordOptions,
    /// Milliseconds since 1970.
    pub started_ms: u64,
    /// `null` while it runs, or if it ended by a signal.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Whether the time limit ended it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed_out: bool,
    /// Whether Askance ended it, because the bug was found: that it did not end is no symptom.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_longer_needed: bool,
}

/// Exit codes of a JVM, or of a shell around it, that a signal ended: hang-up, Ctrl-C, kill -9, kill.
const ENDED_BY_A_SIGNAL: [i32; 4] = [129, 130, 137, 143];

impl RunFile {
    /// Whether it was ended from outside, so that calls which had not ended may be the symptom.
    #[must_use]
    pub fn was_stopped(&self) -> bool {
        let by_signal = self.signal.is_some()
            || self
                .exit_code
                .is_some_and(|code| ENDED_BY_A_SIGNAL.contains(&code));
        (self.timed_out || by_signal) && !self.no_longer_needed
    }

    /// The command in both its forms.
    #[must_use]
    pub fn command_of(words: &[OsString]) -> (Vec<String>, Option<Vec<Word>>) {
        let text = words
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let is_text = words.iter().all(|word| word.to_str().is_some());
        (
            text,
            (!is_text).then(|| words.iter().map(Word::from).collect()),
        )
    }

    /// The command, byte for byte.
    #[must_use]
    pub fn words(&self) -> Vec<OsString> {
        match &self.exact_command {
            Some(words) => words.iter().map(|word| word.0.clone()).collect(),
            None => self.command.iter().map(OsString::from).collect(),
        }
    }

    /// Reads the file of a trace; `None` if there is none or it is not readable as one.
    #[must_use]
    pub fn read(trace: &Path) -> Option<RunFile> {
        let text = std::fs::read(trace.join(NAME)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn write(&self, trace: &Path) -> io::Result<()> {
        write_whole(&trace.join(NAME), &serde_json::to_vec_pretty(self)?)
    }

    /// Writes the file over the one that is there, which takes no more room than a full disk has.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn overwrite(&self, trace: &Path) -> io::Result<()> {
        use io::Write as _;
        let content = serde_json::to_vec_pretty(self)?;
        let mut file = std::fs::OpenOptions::new()
            .write(true)
            .open(trace.join(NAME))?;
        file.write_all(&content)?;
        file.set_len(content.len() as u64)
    }

    /// The source folders as paths.
    pub fn source_folders(&self) -> impl Iterator<Item = PathBuf> {
        self.source_path.iter().map(|word| PathBuf::from(&word.0))
    }

    /// Where the sources of a program mostly lie, seen from where it was started.
    pub fn usual_source_folders(&self) -> impl Iterator<Item = PathBuf> {
        let here = PathBuf::from(&self.working_directory.0);
        let places = ["", "src", "src/main/java", "src/test/java"];
        places.into_iter().map(move |place| here.join(place))
    }
}

/// Writes a file through a temporary one beside it, so that no reader sees half of it.
///
/// # Errors
/// If the folder cannot be written.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    use io::Write as _;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".askance-")
        .tempfile_in(folder)?;
    file.write_all(content)?;
    file.write_all(b"\n")?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A word of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word(pub OsString);

impl<T: AsRef<OsStr> + ?Sized> From<&T> for Word {
    fn from(word: &T) -> Self {
        Word(word.as_ref().to_owned())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Text(String),
    Bytes { bytes: Vec<u8> },
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(text) => Stored::Text(text.to_owned()),
            None => Stored::Bytes {
                bytes: self.0.as_bytes().to_vec(),
            },
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Word(match Stored::deserialize(deserializer)? {
            Stored::Text(text) => text.into(),
            Stored::Bytes { bytes } => OsString::from_vec(bytes),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_no_text_survive() {
        let words = vec![
            Word::from("plain"),
            Word(OsString::from_vec(vec![b'a', 0xff])),
        ];
        let text = serde_json::to_string(&words).unwrap();
        assert_eq!(text, r#"["plain",{"bytes":[97,255]}]"#);
        assert_eq!(serde_json::from_str::<Vec<Word>>(&text).unwrap(), words);
    }

    #[test]
    fn a_run_file_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFile {
            version: 1,
            command: vec!["java".into(), "Main".into()],
            exact_command: None,
            working_directory: Word::from("/home"),
            java_file: None,
            main_class: None,
            source_path: vec![Word::from("src")],
            options: RecordOptions::default(),
            started_ms: 5,
            exit_code: Some(1),
            signal: None,
            timed_out: false,
            no_longer_needed: false,
        };
        run.write(folder.path()).unwrap();
        assert_eq!(RunFile::read(folder.path()), Some(run));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
