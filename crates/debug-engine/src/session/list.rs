//! Questions about a list of calls: is one of these wrong?
//!
//! What is said of all of them is said of each, in one breath: it is taken back together and counts as one answer.
//! Who says only that not all of them are right has not said which one; that rules nothing out, but tells where to
//! go on.

use super::{
    Answer, AnswerSource, Confidence, LogEntry, Question, Session, SessionError, SessionStep,
    TrustScope,
};

impl Session {
    /// Answers a question as a whole, be it about a list of calls.
    pub fn judge_question(
        &mut self,
        question: &Question,
        answer: Answer,
        source: AnswerSource,
        confidence: Option<Confidence>,
    ) -> Result<(), SessionError> {
        let said = |answer: Answer| {
            let entry = LogEntry::about(question.target, answer, source);
            entry.with_confidence(confidence)
        };
        let is_said_once = matches!(answer, Answer::Trust(TrustScope::Routines(_)));
        if !question.is_list() || is_said_once {
            return self.judge_as(said(answer));
        }
        match answer {
            Answer::Yes | Answer::DontKnow | Answer::Trust(_) => {
                for (place, target) in question.targets().enumerate() {
                    let entry = LogEntry::about(target, answer.clone(), source);
                    self.judge_as(LogEntry {
                        in_one_breath: place > 0,
                        ..entry.with_confidence(confidence)
                    })?;
                }
                Ok(())
            }
            Answer::No => {
                let nodes = question.targets().map(|target| target.first()).collect();
                let entry = LogEntry::unaddressed(Answer::OneOf(nodes), source);
                self.judge_as(entry.with_confidence(confidence))
            }
            Answer::Inadmissible | Answer::WrongPart(_) => Err(SessionError::WhichOne),
            Answer::OneOf(_) | Answer::TakenBack => Err(SessionError::NothingAsked),
        }
    }

    /// What the open question has at this place of its list, counted from 1.
    pub fn listed(&mut self, number: usize) -> Result<super::Target, SessionError> {
        let SessionStep::Ask(question) = self.poll() else {
            return Err(SessionError::NothingAsked);
        };
        let calls = 1 + question.beside.len();
        let place = number.checked_sub(1);
        let target = place.and_then(|place| question.targets().nth(place));
        target.ok_or(SessionError::NotInList { number, calls })
    }
}
