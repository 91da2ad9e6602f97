//! What to record and how much of it, and how the recorder is told: the tool writes it, the recorder inside the JVM
//! reads it, and the run file keeps it.
//!
//! The recorder takes one string, `key=value,key=value`. Values are percent-encoded byte by byte, so that a path with a
//! comma, a space or bytes that are no text at all gets through unchanged; lists in them are separated by semicolons.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::json::{Detail, Libraries, WhenFull};

/// Whether the state of the common JDK collections is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JdkState {
    /// Their content can be shown at any time.
    #[default]
    On,
    /// They are opaque.
    Off,
}

/// See the module's header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordOptions {
    /// Class-name patterns to record; empty: the recorder's default.
    pub include: Vec<String>,
    /// Class-name patterns to leave alone, besides the recorder's default.
    pub exclude: Vec<String>,
    /// The most bytes that the trace may have.
    pub max_trace: Option<u64>,
    /// And what happens when it has them.
    pub when_full: WhenFull,
    /// The program is stopped after this many seconds. The tool sees to that; the recorder is not told.
    pub time_limit: Option<f64>,
    /// How much of each call.
    pub detail: Detail,
    /// State of the JDK's collections.
    pub jdk_state: JdkState,
    /// Names whose values are kept out of the trace.
    pub mask: Vec<String>,
    /// Patterns of classes whose objects are asked what they say of themselves, by `toString`.
    pub texts: Vec<String>,
    /// How much of libraries.
    pub libraries: Libraries,
    /// Class-name patterns that count as the user's own code, wherever the classes come from.
    pub suspect: Vec<String>,
    /// Packages whose sources are the user's.
    pub own_packages: Vec<String>,
    /// The project's folder: what is built in it is the user's own.
    #[serde(with = "exact_path")]
    pub project: PathBuf,
}

/// Paths are byte strings on Unix: one that is no text is kept as a run file keeps such words.
mod exact_path {
    use std::path::{Path, PathBuf};

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use crate::command_word::CommandWord;

    pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        CommandWord::from(path).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(source: D) -> Result<PathBuf, D::Error> {
        Ok(CommandWord::deserialize(source)?.0.into())
    }
}

/// Why an option string makes no sense to the recorder.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("option {0:?} is not of the form key=value")]
    NoValue(String),
    #[error("unknown option {0:?}")]
    Unknown(String),
    #[error("option {key} cannot be {value:?}")]
    BadValue { key: String, value: String },
    #[error("the option out=FOLDER is missing")]
    NoFolder,
}

impl RecordOptions {
    /// The option string for the recorder that writes below `out`.
    #[must_use]
    pub fn for_recorder(&self, out: &Path) -> String {
        let mut text = format!("out={}", percent_encode(out.as_os_str()));
        for (key, word) in [
            ("detail", word_of(self.detail)),
            ("jdk-state", word_of(self.jdk_state)),
            ("when-full", word_of(self.when_full)),
            ("libraries", word_of(self.libraries)),
        ] {
            if let Some(word) = word {
                let _ = write!(text, ",{key}={word}");
            }
        }
        for (key, list) in self.lists() {
            if !list.is_empty() {
                let list = percent_encode(OsStr::new(&list.join(";")));
                let _ = write!(text, ",{key}={list}");
            }
        }
        if !self.project.as_os_str().is_empty() {
            let project = percent_encode(self.project.as_os_str());
            let _ = write!(text, ",project={project}");
        }
        if let Some(bytes) = self.max_trace {
            let _ = write!(text, ",max-trace={bytes}");
        }
        text
    }

