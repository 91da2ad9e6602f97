//! Going on inside the call that was found, down to a statement.

use debug_engine::NodeId;
use debug_engine::oracle::Cascade;
use debug_engine::session::{Diagnosis, Step};

use super::{Dialogue, DialogueError, Ending};
use inquiry::Questioning;
use inquiry::inside::session_inside;

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
        let session = session_inside(&self.questioning.session, node, &*inside)?;
        writeln!(self.talk, "\nInside call #{node}:")?;
        let heard = session.log().len();
        let ending = Dialogue {
            questioning: &mut Questioning::of(session),
            cascade: Cascade::new(),
            calls: &*inside,
            person: &mut *self.person,
            talk: &mut *self.talk,
            unknown_from: None,
            heard,
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

    /// Whether the answers about the loops of the call that was found have already led to a piece of it.
    pub(super) fn knows_piece(&mut self, node: NodeId) -> Result<bool, DialogueError> {
        if self.questioning.session.space().wrong_piece().is_none() {
            return Ok(false);
        }
        let Some(inside) = self.calls.inside(node, false) else {
            return Ok(false);
        };
        let mut session = session_inside(&self.questioning.session, node, &*inside)?;
        let Step::Done(Diagnosis::Found { node: piece }) = session.poll() else {
            return Ok(false);
        };
        self.blamed = Some(inside.blamed(piece));
        Ok(true)
    }
}
