//! Going on inside the call that was found, down to a statement.

use debug_engine::oracle::Cascade;
use debug_engine::session::{Diagnosis, SessionError, Step};
use debug_engine::{NodeId, Session, SessionOptions, Target};

use super::{Dialogue, DialogueError, Ending};
use crate::questioning::{Questioning, RANGES};
use crate::source::calls::Inside;

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
        let session = self.session_inside(node, &*inside)?;
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
        let mut session = self.session_inside(node, &*inside)?;
        let Step::Done(Diagnosis::Found { node: piece }) = session.poll() else {
            return Ok(false);
        };
        self.blamed = Some(inside.blamed(piece));
        Ok(true)
    }

    /// A session about the inside of a call. What was said about its loops before it was found need not
    /// be asked again.
    fn session_inside(&self, node: NodeId, inside: &dyn Inside) -> Result<Session, SessionError> {
        let options = SessionOptions {
            root_is_wrong: true,
            strategy: RANGES.to_owned(),
            ..SessionOptions::default()
        };
        let mut session = Session::new(inside.tree(), options)?;
        let among_calls = &self.questioning.session;
        for entry in among_calls.log() {
            let is_of_this = |target: &Target| {
                target.is_piece() && among_calls.tree().parent(target.first()) == Some(node)
            };
            let piece = entry.target().filter(is_of_this);
            if let Some(piece) = piece.and_then(|piece| inside.piece(piece)) {
                session.judge_target(piece, entry.answer.clone(), entry.source)?;
            }
        }
        Ok(session)
    }
}
