//! Taking answers back.

use super::{AnswerSource, LogEntry, Session};

impl Session {
    /// Takes back the last answer, whoever gave it; any number of times. Of what was said in one breath the first
    /// is given.
    pub fn undo(&mut self) -> Option<LogEntry> {
        let mut entry = self.log.pop()?;
        while entry.in_one_breath {
            entry = self.log.pop()?;
        }
        self.rebuild();
        Some(entry)
    }

    /// Takes back answers up to and including the last one that a person gave, so that automatic
    /// answers that followed from it go with it. Gives what was taken back, latest first.
    pub fn undo_to_person(&mut self) -> Vec<LogEntry> {
        self.undo_to(AnswerSource::Person)
    }

    /// The same up to the last answer of this source.
    pub(super) fn undo_to(&mut self, source: AnswerSource) -> Vec<LogEntry> {
        let mut answers = self.log.entries().iter();
        if answers.all(|entry| entry.source != source) {
            return Vec::new();
        }
        let mut undone = Vec::new();
        while let Some(entry) = self.log.pop() {
            let stop = entry.source == source && !entry.in_one_breath;
            undone.push(entry);
            if stop {
                break;
            }
        }
        self.rebuild();
        undone
    }

    /// Takes back the answer at this place of the log if it is about no call: nothing can overrule trust
    /// in methods by their names, so it leaves the log. Gives it, or nothing if it is about a call.
    pub fn withdraw(&mut self, place: usize) -> Option<LogEntry> {
        let entry = self.log.remove_unaddressed(place)?;
        self.rebuild();
        Some(entry)
    }
}
