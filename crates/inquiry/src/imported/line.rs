//! The lines of the file: what they must hold, and what is kept of them beside the tree.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::ImportError;

/// A longer line is not a call but a file of another kind.
const LONGEST_LINE: u64 = 256 << 20;

/// A line of the file.
#[derive(Deserialize)]
pub(super) struct Line<'line> {
    pub(super) id: u64,
    pub(super) parent: Option<u64>,
    #[serde(borrow)]
    pub(super) name: Cow<'line, str>,
    #[serde(borrow, default)]
    pub(super) before: Option<&'line RawValue>,
    #[serde(borrow, default)]
    pub(super) after: Option<&'line RawValue>,
    #[serde(borrow, default)]
    pub(super) returns: Option<&'line RawValue>,
    #[serde(default)]
    pub(super) lines: Option<Vec<u32>>,
    #[serde(default)]
    pub(super) trusted: bool,
}

pub(super) fn parse<'line>(
    source: &Path,
    number: u64,
    bytes: &'line [u8],
) -> Result<Line<'line>, ImportError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let file = source.to_owned();
        // The position that it adds counts lines within the line.
        let text = error.to_string();
        let why = match text.rsplit_once(" at line ") {
            Some((why, _)) => format!("{why} at column {}", error.column()),
            None => text,
        };
        if error.is_data() {
            let why = why.rsplit_once(" at column ").map_or(&*why, |(why, _)| why);
            ImportError::NotACall {
                file,
                line: number,
                why: why.to_owned(),
            }
        } else {
            ImportError::NotJson {
                file,
                line: number,
                why,
            }
        }
    })
}

/// The lines of a file that are not blank, with their numbers from 1.
pub(super) struct Lines {
    input: BufReader<File>,
    line: Vec<u8>,
    number: u64,
    pub(super) done: u64,
}

impl Lines {
    pub(super) fn new(file: File) -> Self {
        Lines {
            input: BufReader::with_capacity(1 << 20, file),
            line: Vec::new(),
            number: 0,
            done: 0,
        }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        loop {
            self.line.clear();
            let mut limited = (&mut self.input).take(LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut self.line)?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            self.done += read as u64;
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some((self.number, self.line.trim_ascii())));
            }
        }
    }
}

/// What is kept of a line beside the tree; nothing, if it says nothing.
pub(super) fn text_of(line: &Line<'_>) -> String {
    let mut text = String::new();
    let mut put = |name: &str, value: &str| {
        text.push(if text.is_empty() { '{' } else { ',' });
        text.push('"');
        text.push_str(name);
        text.push_str("\":");
        text.push_str(value);
    };
    for (name, value) in [
        ("before", line.before),
        ("after", line.after),
        ("returns", line.returns),
    ] {
        if let Some(value) = value {
            put(name, value.get());
        }
    }
    if let Some(lines) = line.lines.as_ref().filter(|lines| !lines.is_empty()) {
        put("lines", &format!("{lines:?}"));
    }
    if !text.is_empty() {
        text.push('}');
    }
    text
}