    /// What an option string says, and the folder to write below.
    pub fn parse(text: &str) -> Result<(PathBuf, Self), OptionError> {
        let mut out = None;
        let mut options = Self::default();
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            let (key, encoded) = pair
                .split_once('=')
                .ok_or_else(|| OptionError::NoValue(pair.to_owned()))?;
            let bytes = percent_decoded(encoded);
            if key == "out" {
                out = Some(path(bytes));
            } else {
                options.take(key, bytes)?;
            }
        }
        Ok((out.ok_or(OptionError::NoFolder)?, options))
    }

    fn take(&mut self, key: &str, bytes: Vec<u8>) -> Result<(), OptionError> {
        let value = String::from_utf8_lossy(&bytes).into_owned();
        let bad = || OptionError::BadValue {
            key: key.to_owned(),
            value: value.clone(),
        };
        match key {
            "detail" => {
                let detail = named(&value).filter(|detail| *detail != Detail::Other);
                self.detail = detail.ok_or_else(bad)?;
            }
            "jdk-state" => self.jdk_state = named(&value).ok_or_else(bad)?,
            "when-full" => {
                let when_full = named(&value).filter(|when| *when != WhenFull::Other);
                self.when_full = when_full.ok_or_else(bad)?;
            }
            "libraries" => {
                let libraries = named(&value).filter(|much| *much != Libraries::Other);
                self.libraries = libraries.ok_or_else(bad)?;
            }
            "project" => self.project = path(bytes),
            "max-trace" => self.max_trace = Some(value.parse().map_err(|_| bad())?),
            _ => {
                let mut lists = self.lists_mut().into_iter();
                let (_, list) = lists
                    .find(|(name, _)| *name == key)
                    .ok_or_else(|| OptionError::Unknown(key.to_owned()))?;
                let parts = value.split(';').filter(|part| !part.is_empty());
                *list = parts.map(str::to_owned).collect();
            }
        }
        Ok(())
    }

    fn lists(&self) -> [(&'static str, &Vec<String>); 6] {
        [
            ("include", &self.include),
            ("exclude", &self.exclude),
            ("mask", &self.mask),
            ("texts", &self.texts),
            ("suspect", &self.suspect),
            ("own-packages", &self.own_packages),
        ]
    }

    fn lists_mut(&mut self) -> [(&'static str, &mut Vec<String>); 6] {
        [
            ("include", &mut self.include),
            ("exclude", &mut self.exclude),
            ("mask", &mut self.mask),
            ("texts", &mut self.texts),
            ("suspect", &mut self.suspect),
            ("own-packages", &mut self.own_packages),
        ]
    }
}

/// The word that stands for a choice in JSON stands for it here, too; none for what goes without saying.
fn word_of<T: Serialize + Default + PartialEq>(choice: T) -> Option<String> {
    if choice == T::default() {
        return None;
    }
    match serde_json::to_value(choice) {
        Ok(serde_json::Value::String(word)) => Some(word),
        _ => None,
    }
}

fn named<T: for<'de> Deserialize<'de>>(word: &str) -> Option<T> {
    serde_json::from_value(word.into()).ok()
}

pub(crate) fn path(bytes: Vec<u8>) -> PathBuf {
    OsString::from_vec(bytes).into()
}

/// Encodes all but plain, harmless ASCII.
pub(crate) fn percent_encode(value: &OsStr) -> String {
    let mut text = String::new();
    for &byte in value.as_bytes() {
        if byte.is_ascii_graphic() && !b",%=\"'\\".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

pub(crate) fn percent_decoded(text: &str) -> Vec<u8> {
    let mut rest = text.as_bytes();
    let mut decoded = Vec::with_capacity(rest.len());
    while let Some((&first, after)) = rest.split_first() {
        let escaped = (first == b'%')
            .then(|| after.get(..2))
            .flatten()
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match escaped {
            Some(byte) => {
                decoded.push(byte);
                rest = &after[2..];
            }
            None => {
                decoded.push(first);
                rest = after;
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn bytes() -> impl Strategy<Value = PathBuf> {
        vec(1..=255u8, 0..20).prop_map(path)
    }

    fn patterns() -> impl Strategy<Value = Vec<String>> {
        vec("[^;\u{0}]{1,12}", 0..3)
    }

    fn options() -> impl Strategy<Value = RecordOptions> {
        let choices = (
            prop_oneof![Just(Detail::Full), Just(Detail::Calls)],
            prop_oneof![Just(JdkState::On), Just(JdkState::Off)],
            prop_oneof![Just(WhenFull::Stop), Just(WhenFull::Ring)],
            prop_oneof![Just(Libraries::Full), Just(Libraries::Border)],
        );
        let lists = (
            patterns(),
            patterns(),
            patterns(),
            patterns(),
            patterns(),
            patterns(),
        );
        (choices, lists, any::<Option<u64>>(), bytes()).prop_map(
            |(choices, lists, max_trace, project)| RecordOptions {
                detail: choices.0,
                jdk_state: choices.1,
                when_full: choices.2,
                libraries: choices.3,
                include: lists.0,
                exclude: lists.1,
                mask: lists.2,
                texts: lists.3,
                suspect: lists.4,
                own_packages: lists.5,
                max_trace,
                project,
                time_limit: None,
            },
        )
    }

    proptest! {
        /// What the tool tells, the recorder hears.
        #[test]
        fn options_get_through(options in options(), out in bytes()) {
            let told = options.for_recorder(&out);
            prop_assert!(told.is_ascii());
            prop_assert_eq!(RecordOptions::parse(&told), Ok((out, options)));
        }

        /// And what the run file keeps is read back.
        #[test]
        fn options_are_kept(options in options()) {
            let kept = serde_json::to_string(&options).unwrap();
            prop_assert_eq!(serde_json::from_str::<RecordOptions>(&kept).unwrap(), options);
        }
    }

    #[test]
    fn mistakes_are_named() {
        let mistake = |text: &str| RecordOptions::parse(text).unwrap_err();
        assert_eq!(mistake("detail=full"), OptionError::NoFolder);
        assert_eq!(mistake("out"), OptionError::NoValue("out".to_owned()));
        assert_eq!(mistake("out=x,y=1"), OptionError::Unknown("y".to_owned()));
        for text in ["out=x,detail=all", "out=x,detail=other"] {
            let bad = mistake(text).to_string();
            assert!(bad.starts_with("option detail cannot be"), "{bad}");
        }
    }
}
