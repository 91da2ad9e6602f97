//! The search inside a call that is known to be wrong, down to a statement: a session of its own, to which the
//! same can be said.

use debug_engine::session::{Diagnosis, SessionError, SessionStep};
use debug_engine::{NodeId, Session, SessionOptions, Target};

use super::command::{Command, Outcome, Refusal, Speaker};
use super::{Questioning, RANGES};
use java_analysis::calls::{Blamed, Calls, Inside};

/// See the module's header.
pub struct InsideSearch {
    call: NodeId,
    inside: Box<dyn Inside>,
    pieces: Box<Questioning>,
}

impl InsideSearch {
    pub(super) fn begin(
        among_calls: &Session,
        calls: &dyn Calls,
        call: NodeId,
        statements: bool,
    ) -> Result<InsideSearch, Refusal> {
        let inside = calls.inside(call, statements);
        let inside = inside.ok_or(Refusal::OnePiece(call))?;
        let session = session_inside(among_calls, call, &*inside)?;
        Ok(InsideSearch {
            call,
            pieces: Box::new(Questioning::of(session)),
            inside,
        })
    }

    pub(super) fn apply(&mut self, command: Command, by: Speaker) -> Result<Outcome, Refusal> {
        self.pieces.apply(&*self.inside, command, by)
    }

    /// The call that is looked into.
    #[must_use]
    pub fn call(&self) -> NodeId {
        self.call
    }

    /// The session about its pieces, and what is to be said about them.
    pub fn parts(&mut self) -> (&mut Questioning, &dyn Inside) {
        (&mut self.pieces, &*self.inside)
    }

    /// What is to blame inside the call, if that is known by now.
    pub fn blamed(&mut self) -> Option<Blamed> {
        let SessionStep::Done(diagnosis) = self.pieces.step() else {
            return None;
        };
        let pieces = diagnosis.nodes();
        if let [piece] = pieces {
            return Some(self.inside.blamed(*piece));
        }
        let blamed = pieces.iter().map(|&piece| self.inside.blamed(piece));
        let mut lines: Vec<u32> = blamed.flat_map(|blamed| blamed.lines).collect();
        lines.sort_unstable();
        lines.dedup();
        Some(Blamed {
            title: format!("one of {} pieces", pieces.len()),
            lines,
        })
    }
}

impl Questioning {
    /// The search in the call that was found, if it goes on there.
    pub fn inside(&mut self) -> Option<&mut InsideSearch> {
        self.inside.as_mut()
    }

    /// Whether the search is to go on inside the call that was found as soon as it is, and if so down to its
    /// statements; and the piece that the answers about its loops have led to already.
    ///
    /// # Errors
    /// If there is no session about its inside.
    pub fn goes_inside(
        &mut self,
        calls: &dyn Calls,
        call: NodeId,
    ) -> Result<(Option<bool>, Option<Blamed>), SessionError> {
        let known = match self.session.space().wrong_piece() {
            Some(_) => piece_known(&self.session, calls, call)?,
            None => None,
        };
        let wanted = &self.wanted;
        let goes_on = wanted.statements || (wanted.loops && known.is_none());
        Ok((goes_on.then_some(wanted.statements), known))
    }
}

fn piece_known(
    among_calls: &Session,
    calls: &dyn Calls,
    call: NodeId,
) -> Result<Option<Blamed>, SessionError> {
    let Some(inside) = calls.inside(call, false) else {
        return Ok(None);
    };
    let mut session = session_inside(among_calls, call, &*inside)?;
    Ok(match session.poll() {
        SessionStep::Done(Diagnosis::Found { node }) => Some(inside.blamed(node)),
        _ => None,
    })
}

/// A session about the inside of a call. What was said about its loops before it was found need not
/// be asked again.
fn session_inside(
    among_calls: &Session,
    call: NodeId,
    inside: &dyn Inside,
) -> Result<Session, SessionError> {
    let options = SessionOptions {
        root_is_wrong: true,
        strategy: RANGES.to_owned(),
        ..SessionOptions::default()
    };
    let mut session = Session::new(inside.tree(), options)?;
    for entry in among_calls.log() {
        let is_of_this = |target: &Target| {
            target.is_piece() && among_calls.tree().parent(target.first()) == Some(call)
        };
        let piece = entry.target().filter(is_of_this);
        if let Some(piece) = piece.and_then(|piece| inside.piece(piece)) {
            session.judge_target(piece, entry.answer.clone(), entry.source)?;
        }
    }
    Ok(session)
}
