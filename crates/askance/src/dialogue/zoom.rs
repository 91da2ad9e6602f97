//! Going on inside the call that was found, down to a statement.

use debug_engine::oracle::Cascade;
use debug_engine::session::Diagnosis;
use debug_engine::{NodeId, Session, SessionOptions};

use super::{Dialogue, DialogueError, Ending};
use crate::questioning::{Questioning, RANGES};

impl Dialogue<'_> {
    /// Searches the inside of a call that is known to be wrong. Whether that led to a piece of it.
    pub(super) fn zoom(&mut self, node: NodeId, statements: bool) -> Result<bool, DialogueError> {
        let Some(inside) = self.calls.inside(node, statements) else {
            writeln!(
                self.talk,
                "Call #{node} cannot be taken apart any further: it is one piece, or cannot be re-executed."
            )?;
            return Ok(false);
        };
        let options = SessionOptions {
            root_is_wrong: true,
            strategy: RANGES.to_owned(),
            ..SessionOptions::default()
        };
        let mut questioning = Questioning::of(Session::new(inside.tree(), options)?);
        writeln!(self.talk, "\nInside call #{node}:")?;
        let ending = Dialogue {
            questioning: &mut questioning,
            cascade: Cascade::new(),
            calls: &*inside,
            person: &mut *self.person,
            talk: &mut *self.talk,
            unknown_from: None,
            heard: 0,
            blamed: None,
            come_back: &|_| false,
        }
        .run()?;
        let Ending::Done(Diagnosis::Found { node: piece }) = ending else {
            return Ok(false);
        };
        self.blamed = Some(inside.blamed(piece));
        Ok(true)
    }
}
