//! Before the first question, if the run shows nothing that is wrong: the output, and what is wrong with it.

use java_analysis::output_symptom::OutputPointer;
use trace_format::StandardStream;

use super::{Dialogue, DialogueError};
use inquiry::command::Command;
use inquiry::shown::printed_lines;

/// So much of the output is shown.
const MOST_SHOWN: usize = 12;
const PROMPT: &str = "What is wrong with it? The number of a line, a text in it, or [Enter] > ";

impl Dialogue<'_> {
    /// Shows the end of the output and takes what the person says of it. Who says nothing is asked about calls.
    ///
    /// # Errors
    /// If nothing can be read, written or saved.
    pub fn ask_for_symptom(&mut self) -> Result<(), DialogueError> {
        let (lines, is_more) = self.calls.last_printed(MOST_SHOWN);
        if lines.is_empty() {
            return Ok(());
        }
        let last = if is_more { " in the end" } else { "" };
        writeln!(self.talk, "\nThe program printed{last}:")?;
        for line in printed_lines(&lines) {
            writeln!(self.talk, "  {line}")?;
        }
        while let Some(said) = self.person.line(PROMPT)? {
            let said = said.trim();
            if said.is_empty() {
                break;
            }
            if self.say(Command::WrongOutput(pointed_at(said)))? {
                break;
            }
        }
        self.heard = self.questioning.session().log().len();
        Ok(())
    }
}

fn pointed_at(said: &str) -> OutputPointer {
    if let Some(pointer) = OutputPointer::parse(said) {
        return pointer;
    }
    match said.parse() {
        Ok(line) => OutputPointer::Line {
            stream: StandardStream::Output,
            line,
            text: None,
        },
        Err(_) => OutputPointer::Text(said.to_owned()),
    }
}
