//! Going on inside the call that was found, down to a statement.

use debug_engine::oracle::Cascade;
use debug_engine::session::Diagnosis;

use super::{Dialogue, DialogueError, Ending};
use inquiry::command::Command;

impl Dialogue<'_> {
    /// Searches the inside of the call that was found. Whether that led to a piece of it.
    pub(super) fn zoom(&mut self, statements: bool) -> Result<bool, DialogueError> {
        if !self.say(Command::LookInside { statements })? {
            return Ok(false);
        }
        let Some(search) = self.questioning.inside() else {
            return Ok(false);
        };
        writeln!(self.talk, "\nInside call #{}:", search.call())?;
        let (pieces, inside) = search.parts();
        let heard = pieces.session().log().len();
        let ending = Dialogue {
            questioning: pieces,
            cascade: Cascade::new(),
            calls: inside,
            person: &mut *self.person,
            talk: &mut *self.talk,
            unknown_from: None,
            heard,
            blamed: None,
            come_back: &|_| false,
        }
        .run()?;
        let Ending::Done(Diagnosis::Found { .. }) = ending else {
            self.say(Command::LeaveInside)?;
            return Ok(false);
        };
        self.blamed = self.questioning.inside().and_then(|search| search.blamed());
        Ok(true)
    }
}
