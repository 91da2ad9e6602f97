//! A person at the terminal.

use std::io::{self, BufRead as _, Write as _};

use super::Person;

/// Reads from standard input, prompts on standard error.
pub struct Terminal;

impl Person for Terminal {
    fn line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        let mut talk = io::stderr().lock();
        write!(talk, "{prompt}")?;
        talk.flush()?;
        drop(talk);
        let mut line = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()))
    }

    fn can_correct_itself(&self) -> bool {
        true
    }
}
