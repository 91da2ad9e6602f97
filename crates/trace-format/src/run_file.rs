//! `run.json`: what was run, so that it can be told later and run again (for a reference).
//!
//! A command that is not all text is written twice: as text, for whoever reads it, and exactly.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::command_word::CommandWord;
use crate::record_options::RecordOptions;

/// See the module's header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunFile {
    /// Always 1.
    pub version: u32,
    /// The command as the user gave it; for a source file, the file and the program's arguments.
    pub command: Vec<String>,
    /// The same byte for byte, if some of it is no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_command: Option<Vec<CommandWord>>,
    /// Where it ran.
    pub working_directory: CommandWord,
    /// The source file, if one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub java_file: Option<CommandWord>,
    /// The class that was run, where it is known from compiling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main_class: Option<String>,
    /// Folders that hold sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source_path: Vec<CommandWord>,
    /// How it was recorded.
    pub options: RecordOptions,
    /// Milliseconds since 1970.
    pub started_ms: u64,
    /// `null` while it runs, or if it ended by a signal.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Whether the time limit ended it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub timed_out: bool,
    /// Whether Askance ended it, because the bug was found: that it did not end is no symptom.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_longer_needed: bool,
}

/// Exit codes of a JVM, or of a shell around it, that a signal ended: hang-up, Ctrl-C, kill -9, kill.
const ENDED_BY_A_SIGNAL: [i32; 4] = [129, 130, 137, 143];

impl RunFile {
    /// The file's content, if it is one.
    #[must_use]
    pub fn parse(json: &[u8]) -> Option<Self> {
        serde_json::from_slice(json).ok()
    }

    /// The file's content, for people too.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Numbers, strings and lists of them have nothing that JSON could not hold.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

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
    pub fn command_of(words: &[OsString]) -> (Vec<String>, Option<Vec<CommandWord>>) {
        let text = words
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let is_text = words.iter().all(|word| word.to_str().is_some());
        (
            text,
            (!is_text).then(|| words.iter().map(CommandWord::from).collect()),
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

    /// The source folders as paths.
    pub fn source_folders(&self) -> impl Iterator<Item = PathBuf> {
        self.source_path.iter().map(|word| PathBuf::from(&word.0))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;

    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    use super::*;

    fn words() -> impl Strategy<Value = Vec<OsString>> {
        vec(vec(any::<u8>(), 0..9).prop_map(OsString::from_vec), 0..5)
    }

    proptest! {
        /// What is written is read back, whatever bytes the command has.
        #[test]
        fn a_run_file_is_read_back(
            words in words(),
            folders in words(),
            code in option::of(any::<i32>()),
            timed_out in any::<bool>(),
        ) {
            let (command, exact_command) = RunFile::command_of(&words);
            let run = RunFile {
                version: 1,
                command,
                exact_command,
                working_directory: folders.first().map(CommandWord::from).unwrap_or_default(),
                source_path: folders.iter().map(CommandWord::from).collect(),
                exit_code: code,
                timed_out,
                ..RunFile::default()
            };
            let read = RunFile::parse(run.to_json().as_bytes());
            prop_assert_eq!(read.as_ref(), Some(&run));
            prop_assert_eq!(run.words(), words);
        }
    }

    #[test]
    fn what_is_missing_is_left_open() {
        assert_eq!(RunFile::parse(b"{}"), Some(RunFile::default()));
        assert_eq!(RunFile::parse(b"nothing"), None);
    }
}
