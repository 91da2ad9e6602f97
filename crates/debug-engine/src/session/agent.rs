//! What an agent may do: a program that drives a session, knows what it is about, and is not a person.
//!
//! Other automatic answers are given only to open questions. An agent judges what it likes, so this is
//! where it is kept from overruling people: it cannot judge what a person has judged, nor say of
//! something around or inside it what would make that judgement void.

use super::{Answer, AnswerSource, LogEntry, Session, SessionError};
use crate::judgement::Judgement;

impl Session {
    /// Takes back the agent's last answer, with the automatic ones that followed from it. Gives what was
    /// taken back, latest first; nothing if the agent has given none.
    ///
    /// # Errors
    /// If a person has answered since.
    pub fn undo_to_agent(&mut self) -> Result<Vec<LogEntry>, SessionError> {
        let is_own = |entry: &&LogEntry| entry.source == AnswerSource::Agent;
        let entries = self.log.entries();
        let since = entries.iter().rev().take_while(|entry| !is_own(entry));
        let by_person = since
            .into_iter()
            .find(|entry| entry.source == AnswerSource::Person);
        if let Some(node) = by_person.and_then(|entry| entry.node)
            && entries.iter().any(|entry| is_own(&entry))
        {
            return Err(SessionError::SaidByPerson(node));
        }
        Ok(self.undo_to(AnswerSource::Agent))
    }

    pub(super) fn check_no_person_contradicted(&self, said: &LogEntry) -> Result<(), SessionError> {
        let contradicted = self
            .log
            .in_force()
            .filter(|entry| {
                entry.source == AnswerSource::Person && entry.answer != Answer::TakenBack
            })
            .find(|entry| self.makes_void(said, entry));
        match contradicted.and_then(|entry| entry.node) {
            Some(node) => Err(SessionError::SaidByPerson(node)),
            None => Ok(()),
        }
    }

    /// Whether an answer takes the place of an earlier one, or rules out what that one says.
    fn makes_void(&self, said: &LogEntry, earlier: &LogEntry) -> bool {
        let (Some(target), Some(other)) = (said.target(), earlier.target()) else {
            return false;
        };
        let (new, old) = (said.judgement(), earlier.judgement());
        if target == other {
            return old != Judgement::Unknown;
        }
        let (inner, outer) = match (new, old) {
            (_, Judgement::Wrong) if new.prunes_subtree() => (other, target),
            (Judgement::Wrong, _) if old.prunes_subtree() => (target, other),
            _ => return false,
        };
        let (inner, outer) = (inner.positions(&*self.tree), outer.positions(&*self.tree));
        outer.start <= inner.start && inner.end <= outer.end
    }
}
