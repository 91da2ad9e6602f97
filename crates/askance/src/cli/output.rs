//! Data on stdout, talk on stderr.

use std::io::{self, Write as _};
use std::path::Path;

use serde::Serialize;

use super::failure::Failure;
use launch::Listener;

/// Writes a piece of data as it is. A reader that has gone away (`| head`) is no failure.
pub(crate) fn data(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Writes one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    data(&text)
}

/// One sentence for the person.
pub(crate) fn say(sentence: &str) {
    talk(&format!("askance: {sentence}"));
}

/// A path, or another word, as one can paste it into a shell.
pub(crate) fn shell_word(word: impl AsRef<Path>) -> String {
    let text = word.as_ref().display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,".contains(c);
    if text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// What is told to programs, with the version of its form.
#[derive(Debug, Serialize)]
struct Versioned<'told, Told> {
    version: u32,
    #[serde(flatten)]
    told: &'told Told,
}

/// Writes one line of JSON that begins with the first version of its form.
pub(crate) fn first_version(told: &impl Serialize) -> io::Result<()> {
    json(&Versioned { version: 1, told })
}

/// Says something to whoever sits there.
pub(crate) fn talk(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Says that values which were shown are not sure, if that is so.
pub(crate) fn say_caveat(caveat: Option<&str>) {
    if let Some(caveat) = caveat {
        talk(&format!("askance: {caveat}"));
    }
}

/// Says why a command failed.
pub(crate) fn say_failure(failure: &Failure) {
    talk(&format!("askance: {}", failure.sentence));
    if let Some(hint) = &failure.hint {
        talk(&format!("  hint: {hint}"));
    }
}

/// Says what is heard while recording.
pub(crate) struct Talk;

impl Listener for Talk {
    fn say(&mut self, sentence: &str) {
        talk(&format!("askance: {sentence}"));
    }
}
