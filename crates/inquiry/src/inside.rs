//! The search inside a call that is known to be wrong, down to a statement: a session of its own.

use debug_engine::session::SessionError;
use debug_engine::{NodeId, Session, SessionOptions, Target};

use super::RANGES;
use java_model::calls::Inside;

/// A session about the inside of a call. What was said about its loops before it was found need not
/// be asked again.
pub fn session_inside(
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
