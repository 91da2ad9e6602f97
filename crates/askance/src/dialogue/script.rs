//! Answers from a file: one a line, `#` begins a comment.

use std::collections::VecDeque;
use std::io;
use std::path::Path;

use super::Person;
use super::reply::{self, Reply};

/// Answers one question with each line.
#[derive(Clone, Debug, Default)]
pub struct Script {
    lines: VecDeque<String>,
}

/// Why a file is no list of answers.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    #[error("the answers in {path} cannot be read: {source}")]
    Unreadable { path: String, source: io::Error },
    #[error("line {line} of {path} is no answer: {text}")]
    NoAnswer {
        path: String,
        line: usize,
        text: String,
    },
}

impl Script {
    /// Reads and checks a file, before anything is asked.
    ///
    /// # Errors
    /// If it cannot be read, or a line makes no sense.
    pub fn read(path: &Path) -> Result<Script, ScriptError> {
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Script::parse(&text).map_err(|(line, text)| ScriptError::NoAnswer {
                path: name,
                line,
                text,
            }),
            Err(source) => Err(ScriptError::Unreadable { path: name, source }),
        }
    }

    /// Takes the lines of a text; gives the first one that makes no sense.
    ///
    /// # Errors
    /// The line's number and text.
    pub fn parse(text: &str) -> Result<Script, (usize, String)> {
        let mut lines = VecDeque::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            match reply::parse(line) {
                Some(Reply::Nothing) => {}
                Some(_) => lines.push_back(line.to_owned()),
                None => return Err((number + 1, line.to_owned())),
            }
        }
        Ok(Script { lines })
    }
}

impl Person for Script {
    fn line(&mut self, _prompt: &str) -> io::Result<Option<String>> {
        Ok(self.lines.pop_front())
    }

    fn is_there(&self) -> bool {
        !self.lines.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_no_answers() {
        let mut script = Script::parse("# first\nyes\n\n n # it is not sorted\n").unwrap();
        assert_eq!(script.line("").unwrap().as_deref(), Some("yes"));
        assert_eq!(script.line("").unwrap().as_deref(), Some("n"));
        assert_eq!(script.line("").unwrap(), None);
    }

    #[test]
    fn a_bad_line_is_named() {
        assert_eq!(
            Script::parse("yes\nperhaps\n").unwrap_err(),
            (2, "perhaps".to_owned())
        );
    }
}
